"""The canonical, lossless, type-tagged JSON encoding of plain Python values.

One value has exactly one encoding, so the encoded text is also the identity of a value (dedupe,
sort). JSON natives stay bare; whatever JSON would lose is a one-key object ``{"$kind": body}``.
This module knows nothing of tasks, files or processes.

====================================  =====================================================
Python                                JSON
====================================  =====================================================
None, bool, str, list                 bare
int with ``|n| < 2**53``              bare
any other int                         ``{"$int": "0x..."}`` (hex: no 4,300-digit limit)
finite float                          bare, always with ``.`` or ``e`` (``-0.0`` keeps its sign)
nan, inf, -inf                        ``{"$float": "nan"}``
complex                               ``{"$complex": [re, im]}``
bytes                                 ``{"$bytes": "00ff"}``
tuple, set, frozenset                 ``{"$tuple": [...]}``, sets sorted by the text of the items
dict                                  ``{"$dict": [[key, value], ...]}`` in insertion order
====================================  =====================================================

Anything else is refused by name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from plusforge.oracle.errors import ValueCodecError

Value: TypeAlias = Any
"""A plain value: None, bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset."""

Args: TypeAlias = tuple[Value, ...]
"""Positional arguments of one call. A tuple, so that no operator can grow it by accident."""

SAFE_INT = 2**53
"""Ints from here on lose digits in JSON readers that use doubles, so they are tagged."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An expected outcome that is an exception which the task's contract promises.

    Attributes:
        name: The exception's class name, for example ``"ValueError"``.
    """

    name: str


def encode(value: Value) -> Any:
    """Return the JSON-ready form of a plain value.

    Args:
        value: Any plain value; exact types only (a subclass is refused).

    Returns:
        A structure of JSON natives; see the table above.

    Raises:
        ValueCodecError: The value, or something inside it, is not a plain value, or it is nested
            too deeply to be written.
    """
    try:
        return _encode(value)
    except RecursionError as exc:
        raise ValueCodecError(
            "cannot encode a value nested deeper than Python's recursion limit; flatten it"
        ) from exc


def _encode(value: Value) -> Any:
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -SAFE_INT < value < SAFE_INT else {"$int": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind is list:
        return [_encode(item) for item in value]
    if kind is tuple:
        return {"$tuple": [_encode(item) for item in value]}
    if kind is dict:
        return {"$dict": [[_encode(k), _encode(v)] for k, v in value.items()]}
    if kind is set or kind is frozenset:
        return {f"${kind.__name__}": sorted((_encode(item) for item in value), key=text_of)}
    if kind is complex:
        return {"$complex": [_encode(value.real), _encode(value.imag)]}
    if kind is bytes:
        return {"$bytes": value.hex()}
    raise ValueCodecError(
        f"cannot encode {kind.__module__}.{kind.__qualname__}: only plain values (None, bool, "
        "int, float, complex, str, bytes, list, tuple, dict, set, frozenset) can be used"
    )


def _pairs(body: Any) -> dict[Value, Value]:
    result = {_decode(key): _decode(item) for key, item in body}
    if len(result) != len(body):
        raise ValueError("a key appears twice")
    return result


def _distinct(body: Any) -> list[Value]:
    items = [_decode(item) for item in body]
    if len(set(items)) != len(items):
        raise ValueError("an item appears twice")
    return items


_DECODERS: dict[str, Callable[[Any], Value]] = {
    "$int": lambda body: int(body, 16),
    "$float": lambda body: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[body],
    "$complex": lambda body: complex(float(_decode(body[0])), float(_decode(body[1]))),
    "$bytes": bytes.fromhex,
    "$tuple": lambda body: tuple(_decode(item) for item in body),
    "$set": lambda body: set(_distinct(body)),
    "$frozenset": lambda body: frozenset(_distinct(body)),
    "$dict": _pairs,
}


def decode(encoded: Any) -> Value:
    """Return the plain value of an encoding; every call builds new objects, so nothing is shared.

    Args:
        encoded: What ``encode`` returned, after a round trip through JSON text.

    Raises:
        ValueCodecError: An unknown tag, a malformed body, or an unhashable key or set item.
    """
    try:
        return _decode(encoded)
    except RecursionError as exc:
        raise ValueCodecError("an encoded value is nested deeper than the recursion limit") from exc


def _decode(encoded: Any) -> Value:
    if isinstance(encoded, list):
        return [_decode(item) for item in encoded]
    if not isinstance(encoded, dict):
        return encoded
    if len(encoded) != 1:
        raise ValueCodecError(
            f"a tagged value is an object with one key, got {sorted(encoded)[:4]}; "
            "a dict is written as {'$dict': [[key, value], ...]}"
        )
    ((tag, body),) = encoded.items()
    decoder = _DECODERS.get(tag)
    if decoder is None:
        raise ValueCodecError(f"value tag {tag!r} is unknown (tags: {', '.join(_DECODERS)})")
    try:
        return decoder(body)
    except (TypeError, ValueError, KeyError, IndexError) as exc:
        raise ValueCodecError(f"malformed body of value tag {tag!r}: {exc}") from exc


def text_of(encoded: Any) -> str:
    """Return the canonical text of an encoding: ASCII, no spaces, no NaN literals.

    Raises:
        ValueError: A float in it is NaN or infinite; ``encode`` tags those.
    """
    return json.dumps(encoded, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def key_of(value: Value) -> str:
    """Return the identity of a value: equal text means the same value, types and signs included.

    Raises:
        ValueCodecError: It is not a plain value, or nested too deeply.
    """
    return text_of(encode(value))


def fresh(value: Value) -> Value:
    """Return an equal value that shares no object with the given one, nor within itself.

    Raises:
        ValueCodecError: It is not a plain value, or nested too deeply.
    """
    return decode(encode(value))


def encode_args(args: Args) -> list[Any]:
    """Return the encodings of a call's arguments, as they stand in ``"args"`` of a suite file.

    Raises:
        ValueCodecError: One of them is not a plain value, or nested too deeply.
    """
    return [encode(arg) for arg in args]


def decode_args(encoded: list[Any]) -> Args:
    """Return the arguments of an ``"args"`` field.

    Raises:
        ValueCodecError: The field is malformed.
    """
    return tuple(decode(item) for item in encoded)


def encode_outcome(outcome: Value | Raised) -> Any:
    """Return the encoding of an expected outcome: a value, or ``{"$raise": name}``.

    Raises:
        ValueCodecError: The value is not a plain value, or nested too deeply.
    """
    return {"$raise": outcome.name} if isinstance(outcome, Raised) else encode(outcome)


def decode_outcome(encoded: Any) -> Value | Raised:
    """Return the expected outcome of an ``"expected"`` field.

    Raises:
        ValueCodecError: The field is malformed.
    """
    if isinstance(encoded, dict) and set(encoded) == {"$raise"}:
        return Raised(str(encoded["$raise"]))
    return decode(encoded)
