"""Related arguments (lo <= hi), and limits that are 0.0, which is false but no missing limit."""
from typing import List


def clamp_all(values: List[float], lo: float, hi: float) -> List[float]:
    """Return the values, each moved to the nearest number from lo to hi (both included).

    The order is kept. It is given that lo <= hi.

    >>> clamp_all([0.5, 1.5, 9.0], 1.0, 4.0)
    [1.0, 1.5, 4.0]
    """
    return [min(max(value, lo), hi) for value in values]


def reference_median(values: List[float], lo: float, hi: float) -> List[float]:
    return [sorted((lo, value, hi))[1] for value in values]


def contract(values: List[float], lo: float, hi: float) -> None:
    assert len(values) <= 500
    assert lo <= hi
    assert all(abs(number) <= 1e9 for number in [*values, lo, hi])


def test_inside_and_outside() -> None:
    assert clamp_all([0.5, 1.5, 9.0], 1.0, 4.0) == [1.0, 1.5, 4.0]
    assert clamp_all([7.0], 2.0, 3.0) == [3.0]
    assert clamp_all([-8.0, -2.0], -5.0, -1.0) == [-5.0, -2.0]


def test_nothing_to_clamp() -> None:
    assert clamp_all([], 0.0, 1.0) == []


def wrong_zero_is_no_limit(values, lo, hi):
    """Tests a limit for truth, so that 0.0 limits nothing."""
    result = []
    for value in values:
        if lo and value < lo:
            value = lo
        if hi and value > hi:
            value = hi
        result.append(value)
    return result


def wrong_first_of_equal_values(values, lo, hi):
    """Looks the place up by value and so changes only the first of equal values."""
    result = list(values)
    for value in values:
        if value < lo:
            result[values.index(value)] = lo
        elif value > hi:
            result[values.index(value)] = hi
    return result


def wrong_sorts(values, lo, hi):
    """Sorts first; the order of the values is lost."""
    return [min(max(value, lo), hi) for value in sorted(values)]


def wrong_far_end(values, lo, hi):
    """Treats values below zero by size, so they land on the wrong limit when lo > 0."""
    return [hi if abs(value) > hi and lo > 0 else min(max(value, lo), hi) for value in values]
