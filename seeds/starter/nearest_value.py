"""Floats on a grid of quarters, so that distances and ties are exact."""
import bisect
from typing import List


def nearest_value(values: List[float], target: float) -> float:
    """Return the value of a list that is nearest to a target.

    When two values are equally near, the smaller of them is returned. The list is not empty and
    in any order. All numbers are quarters (such as -1.25, 0.5 or 3.0), at most 1000000 in size,
    so that distances are exact.

    >>> nearest_value([1.0, 2.5, 8.0], 3.0)
    2.5
    >>> nearest_value([1.0, 2.0], 1.5)
    1.0
    """
    return min(values, key=lambda value: (abs(value - target), value))


def reference_neighbours(values: List[float], target: float) -> float:
    ordered = sorted(values)
    place = bisect.bisect_left(ordered, target)
    if place == 0:
        return ordered[0]
    if place == len(ordered):
        return ordered[-1]
    below, above = ordered[place - 1], ordered[place]
    return above if above - target < target - below else below


def contract(values: List[float], target: float) -> None:
    assert 1 <= len(values) <= 100
    assert all(abs(number) <= 1e6 and (number * 4).is_integer() for number in [*values, target])


def test_examples() -> None:
    assert nearest_value([1.0, 2.5, 8.0], 3.0) == 2.5
    assert nearest_value([1.0, 2.0], 1.5) == 1.0
    assert nearest_value([4.25], 100.0) == 4.25
    assert nearest_value([0.5, 1.5, 3.0], 9.0) == 3.0


def wrong_first_of_a_tie(values, target):
    """Returns the value that comes first in the list when two are equally near."""
    return min(values, key=lambda value: abs(value - target))


def wrong_takes_order_for_granted(values, target):
    """Looks for the neighbours of the target with bisect, without sorting."""
    place = bisect.bisect_left(values, target)
    near = values[max(place - 1, 0) : place + 1]
    return min(near, key=lambda value: (abs(value - target), value))


def wrong_largest_below(values, target):
    """Returns the largest value up to the target, if there is one, even when a larger is nearer."""
    below = [value for value in values if value <= target]
    return max(below) if below else min(values)


def wrong_smaller_size_of_a_tie(values, target):
    """Prefers the value nearer to 0 in a tie, which is the larger one of two negative values."""
    return min(values, key=lambda value: (abs(value - target), abs(value)))


def wrong_distance_in_whole_numbers(values, target):
    """Compares distances that are cut to whole numbers."""
    return min(values, key=lambda value: (int(abs(value - target)), value))
