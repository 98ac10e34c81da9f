"""Floats compared with a tolerance; a window longer than the list leaves nothing."""
import math
from typing import List

COMPARE = "close"
ATOL = 1e-6
RTOL = 1e-9


def window_means(values: List[float], n: int) -> List[float]:
    """Return the mean of every n consecutive values, from left to right.

    n is at least 1. When there are fewer than n values, the result is empty.
    A result may be off by 0.000001.

    >>> window_means([1.0, 3.0, 5.0], 2)
    [2.0, 4.0]
    """
    return [math.fsum(values[i : i + n]) / n for i in range(len(values) - n + 1)]


def reference_running_total(values: List[float], n: int) -> List[float]:
    means = []
    total = 0.0
    for index, value in enumerate(values):
        total += value
        if index >= n:
            total -= values[index - n]
        if index >= n - 1:
            means.append(total / n)
    return means


def contract(values: List[float], n: int) -> None:
    assert 1 <= n <= 200
    assert len(values) <= 200
    assert all(abs(value) <= 1e6 for value in values)


def test_examples() -> None:
    assert window_means([1.0, 3.0, 5.0], 2) == [2.0, 4.0]
    assert window_means([2.0, 4.0, 9.0], 3) == [5.0]
    assert window_means([1.5, 2.5], 1) == [1.5, 2.5]
    assert window_means([], 1) == []


def wrong_short_list_still_has_a_mean(values, n):
    """Shrinks the window to a list that is shorter."""
    n = max(1, min(n, len(values)))
    return [math.fsum(values[i : i + n]) / n for i in range(len(values) - n + 1)]


def wrong_rounds_to_cents(values, n):
    """Rounds each mean to two places, which nobody asked for."""
    return [round(math.fsum(values[i : i + n]) / n, 2) for i in range(len(values) - n + 1)]


def wrong_skips_zero_means(values, n):
    """Tests the total for truth and drops windows that add up to zero."""
    totals = [math.fsum(values[i : i + n]) for i in range(len(values) - n + 1)]
    return [total / n for total in totals if total]


def wrong_floor_division(values, n):
    """Divides with // when the window has more than one value."""
    if n == 1:
        return list(values)
    return [math.fsum(values[i : i + n]) // n for i in range(len(values) - n + 1)]
