"""Three related arguments: lists of the same length, compared place by place."""
from typing import List


def median_of_three_lists(first: List[int], second: List[int], third: List[int]) -> List[int]:
    """Return for each place the middle one of the three numbers that the lists have there.

    The lists are equally long. The middle one is the second of the three numbers in ascending
    order, equal numbers included.

    >>> median_of_three_lists([1, 9], [2, 30], [8, 10])
    [2, 10]
    """
    return [sorted(numbers)[1] for numbers in zip(first, second, third)]


def reference_sum_without_extremes(
    first: List[int], second: List[int], third: List[int]
) -> List[int]:
    return [
        a + b + c - max(a, b, c) - min(a, b, c) for a, b, c in zip(first, second, third)
    ]


def contract(first: List[int], second: List[int], third: List[int]) -> None:
    assert len(first) == len(second) == len(third) <= 100


def test_examples() -> None:
    assert median_of_three_lists([1, 9], [2, 30], [8, 10]) == [2, 10]
    assert median_of_three_lists([4], [4], [4]) == [4]
    assert median_of_three_lists([1, 2, 3], [6, 7, 9], [2, 4, 5]) == [2, 4, 5]
    assert median_of_three_lists([], [], []) == []


def wrong_first_is_below_second(first, second, third):
    """Puts the third number between the first and the second, as if the first were smaller."""
    return [max(a, min(b, c)) for a, b, c in zip(first, second, third)]


def wrong_strict_comparison(first, second, third):
    """Asks with < which one is in between, so that two equal numbers spoil the answer."""
    middles = []
    for a, b, c in zip(first, second, third):
        if b < a < c or c < a < b:
            middles.append(a)
        elif a < b < c or c < b < a:
            middles.append(b)
        else:
            middles.append(c)
    return middles


def wrong_middle_of_distinct(first, second, third):
    """Drops equal numbers first: of 1, 1 and 5 it returns 5."""
    return [
        sorted(distinct)[len(distinct) // 2]
        for distinct in map(set, zip(first, second, third))
    ]


def wrong_middle_by_size(first, second, third):
    """Compares absolute values."""
    return [sorted(numbers, key=abs)[1] for numbers in zip(first, second, third)]
