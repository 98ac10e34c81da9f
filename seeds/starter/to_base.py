"""Base conversion with a sign, zero, letters for digits, and integers beyond the floats."""

_DIGITS = "0123456789abcdef"


def to_base(number: int, base: int) -> str:
    """Return a number written in a base from 2 to 16.

    The digits after 9 are the letters a to f. A negative number is its absolute value with '-'
    in front. There are no leading zeros, except that zero is '0'.

    >>> to_base(10, 2)
    '1010'
    >>> to_base(-7, 3)
    '-21'
    """
    rest = abs(number)
    text = ""
    while rest:
        rest, digit = divmod(rest, base)
        text = _DIGITS[digit] + text
    return ("-" if number < 0 else "") + (text or "0")


def reference_from_the_left(number: int, base: int) -> str:
    if number < 0:
        return "-" + reference_from_the_left(-number, base)
    power = 1
    while power * base <= number:
        power *= base
    text = ""
    while power:
        text += _DIGITS[number // power]
        number %= power
        power //= base
    return text


def contract(number: int, base: int) -> None:
    assert 2 <= base <= 16
    assert abs(number) <= 10**30


def test_examples() -> None:
    assert to_base(10, 2) == "1010"
    assert to_base(-7, 3) == "-21"
    assert to_base(255, 10) == "255"
    assert to_base(8, 8) == "10"


def wrong_nothing_for_zero(number, base):
    """Returns the empty text for zero."""
    rest, text = abs(number), ""
    while rest:
        text = _DIGITS[rest % base] + text
        rest //= base
    return "-" + text if number < 0 else text


def wrong_digits_in_decimal(number, base):
    """Writes a digit after 9 as two decimal digits."""
    rest, text = abs(number), ""
    while rest:
        text = str(rest % base) + text
        rest //= base
    return ("-" if number < 0 else "") + (text or "0")


def wrong_capitals(number, base):
    """Uses the letters A to F."""
    rest, text = abs(number), ""
    while rest:
        text = "0123456789ABCDEF"[rest % base] + text
        rest //= base
    return ("-" if number < 0 else "") + (text or "0")


def wrong_divides_as_floats(number, base):
    """Divides with / and loses the low digits of large numbers."""
    rest, text = abs(number), ""
    while rest:
        text = _DIGITS[rest % base] + text
        rest = int(rest / base)
    return ("-" if number < 0 else "") + (text or "0")
