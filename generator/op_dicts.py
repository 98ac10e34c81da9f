"""Operators on dicts and on records (sequences with one type per position)."""

from __future__ import annotations

from plusforge.generator.bounds import MAX_ITEMS
from plusforge.generator.fresh import fresh, hashable_part
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Fixed, Mapping
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Entries = dict[Value, Value]


@operator("dict", on="dict", weight=0.7, examples=[({"a": 1}, [{}]), ({}, [SKIP])])
def no_entries(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Leave nothing."""
    return {} if value else SKIP


@operator(
    "dict", on="dict", weight=1.5, examples=[({"a": 1, "b": 2}, [{"a": 1}, {"b": 2}]), ({}, [SKIP])]
)
def remove_entry(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Remove one entry, or all but one."""
    if not value:
        return SKIP
    entries = list(value.items())
    i = int(rng.unit() * len(entries))
    return dict(entries[i : i + 1] if rng.unit() < 0.25 and i else entries[:i] + entries[i + 1 :])


@operator(
    "dict", on="dict", weight=1.5, examples=[({"a": 1}, lambda x: "a" in x and 1 <= len(x) <= 2)]
)
def add_entry(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Add a drawn key, with a drawn value or one that is there already."""
    key = hashable_part(spec.key)
    if key is None or len(value) >= MAX_ITEMS:
        return SKIP
    if value and rng.unit() < 0.3:
        item = rng.choice(list(value.values()))
    else:
        item = fresh(spec.value, material, rng, 1)
    return {**value, fresh(key, material, rng, 1): item}


@operator(
    "dict",
    on="dict",
    examples=[
        ({"a": 1, "b": 2}, [{"a": 2, "b": 1}, {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"b": 2, "a": 1}])
    ],
)
def arrange_values(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Rotate the values among the keys, make them all equal, or reverse the entries."""
    if len(value) < 2:
        return SKIP
    keys = list(value)
    items = list(value.values())
    kind = rng.below(3)
    if kind == 0:
        items = [*items[1:], items[0]]
    elif kind == 1:
        items = [rng.choice(items)] * len(items)
    else:
        keys.reverse()
        items.reverse()
    return dict(zip(keys, items, strict=True))


@operator(
    "case",
    on="dict",
    examples=[
        ({"a": 1, "B": 2}, [{"A": 1, "b": 2}, {"A": 1, "B": 2}, {"a": 1, "b": 2}]),
        ({1: 2}, [SKIP]),
    ],
)
def key_case(value: Entries, spec: Mapping, material: Material, rng: Stream) -> Value:
    """Change the case of the keys that are strings: all, or one."""
    keys = list(value)
    texts = [i for i, key in enumerate(keys) if type(key) is str]
    if not texts:
        return SKIP
    if rng.unit() < 0.5:
        change = rng.choice((str.swapcase, str.upper, str.lower))
        return {(change(k) if type(k) is str else k): v for k, v in value.items()}
    i = rng.choice(texts)
    keys[i] = keys[i].swapcase()
    return dict(zip(keys, value.values(), strict=True))


@operator("record", on="record", examples=[([1, 2], [[2, 1], [1, 1], [2, 2]]), ([1], [SKIP])])
def record_fields(value: list[Value], spec: Fixed, material: Material, rng: Stream) -> Value:
    """Swap two fields of one type, or copy one to the other."""
    n = len(value)
    if n < 2:
        return SKIP
    i = int(rng.unit() * n)
    j = (i + 1 + int(rng.unit() * (n - 1))) % n
    if spec.items[i] != spec.items[j]:
        return SKIP
    items = list(value)
    if rng.unit() < 0.5:
        items[i] = items[j]
    else:
        items[i], items[j] = items[j], items[i]
    return items
