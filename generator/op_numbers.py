"""Operators on ints, floats, complex numbers and bools.

Numbers of a list are reached through the list's own operators (``op_sequences``), which hand one
item to these.
"""

from __future__ import annotations

import math

from plusforge.generator.fresh import FLOATS, INTS, draw_float, draw_int
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)

LARGE_INTS = (
    2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 10**9, 10**9 + 7,
    10**12, 10**12 + 7, 10**15, 10**18, 9_999_999_999_999,
)  # fmt: skip
LARGE_FLOATS = (1e9, 1e15, 123456789.125, 1e6 + 0.25, 2.0**53, -1e9, 1e12 + 0.5)
SPECIAL_INTS = tuple(
    sorted(
        {n * n for n in range(2, 33)}
        | {n**3 for n in range(-5, 13)}
        | {2**n for n in range(2, 21)}
        | {10**n for n in range(2, 10)}
        | {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 97, 101, 997, 7919}
        | {6, 24, 120, 720, 5040, 21, 34, 55, 89, 144, 233, 28, 496, 153, 371}
        | {121, 1221, 12321, 111, 1111, 1900, 2000, 2020, 2024, 365, 366}
    )
)
"""Squares, cubes, powers, primes, factorials, Fibonacci, perfect, palindromic, year-like ints."""


@operator("step", on="int", weight=1.5, examples=[(5, [4, 6]), (0, [-1, 1])])
def step_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Add or subtract one."""
    return value + 1 if rng.unit() < 0.5 else value - 1


@operator("step", on="int", examples=[(5, [-5, 2, 3, 7, 8, 15])])
def stride_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Add a little more than one, either way."""
    return value + rng.choice((-10, -3, -2, 2, 3, 10))


@operator("bound", on="int", weight=2.0, examples=[(5, INTS)])
def bound_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Replace by a boundary value."""
    return rng.choice(INTS)


@operator("sign", on="int", examples=[(5, [-5]), (-3, [3]), (0, [SKIP])])
def negate_int(value: int, spec: Spec, material: Material, rng: Stream) -> Value:
    """Change the sign."""
    return -value or SKIP


@operator("scale", on="int", examples=[(5, [10, 15, 50, 25]), (0, [SKIP])])
def scale_int(value: int, spec: Spec, material: Material, rng: Stream) -> Value:
    """Multiply by 2, 3, 5 or 10."""
    return value * rng.choice((2, 3, 5, 10)) or SKIP


@operator("scale", on="int", examples=[(101, [50, 33, 10]), (-3, [-2, -1])])
def divide_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Divide by 2, 3 or 10, rounded down."""
    return value // rng.choice((2, 3, 10))


