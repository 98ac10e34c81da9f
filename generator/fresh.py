"""Values drawn by type alone: new arguments, new items, and what is left when nothing else fits.

Sizes are geometric with a long tail, numbers favour boundaries and mined literals, strings favour
the task's own alphabet, and containers often draw from a pool of one to three items, because
repeated items are where programs differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from string import ascii_letters, digits
from typing import Any, Final, TypeAlias

from plusforge.generator.material import Material
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import (
    CONTAINERS,
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
    Unknown,
)
from plusforge.oracle.values import Value, key_of

INTS: Final = (
    0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 16, 25, 99, 100, 101, 127, 128, 255, 256,
    999, 1000, 1001, -3, -10, -100, 10**4, 10**5, 10**6, 10**9,
)  # fmt: skip
"""Ints at which programs change their mind."""
FLOATS: Final = (
    0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, -0.1, 0.01, 1e-3, 1e-9, 10.0, 99.99, 100.0,
    1000.0, 1e6,
)  # fmt: skip
"""Floats at which programs change their mind: halves, thin differences, whole values."""
PUNCTUATION: Final = ".,!?;:-_'\"()[]{}/\\@#&*+=<>|~`^%$"
UNICODE: Final = "éßÑİıǅ漢字αΩ²½٣ñ\u00a0"
"""Letters whose case, digits whose value and spaces whose width surprise programs."""
JOINTS: Final = (" ", " ", ",", "", ", ")
DEEPEST: Final = 2
"""Depth at which ``Anything`` stops drawing containers."""
PLAIN: Final = OneOf(tuple(Scalar(kind) for kind in ("int", "str", "bool", "none", "float")))
"""What stands for ``Anything`` where only hashable values fit."""


def _geometric_sizes() -> tuple[int, ...]:
    """Tabulate 256 quantiles of a geometric distribution (p = 0.78): one look-up per draw."""
    sizes = []
    for i in range(256):
        left, size = 1 - (i + 0.5) / 256, 0
        while left < 0.78 and size < 40:
            left /= 0.78
            size += 1
        sizes.append(size)
    return tuple(sizes)


_SIZES = _geometric_sizes()


def draw_size(rng: Stream) -> int:
    """Draw a size from 0 to 25, 3.5 on average."""
    return _SIZES[int(rng.unit() * 256)]


def draw_int(material: Material, rng: Stream) -> int:
    """Draw an int: a boundary, a mined literal, or a small, a medium or a large one."""
    x = rng.unit()
    if x < 0.30:
        return rng.choice(INTS)
    if x < 0.45 and material.ints:
        return rng.choice(material.ints)
    if x < 0.80:
        return rng.between(-10, 20)
    if x < 0.93:
        return rng.between(-200, 1000)
    return rng.between(-(10**5), 10**6)


def draw_float(material: Material, rng: Stream) -> float:
    """Draw a finite float: a boundary, a whole one, a half, a short decimal or a long one."""
    x = rng.unit()
    if x < 0.15:
        return rng.choice(FLOATS)
    if x < 0.22 and material.floats:
        return rng.choice(material.floats)
    whole = draw_int(material, rng)
    kind = rng.below(6)
    if kind == 0:
        return float(whole)
    if kind == 1:
        return whole + 0.5
    if kind == 2:
        return whole + rng.unit()
    if kind == 3:
        return whole / 10
    if kind == 4:
        return whole / 7
    return round(whole + rng.unit(), 2)


def draw_char(material: Material, rng: Stream) -> str:
    """Draw a character, half the time one of the task's own."""
    x = rng.unit()
    if x < 0.50 and material.alphabet:
        return rng.choice(material.alphabet)
    if x < 0.60 and material.chars:
        return rng.choice(material.chars)
    if x < 0.75:
        return rng.choice(ascii_letters)
    if x < 0.82:
        return rng.choice(digits)
    if x < 0.90:
        return rng.choice(PUNCTUATION)
    if x < 0.97:
        return " "
    return rng.choice(UNICODE) if material.unicode else rng.choice("\t\n ")


def draw_own_char(material: Material, rng: Stream) -> str:
    """Draw a character of the task's own alphabet; any one when it has none."""
    return rng.choice(material.alphabet) if material.alphabet else draw_char(material, rng)


def draw_number_text(material: Material, rng: Stream) -> str:
    """Draw a number written out, halves and superfluous zeros included."""
    text = str(draw_int(material, rng))
    return text + rng.choice(("", "", "", ".5", ".0", ".49", ".50", ".75"))


def draw_text(material: Material, rng: Stream) -> str:
    """Draw a string: a number, tokens, few different characters, or any characters."""
    if rng.unit() < (0.5 if material.numeric_text else 0.04):
        return draw_number_text(material, rng)
    if material.tokens and rng.unit() < 0.25:
        tokens = [rng.choice(material.tokens) for _ in range(draw_size(rng))]
        return rng.choice(JOINTS).join(tokens)
    size = draw_size(rng)
    if rng.unit() < 0.3 and material.alphabet:
        return "".join([rng.choice(material.alphabet) for _ in range(size)])
    if rng.unit() < 0.4:
        pool = [draw_char(material, rng) for _ in range(rng.choice((1, 2, 2, 3)))]
        return "".join([rng.choice(pool) for _ in range(size)])
    return "".join([draw_char(material, rng) for _ in range(size)])


def _draw_complex(material: Material, rng: Stream) -> complex:
    if rng.unit() < 0.5:
        return complex(draw_int(material, rng), draw_int(material, rng))
    return complex(draw_float(material, rng), draw_float(material, rng))


