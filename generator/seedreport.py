"""What ``seed`` tells about a run: what came, what could be read, what passes the pre-flight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plusforge.generator.console import say
from plusforge.generator.llm import Client
from plusforge.generator.pipeline import Workbench
from plusforge.generator.recordings import INPUTS, ReplyRecord
from plusforge.generator.replay import AGAIN, Replay, hear
from plusforge.generator.seedrun import SeedRun
from plusforge.oracle.errors import EnvironmentFault, TaskError
from plusforge.oracle.reference import prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural
from rich.console import Console

SHOWN = 10
"""Lines of a kind that are listed before "and N more"."""


@dataclass(slots=True)
class Usable:
    """How many of the inputs that a run brought a suite can start from.

    Attributes:
        offered: Inputs that were read.
        kept: Those that pass the sieve: new, well typed, valid, with an agreed answer.
        rejections: The others, by reason.
        failed: Tasks that cannot be used at all, with the reason; or why nothing could be tried.
    """

    offered: int = 0
    kept: int = 0
    rejections: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


def usable_inputs(tasks: Sequence[Task], records: Sequence[ReplyRecord]) -> Usable:
    """Put proposed inputs through the pre-flight and the sieve of their tasks.

    Args:
        tasks: With all that is recorded for them.
        records: Replies of this run; those that were asked for inputs count.
    """
    found = Usable()
    mine: dict[str, list[ReplyRecord]] = {}
    for record in records:
        if record.purpose == INPUTS:
            mine.setdefault(record.task_id, []).append(record)
    try:
        with Workbench() as bench:
            for task in tasks:
                if task.task_id in mine:
                    _try_inputs(task, mine[task.task_id], bench, found)
    except EnvironmentFault as exc:  # the replies are kept, whatever this machine can run
        found.failed.append(f"inputs could not be tried: {exc}")
    return found


def _try_inputs(
    task: Task, records: Sequence[ReplyRecord], bench: Workbench, found: Usable
) -> None:
    seeds = [seed for record in records for seed in hear(task, record).inputs]
    found.offered += len(seeds)
    try:
        prepared = prepare(task, bench.first, bench.second)
    except TaskError as exc:
        found.failed.append(f"{task.task_id}: {exc}")
        return
    with Sieve(prepared, bench.first, bench.second) as sieve:
        answers = sieve.feed([seed.args for seed in seeds], "llm")
        found.kept += sum(answer is not None for answer in answers)
        for reason, count in sieve.tally.counts.items():
            found.rejections[str(reason)] += count


def document_of(
    run: SeedRun, client: Client, replay: Replay, usable: Usable, folder: Path, *, model: str
) -> dict[str, Any]:
    """Return everything as JSON data."""
    spending = client.spending
    asked = run.asked[INPUTS]
    return {
        "folder": str(folder),
        "model": model,
        "server": client.place,
        "requests": dict(sorted(run.asked.items())),
        "recorded_before": run.known,
        "replies": len(run.records),
        "truncated": run.cut,
        "empty": run.empty,
        "faults": run.faults,
        "inputs": usable.offered,
        "usable_inputs": usable.kept,
        "usable_inputs_per_request": usable.kept / asked if asked else None,
        "rejections": dict(sorted(usable.rejections.items())),
        "failed": usable.failed,
        "unread": replay.unread,
        "stale": replay.stale,
        "remarks": client.remarks,
        "prompt_tokens": spending.prompt_tokens,
        "completion_tokens": spending.completion_tokens,
        "estimated_requests": spending.estimated,
        "cost_usd": spending.cost if spending.cost_known else None,
    }


def show_run(
    console: Console, run: SeedRun, client: Client, replay: Replay, usable: Usable, *, quiet: bool
) -> None:
    """Print what a run came to; faults also when it shall be quiet."""
    _list(console, run.faults, "red")
    _list(console, usable.failed, "red")
    if quiet:
        return
    for remark in client.remarks:
        say(console, f"{client.place}: {remark}", "yellow")
    show_replay(console, replay)
    if run.cut:
        say(console, f"replies cut at --max-tokens: {run.cut}; what is whole is used", "yellow")
    if run.empty:
        say(console, f"replies without text, refusals among them: {run.empty}", "yellow")
    if run.known:
        say(console, f"requests not sent, as their replies are recorded: {run.known}")
    total = sum(run.asked.values())
    if not total and not run.known:
        say(
            console,
            "nothing to ask: contracts are asked for where there is none, and each task "
            "declares one",
        )
    asked = run.asked[INPUTS]
    offered = f"{usable.offered} new {plural(usable.offered, 'input')}"
    per = f", {usable.kept / asked:.1f} a request" if asked else ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in usable.rejections.most_common())
    say(
        console,
        f"{len(run.records)} of {total} {plural(total, 'request')} answered; {usable.kept} of "
        f"{offered} usable{per}{f' (left out: {reasons})' if reasons else ''}",
    )


def show_replay(console: Console, replay: Replay) -> None:
    """Print what could not be read, and what is out of date."""
    # This is ``plusforge seed``: it has just asked for what it was told to ask for.
    _list(console, [line.replace(AGAIN, "") for line in replay.stale], "yellow")
    _list(console, [f"not read: {line}" for line in replay.unread], "yellow")


def _list(console: Console, lines: Sequence[str], style: str) -> None:
    for line in lines[:SHOWN]:
        say(console, line, style)
    if len(lines) > SHOWN:
        say(console, f"... and {len(lines) - SHOWN} more; --json has them all", style)
