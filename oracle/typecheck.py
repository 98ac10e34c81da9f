"""The exact check of values against specs, compiled for speed.

It decides in the sieve, where it runs on every candidate. ``conformity`` adds a second opinion.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import call
from typing import Any, TypeAlias

from plusforge.oracle.typespec import (
    CONTAINERS,
    SCALARS,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
)
from plusforge.oracle.values import Value

Check: TypeAlias = Callable[[Value], bool]


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
