"""Recursion on a number: big ints in the result, and 10 and 0 as corners."""
import math
from typing import List


def _product(number):
    return math.prod(map(int, str(number)))


def digits_product_chain(number: int) -> List[int]:
    """Return the numbers met when a number is replaced by the product of its digits again and
    again, until there is only one digit left.

    The chain begins with the number itself and ends with the number of one digit. The number is
    not negative and has at most 60 digits.

    >>> digits_product_chain(77)
    [77, 49, 36, 18, 8]
    >>> digits_product_chain(6)
    [6]
    """
    if number < 10:
        return [number]
    return [number] + digits_product_chain(_product(number))


def reference_count_digits(number: int) -> List[int]:
    chain = [number]
    while len(str(chain[-1])) > 1:
        product, rest = 1, chain[-1]
        while rest:
            rest, digit = divmod(rest, 10)
            product *= digit
        chain.append(product)
    return chain


def contract(number: int) -> None:
    assert 0 <= number < 10**60


def test_examples() -> None:
    assert digits_product_chain(77) == [77, 49, 36, 18, 8]
    assert digits_product_chain(6) == [6]
    assert digits_product_chain(68) == [68, 48, 32, 6]
    assert digits_product_chain(999) == [999, 729, 126, 12, 2]


def wrong_nothing_for_zero(number):
    """Tests the number for truth and gives an empty chain for 0."""
    chain = [number] if number else []
    while chain and chain[-1] > 9:
        chain.append(_product(chain[-1]))
    return chain


def wrong_skips_zeros(number):
    """Leaves zeros out of the product: 105 gives 5."""
    chain = [number]
    while chain[-1] > 9:
        chain.append(_product(str(chain[-1]).replace("0", "")))
    return chain


def wrong_floats_for_long_numbers(number):
    """Multiplies floats, which loses the last digits of a large product."""
    chain = [number]
    while number > 9:
        product = 1.0
        for char in str(number):
            product *= float(char)
        number = int(product)
        chain.append(number)
    return chain


def wrong_four_steps_at_most(number):
    """Stops after four steps."""
    chain = [number]
    while chain[-1] > 9 and len(chain) < 5:
        chain.append(_product(chain[-1]))
    return chain
