"""Rules for truth: and, or, not, conditions that always or never hold, filters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from plusforge.oracle.mutation import Change, Rule, altered, is_constant, kind, negated, registrar

RULES: list[Rule] = []
_rule = registrar(RULES)

Conditional: TypeAlias = ast.If | ast.While | ast.IfExp
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _negates_itself(node: ast.expr) -> bool:
    """Tell whether another rule already makes the opposite of a condition."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) and len(node.ops) == 1


@_rule(
    "LCR",
    ast.BoolOp,
    examples={
        "a and b": ["a or b", "b", "a"],
        "a or b or c": ["a and b and c", "b or c", "a or c", "a or b"],
    },
)
def connective_replaced(node: ast.BoolOp) -> Iterator[Change]:
    """Exchange ``and`` and ``or``, or drop an operand."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change(f"{kind(node.op)}->{kind(other)}", node, altered(node, op=other))
    for index in range(len(node.values)):
        left = [*node.values[:index], *node.values[index + 1 :]]
        rest = left[0] if len(left) == 1 else altered(node, values=left)
        yield Change(f"drop{index}", node, rest)


@_rule("NEG", ast.UnaryOp, examples={"not a": ["a"], "-a": []})
def not_dropped(node: ast.UnaryOp) -> Iterator[Change]:
    """Drop a ``not``."""
    if isinstance(node.op, ast.Not):
        yield Change("Not", node, node.operand)


@_rule(
    "NEG",
    ast.BoolOp,
    examples={"a and b": ["not a and b", "a and not b"], "a < 1 or not b": []},
)
def operand_negated(node: ast.BoolOp) -> Iterator[Change]:
    """Negate one operand of a connective."""
    for index, value in enumerate(node.values):
        if not _negates_itself(value) and not isinstance(value, ast.BoolOp):
            yield Change(f"not{index}", value, negated(value))


@_rule(
    "NEG",
    ast.If,
    ast.While,
    ast.IfExp,
    examples={
        "if a: pass": ["if not a: pass"],
        "if a and b: pass": ["if not (a and b): pass"],
        "while a < b: pass": [],
        "x = 1 if a else 2": ["x = 1 if not a else 2"],
    },
)
def condition_negated(node: Conditional) -> Iterator[Change]:
    """Take a condition's opposite."""
    if not _negates_itself(node.test) and not is_constant(node.test):
        yield Change("not", node.test, negated(node.test))


@_rule(
    "CON",
    ast.If,
    ast.While,
    ast.IfExp,
    examples={
        "if a: pass": ["if True: pass", "if False: pass"],
        "while True: pass": ["while False: pass"],
        "x = 1 if a else 2": ["x = 1 if True else 2", "x = 1 if False else 2"],
    },
)
def condition_forced(node: Conditional) -> Iterator[Change]:
    """Let a condition always or never hold."""
    already = bool(node.test.value) if isinstance(node.test, ast.Constant) else None
    for value in (True, False):
        if value is not already:
            yield Change(str(value), node.test, ast.Constant(value))


@_rule(
    "CID",
    *_COMPREHENSIONS,
    examples={
        "[x for x in a if x if b]": ["[x for x in a if b]", "[x for x in a if x]"],
        "f(x for x in a if x < 1)": ["f(x for x in a)"],
        "[x for x in a]": [],
    },
)
def filter_dropped(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Iterator[Change]:
    """Drop an ``if`` of a comprehension."""
    for at, part in enumerate(node.generators):
        for index in range(len(part.ifs)):
            less = altered(part, ifs=[*part.ifs[:index], *part.ifs[index + 1 :]])
            generators = [*node.generators[:at], less, *node.generators[at + 1 :]]
            yield Change(f"drop{at}.{index}", node, altered(node, generators=generators))


@_rule(
    "CID",
    ast.comprehension,
    examples={"[x for x in a if x]": ["[x for x in a if not x]"], "[x for x in a if x < 1]": []},
)
def filter_negated(node: ast.comprehension) -> Iterator[Change]:
    """Keep what a comprehension leaves out."""
    for test in node.ifs:
        if not _negates_itself(test):
            yield Change("not", test, negated(test))
