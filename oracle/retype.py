"""Types that JSON lost, recovered: tuples, sets, complex numbers, dict keys that are not strings.

Released files store inputs as JSON, but the same inputs stand as Python literals in the tasks' own
asserts. Where a literal's JSON form equals a stored input, the literal is the input. What has no
literal is given the types that the literals of the same position show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import Fixed, Many, Mapping, OneOf, Scalar, Spec
from plusforge.oracle.values import Args, Value

_NUMBERS: dict[str, Any] = {"int": int, "float": float, "complex": complex}
_SEQUENCES: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def same_json(raw: Any, value: Value) -> bool:
    """Tell whether a JSON value may be what is left of a typed value.

    Args:
        raw: As parsed from JSON.
        value: A plain value.
    """
    if isinstance(value, list | tuple):
        return isinstance(raw, list) and len(raw) == len(value) and all(map(same_json, raw, value))
    if isinstance(value, set | frozenset):
        return isinstance(raw, list) and len(raw) == len(value) and _covers(raw, value)
    if isinstance(value, dict):
        return isinstance(raw, dict) and len(raw) == len(value) and _same_dict(raw, value)
    if isinstance(value, bool) or value is None:
        return raw is value
    if isinstance(value, str):
        return isinstance(raw, str) and raw == value
    return _same_number(raw, value)


def _covers(raw: list[Any], items: Iterable[Value]) -> bool:
    left = list(raw)
    for item in items:
        index = next((i for i, part in enumerate(left) if same_json(part, item)), None)
        if index is None:
            return False
        del left[index]
    return True


def _same_dict(raw: dict[str, Any], value: dict[Value, Value]) -> bool:
    named = {_json_key(key): item for key, item in value.items()}
    return named.keys() == raw.keys() and all(same_json(raw[k], v) for k, v in named.items())


def _json_key(key: Value) -> str:
    """Return what ``json.dumps`` makes of a dict key (and ``str`` of what it refuses)."""
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return key if isinstance(key, str) else str(key)


def _same_number(raw: Any, value: Value) -> bool:
    if isinstance(raw, str):
        # Complex numbers have no JSON form: a file with one holds all its numbers as text.
        raw = _number(raw, complex)
    if raw is None or isinstance(raw, bool) or not isinstance(raw, int | float | complex):
        return False
    return bool(raw == value) or (raw != raw and value != value)


def _number(text: str, kind: Any) -> Any:
    try:
        return kind(text)
    except ValueError:
        return None


def recover(stored: Sequence[Any], literals: Sequence[Args]) -> list[Args | None]:
    """Return the typed form of each stored input, None where no literal has its JSON form.

    Args:
        stored: Argument lists as parsed from JSON.
        literals: Argument tuples read off the task's asserts.

    Note:
        Where two literals of different types have one JSON form, the one at the same place is
        taken, then the first.
    """
    result: list[Args | None] = []
    for index, raw in enumerate(stored):
        nearby = [literals[index]] if index < len(literals) else []
        match = (args for args in [*nearby, *literals] if same_json(raw, list(args)))
        result.append(next(match, None))
    return result


def numbers_as_text(stored: Sequence[Any], typed: Sequence[Args]) -> bool:
    """Tell whether a file writes numbers as text, as it must when one of them is complex.

    Args:
        stored: All argument lists of a task, as parsed from JSON.
        typed: Those whose types are known from literals.

    Returns:
        True when there are strings, all of them read as numbers, and no literal holds a string.
    """
    found = list(_texts(stored))
    return (
        bool(found)
        and all(_number(text, complex) is not None for text in found)
        and not any(_texts(typed))
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _texts(item)


def retype(raw: Any, spec: Spec, *, text: bool = True) -> Value:
    """Return a JSON value with the types of a spec, as far as they can be told.

    Args:
        raw: As parsed from JSON.
        spec: What the position holds.
        text: A string may stand for a number (see ``numbers_as_text``).

    Returns:
        A value that fits the spec when there is one with this JSON form; else the nearest.
    """
    return _retype(raw, spec, text=text, around="list")


def _retype(raw: Any, spec: Spec, *, text: bool, around: str) -> Value:
    match spec:
        case Many(kind, item) if isinstance(raw, list):
            return _collect(kind, [_retype(part, item, text=text, around=kind) for part in raw])
        case Fixed(kind, items) if isinstance(raw, list) and items:
            # Longer or shorter than every literal: the last item's type goes on.
            pairs = zip(raw, chain(items, repeat(items[-1])), strict=False)
            parts = [_retype(part, item, text=text, around=kind) for part, item in pairs]
            return _collect(kind, parts)
        case Mapping(key, item) if isinstance(raw, dict):
            return {
                _retype_key(name, key): _retype(part, item, text=text, around="list")
                for name, part in raw.items()
            }
        case Scalar(kind) if text and isinstance(raw, str) and kind in _NUMBERS:
            for maker in (_NUMBERS[kind], int, float, complex):
                number = _number(raw, maker)
                if number is not None:
                    return number
            return raw
        case OneOf(options):
            return _retype_union(raw, options, text=text, around=around)
        case _ if isinstance(raw, list) and around == "tuple":
            # Nested deeper than any literal: tuples in tuples, as further up.
            return tuple(_retype(part, spec, text=text, around=around) for part in raw)
        case _:
            return raw


def _collect(kind: str, items: list[Value]) -> Value:
    try:
        made = _SEQUENCES[kind](items)
    except TypeError:
        # A set of lists: the stored value has another shape than the literals.
        return items
    # Items that a set would swallow were in no set.
    return made if len(made) == len(items) else items


def _retype_key(text: Any, spec: Spec) -> Value:
    if not isinstance(text, str):
        return text  # from no JSON: its type is its own
    for option in spec.options if isinstance(spec, OneOf) else (spec,):
        if isinstance(option, Scalar) and option.kind in ("int", "float"):
            number = _number(text, _NUMBERS[option.kind])
            if number is not None and str(number) == text:
                return number
    return text


def _retype_union(raw: Any, options: tuple[Spec, ...], *, text: bool, around: str) -> Value:
    tried = [_retype(raw, option, text=text, around=around) for option in options]
    for option, value in zip(options, tried, strict=True):
        if compile_check(option)(value):
            return value
    return tried[0]
