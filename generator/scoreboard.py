"""What ``evaluate`` shows: progress while it runs, then the scores and what they leave out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from plusforge.oracle.results import Results
from plusforge.oracle.wording import plural
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SHOWN = 10
"""Ids or problems that are listed before "and N more"."""

EVERY = 500
"""Without a terminal, a line is printed for each so many samples."""


class ErrorConsole(Console):
    """Standard error; when its reader has gone, it falls silent and the work goes on."""

    def __init__(self) -> None:
        """Make it."""
        super().__init__(stderr=True)

    def on_broken_pipe(self) -> None:
        """Do not, as rich would, end the process and standard output with it."""
        self.quiet = True


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {plural(number, noun)}"


def shown_progress(
    console: Console, results: Iterable[tuple[int, str]], total: int, *, quiet: bool
) -> Iterator[tuple[int, str]]:
    """Pass results on and show how many there have been."""
    hidden = quiet or not console.is_terminal
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("samples"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        bar = progress.add_task("samples", total=total)
        for done, result in enumerate(results, 1):
            yield result
            progress.update(bar, advance=1)
            if hidden and not quiet and (done % EVERY == 0 or done == total):
                say(console, f"[{done}/{total}] samples judged")


def say(console: Console, text: str, style: str | None = None) -> None:
    """Print one line as it is: sample files may hold anything, markup included."""
    clean = "".join(char if char.isprintable() else "?" for char in text)
    with suppress(OSError):  # nobody reads it any more: no reason to lose the results
        console.print(clean, style=style, markup=False, soft_wrap=True, highlight=False)


def show_results(console: Console, results: Results, *, quiet: bool) -> None:
    """Print the scores, and all that they do not cover."""
    for problem in results.problems[:SHOWN]:
        say(console, problem, "red")
    _more(console, len(results.problems))
    for task_id, why in list(results.unjudged.items())[:SHOWN]:
        say(console, f"{task_id}: not judged: {why}", "red")
    _more(console, len(results.unjudged))
    if results.judge_errors:
        say(
            console,
            f"{counted(results.judge_errors, 'sample')} without a verdict for the judge's own "
            "fault (judge_error): left out of the scores; run again",
            "red",
        )
    if quiet:
        return
    document = results.document
    if document["tasks_without_plus"]:
        names = document["tasks_without_plus"]
        say(console, f"no plus tests, so not in the plus score: {_listed(names)}", "yellow")
    if results.missing:
        counted_as = (
            "counted as wrong" if document["settings"]["missing_as_wrong"] else "not in the score"
        )
        say(
            console,
            f"no sample for {counted(len(results.missing), 'task')} ({counted_as}): "
            f"{_listed(results.missing)}",
            "yellow",
        )
    say(console, document["isolation"]["report"])
    undefined = "undefined (a task has fewer samples)" if document["n_tasks"] else "undefined"
    samples, tasks = document["n_samples"], document["n_tasks"]
    say(console, f"{counted(samples, 'sample')} of {counted(tasks, 'task')}")
    for part, scores in results.scores.pass_at_k.items():
        if part == "plus" and document["settings"]["base_only"]:
            continue
        for k, score in scores.items():
            error = results.scores.stderr[part][k]
            shown = undefined if score is None else f"{score:.4f}"
            shown += "" if error is None else f" +- {error:.4f}"
            name = "base" if part == "base" else "base and plus"
            say(console, f"  pass@{k:<4} {name:<14} {shown}")


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _more(console: Console, count: int) -> None:
    if count > SHOWN:
        say(console, f"... and {count - SHOWN} more; --json or --out has them all", "red")