@operator("digits", on="int", examples=[
    (0, [0, *range(1, 10)]),
    (12, lambda x: x in (1, 2, 21, 11, 22, 12) or 120 <= x <= 129 or x // 10 == 1 or x % 10 == 2),
])  # fmt: skip
def edit_digits(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Append, drop, change, repeat or reverse decimal digits, keeping the sign."""
    # Hex-sized ints would meet the interpreter's limit on decimal conversion.
    text = str(abs(value) % 10**40)
    i = rng.below(len(text))
    kind = rng.below(5)
    if kind == 0:
        text += rng.choice("0123456789")
    elif kind == 1:
        text = text[:i] + text[i + 1 :]
    elif kind == 2:
        text = text[:i] + rng.choice("0123456789") + text[i + 1 :]
    elif kind == 3:
        text = text[i] * len(text)
    else:
        text = text[::-1]
    return int(text or "0") if value >= 0 else -int(text or "0")


@operator("special", on="int", examples=[(5, lambda x: x in SPECIAL_INTS or x - 1 in SPECIAL_INTS)])
def special_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Replace by a number with a name, now and then the one after it."""
    return rng.choice(SPECIAL_INTS) + (rng.unit() < 0.2)


@operator("special", on="int", weight=0.5, examples=[(5, [25, 26, 24, 125]), (-2, [4, 5, 3, -8])])
def power_int(value: int, spec: Spec, material: Material, rng: Stream) -> Value:
    """Square, cube, or miss a square by one."""
    if abs(value) > 10**9:
        return SKIP
    kind = rng.below(4)
    return value**3 if kind == 3 else value * value + (0, 1, -1)[kind]


@operator("large", on="int", examples=[(5, lambda x: x in LARGE_INTS or 10**5 <= x <= 10**12)])
def large_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Replace by a large int: widths of machine words, beyond exact floats, round ones."""
    return rng.choice(LARGE_INTS) if rng.unit() < 0.8 else rng.between(10**5, 10**12)


@operator("literal", on="int", needs="ints", weight=1.5, examples=[(5, [41, 42, 43, -42])])
def literal_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Replace by a mined literal."""
    return rng.choice(material.ints)


@operator("literal", on="int", needs="ints", weight=0.7, examples=[
    (5, [46, 47, 48, -37, 205, 210, 215, -210]),
])  # fmt: skip
def literal_shift_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Add a mined literal, or multiply by one."""
    other = rng.choice(material.ints)
    return value + other if rng.unit() < 0.5 else value * other


@operator("fresh", on="int", examples=[(5, lambda x: type(x) is int)])
def fresh_int(value: int, spec: Spec, material: Material, rng: Stream) -> int:
    """Draw another int."""
    return draw_int(material, rng)


@operator("step", on="float", weight=1.5, examples=[(2.5, [1.5, 3.5])])
def step_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Add or subtract one."""
    return value + 1.0 if rng.unit() < 0.5 else value - 1.0


@operator("step", on="float", examples=[(2.0, lambda x: 0.0 <= x < 4.0)])
def jitter_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Multiply by a factor from 0 to 2."""
    return value * (2.0 * rng.unit())


@operator("step", on="float", examples=[(2.0, [1.5, 1.75, 1.9, 1.99, 2.01, 2.1, 2.25, 2.5])])
def nudge_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Add a fraction of one, either way."""
    return round(value + rng.choice((-0.5, -0.25, -0.1, -0.01, 0.01, 0.1, 0.25, 0.5)), 6)


@operator("bound", on="float", weight=2.0, examples=[
    (2.5, lambda x: x in FLOATS or x in INTS),
])  # fmt: skip
def bound_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Replace by a boundary value."""
    return rng.choice(FLOATS) if rng.unit() < 0.5 else float(rng.choice(INTS))


@operator("sign", on="float", examples=[(2.5, [-2.5]), (0.0, [SKIP])])
def negate_float(value: float, spec: Spec, material: Material, rng: Stream) -> Value:
    """Change the sign; never makes a negative zero."""
    return -value or SKIP


@operator("scale", on="float", examples=[(3.0, [6.0, 30.0, 1.5, 0.3, 300.0])])
def scale_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Multiply by 2, 10 or 100, or divide by 2 or 10."""
    kind = rng.below(5)
    return value * (2.0, 10.0, 100.0)[kind] if kind < 3 else value / (2.0, 10.0)[kind - 3]


@operator("half", on="float", weight=1.5, examples=[
    (2.3, [2.5, -2.5, 3.5]), (-2.3, [-2.5, -3.5, 4.5]), (1e17, [SKIP]),
])  # fmt: skip
def half_float(value: float, spec: Spec, material: Material, rng: Stream) -> Value:
    """Move to a nearby half, where rounding rules differ; towards minus infinity or mirrored."""
    if not abs(value) <= 1e15:
        return SKIP
    floor = math.floor(value)
    return rng.choice((floor + 0.5, -abs(floor) - 0.5, abs(floor) + 1.5))


@operator("half", on="float", examples=[(2.3, [2.0, 3.0]), (2.0, [SKIP]), (1e17, [SKIP])])
def whole_float(value: float, spec: Spec, material: Material, rng: Stream) -> Value:
    """Round to a whole number, down or up."""
    if not abs(value) <= 1e15:
        return SKIP
    whole = math.floor(value) if rng.unit() < 0.5 else math.ceil(value)
    return SKIP if whole == value else float(whole)


@operator("half", on="float", examples=[(2.0, [1.9999999999999998, 2.0000000000000004])])
def next_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Move to the neighbouring float."""
    return math.nextafter(value, math.inf if rng.unit() < 0.5 else -math.inf)


@operator("half", on="float", examples=[(2.3456, [2.3, 2.35, 2.346]), (2.5, [SKIP])])
def round_float(value: float, spec: Spec, material: Material, rng: Stream) -> Value:
    """Round to one, two or three decimals."""
    rounded = round(value, rng.choice((1, 2, 3)))
    return SKIP if rounded == value else rounded


@operator("half", on="float", weight=0.7, examples=[
    (2.3, [2.49, 2.51, 2.99, 2.01, 2.499, 2.1]), (1e17, [SKIP]),
])  # fmt: skip
def fraction_float(value: float, spec: Spec, material: Material, rng: Stream) -> Value:
    """Keep the whole part and replace the decimals."""
    if not abs(value) <= 1e12:
        return SKIP
    return round(math.floor(value) + rng.choice((0.49, 0.51, 0.99, 0.01, 0.499, 0.1)), 6)


@operator("large", on="float", weight=0.7, examples=[(2.5, LARGE_FLOATS)])
def large_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Replace by a large float."""
    return rng.choice(LARGE_FLOATS)


@operator("literal", on="float", needs="floats", examples=[(2.5, [0.25, -0.25, 0.75])])
def literal_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Replace by a mined literal."""
    return rng.choice(material.floats)


@operator("literal", on="float", needs="ints", weight=0.7, examples=[
    (2.5, [41.0, 42.0, 43.0, -42.0]),
])  # fmt: skip
def literal_whole_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Replace by a mined int, as a float."""
    return float(rng.choice(material.ints))


@operator("fresh", on="float", examples=[(2.5, lambda x: type(x) is float)])
def fresh_float(value: float, spec: Spec, material: Material, rng: Stream) -> float:
    """Draw another float."""
    return draw_float(material, rng)


@operator("flip", on="bool", examples=[(True, [False]), (False, [True])])
def flip(value: bool, spec: Spec, material: Material, rng: Stream) -> bool:  # noqa: FBT001
    """Turn True into False and back."""
    return not value


@operator("complex", on="complex", weight=2.0, examples=[
    (1 + 2j, [1 - 2j, -1 - 2j, 2 + 1j, 1 + 0j, 2j]),
])  # fmt: skip
def mirror_complex(value: complex, spec: Spec, material: Material, rng: Stream) -> complex:
    """Conjugate, negate, swap the parts, or drop one of them."""
    return rng.choice((
        value.conjugate(), -value, complex(value.imag, value.real),
        complex(value.real, 0.0), complex(0.0, value.imag),
    ))  # fmt: skip


@operator("complex", on="complex", weight=2.0, examples=[
    (1 + 2j, lambda x: x.real == 1 or x.imag == 2),
])  # fmt: skip
def part_complex(value: complex, spec: Spec, material: Material, rng: Stream) -> complex:
    """Replace one part."""
    part = float(rng.choice(INTS)) if rng.unit() < 0.5 else draw_float(material, rng)
    return complex(part, value.imag) if rng.unit() < 0.5 else complex(value.real, part)
