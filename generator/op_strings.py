"""Operators on the shape of strings (length, order, repetition), and on bytes.

Which characters are there is the business of ``op_characters``; what is written, of ``op_text`` and
``op_brackets``.
"""

from __future__ import annotations

from plusforge.generator.bounds import MAX_TEXT
from plusforge.generator.fresh import (
    draw_char,
    draw_own_char,
    draw_text,
)
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, proper_slice, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

LENGTHS = (
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 21, 25, 26, 27, 31, 32, 33, 49, 50,
    64, 81, 97, 99, 100, 101, 119, 121, 127, 128, 143, 169, 255, 256,
)  # fmt: skip
"""Small lengths, powers, primes and products of two primes, with neighbours."""


@operator("step", on="str bytes", examples=[("abc", ["bc", "ac", "ab"]), ("", [SKIP])])
def remove_char(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Remove one character."""
    if not value:
        return SKIP
    i = int(rng.unit() * len(value))
    return value[:i] + value[i + 1 :]


@operator("step", on="str bytes", examples=[("abc", ["aabc", "abbc", "abcc"]), ("", [SKIP])])
def repeat_char(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Write one character twice."""
    if not value:
        return SKIP
    i = int(rng.unit() * len(value))
    return value[: i + 1] + value[i:]


@operator("step", on="str", examples=[("xx", ["ax", "bx", " x", "xa", "xb", "x "]), ("", [SKIP])])
def replace_char(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Replace one character by one of the task's own."""
    if not value:
        return SKIP
    i = int(rng.unit() * len(value))
    return value[:i] + draw_own_char(material, rng) + value[i + 1 :]


@operator("step", on="str", examples=[("x", ["ax", "bx", " x", "xa", "xb", "x "])])
def insert_char(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert one of the task's own characters."""
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + draw_own_char(material, rng) + value[i:]


@operator("step", on="str", weight=0.7, examples=[("xy", ["xx", "yy"]), ("x", [SKIP])])
def copy_char(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Replace one character by another one of the same string."""
    if len(value) < 2:
        return SKIP
    i = int(rng.unit() * len(value))
    j = (i + 1 + int(rng.unit() * (len(value) - 1))) % len(value)
    return value[:i] + value[j] + value[i + 1 :]


@operator("order", on="str bytes", weight=0.7, examples=[("abc", ["bac", "acb"]), ("a", [SKIP])])
def swap_chars(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Swap two neighbouring characters."""
    if len(value) < 2:
        return SKIP
    i = int(rng.unit() * (len(value) - 1))
    return value[:i] + value[i + 1 : i + 2] + value[i : i + 1] + value[i + 2 :]


@operator("order", on="str bytes", weight=0.7, examples=[("abc", ["cba"]), ("", [SKIP])])
def reverse_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Reverse."""
    return value[::-1] or SKIP


@operator("order", on="str", weight=0.5, examples=[("bca", ["abc", "cba"]), ("", [SKIP])])
def sort_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Sort the characters, up or down."""
    return "".join(sorted(value, reverse=rng.unit() < 0.3)) or SKIP


@operator("order", on="str", weight=0.5, examples=[("aab", ["aab", "aba", "baa"]), ("", [SKIP])])
def shuffle_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Shuffle the characters."""
    return "".join(rng.shuffled(value)) or SKIP


@operator("order", on="str bytes", weight=0.5, examples=[("abc", ["bca", "cab"]), ("a", [SKIP])])
def rotate_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Move a prefix to the end."""
    if len(value) < 2:
        return SKIP
    i = 1 + int(rng.unit() * (len(value) - 1))
    return value[i:] + value[:i]


@operator("shape", on="str", weight=0.5, examples=[("abc", [""]), ("", [SKIP])])
def empty_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Leave nothing."""
    return "" if value else SKIP


@operator("shape", on="str bytes", examples=[("abc", ["ab", "bc", "a", "b", "c"]), ("a", [SKIP])])
def slice_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Keep a proper, non-empty slice: a prefix, a suffix or a middle."""
    return proper_slice(value, rng)


@operator("shape", on="str", weight=0.7, examples=[
    ("a", ["a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaa"]), ("", [SKIP]),
])  # fmt: skip
def one_char(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Keep one character, once to six times."""
    if not value:
        return SKIP
    return rng.choice(value) * rng.choice((1, 1, 2, 3, 4, 5, 6))


@operator("shape", on="str", weight=0.7, examples=[
    ("ab", ["abba", "aba", "baab", "bab"]), ("", [SKIP]),
])  # fmt: skip
def palindrome(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Mirror, at the end or the start, the middle character once or twice."""
    if not value or len(value) > MAX_TEXT // 2:
        return SKIP
    if rng.unit() < 0.7:
        return value + (value[::-1] if rng.unit() < 0.5 else value[-2::-1])
    return value[::-1] + (value if rng.unit() < 0.5 else value[1:])


@operator(
    "shape", on="str", weight=0.5, examples=[("abcd", ["abba", "dccd"]), ("ab", ["aa", "bb"])]
)
def fold(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Make a palindrome of the same length out of one half."""
    n = len(value)
    if n < 2:
        return SKIP
    half = value[: (n + 1) // 2] if rng.unit() < 0.5 else value[::-1][: (n + 1) // 2]
    return half + half[::-1][n % 2 :]


@operator("shape", on="str bytes", weight=0.7, examples=[("ab", ["abab", "ababab"]), ("", [SKIP])])
def multiply_text(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Write the whole string twice or three times."""
    return value[: MAX_TEXT // 2] * rng.choice((2, 2, 3)) or SKIP


@operator("length", on="str", weight=0.6, examples=[
    ("ab", lambda x: len(x) in LENGTHS or 10 <= len(x) <= 60),
    ("x" * 2000, lambda x: len(x) in LENGTHS),
])  # fmt: skip
def set_length(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Go around the string up to a length with a name, or 5 to 30 times."""
    text = value or draw_own_char(material, rng)
    if len(text) < 40 and rng.unit() < 0.4:
        return text * (5 + rng.below(26))
    size = rng.choice(LENGTHS)
    return (text * (size // len(text) + 1))[:size]


@operator("fresh", on="str", examples=[("a", lambda x: type(x) is str)])
def fresh_text(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Draw another string."""
    return draw_text(material, rng)


@operator("fresh", on="str", weight=0.7, examples=[("xyz", lambda x: len(x) == 3), ("", [SKIP])])
def refill(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Keep the length and draw every character anew, from the task's alphabet or at large."""
    draw = draw_own_char if rng.unit() < 0.7 else draw_char
    return "".join([draw(material, rng) for _ in value[:100]]) or SKIP


@operator("bytes", on="bytes", weight=2.0, examples=[(b"ab", lambda x: len(x) in (2, 3))])
def edit_byte(value: bytes, spec: Spec, material: Material, rng: Stream) -> bytes:
    """Insert a byte or replace one; 0, 127, 128, 255 and ASCII more often."""
    i = int(rng.unit() * (len(value) + 1))
    byte = rng.choice((0, 32, 48, 65, 97, 127, 128, 255)) if rng.unit() < 0.6 else rng.below(256)
    return value[:i] + bytes((byte,)) + value[i + (rng.unit() < 0.5) :]


@operator("bytes", on="bytes", weight=0.5, examples=[(b"ab", [b""]), (b"", [SKIP])])
def empty_bytes(value: bytes, spec: Spec, material: Material, rng: Stream) -> Value:
    """Leave nothing."""
    return b"" if value else SKIP
