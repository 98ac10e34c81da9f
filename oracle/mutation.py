"""What a mutation rule is: a small change a careless programmer might have made, and its examples.

A rule is a generator: given a node of the syntax tree, it yields ``Change`` objects. The families
of rules are in ``mutation_*``; ``mutants`` applies them to a whole program. Each rule carries
examples, which are its documentation and its tests: a piece of source and all its mutants.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

Node = TypeVar("Node", bound=ast.AST)


class Change(NamedTuple):
    """One way to change a program.

    Attributes:
        label: What changes, in short; part of the mutant's name.
        old: The node that goes: the one the rule was given, or one below it.
        new: What comes in its place; statements may be several.
    """

    label: str
    old: ast.expr | ast.stmt
    new: ast.expr | ast.stmt | list[ast.stmt]


Apply: TypeAlias = Callable[[Any], Iterator[Change]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        operator: Three letters that name the kind of change, for reports.
        on: The kinds of node it is put to.
        apply: The function.
        examples: All mutants that this rule alone makes of a piece of source.
    """

    operator: str
    on: tuple[type[ast.AST], ...]
    apply: Apply
    examples: Mapping[str, Sequence[str]]


def registrar(catalogue: list[Rule]) -> Callable[..., Callable[[Apply], Apply]]:
    """Return the decorator that enters functions into one family's list of rules.

    Args:
        catalogue: The list to append to; its order is the order of the mutants of a node.
    """

    def rule(
        operator: str, *on: type[ast.AST], examples: Mapping[str, Sequence[str]]
    ) -> Callable[[Apply], Apply]:
        def enter(function: Apply) -> Apply:
            catalogue.append(Rule(operator=operator, on=on, apply=function, examples=examples))
            return function

        return enter

    return rule


# ---------------------------------------------------------------- building nodes


def altered(node: Node, **fields: Any) -> Node:
    """Return a copy of a node with some fields changed; what lies below is shared."""
    new = type(node)(**{**dict(ast.iter_fields(node)), **fields})
    return ast.copy_location(new, node)


def called(name: str, *args: ast.expr) -> ast.Call:
    """Return the call of a builtin."""
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def shifted(node: ast.expr, by: int) -> ast.expr:
    """Return ``node + 1`` or ``node - 1``."""
    operator = ast.Add() if by > 0 else ast.Sub()
    return ast.BinOp(node, operator, ast.Constant(abs(by)))


def negated(node: ast.expr) -> ast.UnaryOp:
    """Return ``not node``."""
    return ast.UnaryOp(ast.Not(), node)


def method_of(node: ast.expr) -> str:
    """Return the method's name when a node is ``something.method``, else nothing."""
    return node.attr if isinstance(node, ast.Attribute) else ""


def function_of(node: ast.Call) -> str:
    """Return the name of the plain function that is called, or nothing."""
    return node.func.id if isinstance(node.func, ast.Name) else ""


def is_constant(node: ast.AST | None, *types: type) -> bool:
    """Tell whether a node is a literal of one of some exact types (of any type if none is given).

    A minus sign before a number belongs to the literal.
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and (not types or type(node.value) in types)


def kind(node: ast.AST) -> str:
    """Return the name of a node's class, for labels."""
    return type(node).__name__
