"""Targets that hang, crash or shout, and tasks with none that matters: no run stops there."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from plusforge.generator import kills
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle import wire
from plusforge.oracle.answers import limits_of, reference_programs
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.mutants import mutants_of
from plusforge.oracle.outcome import Program
from plusforge.oracle.taskfile import parse_task
from plusforge.oracle.values import decode_args

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
    "loops in C": "def double(n):\n    return 4 if n == 2 else sum(iter(int, 1))\n",
    "ends its process": "import os\ndef double(n):\n    return 4 if n == 2 else os._exit(0)\n",
    "prints for ever": "def double(n):\n    while n != 2: print('x' * 10**6)\n    return 4\n",
    # Blocks nobody writes to: its memory is used up long before its time, however slow the machine.
    "grows": "def double(n):\n    a = []\n    while n != 2:\n"
    "        a.append(bytes(1 << 26))\n    return 4\n",
    "asks for too much": "def double(n):\n    return 4 if n == 2 else len(bytearray(1 << 45))\n",
    "hangs in C": "import re\ndef double(n):\n"
    "    re.match('(a|a)+$', ('a' * 99 + 'b') * (n != 2))\n    return 2 * n\n",
    "recurses": "def double(n):\n    return 4 if n == 2 else double(n)\n",
    "is only wrong": "def double(n):\n    return 4\n",
}


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as shared:
        yield shared


def result(text: str, bench: Workbench, samples: tuple[str, ...] = ()) -> dict[str, Any]:
    task = parse_task(text, "task.py", "t/task")
    task = replace(task, samples=samples, limits=replace(task.limits, cpu_s=0.5))
    found = run_task(task, "t", Config(budget=30), bench)
    assert found.entry["stop"] != "failed", found.entry
    return found.entry


def test_hard_targets_are_killed_or_named_and_stop_nothing(bench: Workbench) -> None:
    entry = result(DOUBLE, bench, tuple(HARD.values()))
    assert (entry["n_plus"], entry["stop"]) == (30, "truncated"), "a clock ended one of them"
    count, dropped = entry["targets"]["sample"], entry["targets"]["dropped"]
    assert count["n"] == len(HARD)
    names = [f"sample {1 + list(HARD).index(name)}" for name in HARD]
    named = {name for name, label in zip(HARD, names, strict=True) if label in dropped}
    ending = {"hangs while it loads", "hangs in C", "ends its process", "grows",
              "asks for too much"}  # fmt: skip
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


def test_a_program_that_changes_its_process_changes_no_mutant(bench: Workbench) -> None:
    text = '''from decimal import Decimal


def third(n: int) -> str:
    """Return a third, to 20 places.

    >>> third(1)[:5]
    '0.333'
    """
    return str(Decimal(n) / Decimal(3))[:20]
'''
    coarse = (
        "from decimal import getcontext\ndef third(n):\n    getcontext().prec = 1\n    return n"
    )
    alone, beside = result(text, bench), result(text, bench, (coarse,))
    assert alone["targets"]["mutant"]["killed"] > 0
    assert beside["targets"]["mutant"] == alone["targets"]["mutant"]
    assert beside["targets"]["sample"] == {"n": 1, "killed": 1}


def test_targets_beyond_the_limit_are_counted(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = result(DOUBLE, bench)["targets"]["mutant"]["n"]
    monkeypatch.setattr(kills, "MOST_TARGETS", 5)
    monkeypatch.setattr(kills, "MOST_SAMPLES", 2)
    programs = tuple(f"def double(n):\n    return {n}\n" for n in (7, 7, 8, 9))
    targets = result(DOUBLE, bench, programs)["targets"]
    assert (targets["mutant"]["n"], targets["sample"]["n"]) == (5, 2)
    assert targets["beyond"] == {"mutant": everything - 5, "sample": 1}


def test_killed_is_what_the_published_inputs_kill(bench: Workbench) -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/safe_divide_all").tasks
    found = run_task(task, "starter", Config(budget=20), bench)
    record = json.loads(found.line or "")
    mutants = mutants_of(task.references[0].source, task.entry_point)
    others = [Program(one.source, task.entry_point, one.name) for one in task.wrong]
    programs = [Program(m.source, task.entry_point, m.name) for m in mutants]
    tests = [wire.dumps(decode_args(test["args"])) for test in record["base"] + record["plus"]]
    for kind, squad in (("mutant", programs), ("wrong", others)):
        reference = reference_programs(task)[0]
        limits = limits_of(task, steps=task.limits.steps)
        with bench.first.targets(reference, squad, limits, task.comparison) as session:
            killed = set[int]().union(*session.feed(tests, once=True)) - session.dropped.keys()
        assert found.entry["targets"][kind] == {"n": len(squad), "killed": len(killed)}