def _draw_bytes(material: Material, rng: Stream) -> bytes:
    if rng.unit() < 0.5:
        return bytes([rng.below(256) for _ in range(draw_size(rng))])
    return draw_text(material, rng).encode()


_SCALARS: dict[str, Callable[[Material, Stream], Value]] = {
    "none": lambda material, rng: None,
    "bool": lambda material, rng: rng.unit() < 0.5,
    "int": draw_int,
    "float": draw_float,
    "complex": _draw_complex,
    "str": draw_text,
    "bytes": _draw_bytes,
}


@lru_cache(maxsize=4096)
def hashable_part(spec: Spec) -> Spec | None:
    """Return the part of a spec whose values can be dict keys and set items, or None."""
    match spec:
        case Scalar() | Many("frozenset", _):
            return spec
        case Many("tuple", item):
            part = hashable_part(item)
            return Many("tuple", part) if part else None
        case Fixed("tuple", items):
            parts = tuple(part for part in map(hashable_part, items) if part)
            return Fixed("tuple", parts) if len(parts) == len(items) else None
        case OneOf(options):
            kept = tuple(part for part in map(hashable_part, options) if part)
            return OneOf(kept) if len(kept) > 1 else kept[0] if kept else None
        case Anything() | Unknown():
            return PLAIN
        case _:
            return None


def ordered(items: Iterable[Value]) -> list[Value]:
    """Return the items of a set in an order that is the same in every process."""
    found = list(items)
    classes = set(map(type, found))
    # Only these sort totally among themselves; {nan}, {frozenset()} and mixtures do not.
    if len(classes) == 1 and classes <= {int, str, bytes, bool}:
        return sorted(found)
    return sorted(found, key=key_of)


def fresh(spec: Spec, material: Material, rng: Stream, depth: int = 0) -> Value:
    """Draw a value by type.

    Args:
        spec: What the value has to fit.
        material: Raw material of the task.
        rng: Source of choices.
        depth: Number of containers around the value.

    Returns:
        A value that fits the spec, whatever the spec.
    """
    if type(spec) is Scalar:
        return _SCALARS[spec.kind](material, rng)
    return _DRAWERS[type(spec)](spec, material, rng, depth)


def _fresh_union(spec: OneOf, material: Material, rng: Stream, depth: int) -> Value:
    return fresh(rng.choice(spec.options), material, rng, depth)


def _fresh_many(spec: Many, material: Material, rng: Stream, depth: int) -> Value:
    item: Spec | None = spec.item
    if spec.kind in ("set", "frozenset"):
        item = hashable_part(spec.item)
    size = draw_size(rng) if depth < 2 else rng.below(4)
    if item is None or size == 0:
        return CONTAINERS[spec.kind]()
    if type(item) is OneOf and rng.unit() < (0.2 if material.mixed else 0.4):
        item = rng.choice(item.options)
    if type(item) is Many and rng.unit() < 0.4:
        return CONTAINERS[spec.kind](_rows(item, size, material, rng, depth + 1))
    if rng.unit() < 0.4:
        pool = [fresh(item, material, rng, depth + 1) for _ in range(rng.choice((1, 2, 3)))]
        return CONTAINERS[spec.kind]([rng.choice(pool) for _ in range(size)])
    return CONTAINERS[spec.kind]([fresh(item, material, rng, depth + 1) for _ in range(size)])


def _rows(item: Many, size: int, material: Material, rng: Stream, depth: int) -> list[Value]:
    """Draw containers of one length, as the rows of a matrix are; square half the time."""
    width = size if rng.unit() < 0.5 else draw_size(rng)
    cells = item.item if item.kind in ("list", "tuple") else hashable_part(item.item)
    if cells is None:
        return [CONTAINERS[item.kind]()] * size
    return [
        CONTAINERS[item.kind]([fresh(cells, material, rng, depth + 1) for _ in range(width)])
        for _ in range(size)
    ]


def _fresh_fixed(spec: Fixed, material: Material, rng: Stream, depth: int) -> Value:
    return CONTAINERS[spec.kind]([fresh(item, material, rng, depth + 1) for item in spec.items])


def _fresh_mapping(spec: Mapping, material: Material, rng: Stream, depth: int) -> Value:
    key = hashable_part(spec.key)
    if key is None:
        return {}
    return {
        fresh(key, material, rng, depth + 1): fresh(spec.value, material, rng, depth + 1)
        for _ in range(rng.below(6))
    }


_ANY_SCALARS = tuple(map(Scalar, ("int", "int", "int", "str", "str", "bool", "float", "none")))
_ANY: tuple[Spec, ...] = (
    *_ANY_SCALARS,
    Many("list", Anything()), Many("list", Scalar("int")), Many("list", Scalar("str")),
    Many("tuple", Anything()),
    Mapping(Scalar("str"), Scalar("int")), Mapping(Anything(), Anything()),
)  # fmt: skip


def _fresh_anything(spec: Spec, material: Material, rng: Stream, depth: int) -> Value:
    return fresh(rng.choice(_ANY if depth < DEEPEST else _ANY_SCALARS), material, rng, depth)


_Drawer: TypeAlias = Callable[[Any, Material, Stream, int], Value]
_DRAWERS: dict[type, _Drawer] = {
    OneOf: _fresh_union,
    Many: _fresh_many,
    Fixed: _fresh_fixed,
    Mapping: _fresh_mapping,
    Anything: _fresh_anything,
    Unknown: _fresh_anything,
}
