"""The wire form of plain values: how arguments and results cross the wall of the sandbox.

It is marshal's version 2, which is deterministic: no references, sets written in sorted order, one
spelling for each value. Inside the sandbox C speed matters and nothing is trusted, so the child
uses ``marshal`` itself. Outside, bytes that came from a child are only ever compared, or read by
the bounded pure-Python reader ``loads``: ``marshal.loads`` takes gigabytes for five bad bytes.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import marshal
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from plusforge.oracle.wire_reader import MAX_DEPTH, RATIONAL, BadFrame, loads

__all__ = [
    'MAX_DEPTH', 'RATIONAL', 'BadFrame', 'Unencodable',
    'dumps', 'is_exact', 'loads', 'maybe_non_finite', 'reduce_value',
    'with_rationals', 'without_rationals',
]  # fmt: skip

MAX_RANGE = 1_000_000
"""Longest ``range`` that is written out as a list."""

_SCALARS = frozenset({int, float, str, bool, type(None), bytes, complex})
_FLAT = frozenset({list, tuple, set, frozenset})


class Unencodable(ValueError):
    """A result that has no plain form. The message is its type's name."""


def dumps(value: Any) -> bytes:
    """Return the wire form of a value that ``is_exact``.

    Raises:
        ValueError: The value holds something that marshal cannot write.
    """
    return marshal.dumps(value, 2)


def is_exact(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value consists of plain builtins only, by exact type.

    ``marshal`` alone is no test: it writes any object with a buffer, such as an array, as bytes.

    Args:
        value: Any object.
        depth: Nesting still allowed.
    """
    kind = type(value)
    if kind in _SCALARS:
        return True
    if depth <= 0:
        return False
    if kind in _FLAT:
        if _SCALARS.issuperset(map(type, value)):
            return True
        return all(is_exact(item, depth - 1) for item in value)
    if kind is dict:
        keys, values = value.keys(), value.values()
        if _SCALARS.issuperset(map(type, keys)) and _SCALARS.issuperset(map(type, values)):
            return True
        return all(is_exact(item, depth - 1) for pair in value.items() for item in pair)
    return False


# ---------------------------------------------------------------- results of well-known types

_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__

_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__complex__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (bytearray, lambda value: b"" + bytearray.__getitem__(value, slice(None))),
)
_ITEMS: tuple[tuple[type, Callable[[Any], Iterable[Any]], Callable[[list[Any]], Any]], ...] = (
    (list, list.__iter__, list),
    (tuple, tuple.__iter__, tuple),
    (set, set.__iter__, set),
    (frozenset, frozenset.__iter__, frozenset),
)
_DICTS: tuple[dict[Any, Any], ...] = ({}, OrderedDict())  # other views than a dict's
_VIEWS: dict[type, Callable[[list[Any]], Any]] = {
    type(view): build
    for empty in _DICTS
    for view, build in ((empty.keys(), set), (empty.items(), set), (empty.values(), list))
}
_UNEQUAL = frozenset({range, *(view for view, build in _VIEWS.items() if build is list)})
_NUMPY_NUMBERS = frozenset({"number", "bool", "bool_"})


def reduce_value(value: Any, *, by_equality: bool = False, depth: int = MAX_DEPTH) -> Any:
    """Return the plain value that a result of a well-known type stands for.

    A subclass counts as its base value, read through the base class's own methods so that nothing
    the subclass overrides is asked: Counter and OrderedDict are dicts, an IntEnum member is an
    int, a named tuple is a tuple. Views of dicts become sets (values: a list), a range a list,
    numpy's scalars and arrays plain numbers and lists.

    Args:
        value: Any object.
        by_equality: Reduce as a judge must: only to what Python's ``==`` calls equal to the value.
            So Decimal and Fraction become exact rationals (see ``RATIONAL``); ranges, the values
            of a dict and numpy's arrays, which equal no list, have no plain form.
        depth: Nesting still allowed.

    Raises:
        Unencodable: There is no plain form, as for generators, functions and most objects.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if depth <= 0:
        raise Unencodable("a value nested too deeply")
    bases = _mro(kind)
    for base, plain in _BASES:
        if base in bases:
            return plain(value)

    def reduced(items: Iterable[Any]) -> list[Any]:
        return [reduce_value(item, by_equality=by_equality, depth=depth - 1) for item in items]

    for base, iterate, build in _ITEMS:
        if base in bases:
            return build(reduced(iterate(value)))
    if dict in bases:
        pairs = list(dict.items(value))
        return dict(zip(reduced(k for k, _ in pairs), reduced(v for _, v in pairs), strict=True))
    if by_equality and kind in _UNEQUAL:
        raise Unencodable(f"{kind.__module__}.{kind.__qualname__}")
    if kind in _VIEWS:
        return _VIEWS[kind](reduced(value))
    if kind is range and len(value) <= MAX_RANGE:
        return list(value)
    if by_equality and kind is Decimal and value.is_infinite():
        return float(value)
    if by_equality and (kind is Fraction or (kind is Decimal and value.is_finite())):
        return (RATIONAL, *value.as_integer_ratio())
    if (
        kind.__module__ == "numpy"
        and hasattr(kind, "tolist")
        # By its bases: a matrix is an array, too, and a structured scalar equals nothing plain.
        and (not by_equality or any(base.__name__ in _NUMPY_NUMBERS for base in bases))
    ):
        plain_value = value.tolist()
        if type(plain_value) is not kind:
            return reduce_value(plain_value, by_equality=by_equality, depth=depth - 1)
    raise Unencodable(f"{kind.__module__}.{kind.__qualname__}"[:120])


# A NaN or an infinity has all bits of the exponent set, in the last two of its eight bytes.
_NON_FINITE = re.compile(rb"(?:g|y|y.{8}).{6}[\xf0-\xff][\x7f\xff]", re.DOTALL)


def maybe_non_finite(data: bytes) -> bool:
    """Tell whether wire bytes may hold NaN or infinity; False is certain, True is not."""
    return _NON_FINITE.search(data) is not None


def without_rationals(value: Any, *, as_text: bool = False) -> Any:
    """Return a value that was read, with each ``Fraction`` as what can be written again.

    That is the int or float it equals, or else the triple that stands for it on the wire.

    Args:
        value: What ``loads`` returned.
        as_text: For people: ``"1/3"`` instead of the triple.
    """
    kind = type(value)
    if kind is Fraction:
        if value.denominator == 1:
            return value.numerator
        try:
            number = float(value)
        except OverflowError:
            number = 0.0
        if number == value:
            return number
        return str(value) if as_text else (RATIONAL, value.numerator, value.denominator)
    if kind in _FLAT and _SCALARS.issuperset(map(type, value)):
        return value
    return _mapped(value, lambda item: without_rationals(item, as_text=as_text))


def with_rationals(value: Any) -> Any:
    """Return a value with a ``Fraction`` for each triple that ``without_rationals`` left.

    Args:
        value: Exact builtin types.
    """
    if type(value) is tuple and len(value) == 3 and value[0] == RATIONAL:
        return Fraction(value[1], value[2])
    return _mapped(value, with_rationals)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    kind = type(value)
    if kind in _FLAT:
        return kind(map(change, value))
    if kind is dict:
        return {change(k): change(v) for k, v in value.items()}
    return value
