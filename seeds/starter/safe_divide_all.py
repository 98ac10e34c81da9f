"""Promised exceptions with an order between them, and a quotient rounded toward zero."""
from typing import List

RAISES = ["ValueError", "ZeroDivisionError"]


def safe_divide_all(numbers: List[int], divisors: List[int]) -> List[int]:
    """Return each number divided by the divisor at the same index, rounded toward zero.

    Raise ValueError when the lists differ in length. Otherwise raise ZeroDivisionError when
    any of the divisors is 0.

    >>> safe_divide_all([7, 9, 1], [2, 3, 5])
    [3, 3, 0]
    """
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    return [_quotient(number, divisor) for number, divisor in zip(numbers, divisors)]


def _quotient(number, divisor):
    size = abs(number) // abs(divisor)
    return size if (number < 0) == (divisor < 0) else -size


def reference_round_up_below_zero(numbers: List[int], divisors: List[int]) -> List[int]:
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    result = []
    for number, divisor in zip(numbers, divisors):
        floor, rest = divmod(number, divisor)
        result.append(floor + 1 if rest and floor < 0 else floor)
    return result


def contract(numbers: List[int], divisors: List[int]) -> None:
    assert len(numbers) <= 300 and len(divisors) <= 300


def test_quotients() -> None:
    assert safe_divide_all([7, 9, 1], [2, 3, 5]) == [3, 3, 0]
    assert safe_divide_all([-8], [4]) == [-2]
    assert safe_divide_all([], []) == []


def test_exceptions() -> None:
    try:
        safe_divide_all([1, 2], [1])
    except ValueError:
        pass
    else:
        raise AssertionError("lists of different length must raise ValueError")
    try:
        safe_divide_all([4, 5], [2, 0])
    except ZeroDivisionError:
        pass
    else:
        raise AssertionError("a divisor 0 must raise ZeroDivisionError")


def wrong_rounds_down(numbers, divisors):
    """Rounds negative quotients down, as // does."""
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    return [number // divisor for number, divisor in zip(numbers, divisors)]


def wrong_quotient_as_float(numbers, divisors):
    """Cuts off a float quotient, which is not exact for large numbers."""
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    return [int(number / divisor) for number, divisor in zip(numbers, divisors)]


def wrong_zero_goes_first(numbers, divisors):
    """Raises ZeroDivisionError although the lists differ in length as well."""
    if 0 in divisors:
        raise ZeroDivisionError("a divisor is 0")
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    return [_quotient(number, divisor) for number, divisor in zip(numbers, divisors)]


def wrong_zero_by_zero_is_zero(numbers, divisors):
    """Does not divide the number 0, so 0 by 0 raises nothing."""
    if len(numbers) != len(divisors):
        raise ValueError("the lists differ in length")
    return [_quotient(n, divisor) if n else 0 for n, divisor in zip(numbers, divisors)]
