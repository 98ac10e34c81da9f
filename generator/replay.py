"""Recordings replayed: seeds, wrong programs and contracts for the tasks they were made for.

Nothing is asked of anyone here, so a run without network and key gives the same bytes. A recording
whose task has changed since is left out, and named; one whose prompt has changed is still about
this task, so it is used, and named as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plusforge.generator.prompting import messages_for, prompt_digest
from plusforge.generator.recordings import (
    CONTRACT,
    INPUTS,
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
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold_text
from plusforge.oracle.retype import retype
from plusforge.oracle.task import Contract, Seed, Task, WrongProgram
from plusforge.oracle.typecheck import conforms
from plusforge.oracle.typespec import Many, Mapping, Scalar, Spec, parse_annotation
from plusforge.oracle.values import Args, Value

NEAR_VALID = "near_valid"
"""Class of the inputs that the contract must refuse."""

EXACT_FLOATS = 1 << 53
"""Below this, every int is a float."""


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
        stale: What is out of date, one line each.
    """

    tasks: list[Task]
    used: int = 0
    unread: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)


def folders_of(benchmark: str) -> list[Path]:
    """Return where a benchmark's recordings are: those that ship, then those made here."""
    return [SEEDS_FOLDER / benchmark, Path("seeds") / benchmark]


def with_recordings(tasks: Sequence[Task], recordings: Recordings) -> Replay:
    """Return the tasks with all that was recorded for them.

    Args:
        tasks: As loaded; those of other tasks are passed over.
        recordings: Of the tasks' benchmark.
    """
    replay = Replay([])
    by_task: dict[str, list[Record]] = {}
    records: list[Record] = [*recordings.proposals, *recordings.replies]
    for record in records:
        by_task.setdefault(record.task_id, []).append(record)
    for task in tasks:
        heard = Heard()
        own = by_task.get(task.task_id, [])
        for record in _current(task, own, replay):
            one = hear(task, record)
            replay.used += 1
            for name in ("inputs", "near_invalid", "wrong", "contracts", "unread"):
                getattr(heard, name).extend(getattr(one, name))
        replay.unread += [f"{task.task_id}: {why}" for why in heard.unread]
        replay.tasks.append(_enriched(task, heard) if own else task)
    return replay


def hear(task: Task, record: Record) -> Heard:
    """Return what a recording proposes for its task."""
    return _reply(task, record) if isinstance(record, ReplyRecord) else _proposal(task, record)


def _current(
    task: Task, records: Iterable[Record], replay: Replay
) -> list[Record]:
    """Return the recordings that are about the task as it is now; name what is out of date."""
    if not records:
        return []
    digest = task_digest(task)
    kept, prompts = [], dict[str, str]()
    for record in records:
        what = _label(record)
        if record.task_sha256 != digest:
            replay.stale.append(f"{task.task_id}: {what} left out: the task has changed since")
            continue
        kept.append(record)
        if isinstance(record, ReplyRecord):
            if record.purpose not in prompts and record.purpose in PURPOSES:
                messages = messages_for(task, record.purpose)
                prompts[record.purpose] = prompt_digest(messages)
            if record.prompt_sha256 != prompts.get(record.purpose):
                replay.stale.append(
                    f"{task.task_id}: {what} used, but its prompt ({record.template}) has "
                    "changed since; ask again with `plusforge seed`"
                )
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


def _proposal(task: Task, record: ProposalRecord) -> Heard:
    heard = Heard()
    for texts, into in ((record.inputs, heard.inputs), (record.near_invalid, heard.near_invalid)):
        for text in texts:
            try:
                args = fold_text(text)
            except LiteralError as exc:
                heard.unread.append(f"{text:.80}: {exc}")
                continue
            if isinstance(args, tuple):
                _add(task, into, args, record.origin, heard)
            else:
                heard.unread.append(f"{text:.80}: expected a tuple of arguments")
    heard.wrong += [
        WrongProgram(name=f"{record.kind} {number}", source=source)
        for number, source in enumerate(record.wrong_programs, 1)
    ]
    return heard


def _reply(task: Task, record: ReplyRecord) -> Heard:
    heard = Heard()
    origin = f"llm:{record.model}"
    name = task.entry_point
    if record.purpose == INPUTS:
        parsed = parse_inputs(record.text, name, task.params)
        for one in parsed.inputs:
            into = heard.near_invalid if one.kind == NEAR_VALID else heard.inputs
            _add(task, into, one.args, origin, heard)
        heard.unread += [f"{part.text:.80}: {part.reason}" for part in parsed.unread]
    elif record.purpose == WRONG:
        programs = parse_programs(record.text, name)
        for number, program in enumerate(programs.programs, 1):
            label = program.name or f"{record.model} {number}"
            heard.wrong.append(WrongProgram(name=label, source=program.source))
            if program.breaking is not None:
                _add(task, heard.inputs, program.breaking, origin, heard)
        heard.unread += [f"{part.text:.80}: {part.reason}" for part in programs.unread]
    elif record.purpose == CONTRACT:
        contract = parse_contract(record.text, name, task.params)
        if isinstance(contract, Unread):
            heard.unread.append(f"no contract: {contract.reason}")
        else:
            heard.contracts.append(Contract(source=contract, declared=False, where=record.model))
    else:
        heard.unread.append(f"reply of an unknown purpose {record.purpose!r}")
    return heard


def _add(task: Task, into: list[Seed], args: Args, origin: str, heard: Heard) -> None:
    if task.required <= len(args) <= len(task.params):
        into.append(Seed(args=_fitted(task, args), origin=origin))
    else:
        heard.unread.append(
            f"{args!r:.80}: {len(args)} arguments, {task.entry_point} takes {len(task.params)}"
        )


def _fitted(task: Task, args: Args) -> Args:
    """Return arguments as they were meant: ``1`` for a float, a literal in a JSON string."""
    fitted = []
    for param, arg in zip(task.params, args, strict=False):
        spec = parse_annotation(param.annotation)
        if param.annotation is not None and conforms(arg, spec) is not None:
            arg = _meant(arg, spec)
        fitted.append(_floats(arg, spec))
    return tuple(fitted)


def _floats(value: Value, spec: Spec) -> Value:
    """Return a value with floats for the ints that stand where floats belong."""
    if type(value) is int and isinstance(spec, Scalar) and spec.kind == "float":
        return float(value) if abs(value) < EXACT_FLOATS else value
    if isinstance(value, list) and isinstance(spec, Many):
        return [_floats(item, spec.item) for item in value]
    if isinstance(value, dict) and isinstance(spec, Mapping):
        return {key: _floats(item, spec.value) for key, item in value.items()}
    return value


def _meant(arg: Value, spec: Spec) -> Value:
    other = retype(arg, spec, text=False)
    if isinstance(arg, str):
        try:
            other = fold_text(arg)
        except LiteralError:
            return arg
    return other if conforms(other, spec) is None else arg
