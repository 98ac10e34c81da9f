"""What a run prints: a progress bar on a terminal, plain lines elsewhere, a closing table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from plusforge.generator.console import say
from plusforge.generator.publish import TaskResult, doubts, totals
from plusforge.generator.replay import Replay
from plusforge.oracle.complaints import INFERRED
from plusforge.oracle.taskmodule import WRONG_PREFIX
from plusforge.oracle.wording import plural
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

REASONS_SHOWN = 2
"""Rejection reasons in a row of the closing table."""


class Reporter:
    """Shows results as they come. Everything goes to stderr: stdout is for results."""

    def __init__(self, console: Console, total: int, *, quiet: bool = False) -> None:
        """Make a reporter.

        Args:
            console: Where to write.
            total: Number of tasks.
            quiet: Say nothing but failures.
        """
        self._console = console
        self._total = total
        self._quiet = quiet
        self._done = 0
        self._progress = Progress(
            TextColumn("[progress.description]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._bar = self._progress.add_task("tasks", total=total)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def result(self, result: TaskResult) -> None:
        """Show one finished task."""
        self._done += 1
        self._progress.update(self._bar, advance=1, description=result.task_id)
        if result.failed:
            say(self._console, f"{result.task_id}: failed: {result.entry['why']}", "red")
        elif not self._quiet and not self._console.is_terminal:
            entry = result.entry
            say(
                self._console,
                f"[{self._done}/{self._total}] {result.task_id}: {entry['n_plus']} plus "
                f"{plural(entry['n_plus'], 'input')} of {entry['n_tried']} tried, {entry['stop']}"
                + (f" ({entry['why']})" if "why" in entry else ""),
            )


def reasons(rejections: dict[str, int], shown: int = REASONS_SHOWN) -> str:
    """Return the main rejection reasons as text, the largest first."""
    ranked = sorted(rejections.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {count}" for reason, count in ranked[:shown])


def warnings(results: Sequence[TaskResult]) -> list[str]:
    """Return one line for each thing that a maintainer of the tasks should look at."""
    lines = [
        f"{result.task_id}: {doubt}"
        for result in results
        for doubt in doubts(result.entry["rejections"])
    ]
    lines += [
        f"{result.task_id}: {name} answers every input as the references do: either it is right, "
        "or a base test that shows the mistake is missing"
        for result in results
        for name in result.entry.get("targets", {}).get("wrong", {}).get("alive", ())
        if name.startswith(WRONG_PREFIX)  # the task's own; what a model proposed is often right
    ]
    guessed = sum(INFERRED in result.entry.get("notes", ()) for result in results)
    if guessed:
        lines.append(
            f"{guessed} of {len(results)} {plural(len(results), 'task')} with no contract: one was "
            "inferred from types and base inputs, which is a guess; better write one"
        )
    return lines


def strength(results: Sequence[TaskResult]) -> str | None:
    """Say what the suites tell from the references; None after a blind run."""
    entries = [result.entry for result in results if "tiers" in result.entry]
    if not entries:
        return None
    counts = [entry["targets"][kind] for entry in entries for kind in entry["targets"]
              if kind != "dropped"]  # fmt: skip
    total, killed = (sum(count[name] for count in counts) for name in ("n", "killed"))
    nano = sum(entry["tiers"]["nano"] for entry in entries)
    return (
        f"{killed:,} of {total:,} wrong programs told apart (the others may be right); "
        f"{nano:,} plus {plural(nano, 'input')} {'tells' if nano == 1 else 'tell'} as many apart "
        "as all do (tier nano)"
    )


def closing_table(results: Sequence[TaskResult]) -> Table:
    """Return the closing table: one row a task, and the totals."""
    table = Table(box=None, pad_edge=False, show_footer=True)
    sums: dict[str, Any] = totals(results)
    stops = ", ".join(f"{count} {stop}" for stop, count in sums["stops"].items())
    table.add_column(
        "task", f"{sums['n_tasks']} {plural(sums['n_tasks'], 'task')}", overflow="fold"
    )
    for title, key in (("base", "n_base"), ("plus", "n_plus"), ("tried", "n_tried")):
        table.add_column(title, f"{sums[key]:,}", justify="right")
    table.add_column("main rejections", reasons(sums["rejections"], 3), overflow="fold")
    table.add_column("stop", stops, overflow="fold")
    for result in results:
        entry = result.entry
        table.add_row(
            result.task_id,
            str(entry["n_base"]),
            str(entry["n_plus"]),
            f"{entry['n_tried']:,}",
            reasons(entry["rejections"]),
            entry["stop"],
        )
    return table


def show_replay(console: Console, replay: Replay) -> None:
    """Say what was replayed, and what could not be."""
    if replay.used:
        used = f"{replay.used} {plural(replay.used, 'recording')}"
        say(console, f"seeds: {used} replayed, no model asked")
    for line in replay.stale:
        say(console, f"warning: {line}", "yellow")
    if replay.unread:
        parts = f"{len(replay.unread)} {plural(len(replay.unread), 'part')} of recordings"
        first = " ".join(replay.unread[0].split())
        say(console, f"{parts} could not be read, e.g. {first}; the rest is used")
