"""The record of one task in a suite file (``plus.jsonl.gz``), written and read in one place.

A record holds everything a judge needs and nothing measured: no time, no machine, no version of
Python. See ``docs/formats.md`` for the fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from plusforge.oracle.answers import own_args
from plusforge.oracle.reference import Prepared
from plusforge.oracle.suiterecord import FORMAT
from plusforge.oracle.task import Task
from plusforge.oracle.values import Args, Raised, Value, encode_args, encode_outcome


def encode_test(args: Args, expected: Value | Raised, origin: str) -> dict[str, Any]:
    """Return one test of a suite: ``args``, ``expected``, ``origin``."""
    return {
        "args": encode_args(args),
        "expected": encode_outcome(expected),
        "origin": origin,
    }


def record_of(prepared: Prepared, plus: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the suite record of a task.

    Args:
        prepared: The task after its pre-flight.
        plus: The tests of the chosen plus inputs, best first.

    Returns:
        A structure of JSON natives.
    """
    base = [encode_test(own_args(a.args), a.value(), a.origin) for a in prepared.base]
    return task_record(prepared.task, base, plus, notes=prepared.notes)


def task_record(
    task: Task,
    base: Sequence[dict[str, Any]],
    plus: Sequence[dict[str, Any]],
    *,
    notes: Sequence[str],
) -> dict[str, Any]:
    """Return the suite record of a task whose tests are at hand.

    Args:
        task: The task.
        base: The benchmark's own tests.
        plus: The tests added to them, best first.
        notes: What a reader should know.
    """
    return {
        "format": FORMAT,
        "task_id": task.task_id,
        "entry_point": task.entry_point,
        "prompt": task.prompt,
        "params": [dataclasses.asdict(param) for param in task.params],
        "contract": task.contract.source if task.contract else None,
        "contract_declared": task.contract.declared if task.contract else False,
        "references": [reference.source for reference in task.references],
        "wrong": [{"name": wrong.name, "source": wrong.source} for wrong in task.wrong],
        "comparison": dataclasses.asdict(task.comparison),
        "limits": dataclasses.asdict(task.limits),
        "mutates": bool(task.mutates),
        "notes": list(notes),
        "base": list(base),
        "plus": list(plus),
    }
