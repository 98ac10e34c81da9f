"""An encoding of the integers from 1 to 3999 with subtractive pairs at each decimal place."""

_VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_SIGNS = ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I")
_DIGITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")


def _greedy(number, pairs):
    text = ""
    for value, sign in pairs:
        text += sign * (number // value)
        number %= value
    return text


def roman_numeral(number: int) -> str:
    """Return a number from 1 to 3999 in Roman numerals.

    I is 1, V 5, X 10, L 50, C 100, D 500 and M 1000. Each decimal digit is written apart, and
    4 and 9 are written as IV and IX, 40 and 90 as XL and XC, 400 and 900 as CD and CM.

    >>> roman_numeral(14)
    'XIV'
    >>> roman_numeral(2026)
    'MMXXVI'
    """
    return _greedy(number, zip(_VALUES, _SIGNS))


def reference_digit_by_digit(number: int) -> str:
    text = ""
    for place, digit in enumerate(reversed(str(number))):
        one, five, ten = "IVXLCDM  "[2 * place : 2 * place + 3]
        pattern = _DIGITS[int(digit)]
        text = pattern.replace("i", one).replace("v", five).replace("x", ten) + text
    return text


def contract(number: int) -> None:
    assert 1 <= number <= 3999


def test_examples() -> None:
    assert roman_numeral(14) == "XIV"
    assert roman_numeral(2026) == "MMXXVI"
    assert roman_numeral(1) == "I"
    assert roman_numeral(8) == "VIII"
    assert roman_numeral(1666) == "MDCLXVI"


def wrong_hundreds_only_add(number):
    """Has no CM and CD in the table: 400 becomes CCCC."""
    pairs = zip(_VALUES, _SIGNS)
    return _greedy(number, [pair for pair in pairs if pair[0] not in (400, 900)])


def wrong_subtracts_across_places(number):
    """Takes one from a far greater sign: 99 becomes IC."""
    pairs = [*zip(_VALUES, _SIGNS), (999, "IM"), (499, "ID"), (99, "IC"), (49, "IL")]
    return _greedy(number, sorted(pairs, reverse=True))


def wrong_repairs_four_before_nine(number):
    """Replaces IIII by IV first, so that 9 becomes VIV."""
    text = _greedy(number, [pair for pair in zip(_VALUES, _SIGNS) if len(pair[1]) == 1])
    return text.replace("IIII", "IV").replace("XXXX", "XL").replace("CCCC", "CD")
