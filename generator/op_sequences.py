"""Operators on lists, tuples and sets as such: items, order, repetition, size.

They return a list of items; the table that called casts it to the container. Operators whose
group includes ``set`` get the items of a set in an order that is the same in every process.
"""

from __future__ import annotations

from plusforge.generator.bounds import MAX_ITEMS
from plusforge.generator.fresh import fresh
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, proper_slice, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Many
from plusforge.oracle.values import Value, key_of

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

Items = list[Value]


@operator("items", on="list set", weight=1.5, examples=[([1, 2], [[1], [2]]), ([], [SKIP])])
def remove_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Remove one item."""
    if not value:
        return SKIP
    items = list(value)
    del items[int(rng.unit() * len(items))]
    return items


@operator("items", on="list set", weight=1.5, examples=[([7], lambda x: len(x) == 2 and 7 in x)])
def insert_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Insert a drawn item, at either end more often than elsewhere."""
    items = list(value)
    where = rng.unit()
    i = 0 if where < 0.2 else len(items) if where < 0.5 else int(rng.unit() * (len(items) + 1))
    items.insert(i, fresh(spec.item, material, rng, 1))
    return items


@operator("items", on="list set", examples=[([7], lambda x: len(x) == 1), ([], [SKIP])])
def replace_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Put a drawn item in the place of one."""
    if not value:
        return SKIP
    items = list(value)
    items[int(rng.unit() * len(items))] = fresh(spec.item, material, rng, 1)
    return items


@operator("shape", on="list set", weight=0.5, examples=[([1, 2], [[]]), ([], [SKIP])])
def no_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Leave nothing."""
    return [] if value else SKIP


@operator("shape", on="list set", weight=0.7, examples=[([1, 2], [[1], [2]]), ([1], [SKIP])])
def one_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Keep one item."""
    return [rng.choice(value)] if len(value) > 1 else SKIP


@operator("shape", on="list set", weight=0.5, examples=[([1, 2], lambda x: len(x) == 1)])
def one_new_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Leave nothing but one drawn item."""
    return [fresh(spec.item, material, rng, 1)]


@operator("shape", on="list set", examples=[
    ([1, 2, 3], [[1], [1, 2], [2, 3], [3], [2]]), ([1], [SKIP]),
])  # fmt: skip
def slice_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Keep a proper, non-empty slice: a prefix, a suffix or a middle."""
    return proper_slice(value, rng)


@operator("shape", on="list", weight=0.7, examples=[
    ([1, 2], [[1, 2, 1, 2], [1, 2, 2, 1], [1, 2, 1]]), ([], [SKIP]),
])  # fmt: skip
def double_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Append the whole again, as it is or mirrored (with the last item once or twice)."""
    if not value or len(value) > MAX_ITEMS // 2:
        return SKIP
    items = list(value)
    kind = rng.below(3)
    return items + (items if kind == 0 else items[::-1] if kind == 1 else items[-2::-1])


@operator("long", on="list", weight=0.25, examples=[([1, 2], lambda x: 20 <= len(x) <= 101)])
def long_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Cycle through the items, or draw anew, up to 20, 30, 50 or 101."""
    size = rng.choice((20, 30, 50, 101))
    if value and rng.unit() < 0.5:
        return [value[i % len(value)] for i in range(size)]
    pool = [fresh(spec.item, material, rng, 1) for _ in range(min(size, 30))]
    return [rng.choice(pool) for _ in range(size)]


@operator("long", on="set", weight=0.25, examples=[([1, 2], lambda x: len(x) == 42)])
def long_set(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Add forty drawn items."""
    return [*value, *(fresh(spec.item, material, rng, 1) for _ in range(40))]


@operator(
    "order", on="list", examples=[([1, 2, 3], [[2, 1, 3], [3, 2, 1], [1, 3, 2]]), ([1], [SKIP])]
)
def swap_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Swap two items."""
    n = len(value)
    if n < 2:
        return SKIP
    i = int(rng.unit() * n)
    j = (i + 1 + int(rng.unit() * (n - 1))) % n
    items = list(value)
    items[i], items[j] = items[j], items[i]
    return items


@operator("order", on="list", weight=0.7, examples=[
    ([1, 2, 3], [[2, 3, 1], [3, 1, 2]]), ([1], [SKIP]),
])  # fmt: skip
def rotate_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Move the first items to the end."""
    if len(value) < 2:
        return SKIP
    i = 1 + int(rng.unit() * (len(value) - 1))
    return list(value[i:]) + list(value[:i])


