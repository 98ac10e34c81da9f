"""Smaller values: what to try in the place of an input that is larger than it need be.

The order is fixed: what takes most away comes first. Types may change (a pair that loses an item is
none any more); whoever uses this looks at them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from plusforge.generator.streams import alternate
from plusforge.oracle.values import Args, Value, key_of

_DEPTH = 8
"""Containers inside that many containers stay as they are."""

_WORST = 1 << 1024
"""NaN and the infinities are further from simple than any float."""

_PARTS = (2, 4, 8, 16, 64)
"""Numbers lose such parts of themselves."""

_PLAIN = "ab0 "
"""Characters to put in the place of others."""

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
"""Of ASCII alone: what else has a lower case differs between versions of Python."""

_SEQUENCES = (list, tuple, set, frozenset)
_NUMBERS = (int, float)
_SCALARS = (int, float, str)


def bulk(args: Args) -> tuple[int, int]:
    """Measure how large an input is, for people who read it.

    Args:
        args: Plain values.

    Returns:
        The number of items, characters and digits; and how far these are from simple ones.
    """
    extent = oddness = 0
    stack: list[Value] = [*args]
    while stack:
        value = stack.pop()
        kind = type(value)
        if kind is dict:
            stack += [*value.keys(), *value.values()]
            extent += 1
        elif kind in _SEQUENCES:
            stack += value
            extent += 1
        elif kind is str:
            extent += 1 + len(value)
            oddness += sum(map(_strangeness, value))
        elif kind is bytes:
            extent += 1 + len(value)
            oddness += sum(value)
        elif kind is int:
            extent += 1 + value.bit_length() // 4
            oddness += 2 * abs(value) + (value < 0)
        elif kind is float:
            extent += len(repr(value))
            whole = int(abs(value)) if math.isfinite(value) else _WORST
            oddness += 2 * whole + (value < 0)
        else:
            extent += 1
            oddness += value is True
    return extent, oddness


def _strangeness(char: str) -> int:
    """Rank a character: ``a`` to ``z``, digits, capitals, the blank, all others."""
    if "a" <= char <= "z":
        return ord(char) - 97
    if "0" <= char <= "9":
        return 30 + ord(char) - 48
    if "A" <= char <= "Z":
        return 40 + ord(char) - 65
    return 70 if char == " " else 71 + ord(char)


def reductions(args: Args) -> Iterator[Args]:
    """Yield inputs that are one step simpler, the boldest steps first.

    Args:
        args: Plain values.

    Returns:
        Less of several arguments together; less of each argument; one number or string simpler in
        all its places; each simpler by itself. Repeats are possible, and so are types
        that differ from those of ``args``.
    """
    yield from _together(args)
    yield from _each(args, _shorter)
    yield from _everywhere(args)
    yield from _each(args, _plainer)


def _each(args: Args, step: Callable[[Value, int], Iterator[Value]]) -> Iterator[Args]:
    def at(place: int) -> Iterator[Args]:
        head, tail = args[:place], args[place + 1 :]
        return ((*head, value, *tail) for value in step(args[place], 0))

    return alternate([at(place) for place in range(len(args))])


def _windows(length: int) -> Iterator[tuple[int, int]]:
    """Yield what to leave out of a sequence: all, its halves, its quarters, ..., single items."""
    width = length
    while width:
        yield from ((at, min(at + width, length)) for at in range(0, length, width))
        width //= 2


def _together(args: Args) -> Iterator[Args]:
    """Yield what is left when several arguments lose the items of the same places.

    Where lengths must agree (as many items as names, an operator fewer than operands) nothing can
    be left out of one argument alone.
    """
    lengths = [len(arg) if type(arg) in (list, tuple, str) else 0 for arg in args]
    for length in sorted(set(lengths)):
        if length and sum(own >= length for own in lengths) > 1:
            for start, stop in _windows(length):
                yield tuple([
                    arg[:start] + arg[stop:] if own >= length else arg
                    for arg, own in zip(args, lengths, strict=True)
                ])  # fmt: skip


def _items(value: Value) -> list[Value]:
    """Return the items of a container, those of sets in an order that no hash decides."""
    return sorted(value, key=key_of) if type(value) in (set, frozenset) else list(value)


def _shorter(value: Value, depth: int) -> Iterator[Value]:
    """Yield a value with fewer items or characters, at any depth."""
    kind = type(value)
    if kind in (str, bytes):
        for start, stop in _windows(len(value)):
            yield value[:start] + value[stop:]
    elif kind is dict:
        pairs = list(value.items())
        for start, stop in _windows(len(pairs)):
            yield dict(pairs[:start] + pairs[stop:])
        if depth < _DEPTH:
            for place, (key, item) in enumerate(pairs):
                if type(item) is dict:
                    yield item
                for new in _shorter(item, depth + 1):
                    yield dict([*pairs[:place], (key, new), *pairs[place + 1 :]])
    elif kind in _SEQUENCES:
        items = _items(value)
        for start, stop in _windows(len(items)):
            yield kind(items[:start] + items[stop:])
        if depth < _DEPTH:
            yield from (item for item in items if type(item) is kind)
            yield from _inside(kind, items, lambda item: _shorter(item, depth + 1))


def _inside(
    kind: type, items: Sequence[Value], step: Callable[[Value], Iterator[Value]]
) -> Iterator[Value]:
    """Yield containers with one item changed: the first change of each, then the second of each."""

    def at(place: int) -> Iterator[Value]:
        head, tail = items[:place], items[place + 1 :]
        return (kind([*head, new, *tail]) for new in step(items[place]))

    return alternate([at(place) for place in range(len(items))])


def _zeroed(kind: type, items: Sequence[Value]) -> Iterator[Value]:
    """Yield containers with zeros for the numbers of a stretch."""
    zeros = [type(item)(0) if type(item) in _NUMBERS else item for item in items]
    for start, stop in _windows(len(items)):
        if stop - start > 1:
            yield kind([*items[:start], *zeros[start:stop], *items[stop:]])


def _plainer(value: Value, depth: int) -> Iterator[Value]:
    """Yield a value with one scalar simpler, at any depth."""
    kind = type(value)
    if kind is bool:
        yield False
    elif kind in _NUMBERS:
        yield from _nearer(value)
    elif kind is str:
        yield from _plain_strings(value)
    elif kind is dict and depth < _DEPTH:
        pairs = list(value.items())
        for place, (key, item) in enumerate(pairs):
            names = ((name, item) for name in _plainer(key, _DEPTH) if name not in value)
            for pair in chain(names, ((key, new) for new in _plainer(item, depth + 1))):
                yield dict([*pairs[:place], pair, *pairs[place + 1 :]])
    elif kind in _SEQUENCES and depth < _DEPTH:
        items = _items(value)
        yield from _zeroed(kind, items)
        yield from _inside(kind, items, lambda item: _plainer(item, depth + 1))


def _nearer(number: Any) -> Iterator[Any]:
    """Yield numbers nearer to zero, or written shorter."""
    kind = type(number)
    yield kind(0)
    if kind is float and not math.isfinite(number):
        yield 1.0
        return
    if number < 0:
        yield -number
    if kind is float:
        yield from (float(int(number)), round(number, 1), round(number, 2))
    whole = abs(int(number))
    sign = 1 if number > 0 else -1
    yield kind(sign * (whole >> whole.bit_length() // 2))  # half as many digits
    for part in _PARTS:
        yield kind(sign * (whole - whole // part))
    if whole:
        yield kind(sign * (whole - 1))


def _plain_strings(text: str) -> Iterator[str]:
    """Yield strings with plainer characters: one kind of character after the other, then places."""
    yield from (plain * len(text) for plain in _PLAIN[:2])
    yield text.translate(_LOWER)
    distinct = sorted(set(text), key=_strangeness, reverse=True)
    yield from (text.replace(old, new) for old in distinct for new in _PLAIN if old != new)
    yield from (text[:i] + "a" + text[i + 1 :] for i, old in enumerate(text) if old != "a")


def _everywhere(args: Args) -> Iterator[Args]:
    """Yield inputs where a scalar that stands in several places is simpler in all of them."""
    counts: dict[tuple[type, Value], int] = {}
    _count(args, counts, 0)
    for (kind, scalar), count in counts.items():
        if count > 1:
            for new in chain(_shorter(scalar, 0), _plainer(scalar, 0)):
                yield _replaced(args, kind, scalar, new, 0)


def _count(value: Value, counts: dict[tuple[type, Value], int], depth: int) -> None:
    kind = type(value)
    if kind in _SCALARS and value == value:  # NaN is equal to itself as an object only
        counts[kind, value] = counts.get((kind, value), 0) + 1
    elif depth <= _DEPTH and (kind in _SEQUENCES or kind is dict):
        for item in value.values() if kind is dict else _items(value):
            _count(item, counts, depth + 1)


def _replaced(value: Value, kind: type, old: Value, new: Value, depth: int) -> Value:
    own = type(value)
    if own is kind:
        return new if value == old else value
    if depth > _DEPTH:
        return value
    if own is dict:
        return {key: _replaced(v, kind, old, new, depth + 1) for key, v in value.items()}
    if own in _SEQUENCES:
        return own([_replaced(item, kind, old, new, depth + 1) for item in _items(value)])
    return value
