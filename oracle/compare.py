"""When two outcomes count as equal: one pure function over decoded plain values.

Both sides were built by our own decoders, so ``==`` here never runs foreign code. The policy:
values compare as Python compares them (``1 == 1.0 == True``; a list is not a tuple), with two
deliberate differences: NaN equals NaN, and tolerances apply number by number at any depth and
never carry over from one value to the next.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import starmap
from operator import itemgetter
from typing import Any

from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Raised, Value, key_of
from plusforge.oracle.wire import without_rationals


def agree(comparison: Comparison, expected: Value | Raised, got: Value | Raised) -> bool:
    """Tell whether an outcome counts as the expected one.

    Args:
        comparison: The task's comparison. For kind ``checker`` the task's own function decides,
            in the sandbox; here only equal outcomes agree.
        expected: The reference's outcome.
        got: The other outcome.

    Returns:
        True when they agree.
    """
    if isinstance(expected, Raised) or isinstance(got, Raised):
        return expected == got
    return _RULES[comparison.kind](comparison, expected, got)


def equal(expected: Value, got: Value) -> bool:
    """Tell whether two plain values are equal as Python has it, with NaN equal to NaN."""
    try:
        return bool(expected == got) or (_has_nan(expected) and _key(expected) == _key(got))
    except RecursionError:
        return key_of(without_rationals(expected)) == key_of(without_rationals(got))


def _has_nan(value: Value) -> bool:
    if isinstance(value, dict):
        return any(map(_has_nan, value)) or any(map(_has_nan, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(_has_nan, value))
    return isinstance(value, float | complex) and value != value


def _close(atol: float, rtol: float, expected: Value, got: Value) -> bool:
    """Compare recursively; numbers by ``|a - b| <= max(atol, rtol * max(|a|, |b|))``."""
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return _close_numbers(atol, rtol, expected, got)
    if type(expected) is complex or type(got) is complex:
        return bool(expected == got) or (
            isinstance(expected, int | float | complex)
            and isinstance(got, int | float | complex)
            and _close_numbers(atol, rtol, expected.real, got.real)
            and _close_numbers(atol, rtol, expected.imag, got.imag)
        )
    if isinstance(expected, set | frozenset) and isinstance(got, set | frozenset):
        if expected == got or len(expected) != len(got):
            return expected == got
        ordered = zip(sorted(expected, key=_rank), sorted(got, key=_rank), strict=True)
        return all(starmap(partial(_close, atol, rtol), ordered))
    if type(expected) is not type(got):
        return bool(expected == got)
    if isinstance(expected, list | tuple):
        return len(expected) == len(got) and all(
            _close(atol, rtol, a, b) for a, b in zip(expected, got, strict=True)
        )
    if isinstance(expected, dict):
        if expected.keys() == got.keys():
            return all(_close(atol, rtol, value, got[key]) for key, value in expected.items())
        ours, theirs = _by_key(expected), _by_key(got)  # where NaN is a key, or in one
        return len(ours) == len(theirs) and all(
            a == b and _close(atol, rtol, one, other)
            for (a, one), (b, other) in zip(ours, theirs, strict=True)
        )
    return bool(expected == got)


def _close_numbers(atol: float, rtol: float, a: float, b: float) -> bool:
    if a == b:
        return True
    if type(a) is bool or type(b) is bool:
        return False  # a truth value has no tolerance
    if atol == 0 and rtol == 0:
        return a != a and b != b  # isclose would round big ints to floats first
    try:
        if isinstance(a, int) and isinstance(b, int):
            return abs(a - b) <= max(atol, rtol * max(abs(a), abs(b)))
        return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=rtol, abs_tol=atol)
    except OverflowError:
        return False  # an int beyond the floats, and not equal


def _rank(value: Value) -> tuple[int, Any, str]:
    if isinstance(value, complex) and value.imag == 0:
        value = value.real
    if isinstance(value, int | float | Fraction) and value == value:
        return (0, value, "")
    return (1, 0, _key(value))


def _by_key(value: dict[Value, Value]) -> list[tuple[str, Value]]:
    return sorted(((_key(key), item) for key, item in value.items()), key=itemgetter(0))


def _as_bag(value: Value) -> Counter[str] | None:
    if isinstance(value, dict):
        return None
    if isinstance(value, list | tuple | set | frozenset):
        return Counter(map(_key, value))
    # Marked, so that the text "12" is no list of the numbers 1 and 2.
    return Counter(f"'{char}" for char in value) if isinstance(value, str) else None


def _key(value: Value) -> str:
    """Return the same text for values that are equal (see ``equal``), and for no others."""
    return _text(without_rationals(value))


def _text(value: Value) -> str:
    if isinstance(value, complex):
        if value.imag != 0:
            return f"complex({_text(value.real)},{_text(value.imag)})"
        value = value.real
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return hex(int(value))
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({','.join(map(_text, value))})"
    if isinstance(value, set | frozenset):
        return f"set({','.join(sorted(map(_text, value)))})"
    if isinstance(value, dict):
        pairs = sorted(f"{_text(key)}:{_text(item)}" for key, item in value.items())
        return f"dict({','.join(pairs)})"
    return key_of(value)


def _any_order(_: Comparison, expected: Value, got: Value) -> bool:
    left, right = _as_bag(expected), _as_bag(got)
    return equal(expected, got) if left is None or right is None else left == right


def _as_sets(_: Comparison, expected: Value, got: Value) -> bool:
    left, right = _as_bag(expected), _as_bag(got)
    return equal(expected, got) if left is None or right is None else set(left) == set(right)


_RULES: dict[str, Callable[[Comparison, Value, Value], bool]] = {
    "exact": lambda _, a, b: equal(a, b),
    "close": lambda c, a, b: _close(c.atol, c.rtol, a, b),
    "set": _as_sets,
    "any_order": _any_order,
    "truthy": lambda _, a, b: bool(a) == bool(b),
    # What was observed may be the presence itself: then False is its word for None.
    "not_none": lambda c, a, b: a == b if c.observe == "presence" else (a is None) == (b is None),
    "checker": lambda _, a, b: equal(a, b),
}
