"""What kind of input and outcome this is: cheap features that say which inputs differ in kind.

Two inputs with the same traits probably catch the same wrong programs. The traits are those that
told real wrong programs apart: character classes of strings, signs, bounds and order of numbers,
duplicates, relations between arguments, and the class of the outcome.

Traits come in facets, one for the outcome, for each argument and for each pair of them: a tuple of
the place that was looked at and of what was seen there, None where there was nothing to see. Each
thing seen is one trait. There are few different facets, so that they are cheaper to count by.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import eq
from typing import Any, TypeAlias

from plusforge.oracle.values import Args, Raised, Value

Facet: TypeAlias = tuple[Hashable, ...]
"""A place, and what was seen there."""

OUTCOME, KILL, SIGNATURE, FOOTPRINT = "outcome", "kill", "signature", "footprint"
"""Places of what is no argument: the outcome, one target, all targets together, the ways that the
reference took (``oracle.footprint``)."""

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SIZE_CLASSES = (0, 1, 2, 3, 3, 3, 4, 4, 4, 4, 4)
_NUMBERS = frozenset({int, float})
_SEQUENCES = frozenset({list, tuple})
_SIZED = frozenset({list, tuple, str})
_CONTAINERS = frozenset({list, tuple, dict})
_COUNTED = frozenset({str, list, tuple, dict, set, frozenset, bytes})


def size_class(n: int) -> int:
    """Return 0, 1, 2, 3 (up to 5), 4 (up to 10) or 5: sizes that programs treat alike."""
    return _SIZE_CLASSES[n] if n < 11 else 5


def outcome_class(value: Value | Raised, depth: int = 0) -> Hashable:
    """Return the class of an outcome: type, sign, magnitude, emptiness, shape."""
    if isinstance(value, Raised):
        return ("raised", value.name)
    cls: Any = type(value)
    if value is None or cls is bool:
        return str(value)
    if cls is int:
        return _int_class(value)
    if cls is float:
        return _float_class(value)
    if cls is str:
        alnum = value.isascii() and value.isalnum()
        return ("str", size_class(len(value)), alnum, value == value[::-1], " " in value)
    if cls is complex:
        return ("complex", value.real == 0, value.imag == 0)
    if cls is bytes:
        return ("bytes", size_class(len(value)))
    ordered = cls is list or cls is tuple
    items = value if ordered else list(value.values()) if cls is dict else list(value)
    first = outcome_class(items[0], depth + 1) if items and depth < 2 and cls is not set else 0
    return (cls.__name__, size_class(len(items)), first, ordered and _repeats(items))


def _repeats(items: Sequence[Value]) -> bool:
    """Tell whether two neighbours are equal."""
    return any(map(eq, items, items[1:]))


@lru_cache(maxsize=4096)
def _int_class(value: int) -> Hashable:
    parity = value & 1 if abs(value) < 1 << 53 else 2
    return ("int", *_magnitude(value), parity)


@lru_cache(maxsize=4096)
def _float_class(value: float) -> Hashable:
    if value - value != 0:
        return ("float", "nonfinite")
    parity = int(value) & 1 if abs(value) < 1 << 53 else 2
    return ("float", *_magnitude(value), value.is_integer(), parity)


def _magnitude(value: float) -> tuple[int, int]:
    size = abs(value)
    magnitude = 0 if size < 1 else 1 if size < 2 else 2 if size < 10 else 3 if size < 1000 else 4
    return (value > 0) - (value < 0), magnitude


def traits(args: Args, outcome: Value | Raised) -> list[Facet]:
    """Return the facets of one input and its outcome, that of the outcome first."""
    found: list[Facet] = [(OUTCOME, outcome_class(outcome))]
    for i, arg in enumerate(args):
        kind = type(arg)
        if kind is str:
            found.append(((i, "text"), outcome_class(arg), *_string_traits(arg)))
        elif kind is list or kind is tuple:
            found.append(((i, "items"), outcome_class(arg), *_sequence_traits(arg)))
        elif kind is int:
            found.append(((i, "int"), outcome_class(arg), arg if -3 < arg < 13 else None))
        elif kind is float:
            part = arg - arg // 1
            found.append(((i, "float"), outcome_class(arg), (arg == arg // 1, abs(part) == 0.5)))
        else:
            found.append(((i, "other"), outcome_class(arg)))
    for i, j in combinations(range(len(args)), 2):
        found.append(((i, j), *_relations(args[i], args[j])))
        corner = (_corner(args[i]), _corner(args[j]))
        found.append(((i, j, "corner"), corner, *_folded(args[i], args[j])))
    return found


def kill_traits(kills: Sequence[int]) -> list[Facet]:
    """Return the facets of the targets that an input kills."""
    return [(SIGNATURE, tuple(kills)), *(((KILL, target), True) for target in kills)]


class _Kinds(dict[str, str]):
    """The kind of each character, found out when it is first asked for."""

    def __missing__(self, char: str) -> str:
        self[char] = kind = (
            "upper" if "A" <= char <= "Z" else
            "lower" if "a" <= char <= "z" else
            "digit" if "0" <= char <= "9" else
            "punct" if char in PUNCTUATION else
            "other"
        )  # fmt: skip
        return kind


_kind_of = _Kinds().__getitem__

_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _lower(text: str) -> str:
    """Return a string in lower case, by ASCII alone: Python versions differ beyond it."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def _string_traits(text: str) -> tuple[Hashable, ...]:
    chars = set(text)
    kinds = set(map(_kind_of, chars))
    return (
        "upper" in kinds or None,
        "lower" in kinds or None,
        "digit" in kinds or None,
        "punct" in kinds or None,
        text[:1] == " " or None,
        text[-1:] == " " or None,
        "  " in text or None,
        len(chars) < len(text) or None,  # repeats itself
        len(chars) == 1 or None,
        len(text) & 1 or None,
        len(set(_lower(text))) < len(chars) or None,  # a letter in both cases
    )


