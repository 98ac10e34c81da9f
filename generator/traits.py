"""What kind of input and outcome this is: cheap features that say which inputs differ in kind.

Two inputs with the same traits probably catch the same wrong programs. The traits are those that
told real wrong programs apart: character classes of strings, signs, bounds and order of numbers,
duplicates, relations between arguments, and the class of the outcome.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations, pairwise
from typing import Any

from plusforge.oracle.values import Args, Raised, Value

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def size_class(n: int) -> int:
    """Return 0, 1, 2, 3 (up to 5), 4 (up to 10) or 5: sizes that programs treat alike."""
    if n < 3:
        return n
    return 3 if n < 6 else 4 if n < 11 else 5


def outcome_class(value: Value | Raised, depth: int = 0) -> Hashable:
    """Return the class of an outcome: type, sign, magnitude, emptiness, shape."""
    if isinstance(value, Raised):
        return ("raised", value.name)
    cls: Any = type(value)
    if value is None or cls is bool:
        return str(value)
    if cls is int or cls is float:
        return (cls.__name__, *_number_class(value))
    if cls is str:
        return ("str", size_class(len(value)), value.isalnum(), value == value[::-1], " " in value)
    if cls is complex:
        return ("complex", value.real == 0, value.imag == 0)
    if cls is bytes:
        return ("bytes", size_class(len(value)))
    items = list(value.values()) if cls is dict else list(value)
    first = outcome_class(items[0], depth + 1) if items and depth < 2 and cls is not set else 0
    repeats = cls in (list, tuple) and any(a == b for a, b in pairwise(items))
    return (cls.__name__, size_class(len(items)), first, repeats)


def _number_class(value: Any) -> tuple[Hashable, ...]:
    if value != value or value - value != 0:
        return ("nonfinite",)
    sign = (value > 0) - (value < 0)
    size = abs(value)
    magnitude = 0 if size < 1 else 1 if size < 2 else 2 if size < 10 else 3 if size < 1000 else 4
    return (sign, magnitude, size == int(size), int(size) & 1 if size < 1 << 53 else 2)


def traits(args: Args, outcome: Value | Raised) -> list[Hashable]:
    """Return the features of one input and its outcome, each a hashable label."""
    found: list[Hashable] = [("o", outcome_class(outcome))]
    for i, arg in enumerate(args):
        found.append((i, outcome_class(arg)))
        cls = type(arg)
        if cls is str:
            found.extend((i, label) for label in _string_traits(arg))
        elif cls is list or cls is tuple:
            found.extend((i, label) for label in _sequence_traits(arg))
        elif cls is int and -3 < arg < 13:
            found.append((i, arg))
        elif cls is float:
            found.append((i, arg == arg // 1, abs(arg - arg // 1) == 0.5))
    for i, j in combinations(range(len(args)), 2):
        found.extend((i, j, label) for label in _relations(args[i], args[j]))
    return found


def _string_traits(text: str) -> list[Hashable]:
    chars = set(text)
    labels: list[Hashable] = [
        name
        for name, here in (
            ("upper", any(map(str.isupper, chars))),
            ("lower", any(map(str.islower, chars))),
            ("digit", any(map(str.isdigit, chars))),
            ("punct", not PUNCTUATION.isdisjoint(chars)),
            ("lead", text[:1] == " "),
            ("trail", text[-1:] == " "),
            ("double", "  " in text),
            ("repeat", len(chars) < len(text)),
            ("same", len(chars) == 1),
            ("odd", len(text) & 1),
        )
        if here
    ]
    return labels


def _sequence_traits(items: Any) -> list[Hashable]:
    numbers = [x for x in items if type(x) is int or type(x) is float]
    labels: list[Hashable] = [("oddlen", len(items) & 1)]
    if numbers:
        low, high = min(numbers), max(numbers)
        labels += [
            ("neg", low < 0, high < 0),
            ("zero", 0 in numbers),
            ("big", high > 99 or low < -99),
            ("even", any(x % 2 == 0 for x in numbers)),
            ("frac", any(x % 1 != 0 for x in numbers)),
        ]
    if len(items) > 1:
        try:
            ordered = sorted(items)
        except TypeError:
            return labels
        labels += [
            ("asc", ordered == list(items)),
            ("desc", ordered[::-1] == list(items)),
            ("dup", any(a == b for a, b in pairwise(ordered))),
            ("same", ordered[0] == ordered[-1]),
        ]
    if any(x in ("", [], ()) for x in items):
        labels.append("empties")
    return labels


def _relations(x: Value, y: Value) -> list[Hashable]:
    labels: list[Hashable] = []
    if type(x) is type(y):
        labels.append("=" if x == y else "<>")
        if type(x) in (int, float, str):
            labels.append(("<", x < y))
    if isinstance(x, str) and isinstance(y, str):
        labels.append(("in", x in y, y in x, sorted(x) == sorted(y)))
    for a, b, side in ((x, y, 0), (y, x, 1)):
        if isinstance(a, list | tuple | str) and type(b) is int:
            labels.append(("len", side, (b > len(a)) - (b < len(a))))
        if isinstance(a, list | tuple) and not isinstance(b, list | tuple | dict):
            labels.append(("has", side, b in a))
    if isinstance(x, list | tuple) and isinstance(y, list | tuple):
        labels.append(("lens", (len(x) > len(y)) - (len(x) < len(y))))
    return labels
