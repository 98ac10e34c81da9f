"""Many right answers, so the task brings its own check; no answer at all is None."""
from typing import Any, List, Optional, Tuple


def _pairs(numbers):
    size = len(numbers)
    return [(i, j) for i in range(size) for j in range(i + 1, size)]


def pair_with_sum(numbers: List[int], target: int) -> Optional[Tuple[int, int]]:
    """Return indices (i, j) with i < j of two numbers that add up to the target.

    When several pairs do, any of them is right. When none does, return None.

    >>> pair_with_sum([3, 5, 9], 14)
    (1, 2)
    >>> pair_with_sum([3, 5, 9], 4) is None
    True
    """
    seen = {}
    for j, number in enumerate(numbers):
        if target - number in seen:
            return (seen[target - number], j)
        seen[number] = j
    return None


def reference_all_pairs(numbers: List[int], target: int) -> Optional[Tuple[int, int]]:
    for i, j in _pairs(numbers):
        if numbers[i] + numbers[j] == target:
            return (i, j)
    return None


def contract(numbers: List[int], target: int) -> None:
    assert len(numbers) <= 100


def check(output: Any, numbers: List[int], target: int) -> bool:
    if output is None:
        return all(numbers[i] + numbers[j] != target for i, j in _pairs(numbers))
    if type(output) is not tuple or [type(index) for index in output] != [int, int]:
        return False
    i, j = output
    return 0 <= i < j < len(numbers) and numbers[i] + numbers[j] == target


def test_examples() -> None:
    assert pair_with_sum([3, 5, 9], 14) == (1, 2)
    assert pair_with_sum([3, 5, 9], 4) is None
    assert pair_with_sum([1, 2, 4, 8], 10) == (1, 3)
    assert pair_with_sum([], 0) is None


def wrong_pairs_a_number_with_itself(numbers, target):
    """Lets one number count twice."""
    for i in range(len(numbers)):
        for j in range(i, len(numbers)):
            if numbers[i] + numbers[j] == target:
                return (i, j)
    return None


def wrong_index_zero_is_false(numbers, target):
    """Tests the index it looked up for truth, so a pair with index 0 is overlooked."""
    seen = {}
    for j, number in enumerate(numbers):
        if seen.get(target - number):
            return (seen[target - number], j)
        seen[number] = j
    return None


def wrong_indices_after_sorting(numbers, target):
    """Moves two pointers over the sorted list and returns places in that list."""
    ordered = sorted(numbers)
    low, high = 0, len(ordered) - 1
    while low < high:
        total = ordered[low] + ordered[high]
        if total == target:
            return (low, high)
        low, high = (low + 1, high) if total < target else (low, high - 1)
    return None


def wrong_index_of_first_equal(numbers, target):
    """Looks both places up by value; two equal numbers get the same one."""
    for i, number in enumerate(numbers):
        if target - number in numbers[i + 1 :]:
            return (i, numbers.index(target - number))
    return None
