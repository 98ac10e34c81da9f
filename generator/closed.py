"""A whole suite closed: every task in any number of workers, one report, and recordings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plusforge.generator.closing import (
    ORIGIN,
    RESULTS,
    Bounds,
    Closed,
    Piece,
    Tools,
    close_task,
)
from plusforge.generator.recordfile import read_records
from plusforge.generator.recordings import SYMBOLIC, ProposalRecord, Record, task_digest
from plusforge.oracle.about import VERSION
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold_text
from plusforge.oracle.suitefile import Suite
from plusforge.oracle.task import Task
from plusforge.oracle.values import Args, key_of
from plusforge.oracle.workers import spread

FORMAT = 1
"""Of the report."""

_tools: Tools | None = None
"""The sandboxes of a worker process; they live as long as the process."""


def close_all(work: Sequence[Piece], *, jobs: int) -> Iterator[Closed]:
    """Yield what comes of each task, as they come.

    Args:
        work: The tasks.
        jobs: Worker processes.

    Raises:
        EnvironmentFault: The sandbox does not work here.
    """
    if jobs > 1 and len(work) > 1:
        yield from spread(_work, work, jobs, lost=_lost)
        return
    with Tools() as tools:
        for piece in work:
            yield close_task(piece, tools)


def _work(piece: Piece) -> Closed:
    global _tools  # noqa: PLW0603 - one set of sandboxes a worker process
    if _tools is None:
        _tools = Tools()
    return close_task(piece, _tools)


def _lost(piece: Piece) -> Closed:
    why = "its worker process died twice (out of memory?)"
    return Closed(piece.task.task_id, {"failed": why})


def report(
    results: Sequence[Closed],
    benchmark: str,
    suite: Suite,
    bounds: Bounds,
    unfinished: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the report. No time stands in it: what was measured is for the console.

    Args:
        results: In the order of the benchmark.
        benchmark: Its name.
        suite: The suite that was closed.
        bounds: Of each search.
        unfinished: Tasks that the run did not come to the end of.
    """
    done = [one.entry for one in results if not one.failed]
    summed = ("n_targets", "n_survivors", *RESULTS)
    return {
        "format": FORMAT,
        "benchmark": benchmark,
        "tool_version": VERSION,
        "solver": {name: version(name) for name in ("crosshair-tool", "z3-solver")},
        "suite_sha256": suite.digest,
        "bounds": {"size": bounds.size, "paths": bounds.paths, "work": bounds.work},
        "totals": {
            "n_tasks": len(results),
            "n_failed": len(results) - len(done),
            **{name: sum(entry[name] for entry in done) for name in summed},
        },
        "tasks": {one.task_id: one.entry for one in results},
        **({"unfinished": list(unfinished)} if unfinished else {}),
    }


def render(document: Mapping[str, Any]) -> str:
    """Return the text of a report."""
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def with_found(path: Path, results: Iterable[Closed], tasks: Mapping[str, Task]) -> list[Record]:
    """Return the recordings of a file with what has been found, in the order of the benchmark.

    What was found before stays as long as its task is what it was: a suite made with it does not
    leave alive what it kills, so that it would not be found again.

    Args:
        path: The file; it need not exist.
        results: What was found.
        tasks: All tasks of the benchmark, by id, as loaded.

    Raises:
        DataError: The file holds something else.
    """
    kept: dict[str, list[str]] = {task_id: [] for task_id in tasks}
    others: list[Record] = []
    for record in read_records(path) if path.exists() else ():
        if not isinstance(record, ProposalRecord) or record.kind != SYMBOLIC:
            others.append(record)
            continue
        task = tasks.get(record.task_id)
        if task is not None and record.task_sha256 == task_digest(task):
            kept[record.task_id] += record.inputs
    for one in results:
        for args in one.inputs:
            text = literal(args)
            if text is not None and text not in kept[one.task_id]:
                kept[one.task_id].append(text)
    found = [
        ProposalRecord(
            kind=SYMBOLIC, task_id=task_id, task_sha256=task_digest(tasks[task_id]),
            origin=ORIGIN, inputs=tuple(texts),
        )
        for task_id, texts in kept.items() if texts
    ]  # fmt: skip
    return [*others, *found]


def literal(args: Args) -> str | None:
    """Return the text that arguments are read back from; None when there is none."""
    text = repr(args)
    try:
        return text if key_of(fold_text(text)) == key_of(args) else None
    except LiteralError:
        return None
