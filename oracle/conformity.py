"""Checks of values against specs, with typeguard as the second opinion.

``conforms`` asks typeguard (all items) as well as the compiled check and runs on what a suite is
built from: base inputs and seeds. A test holds the two against each other on drawn values, so
neither can drift alone. A module of its own, since importing typeguard takes a third of the time
that a judge, who checks no type, needs to start.
"""

from __future__ import annotations

from typing import Any, Union

from plusforge.oracle.typecheck import compile_check
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

_DICT: Any = dict


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
