"""Read wire bytes that a hostile program may have written.

A bounded reader in pure Python: time and memory are linear in the number of bytes, whatever they
claim. It accepts what ``marshal`` writes for plain values and nothing else: no code, no references.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

MAX_DEPTH = 60
"""Nesting a value may have on the wire. marshal itself stops at 2,000, Python's reader sooner."""

MAX_SETS = 16
"""Sets within sets that are accepted: writing n of them takes 2**n time, as each is sorted."""

MAX_SAME_HASH = 64
"""Set items or keys of one hash that are accepted: building a set of n such takes n**2 time."""

RATIONAL = "\0plusforge.rational"
"""First item of the triple (RATIONAL, numerator, denominator) that stands for a rational result."""

MAX_RATIONAL_BITS = 20_000
"""Longest numerator or denominator of a rational that is no whole number, bits: reducing costs
their product."""

_DIGIT_BITS = 15
_int32 = struct.Struct("<i").unpack_from
_double = struct.Struct("<d").unpack_from


class BadFrame(ValueError):
    """Bytes that are not the wire form of any plain value, or of one beyond the reader's bounds."""


def loads(data: bytes, *, max_bytes: int = 64 << 20) -> Any:
    """Return the value of wire bytes, whoever wrote them.

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
    try:
        value = reader.value(MAX_DEPTH + 1)  # the arguments' own tuple is one more
    except (IndexError, struct.error) as exc:
        raise BadFrame(f"the bytes end within a value, after {len(data)}") from exc
    if reader.position != len(data):
        raise BadFrame(f"{len(data) - reader.position} bytes after the value")
    return value


class _Reader:
    """Reads one value after another; ``position`` is where the next one starts."""

    __slots__ = ("data", "position", "sets")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.sets = 0  # that are open

    def value(self, depth: int) -> Any:
        at = self.position
        self.position = at + 1
        return _READERS[self.data[at]](self, depth)

    def small(self, _depth: int) -> int:
        at = self.position
        self.position = at + 4
        return _int32(self.data, at)[0]  # type: ignore[no-any-return]

    def real(self, _depth: int) -> float:
        at = self.position
        self.position = at + 8
        return _double(self.data, at)[0]  # type: ignore[no-any-return]

    def imaginary(self, depth: int) -> complex:
        return complex(self.real(depth), self.real(depth))

    def raw(self, _depth: int) -> bytes:
        data, start = self.data, self.position + 4
        end = self.position = start + _int32(data, start - 4)[0]
        if not start <= end <= len(data):
            raise BadFrame(f"length {end - start} before byte {start} cannot be")
        return data[start:end]

    def text(self, depth: int) -> str:
        try:
            return self.raw(depth).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as exc:
            raise BadFrame(f"text before byte {self.position} is not UTF-8: {exc.reason}") from exc

    def large(self, _depth: int) -> int:
        count = self.small(0)
        size = abs(count)
        if size * 2 > len(self.data) - self.position:
            raise BadFrame(f"length {count} before byte {self.position} cannot be")
        parts: list[int] = list(struct.unpack_from(f"<{size}H", self.data, self.position))
        self.position += 2 * size
        if not parts or parts[-1] == 0 or max(parts) >> _DIGIT_BITS:
            raise BadFrame(f"malformed integer before byte {self.position}")
        # Pairs are joined level by level: adding digit after digit would take quadratic time.
        width = _DIGIT_BITS
        while len(parts) > 1:
            parts.append(0)
            pairs = zip(parts[::2], parts[1::2], strict=False)
            parts = [low | high << width for low, high in pairs]
            width *= 2
        return parts[0] if count > 0 else -parts[0]

    def items(self, depth: int) -> list[Any]:
        if depth <= 0:
            raise BadFrame("nested too deeply")
        count = self.small(0)
        data, at = self.data, self.position
        if not 0 <= count <= len(data) - at:
            raise BadFrame(f"length {count} before byte {at} cannot be")
        # Runs of numbers are read by one call in C.
        if count > 1 and data[at] in _NUMBERS:
            code, width = _NUMBERS[data[at]]
            stop = at + count * width
            if data[at:stop:width].count(data[at]) == count:
                self.position = stop
                return list(struct.unpack_from("<" + code * count, data, at))
        items = []
        for _ in range(count):  # as ``value`` does it
            at = self.position
            self.position = at + 1
            items.append(_READERS[data[at]](self, depth - 1))
        return items

    def tuple(self, depth: int) -> Any:
        items = self.items(depth)
        if len(items) == 3 and type(items[0]) is str and items[0] == RATIONAL:
            _, numerator, denominator = items
            if type(numerator) is not int or type(denominator) is not int or denominator < 1:
                raise BadFrame("malformed rational")
            longest = max(numerator.bit_length(), denominator.bit_length())
            if denominator != 1 and longest > MAX_RATIONAL_BITS:
                raise BadFrame("a rational of too many digits: reducing it would take long")
            return Fraction(numerator, denominator)
        return (*items,)

    def distinct(self, depth: int) -> set[Any]:
        return set(self.members(depth))

    def frozen(self, depth: int) -> frozenset[Any]:
        return frozenset(self.members(depth))

    def members(self, depth: int) -> list[Any]:
        if self.sets == MAX_SETS:
            raise BadFrame("too many sets within sets")
        self.sets += 1
        items = _hashable(self.items(depth))
        self.sets -= 1
        return items

    def pairs(self, depth: int) -> dict[Any, Any]:
        if depth <= 0:
            raise BadFrame("nested too deeply")
        value = self.value
        keys, values = [], []
        while self.data[self.position] != _END_OF_PAIRS:
            keys.append(value(depth - 1))
            values.append(value(depth - 1))
        self.position += 1
        return dict(zip(_hashable(keys), values, strict=True))


def _hashable(items: list[Any]) -> list[Any]:
    try:
        if len(items) > MAX_SAME_HASH:
            hashes = Counter(map(hash, items))
            if max(hashes.values()) > MAX_SAME_HASH:
                raise BadFrame("too many set items or keys of one hash")
        elif items:
            hash((*items,))
    except TypeError as exc:
        raise BadFrame(f"a set item or key is unhashable: {exc}") from exc
    return items


_NUMBERS = {ord("i"): ("xi", 5), ord("g"): ("xd", 9)}
_END_OF_PAIRS = ord("0")


class _Readers(dict[int, Callable[[_Reader, int], Any]]):
    def __missing__(self, tag: int) -> Callable[[_Reader, int], Any]:
        raise BadFrame(f"type {chr(tag)!r} is not that of a plain value")


_READERS = _Readers(
    {
        ord("N"): lambda _reader, _depth: None,
        ord("T"): lambda _reader, _depth: True,
        ord("F"): lambda _reader, _depth: False,
        ord("i"): _Reader.small,
        ord("l"): _Reader.large,
        ord("g"): _Reader.real,
        ord("y"): _Reader.imaginary,
        ord("u"): _Reader.text,
        ord("s"): _Reader.raw,
        ord("["): _Reader.items,
        ord("("): _Reader.tuple,
        ord("<"): _Reader.distinct,
        ord(">"): _Reader.frozen,
        ord("{"): _Reader.pairs,
    }
)
