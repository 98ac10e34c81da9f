"""Near misses: valid strings with one thing wrong, for tasks that promise exceptions.

Where malformed input has a promised outcome, programs differ in what they take for malformed: a
line end behind a number, a plus sign, a doubled separator. Strings drawn at random are malformed
in so many ways at once that every program refuses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from plusforge.generator.streams import alternate
from plusforge.oracle.values import Args

NEAR = "near"
"""Origin of these calls."""

LIMITS = (0, 1, 10, 12, 13, 24, 29, 30, 31, 32, 60, 61, 100)
"""Numbers at which fields of dates, times and other notations end."""

_NUMBER = re.compile(r"([-+]?)([0-9]+)")
_MARK = re.compile(r"[^\w\s]")


def near_misses(calls: Iterable[Args], limit: int) -> Iterator[Args]:
    """Yield calls with one edit in one of their strings.

    Args:
        calls: Calls with an ordinary outcome.
        limit: Number of calls to yield, at most.

    Returns:
        One edit of every call in turn, then the next one of every call; repeats are possible.
    """
    return islice(alternate([_of_call(args) for args in calls]), limit)


def _of_call(args: Args) -> Iterator[Args]:
    for i, arg in enumerate(args):
        if type(arg) is str:
            yield from ((*args[:i], text, *args[i + 1 :]) for text in text_edits(arg))


def text_edits(text: str) -> Iterator[str]:
    """Yield a string with one edit at a time.

    Args:
        text: Any string; of a long one, only the first places are edited.

    Returns:
        Blanks at the ends; signs, zeros, underscores and decimals at numbers; numbers at limits;
        separators that are doubled, missing or beside a blank; other case; ends cut off.
    """
    yield from (text + "\n", " " + text, text + " ", "\n" + text, text + "\t")
    for found in islice(_NUMBER.finditer(text), 4):
        head, tail = text[: found.start()], text[found.end() :]
        sign, number = found.groups()
        signs = (new + number for new in ("+", "-", "", "--", "- ", "-+") if new != sign)
        forms = ("0" + number, number + ".0", number + "_0", number + "e0", "0x" + number, "")
        yield from (head + new + tail for new in signs)
        yield from (head + sign + new + tail for new in forms)
        yield from (head + new + tail for new in (f" {sign}{number}", f"{sign}{number} "))
        limits = (str(limit).zfill(len(number)) for limit in LIMITS)
        yield from (head + sign + new + tail for new in limits)
    for found in islice(_MARK.finditer(text), 4):
        head, mark, tail = text[: found.start()], found.group(), text[found.end() :]
        yield from (head + new + tail for new in (mark * 2, "", f" {mark}", f"{mark} ", " "))
        yield from (head + mark, mark + tail)
    yield from (text.swapcase(), text.upper(), text.lower(), text[1:], text[:-1], text * 2)
