"""Default arguments and an argument that may be None, which is not the same as 0."""
from typing import Optional


def pad_center(text: str, width: Optional[int] = None, fill: str = "*") -> str:
    """Return a text in the middle of fill characters, width characters long in all.

    When the fill characters cannot be shared out evenly, the right side gets one more. A text
    that is not shorter than the width stays as it is. Without a width (None) the text gets
    exactly one fill character on each side. Fill is a single character and width not negative.

    >>> pad_center("abc", 6)
    '*abc**'
    >>> pad_center("abc")
    '*abc*'
    """
    if width is None:
        return fill + text + fill
    missing = max(width - len(text), 0)
    return fill * (missing // 2) + text + fill * (missing - missing // 2)


def reference_one_by_one(text: str, width: Optional[int] = None, fill: str = "*") -> str:
    if width is None:
        width = len(text) + 2
    right = True
    while len(text) < width:
        text = text + fill if right else fill + text
        right = not right
    return text


def contract(text: str, width: Optional[int] = None, fill: str = "*") -> None:
    assert len(text) <= 100
    assert width is None or 0 <= width <= 120
    assert len(fill) == 1


def test_examples() -> None:
    assert pad_center("abc", 6) == "*abc**"
    assert pad_center("abc") == "*abc*"
    assert pad_center("ab", 6, "-") == "--ab--"
    assert pad_center("abcd", 4) == "abcd"
    assert pad_center("x", None, ".") == ".x."


def wrong_str_center(text, width=None, fill="*"):
    """Leaves it to str.center, which puts the odd character left when the width is odd."""
    return text.center(len(text) + 2 if width is None else width, fill)


def wrong_zero_is_no_width(text, width=None, fill="*"):
    """Tests the width for truth, so that 0 counts as None."""
    missing = max(width - len(text), 0) if width else 2
    return fill * (missing // 2) + text + fill * (missing - missing // 2)


def wrong_cuts_long_texts(text, width=None, fill="*"):
    """Cuts a text that is longer than the width."""
    if width is None:
        width = len(text) + 2
    missing = max(width - len(text), 0)
    return (fill * (missing // 2) + text + fill * (missing - missing // 2))[:width]


def wrong_strips_first(text, width=None, fill="*"):
    """Drops the blanks around the text before it pads."""
    text = text.strip()
    missing = 2 if width is None else max(width - len(text), 0)
    return fill * (missing // 2) + text + fill * (missing - missing // 2)
