"""Operators on values nested in values of ``Any``: trees of lists, records of records.

Depth is bounded by the types everywhere else. Here it is free, and programs that treat one or two
levels by hand pass every input that goes no deeper than the examples.
"""

from __future__ import annotations

from plusforge.generator.bounds import MAX_ITEMS
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import CONTAINERS, Many, Mapping
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Items = list[Value]
Entries = dict[Value, Value]
DEEPEST = 10
"""Levels beyond which these operators do not go; the wire format itself stops at 60."""
_LARGE = 60
"""Values with more parts are not put into themselves."""


def height(value: Value) -> int:
    """Return the number of containers around the innermost part of a value."""
    if type(value) is dict:
        return 1 + max(map(height, value.values()), default=0)
    if type(value) in (list, tuple):
        return 1 + max(map(height, value), default=0)
    return 0


def _parts(value: Value) -> int:
    """Return the number of items and entries of a value, at all depths."""
    if type(value) is dict:
        return sum(1 + _parts(item) for item in value.values())
    if type(value) in (list, tuple):
        return sum(1 + _parts(item) for item in value)
    return 0


def _nests(value: Items) -> list[int]:
    """Return the places of the sequences among some items."""
    return [i for i, item in enumerate(value) if type(item) in (list, tuple)]


def _cast(value: Items, spec: Many) -> type:
    """Return the class of the sequences among some items, else that of their container."""
    nests = _nests(value)
    return type(value[nests[0]]) if nests else CONTAINERS[spec.kind]


@operator("nesting", on="nest", weight=2.0, examples=[
    ([1, 2], [[[1], 2], [1, [2]], [[1, 2]]]), ([], [[[]]]),
])  # fmt: skip
def wrap_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Put one item, or a run of items, one level deeper."""
    cast = _cast(value, spec)
    if height(value) >= DEEPEST:
        return SKIP
    i = int(rng.unit() * len(value))
    j = i + 1 if rng.unit() < 0.6 else i + 1 + int(rng.unit() * (len(value) - i))
    return [*value[:i], cast(value[i:j]), *value[j:]]


@operator("nesting", on="nest", examples=[
    ([1], [[[[1]]], [[[[1]]]], [[[[[1]]]]], [[[[[[1]]]]]]]), ([], [SKIP]),
])  # fmt: skip
def sink_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Put one item two to five levels deeper."""
    if not value or height(value) >= DEEPEST:
        return SKIP
    cast = _cast(value, spec)
    i = int(rng.unit() * len(value))
    item = value[i]
    for _ in range(2 + rng.below(4)):
        item = cast([item])
    return [*value[:i], item, *value[i + 1 :]]


@operator("nesting", on="nest", weight=0.7, examples=[
    ([1, 2], [[1, [2]], [[1], 2]]), ([1], [SKIP]),
    ([1, 2, 3], [[1, [2, [3]]], [[[1], 2], 3]]),
])  # fmt: skip
def stairs(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Put every item one level deeper than the one before it, or than the one after it."""
    if len(value) < 2 or height(value) >= DEEPEST:
        return SKIP
    cast = _cast(value, spec)
    falling = rng.unit() < 0.7
    rows = list(value[:DEEPEST]) if falling else list(value[:DEEPEST])[::-1]
    result = [rows.pop()]
    while rows:
        deeper = cast(result)
        result = [rows.pop(), deeper] if falling else [deeper, rows.pop()]
    return result


@operator("nesting", on="nest", weight=0.7, examples=[
    ([1, 2], [[[1, 2], 2], [1, [1, 2]], [[1, 2], 1, 2], [1, [1, 2], 2], [1, 2, [1, 2]]]),
    ([0] * 99, [SKIP]),
])  # fmt: skip
def nest_itself(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Put a copy of the whole into itself, in the place of an item or as one more."""
    if _parts(value) > _LARGE or height(value) >= DEEPEST:
        return SKIP
    i = int(rng.unit() * (len(value) + 1))
    return [*value[:i], _cast(value, spec)(value), *value[i + (rng.unit() < 0.5) :]]


@operator("nesting", on="nest", examples=[
    ([1, [2, [3]]], [[1, 2, [3]], [1, 2, 3], [2, [3]]]), ([1], [SKIP]),
])  # fmt: skip
def lift(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Replace one nested sequence by its items, all of them at all depths, or keep one alone."""
    nests = _nests(value)
    if not nests:
        return SKIP
    i = rng.choice(nests)
    kind = rng.unit()
    if kind < 0.5:
        return [*value[:i], *value[i], *value[i + 1 :]][:MAX_ITEMS]
    if kind < 0.75:
        return list(value[i])
    flat: Items = []
    todo = list(value)[::-1]
    while todo and len(flat) < MAX_ITEMS:
        item = todo.pop()
        if type(item) in (list, tuple):
            todo += item[::-1]
        else:
            flat.append(item)
    return flat


@operator("nesting", on="nest_dict", weight=1.5, examples=[
    ({"a": 1}, [{"a": {"a": 1}}]), ({}, [SKIP]),
    ({"a": 1, "b": 2}, lambda x: 2 <= height(x) <= 3),
])  # fmt: skip
def wrap_entries(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Put the value of one key, or a copy of the whole, into a dict under that key."""
    if not value or height(value) >= DEEPEST or _parts(value) > _LARGE:
        return SKIP
    keys = list(value)
    key = rng.choice(keys)
    if rng.unit() < 0.4:
        return {**value, key: dict(value)}
    return {**value, key: {rng.choice(keys): value[key]}}


@operator("nesting", on="nest_dict", examples=[
    ({"a": {"b": 2}}, [{"b": 2}, {"a": 2}]), ({"a": 1}, [SKIP]), ({"a": {}}, [{}]),
])  # fmt: skip
def lift_entries(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Replace a nested dict by its entries, or by one of its values."""
    nested = [key for key, item in value.items() if type(item) is dict]
    if not nested:
        return SKIP
    key = rng.choice(nested)
    inner = value[key]
    if inner and rng.unit() < 0.5:
        return {**value, key: rng.choice(list(inner.values()))}
    return {**{k: v for k, v in value.items() if k != key}, **inner}
