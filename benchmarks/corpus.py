"""What the scripts on model-written programs share: the corpus, and which inputs are valid.

A corpus is a folder with ``NAME_samples.jsonl.gz``: one program a line, with its verdicts on the
released base and plus inputs. Programs are numbered by their lines, from 0.
"""

import gzip
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the reader of suites is part of the tests

from plusforge.oracle.answers import own_args
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suite import encode_test, record_of
from plusforge.oracle.task import Limits, Param, Task
from plusforge.oracle.typespec import Anything, Fixed, Many, Mapping, OneOf, Spec, union
from plusforge.oracle.values import Args, Value, key_of

BENCHMARKS = {"humaneval": "humaneval+", "mbpp": "mbpp+"}
"""The released benchmark of each corpus."""

FAILED = ("fail", "exc", "error")
"""How a program fails that fails for more than being slow."""

ROOMY = Limits(steps=20_000_000, cpu_s=60.0, args_bytes=10_000_000, output_bytes=20_000_000)
"""Limits under which inputs that are given, not chosen, are all looked at."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One program of a corpus.

    Attributes:
        line: Its number in the file.
        task_id: The task it answers.
        source: The program.
        base: Passes the base inputs.
        plus: Passes the plus inputs.
        status: Why it does not pass the plus inputs, or ``pass``.
    """

    line: int
    task_id: str
    source: str
    base: bool
    plus: bool
    status: str


def read_corpus(folder: Path, bench: str) -> list[Entry]:
    """Return all programs of a corpus, in file order."""
    with gzip.open(folder / f"{bench}_samples.jsonl.gz", "rt", encoding="utf-8") as rows:
        found = [json.loads(row) for row in rows]
    return [
        Entry(line, row["task_id"], row["solution"], row["base_pass"], row["plus_pass"],
              row["plus_status"])
        for line, row in enumerate(found)
    ]  # fmt: skip


def exposed(entries: Sequence[Entry]) -> list[Entry]:
    """Return the programs that pass the base tests and fail the plus tests without a time-out."""
    return [entry for entry in entries if entry.base and entry.status in FAILED]


def merged(spec: Spec, param: Param) -> Spec:
    """Return what was observed of a parameter without what is only the habit of a few inputs.

    That lists have always had so many items, the second of them a string, binds nobody unless the
    annotation says so: item types are merged.
    """
    written = "tuple[" in (param.annotation or "").lower()
    return spec if written else _merged(spec)


def _merged(spec: Spec) -> Spec:
    match spec:
        case Fixed(kind, items):
            return Many(kind, union(map(_merged, items)))
        case Many(kind, item):
            return Many(kind, _merged(item))
        case Mapping(key, value):
            return Mapping(_merged(key), _merged(value))
        case OneOf(options):
            return union(map(_merged, options))
        case _:
            return spec


def untyped(specs: Sequence[Spec]) -> bool:
    """Tell whether a spec says nothing somewhere, so that any value fits there."""
    return any(map(_untyped, specs))


def _untyped(spec: Spec) -> bool:
    match spec:
        case Anything():
            return True
        case Fixed(_, items) | OneOf(items):
            return untyped(items)
        case Many(_, item):
            return _untyped(item)
        case Mapping(key, value):
            return untyped((key, value))
        case _:
            return False


def finite(value: Value) -> bool:
    """Tell whether no float in a value is NaN or infinite."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(finite, value)) and all(map(finite, value.values()))
    return not isinstance(value, list | tuple | set | frozenset) or all(map(finite, value))


def roomy(task: Task) -> Task:
    """Return a released task with limits that none of its own inputs meets."""
    return replace(task, limits=ROOMY)


def strict(task: Task, first: Sandbox, second: Sandbox) -> Prepared:
    """Return a task after its pre-flight, with merged types and finite results only.

    Raises:
        TaskError: It does not pass.
    """
    prepared = prepare(task, first, second)
    specs = tuple(map(merged, prepared.specs, task.params))
    return replace(prepared, specs=specs, finite=True)


def size_of(args: Args) -> tuple[int, str]:
    """Return what inputs are ordered by: the length of their text, then the text."""
    text = key_of(args)
    return len(text), text


def valid_record(
    prepared: Prepared, inputs: Sequence[Args], first: Sandbox, second: Sandbox,
    *, by_size: bool = True,
) -> tuple[dict[str, Any], dict[str, int]]:  # fmt: skip
    """Return a suite record with the valid ones of some inputs, the smallest first if asked for.

    Returns:
        The record, and how many inputs were dropped, by reason.
    """
    kept = [args for args in inputs if all(map(finite, args))]
    with Sieve(prepared, first, second) as sieve:
        answers = [answer for answer in sieve.feed(kept, "released") if answer is not None]
        answers = sieve.confirm(answers)
        dropped = {str(reason): count for reason, count in sieve.tally.counts.items()}
    if len(kept) < len(inputs):
        dropped["not_finite_input"] = len(inputs) - len(kept)
    if by_size:
        answers.sort(key=lambda answer: size_of(own_args(answer.args)))
    tests = [encode_test(own_args(a.args), a.value(), a.origin) for a in answers]
    return record_of(prepared, tests), dropped


def by_task(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the programs of each task, in order of first appearance."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.task_id, []).append(entry)
    yield from groups.items()
