"""Operators on the classes of characters: case, spaces, punctuation, digits, letters.

They catch more wrong programs than any other family, so each class has operators of its own.
"""

from __future__ import annotations

from string import ascii_letters, digits

from plusforge.generator.fresh import (
    PUNCTUATION,
    UNICODE,
)
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Operator, registrar
from plusforge.generator.rng import Stream
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Value

OPERATORS: list[Operator] = []
operator = registrar(OPERATORS)


@operator("case", on="str", examples=[("aB c", ["Ab C"]), ("1", [SKIP])])
def swap_case(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Swap the case of every letter."""
    result = value.swapcase()
    return SKIP if result == value else result


@operator("case", on="str", examples=[("aB c", ["AB C", "ab c", "Ab C", "Ab c"]), ("1", [SKIP])])
def set_case(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Make everything upper case, lower case, a title, or capitalised."""
    kind = rng.below(4)
    result = (
        value.upper()
        if kind == 0
        else value.lower()
        if kind == 1
        else value.title()
        if kind == 2
        else value.capitalize()
    )
    return SKIP if result == value else result


@operator(
    "case", on="str", weight=1.5, examples=[("aB", ["AB", "ab"]), ("", [SKIP]), ("1", [SKIP])]
)
def flip_case(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Swap the case of one character."""
    if not value:
        return SKIP
    i = int(rng.unit() * len(value))
    flipped = value[i].swapcase()
    return SKIP if flipped == value[i] else value[:i] + flipped + value[i + 1 :]


@operator("space", on="str", examples=[("a", [" a", "a ", " a ", "  a", "a  "])])
def pad(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Add a space or two at the start, at the end, or both."""
    kind = rng.below(6)
    if kind < 2:
        return " " + value
    if kind < 4:
        return value + " "
    if kind == 4:
        return " " + value + " "
    return "  " + value if rng.unit() < 0.5 else value + "  "


@operator("space", on="str", examples=[("ab", lambda x: x.replace(" ", "") == "ab" and " " in x)])
def insert_space(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert one to four spaces somewhere."""
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + " " * rng.choice((1, 1, 1, 2, 3, 4)) + value[i:]


@operator("space", on="str", examples=[
    ("a b c", ["a  b  c", "abc", "a\tb\tc", "a\nb\nc", "a  b c", "a b  c"]), ("ab", [SKIP]),
])  # fmt: skip
def change_spaces(value: str, spec: Spec, material: Material, rng: Stream) -> Value:
    """Double or remove all spaces, turn them into tabs or line ends, or double one of them."""
    if " " not in value:
        return SKIP
    kind = rng.below(6)
    if kind < 4:
        return value.replace(" ", ("  ", "", "\t", "\n")[kind])
    places = [i for i, char in enumerate(value) if char == " "]
    i = rng.choice(places)
    return value[:i] + " " + value[i:]


@operator("space", on="str", weight=0.5, examples=[("ab", [" " * n for n in range(1, 6)])])
def only_spaces(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Leave only one to five spaces."""
    return " " * (1 + rng.below(5))


@operator("space", on="str", weight=0.5, examples=[
    ("a=7", lambda x: "".join(x.split()) == "a=7" and len(x) == 4),
    ("a", ["a ", "a\n", "a\t", " a", "\na", "\ta"]),
])  # fmt: skip
def blank_at_edge(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Add a line end, a tab or a space where programs overlook it: at an end, beside a mark."""
    kind = rng.unit()
    blank = rng.choice("\n\n\t ")
    if kind < 0.6:
        return value + blank
    if kind < 0.75:
        return blank + value
    edges = [i for i in range(1, len(value)) if value[i - 1].isalnum() != value[i].isalnum()]
    i = rng.choice(edges) if edges else len(value)
    return value[:i] + blank + value[i:]


@operator("punctuation", on="str", examples=[("a", lambda x: x[0] == "a" or x[-1] == "a")])
def insert_mark(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a punctuation mark, some with a space after them."""
    i = int(rng.unit() * (len(value) + 1))
    if rng.unit() < 0.5:
        return value[:i] + rng.choice(PUNCTUATION) + value[i:]
    return value[:i] + rng.choice((". ", "? ", "! ", ", ", "-", "_", ".", ",", "'")) + value[i:]


@operator(
    "punctuation", on="str", weight=0.7, examples=[("a", ["a.", "a!", "a?", "a,", "a;", "a:"])]
)
def append_mark(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Append a mark that ends a sentence or a clause."""
    return value + rng.choice(".!?,;:")


@operator("digit", on="str", examples=[("a", lambda x: x.strip(digits) == "a" and len(x) == 2)])
def insert_digit(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a digit, at the end half the time."""
    i = len(value) if rng.unit() < 0.5 else int(rng.unit() * (len(value) + 1))
    return value[:i] + rng.choice(digits) + value[i:]


@operator(
    "letter", on="str", weight=1.5, examples=[("1", lambda x: x.strip(ascii_letters) in ("1", ""))]
)
def insert_letter(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert any letter, or put it in the place of a character; at the end a third of the time."""
    i = len(value) if rng.unit() < 0.33 else int(rng.unit() * (len(value) + 1))
    letter = rng.choice(ascii_letters if rng.unit() < 0.75 else "aeiouyAEIOUY")
    return value[:i] + letter + value[i + (rng.unit() < 0.5) :]


@operator("unicode", on="str", needs="unicode", examples=[("a", lambda x: not x.isascii())])
def insert_unicode(value: str, spec: Spec, material: Material, rng: Stream) -> str:
    """Insert a character outside ASCII; only where the task's own inputs hold some."""
    i = int(rng.unit() * (len(value) + 1))
    return value[:i] + rng.choice(UNICODE) + value[i:]