def _sequence_traits(items: Any) -> tuple[Hashable, ...]:
    kinds = set(map(type, items))
    numbers = items if kinds <= _NUMBERS else [x for x in items if type(x) in _NUMBERS]
    negative = zero = big = even = fraction = None
    if numbers:
        low, high = min(numbers), max(numbers)
        negative = (low < 0) + 2 * (high < 0)
        zero = 0 in numbers
        big = high > 99 or low < -99
        even = 0 in [x % 2 for x in numbers]
        parts = [x % 1 for x in numbers] if float in kinds else []
        fraction = any(parts)
    seen = (len(items) & 1, negative, zero, big, even, fraction)
    empties = not kinds.isdisjoint(_SIZED) and ("" in items or [] in items or () in items)
    if len(items) < 2:
        return (*seen, None, None, empties or None)
    ends = items[0] == items[-1]
    texts = {item for item in items if type(item) is str} if str in kinds else set()
    folded = len(set(map(_lower, texts))) < len(texts)  # alike but for their case
    longer = (*seen, ends, folded or None)
    try:
        ordered = sorted(items)
    except TypeError:
        return longer
    given = items if type(items) is list else list(items)
    return (
        *longer,
        empties or None,
        ordered == given,
        ordered[::-1] == given,
        _repeats(ordered),
        ordered[0] == ordered[-1],
    )


def _relations(x: Value, y: Value) -> tuple[Hashable, ...]:
    first, second = type(x), type(y)
    same = less = within = lengths = None
    if first is second:
        same = x == y
        if first is int or first is float or first is str:
            less = x < y
        if first is str:
            within = (x in y, y in x, sorted(x) == sorted(y))
    if first in _SEQUENCES and second in _SEQUENCES:
        lengths = (len(x) > len(y)) - (len(x) < len(y))
    return (same, less, within, lengths, *_membership(x, y), *_membership(y, x))


def _corner(value: Value) -> Hashable:
    """Return the coarsest class: two arguments at corners are a case of their own."""
    kind: Any = type(value)
    if value is None or kind is bool:
        return str(value)
    if kind is int or kind is float:
        return "below" if value < 0 else int(value) if value in (0, 1) else "above"
    return min(len(value), 2) if kind in _COUNTED else kind.__name__


def _folded(x: Value, y: Value) -> tuple[Hashable, ...]:
    """Return how strings are alike only when their case is ignored."""
    first, second = type(x), type(y)
    if first is str and second is str:
        a, b = _lower(x), _lower(y)
        return ((a == b and x != y, a in b and x not in y, b in a and y not in x),)
    if first in _SEQUENCES and second is str:
        return (_holds_folded(x, y) or None,)
    return (_holds_folded(y, x) or None,) if first is str and second in _SEQUENCES else ()


def _holds_folded(items: Sequence[Value], text: str) -> bool:
    wanted = _lower(text)
    return any(type(item) is str and wanted in _lower(item) and text not in item for item in items)


def _membership(items: Value, item: Value) -> tuple[Hashable, Hashable]:
    """Return how an argument compares with another's length, and whether it is in it."""
    kind, other = type(items), type(item)
    if kind not in _SIZED:
        return (None, None)
    count = (item > len(items)) - (item < len(items)) if other is int else None
    inside = item in items if kind is not str and other not in _CONTAINERS else None
    return (count, inside)
