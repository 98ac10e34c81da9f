"""Operators on what is written in a string: words and literals.

Numbers in strings are the business of ``op_fields``, brackets that of ``op_brackets``.
"""

from __future__ import annotations

from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)


def _joint(value: str, material: Material, rng: Stream) -> str:
    """Return a separator that occurs in the string, or an empty one."""
    found = [mark for mark in (" ", ",", *material.separators[:4]) if mark in value]
    return rng.choice(found) if found else ""


@operator("token", on="str", weight=1.5, examples=[
    ("x y", ["y", "x", "x x y", "x y y", "x x", "y y", "x y x", "y x y"]), ("xy", [SKIP]),
])  # fmt: skip
def edit_tokens(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Drop a token, repeat one elsewhere, or write one in the place of another."""
    joint = _joint(value, material, rng)
    if not joint:
        return SKIP
    parts = value.split(joint)
    i = int(rng.unit() * len(parts))
    j = int(rng.unit() * len(parts))
    kind = rng.unit()
    if kind < 0.35:
        del parts[i]
    elif kind < 0.7 or i == j:
        parts.insert(i if rng.unit() < 0.5 else len(parts), parts[j])
    else:
        parts[i] = parts[j]
    return joint.join(parts)


@operator("token", on="str", weight=0.7, examples=[
    ("b a", ["a b", "b", "a"]), ("xy", [SKIP]),
])  # fmt: skip
def arrange_tokens(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Reverse, sort, shuffle or truncate the tokens, or keep one."""
    joint = _joint(value, material, rng)
    if not joint:
        return SKIP
    parts = value.split(joint)
    kind = rng.below(5)
    if kind == 0:
        parts.reverse()
    elif kind == 1:
        parts.sort()
    elif kind == 2:
        rng.shuffle(parts)
        if joint.join(parts) == value:
            return SKIP
    elif kind == 3:
        parts = parts[: 1 + int(rng.unit() * (len(parts) - 1))]
    else:
        parts = [rng.choice(parts)]
    return joint.join(parts)


@operator("token", on="str", needs="tokens", examples=[
    ("x y", lambda x: any(token in x for token in ("ab", "b"))), ("xy", [SKIP]),
])  # fmt: skip
def other_token(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Insert a token of the task's own strings, or write it in the place of another."""
    joint = _joint(value, material, rng)
    if not joint:
        return SKIP
    parts = value.split(joint)
    i = int(rng.unit() * len(parts))
    if rng.unit() < 0.5:
        parts[i] = rng.choice(material.tokens)
    else:
        parts.insert(i, rng.choice(material.tokens))
    return joint.join(parts)


@operator("token", on="str", weight=0.5, examples=[
    ("x y", ["x,y", "xy", "x, y", "x  y", "x y "]), ("xy", [SKIP]),
])  # fmt: skip
def other_joint(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Replace every separator of one kind, or end with one."""
    joint = _joint(value, material, rng)
    if not joint:
        return SKIP
    if rng.unit() < 0.3:
        return value + joint
    return value.replace(joint, rng.choice((",", "", ", ", joint * 2)))


@operator("token", on="str", needs="tokens", weight=0.7, examples=[
    ("x", ["ab", "b", "xab", "abx", "xb", "bx", "x ab", "x b"]),
])  # fmt: skip
def add_token(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Add a token of the task's own strings at either end, or leave it alone there."""
    token = rng.choice(material.tokens)
    kind = rng.below(4)
    return (token, value + token, token + value, f"{value} {token}" if value else token)[kind]


@operator("literal", on="str", needs="texts", examples=[
    ("x", ["yes", "no", "yesx", "nox", "xyes", "xno"]),
])  # fmt: skip
def literal_text(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a mined string literal, or leave it alone there."""
    literal = rng.choice(material.texts)
    if rng.unit() < 0.25:
        return literal
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + literal + value[i:]


@operator("literal", on="str", needs="chars", examples=[
    ("x", lambda x: x[0] in "yesno" or x[-1] in "yesno"),
])  # fmt: skip
def literal_char(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a character of the mined literals, or put it in the place of another."""
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + rng.choice(material.chars) + value[i + (rng.unit() < 0.5) :]


@operator("literal", on="str", needs="words", weight=0.7, examples=[
    ("x", ["word", "wordx", "xword", "x word"]),
])  # fmt: skip
def prose_word(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a word of the prompt, append it, or leave it alone there."""
    word = rng.choice(material.words)
    kind = rng.below(3)
    if kind == 0:
        return word
    if kind == 1:
        return f"{value} {word}" if value else word
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + word + value[i:]
