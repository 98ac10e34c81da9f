"""Small suites and sample files for the tests of the judge."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PROMPT = 'def add(a, b):\n    """Return the sum."""\n'
ADD = "def add(a, b):\n    return a + b\n"
MINUS = "def add(a, b):\n    return a - b\n"


def case(expected: Any, *args: Any) -> dict[str, Any]:
    """Return a test of a suite; arguments and expected outcome in the tagged encoding."""
    return {"args": list(args), "expected": expected, "origin": "base"}


def record(task_id: str = "t/add", reference: str = ADD, **fields: Any) -> dict[str, Any]:
    """Return a suite record as ``regenerate`` writes it: sums, one base and two plus tests."""
    return {
        "format": 1,
        "task_id": task_id,
        "entry_point": "add",
        "prompt": PROMPT,
        "contract": None,
        "references": [reference],
        "comparison": {},
        "limits": {},
        "base": [case(3, 1, 2)],
        "plus": [case(11, 5, 6), case(0, -4, 4)],
        **fields,
    }


def released(**fields: Any) -> dict[str, Any]:
    """Return a record in the form of the released HumanEval+ file."""
    return {
        "task_id": "HumanEval/900",
        "prompt": PROMPT,
        "entry_point": "add",
        "canonical_solution": "    return a + b\n",
        "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
        "contract": "",
        "base_input": [[1, 2]],
        "plus_input": [[5, 6], [-4, 4]],
        "atol": 0,
        **fields,
    }


def jsonl(path: Path, rows: Iterable[Any]) -> Path:
    """Write a JSONL file; a row that is text stands as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
