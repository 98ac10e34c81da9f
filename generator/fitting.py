"""Arguments as proposals write them, and as they were meant: JSON and people know fewer types."""

from __future__ import annotations

from plusforge.generator.prompting import is_json, specs_of
from plusforge.oracle.conformity import conforms
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold_text
from plusforge.oracle.retype import retype
from plusforge.oracle.task import Task
from plusforge.oracle.typespec import (
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
    Unknown,
)
from plusforge.oracle.values import Args, Value

EXACT_FLOATS = 1 << 53
"""Below this, every int is a float."""


class Fitting:
    """The types of a task's parameters, asked what proposed arguments were meant to be."""

    def __init__(self, task: Task) -> None:
        """Look at the task's annotations and base inputs."""
        self._specs = specs_of(task)

    def unquoted(self, args: Args) -> Args:
        """Return arguments of a reply with the values of the literals it was to put in strings.

        Args:
            args: Any number of them.
        """
        pairs = zip(args, self._specs, strict=False)
        return (*(_unquoted(arg, spec) for arg, spec in pairs), *args[len(self._specs) :])

    def valid(self, args: Args) -> Args:
        """Return arguments with the types that they were meant to have: ``1`` for a float."""
        pairs = zip(args, self._specs, strict=False)
        fitted = (_floats(_meant(arg, spec), spec) for arg, spec in pairs)
        return (*fitted, *args[len(self._specs) :])

    def invalid(self, args: Args) -> Args:
        """Return arguments that a contract shall refuse: a wrong type may be the very reason."""
        pairs = zip(args, self._specs, strict=False)
        return (*(_floats(arg, spec) for arg, spec in pairs), *args[len(self._specs) :])


def _unquoted(value: Value, spec: Spec) -> Value:
    if isinstance(value, list) and isinstance(spec, Many) and spec.kind == "list":
        return [_unquoted(item, spec.item) for item in value]
    if not isinstance(value, str) or is_json(spec):
        return value
    if not isinstance(spec, Anything | Unknown) and conforms(value, spec) is None:
        return value
    try:
        return fold_text(value)
    except LiteralError:
        return value


def _meant(arg: Value, spec: Spec) -> Value:
    """Return an argument of the right type: the value of a literal, a tuple for a list."""
    if conforms(arg, spec) is None:
        return arg
    other = retype(arg, spec, text=False)
    if isinstance(arg, str):
        try:
            other = fold_text(arg)
        except LiteralError:
            return arg
    return other if conforms(_floats(other, spec), spec) is None else arg


def _floats(value: Value, spec: Spec) -> Value:
    """Return a value with floats for the ints that stand where floats belong."""
    match spec:
        case Scalar("float") if type(value) is int and abs(value) < EXACT_FLOATS:
            return float(value)
        case Many(_, item) if isinstance(value, list | tuple | set | frozenset):
            return type(value)(_floats(part, item) for part in value)
        case Fixed(_, items) if isinstance(value, list | tuple) and len(value) == len(items):
            pairs = zip(value, items, strict=True)
            return type(value)(_floats(part, item) for part, item in pairs)
        case Mapping(key, item) if isinstance(value, dict):
            return {_floats(k, key): _floats(part, item) for k, part in value.items()}
        case OneOf(options) if conforms(value, spec) is not None:
            tried = ((_floats(value, option), option) for option in options)
            return next((other for other, one in tried if conforms(other, one) is None), value)
    return value
