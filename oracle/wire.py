"""The wire form of plain values: how arguments and results cross the wall of the sandbox.

It is marshal's version 2, which is deterministic: no references, sets written in sorted order, one
spelling for each value. Inside the sandbox C speed matters and nothing is trusted, so the child
uses ``marshal`` itself. Outside, bytes that came from a child are only ever compared, or read by
the bounded pure-Python reader ``loads``: ``marshal.loads`` takes gigabytes for five bad bytes.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import marshal
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

MAX_DEPTH = 60
"""Nesting a value may have on the wire. marshal itself stops at 2,000, Python's reader sooner."""

MAX_RANGE = 1_000_000
"""Longest ``range`` that is written out as a list."""

MAX_SAME_HASH = 64
"""Set items or keys of one hash that the reader accepts: building a set of n takes n**2 time."""

RATIONAL = "\0plusforge.rational"
"""First item of the triple (RATIONAL, numerator, denominator) that stands for a rational result."""

_SCALARS = frozenset({int, float, str, bool, type(None), bytes, complex})
_FLAT = frozenset({list, tuple, set, frozenset})


class BadFrame(ValueError):
    """Bytes that are not the wire form of any plain value, or of one beyond the reader's bounds."""


class Unencodable(ValueError):
    """A result that has no plain form. The message is its type's name."""


def dumps(value: Any) -> bytes:
    """Return the wire form of a value that ``is_exact``.

    Raises:
        ValueError: The value holds something that marshal cannot write.
    """
    return marshal.dumps(value, 2)


