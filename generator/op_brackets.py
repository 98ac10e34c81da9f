"""Operators on the brackets in a string."""

from __future__ import annotations

from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)


def balanced(pair: str, rng: Stream) -> str:
    """Draw a balanced string of one pair of brackets, up to 24 characters.

    Args:
        pair: The opening and the closing character.
        rng: Source of choices.
    """
    result = []
    depth = 0
    for _ in range(rng.below(13)):
        if depth and rng.unit() < 0.5:
            result.append(pair[1])
            depth -= 1
        else:
            result.append(pair[0])
            depth += 1
    return "".join(result) + pair[1] * depth


@operator("bracket", on="str", needs="brackets", weight=1.5, examples=[
    ("()", lambda x: x.count("(") == x.count(")")),
])  # fmt: skip
def balance(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Draw balanced brackets: alone, appended, or a few groups with spaces between."""
    pair = rng.choice(material.brackets)
    kind = rng.below(4)
    if kind == 0:
        return value + balanced(pair, rng)
    if kind == 1:
        joint = " " if " " in material.alphabet else ""
        return joint.join([balanced(pair, rng) for _ in range(1 + rng.below(4))])
    return balanced(pair, rng)


@operator("bracket", on="str", needs="brackets", weight=2.0, examples=[
    ("ab", ["(ab)", "()ab", "a()b", "ab()", ")ab(", "(ab", "ab)", "a)b", "a(b", ")ab", "ab("]),
])  # fmt: skip
def add_bracket(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Wrap in brackets, in brackets turned around, or insert an empty pair or a single one."""
    pair = rng.choice(material.brackets)
    opening, closing = pair[0], pair[1]
    kind = rng.below(5)
    if kind == 0:
        return opening + value + closing
    if kind == 1:
        return closing + value + opening
    i = int(rng.unit() * (len(value) + 1))
    inserted = (opening + closing, opening, closing)[kind - 2]
    return value[:i] + inserted + value[i:]


@operator("bracket", on="str", needs="brackets", examples=[
    ("(a]", [")a]", "(a["]), ("ab", [SKIP]),
])  # fmt: skip
def turn_bracket(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Turn one bracket around."""
    places = [i for i, char in enumerate(value) if char in "()[]{}<>"]
    if not places:
        return SKIP
    i = rng.choice(places)
    turned = str.translate(value[i], _TURN)
    return value[:i] + turned + value[i + 1 :]


_TURN = str.maketrans("()[]{}<>", ")(][}{><")
