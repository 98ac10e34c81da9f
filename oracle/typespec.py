"""Types of arguments as data: read from annotations, observed in base inputs, checked exactly.

Annotations are parsed, never evaluated. A spec is exact: ``True`` is not an int and ``1`` is not
a float, unless the task's own inputs show such a value, in which case the spec is widened there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from plusforge.oracle.values import Value

Check: TypeAlias = Callable[[Value], bool]


@dataclass(frozen=True, slots=True)
class Scalar:
    """An atomic type; ``kind`` is one of ``none bool int float complex str bytes``."""

    kind: str


@dataclass(frozen=True, slots=True)
class Many:
    """A homogeneous container; ``kind`` is one of ``list tuple set frozenset``."""

    kind: str
    item: Spec


@dataclass(frozen=True, slots=True)
class Fixed:
    """A sequence with one type per position; ``kind`` is ``list`` or ``tuple``."""

    kind: str
    items: tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict from ``key`` to ``value``."""

    key: Spec
    value: Spec


@dataclass(frozen=True, slots=True)
class OneOf:
    """A union of at least two specs, none of them a union."""

    options: tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Any plain value, bool and None included."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """No annotation and nothing observed; ``unify`` fills it in."""


Spec: TypeAlias = Scalar | Many | Fixed | Mapping | OneOf | Anything | Unknown

SCALARS: dict[str, Any] = {
    "none": type(None), "bool": bool, "int": int, "float": float, "complex": complex,
    "str": str, "bytes": bytes,
}  # fmt: skip
CONTAINERS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_KIND_OF: dict[type, str] = {cls: kind for kind, cls in SCALARS.items()}
_MANY_NAMES = {
    "list": "list", "List": "list", "Sequence": "list", "Iterable": "list", "Collection": "list",
    "set": "set", "Set": "set", "frozenset": "frozenset", "FrozenSet": "frozenset",
}  # fmt: skip


def union(options: Iterable[Spec]) -> Spec:
    """Return the flat union of specs, without repeats, in order of first appearance."""
    flat: list[Spec] = []
    for option in options:
        for part in option.options if isinstance(option, OneOf) else (option,):
            if part not in flat:
                flat.append(part)
    if any(isinstance(part, Anything) for part in flat):
        return Anything()
    known = [part for part in flat if not isinstance(part, Unknown)]
    if not known:
        return Unknown()
    return known[0] if len(known) == 1 else OneOf(tuple(known))


def parse_annotation(text: str | None) -> Spec:
    """Return the spec of an annotation's source text.

    Args:
        text: For example ``"List[int]"``; None when there is no annotation.

    Returns:
        The spec, with ``Unknown`` where the annotation says nothing that values can be drawn
        from (no annotation, a bare ``list``'s items, a class of the task's own).
    """
    if text is None:
        return Unknown()
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Unknown()
    return _parse(node)


def _parse(node: ast.expr) -> Spec:
    if isinstance(node, ast.Constant):
        if node.value is None:
            return Scalar("none")
        return parse_annotation(node.value) if isinstance(node.value, str) else Unknown()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return union([_parse(node.left), _parse(node.right)])
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _parse_generic(_name(node.value), inner)
    return _parse_name(_name(node))


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _parse_name(name: str) -> Spec:
    if name in SCALARS and name != "none":
        return Scalar(name)
    if name in ("Any", "object"):
        return Anything()
    if name in ("Number", "Real"):
        return OneOf((Scalar("int"), Scalar("float")))
    if name in _MANY_NAMES:
        return Many(_MANY_NAMES[name], Unknown())
    if name in ("tuple", "Tuple"):
        return Many("tuple", Unknown())
    if name in ("dict", "Dict", "Mapping"):
        return Mapping(Unknown(), Unknown())
    return Unknown()


def _parse_generic(name: str, inner: list[ast.expr]) -> Spec:
    if name == "Optional":
        return union([_parse(inner[0]), Scalar("none")])
    if name == "Union":
        return union(_parse(part) for part in inner)
    if name == "Annotated":
        return _parse(inner[0])
    if name == "Literal":
        values = [part.value for part in inner if isinstance(part, ast.Constant)]
        return spec_of(values)
    if name in _MANY_NAMES:
        return Many(_MANY_NAMES[name], _parse(inner[0]))
    if name in ("tuple", "Tuple"):
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis:
            return Many("tuple", _parse(inner[0]))
        return Fixed("tuple", tuple(_parse(part) for part in inner))
    if name in ("dict", "Dict", "Mapping", "DefaultDict") and len(inner) == 2:
        return Mapping(_parse(inner[0]), _parse(inner[1]))
    return Unknown()


def spec_of(values: Sequence[Value], *, nested: bool = False) -> Spec:
    """Return the narrowest spec that all the observed values of one position fit.

    A sequence whose values all have one length and whose positions differ in type is a record
    (``Fixed``); so is a tuple of at most four items that appears, with one length, inside a
    container. Every other sequence is homogeneous.
    """
    groups: dict[type, list[Value]] = {}
    for value in values:
        groups.setdefault(type(value), []).append(value)
    return union(_spec_of_group(cls, group, nested=nested) for cls, group in groups.items())


def _spec_of_group(cls: type, group: list[Value], *, nested: bool) -> Spec:
    if cls in _KIND_OF:
        return Scalar(_KIND_OF[cls])
    if cls is dict:
        return Mapping(
            spec_of([key for value in group for key in value], nested=True),
            spec_of([item for value in group for item in value.values()], nested=True),
        )
    if cls in (list, tuple):
        lengths = {len(value) for value in group}
        if len(lengths) == 1 and min(lengths) >= 2:
            columns = tuple(spec_of(column, nested=True) for column in zip(*group, strict=True))
            clean = not any(isinstance(column, OneOf) for column in columns)
            differs = len(set(columns)) > 1 and clean and len(group) > 1
            record = cls is tuple and nested and min(lengths) <= 4 and len(group) > 1
            if differs or record:
                return Fixed(cls.__name__, columns)
    return Many(cls.__name__, spec_of([item for value in group for item in value], nested=True))


def unify(annotated: Spec, values: Sequence[Value]) -> Spec:
    """Return the annotation's spec, filled in and widened by the task's own values.

    Args:
        annotated: From ``parse_annotation``.
        values: Every value the task's own tests give this position.

    Returns:
        A spec that all of ``values`` fit, with ``Anything`` where nothing is known.
    """
    return _settle(_unify(annotated, values))


def _unify(spec: Spec, values: Sequence[Value]) -> Spec:
    if isinstance(spec, Anything):
        return spec
    if isinstance(spec, Unknown):
        return spec_of(values)
    options = spec.options if isinstance(spec, OneOf) else (spec,)
    shaped: list[Spec] = []
    taken: set[int] = set()
    for option in options:
        mine = [i for i, value in enumerate(values) if i not in taken and _shape(option, value)]
        taken.update(mine)
        shaped.append(_unify_inner(option, [values[i] for i in mine]))
    rest = [value for i, value in enumerate(values) if i not in taken]
    return union([*shaped, spec_of(rest)] if rest else shaped)


def _shape(spec: Spec, value: Value) -> bool:
    """Tell whether a value has the outer type of a spec that is not a union."""
    match spec:
        case Scalar(kind):
            return bool(type(value) is SCALARS[kind])
        case Many(kind, _):
            return type(value) is CONTAINERS[kind]
        case Fixed(kind, items):
            return type(value) is CONTAINERS[kind] and len(value) == len(items)
        case Mapping():
            return type(value) is dict
        case _:
            return True


def _unify_inner(spec: Spec, values: Sequence[Value]) -> Spec:
    match spec:
        case Many(kind, Unknown()):
            return spec_of(values) if values else spec
        case Many(kind, item):
            return Many(kind, _unify(item, [part for value in values for part in value]))
        case Fixed(kind, items):
            columns = list(zip(*values, strict=True)) if values else [()] * len(items)
            return Fixed(kind, tuple(map(_unify, items, columns)))
        case Mapping(key, item):
            return Mapping(
                _unify(key, [k for value in values for k in value]),
                _unify(item, [v for value in values for v in value.values()]),
            )
        case _:
            return spec


def _settle(spec: Spec) -> Spec:
    """Replace what is still unknown by ``Anything``."""
    match spec:
        case Unknown():
            return Anything()
        case Many(kind, item):
            return Many(kind, _settle(item))
        case Fixed(kind, items):
            return Fixed(kind, tuple(map(_settle, items)))
        case Mapping(key, item):
            return Mapping(_settle(key), _settle(item))
        case OneOf(options):
            return union(map(_settle, options))
        case _:
            return spec


def render(spec: Spec) -> str:
    """Return the spec as annotation text, for example ``list[int | float]``."""
    match spec:
        case Scalar(kind):
            return "None" if kind == "none" else kind
        case Many("tuple", item):
            return f"tuple[{render(item)}, ...]"
        case Many(kind, item):
            return f"{kind}[{render(item)}]"
        case Fixed(kind, items):
            return f"{kind}[{', '.join(map(render, items))}]"
        case Mapping(key, value):
            return f"dict[{render(key)}, {render(value)}]"
        case OneOf(options):
            return " | ".join(map(render, options))
        case _:
            return "Any"
