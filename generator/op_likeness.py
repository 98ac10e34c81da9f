"""Operators that relate two arguments of one kind: parts, copies, rearrangements, one length.

Pair operators as in ``op_relations``. None of them makes two lists or strings equal on purpose.
"""

from __future__ import annotations

import re

from plusforge.generator.bounds import MAX_ITEMS, MAX_TEXT
from plusforge.generator.fresh import draw_own_char, draw_size, fresh
from plusforge.generator.material import Material
from plusforge.generator.op_sequences import sort_any
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Many, Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

_PIECES = re.compile(r"\w+|\W+")

Pair = tuple[Value, Value]
Specs = tuple[Spec, Spec]


@operator(
    "relation",
    on="text~text",
    weight=2.0,
    examples=[
        (("z", "abc"), lambda p: p[1] == "abc" and p[0] in "abc" and len(p[0]) < 3),
        (("z", ""), [SKIP]),
    ],
)
def substring(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a proper prefix, suffix or middle of y."""
    y = pair[1]
    n = len(y)
    if not n:
        return SKIP
    kind = rng.below(3)
    i = int(rng.unit() * n)
    if kind == 0:
        return y[:i], y
    if kind == 1:
        return y[i + 1 :], y
    j = i + 1 + int(rng.unit() * (n - i))
    return (y[i:j], y) if j - i < n else (y[1:], y)


@operator("relation", on="text~text", weight=1.5, examples=[
    (("z", "ab"), [("z", s) for s in ("zab", "abz", "azb", "zabz", "zzab")]), (("", "a"), [SKIP]),
])  # fmt: skip
def embed(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Put x into y: in front, behind, in the middle, around, or twice in front."""
    x, y = pair
    if not x or 2 * len(x) + len(y) > MAX_TEXT:
        return SKIP
    i = int(rng.unit() * (len(y) + 1))
    return x, (x + y, y + x, y[:i] + x + y[i:], x + y + x, x + x + y)[rng.below(5)]


@operator(
    "relation",
    on="text~text",
    weight=1.5,
    examples=[
        (("z", "abc"), lambda p: sorted(p[0]) == ["a", "b", "c"] and p[1] == "abc"),
        (("z", "a"), [SKIP]),
    ],
)
def rearranged(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x the reverse, a rotation or a shuffle of y, of its characters or of its words."""
    y = pair[1]
    if len(y) < 2:
        return SKIP
    kind = rng.below(4)
    i = 1 + int(rng.unit() * (len(y) - 1))
    if kind == 0:
        new = y[::-1]
    elif kind == 1:
        new = y[i:] + y[:i]
    elif kind == 2:
        new = "".join(rng.shuffled(y))
    else:
        # "11/6" and "6/11": what is written, not the characters, changes places.
        new = "".join(_PIECES.findall(y)[::-1])
    return (new, y) if new != y else SKIP


@operator("relation", on="text~text", weight=1.5, examples=[
    (("z", "ab"), lambda p: p[0] != "ab" and abs(len(p[0]) - 2) <= 1), (("z", ""), [SKIP]),
])  # fmt: skip
def one_edit(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a copy of y with one character more, less, changed, or in the other case."""
    y = pair[1]
    if not y or len(y) >= MAX_TEXT:
        return SKIP
    i = int(rng.unit() * len(y))
    kind = rng.below(4)
    char = draw_own_char(material, rng)
    new = (
        y[:i] + y[i + 1 :],
        y[:i] + char + y[i:],
        y[:i] + char + y[i + 1 :],
        y[:i] + y[i].swapcase() + y[i + 1 :],
    )[kind]
    return (new, y) if new != y else SKIP


@operator("relation", on="text~text", weight=1.5, examples=[
    (("z", "abc"), lambda p: len(p[0]) == 3 and p[1] == "abc"), (("z", ""), [SKIP]),
])  # fmt: skip
def same_size(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Give x the length of y: repeated and cut, drawn anew, or drawn from y's characters."""
    x, y = pair
    n = len(y)
    if not n:
        return SKIP
    kind = rng.below(3)
    if kind == 0 and x:
        return (x * (n // len(x) + 1))[:n], y
    if kind == 1:
        return "".join([rng.choice(y) for _ in range(n)]), y
    return "".join([draw_own_char(material, rng) for _ in range(n)]), y


@operator(
    "relation",
    on="list~list",
    weight=1.5,
    examples=[
        (([9], [2, 3, 1]), lambda p: p[1] == [2, 3, 1] and sorted(p[0]) == [1, 2, 3]),
        (([9], [1]), [SKIP]),
    ],
)
def arranged_copy(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a reversed, sorted, rotated or shuffled copy of y that differs from it."""
    x, y = pair
    if len(y) < 2:
        return SKIP
    items = list(y)
    kind = rng.below(4)
    new = (
        items[::-1]
        if kind == 0
        else sort_any(items)
        if kind == 1
        else [*items[1:], items[0]]
        if kind == 2
        else rng.shuffled(items)
    )
    return (type(x)(new), y) if new != items else SKIP


@operator("relation", on="list~list", weight=1.5, examples=[
    (([9], [1, 2, 3]), lambda p: 0 < len(p[0]) < 3 and set(p[0]) < {1, 2, 3}), (([9], [1]), [SKIP]),
])  # fmt: skip
def sublist(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Make x a prefix, a suffix, a middle or a subsequence of y, shorter than it."""
    x, y = pair
    n = len(y)
    if n < 2:
        return SKIP
    kind = rng.below(4)
    i = 1 + int(rng.unit() * (n - 1))
    if kind == 0:
        new = y[:i]
    elif kind == 1:
        new = y[i:]
    elif kind == 2:
        start = int(rng.unit() * (n - i + 1))
        new = y[start : start + i]
    else:
        new = [item for item in y if rng.unit() < 0.5][: n - 1] or y[:1]
    return type(x)(new), y


@operator(
    "relation",
    on="list~list",
    weight=1.5,
    examples=[
        (
            ([9], [1, 2]),
            lambda p: (
                p[1] == [1, 2] and (len(p[0]) in (1, 3) or p[0][0] in (1, 9) or p[0][1] in (2, 9))
            ),
        ),
    ],
)
def copy_with_change(
    pair: Pair, specs: tuple[Many, Spec], material: Material, rng: Stream
) -> Value:
    """Make x a copy of y with one item more, less, replaced, or taken from the old x."""
    x, y = pair
    items = list(y[: MAX_ITEMS - 1])
    if not items or type(specs[0]) is not Many:
        return SKIP
    i = int(rng.unit() * len(items))
    kind = rng.below(4)
    if kind == 0:
        del items[i]
    elif kind == 1:
        items.insert(i, fresh(specs[0].item, material, rng, 1))
    elif kind == 2 or not x:
        items[i] = fresh(specs[0].item, material, rng, 1)
    else:
        items[i] = rng.choice(x)
    return (type(x)(items), y) if items != list(y) else SKIP


@operator(
    "relation",
    on="list~list",
    weight=1.5,
    examples=[
        (([9, 8], [1]), lambda p: p[1] == [1] and set(p[0]) <= {9, 8, 1} and 1 in p[0]),
        (([9], []), [SKIP]),
    ],
)
def share_items(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Bring items of y into x: one more, one in the place of another, half of them, or all."""
    x, y = pair
    if not y:
        return SKIP
    items = list(x[: MAX_ITEMS // 2])
    i = int(rng.unit() * (len(items) + 1))
    kind = rng.below(4)
    if kind == 0 or not items:
        items.insert(i, rng.choice(y))
    elif kind == 1:
        items[i : i + 1] = [rng.choice(y)]
    elif kind == 2:
        items[::2] = [rng.choice(y) for _ in items[::2]]
    else:
        items += y[: MAX_ITEMS // 2]
    return type(x)(items), y


@operator(
    "relation",
    on="list~list",
    weight=2.0,
    examples=[
        (([1, 2, 3], [7]), lambda p: len(p[0]) == len(p[1]) and set(p[0]) <= {1, 2, 3}),
        (([], [7]), [SKIP]),
    ],
)
def same_length(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Give both one length: that of either, or another one, by cutting or going around."""
    x, y = pair
    if not x or not y:
        return SKIP
    size = rng.choice((len(x), len(y), 1, 2, 1 + draw_size(rng)))
    return (x * (size // len(x) + 1))[:size], (y * (size // len(y) + 1))[:size]


@operator(
    "relation",
    on="list~list",
    weight=1.5,
    examples=[
        (([1, 2], [7, 8]), lambda p: len(p[0]) == len(p[1]) and len(p[0]) in (1, 2, 3)),
        (([], [7]), [SKIP]),
    ],
)
def same_index(pair: Pair, specs: Specs, material: Material, rng: Stream) -> Value:
    """Change both at one index: drop, repeat, draw anew, swap across, or make equal there."""
    x, y = list(pair[0]), list(pair[1])
    n = min(len(x), len(y))
    if not n or max(len(x), len(y)) >= MAX_ITEMS:
        return SKIP
    i = int(rng.unit() * n)
    kind = rng.below(5)
    if kind == 0:
        del x[i], y[i]
    elif kind == 1:
        x.insert(i, x[i])
        y.insert(i, y[i])
    elif kind == 2:
        x[i], y[i] = y[i], x[i]
    elif kind == 3:
        x[i] = y[i]
    else:
        for items, spec in ((x, specs[0]), (y, specs[1])):
            if type(spec) is Many:
                items[i] = fresh(spec.item, material, rng, 1)
    return type(pair[0])(x), type(pair[1])(y)
