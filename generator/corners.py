"""Corners of calendars, clocks and carries, enumerated in the strings of known calls.

A program that takes ``06-31`` for a date errs on one day out of hundreds of random ones. Pairs of
neighbouring fields at their ends are few, so they are listed, not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise, product

from plusforge.generator.op_fields import FIELD_CORNERS, at_width
from plusforge.generator.streams import alternate
from plusforge.oracle.values import Args

CORNER = "corner"
"""Origin of these calls."""

CORNERS = ((tuple(range(1, 13)), (0, 32)), *FIELD_CORNERS)
"""With the days just outside of every month; first, as nothing else makes them in number."""

LONGEST_FIELD = 2
"""Digits of a field that has corners; a longer one is a year, or no field."""

_DIGITS = re.compile(r"[0-9]+")


def corner_calls(calls: Iterable[Args], limit: int) -> Iterator[Args]:
    """Yield calls with two neighbouring numbers of one of their strings set to a corner.

    Args:
        calls: Calls of the task. Of those whose strings differ in digits only the first is used.
        limit: Number of calls to yield, at most.

    Returns:
        One corner of every string in turn, then the next one of each; numbers keep their widths.
    """
    seen: set[Args] = set()
    streams = []
    for args in calls:
        for i, text in enumerate(args):
            if type(text) is not str:
                continue
            shape = (i, _DIGITS.sub(lambda found: "0" * len(found.group()), text))
            if shape not in seen:
                seen.add(shape)
                streams.append(_of_text(args, i, text))
    return islice(alternate(streams), limit)


def _of_text(args: Args, i: int, text: str) -> Iterator[Args]:
    fields = list(_DIGITS.finditer(text))
    pairs = [
        (a, b) for a, b in pairwise(fields) if max(len(a.group()), len(b.group())) <= LONGEST_FIELD
    ]
    for firsts, seconds in CORNERS:
        for values in product(firsts, seconds):
            for (a, b), (first, second) in product(pairs, (values, values[::-1])):
                new = (
                    text[: a.start()]
                    + at_width(first, len(a.group()))
                    + text[a.end() : b.start()]
                    + at_width(second, len(b.group()))
                    + text[b.end() :]
                )
                yield (*args[:i], new, *args[i + 1 :])
