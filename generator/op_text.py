"""Operators on what is written in a string: words, numbers, literals.

Numbers include structured fields (dates, times, versions, fractions): one run of digits changes to
a value at which calendars, clocks and carries break, and keeps its width when the others suggest
a fixed one.
"""

from __future__ import annotations

import re

from plusforge.generator.fresh import draw_number_text
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

_DIGITS = re.compile(r"[0-9]{1,15}")
_JOINT = re.compile(r"(?<=[0-9])[^\w\s]+(?=[0-9])")
FIELDS = (0, 1, 2, 4, 9, 10, 11, 12, 13, 19, 20, 23, 24, 28, 29, 30, 31, 32, 59, 60, 61, 99, 100)
"""Values at which months, days, hours, minutes and decimal carries break."""


@operator("number_text", on="str", weight=1.5, examples=[
    ("x", [SKIP]), ("7-x", lambda x: x.endswith("-x") and x[:-2].isdigit()),
])  # fmt: skip
def number_field(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Change one run of digits to a nearby number, one at a carry, or a random one."""
    fields = list(_DIGITS.finditer(value))
    if not fields:
        return SKIP
    field = fields[int(rng.unit() * len(fields))]
    old = field.group()
    number = int(old)
    kind = rng.below(8)
    if kind < 2:
        number += 1
    elif kind == 2:
        number = abs(number - 1)
    elif kind < 6:
        number = rng.choice(FIELDS)
    elif kind == 6:
        number *= 10
    else:
        number = rng.below(121)
    new = str(number)
    # Fields of one width (dates, times) usually have to keep it; now and then they must not.
    if rng.unit() < (0.75 if len(fields) > 1 or old[0] == "0" else 0.2):
        new = new.zfill(len(old))[-len(old) :]
    return value[: field.start()] + new + value[field.end() :]


@operator("number_text", on="str", needs="fields", weight=4.0, examples=[
    ("x", [SKIP]), ("7-x", lambda x: x.endswith("-x") and len(x) == 3),
])  # fmt: skip
def turn_over(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Set one field of a date, time or fraction to a value at a carry, in the same width."""
    fields = list(_DIGITS.finditer(value))
    if not fields:
        return SKIP
    field = fields[int(rng.unit() * len(fields))]
    width = field.end() - field.start()
    new = str(rng.choice(FIELDS)).zfill(width)[-width:]
    return value[: field.start()] + new + value[field.end() :]


@operator("number_text", on="str", needs="fields", weight=2.0, examples=[
    ("x", [SKIP]), ("1-2", ["12", "1--2", "1/2", "1:2", "1.2", "1 2", "1 - 2"]),
])  # fmt: skip
def edit_joint(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Remove, repeat, pad or replace one separator between fields."""
    joints = list(_JOINT.finditer(value))
    if not joints:
        return SKIP
    joint = joints[int(rng.unit() * len(joints))]
    old = joint.group()
    new = rng.choice(("", old * 2, f" {old} ", "/", "-", ":", ".", " "))
    return SKIP if new == old else value[: joint.start()] + new + value[joint.end() :]


@operator("number_text", on="str", weight=0.7, examples=[
    ("11/6", ["6/11", "11/11", "6/6"]), ("7", [SKIP]), ("x", [SKIP]),
])  # fmt: skip
def exchange_fields(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Swap two runs of digits, or write one in the place of the other."""
    fields = list(_DIGITS.finditer(value))
    if len(fields) < 2:
        return SKIP
    i = int(rng.unit() * (len(fields) - 1))
    a, b = fields[i], fields[i + 1 + int(rng.unit() * (len(fields) - i - 1))]
    kind = rng.below(4)
    first = b.group() if kind != 3 else a.group()
    second = a.group() if kind != 2 else b.group()
    return value[: a.start()] + first + value[a.end() : b.start()] + second + value[b.end() :]


@operator("number_text", on="str", weight=0.7, examples=[
    ("x", [SKIP]), ("7", ["-7", "07", "7.5", "7.0", "7.49", "7.50", "7.99", "", "70", "+7"]),
])  # fmt: skip
def write_number(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Change how a number is written: sign, leading zero, decimals, a digit more or less."""
    field = _DIGITS.search(value)
    if field is None:
        return SKIP
    start, end = field.span()
    kind = rng.below(6)
    if kind == 0:
        return value[:start] + "-" + value[start:]
    if kind == 1:
        return value[:start] + "0" + value[start:]
    if kind == 2:
        return value[: end - 1] + value[end:]
    if kind == 3:
        return value[:end] + "0" + value[end:]
    if kind == 4:
        return value[:start] + "+" + value[start:]
    return value[:end] + rng.choice((".5", ".0", ".49", ".50", ".99")) + value[end:]


@operator("number_text", on="str", needs="numeric_text", weight=2.0, examples=[
    ("7", lambda x: float(x) is not None),
])  # fmt: skip
def fresh_number(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Draw another number, written out."""
    return draw_number_text(material, rng)


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
