"""What ``evaluate`` shows: progress while it runs, then the scores and what they leave out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plusforge.generator.console import counted_progress, say
from plusforge.oracle.judged import FENCED
from plusforge.oracle.results import Results
from plusforge.oracle.wording import plural
from rich.console import Console

SHOWN = 10
"""Ids or problems that are listed before "and N more"."""

EVERY = 500
"""Without a terminal, a line is printed for each so many samples."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {plural(number, noun)}"


def shown_progress(
    console: Console, results: Iterable[tuple[int, str]], total: int, *, quiet: bool
) -> Iterator[tuple[int, str]]:
    """Pass results on and show how many there have been."""
    with counted_progress(console, total, "samples judged", every=EVERY, quiet=quiet) as advance:
        for result in results:
            yield result
            advance()


def show_results(console: Console, results: Results, *, quiet: bool) -> None:
    """Print the scores, and all that they do not cover."""
    document = results.document
    _show_faults(console, document)
    if not quiet:
        _show_gaps(console, document)
        fenced = sum(FENCED in line for line in results.lines)
        if fenced:

            say(console, f"{counted(fenced, 'sample')} cannot be loaded: the text {FENCED}", "yellow")
        say(console, document["isolation"]["report"])
        _show_scores(console, document)


def _show_faults(console: Console, document: Mapping[str, Any]) -> None:
    unjudged = [f"{name}: not judged: {why}" for name, why in document["unjudged_tasks"].items()]
    for faults in (document["problems"], unjudged):
        for fault in faults[:SHOWN]:
            say(console, fault, "red")
        if len(faults) > SHOWN:
            more = f"... and {len(faults) - SHOWN} more; --json or --out has them all"
            say(console, more, "red")
    if document["judge_errors"]:
        say(
            console,
            f"{counted(document['judge_errors'], 'sample')} without a verdict for the judge's own "
            "fault (judge_error): left out of the scores; run again",
            "red",
        )


def _show_gaps(console: Console, document: Mapping[str, Any]) -> None:
    bare, missing = document["tasks_without_plus"], document["missing_tasks"]
    if bare:
        say(console, f"no plus tests, so not in the plus score: {_listed(bare)}", "yellow")
    if missing:
        wrong = document["settings"]["missing_as_wrong"]
        counted_as = "counted as wrong" if wrong else "not in the score"
        say(
            console,
            f"no sample for {counted(len(missing), 'task')} ({counted_as}): {_listed(missing)}",
            "yellow",
        )


def _show_scores(console: Console, document: Mapping[str, Any]) -> None:
    samples, tasks = document["n_samples"], document["n_tasks"]
    say(console, f"{counted(samples, 'sample')} of {counted(tasks, 'task')}")
    undefined = "undefined (a task has fewer samples)" if tasks else "undefined"
    for part, scores in document["pass_at_k"].items():
        if part == "plus" and document["settings"]["base_only"]:
            continue
        for k, score in scores.items():
            error = document["stderr"][part][k]
            shown = undefined if score is None else f"{score:.4f}"
            shown += "" if error is None else f" +- {error:.4f}"
            name = "base" if part == "base" else "base and plus"
            say(console, f"  pass@{k:<4} {name:<14} {shown}")


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
