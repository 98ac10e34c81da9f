"""Operators that relate arguments to each other.

Pair operators get ``(x, y)`` and change x, y or both, so that the wrong programs which confuse,
ignore or misalign arguments are seen through. Equal arguments are made rarely on purpose: on
tasks with two lists they would hide more than they show. Every result is checked against the
specs afterwards, so an operator need not know the types of items.
"""

from __future__ import annotations

from plusforge.generator.bounds import MAX_ITEMS, MAX_TEXT
from plusforge.generator.fresh import draw_size, fresh
from plusforge.generator.material import Material
from plusforge.generator.op_items import is_numeric, is_text
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Many, Spec
from plusforge.oracle.values import Args, Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Pair = tuple[Value, Value]
Specs = tuple[Spec, Spec]
_EXACT = 10**15


def _like(x: Value, number: Value) -> Value:
    """Return a number in the type of x."""
    return type(x)(number)


def _small(*numbers: Value) -> bool:
    """Tell whether numbers are finite and small enough to compute with."""
    return all(-_EXACT < number < _EXACT for number in numbers)


@operator("relation", on="number~number", weight=2.0, examples=[
    ((9, 5), [(4, 5), (5, 5), (6, 5)]), ((9.0, 5), [(4.0, 5), (5.0, 5), (6.0, 5)]),
])  # fmt: skip
def near(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x equal to y or one away."""
    x, y = pair
    return (_like(x, y + rng.choice((-1, 0, 1))), y) if _small(y) else SKIP


@operator("relation", on="number~number", weight=2.0, examples=[
    ((9, 5), [(10, 5), (15, 5), (50, 5), (-5, 5), (11, 5), (25, 5), (125, 5), (2, 5)]),
])  # fmt: skip
def multiple(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a multiple, a power, the opposite or half of y, or one more than a multiple."""
    x, y = pair
    if not _small(y * y):
        return SKIP
    kind = rng.below(8)
    new = (y * 2, y * 3, y * 10, -y, y * 2 + 1, y * y, y * y * y, y // 2)[kind]
    return _like(x, new), y


@operator("relation", on="number~number", examples=[((9, 5), [(-4, 5), (14, 5), (4, 5), (45, 5)])])
def combined(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x the sum, the product or a difference of both."""
    x, y = pair
    if not _small(x, y):
        return SKIP
    return _like(x, (y - x, x + y, x - y, x * y)[rng.below(4)]), y


@operator("relation", on="number~number", weight=0.7, examples=[
    ((9, 5), [(18, 10), (27, 15), (63, 35), (10, 6), (8, 4), (90, 50)]),
])  # fmt: skip
def together(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Multiply both by one factor, or shift both by one."""
    x, y = pair
    if not _small(x, y):
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
    return _like(x, rng.choice((n, n, n - 1, n + 1, n - 2, n + 2, n // 2, 0, 1))), y


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
    new = (sum(y), max(y), min(y), abs(a - b), a + b, a)[kind]
    return _like(x, new + rng.choice((0, 0, 1, -1))), y


@operator("relation", on="number~list", weight=0.7, examples=[
    ((3, [3, 8]), [(0, [3, 8]), (1, [3, 8]), (-1, [3, 8]), (-2, [3, 8])]), ((0, []), [SKIP]),
])  # fmt: skip
def index_of(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a valid index of y, from either end."""
    x, y = pair
    if not y:
        return SKIP
    return _like(x, int(rng.unit() * 2 * len(y)) - len(y)), y


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


@operator(
    "relation",
    on="args",
    weight=1.5,
    examples=[
        (([1, 2, 3], [7], 5), lambda a: len(a[0]) == len(a[1]) and a[2] in (5, len(a[0]))),
        ((1, 2), [SKIP]),
    ],
)
def all_same_length(args: Args, specs: tuple[Spec, ...], material: Material, rng: Stream) -> Value:
    """Give every list one length; half the time also every int that length."""
    lengths = [len(arg) for arg in args if type(arg) in (list, tuple)]
    if not lengths or 0 in lengths:
        return SKIP
    size = rng.choice(lengths) if rng.unit() < 0.6 else 1 + draw_size(rng)
    count = rng.unit() < 0.5
    result = tuple(
        (arg * (size // len(arg) + 1))[:size]
        if type(arg) in (list, tuple)
        else size
        if count and type(arg) is int
        else arg
        for arg in args
    )
    return result if result != args else SKIP


@operator("relation", on="args", weight=2.0, examples=[
    (([1, 2], [7, 8], 2), lambda a: len(a[0]) == len(a[1]) == a[2] in (1, 2, 3)),
    (([1, 2], [7], 2), [SKIP]),
])  # fmt: skip
def all_same_index(args: Args, specs: tuple[Spec, ...], material: Material, rng: Stream) -> Value:
    """Change all lists at one index: drop, repeat, draw anew; ints that are their length follow."""
    places = [i for i, arg in enumerate(args) if type(arg) in (list, tuple)]
    lengths = {len(args[i]) for i in places}
    if len(lengths) != 1 or 0 in lengths:
        return SKIP
    size = lengths.pop()
    followers = [i for i, arg in enumerate(args) if type(arg) is int and arg == size]
    if len(places) + len(followers) < 2:
        return SKIP
    at = int(rng.unit() * size)
    kind = rng.below(3)
    result = list(args)
    for i in followers:
        result[i] = size + (-1, 1, 0)[kind]
    for i in places:
        items, spec = list(args[i]), specs[i]
        new = fresh(spec.item, material, rng, 1) if type(spec) is Many else items[at]
        items[at : at + 1] = ([], [items[at], new if rng.unit() < 0.5 else items[at]], [new])[kind]
        result[i] = type(args[i])(items)
    return tuple(result)


@operator("relation", on="args", weight=1.0, examples=[
    ((3, 4, 9), lambda a: 2 * max(a) == sum(a) or len({*a}) < 3),
    ((1, 2), [SKIP]),
])  # fmt: skip
def sum_of_others(args: Args, specs: tuple[Spec, ...], material: Material, rng: Stream) -> Value:
    """Of three or more numbers, make one the sum of the others, or two or all of them equal."""
    places = [i for i, arg in enumerate(args) if type(arg) in (int, float) and _small(arg)]
    if len(places) < 3:
        return SKIP
    result = list(args)
    rng.shuffle(places)
    i, j = places[:2]
    kind = rng.unit()
    if kind < 0.6:
        result[i] = _like(args[i], sum(args[k] for k in places[1:]))
    elif kind < 0.85:
        result[i] = _like(args[i], args[j])
    else:
        for k in places:
            result[k] = _like(args[k], args[j])
    return tuple(result)
