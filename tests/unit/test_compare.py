"""Comparison as data: each kind says yes and no to the right pairs, and nothing leaks between."""

import math
from fractions import Fraction
from typing import Any

import pytest
from plusforge.oracle.compare import agree
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Raised

CLOSE = Comparison(kind="close", atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(
    ("comparison", "expected", "got", "verdict"),
    [
        (Comparison(), 1, 1.0, True),
        (Comparison(), True, 1, True),
        (Comparison(), [1], (1,), False),
        (Comparison(), 0.3, 0.1 + 0.2, False),
        (Comparison(), math.nan, math.nan, True),
        (Comparison(), {"a": [math.nan]}, {"a": [math.nan]}, True),
        (Comparison(), {1, 2}, {2, 1}, True),
        (Comparison(), 10**400, 1.5, False),
        (Comparison(), [2**53 + 1], [2**53], False),
        (Comparison(), [2**53 + 1], [float(2**53)], False),
        (CLOSE, 2**80, 2**80 + 1, True),
        (CLOSE, 3, 4, False),
        (Comparison(), Raised("ValueError"), Raised("ValueError"), True),
        (Comparison(), Raised("ValueError"), Raised("KeyError"), False),
        (Comparison(), Raised("ValueError"), None, False),
        (CLOSE, 0.3, 0.1 + 0.2, True),
        (CLOSE, [0.3, 1], [0.1 + 0.2, 1], True),
        (CLOSE, {"a": (0.3, "x")}, {"a": (0.1 + 0.2, "x")}, True),
        (CLOSE, {0.3}, {0.1 + 0.2}, True),
        (CLOSE, 1e12, 1e12 + 1e7, False),
        (CLOSE, [1.0], [1.0, 1.0], False),
        (CLOSE, "0.3", "0.30000001", False),
        (CLOSE, True, 1.0000001, False),
        (CLOSE, 1 + 1j, 1 + 1.0000001j, True),
        (CLOSE, 10**400, 1.0, False),
        (CLOSE, math.inf, 1e308, False),
        (CLOSE, [], (), False),
        (Comparison(kind="set"), (3, 4), [4, 3, 3], True),
        (Comparison(kind="set"), [[1], [2]], [[2], [1]], True),
        (Comparison(kind="set"), [1], [2], False),
        (Comparison(kind="set"), 5, 5, True),
        (Comparison(kind="any_order"), [1, 1, 2], [2, 1, 1], True),
        (Comparison(kind="any_order"), [1, 1, 2], [2, 2, 1], False),
        (Comparison(kind="any_order"), [1.0, 2], [2, True], True),
        (Comparison(kind="any_order"), {"a": 1}, {"a": 2}, False),
        (Comparison(kind="any_order"), [{"a": 1, "b": 0}], [{"b": 0, "a": 1}], True),
        (Comparison(kind="any_order"), [{"a": 1, "b": 0}], [{"b": 1, "a": 0}], False),
        (Comparison(kind="any_order"), [{1}, {2}], [{2.0}, frozenset({True})], True),
        (Comparison(kind="any_order"), [({"a": [1]},)], [({"a": [1.0]},)], True),
        (Comparison(kind="any_order"), [1 + 0j, 1j], [1j, 1], True),
        (Comparison(kind="set"), [{1: 2}, {1: 2}], [{True: 2.0}], True),
        (Comparison(kind="set"), [1 + 0j], [1j], False),
        (Comparison(), {math.nan: 1}, {float("nan"): 1}, True),
        (Comparison(), {math.nan}, frozenset({float("nan")}), True),
        (Comparison(), {(True, math.nan), (2, math.nan)}, {(2, math.nan), (1, math.nan)}, True),
        (CLOSE, {math.nan: 0.3}, {float("nan"): 0.1 + 0.2}, True),
        (CLOSE, {math.nan: 0.3}, {float("nan"): 0.4}, False),
        (CLOSE, {0.3}, frozenset({0.1 + 0.2}), True),
        (CLOSE, {1 + 0j, 5}, {1, 5.0000001}, True),
        (CLOSE, {Fraction(1, 2), 0.3}, {0.5, 0.1 + 0.2}, True),
        (CLOSE, Fraction(1, 2), 0.5 + 0j, True),
        (Comparison(kind="truthy"), True, "yes", True),
        (Comparison(kind="truthy"), False, [0], False),
        (Comparison(kind="not_none"), 5, "x", True),
        (Comparison(kind="not_none"), 5, None, False),
    ],
)
def test_agree(comparison: Comparison, expected: Any, got: Any, verdict: bool) -> None:
    assert agree(comparison, expected, got) is verdict


def test_deep_values_do_not_crash() -> None:
    def nest(depth: int) -> list[Any]:
        value: list[Any] = []
        for _ in range(depth):
            value = [value]
        return value

    assert agree(Comparison(), nest(150), nest(150))
    assert not agree(Comparison(), nest(150), nest(151))


@pytest.mark.parametrize("kind", ["exact", "close", "any_order", "set"])
def test_rationals_are_compared_under_every_rule(kind: str) -> None:
    comparison = Comparison(kind=kind)
    assert agree(comparison, [0.5, 2], [Fraction(1, 2), Fraction(2)])
    assert not agree(comparison, [0.1, {2}], [Fraction(1, 10), {Fraction(1, 3)}])


def test_a_text_is_no_list_of_its_digits_and_large_numbers_have_one_spelling() -> None:
    rule = Comparison(kind="any_order")
    assert not agree(rule, "12", [1, 2])
    assert agree(rule, "12", "21")
    assert agree(rule, [10**20, 1], [1, 1e20])
