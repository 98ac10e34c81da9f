"""Operators on containers that know what is inside: numbers, strings, rows.

An operator of the groups ``numbers`` and ``texts`` checks the items itself, because a container
of ``Any`` gets it too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import add

from plusforge.generator.bounds import MAX_INT, MAX_ITEMS, MAX_TEXT
from plusforge.generator.fresh import draw_char, fresh
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Many
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Items = list[Value]
_NUMBERS = frozenset({int, float})
_FACTOR_BOUND = MAX_INT >> 30


def is_numeric(items: Sequence[Value], bound: int = _FACTOR_BOUND) -> bool:
    """Tell whether there are items, all of them finite numbers within a bound."""
    return (
        bool(items)
        and _NUMBERS.issuperset(map(type, items))
        and all(-bound < item < bound for item in items)
    )


def is_text(items: Sequence[Value]) -> bool:
    """Tell whether there are items, all of them strings."""
    return bool(items) and set(map(type, items)) == {str}


@operator("sign", on="numbers set", examples=[
    ([1, -2], [[-1, 2], [-1, -2], [1, 2], [1, -2]]), ([0, 0], [[0, 0]]), ([], [SKIP]),
])  # fmt: skip
def signs(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Negate all, make all negative or none, or choose the signs one by one."""
    if not is_numeric(value):
        return SKIP
    kind = rng.below(4)
    if kind == 0:
        return [-x + 0 for x in value]
    if kind == 1:
        return [-abs(x) + 0 for x in value]
    if kind == 2:
        return [abs(x) for x in value]
    return [x if rng.unit() < 0.5 else -x + 0 for x in value]


