"""Operators on the numbers in a string: dates, times, versions, fractions, ``name=12``.

A run of digits changes as a small number does, to a neighbour or to a value at which calendars,
clocks and carries break, and keeps its width when the others suggest a fixed one.
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
FIELDS = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 19, 20, 23, 24, 28, 29, 30, 31, 32, 59, 60, 61,
    99, 100,
)  # fmt: skip
"""Values at which months, days, hours, minutes and decimal carries break."""
YEARS = (0, 1, 4, 100, 400, 1000, 1582, 1899, 1900, 1970, 1999, 2000, 2004, 2023, 2024, 2100, 9999)
"""Values for fields of four digits: leap years and others, centuries, both ends."""
FIELD_CORNERS = (
    (tuple(range(1, 13)), (1, 28, 29, 30, 31)),
    ((0, 1, 11, 12, 13, 23, 24), (0, 1, 30, 59, 60)),
    ((0, 1, 8, 9, 10, 98, 99), (0, 1, 9, 10, 99)),
)
"""Two neighbouring fields at once: ends of months, ends of hours, carries."""


def at_width(number: int, width: int) -> str:
    """Return a number in decimal with exactly so many digits, the last ones."""
    return str(number).zfill(width)[-width:]


def _turned(width: int, rng: Stream) -> str:
    """Draw a field of a width, at a value where calendars, clocks or carries break."""
    if width < 3:
        number = rng.choice(FIELDS)
    elif width == 4:
        number = rng.choice(YEARS)
    else:
        number = rng.choice((0, 1, 10 ** (width - 1), 10**width - 1, rng.below(10**width)))
    return at_width(number, width)


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
        new = at_width(number, len(old))
    return value[: field.start()] + new + value[field.end() :]


@operator("number_text", on="str", needs="fields", weight=3.0, examples=[
    ("x", [SKIP]), ("7-x", lambda x: x.endswith("-x") and len(x) == 3),
])  # fmt: skip
def turn_over(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Set one field of a date, time or fraction to a value at a carry, in the same width."""
    fields = list(_DIGITS.finditer(value))
    if not fields:
        return SKIP
    field = fields[int(rng.unit() * len(fields))]
    new = _turned(field.end() - field.start(), rng)
    return value[: field.start()] + new + value[field.end() :]


@operator("number_text", on="str", needs="fields", weight=3.0, examples=[
    ("5", [SKIP]), ("05:06", lambda x: len(x) == 5 and x[2] == ":"),
    ("2021-03-04", lambda x: len(x) == 10 and (x[:5] == "2021-" or x[8:] == "04")),
])  # fmt: skip
def turn_two(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Set two neighbouring fields to a corner of calendars, clocks or carries, in their widths."""
    fields = list(_DIGITS.finditer(value))
    if len(fields) < 2:
        return SKIP
    i = int(rng.unit() * (len(fields) - 1))
    corner = FIELD_CORNERS[rng.choice((0, 0, 1, 2))]
    chosen = [rng.choice(corner[0]), rng.choice(corner[1])]
    if rng.unit() < 0.3:
        chosen.reverse()
    a, b = fields[i : i + 2]
    first, second = (
        at_width(number, width) if width < 3 else _turned(width, rng)
        for number, width in zip(chosen, (len(a.group()), len(b.group())), strict=True)
    )
    return value[: a.start()] + first + value[a.end() : b.start()] + second + value[b.end() :]


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
    fields = list(_DIGITS.finditer(value))
    if not fields:
        return SKIP
    start, end = fields[int(rng.unit() * len(fields))].span()
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


@operator("number_text", on="str", weight=0.5, examples=[
    ("a=-7", ["a=7", "a=+7", "a=--7", "a=- 7", "a-=7"]), ("-", [SKIP]),
    ("a=7", ["a=-7", "a=+7", "a=--7", "a=- 7"]),
])  # fmt: skip
def sign_number(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Change the sign in front of a number: none, the other, twice, apart from it, or misplaced."""
    fields = list(_DIGITS.finditer(value))
    if not fields:
        return SKIP
    start = fields[int(rng.unit() * len(fields))].start()
    head = value[: start - 1] if start and value[start - 1] in "+-" else value[:start]
    new = head + rng.choice(("", "-", "+", "+", "--", "- ")) + value[start:]
    if head[-1:] and len(head) < start and rng.unit() < 0.15:
        new = head[:-1] + "-" + head[-1] + value[start:]
    return SKIP if new == value else new


@operator("number_text", on="str", needs="numeric_text", weight=2.0, examples=[
    ("7", lambda x: float(x) is not None),
])  # fmt: skip
def fresh_number(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Draw another number, written out."""
    return draw_number_text(material, rng)