@operator("order", on="list", weight=0.7, examples=[
    ([1, 2, 3], [[3, 2, 1], [2, 1, 3], [1, 3, 2]]), ([1], [SKIP]),
])  # fmt: skip
def reverse_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Reverse everything, or a slice of at least two items."""
    n = len(value)
    if n < 2:
        return SKIP
    if rng.unit() < 0.5:
        return value[::-1]
    i = int(rng.unit() * (n - 1))
    j = i + 2 + int(rng.unit() * (n - i - 1))
    return [*value[:i], *value[i:j][::-1], *value[j:]]


@operator("order", on="list", weight=0.7, examples=[
    ([1, 2, 3], [[2, 1, 3], [2, 3, 1], [1, 3, 2], [3, 1, 2]]), ([1], [SKIP]),
])  # fmt: skip
def move_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Take one item out and put it elsewhere."""
    n = len(value)
    if n < 2:
        return SKIP
    items = list(value)
    i = int(rng.unit() * n)
    item = items.pop(i)
    items.insert((i + 1 + int(rng.unit() * (n - 1))) % n, item)
    return items


@operator("order", on="list", weight=0.5, examples=[([1, 2], [[1, 2], [2, 1]]), ([1], [SKIP])])
def shuffle_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Shuffle."""
    return rng.shuffled(value) if len(value) > 1 else SKIP


def sort_any(items: Items) -> Items:
    """Return the items sorted, by their encoded text where they do not compare."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=key_of)


@operator("order", on="list", examples=[([2, 3, 1], [[1, 2, 3], [3, 2, 1]]), ([1], [SKIP])])
def sort_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Sort, up two times out of three."""
    if len(value) < 2:
        return SKIP
    items = sort_any(list(value))
    return items if rng.unit() < 0.67 else items[::-1]


@operator(
    "order", on="list", weight=0.5, examples=[([3, 1], lambda x: x == sorted(x) and len(x) == 3)]
)
def insert_sorted(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Insert a drawn item and sort."""
    return sort_any([*value, fresh(spec.item, material, rng, 1)])


@operator(
    "order",
    on="list",
    weight=0.5,
    examples=[([3, 1, 2], [[1, 3, 2], [3, 1, 2], [2, 1, 3]])],
)
def nearly_sorted(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Sort, then swap two neighbours, or put the last item first."""
    if len(value) < 2:
        return SKIP
    items = sort_any(list(value))
    if rng.unit() < 0.3:
        return [items[-1], *items[:-1]]
    i = int(rng.unit() * (len(items) - 1))
    items[i], items[i + 1] = items[i + 1], items[i]
    return items


@operator("duplicate", on="list", weight=1.5, examples=[
    ([1, 2], [[1, 1, 2], [1, 2, 2], [1, 2, 1], [2, 1, 2]]), ([], [SKIP]),
])  # fmt: skip
def repeat_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Insert an item once more, next to itself or elsewhere."""
    if not value:
        return SKIP
    items = list(value)
    i = int(rng.unit() * len(items))
    j = i if rng.unit() < 0.4 else int(rng.unit() * (len(items) + 1))
    items.insert(j, items[i])
    return items


@operator("duplicate", on="list", examples=[([1, 2], [[1, 1], [2, 2]]), ([1], [SKIP])])
def copy_item(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Write one item in the place of another."""
    n = len(value)
    if n < 2:
        return SKIP
    items = list(value)
    i = int(rng.unit() * n)
    items[i] = items[(i + 1 + int(rng.unit() * (n - 1))) % n]
    return items


@operator("duplicate", on="list", weight=0.7, examples=[
    ([1, 2], lambda x: len(set(x)) == 1 and 1 <= len(x) <= 6), ([], [SKIP]),
])  # fmt: skip
def fill_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Leave one item only, as often as there were items, or one to six times."""
    if not value:
        return SKIP
    item = rng.choice(value)
    return [item] * (max(2, len(value)) if rng.unit() < 0.5 else 1 + rng.below(6))


@operator(
    "duplicate",
    on="list",
    weight=0.7,
    examples=[([1, 2], lambda x: set(x) <= {1, 2}), ([], [SKIP])],
)
def few_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Draw every position from two or three of the items; the length may change."""
    if not value:
        return SKIP
    pool = [rng.choice(value) for _ in range(2 + rng.below(2))]
    size = len(value) if rng.unit() < 0.6 else 2 + rng.below(8)
    return [rng.choice(pool) for _ in range(size)]


@operator("duplicate", on="list", weight=0.5, examples=[([1, 2, 1], [[1, 2]]), ([1, 2], [SKIP])])
def distinct_items(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Keep the first of equal items."""
    seen: dict[str, Value] = {}
    for item in value:
        seen.setdefault(key_of(item), item)
    return list(seen.values()) if len(seen) < len(value) else SKIP


@operator("duplicate", on="list", weight=0.3, examples=[([1, 2], [[1, 1, 2, 2]]), ([], [SKIP])])
def each_twice(value: Items, spec: Many, material: Material, rng: Stream) -> Value:
    """Write every item twice in a row."""
    return [item for item in value[: MAX_ITEMS // 2] for _ in (0, 1)] or SKIP
