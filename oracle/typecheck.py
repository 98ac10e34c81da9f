"""Checks of values against specs: a compiled exact one for speed, typeguard as the second opinion.

The compiled check decides in the sieve, where it runs on every candidate. ``conforms`` asks
typeguard (all items) as well and runs on what a suite is built from: base inputs and seeds. A test
holds the two against each other on drawn values, so neither can drift alone.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import call
from typing import Any, TypeAlias, Union

from plusforge.oracle.typespec import (
    CONTAINERS,
    SCALARS,
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
)
from plusforge.oracle.values import Value
from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

Check: TypeAlias = Callable[[Value], bool]

_DICT: Any = dict


def compile_check(spec: Spec) -> Check:
    """Return a function that tells whether a value has exactly the spec's types, at any depth."""
    match spec:
        case Scalar(kind):
            cls = SCALARS[kind]
            return lambda value: type(value) is cls
        case Many(kind, item):
            return _check_many(CONTAINERS[kind], item)
        case Fixed(kind, items):
            return _check_fixed(CONTAINERS[kind], [compile_check(item) for item in items])
        case Mapping(key, item):
            return _check_mapping(compile_check(key), compile_check(item))
        case OneOf(options):
            return _check_union(options)
        case _:
            return _is_plain


def _scalar_classes(spec: Spec) -> frozenset[type] | None:
    """Return the exact classes of a spec made of scalars only, or None when it has containers."""
    match spec:
        case Scalar(kind):
            return frozenset({SCALARS[kind]})
        case OneOf(options) if all(isinstance(option, Scalar) for option in options):
            return frozenset(SCALARS[o.kind] for o in options if isinstance(o, Scalar))
        case _:
            return None


def _check_many(cls: Any, item: Spec) -> Check:
    classes = _scalar_classes(item)
    if classes is not None:
        # set(map(type, x)) runs at C speed: one pass, however long the container.
        return lambda value: type(value) is cls and classes.issuperset(map(type, value))
    check = compile_check(item)
    return lambda value: type(value) is cls and all(map(check, value))


def _check_fixed(cls: Any, checks: list[Check]) -> Check:
    size = len(checks)
    return lambda value: type(value) is cls and len(value) == size and all(map(call, checks, value))


def _check_mapping(key: Check, item: Check) -> Check:
    return lambda value: (
        type(value) is dict and all(map(key, value)) and all(map(item, value.values()))
    )


def _check_union(options: tuple[Spec, ...]) -> Check:
    classes = _scalar_classes(OneOf(options))
    if classes is not None:
        return lambda value: type(value) in classes
    checks = [compile_check(option) for option in options]
    return lambda value: any(check(value) for check in checks)


_PLAIN_SCALARS = frozenset(SCALARS.values())


def _is_plain(value: Value) -> bool:
    """Tell whether a value is plain (exact built-in types only), at any depth."""
    cls = type(value)
    if cls in _PLAIN_SCALARS:
        return True
    if cls is dict:
        return all(map(_is_plain, value)) and all(map(_is_plain, value.values()))
    return cls in CONTAINERS.values() and all(map(_is_plain, value))


def _to_type(spec: Spec) -> Any:
    """Return the spec as a typing object, for tools that take one."""
    match spec:
        case Scalar("none"):
            return None
        case Scalar(kind):
            return SCALARS[kind]
        case Many("tuple", item):
            return CONTAINERS["tuple"][_to_type(item), ...]
        case Many(kind, item):
            return CONTAINERS[kind][_to_type(item)]
        case Fixed("tuple", items):
            return CONTAINERS["tuple"][tuple(_to_type(item) for item in items)]
        case Fixed(_, items):
            return CONTAINERS["list"][_alternatives(items)]
        case Mapping(key, value):
            return _DICT[_to_type(key), _to_type(value)]
        case OneOf(options):
            return _alternatives(options)
        case Anything():
            return Any
        case _:
            return object


def _alternatives(options: tuple[Spec, ...]) -> Any:
    # Not ``|``, which None | None and Any refuse.
    return Union[tuple(map(_to_type, options))]  # noqa: UP007


def conforms(value: Value, spec: Spec) -> str | None:
    """Check one value with typeguard (every item) and exactly.

    Args:
        value: A plain value.
        spec: The spec of its position.

    Returns:
        None when it fits, else one line saying where it does not.
    """
    try:
        check_type(
            value, _to_type(spec), collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS
        )
    except TypeCheckError as exc:
        return str(exc)
    if not compile_check(spec)(value):
        # typeguard follows PEP 484 (True is an int, 1 is a float); a test input may not.
        return "a bool stands for an int or an int for a float"
    return None
