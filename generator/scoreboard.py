"""What ``evaluate`` shows: progress while it runs, what the scores leave out, and the scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plusforge.generator.console import counted_progress, say
from plusforge.oracle.judged import FENCED
from plusforge.oracle.results import Results
from plusforge.oracle.suiterecord import FULL
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
    """Print what the scores do not cover, and where the samples ran.

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


def score_lines(document: Mapping[str, Any]) -> list[str]:
    """Return the scores for people.

    Args:
        document: The results.

    Returns:
        A line that counts, one for each score, and one for those that are undefined, if any.
    """
    samples, tasks = document["n_samples"], document["n_tasks"]
    lines = [f"{counted(samples, 'sample')} of {counted(tasks, 'task')}"]
    settings = document["settings"]
    without = "a task has fewer samples" if tasks else "there is no sample"
    both = "base and plus"
    if settings["tier"] != FULL:
        both += f" (tier {settings['tier']})"
    parts = {"base": "base"} | ({} if settings["base_only"] else {"plus": both})
    width = max(map(len, parts.values()))
    undefined: dict[str, list[str]] = {}
    for part, name in parts.items():
        for k, score in document["pass_at_k"][part].items():
            if score is None:
                undefined.setdefault(f"pass@{k}", []).append(name)
                continue
            error = document["stderr"][part][k]
            shown = f"{score:.4f}" + ("" if error is None else f" +- {error:.4f}")
            lines.append(f"  pass@{k:<4} {name:<{width}}  {shown}")
    if undefined:
        names = [k if len(of) == len(parts) else f"{k} {of[0]}" for k, of in undefined.items()]
        lines.append(f"  undefined: {', '.join(names)} ({without})")
    return lines


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
