"""Programs written out from their syntax trees, in lines that people can read.

astor breaks long lines, which ``ast.unparse`` does not. But it drops what is newer than itself
(type parameters), cannot print other such things at all, takes time quadratic in the length of a
literal, and does not work from Python 3.14 on. So its text is taken only when it parses to the
very same tree.
"""

from __future__ import annotations

import ast
import sys
import warnings

if sys.version_info < (3, 14):
    with warnings.catch_warnings():
        # It asks the ast module for classes that Python 3.12 calls deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import astor

MOST_NODES = 4_000
"""Nodes of the largest tree that astor is given: there it takes a quarter of a second."""


def printed(program: str | ast.AST) -> str:
    """Return the text of a program, without its comments.

    Args:
        program: Source, or its syntax tree, which is left as it is.

    Returns:
        Text that parses to the same tree.

    Raises:
        SyntaxError: The source does not parse.
        RecursionError: The tree is nested too deeply for Python's own printer.
    """
    tree = _parsed(program) if isinstance(program, str) else program
    if _is_small(tree):
        text = _by_astor(tree)
        if text is not None and _form(text) == ast.dump(_module(tree)):
            return text
    return ast.unparse(tree) + "\n"


def _is_small(tree: ast.AST) -> bool:
    return all(number < MOST_NODES for number, _ in enumerate(ast.walk(tree)))


def _by_astor(tree: ast.AST) -> str | None:
    if sys.version_info >= (3, 14):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            text: str = astor.to_source(tree)
        except (AttributeError, RecursionError, TypeError, ValueError):
            return None  # syntax it has never heard of
    return text


def _form(text: str) -> str | None:
    try:
        return ast.dump(_parsed(text))
    except SyntaxError:
        return None


def _module(tree: ast.AST) -> ast.Module:
    """Return a tree as the module that its text is."""
    if isinstance(tree, ast.Module):
        return tree
    statement = ast.Expr(tree) if isinstance(tree, ast.expr) else tree
    body: list[ast.stmt] = [statement] if isinstance(statement, ast.stmt) else []
    return ast.Module(body, [])


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a program, not of ours
        return ast.parse(text)
