"""Operators that relate arguments to each other.

Pair operators get ``(x, y)`` and change x, y or both, so that the wrong programs which confuse,
ignore or misalign arguments are seen through. Equal arguments are made rarely on purpose: on
tasks with two lists they would hide more than they show. Every result is checked against the
specs afterwards, so an operator need not know the types of items.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from plusforge.generator.bounds import MAX_ITEMS, MAX_TEXT
from plusforge.generator.fresh import ordered
from plusforge.generator.material import Material
from plusforge.generator.op_items import is_numeric, is_text
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Pair = tuple[Value, Value]
Specs = tuple[Spec, Spec]
_EXACT = 10**15


def like(x: Value, number: Value) -> Value:
    """Return a number in the type of x."""
    return type(x)(number)


def is_small(*numbers: Value) -> bool:
    """Tell whether numbers are finite and small enough to compute with."""
    return all(-_EXACT < number < _EXACT for number in numbers)


@operator("relation", on="number~number", weight=2.0, examples=[
    ((9, 5), [(4, 5), (5, 5), (6, 5)]), ((9.0, 5), [(4.0, 5), (5.0, 5), (6.0, 5)]),
])  # fmt: skip
def near(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x equal to y or one away."""
    x, y = pair
    return (like(x, y + rng.choice((-1, 0, 1))), y) if is_small(y) else SKIP


