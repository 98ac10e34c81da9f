"""EvalPlus's rules as its documentation and its behaviour have them, odd ones included."""

import math
from typing import Any

import pytest
from plusforge.oracle.evalplus_rules import FINAL, ORACLES, accepts, is_floats, observed
from plusforge.oracle.values import Raised

NAN, INF = math.nan, math.inf


def ruled(
    expected: Any, got: Any, *, name: str = "f", args: tuple[Any, ...] = (), atol: float = 0.0,
    leaked: bool = False,
) -> bool:  # fmt: skip
    return accepts(name, expected, got, args, atol, leaked=leaked)


@pytest.mark.parametrize(
    ("expected", "got", "verdict"),
    [
        (1, 1, True),
        (1, True, True),
        (1, 1.0, True),
        ([1, 2], [1, 2], True),
        ([1, 2], (1, 2), False),
        ("a", "b", False),
        ({"a": 1}, {"a": 1.0}, True),
        (None, None, True),
        (3, 3.0000001, False),  # the expected value is no float, so there is no tolerance
        ([1.0, 2], [1.0000001, 2], False),  # ... nor is a list that holds anything else
        ({"a": 0.3}, {"a": 0.1 + 0.2}, False),
        ([[0.3]], [[0.1 + 0.2]], False),
    ],
)
def test_exactly_equal_without_floats(expected: Any, got: Any, verdict: bool) -> None:
    assert ruled(expected, got) is verdict


@pytest.mark.parametrize(
    ("expected", "got", "verdict"),
    [
        (0.3, 0.1 + 0.2, True),
        (1.0, 1.0 + 1.05e-6, True),  # atol + rtol * |expected|
        (1.0, 1.0 + 1.2e-6, False),
        (1e9, 1e9 + 99.0, True),
        (1e9, 1e9 + 101.0, False),
        (2.0, 2, True),  # equal is equal, of whatever type
        (2.0, True, False),
        (2.0000001, 2, False),  # close and of another type is not
        (2.0, "2.0", False),
        (0.5, None, False),
        ([0.3, 1.0], [0.1 + 0.2, 1.0], True),
        ((0.3, 1.0), (0.1 + 0.2, 1), True),
        ([0.3, 1.0], (0.1 + 0.2, 1.0), False),
        ([0.3], [0.1 + 0.2, 0.0], False),
        ([0.3], [], False),
        (NAN, NAN, False),
        ([1.0, NAN], [1.0, NAN], False),
        (INF, INF, True),
        (INF, 1.0, False),
        (1.0, INF, False),
        (INF, -INF, False),
        ([INF, 0.3], [INF, 0.1 + 0.2], True),
        ([INF, 0.3], [1.0, 0.3], False),
        (0.3, 0.3 + 0j, True),
        (0.3, complex(0.1 + 0.2), False),
    ],
)
def test_expected_floats_bring_a_tolerance(expected: Any, got: Any, verdict: bool) -> None:
    got = float("nan") if got is NAN else got  # a NaN of its own: lists compare by identity first
    if isinstance(got, list):
        got = [float("nan") if item is NAN else item for item in got]
    assert ruled(expected, got) is verdict


@pytest.mark.parametrize(
    ("expected", "got"), [(3.0, 3.0000001), ([[1.0]], [[1.0000001]]), ((1, 0.3), (1, 0.1 + 0.2))]
)
def test_the_tolerance_leaks_to_later_tests(expected: Any, got: Any) -> None:
    assert ruled(expected, got, leaked=True)
    assert ruled(expected, got, atol=1e-6)


def test_a_leaked_tolerance_makes_wrong_whole_numbers_right() -> None:
    assert not ruled(10**8, 10**8 + 5)
    assert ruled(10**8, 10**8 + 5, leaked=True)
    assert ruled([10**8, 1], [10**8 + 5, 1], leaked=True)


def test_a_stated_tolerance_stays_as_it_is() -> None:
    assert ruled(1.0, 1.009, atol=1e-2)
    assert not ruled(1.0, 1.02, atol=1e-2)
    assert not ruled(1.0, 1.0000011, atol=1e-9)  # 1e-6 is not enforced where one is stated


@pytest.mark.parametrize(
    ("expected", "got"),
    [("a", "b"), ({"a": 0.3}, {"a": 0.1 + 0.2}), ({1.0}, {1.0000001}), (["x", 1.0], ["x", 1.1]),
     ([None, 0.3], [None, 0.1 + 0.2])],
)  # fmt: skip
def test_only_arrays_of_numbers_can_be_close(expected: Any, got: Any) -> None:
    assert not ruled(expected, got, leaked=True)


