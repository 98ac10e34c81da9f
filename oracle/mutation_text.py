"""Writes a changed program: into the old text where that is safe, else from the syntax tree.

A mutant whose text is the original's but for a few characters is quick to make, and easy to read
beside it. Inside f-strings (whose parts have no sure place before Python 3.12), for statements
of several lines and for ``elif`` the whole program is printed anew, without its comments.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from plusforge.oracle.mutation import Change, altered

SHOWN = 60
"""Characters of old and new text in a description, at most."""

_UNPARENTHESISED = (
    ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Tuple, ast.JoinedStr,
)  # fmt: skip
"""What may stand anywhere as ``ast.unparse`` writes it."""

_ROOMY = (ast.stmt, ast.List, ast.Tuple, ast.keyword, ast.Slice)
"""Around an expression: nothing in them binds more tightly than it does."""


class Made(NamedTuple):
    """A program after a change.

    Attributes:
        source: The program.
        old: What went, in short.
        new: What came.
    """

    source: str
    old: str
    new: str


class Workshop:
    """Writes mutants: by changing the text where that is safe, else from the tree."""

    def __init__(self, source: str, tree: ast.Module) -> None:
        """Prepare for the mutants of one program.

        Args:
            source: The program.
            tree: Its syntax tree; nobody may change it.
        """
        self._tree = tree
        self._data = source.encode()
        self._starts = [0]
        for line in self._data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._plain = b"\r" not in self._data and b"\f" not in self._data
        self._parents = {
            id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }

    def made(self, change: Change, *, inside: bool) -> Made:
        """Return the program after a change.

        Args:
            change: The change.
            inside: It happens inside an f-string.
        """
        old: Any = change.old
        new = change.new if isinstance(change.new, list) else [change.new]
        written = "\n".join(map(ast.unparse, new))
        start = self._starts[old.lineno - 1] + old.col_offset
        end = self._starts[old.end_lineno - 1] + old.end_col_offset
        was = self._data[start:end]
        told = _short(ast.unparse(old) if inside else was.decode("utf-8", "replace"))
        spliced = self._plain and not inside and "\n" not in written and not was.startswith(b"elif")
        if spliced:
            if self._needs_brackets(old, new[0]):
                written = f"({written})"
            text = self._data[:start] + written.encode() + self._data[end:]
            return Made(text.decode(), told, _short(written))
        tree = replaced(self._tree, old, new)
        return Made(ast.unparse(tree) + "\n", told, _short(written))

    def _needs_brackets(self, old: ast.AST, new: ast.AST) -> bool:
        if isinstance(old, ast.GeneratorExp) and not isinstance(new, ast.GeneratorExp):
            return True  # its brackets may be the call's
        if isinstance(new, (ast.stmt, *_UNPARENTHESISED)):
            return False
        around = self._parents[id(old)]
        if isinstance(new, ast.Constant):
            return isinstance(around, ast.Attribute)
        if isinstance(around, ast.Call):
            return old is around.func
        if isinstance(around, ast.Subscript):
            return old is around.value
        same = isinstance(old, ast.Compare) and isinstance(new, ast.Compare)
        return not same and not isinstance(around, _ROOMY)


def told(made: Made, label: str) -> str:
    """Return what a change is, for people, in one line."""
    same = made.old == made.new  # as far as they are shown
    return f"{made.old} -> {label}" if same else f"{made.old} -> {made.new}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def replaced(node: Any, old: ast.AST, new: list[Any]) -> Any:
    """Return a tree with one node replaced; what does not change is shared."""
    fields: dict[str, Any] = {}
    for name, value in ast.iter_fields(node):
        if value is old:
            fields[name] = new[0]
        elif isinstance(value, ast.AST):
            part = replaced(value, old, new)
            if part is not value:
                fields[name] = part
        elif isinstance(value, list):
            parts: list[Any] = []
            for item in value:
                if item is old:
                    parts += new
                else:
                    parts.append(replaced(item, old, new) if isinstance(item, ast.AST) else item)
            if any(a is not b for a, b in zip(parts, value, strict=False)):
                fields[name] = parts
    return altered(node, **fields) if fields else node
