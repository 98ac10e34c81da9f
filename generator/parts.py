"""The top-level statements of a module, each with its own text and its effects."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.generator.effects import Effects, effects_of, root_name
from plusforge.oracle.source import first_line


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One top-level statement.

    Attributes:
        text: Its own text, with the comment lines directly above it.
        node: Its syntax tree.
        effects: What it does to the module's names.
    """

    text: str
    node: ast.stmt
    effects: Effects


def parts_of(text: str, tree: ast.Module) -> list[Part]:
    """Return the top-level statements of a module, with their texts.

    Args:
        text: The source.
        tree: Its syntax tree.
    """
    lines = text.split("\n")
    spans = [(first_line(node), node.end_lineno or node.lineno) for node in tree.body]
    parts = []
    for index, (node, (start, end)) in enumerate(zip(tree.body, spans, strict=True)):
        before = spans[index - 1][1] if index else 0
        after = spans[index + 1][0] if index + 1 < len(spans) else len(lines) + 1
        if before >= start or after <= end:
            own = _shared_line(lines, node)
        else:
            while start - 1 > before and lines[start - 2].startswith("#"):
                start -= 1
            own = "\n".join(lines[start - 1 : end]).rstrip()
        parts.append(Part(own, node, effects_of(node)))
    return parts


def _shared_line(lines: Sequence[str], node: ast.stmt) -> str:
    """Return the text of a statement that has a line in common with another."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    own = [line.encode() for line in lines[first : last + 1]]
    own[-1] = own[-1][: node.end_col_offset]
    own[0] = own[0][node.col_offset :]
    return b"\n".join(own).decode()


def is_stub(node: ast.AST) -> bool:
    """Tell whether a function has no body but a docstring, ``pass``, ``...`` or a refusal."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    for statement in node.body:
        if isinstance(statement, ast.Pass):
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        refusal = statement.exc if isinstance(statement, ast.Raise) else None
        if refusal is not None and root_name(refusal) == "NotImplementedError":
            continue
        return False
    return True


def is_main_guard(node: ast.stmt) -> bool:
    """Tell whether a statement is ``if __name__ == "__main__"``: code for when a file is run."""
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
    )
