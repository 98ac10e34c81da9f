"""Who decides about an outcome: the task's comparison, its checker, or EvalPlus's rules."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.referee import RULES, Referee
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Raised


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def referee(rules: str = "task", name: str = "f", released: float = 0.0, **fields: Any) -> Referee:
    return Referee(name, Comparison(**fields), rules=rules, atol=released)


def test_the_task_s_own_comparison_decides() -> None:
    close = referee(kind="close", atol=1e-6)
    assert close.accepts([0.3, math.nan], [0.1 + 0.2, math.nan], ())
    assert not close.accepts([0.3], [0.4], ())
    assert not referee().accepts(0.3, 0.1 + 0.2, ())
    assert referee(kind="set").accepts([1, 2], [2, 1, 1], ())
    assert not referee(kind="any_order").accepts([1, 2], [2, 1, 1], ())
    assert referee(kind="not_none").accepts(1, "x", ())
    assert referee(kind="truthy").accepts([1], True, ())


def test_tolerance_is_per_value_and_never_leaks() -> None:
    close = referee(kind="close", atol=1e-6, rtol=0.0)
    assert not close.accepts([0.0, 5.0], [0.0, 5.00001], (), leaked=True)
    assert close.accepts([0.0, 5.0], [1e-7, 5.0000001], ())
    assert not referee().accepts(10**8, 10**8 + 5, (), leaked=True)  # the leak is EvalPlus's


def test_promised_exceptions_are_told_apart_by_name() -> None:
    for kind in ("exact", "close", "set", "truthy", "not_none", "checker"):
        ref = referee(kind=kind, raises=("ValueError",))
        assert ref.accepts(Raised("ValueError"), Raised("ValueError"), ())
        assert not ref.accepts(Raised("ValueError"), Raised("KeyError"), ())
        assert not ref.accepts(Raised("ValueError"), None, ())
        assert not ref.accepts(None, Raised("ValueError"), ())


def test_what_is_observed_follows_the_rules() -> None:
    assert referee(observe="arguments").observe == "arguments"
    assert referee("evalplus", observe="arguments").observe == "result"
    assert referee("evalplus", "check_str").observe == "found"
    assert referee(name="check_str").observe == "result"


def test_evalplus_rules_ask_no_checker() -> None:
    assert referee(kind="checker", checker="").asks_checker
    assert not referee("evalplus", kind="checker", checker="").asks_checker
    assert not referee(kind="close").asks_checker


def test_evalplus_rules_are_passed_on() -> None:
    assert referee("evalplus").accepts(10**8, 10**8 + 5, (), leaked=True)
    assert not referee("evalplus").accepts(10**8, 10**8 + 5, ())
    assert referee("evalplus", released=0.5).accepts(3.0, 3.4, ())
    assert referee("evalplus", "find_zero", released=1e-4).accepts(1.0, 2.0, ([2, -3, 1],))
    assert not referee(name="find_zero").accepts(1.0, 2.0, ([2, -3, 1],))


def test_no_such_rules() -> None:
    assert RULES == ("task", "evalplus")
    with pytest.raises(ConfigError, match=r"--rules 'loose': expected one of task, evalplus"):
        referee("loose")


# ---------------------------------------------------------------- checkers

DIVISOR = "def check(output, n):\n    return 1 < output < n and n % output == 0\n"


def asked(sandbox: Sandbox, checker: str, *questions: tuple[Any, ...]) -> list[bool]:
    answers = referee(kind="checker", checker=checker).ask_checker(sandbox, questions, 1024)
    return [answer.is_true for answer in answers]


def test_a_checker_answers_each_question(sandbox: Sandbox) -> None:
    assert asked(sandbox, DIVISOR, (2, 12), (5, 12), (6, 12), (3, 7)) == [True, False, True, False]
    assert asked(sandbox, DIVISOR) == []


def test_a_checker_that_raises_says_no_to_that_question_only(sandbox: Sandbox) -> None:
    assert asked(sandbox, DIVISOR, (None, 12), (2, 12), (0, 12), ("2", 12), (4, 12)) == [
        False, True, False, False, True
    ]  # fmt: skip


ONE_HASH = "{n * ((1 << 61) - 1) for n in range(99)}"  # beyond the bounds of our reader


@pytest.mark.parametrize("answer", ["1", "'yes'", "[True]", "None", "1.0", "output", ONE_HASH])
def test_only_true_is_a_yes(sandbox: Sandbox, answer: str) -> None:
    assert asked(sandbox, f"def check(output):\n    return {answer}\n", (1,)) == [False]


def test_a_checker_that_cannot_be_loaded_accepts_nothing(sandbox: Sandbox) -> None:
    assert asked(sandbox, "def check(output:", (1,), (2,)) == [False, False]
    assert asked(sandbox, "", (1,)) == [False]


def test_questions_do_not_touch_each_other(sandbox: Sandbox) -> None:
    # A checker that spoils its arguments spoils its own copy of them.
    spoiling = "def check(output, xs):\n    xs.append(0)\n    return output == len(xs)\n"
    shared = [3, 1]
    assert asked(sandbox, spoiling, (3, shared), (3, shared), (4, shared)) == [True, True, False]
    assert shared == [3, 1]
