"""Rules for literals: numbers off by one, signs, truth values, text and displays cut short."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from plusforge.oracle.mutation import Change, Rule, altered, registrar

RULES: list[Rule] = []
_rule = registrar(RULES)

LONGEST_LABEL = 12
"""Characters of a literal in a mutant's name, at most."""


def _told(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 3]}..."


def _numbers(value: int | float) -> list[int | float]:
    if type(value) is int:
        return [value + 1, value - 1, 0, -value]
    return [0.0, -value, value * 2, value / 2] if value else [1.0, -1.0]


def _texts(value: str) -> list[str]:
    if not value:
        return [" ", "x"]
    texts = ["", value[1:], value[:-1], value.swapcase()]
    if len(value) == 1 and value.isascii() and value.isalnum():
        texts.append(chr(ord(value) + 1))
    return texts


@_rule(
    "CRP",
    ast.Constant,
    ast.UnaryOp,
    examples={
        "x = 5": ["x = 6", "x = 4", "x = 0", "x = -5"],
        "x = 1": ["x = 2", "x = 0", "x = -1"],
        "x = 0": ["x = 1", "x = -1"],
        "x = -1": ["x = 0", "x = -2", "x = 1"],
        "x = 0.5": ["x = 0.0", "x = -0.5", "x = 1.0", "x = 0.25"],
        "x = True": ["x = False"],
        "x = None": [],
        "x = 'ab'": ["x = ''", "x = 'b'", "x = 'a'", "x = 'AB'"],
        "x = ' '": ["x = ''"],
        "x = 'a'": ["x = ''", "x = 'A'", "x = 'b'"],
        "x = ''": ["x = ' '", "x = 'x'"],
    },
)
def constant_changed(node: ast.Constant | ast.UnaryOp) -> Iterator[Change]:
    """Change a literal a little."""
    old = _literal(node)
    others: list[Any] = []
    if type(old) is bool:
        others = [not old]
    elif type(old) in (int, float):
        others = _numbers(old)
    elif type(old) is str:
        others = _texts(old)
    for other in dict.fromkeys(others):
        if other != old:
            yield Change(f"{_told(old)}->{_told(other)}", node, _node(other))


def _literal(node: ast.Constant | ast.UnaryOp) -> Any:
    """Return the value of a literal, or None when a node is none."""
    if isinstance(node, ast.Constant):
        return node.value
    value = node.operand.value if isinstance(node.operand, ast.Constant) else None
    signed = isinstance(node.op, ast.USub) and type(value) in (int, float)
    return -value if signed else None  # type: ignore[operator]


def _node(value: Any) -> ast.expr:
    if type(value) in (int, float) and value < 0:  # as Python reads it
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


@_rule(
    "CDS",
    ast.List,
    ast.Tuple,
    ast.Set,
    examples={
        "x = [a, b, c]": ["x = [b, c]", "x = [a, b]"],
        "x = [a]": ["x = []"],
        "x = (a, b)": [],
        "x = y in (1, 2)": ["x = y in (2,)", "x = y in (1,)"],
    },
)
def display_shortened(node: ast.List | ast.Tuple | ast.Set) -> Iterator[Change]:
    """Drop the first or the last item of a list, of a set, or of a tuple of literals."""
    if not isinstance(node, ast.Set) and not isinstance(node.ctx, ast.Load):
        return
    items = node.elts
    if isinstance(node, ast.Tuple) and not all(isinstance(i, ast.Constant) for i in items):
        return  # what is written as (a, b) is most often a record, not a collection
    if len(items) > 1:
        yield Change("first", node, altered(node, elts=items[1:]))
        yield Change("last", node, altered(node, elts=items[:-1]))
    elif items and isinstance(node, ast.List):
        yield Change("all", node, altered(node, elts=[]))


@_rule(
    "CDS",
    ast.Dict,
    examples={"x = {1: a, 2: b}": ["x = {2: b}", "x = {1: a}"], "x = {1: a}": []},
)
def dict_shortened(node: ast.Dict) -> Iterator[Change]:
    """Drop the first or the last entry of a dict."""
    if len(node.keys) > 1:
        yield Change("first", node, altered(node, keys=node.keys[1:], values=node.values[1:]))
        yield Change("last", node, altered(node, keys=node.keys[:-1], values=node.values[:-1]))
