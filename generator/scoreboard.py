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


def show_results(
    console: Console, results: Results, *, recalled: int = 0, quiet: bool = False
) -> None:
    """Print the scores, and all that they do not cover.

    Args:
        console: Where to.
        results: What came of the run.
        recalled: Samples whose verdict was kept by an earlier run.
        quiet: Print faults only.
    """
    document = results.document
    _show_faults(console, document)
    if not quiet:
        _show_gaps(console, document)
        fenced = sum(FENCED in line for line in results.lines)
        if fenced:
            text = f"{counted(fenced, 'sample')} cannot be loaded: the text {FENCED}"
            say(console, text, "yellow")
        if recalled:
            say(console, f"{counted(recalled, 'verdict')} kept by an earlier run, not judged again")
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
    base_only = document["settings"]["base_only"]
    without = "a task has fewer samples" if tasks else "there is no sample"
    parts = {"base": "base"} | ({} if base_only else {"plus": "base and plus"})
    undefined: dict[str, list[str]] = {}
    for part, name in parts.items():
        for k, score in document["pass_at_k"][part].items():
            if score is None:
                undefined.setdefault(f"pass@{k}", []).append(name)
                continue
            error = document["stderr"][part][k]
            shown = f"{score:.4f}" + ("" if error is None else f" +- {error:.4f}")
            say(console, f"  pass@{k:<4} {name:<14} {shown}")
    if undefined:
        names = [k if len(of) == len(parts) else f"{k} {of[0]}" for k, of in undefined.items()]
        say(console, f"  undefined: {', '.join(names)} ({without})")


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