@operator("relation", on="number~number", weight=2.0, examples=[
    ((9, 5), [(10, 5), (15, 5), (50, 5), (-5, 5), (11, 5), (25, 5), (125, 5), (2, 5)]),
])  # fmt: skip
def multiple(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a multiple, a power, the opposite or half of y, or one more than a multiple."""
    x, y = pair
    if not is_small(y * y):
        return SKIP
    kind = rng.below(8)
    new = (y * 2, y * 3, y * 10, -y, y * 2 + 1, y * y, y * y * y, y // 2)[kind]
    return like(x, new), y


@operator("relation", on="number~number", examples=[((9, 5), [(-4, 5), (14, 5), (4, 5), (45, 5)])])
def combined(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x the sum, the product or a difference of both."""
    x, y = pair
    if not is_small(x, y):
        return SKIP
    return like(x, (y - x, x + y, x - y, x * y)[rng.below(4)]), y


@operator("relation", on="number~number", weight=0.7, examples=[
    ((9, 5), [(18, 10), (27, 15), (63, 35), (10, 6), (8, 4), (90, 50)]),
])  # fmt: skip
def together(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Multiply both by one factor, or shift both by one."""
    x, y = pair
    if not is_small(x, y):
        return SKIP
    kind = rng.below(6)
    if kind < 4:
        factor = (2, 3, 7, 10)[kind]
        return x * factor, y * factor
    shift = (1, -1)[kind - 4]
    return x + shift, y + shift


@operator("relation", on="any~any", examples=[((1, 2), [(2, 1)]), ((1, "a"), [SKIP])])
def swap(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Swap two arguments of one type."""
    x, y = pair
    return (y, x) if type(x) is type(y) else SKIP


@operator("relation", on="any~any", weight=0.12, examples=[((1, 2), [(2, 2)]), ((1, "a"), [SKIP])])
def equal(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make two arguments of one type equal."""
    x, y = pair
    return (y, y) if type(x) is type(y) else SKIP


@operator("relation", on="number~list number~text number~dict number~set", weight=2.0, examples=[
    ((9, [1, 2, 3, 4]), [(n, [1, 2, 3, 4]) for n in (2, 3, 4, 5, 6, 0, 1)]),
])  # fmt: skip
def size_of(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x the size of y, up to two away, half of it, one or zero."""
    x, y = pair
    n = len(y)
    return like(x, rng.choice((n, n, n - 1, n + 1, n - 2, n + 2, n // 2, 0, 1))), y


@operator("relation", on="number~list number~text", examples=[
    ((3, [1]), lambda p: p[0] == 3 and len(p[1]) in (2, 3, 4)), ((-3, "ab"), [SKIP]),
])  # fmt: skip
def resize(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Give y as many items as x says, or one more or less, by cutting it or going around."""
    x, y = pair
    if not 0 <= x <= 100 or not y:
        return SKIP
    size = max(0, int(x) + rng.choice((0, 0, 0, -1, 1)))
    return x, (y * (size // len(y) + 1))[:size]


@operator(
    "relation",
    on="any~list",
    weight=2.0,
    examples=[((9, [1, 2]), [(1, [1, 2]), (2, [1, 2])]), ((9, []), [SKIP])],
)
def member(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x an item of y."""
    y = pair[1]
    return (rng.choice(y), y) if y else SKIP


@operator("relation", on="any~list", weight=2.0, examples=[
    ((9, [1, 2]), [(9, [1, 2, 9]), (9, [9, 1, 2]), (9, [9, 2]), (9, [1, 9]), (9, [1, 9, 2])]),
])  # fmt: skip
def insert_into(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Put x into y: at either end, in the middle, or in the place of an item."""
    x, y = pair
    items = list(y[: MAX_ITEMS - 1])
    i = int(rng.unit() * (len(items) + 1))
    kind = rng.below(4)
    if kind == 0:
        items.append(x)
    elif kind == 1:
        items.insert(0, x)
    else:
        items[i : i + kind - 2] = [x]
    return x, type(y)(items)


@operator(
    "relation",
    on="any~list",
    weight=0.7,
    examples=[((1, [1, 2, 1]), [(1, [2])]), ((3, [1]), [SKIP])],
)
def remove_from(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Remove every x from y."""
    x, y = pair
    items = [item for item in y if item != x]
    return (x, type(y)(items)) if len(items) < len(y) else SKIP


@operator("relation", on="number~list", weight=2.0, examples=[
    ((0, [3, 8]), [(n, [3, 8]) for n in (*range(-1, 13), 15, 16, 17)]), ((0, []), [SKIP]),
])  # fmt: skip
def statistic(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x the sum, maximum, minimum, or the sum or distance of two items, up to one away."""
    x, y = pair
    if not is_numeric(y, _EXACT):
        return SKIP
    kind = rng.below(6)
    a, b = y[int(rng.unit() * len(y))], y[int(rng.unit() * len(y))]
    new = (reduce(add, y, 0), max(y), min(y), abs(a - b), a + b, a)[kind]
    return like(x, new + rng.choice((0, 0, 1, -1))), y


@operator("relation", on="number~list", weight=0.7, examples=[
    ((3, [3, 8]), [(0, [3, 8]), (1, [3, 8]), (-1, [3, 8]), (-2, [3, 8])]), ((0, []), [SKIP]),
])  # fmt: skip
def index_of(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a valid index of y, from either end."""
    x, y = pair
    if not y:
        return SKIP
    return like(x, int(rng.unit() * 2 * len(y)) - len(y)), y


@operator("relation", on="text~list", weight=1.5, examples=[
    (("z", ["ab"]), lambda p: p[0] in ("", "a", "ab", "b") and p[1] == ["ab"]), (("z", []), [SKIP]),
])  # fmt: skip
def part_of_member(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a prefix or a suffix of a string in y."""
    y = pair[1]
    if not is_text(y):
        return SKIP
    base = rng.choice(y)
    i = int(rng.unit() * (len(base) + 1))
    return (base[:i] if rng.unit() < 0.5 else base[i:]), y


@operator("relation", on="text~list", weight=1.5, examples=[
    (("z", ["ab"]), [("z", ["ab", s]) for s in ("zab", "abz", "azb")]), (("z", []), [SKIP]),
])  # fmt: skip
def extended_member(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Append to y a string that contains x: in front, behind or in the middle."""
    x, y = pair
    if not is_text(y) or len(y) >= MAX_ITEMS:
        return SKIP
    base = rng.choice(y)
    i = int(rng.unit() * (len(base) + 1))
    new = (x + base, base + x, base[:i] + x + base[i:])[rng.below(3)]
    return x, type(y)([*y, new[:MAX_TEXT]])


@operator("relation", on="any~dict", weight=2.0, examples=[
    (("z", {"a": 1}), [("a", {"a": 1}), ("z", {"a": 1, "z": 1})]), (("z", {}), [SKIP]),
])  # fmt: skip
def key_of_dict(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a key of y, or add x to y as a key."""
    x, y = pair
    if not y:
        return SKIP
    if rng.unit() < 0.5:
        return rng.choice(list(y)), y
    try:
        return x, {**y, x: rng.choice(list(y.values()))}
    except TypeError:  # x is a list or the like
        return SKIP


@operator("relation", on="set~set", weight=2.0, examples=[
    (({1}, {2, 3}), lambda p: p[1] == {2, 3} and p[0] <= {1, 2, 3}), ((set(), set()), [SKIP]),
])  # fmt: skip
def overlap(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a subset or a superset of y, or disjoint from it, or share one item."""
    x, y = pair
    items = ordered(y)
    if not items:
        return SKIP
    kind = rng.below(4)
    if kind == 0:
        return type(x)([item for item in items if rng.unit() < 0.5]), y
    if kind == 1:
        return type(x)(x | y), y
    if kind == 2:
        return type(x)(x - y), y
    return type(x)(x | {rng.choice(items)}), y


@operator("relation", on="dict~dict", weight=2.0, examples=[
    (({"a": 1}, {"b": 2}), [({"a": 1, "b": 2}, {"b": 2}), ({"b": 1}, {"b": 2}), ({}, {"b": 2})]),
])  # fmt: skip
def share_entries(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Bring an entry of y into x, give x the keys of y, or make x a copy of y less one entry."""
    x, y = pair
    if not y or not x:
        return SKIP
    key = rng.choice(list(y))
    kind = rng.below(3)
    if kind == 0:
        return {**x, key: y[key]}, y
    if kind == 1:
        values = list(x.values())
        return {k: values[i % len(values)] for i, k in enumerate(y)}, y
    return {k: v for k, v in y.items() if k != key}, y
