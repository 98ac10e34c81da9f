"""Long results, of which a trial sees digests only: judged is what came, not what comes alone."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from plusforge.oracle import wire
from plusforge.oracle.gold import Gold, assay, frame_of
from plusforge.oracle.judge import judge
from plusforge.oracle.judged import Judged, JudgeSettings
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.suiterecord import Stated, SuiteTask
from plusforge.oracle.task import Comparison, Limits, Reference

LONG = 9000
CALLS = "calls = 0\ndef f(n):\n    global calls\n    calls += 1\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        yield shared


def judged(
    sandbox: Sandbox,
    code: str,
    expected: dict[int, Any],
    comparison: Comparison | None = None,
    reference: str = "def f(n): return list(range(n))\n",
) -> Judged:
    gold = Gold(
        task_id="t", entry_point="f", comparison=comparison or Comparison(),
        references=(Reference(source=reference),),
        n_base=len(expected), args=[wire.dumps((n,)) for n in expected],
        frames=[frame_of(value) for value in expected.values()],
    )  # fmt: skip
    return judge(code, gold, sandbox, JudgeSettings(all_tests=True))


SHORT = {n: [n] for n in range(4)}
RANGES = {n: list(range(n)) for n in (LONG, LONG + 1, 3, LONG + 2)}
SORTED = Comparison(kind="checker", checker="def check(y, n): return sorted(y) == list(range(n))\n")


@pytest.mark.parametrize("length", [3, LONG])
def test_what_is_wrong_after_the_first_call_is_wrong_however_long(
    sandbox: Sandbox, length: int
) -> None:
    code = f"{CALLS}    return [n] if calls == 1 else [0] * {length}\n"
    found = judged(sandbox, code, SHORT)
    assert found.failed == [("base", index, "wrong") for index in (1, 2, 3)]


@pytest.mark.parametrize("comparison", [None, SORTED])
def test_a_list_that_grows_from_call_to_call_is_wrong(
    sandbox: Sandbox, comparison: Comparison | None
) -> None:
    code = "def f(n, found=[]):\n    found.extend(range(n))\n    return found\n"
    found = judged(sandbox, code, RANGES, comparison)
    assert found.failed == [("base", index, "wrong") for index in (1, 2, 3)]


@pytest.mark.parametrize(
    "code",
    [
        f"{CALLS}    return list(range(n)) if calls > 1 else [float(i) for i in range(n)]\n",
        "kept = {}\ndef f(n): return kept.setdefault(n, list(range(n)))\n",
        f"{CALLS}    return [*map([int, float][calls % 2], range(n))]\n",
    ],
)
def test_right_results_that_depend_on_earlier_calls_pass(sandbox: Sandbox, code: str) -> None:
    found = judged(sandbox, code, RANGES)
    assert found.base == "pass", found.failure


@pytest.mark.parametrize("source", ["random", "random.SystemRandom()"])
def test_of_random_answers_the_one_that_came_is_judged(sandbox: Sandbox, source: str) -> None:
    code = f"""import random
def f(n):
    found = list(range(n))
    {source}.shuffle(found)
    return found
"""
    assert judged(sandbox, code, RANGES, SORTED).base == "pass"
    lucky = code.replace("return found", f"return found if {source}.random() < 0.5 else [0] * n")
    expected = {n: list(range(n)) for n in range(LONG, LONG + 40)}
    assert judged(sandbox, lucky, expected, SORTED).base == "wrong"


def test_a_reference_that_depends_on_earlier_calls_is_refused(sandbox: Sandbox) -> None:
    values = [[*range(LONG)], [float(item) for item in range(LONG)]]
    task = SuiteTask(
        task_id="t", entry_point="f", comparison=Comparison(), limits=Limits(), plus=(),
        references=(Reference(source=f"{CALLS}    return [*map([int, float][calls % 2], n)]\n"),),
        base=tuple(Stated(wire.dumps((value,)), (value,)) for value in values),
    )  # fmt: skip
    assert "otherwise alone than after the calls" in assay(task, sandbox).problem


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("def f(n): return 1\n", Fraction(1, 3**13_000)),
        ("def f(n): return set()\n", {i * (2**61 - 1) for i in range(1, 71)}),
    ],
)
def test_an_expected_value_that_no_reader_takes_is_not_shown(
    sandbox: Sandbox, code: str, value: Any
) -> None:
    plain = wire.reduce_value(value, by_equality=True)
    found = judged(sandbox, code, {1: plain})
    assert found.base == "wrong"
    assert found.failure is not None
    assert found.failure.expected is None


def test_a_list_that_holds_itself_twice_is_refused_at_once(sandbox: Sandbox) -> None:
    found = judged(sandbox, "def f(n):\n    a = [1]\n    a += [a, a]\n    return a\n", SHORT)
    assert found.base == "wrong"
    assert found.failure is not None
    assert found.failure.error == "a value nested too deeply"