def is_exact(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a value consists of plain builtins only, by exact type.

    ``marshal`` alone is no test: it writes any object with a buffer, such as an array, as bytes.

    Args:
        value: Any object.
        depth: Nesting still allowed.
    """
    kind = type(value)
    if kind in _SCALARS:
        return True
    if depth <= 0:
        return False
    if kind in _FLAT:
        if _SCALARS.issuperset(map(type, value)):
            return True
        return all(is_exact(item, depth - 1) for item in value)
    if kind is dict:
        keys, values = value.keys(), value.values()
        if _SCALARS.issuperset(map(type, keys)) and _SCALARS.issuperset(map(type, values)):
            return True
        return all(is_exact(item, depth - 1) for pair in value.items() for item in pair)
    return False


# ---------------------------------------------------------------- results of well-known types

_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__

_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__complex__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (bytearray, lambda value: b"" + bytearray.__getitem__(value, slice(None))),
)
_ITEMS: tuple[tuple[type, Callable[[Any], Iterable[Any]], Callable[[list[Any]], Any]], ...] = (
    (list, list.__iter__, list),
    (tuple, tuple.__iter__, tuple),
    (set, set.__iter__, set),
    (frozenset, frozenset.__iter__, frozenset),
)
_VIEWS: dict[type, Callable[[list[Any]], Any]] = {
    type({}.keys()): set,
    type({}.items()): set,
    type({}.values()): list,
}


def reduce_value(value: Any, *, rationals: bool = False, depth: int = MAX_DEPTH) -> Any:
    """Return the plain value that a result of a well-known type stands for.

    A subclass counts as its base value, read through the base class's own methods so that nothing
    the subclass overrides is asked: Counter and OrderedDict are dicts, an IntEnum member is an
    int, a named tuple is a tuple. Views of dicts become sets (values: a list), a range a list,
    numpy's scalars and arrays plain numbers and lists.

    Args:
        value: Any object.
        rationals: Accept Decimal and Fraction as exact rationals (see ``RATIONAL``).
        depth: Nesting still allowed.

    Raises:
        Unencodable: There is no plain form, as for generators, functions and most objects.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if depth <= 0:
        raise Unencodable("a value nested too deeply")
    bases = _mro(kind)
    for base, plain in _BASES:
        if base in bases:
            return plain(value)

    def reduced(items: Iterable[Any]) -> list[Any]:
        return [reduce_value(item, rationals=rationals, depth=depth - 1) for item in items]

    for base, iterate, build in _ITEMS:
        if base in bases:
            return build(reduced(iterate(value)))
    if dict in bases:
        pairs = list(dict.items(value))
        return dict(zip(reduced(k for k, _ in pairs), reduced(v for _, v in pairs), strict=True))
    if kind in _VIEWS:
        return _VIEWS[kind](reduced(value))
    if kind is range and len(value) <= MAX_RANGE:
        return list(value)
    if rationals and (kind is Fraction or (kind is Decimal and value.is_finite())):
        return (RATIONAL, *value.as_integer_ratio())
    if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
        plain_value = value.tolist()
        if type(plain_value) is not kind:
            return reduce_value(plain_value, rationals=rationals, depth=depth - 1)
    raise Unencodable(f"{kind.__module__}.{kind.__qualname__}"[:120])


# ---------------------------------------------------------------- the bounded reader

_int32 = struct.Struct("<i").unpack_from
_double = struct.Struct("<d").unpack_from
_NON_FINITE = re.compile(rb"(?:g|y|y.{8}).{6}[\xf0-\xff][\x7f\xff]", re.DOTALL)
_DIGIT_BITS = 15


def maybe_non_finite(data: bytes) -> bool:
    """Tell whether wire bytes may hold NaN or infinity; False is certain, True is not."""
    return _NON_FINITE.search(data) is not None


def loads(data: bytes, *, max_bytes: int = 64 << 20) -> Any:
    """Return the value of wire bytes, whoever wrote them.

    Time and memory are linear in the number of bytes, whatever they say.

    Args:
        data: Bytes, perhaps hostile.
        max_bytes: Longest accepted input, bytes.

    Returns:
        A value of exact builtin types (and ``Fraction`` where ``RATIONAL`` stands).

    Raises:
        BadFrame: The bytes are malformed, too long, or nested too deeply.
    """
    if len(data) > max_bytes:
        raise BadFrame(f"{len(data)} bytes, at most {max_bytes} are read")
    reader = _Reader(data)
    value = reader.value(MAX_DEPTH + 4)
    if reader.position != len(data):
        raise BadFrame(f"{len(data) - reader.position} bytes after the value")
    return value


class _Reader:
    """Reads one value after another; ``position`` is where the next one starts."""

    __slots__ = ("data", "position")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def value(self, depth: int) -> Any:
        if depth < 0:
            raise BadFrame("nested too deeply")
        tag = self._take(1)
        read = _READERS.get(tag)
        if read is None:
            raise BadFrame(f"type {tag!r} at byte {self.position - 1} is not a plain value")
        return read(self, depth - 1)

    def _take(self, count: int) -> bytes:
        start = self.position
        end = self.position = start + count
        taken = self.data[start:end]
        if len(taken) != count:
            raise BadFrame(f"{count} bytes expected at byte {start}, {len(taken)} are left")
        return taken

    def _int32(self) -> int:
        return int(_int32(self._take(4))[0])

    def _count(self) -> int:
        count = self._int32()
        if not 0 <= count <= len(self.data) - self.position:
            raise BadFrame(f"length {count} at byte {self.position} cannot be")
        return count

    def small(self, _depth: int) -> int:
        return self._int32()

    def large(self, _depth: int) -> int:
        count = self._int32()
        digits = struct.unpack(f"<{abs(count)}H", self._take(2 * abs(count)))
        if not digits or digits[-1] == 0 or max(digits) >> _DIGIT_BITS:
            raise BadFrame(f"malformed integer before byte {self.position}")
        # Pairs of numbers are joined level by level: adding digit by digit takes quadratic time.
        parts: list[int] = list(digits)
        width = _DIGIT_BITS
        while len(parts) > 1:
            parts.append(0)
            parts = [
                low | high << width for low, high in zip(parts[::2], parts[1::2], strict=False)
            ]
            width *= 2
        return parts[0] if count > 0 else -parts[0]

    def real(self, _depth: int) -> float:
        return float(_double(self._take(8))[0])

    def imaginary(self, depth: int) -> complex:
        return complex(self.real(depth), self.real(depth))

    def text(self, _depth: int) -> str:
        try:
            return str(self._take(self._count()), "utf-8", "surrogatepass")
        except UnicodeDecodeError as exc:
            raise BadFrame(f"text is not UTF-8: {exc.reason}") from exc

    def raw(self, _depth: int) -> bytes:
        return self._take(self._count())

    def items(self, depth: int) -> list[Any]:
        value = self.value
        return [value(depth) for _ in range(self._count())]

    def tuple(self, depth: int) -> Any:
        items = self.items(depth)
        if len(items) == 3 and items[0] == RATIONAL and type(items[0]) is str:
            _, numerator, denominator = items
            if type(numerator) is not int or type(denominator) is not int or denominator < 1:
                raise BadFrame("malformed rational")
            return Fraction(numerator, denominator)
        return (*items,)

    def distinct(self, depth: int) -> set[Any]:
        return set(_hashable(self.items(depth)))

    def frozen(self, depth: int) -> frozenset[Any]:
        return frozenset(_hashable(self.items(depth)))

    def pairs(self, depth: int) -> dict[Any, Any]:
        keys, values = [], []
        while self.data[self.position : self.position + 1] != b"0":
            keys.append(self.value(depth))
            values.append(self.value(depth))
        self.position += 1
        return dict(zip(_hashable(keys), values, strict=True))


def _hashable(items: list[Any]) -> list[Any]:
    try:
        hashes = Counter(map(hash, items))
    except TypeError as exc:
        raise BadFrame(f"a set item or key is unhashable: {exc}") from exc
    if hashes and max(hashes.values()) > MAX_SAME_HASH:
        raise BadFrame("too many set items or keys of one hash")
    return items


_READERS: dict[bytes, Callable[[_Reader, int], Any]] = {
    b"N": lambda _reader, _depth: None,
    b"T": lambda _reader, _depth: True,
    b"F": lambda _reader, _depth: False,
    b"i": _Reader.small,
    b"l": _Reader.large,
    b"g": _Reader.real,
    b"y": _Reader.imaginary,
    b"u": _Reader.text,
    b"s": _Reader.raw,
    b"[": _Reader.items,
    b"(": _Reader.tuple,
    b"<": _Reader.distinct,
    b">": _Reader.frozen,
    b"{": _Reader.pairs,
}
