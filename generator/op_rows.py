"""Operators on lists of pairs and other rows: edges of graphs, intervals, points, entries.

New rows are composed from what the others hold, so that chains, cycles of any length, and
intervals that overlap, touch or lie inside each other turn up where drawn rows never meet.
"""

from __future__ import annotations

from itertools import pairwise

from plusforge.generator.bounds import MAX_ITEMS
from plusforge.generator.material import Material
from plusforge.generator.op_items import is_numeric
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Fixed, Many, Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Row = list[Value] | tuple[Value, ...]
Rows = list[Row]
Pair = tuple[Value, Value]
_PATH = 12
"""Steps of the longest path that is laid at once."""
_RANGE = 100
"""Largest number of indices that ``below`` draws from."""


def _linked(spec: Many) -> bool:
    """Tell whether the first two fields of every row have one type."""
    row = spec.item
    if isinstance(row, Fixed):
        return len(row.items) > 1 and row.items[0] == row.items[1]
    return isinstance(row, Many)


def _usable(value: Rows, spec: Many) -> bool:
    """Tell whether there are rows, each of at least two fields, the first two of one type."""
    return 0 < len(value) < MAX_ITEMS and _linked(spec) and min(map(len, value)) > 1


def _with_ends(row: Row, first: Value, second: Value) -> Row:
    return type(row)([first, second, *row[2:]])


def _ends(value: Rows) -> list[Value]:
    """Return what the first two fields of all rows hold, without repeats."""
    found: list[Value] = []
    for row in value[:_PATH]:
        for end in row[:2]:
            if end not in found:
                found.append(end)
    return found


def _put(value: Rows, row: Row, rng: Stream) -> Rows:
    """Return the rows with one more, at the end half the time."""
    i = len(value) if rng.unit() < 0.5 else int(rng.unit() * (len(value) + 1))
    return [*value[:i], row, *value[i:]]


@operator("rows", on="rows", weight=1.5, examples=[
    ([(1, 2), (3, 4)], lambda x: len(x) == 3 and all({*row} <= {1, 2, 3, 4} for row in x)),
    ([], [SKIP]), ([(1,)], [[(1,), (1,)]]),
])  # fmt: skip
def mixed_row(value: Rows, spec: Many, material: Material, rng: Stream) -> Value:
    """Add a row whose fields are taken from different rows, now and then across the fields."""
    if not value or len(value) >= MAX_ITEMS:
        return SKIP
    row = rng.choice(value)
    alike = not isinstance(spec.item, Fixed) or len(set(spec.item.items)) == 1
    across = alike and rng.unit() < 0.5
    fields = []
    for i, old in enumerate(row):
        other = rng.choice(value)
        if across and other:
            fields.append(rng.choice(other))
        else:
            fields.append(other[i] if i < len(other) else old)
    return _put(value, type(row)(fields), rng)


@operator("rows", on="rows", weight=2.5, examples=[
    ([(1, 2), (5, 6)], lambda x: len(x) == 3 and any(
        row in x for row in ((2, 1), (6, 5), (2, 5), (6, 1), (2, 6), (2, 2), (6, 6), (6, 2)))),
    ([], [SKIP]), ([(1,)], [SKIP]),
])  # fmt: skip
def linked_row(value: Rows, spec: Many, material: Material, rng: Stream) -> Value:
    """Add a row that begins where another one ends: back to its start, or on to any other end."""
    if not _usable(value, spec):
        return SKIP
    row = rng.choice(value)
    kind = rng.unit()
    if kind < 0.25:
        target = row[0]
    elif kind < 0.5:
        target = value[0][0]
    else:
        target = rng.choice(rng.choice(value)[:2])
    return _put(value, _with_ends(row, row[1], target), rng)


@operator("rows", on="rows", weight=0.7, examples=[
    ([(1, 2), (5, 6)], [[(2, 1), (5, 6)], [(1, 2), (6, 5)], [(2, 1), (6, 5)]]),
    ([], [SKIP]), ([(1,)], [SKIP]),
])  # fmt: skip
def turned_row(value: Rows, spec: Many, material: Material, rng: Stream) -> Value:
    """Swap the first two fields of one row, or of all."""
    if not _usable(value, spec):
        return SKIP
    if rng.unit() < 0.4:
        return [_with_ends(row, row[1], row[0]) for row in value]
    i = int(rng.unit() * len(value))
    return [*value[:i], _with_ends(value[i], value[i][1], value[i][0]), *value[i + 1 :]]


