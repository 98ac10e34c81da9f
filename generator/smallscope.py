"""Small scope: the simplest values of a type, and the simplest calls made of them.

Tiny corner combinations (two empty strings, ``[0]``, ``(0, 1)``) are where most wrong programs
that random search misses go wrong. They want enumeration, not search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from plusforge.generator.fresh import hashable_part
from plusforge.generator.material import Material
from plusforge.generator.streams import alternate, diagonal
from plusforge.oracle import wire
from plusforge.oracle.typespec import (
    CONTAINERS,
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
)
from plusforge.oracle.values import Args, Value

SMALL_INTS = (0, 1, -1, 2, 3, 10, -2, 4, 5, 7, 6, 8, 9, 11, 12, 13, -3, -10, 100, 20, 99)
SMALL_FLOATS = (0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 2.0, 0.1, 1.5, -2.5, 10.0, 3.7, -1.5, 100.0)
DOMAIN_LIMIT = 4096
"""Largest type domain that is enumerated completely."""

_DEPTH = 2
"""Containers inside that many containers get scalars only."""
_PER_ARGUMENT = 80
"""Values of one argument that enter products."""


def small_values(spec: Spec, material: Material, limit: int, depth: int = 0) -> list[Value]:
    """List the simplest values of a type.

    Args:
        spec: Any spec.
        material: Raw material of the task; strings are made of its alphabet and literals.
        limit: Number of values, at most.
        depth: Number of containers around the value.

    Returns:
        Distinct values, the simplest first; at least one, unless the limit is less.
    """
    return list(islice(_distinct(_small(spec, material, depth)), limit))


def _distinct(values: Iterable[Value]) -> Iterator[Value]:
    seen: set[bytes] = set()
    for value in values:
        key = wire.dumps(value)
        if key not in seen:
            seen.add(key)
            yield value


def _small(spec: Spec, material: Material, depth: int) -> Iterator[Value]:
    match spec:
        case Scalar(kind):
            return _scalars(kind, material)
        case Many(kind, item):
            return _containers(kind, item, material, depth)
        case Fixed(kind, items):
            cast = CONTAINERS[kind]
            columns = [small_values(item, material, 8, depth + 1) for item in items]
            return (cast(values) for values in diagonal(columns))
        case Mapping(key, value):
            return _mappings(key, value, material, depth)
        case OneOf(options):
            return alternate([_small(option, material, depth) for option in options])
        case _:
            return _anything(material, depth)


def _scalars(kind: str, material: Material) -> Iterator[Value]:
    if kind == "none":
        yield None
    elif kind == "bool":
        yield from (False, True)
    elif kind == "int":
        yield from SMALL_INTS
        yield from sorted(material.ints, key=lambda n: (abs(n), n < 0))
        yield from (1000, -100, 10**4, 10**6)
    elif kind == "float":
        yield from SMALL_FLOATS
        yield from sorted(material.floats, key=lambda x: (abs(x), x < 0))
    elif kind == "complex":
        yield from (0j, 1 + 0j, 1j, -1 + 0j, -1j, 1 + 1j, -1 - 1j, 0.5 + 2j)
    elif kind == "str":
        yield from _strings(material)
    else:
        yield from (b"", b"a", b" ", b"\x00", b"\xff", b"aa", b"ab", b"ba", b"Aa", b"a b")


def _strings(material: Material) -> Iterator[str]:
    """Yield the empty string, single characters, pairs, and shapes made of two characters."""
    own = sorted(material.alphabet, key=lambda char: (not char.isalnum(), char)) or ["a", "b"]
    # Taken in strides, a long alphabet shows its ends and its middle first.
    count = min(6, len(own))
    spread = [own[i * len(own) // count] for i in range(count)]
    x, y = spread[0], spread[-1] if len(spread) > 1 else "b"
    yield from ("", x, " ", y, "a", "A", x + x, x + y, y + x, "1")
    yield from material.texts[:12]
    yield from material.brackets
    yield from (pair[::-1] for pair in material.brackets)
    yield from (f"{x} {y}", " " + x, x + " ", "  ", "Aa", x + y + x, x + x + y, x.swapcase() + y)
    yield from spread
    yield from ("0", "10", "-1", ".", "z", "aB", x + "1", "1" + x, x + "  " + y, x * 3, x + ".")
    yield from material.tokens[:12]
    yield from own[:40]
    yield from (a + b for a in spread for b in spread)
    yield from map(chr, range(32, 127))  # where strings of one character are all there is


def _containers(kind: str, item: Spec, material: Material, depth: int) -> Iterator[Value]:
    cast = CONTAINERS[kind]
    yield cast()
    part = hashable_part(item) if kind in ("set", "frozenset") else item
    if part is None or depth > _DEPTH:
        return
    values = small_values(part, material, (12, 6, 3)[depth], depth + 1)
    yield from (cast([x]) for x in values[:4])
    shapes: list[list[Value]] = []
    shapes += [[x, x] for x in values[:3]]
    shapes += [[x, y] for x, y in diagonal([values[:4], values[:4]]) if x is not y]
    yield from map(cast, shapes)
    yield from (cast([x]) for x in values[4:])
    yield from (cast([x, y, z]) for x, y, z in diagonal([values[:3]] * 3))
    if depth:
        return
    if isinstance(item, Anything) and kind in ("list", "tuple"):
        yield from _nests(cast, material)
    yield from (cast([x, x]) for x in values[3:8])
    yield from (cast([x, y]) for x, y in diagonal([values[:8]] * 2))
    yield from (cast(values[:n]) for n in (4, 5, 6, 8))
    yield from (cast(values[:n][::-1]) for n in (4, 5))
    yield from (cast([values[0]] * n) for n in (4, 5, 7))
    yield from (cast(columns) for columns in diagonal([values[:2]] * 4))


def _nests(cast: type, material: Material) -> Iterator[Value]:
    """Yield containers in containers, down to five levels, of one int or one own character."""
    yield cast([cast([cast()])])
    for x in (1, *material.alphabet[:1]):
        one = cast([x])
        two = cast([x, one])
        yield from (cast([one]), two, cast([one, x]), cast([cast([one])]), cast([x, two]))
        yield from (cast([x, cast([x, two])]), cast([cast([cast([one])])]), cast([one, two]))


def _mappings(key: Spec, value: Spec, material: Material, depth: int) -> Iterator[Value]:
    yield {}
    part = hashable_part(key)
    if part is None or depth > _DEPTH:
        return
    keys = small_values(part, material, 6, depth + 1)
    values = small_values(value, material, 4, depth + 1)
    yield from ({k: v} for k, v in diagonal([keys, values]))
    yield from (dict.fromkeys(keys[:n], values[0]) for n in (2, 3, 4))
    if isinstance(value, Anything) and not depth:
        k = keys[0]
        yield from ({k: {}}, {k: {k: 1}}, {k: {k: {k: 1}}}, {k: {}, keys[-1]: {k: {k: 1}}})
    yield from (
        {k: values[(i + shift) % len(values)] for i, k in enumerate(keys[:n])}
        for shift in (0, 1)
        for n in (2, 3, 5)
    )


def _anything(material: Material, depth: int) -> Iterator[Value]:
    scalars: list[Iterator[Value]] = [
        _scalars(kind, material) for kind in ("int", "str", "bool", "none", "float")
    ]
    if depth < _DEPTH:
        scalars.insert(2, _containers("list", Scalar("int"), material, depth + 1))
        scalars.append(_mappings(Scalar("str"), Scalar("int"), material, depth + 1))
        scalars.append(_containers("tuple", Scalar("str"), material, depth + 1))
    return alternate(scalars)


def small_args(specs: Sequence[Spec], material: Material, limit: int) -> Iterator[Args]:
    """Yield the simplest calls.

    Args:
        specs: One spec per argument; every call gives all of them.
        material: Raw material of the task.
        limit: Number of calls, at most.

    Returns:
        Distinct calls in order of total simplicity.
    """
    per_argument = limit if len(specs) == 1 else min(limit, _PER_ARGUMENT)
    columns = [small_values(spec, material, per_argument) for spec in specs]
    return islice(diagonal(columns), limit)


def enumerate_domain(specs: Sequence[Spec]) -> Iterator[Args] | None:
    """Enumerate all calls of a task whose types have finitely many, and few, values.

    Args:
        specs: One spec per argument.

    Returns:
        Every call the types allow, or None when they are infinite or more than
        ``DOMAIN_LIMIT``. A task without arguments has one call.
    """
    columns = _domains(specs)
    return None if columns is None else diagonal(columns)


def _domains(specs: Sequence[Spec]) -> list[list[Value]] | None:
    """Return all values of each type; None unless their combinations are finitely many and few."""
    columns: list[list[Value]] = []
    size = 1
    for spec in specs:
        column = _domain(spec)
        if column is None:
            return None
        size *= len(column)
        if size > DOMAIN_LIMIT:
            return None
        columns.append(column)
    return columns


def _domain(spec: Spec) -> list[Value] | None:
    """Return all values of a finite type, or None."""
    match spec:
        case Scalar("none"):
            return [None]
        case Scalar("bool"):
            return [False, True]
        case OneOf(options):
            parts = [_domain(option) for option in options]
            return [v for part in parts for v in part or []] if None not in parts else None
        case Fixed(kind, items):
            columns = _domains(items)
            if columns is None:
                return None
            return [CONTAINERS[kind](values) for values in product(*columns)]
        case _:
            return None
