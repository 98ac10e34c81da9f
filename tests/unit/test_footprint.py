# ruff: noqa: E501 - one program a line
"""Footprints: a rewritten reference means what it meant, and tells which ways a call took."""

import math
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plusforge.oracle import footprint, wire
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import TaskError
from plusforge.oracle.footprint import Footprints, footprints
from plusforge.oracle.reference import prepare
from plusforge.oracle.runner import Program, RunLimits, Sandbox
from plusforge.oracle.ways import followed

from tests.support import datasets


def load(source: str) -> tuple[Any, Any]:
    """Return the rewritten entry point ``f`` of a program, and what returns its footprint."""
    namespace: dict[str, Any] = {"__name__": "program"}
    limit = sys.getrecursionlimit()
    try:
        exec(followed(source, "f"), namespace)
    finally:
        sys.setrecursionlimit(limit)  # which the rewritten program raises
    return namespace["f"], namespace["__pf_footprint__"]


@pytest.mark.parametrize(
    ("source", "args", "expected"),
    [
        ('"""Doc."""\nfrom __future__ import annotations\ndef f(x: Later) -> Later: return x < 2', (1,), True),
        ("def f(a, b): return a < b, a <= b, a > b, a >= b, a == b, a != b", (1, 2), (True, True, False, False, False, True)),
        ("def f(a, b): return a in b, a not in b, a is b, a is not b", ("a", "cat"), (True, False, False, True)),
        ("def f(a): return 1 < a < 3, 3 > a > 1 > 0, 1 < a < 2 < 1 // 0", (2,), (True, True, False)),
        ("def f(a, b): return a and b, a or b, not a, a or b and a", (0, [1]), (0, [1], True, 0)),
        ("def f(a): return {1} <= a, a < {1}, a == {1, 2}", ({1, 2},), (True, False, True)),
        ("def f(n): return [(i, j) for i in range(n) if i if i % 2 for j in range(i)]", (4,), [(1, 0), (3, 0), (3, 1), (3, 2)]),
        ("def f(n):\n  for i in range(n):\n    if i == 3: break\n  else: return -1\n  return i", (9,), 3),
        ("def f(n):\n  for i in range(n):\n    if i == 3: break\n  else: return -1\n  return i", (2,), -1),
        ("def f(xs):\n  it = iter(xs)\n  return [(x, next(it)) for x in it]", ([1, 2, 3, 4],), [(1, 2), (3, 4)]),
        ("def f(n):\n  while n > 9: n //= 10\n  assert n, 'zero'\n  return 'big' if n else 'none'", (123,), "big"),
        ("def f(x):\n  try: return 1 // x\n  except ZeroDivisionError as e: return str(e)[:7]", (0,), "integer"),
        ("def f(x):\n  match x:\n    case [a, *_] if a > 1: return a\n    case []: return 0\n    case _: return -1", ([2],), 2),
        ("def f(x): return 1 < (y := x) < 5 and y", (3,), 3),
        ("def g():\n  x = 0 < (yield 1) < 3\n  yield x\ndef f():\n  it = g()\n  return next(it), it.send(2)", (), (1, True)),
        ("def f(x):\n  return f'{x if x > 1 else \"one\"}'", (1,), "one"),
        ("str = bool = Exception = 1\ndef type(x): return 0\ndef f(a): return 0 < a < 3", (2,), True),
        ("class A:\n  low = 1\n  fits = 0 < low < 3\n  class B:\n    def g(self): return 0 < 1 < 2\ndef f(): return A.fits, A.B().g()", (), (True, True)),
        ("class A:\n  def n(self): return 2\nclass B(A):\n  def n(self): return 1 < super().n() < 3\ndef f(): return B().n()", (), True),
        ("def f(a): return 0 < a < len(locals())", (0.5,), True),
        ("import asyncio\nasync def g():\n  yield 1\nasync def h(): return 0 < 1 < len([x async for x in g()]) + 1\ndef f(): return asyncio.run(h())", (), True),
        ("class A:\n  def __bool__(self): raise ValueError\ndef f(a): return type(a and A()).__name__", (1,), "A"),
        ("asked = []\nclass A:\n  def __bool__(self): return not asked.append(1)\ndef f():\n  if A(): return len(asked)", (), 1),
        ("class M(type):\n  def __eq__(self, other): return True\nclass A(metaclass=M):\n  def __lt__(self, other): return 'yes'\ndef f(): return A() < A()", (), "yes"),
        ("def f(a):\n  try: late = (x for x in a)\n  except TypeError: return 'at once'\n  return list(late)", (1,), "at once"),
        ("class A:\n  def __iter__(self): raise StopIteration\ndef f():\n  try: return [x for x in A()]\n  except StopIteration: return 'ends'", (), "ends"),
        ("done = []\ndef g():\n  try: yield 1\n  finally: done.append('closed')\ndef f():\n  for x in g(): break\n  done.append('left')\n  return done", (), ["closed", "left"]),
        ("def f(xs):\n  for x in xs:\n    if x % 2: xs.remove(x)\n  return xs", ([1, 3, 2, 5, 7],), [3, 2, 7]),
        ("import itertools\ndef f():\n  for i in itertools.count():\n    if i > 5: return i", (), 6),
        ("def f(xs):\n  found = []\n  while 9 > (x := xs.pop()) > 1: found.append(x)\n  return found", ([1, 5, 7],), [7, 5]),
        ("class A:\n  n = 3 if 2 > 1 else 4\n  def __lt__(self, other): return 'yes'\ndef f(): return A.n, A() < A()", (), (3, "yes")),
    ],
)  # fmt: skip
def test_rewriting_keeps_the_meaning(source: str, args: tuple[Any, ...], expected: Any) -> None:
    function, _ = load(source)
    assert function(*args) == expected


