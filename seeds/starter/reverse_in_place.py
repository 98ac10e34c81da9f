"""The outcome is what becomes of the argument; the section may start at the front or be empty."""
from typing import List

OBSERVE = "arguments"


def reverse_in_place(items: List[int], start: int, stop: int) -> None:
    """Reverse the section items[start:stop] within the list itself; return nothing.

    It is given that 0 <= start <= stop <= len(items). The other items stay where they are.

    >>> row = [1, 2, 3, 4, 5]
    >>> reverse_in_place(row, 1, 4)
    >>> row
    [1, 4, 3, 2, 5]
    """
    items[start:stop] = items[start:stop][::-1]


def reference_swap(items: List[int], start: int, stop: int) -> None:
    low, high = start, stop - 1
    while low < high:
        items[low], items[high] = items[high], items[low]
        low += 1
        high -= 1


def contract(items: List[int], start: int, stop: int) -> None:
    assert len(items) <= 300
    assert 0 <= start <= stop <= len(items)


def test_middle_section() -> None:
    row = [1, 2, 3, 4, 5]
    reverse_in_place(row, 1, 4)
    assert row == [1, 4, 3, 2, 5]


def test_short_section() -> None:
    row = [6, 7, 8]
    reverse_in_place(row, 1, 3)
    assert row == [6, 8, 7]


def test_empty_section() -> None:
    row = [7, 8]
    reverse_in_place(row, 1, 1)
    assert row == [7, 8]


def wrong_slice_before_the_front(items, start, stop):
    """Counts down to start - 1, which for a section at the front means the end of the list."""
    items[start:stop] = items[stop - 1 : start - 1 : -1] if start < stop else []


def wrong_swaps_the_ends_only(items, start, stop):
    """Swaps the first and the last item and forgets those between."""
    if start < stop:
        items[start], items[stop - 1] = items[stop - 1], items[start]


def wrong_sorts_downwards(items, start, stop):
    """Sorts the section from large to small."""
    items[start:stop] = sorted(items[start:stop], reverse=True)


def wrong_looks_places_up(items, start, stop):
    """Finds each place by value, which goes wrong when a value occurs twice."""
    old = list(items)
    for value in old[start:stop]:
        items[start + stop - 1 - old.index(value)] = value
