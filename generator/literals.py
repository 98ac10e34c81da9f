"""Literals worth trying: constants of a task's code, numbers and quoted strings of its prose.

Knows source text only; what is done with the literals is decided in ``material``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LITERAL = 40
"""Longest string literal that is worth inserting somewhere, in characters."""
MAX_MAGNITUDE = 2**64
"""Ints beyond this are not mined: they stand for limits of the code, not for inputs."""

_FLOAT = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.]*\d)")
_INT = re.compile(r"(?<![\w.])-?\d{1,19}(?![\w]|\.\d)")
# A quote that opens a string does not follow a letter: "the list's items" holds none.
_QUOTED = re.compile(r"""(?<!\w)(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`)(?!\w)""")
_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Literals:
    """Sorted, without repeats.

    Attributes:
        ints: Integer literals.
        floats: Finite float literals.
        texts: Strings, none longer than ``MAX_LITERAL``.
        words: Words of prose, lower and upper case as written.
    """

    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __or__(self, other: Literals) -> Literals:
        """Return the literals of both."""
        return Literals(
            ints=tuple(sorted({*self.ints, *other.ints})),
            floats=tuple(sorted({*self.floats, *other.floats})),
            texts=tuple(sorted({*self.texts, *other.texts})),
            words=tuple(sorted({*self.words, *other.words})),
        )


def of_code(source: str) -> Literals:
    """Return the literals of a module, its docstrings read as prose.

    Messages of ``assert`` and ``raise`` are left out: no input is made of them.

    Args:
        source: Python source; text that does not parse gives no literals.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Literals()
    ints: set[int] = set()
    floats: set[float] = set()
    texts: set[str] = set()
    prose: list[str] = []
    for node in _walk(tree, prose):
        value = node.value
        if type(value) is int and abs(value) < MAX_MAGNITUDE:
            ints.add(value)
        elif type(value) is float and abs(value) < MAX_MAGNITUDE:
            floats.add(value)
        elif type(value) is str and 0 < len(value) <= MAX_LITERAL:
            texts.add(value)
    code = Literals(
        ints=tuple(sorted(ints)), floats=tuple(sorted(floats)), texts=tuple(sorted(texts))
    )
    return code | of_prose("\n".join(prose))


def _walk(node: ast.AST, prose: list[str]) -> Iterator[ast.Constant]:
    """Yield the constants below a node that can say something about inputs; collect docstrings."""
    if isinstance(node, ast.Constant):
        yield node
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        if isinstance(node.value.value, str):
            prose.append(node.value.value)
    elif isinstance(node, ast.Assert):
        yield from _walk(node.test, prose)
    elif not isinstance(node, ast.Raise):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child, prose)


def of_prose(text: str) -> Literals:
    """Return the numbers, quoted strings and words of a text.

    Args:
        text: A prompt or docstring, in any language; examples in it are found too.
    """
    quoted = (part for match in _QUOTED.findall(text) for part in match)
    return Literals(
        ints=tuple(sorted({int(part) for part in _INT.findall(text)})),
        floats=tuple(sorted({float(part) for part in _FLOAT.findall(text)})),
        texts=tuple(sorted({part for part in quoted if 0 < len(part) <= MAX_LITERAL})),
        words=tuple(sorted({word for word in _WORD.findall(text) if len(word) < 12})),
    )
