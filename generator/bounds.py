"""How large a proposed value may be, and what happens to one that is larger.

Operators may overshoot; tables pass every result through the function of its kind here, which
casts it, cuts it to size, or answers ``SKIP``.
"""

from __future__ import annotations

import math
from typing import Final

from plusforge.generator.operation import SKIP
from plusforge.oracle.values import Value

MAX_TEXT: Final = 2000
"""Longest string or bytes that is proposed, in characters."""
MAX_ITEMS: Final = 300
"""Largest container that is proposed, in items."""
MAX_INT: Final = 2**200
"""Bound on the magnitude of proposed ints."""


def fit_int(value: int) -> Value:
    """Return the int, or ``SKIP`` when it is out of bounds."""
    return value if -MAX_INT < value < MAX_INT else SKIP


def fit_float(value: float) -> Value:
    """Return the float, or ``SKIP`` when it is infinite or not a number."""
    # The sum turns a negative zero into zero: no task speaks of the difference.
    return value + 0.0 if math.isfinite(value) else SKIP


def fit_complex(value: complex) -> Value:
    """Return the number, or ``SKIP`` when a part is infinite or not a number."""
    return value if math.isfinite(value.real) and math.isfinite(value.imag) else SKIP


def fit_text(value: str) -> str:
    """Return the string, cut to ``MAX_TEXT``."""
    return value[:MAX_TEXT]


def fit_bytes(value: bytes) -> bytes:
    """Return the bytes, cut to ``MAX_TEXT``."""
    return value[:MAX_TEXT]


def fit_list(value: list[Value]) -> list[Value]:
    """Return the items, cut to ``MAX_ITEMS``."""
    return value if len(value) <= MAX_ITEMS else value[:MAX_ITEMS]


def fit_tuple(value: list[Value]) -> tuple[Value, ...]:
    """Return the items as a tuple, cut to ``MAX_ITEMS``."""
    return tuple(value[:MAX_ITEMS])


def fit_set(value: list[Value]) -> set[Value]:
    """Return the items as a set, cut to ``MAX_ITEMS``."""
    return set(value[:MAX_ITEMS])


def fit_frozenset(value: list[Value]) -> frozenset[Value]:
    """Return the items as a frozenset, cut to ``MAX_ITEMS``."""
    return frozenset(value[:MAX_ITEMS])


def bounded(value: Value) -> Value:
    """Return a value of any class within the bounds on its own size; parts are not looked at."""
    cls = type(value)
    if cls is int:
        return value if -MAX_INT < value < MAX_INT else value % MAX_INT
    if cls in (str, bytes):
        return value[:MAX_TEXT]
    if cls in (list, tuple):
        return value[:MAX_ITEMS]
    return value
