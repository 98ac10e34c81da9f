"""A permutation of 0 to n-1: the values are places, so one slip hides in symmetric inputs."""
from typing import List


def inverse_permutation(order: List[int]) -> List[int]:
    """Return the list that tells for each number at which index it stands in order.

    Order holds each of 0, 1, ..., len(order) - 1 exactly once.

    >>> inverse_permutation([2, 0, 1])
    [1, 2, 0]
    """
    places = [0] * len(order)
    for index, value in enumerate(order):
        places[value] = index
    return places


def reference_sorted_indices(order: List[int]) -> List[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def contract(order: List[int]) -> None:
    assert len(order) <= 200
    assert sorted(order) == list(range(len(order)))


def test_examples() -> None:
    assert inverse_permutation([2, 0, 1]) == [1, 2, 0]
    assert inverse_permutation([0, 1, 2, 3]) == [0, 1, 2, 3]
    assert inverse_permutation([1, 2, 0]) == [2, 0, 1]
    assert inverse_permutation([]) == []


def wrong_applies_it_twice(order):
    """Follows the order two steps, which is the inverse only for cycles of three."""
    return [order[order[index]] for index in range(len(order))]


def wrong_first_cycle_only(order):
    """Follows the cycle through 0 and leaves all the others as they are."""
    places = list(order)
    index = 0
    for _ in order:
        places[order[index]] = index
        index = order[index]
    return places


def wrong_sorts_as_text(order):
    """Sorts the numbers as text: 10 comes before 2."""
    return sorted(range(len(order)), key=lambda index: str(order[index]))