@operator("rows", on="rows", weight=1.5, examples=[
    ([(1, 2), (2, 5)], lambda x: all(0 <= a <= 5 and 0 <= b <= 5 for a, b in x)),
    ([(1, 1)], lambda x: {end for row in x for end in row} == {0, 1}),
    ([], [SKIP]), ([(1,)], [SKIP]),
])  # fmt: skip
def path_of_rows(value: Rows, spec: Many, material: Material, rng: Stream) -> Value:
    """Lay one path through the ends there are, closed now and then; the rows in any order.

    Where all ends are small ints, every int from zero up to the largest counts as one.
    """
    if not _usable(value, spec):
        return SKIP
    ends = _ends(value)
    if all(type(end) is int and 0 <= end <= _PATH for end in ends) and rng.unit() < 0.6:
        ends = list(range(max(ends) + 1))
    rng.shuffle(ends)
    if rng.unit() < 0.5:
        ends = ends[: 2 + int(rng.unit() * (len(ends) - 1))]
    if rng.unit() < 0.4 and len(ends) > 1:
        ends.append(ends[0])
    if len(ends) < 2:
        return SKIP
    return _path(value, ends, rng)


def _path(value: Rows, ends: list[Value], rng: Stream) -> Rows:
    """Return rows that lead from each end to the next, in order, backwards or shuffled."""
    rows = [_with_ends(value[i % len(value)], a, b) for i, (a, b) in enumerate(pairwise(ends))]
    order = rng.below(3)
    return rows if order == 0 else rows[::-1] if order == 1 else rng.shuffled(rows)


@operator("rows", on="rows", weight=1.5, examples=[
    ([(0, 10)], lambda x: len(x) == 2 and (0, 10) in x), ([], [SKIP]), ([("a", "b")], [SKIP]),
])  # fmt: skip
def nearby_row(value: Rows, spec: Many, material: Material, rng: Stream) -> Value:
    """Add an interval inside, around, across an end of, touching or just beside another one."""
    if not _usable(value, spec):
        return SKIP
    row = rng.choice(value)
    low, high = row[:2]
    if not is_numeric((low, high)):
        return SKIP
    size = high - low
    middle = low + (size // 2 if type(size) is int else size / 2)
    first, second = rng.choice((
        (low + 1, high - 1), (low - 1, high + 1), (low, high - 1), (low + 1, high), (middle, high),
        (low, middle), (middle, high + size), (high, high + size), (high, high + 1),
        (high + 1, high + 2), (high - 1, high + 1), (low - 1, low), (low - 2, low - 1),
        (low, low), (high, high), (middle, middle),
    ))  # fmt: skip
    return _put(value, _with_ends(row, type(low)(first), type(high)(second)), rng)


@operator("rows", on="number~list", weight=1.0, examples=[
    ((3, [8, 9]), lambda p: p[0] == 3 and len(p[1]) == 2 and all(n in (0, 1, 2) for n in p[1])),
    ((3, [(8, 9)]), lambda p: all(0 <= end < 3 for row in p[1] for end in row)),
    ((3, []), [SKIP]), ((0, [1]), [SKIP]), ((3, ["a"]), [SKIP]),
])  # fmt: skip
def below(pair: Pair, specs: tuple[Spec, Spec], material: Material, rng: Stream) -> Value:
    """Make the ints of y, or those in its rows, indices below x; rows may become a path."""
    x, y = pair
    if not y or not 0 < x <= _RANGE:
        return SKIP
    size = int(x)
    if rng.unit() < 0.4 and all(type(item) is int for item in y):
        return x, type(y)([int(rng.unit() * size) for _ in y])
    if not all(_has_links(row) for row in y):
        return SKIP
    if rng.unit() < 0.5 and size > 1:
        ends: list[Value] = rng.shuffled(range(size))[: max(2, int(rng.unit() * (_PATH + 1)))]
        if rng.unit() < 0.3:
            ends.append(ends[0])
        return x, type(y)(_path(y, ends, rng))
    rows = [_with_ends(row, int(rng.unit() * size), int(rng.unit() * size)) for row in y]
    return x, type(y)(rows)


def _has_links(row: Value) -> bool:
    """Tell whether a value is a row whose first two fields are ints."""
    return type(row) in (list, tuple) and len(row) > 1 and type(row[0]) is type(row[1]) is int
