"""Two conditions at once, one on the value and one on the place; negative even values count too."""
from typing import List


def sum_even_at_odd_index(numbers: List[int]) -> int:
    """Return the sum of the even values that stand at odd indices.

    Indices start at 0. The sum is 0 when there is no such value.

    >>> sum_even_at_odd_index([3, 8, 7, 4, 5])
    12
    >>> sum_even_at_odd_index([1, 3, 5])
    0
    """
    return sum(value for value in numbers[1::2] if value % 2 == 0)


def reference_loop(numbers: List[int]) -> int:
    total = 0
    for index, value in enumerate(numbers):
        if index % 2 == 1 and value % 2 == 0:
            total += value
    return total


def contract(numbers: List[int]) -> None:
    assert len(numbers) <= 1000


def test_examples() -> None:
    assert sum_even_at_odd_index([3, 8, 7, 4, 5]) == 12
    assert sum_even_at_odd_index([1, 3, 5]) == 0
    assert sum_even_at_odd_index([2]) == 0
    assert sum_even_at_odd_index([]) == 0


def wrong_index_of_first_equal(numbers):
    """Asks for the index of the value: of equal values only the first place is seen."""
    return sum(v for v in numbers if v % 2 == 0 and numbers.index(v) % 2 == 1)


def wrong_leaves_out_the_end(numbers):
    """Stops one short: the last value of a list of even length is never looked at."""
    return sum(numbers[i] for i in range(1, len(numbers) - 1, 2) if numbers[i] % 2 == 0)


def wrong_positive_only(numbers):
    """Takes even to mean 2, 4, 6, ... and loses the negative values."""
    return sum(v for v in numbers[1::2] if v > 0 and v % 2 == 0)


def wrong_stops_at_odd_value(numbers):
    """Leaves the loop at the first odd value, where it should go on."""
    total = 0
    for value in numbers[1::2]:
        if value % 2:
            break
        total += value
    return total
