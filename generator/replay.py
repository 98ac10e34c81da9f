"""Recordings replayed: seeds, wrong programs and contracts for the tasks they were made for.

Nothing is asked of anyone here, so a run without network and key gives the same bytes. A recording
whose task has changed since is left out, and named; one whose prompt has changed is still about
this task, so it is used, and named as well; one of a task that is gone is named, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plusforge.generator.fitting import Fitting
from plusforge.generator.prompting import messages_for, prompt_digest
from plusforge.generator.recordings import (
    CONTRACT,
    INPUTS,
    LISTS,
    PURPOSES,
    WRONG,
    ProposalRecord,
    Record,
    Recordings,
    ReplyRecord,
    task_digest,
)
from plusforge.generator.replies import parse_inputs
from plusforge.generator.reply_contract import parse_contract
from plusforge.generator.reply_programs import parse_programs
from plusforge.generator.reply_record import Unread
from plusforge.oracle.benchmarks import SEEDS_FOLDER
from plusforge.oracle.errors import LiteralError, TaskError
from plusforge.oracle.literals import fold_text
from plusforge.oracle.source import find_function, parse_module
from plusforge.oracle.task import Contract, Seed, Task, WrongProgram
from plusforge.oracle.values import Args

NEAR_VALID = "near_valid"
"""Class of the inputs that the contract must refuse."""


AGAIN = "; ask again with `plusforge seed`"
"""What is advised where replies are out of date."""


@dataclass(slots=True)
class Heard:
    """What one recording gave.

    Attributes:
        inputs: Inputs to start from.
        near_invalid: Inputs that the contract should refuse.
        wrong: Programs with a mistake.
        contracts: Proposed contracts.
        unread: Why each part that could not be read was left out.
    """

    inputs: list[Seed] = field(default_factory=list)
    near_invalid: list[Seed] = field(default_factory=list)
    wrong: list[WrongProgram] = field(default_factory=list)
    contracts: list[Contract] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Replay:
    """What came of replaying a benchmark's recordings.

    Attributes:
        tasks: The tasks, with what was recorded for them.
        used: Number of recordings used.
        unread: Parts of replies that could not be read, each with the task and the reason.
        stale: What is out of date: a line for each kind, with the tasks.
    """

    tasks: list[Task]
    used: int = 0
    unread: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)


def folders_of(benchmark: str, named: Path | None = None) -> list[Path]:
    """Return where a benchmark's recordings are.

    Args:
        benchmark: Its name.
        named: The one folder to look in; by default the recordings that ship, then those made here.
    """
    if named is not None:
        return [named]
    return [SEEDS_FOLDER / benchmark, Path("seeds") / benchmark]


def with_recordings(
    tasks: Sequence[Task], recordings: Recordings, *, known: Collection[str] | None = None
) -> Replay:
    """Return the tasks with all that was recorded for them.

    Args:
        tasks: As loaded.
        recordings: Of the tasks' benchmark.
        known: Ids of all its tasks, so that recordings of others are named; by default they are
            passed over, for the tasks are some of them.
    """
    replay = Replay([])
    outdated: dict[str, list[str]] = {}
    by_task: dict[str, list[Record]] = {}
    records: list[Record] = [*recordings.proposals, *recordings.replies]
    for record in records:
        by_task.setdefault(record.task_id, []).append(record)
    for task in tasks:
        heard = Heard()
        own = by_task.get(task.task_id, [])
        for record in _current(task, own, outdated):
            one = hear(task, record)
            replay.used += 1
            for name in ("inputs", "near_invalid", "wrong", "contracts", "unread"):
                getattr(heard, name).extend(getattr(one, name))
        replay.unread += [f"{task.task_id}: {why}" for why in heard.unread]
        replay.tasks.append(_enriched(task, heard) if own else task)
    replay.stale = [f"{what}: {', '.join(ids)}" for what, ids in outdated.items()]
    gone = [] if known is None else [task_id for task_id in by_task if task_id not in known]
    if gone:
        replay.stale.append(f"recordings of tasks that the benchmark has not: {', '.join(gone)}")
    return replay


def hear(task: Task, record: Record) -> Heard:
    """Return what a recording proposes for its task."""
    return _reply(task, record) if isinstance(record, ReplyRecord) else _proposal(task, record)


def sifted(task: Task, record: ProposalRecord) -> tuple[ProposalRecord, list[str]]:
    """Return a record with those of its proposals that can be read, and what is wrong with others.

    Args:
        task: The task.
        record: Proposals for it.
    """
    kept: dict[str, Any] = dict.fromkeys(LISTS, ())
    bare = dataclasses.replace(record, **kept)
    unread: list[str] = []
    for name in LISTS:
        texts: list[str] = []
        for number, text in enumerate(getattr(record, name), 1):
            alone: dict[str, Any] = {name: (text,)}
            faults = _proposal(task, dataclasses.replace(bare, **alone), number).unread
            unread += faults
            if not faults:
                texts.append(text)
        kept[name] = tuple(texts)
    return dataclasses.replace(record, **kept), unread


def _current(task: Task, records: Iterable[Record], outdated: dict[str, list[str]]) -> list[Record]:
    """Return the recordings that are about the task as it is now; note what is out of date."""
    if not records:
        return []
    digest = task_digest(task)
    kept: list[Record] = []
    prompts: dict[str, str] = {}
    for record in records:
        what, again = _label(record), ""
        if isinstance(record, ReplyRecord):
            again = AGAIN
        if record.task_sha256 != digest:
            problem = f"{what} left out, as the task has changed since{again}"
            outdated.setdefault(problem, []).append(task.task_id)
            continue
        kept.append(record)
        if isinstance(record, ReplyRecord) and record.purpose in PURPOSES:
            if record.purpose not in prompts:
                prompts[record.purpose] = prompt_digest(messages_for(task, record.purpose))
            if record.prompt_sha256 != prompts[record.purpose]:
                problem = (
                    f"{what} used, but its prompt ({record.template}) has changed since{again}"
                )
                outdated.setdefault(problem, []).append(task.task_id)
    return kept


def _label(record: Record) -> str:
    if isinstance(record, ReplyRecord):
        return f"reply {record.number} of {record.model} ({record.purpose})"
    return f"{record.kind} seeds ({record.origin})"


def _enriched(task: Task, heard: Heard) -> Task:
    return dataclasses.replace(
        task,
        seeds=(*task.seeds, *heard.inputs),
        near_invalid=(*task.near_invalid, *heard.near_invalid),
        wrong=(*task.wrong, *heard.wrong),
        proposed=(*task.proposed, *heard.contracts) if task.contract is None else task.proposed,
    )


# ---------------------------------------------------------------- the two kinds of records


def _proposal(task: Task, record: ProposalRecord, first: int = 1) -> Heard:
    heard = Heard()
    fitting = Fitting(task)
    lists = ((record.inputs, heard.inputs), (record.near_invalid, heard.near_invalid))
    for texts, into in lists:
        for text in texts:
            try:
                args = fold_text(text)
            except LiteralError as exc:
                heard.unread.append(f"{text:.80}: {exc}")
                continue
            if isinstance(args, tuple):
                fitted = fitting.valid(args) if into is heard.inputs else fitting.invalid(args)
                _add(task, into, fitted, record.origin, heard)
            else:
                heard.unread.append(f"{text:.80}: expected a tuple of arguments")
    for number, source in enumerate(record.wrong_programs, first):
        try:
            tree = parse_module(source, f"wrong program {number}")
            find_function(tree, task.entry_point, f"wrong program {number}")
        except TaskError as exc:
            heard.unread.append(str(exc))
        else:
            heard.wrong.append(WrongProgram(name=f"{record.kind} {number}", source=source))
    return heard


def _reply(task: Task, record: ReplyRecord) -> Heard:
    heard = Heard()
    origin = f"llm:{record.model}"
    name = task.entry_point
    fitting = Fitting(task)
    if record.purpose not in PURPOSES:
        heard.unread.append(f"reply of an unknown purpose {record.purpose!r:.40}")
    elif not record.text.strip():
        heard.unread.append(f"{_label(record)} is empty ({record.finish})")
    elif record.purpose == INPUTS:
        parsed = parse_inputs(record.text, name, task.params)
        for one in parsed.inputs:
            args = fitting.unquoted(one.args)
            if one.kind == NEAR_VALID:
                _add(task, heard.near_invalid, fitting.invalid(args), origin, heard)
            else:
                _add(task, heard.inputs, fitting.valid(args), origin, heard)
        heard.unread += [f"{part.text:.80}: {part.reason}" for part in parsed.unread]
    elif record.purpose == WRONG:
        programs = parse_programs(record.text, name)
        for number, program in enumerate(programs.programs, 1):
            label = program.name or f"{record.model} {number}"
            heard.wrong.append(WrongProgram(name=label, source=program.source))
            if program.breaking is not None:
                _add(task, heard.inputs, fitting.valid(program.breaking), origin, heard)
        heard.unread += [f"{part.text:.80}: {part.reason}" for part in programs.unread]
    elif record.purpose == CONTRACT:
        contract = parse_contract(record.text, name, task.params)
        if isinstance(contract, Unread):
            heard.unread.append(f"no contract: {contract.reason}")
        else:
            heard.contracts.append(Contract(source=contract, declared=False, where=record.model))
    return heard


def _add(task: Task, into: list[Seed], args: Args, origin: str, heard: Heard) -> None:
    if task.required <= len(args) <= len(task.params):
        into.append(Seed(args=args, origin=origin))
    else:
        heard.unread.append(
            f"{args!r:.80}: {len(args)} arguments, {task.entry_point} takes {len(task.params)}"
        )
