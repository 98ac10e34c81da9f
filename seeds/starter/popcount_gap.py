"""Bits by position, counted from the low end; the result has a sign and the number any size."""


def popcount_gap(number: int) -> int:
    """Return how many more bits of a number are set at even positions than at odd ones.

    The number is not negative. Its lowest bit has position 0. The result is negative when
    more bits are set at odd positions.

    >>> popcount_gap(5)
    2
    >>> popcount_gap(7)
    1
    """
    gap = 0
    step = 1
    while number:
        gap += step if number & 1 else 0
        step = -step
        number >>= 1
    return gap


def reference_binary_text(number: int) -> int:
    bits = f"{number:b}"[::-1]
    return bits[::2].count("1") - bits[1::2].count("1")


def reference_base_four(number: int) -> int:
    gap = 0
    while number:
        number, pair = divmod(number, 4)
        gap += (0, 1, -1, 0)[pair]
    return gap


def contract(number: int) -> None:
    assert 0 <= number < 2**200


def test_examples() -> None:
    assert popcount_gap(5) == 2
    assert popcount_gap(7) == 1
    assert popcount_gap(0) == 0
    assert popcount_gap(21) == 3


def wrong_counts_from_the_high_end(number):
    """Numbers the positions from the highest bit."""
    bits = bin(number)[2:]
    return bits[::2].count("1") - bits[1::2].count("1")


def wrong_without_sign(number):
    """Returns the distance of the two counts."""
    bits = bin(number)[:1:-1]
    return abs(bits[::2].count("1") - bits[1::2].count("1"))


def wrong_mask_of_32_bits(number):
    """Masks with constants made for 32 bits."""
    return bin(number & 0x55555555).count("1") - bin(number & 0xAAAAAAAA).count("1")


def wrong_ends_at_first_zero_pair(number):
    """Takes two zero bits for the end of the number."""
    gap = 0
    while number & 3:
        gap += (number & 1) - (number >> 1 & 1)
        number >>= 2
    return gap
