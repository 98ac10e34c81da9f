"""A set and a frozenset as arguments; what looks sorted in a set of small ints is not."""
from typing import FrozenSet, List, Set


def unique_sorted_union(left: Set[int], right: FrozenSet[int]) -> List[int]:
    """Return the numbers that are in at least one of two sets, each once, in ascending order.

    >>> unique_sorted_union({1, 4}, frozenset({2}))
    [1, 2, 4]
    """
    return sorted(left | right)


def reference_merge(left: Set[int], right: FrozenSet[int]) -> List[int]:
    merged: List[int] = []
    a, b = sorted(left), sorted(right)
    while a or b:
        source = a if not b or (a and a[0] <= b[0]) else b
        number = source.pop(0)
        if not merged or merged[-1] != number:
            merged.append(number)
    return merged


def contract(left: Set[int], right: FrozenSet[int]) -> None:
    assert len(left) <= 60 and len(right) <= 60


def test_examples() -> None:
    assert unique_sorted_union({1, 4}, frozenset({2})) == [1, 2, 4]
    assert unique_sorted_union({3, 5}, frozenset()) == [3, 5]
    assert unique_sorted_union(set(), frozenset({7, 6})) == [6, 7]
    assert unique_sorted_union(set(), frozenset()) == []


def wrong_order_of_the_set(left, right):
    """Turns the union into a list and never sorts it."""
    return list(left | right)


def wrong_repeats_what_is_in_both(left, right):
    """Joins two lists, so that a common number comes twice."""
    return sorted([*left, *right])


def wrong_numbers_in_one_only(left, right):
    """Leaves out the numbers that both sets have."""
    return sorted(left ^ right)


def wrong_order_by_size(left, right):
    """Sorts by absolute value: negative numbers come in the wrong place."""
    return sorted(left | right, key=abs)


def wrong_order_as_text(left, right):
    """Sorts numbers as text: 10 comes before 9."""
    return sorted(left | right, key=str)
