"""The record of one task in a suite file (``plus.jsonl.gz``), written and read in one place.

A record holds everything a judge needs and nothing measured: no time, no machine, no version of
Python. See ``docs/formats.md`` for the fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from plusforge.oracle.answers import Answer, own_args
from plusforge.oracle.reference import Prepared
from plusforge.oracle.values import encode_args, encode_outcome

FORMAT = 1


def encode_answer(answer: Answer) -> dict[str, Any]:
    """Return one test of a suite: ``args``, ``expected``, ``origin``."""
    return {
        "args": encode_args(own_args(answer.args)),
        "expected": encode_outcome(answer.value()),
        "origin": answer.origin,
    }


def record_of(prepared: Prepared, plus: Sequence[Answer]) -> dict[str, Any]:
    """Return the suite record of a task.

    Args:
        prepared: The task after its pre-flight.
        plus: The chosen plus inputs, best first.

    Returns:
        A structure of JSON natives.
    """
    task = prepared.task
    return {
        "format": FORMAT,
        "task_id": task.task_id,
        "entry_point": task.entry_point,
        "prompt": task.prompt,
        "params": [dataclasses.asdict(param) for param in task.params],
        "contract": task.contract.source if task.contract else None,
        "contract_declared": task.contract.declared if task.contract else False,
        "references": [reference.source for reference in task.references],
        "comparison": dataclasses.asdict(task.comparison),
        "limits": dataclasses.asdict(task.limits),
        "mutates": bool(task.mutates),
        "notes": list(prepared.notes),
        "base": [encode_answer(answer) for answer in prepared.base],
        "plus": [encode_answer(answer) for answer in plus],
    }