@operator("step", on="numbers set", weight=0.7, examples=[
    ([1, 2], lambda x: x[1] - x[0] == 1), ([], [SKIP]),
])  # fmt: skip
def shift_numbers(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Add one number to all; the smallest or the largest may become zero."""
    if not is_numeric(value):
        return SKIP
    kind = rng.below(6)
    by = (-10, -1, 1, 10, 0, 0)[kind]
    if kind >= 4:
        by = -int(min(value) if kind == 4 else max(value))
    return [x + by for x in value]


@operator(
    "bound", on="numbers", weight=0.5, examples=[([4, 2], [[0, 0], [1, 1], [-1, -1]]), ([], [SKIP])]
)
def level_numbers(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Make all zero, one or minus one."""
    if not is_numeric(value):
        return SKIP
    level = rng.choice((0, 0, 1, -1))
    return [type(x)(level) for x in value]


@operator("scale", on="numbers set", weight=0.7, examples=[
    ([1, 2], [[10, 20], [2, 4], [100, 200], [1000, 2000], [10**6, 2 * 10**6]]), ([], [SKIP]),
])  # fmt: skip
def scale_numbers(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Multiply all by one number; two makes all even."""
    if not is_numeric(value):
        return SKIP
    factor = rng.choice((2, 2, 10, 100, 1000, 10**6))
    return [x * factor for x in value]


@operator("step", on="numbers", weight=0.7, examples=[([1, 2], [[2, 2], [3, 2], [1, 0], [1, 1]])])
def neighbour_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Make one number equal to the next one, or one more or less."""
    n = len(value)
    if n < 2 or not is_numeric(value):
        return SKIP
    i = int(rng.unit() * n)
    items = list(value)
    items[i] = type(items[i])(items[(i + 1) % n] + rng.choice((-1, 0, 1)))
    return SKIP if items == value else items


@operator("step", on="numbers", weight=0.7, examples=[
    ([1, 2], [[1, 2, -1], [1, 2, -2], [1, 2, 3], [1, 2, 0], [1, 2, -3]]), ([], [SKIP]),
])  # fmt: skip
def derived_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Append what the others imply: an opposite, the sum, its opposite, the middle of the range."""
    if not is_numeric(value) or len(value) >= MAX_ITEMS:
        return SKIP
    kind = rng.below(4)
    base = rng.choice(value)
    if kind == 0:
        new = -base
    elif kind == 1:
        new = reduce(add, value, 0)
    elif kind == 2:
        new = -reduce(add, value, 0)
    else:
        new = type(base)(reduce(add, value, 0) // len(value) - 1)
    return [*value, type(base)(new) + 0]


@operator("order", on="numbers", weight=0.7, examples=[
    ([5, 9, 2], lambda x: len({b - a for a, b in pairwise(x)}) == 1), ([], [SKIP]),
])  # fmt: skip
def progression(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Replace by an arithmetic progression from one of the items, 0 or 1."""
    if not is_numeric(value):
        return SKIP
    first = value[0]
    start = type(first)(rng.choice((0, 1, first)))
    step = rng.choice((1, 1, -1, 2, 10))
    size = max(2, len(value)) + rng.below(3)
    return [start + step * i for i in range(min(size, MAX_ITEMS))]


@operator(
    "order",
    on="numbers",
    weight=0.5,
    examples=[([5, 9, 2], lambda x: sorted(x) in ([0, 1, 2], [1, 2, 3]))],
)
def permutation(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Replace by a permutation of 0..n-1 or 1..n."""
    if not is_numeric(value):
        return SKIP
    first = rng.below(2)
    make = type(value[0])
    return [make(i) for i in rng.shuffled(range(first, first + len(value)))]


@operator("half", on="numbers", weight=0.7, examples=[([1.2, 7.9], [[1.5, 7.5]]), ([1], [SKIP])])
def all_halves(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Move every float to a half."""
    if not is_numeric(value, 10**15) or float not in map(type, value):
        return SKIP
    return [math.floor(x) + 0.5 if type(x) is float else x for x in value]


@operator(
    "duplicate",
    on="texts",
    examples=[(["ab"], lambda x: "ab" in x and len(x) == 2), ([], [SKIP])],
)
def similar_text(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Append a relative of one string: longer, shorter, reversed, other case, padded, sorted."""
    if not is_text(value) or len(value) >= MAX_ITEMS:
        return SKIP
    base: str = rng.choice(value)
    kind = rng.below(7)
    if kind < 2:
        new = base + draw_char(material, rng)
    else:
        new = (base[:-1], base[::-1], base.swapcase(), " " + base, "".join(sorted(base)))[kind - 2]
    return [*value, new[:MAX_TEXT]] if rng.unit() < 0.7 else [new[:MAX_TEXT], *value]


@operator(
    "length", on="texts", weight=0.7, examples=[(["ab", "c"], lambda x: len(set(map(len, x))) == 1)]
)
def same_lengths(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Give all strings the length of one of them, cut or filled."""
    if not is_text(value):
        return SKIP
    size = len(rng.choice(value))
    return [(x + draw_char(material, rng) * (size - len(x)))[:size] for x in value]


@operator("case", on="texts", weight=0.5, examples=[(["ab"], [["AB"], ["Ab"], ["ab"]])])
def all_cases(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Make all strings upper case, lower case or titles."""
    if not is_text(value):
        return SKIP
    change = rng.choice((str.upper, str.lower, str.title))
    return [change(x) for x in value]


@operator("bound", on="texts", weight=0.7, examples=[(["ab"], lambda x: "" in x or " " in x)])
def add_blank(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Insert an empty string or a space, or leave nothing else."""
    blank = "" if rng.unit() < 0.7 else " "
    if rng.unit() < 0.25:
        return [blank] * rng.choice((1, 1, 2))
    items = list(value)
    items.insert(int(rng.unit() * (len(items) + 1)), blank)
    return items


def _width(value: Items) -> int:
    """Return the common length of the rows, or -1 when they differ or there are none."""
    lengths = set(map(len, value))
    return lengths.pop() if len(lengths) == 1 else -1


@operator("matrix", on="matrix", weight=1.5, examples=[
    ([[1, 2]], lambda x: len(set(map(len, x))) <= 1 and len(x) == 2), ([[1], []], [SKIP]),
])  # fmt: skip
def add_row(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Add a row of the same length: drawn, or a copy of one."""
    width = _width(value)
    if width < 0:
        return SKIP
    row = rng.choice(value)
    if rng.unit() < 0.6:
        cell = spec.item.item if isinstance(spec.item, Many) else spec.item
        row = type(row)([fresh(cell, material, rng, 2) for _ in range(width)])
    return [*value, row] if rng.unit() < 0.5 else [row, *value]


@operator("matrix", on="matrix", weight=1.5, examples=[
    ([[1], [2]], lambda x: len(x[0]) in (0, 2) and len(x[1]) == len(x[0])), ([[1], []], [SKIP]),
])  # fmt: skip
def change_width(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Add a drawn column, or drop one."""
    width = _width(value)
    if width < 0 or width >= MAX_ITEMS:
        return SKIP
    if width and rng.unit() < 0.5:
        j = int(rng.unit() * width)
        return [row[:j] + row[j + 1 :] for row in value]
    cell = spec.item.item if isinstance(spec.item, Many) else spec.item
    return [
        type(row)([*row, fresh(cell, material, rng, 2)]) for row in value
    ]  # fmt: skip


@operator("matrix", on="matrix", examples=[
    ([[1, 2], [3, 4]], [[[1, 3], [2, 4]], [[2, 1], [4, 3]], [[2], [4]], [[1, 2]], [[1]]]),
    ([[1], []], [SKIP]),
])  # fmt: skip
def turn_matrix(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Transpose, mirror the rows, drop the first column, or cut to a smaller square."""
    width = _width(value)
    if width < 1:
        return SKIP
    kind = rng.below(5)
    if kind < 2:
        return [type(value[0])(column) for column in zip(*value, strict=True)][:MAX_ITEMS]
    if kind == 2:
        return [row[::-1] for row in value]
    if kind == 3:
        return [row[1:] for row in value] if width > 1 else SKIP
    size = max(1, min(len(value), width) - rng.below(2))
    if (size, size) == (len(value), width):
        return value[:1] if size > 1 else SKIP
    return [row[:size] for row in value[:size]]


@operator("matrix", on="matrix", weight=0.7, examples=[
    ([[1], [2, 3]], [[[1], [2]], [[1, 1], [2, 3]]]), ([[1], [2]], [SKIP]), ([], [SKIP]),
])  # fmt: skip
def even_rows(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Give rows of different lengths one length, cut or with their last item repeated."""
    lengths = list(map(len, value))
    if not lengths or min(lengths) == max(lengths):
        return SKIP
    size = min(lengths) if min(lengths) == 0 or rng.unit() < 0.5 else max(lengths)
    return [
        type(row)([*row[:size], *[row[-1]] * (size - len(row))]) if size else row[:0]
        for row in value
    ]
