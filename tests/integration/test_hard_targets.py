"""Targets that hang, crash or shout, and tasks with none that matters: no run stops there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.taskfile import parse_task

DOUBLE = '''def double(n: int) -> int:
    """Return twice the number.

    >>> double(2)
    4
    """
    return n * 2
'''
HARD = {
    "does not compile": "def double(n) return 2",
    "is something else": "def twice(n):\n    return 2 * n\n",
    "hangs while it loads": "while True:\n    pass\n",
    "hangs": "def double(n):\n    while n != 2:\n        pass\n    return 4\n",
    "hangs in C": "def double(n):\n    return 4 if n == 2 else sum(iter(int, 1))\n",
    "ends its process": "import os\ndef double(n):\n    return 4 if n == 2 else os._exit(0)\n",
    "prints for ever": "def double(n):\n    while n != 2: print('x' * 10**6)\n    return 4\n",
    "grows": "def double(n):\n    a = ['x']\n    while n != 2:\n        a += a\n    return 4\n",
    "asks for too much": "def double(n):\n    return 4 if n == 2 else len([0] * 10**15)\n",
    "recurses": "def double(n):\n    return 4 if n == 2 else double(n)\n",
    "is only wrong": "def double(n):\n    return 4\n",
}


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as shared:
        yield shared


def result(text: str, bench: Workbench, samples: tuple[str, ...] = ()) -> dict[str, Any]:
    task = replace(parse_task(text, "task.py", "t/task"), samples=samples)
    found = run_task(task, "t", Config(budget=30), bench)
    assert found.entry["stop"] != "failed", found.entry
    return found.entry


def test_hard_targets_are_killed_or_named_and_stop_nothing(bench: Workbench) -> None:
    entry = result(DOUBLE, bench, tuple(HARD.values()))
    assert entry["n_plus"] == 30
    count, dropped = entry["targets"]["sample"], entry["targets"]["dropped"]
    assert count["n"] == len(HARD)
    names = [f"sample {1 + list(HARD).index(name)}" for name in HARD]
    named = {name for name, label in zip(HARD, names, strict=True) if label in dropped}
    ending = {"hangs while it loads", "ends its process", "grows"}
    assert named == {"does not compile", "is something else"} | ending
    assert "memory" in dropped[names[list(HARD).index("grows")]]
    assert count["killed"] + len(named) == len(HARD), "each is killed, or named with the reason"
    assert all(dropped[label] for label in names if label in dropped)


def test_a_task_whose_mutants_are_all_equivalent(bench: Workbench) -> None:
    text = '''def nothing(n: int) -> None:
    """Return nothing.

    >>> nothing(1)
    """
    n = n + 1
'''
    entry = result(text, bench)
    assert entry["targets"]["mutant"]["n"] > 0
    assert entry["targets"]["mutant"]["killed"] == 0
    assert entry["n_plus"] == 30
    assert entry["tiers"] == {"nano": 1, "mini": 14, "proved": True}
    assert entry["risk"] == 0.0


def test_a_task_with_one_valid_input(bench: Workbench) -> None:
    text = DOUBLE + "\n\ndef contract(n: int) -> None:\n    assert n in (2, 5)\n"
    entry = result(text, bench)
    assert entry["n_plus"] == 1
    assert "used up at 1 of 30 inputs" in entry["why"]
    assert entry["tiers"] == {"nano": 1, "mini": 1, "proved": True}
