"""Operators on all arguments of a call at once: one length, one index, one sum.

Contracts such as ``len(a) == len(b) == n`` are only kept by changes like these.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from plusforge.generator.fresh import draw_size, fresh
from plusforge.generator.material import Material
from plusforge.generator.op_relations import is_small, like
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Many, Spec
from plusforge.oracle.values import Args, Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)


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
    places = [i for i, arg in enumerate(args) if type(arg) in (int, float) and is_small(arg)]
    if len(places) < 3:
        return SKIP
    result = list(args)
    rng.shuffle(places)
    i, j = places[:2]
    kind = rng.unit()
    if kind < 0.6:
        result[i] = like(args[i], reduce(add, (args[k] for k in places[1:]), 0))
    elif kind < 0.85:
        result[i] = like(args[i], args[j])
    else:
        for k in places:
            result[k] = like(args[k], args[j])
    return tuple(result)