def test_an_exception_is_never_right() -> None:
    assert not ruled(Raised("ValueError"), Raised("ValueError"))
    assert not ruled(1, Raised("ValueError"))
    assert not ruled(True, Raised("ValueError"), name="are_equivalent")


@pytest.mark.parametrize(
    ("value", "answer"),
    [(1.0, True), (NAN, True), ([1.0, 2.0], True), ((1.0,), True), ([], False), ((), False),
     (1, False), (True, False), ([1.0, 2], False), ([[1.0]], False), ({1.0}, False),
     ({"a": 1.0}, False), ("1.0", False), (1j, False), (Raised("ValueError"), False)],
)  # fmt: skip
def test_what_switches_the_tolerance_on(value: Any, answer: bool) -> None:
    assert is_floats(value) is answer


# ---------------------------------------------------------------- special oracles


def test_one_task_accepts_everything() -> None:
    assert ruled(True, False, name="are_equivalent")
    assert ruled(True, "nonsense", name="are_equivalent")


@pytest.mark.parametrize(("got", "verdict"), [(6, True), (0, True), (7, False), (False, True)])
def test_zero_is_always_a_sum_of_divisors(got: Any, verdict: bool) -> None:
    assert ruled(6, got, name="sum_div", args=(6,)) is verdict


def test_the_surface_of_a_pyramid_may_be_measured_otherwise() -> None:
    # base 3, height 4: slant height 4.272; 9 + 4 * 3 * 4.272 / 2 = 34.63
    assert ruled(33, 35, name="surface_Area", args=(3, 4))
    assert ruled(33, 33, name="surface_Area", args=(3, 4))
    assert not ruled(33, 34, name="surface_Area", args=(3, 4))
    assert not ruled(33, None, name="surface_Area", args=(3, 4))


def test_digits_may_be_compared_place_by_place() -> None:
    # |1 - 0| + |2 - 5| = 4, while 12 - 5 = 7 has the digit sum 7
    assert ruled(7, 4, name="digit_distance_nums", args=(12, 5))
    assert ruled(7, 7, name="digit_distance_nums", args=(12, 5))
    assert not ruled(7, 5, name="digit_distance_nums", args=(12, 5))
    assert not ruled(7, 4, name="digit_distance_nums", args=(-12, 5))  # no digit: an error


@pytest.mark.parametrize(
    "name",
    ["similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly",
     "larg_nnum", "intersection_array", "find_dissimilar", "Diff"],
)  # fmt: skip
def test_eight_tasks_compare_as_sets(name: str) -> None:
    assert ruled((1, 2), [2, 1, 1], name=name)
    assert not ruled((1, 2), [1], name=name)
    assert not ruled((1, 2), 12, name=name)
    assert not ruled(([1],), ([1],), name=name)  # no set can hold a list


@pytest.mark.parametrize("name", ["check_str", "text_match_three", "text_starta_endb"])
def test_three_tasks_compare_what_was_found(name: str) -> None:
    assert observed(name) == "found"
    assert ruled(True, True, name=name)
    assert not ruled(True, False, name=name)


def test_all_others_compare_the_result() -> None:
    assert {name for name in ORACLES if observed(name) == "found"} == {
        "check_str", "text_match_three", "text_starta_endb"
    }  # fmt: skip
    assert observed("f") == "result"


def test_a_root_is_any_root() -> None:
    # x**2 - 3x + 2 = (x - 1)(x - 2)
    assert ruled(1.0, 2.0, name="find_zero", args=([2, -3, 1],), atol=1e-4)
    assert ruled(1.0, 1, name="find_zero", args=([2, -3, 1],), atol=1e-4)
    assert not ruled(1.0, 1.5, name="find_zero", args=([2, -3, 1],), atol=1e-4)
    assert not ruled(1.0, NAN, name="find_zero", args=([2, -3, 1],), atol=1e-4)
    assert not ruled(1.0, None, name="find_zero", args=([2, -3, 1],), atol=1e-4)
    assert not ruled(1.0, 1e200, name="find_zero", args=([2, -3, 1],), atol=1e-4)


def test_a_root_close_to_the_expected_one_need_not_be_one() -> None:
    # Steep: 1e6 * (x - 1). The oracle's no is the last word there, whatever the tolerance.
    assert {"find_zero"} == FINAL
    assert not ruled(1.0, 1.00001, name="find_zero", args=([-1e6, 1e6],), atol=1e-4)
    assert not ruled(1.0, 1.00001, name="find_zero", args=([-1e6, 1e6],), atol=1e-4, leaked=True)


def test_complex_roots_are_errors() -> None:
    assert not ruled(1.0, 1 + 0j, name="find_zero", args=([2, -3, 1],), atol=1e-4)