@pytest.mark.parametrize(
    ("source", "groups"),
    [
        ("def f(a, b): return a < b", [[(1, 2), (0, 9)], [(2, 2)], [(3, 2)], [(math.nan, 2)]]),
        ("def f(a, b): return a != b", [[("a", "b")], [("b", "b")], [("c", "b")]]),
        ("def f(a, b): return a == b", [[([1], [2]), ([3], [2])], [([2], [2])]]),
        ("def f(a, b): return a in b", [[("a", "b"), ("c", "b")], [("b", "b")]]),
        ("def f(a): return 0 <= a < 5", [[(-1,)], [(0,)], [(1,), (4,)], [(5,)], [(6,)]]),
        ("def f(a):\n  if a: return 1", [[(0,), ([],)], [(1,), ("a",)]]),
        ("def f(a, b): return a or b", [[(0, 0)], [(0, 1)], [(1, 0), (1, 1)]]),
        ("def f(a):\n  for x in a: pass", [[([],)], [([1],)], [([1, 2],), ([1, 2, 3],)]]),
        ("def f(a): return [x for x in a if x]", [[([],)], [([0],)], [([2],)], [([0, 0],)], [([0, 2],), ([2, 0, 1],)]]),
        ("def f(a):\n  try: return 1 // a\n  except ZeroDivisionError: return 0", [[(0,)], [(1,), (2,)]]),
        ("def f(a):\n  match a:\n    case 1: return 2\n    case [*_]: return 3", [[(1,)], [([],), ([4],)], [(2,)]]),
        ("str = bool = Exception = 1\ndef type(x): return 0\ndef f(a): return 6 // a < 3", [[(0,)], [(2,)], [(6,)]]),
        ("def f(a):\n  if a > 2: raise ValueError", [[(3,)], [(2,)], [(1,), (0,)]]),
    ],
)  # fmt: skip
def test_calls_that_take_other_ways_leave_other_footprints(
    source: str, groups: list[list[tuple[Any, ...]]]
) -> None:
    _, print_of = load(source)
    found = [{print_of(*args) for args in group} for group in groups]
    assert [len(prints) for prints in found] == [1] * len(groups), "alike to the program"
    assert len(set().union(*found)) == len(groups), "each group by itself"


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1))
def test_a_footprint_is_all_that_one_call_showed(pairs: list[tuple[int, int]]) -> None:
    _, print_of = load("def f(pairs):\n  return [a < b for a, b in pairs]")
    signs = {(a > b) - (a < b) for a, b in pairs}
    wanted = sum(1 << sign + 1 for sign in signs)
    turns = 0b10 if len(pairs) == 1 else 0b110
    assert print_of(pairs) == wanted | turns << 4
    assert print_of([]) == 1 << 4, "nothing is left of the call before"


def test_what_has_no_footprint_counts_as_none() -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    reference = replace(task.references[0], source="def clamp_all(x):\n  if x: raise SystemExit")
    with Sandbox() as sandbox:
        found = footprints(
            replace(task, references=(reference,)), [wire.dumps((0,)), wire.dumps((1,))], sandbox
        )
    assert found == Footprints([1, 0])


def test_what_cannot_be_rewritten_costs_no_more_than_its_footprint() -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    source = "def clamp_all(x): return " + " + ".join(["x"] * 500)
    reference = replace(task.references[0], source=source)
    with Sandbox() as sandbox:
        found = footprints(
            replace(task, references=(reference,)), [wire.dumps((0,)), wire.dumps((1,))], sandbox
        )
    assert found == Footprints([0, 0])


def test_a_clock_ends_all_footprints_of_a_task_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    source = "def clamp_all(x):\n  while x: pass"
    reference = replace(task.references[0], source=source)
    monkeypatch.setattr(footprint, "TOTAL_CPU_S", 0.3)
    with Sandbox() as sandbox:
        found = footprints(
            replace(task, references=(reference,)),
            [wire.dumps((x,)) for x in (1, 0)],
            sandbox,
        )
    assert found == Footprints([0, 0], stopped=True), "nor is there time for the second"


@pytest.mark.parametrize("benchmark", ["humaneval+", "mbpp+"])
@pytest.mark.slow
def test_real_references_mean_the_same(benchmark: str) -> None:
    blank, straight = [], followed("def f(): pass", "f").count("__pf_")
    with Sandbox() as first, Sandbox(hash_seed=1) as second:
        for task in load_benchmark(benchmark, data=datasets()).tasks:
            try:
                prepared = prepare(task, first, second)
            except TaskError:
                continue
            reference = prepared.task.references[0].source
            program = Program(followed(reference, task.entry_point), task.entry_point)
            inputs = [answer.args for answer in prepared.base]
            for answer, outcome in zip(
                prepared.base,
                first.call(program, inputs, RunLimits(), observe=task.comparison.observe),
                strict=True,
            ):
                expected = answer.outcome if answer.raised is None else answer.raised.encode()
                assert outcome.payload == expected, task.task_id
            if program.source.count("__pf_") > straight and not any(
                footprints(prepared.task, inputs, first).prints
            ):
                blank.append(task.task_id)
    assert blank == [], "they decide something and leave no footprint"
