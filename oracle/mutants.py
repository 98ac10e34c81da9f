"""Mutants of a reference: all programs that differ from it by one small, plausible mistake.

They say how much a set of inputs can tell apart. The mutants of a program are a function of its
text alone: same names, same order, on every version of Python. They run in the sandbox, like every
program (``Sandbox.targets``).
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plusforge.oracle import (
    mutation_arithmetic,
    mutation_calls,
    mutation_compare,
    mutation_constants,
    mutation_logic,
    mutation_methods,
    mutation_statements,
    mutation_subscripts,
)
from plusforge.oracle.mutation import Change, Rule, is_constant
from plusforge.oracle.mutation_text import Workshop, told
from plusforge.oracle.source import find_function, functions, needed, parse_module

RULES: tuple[Rule, ...] = (
    *mutation_compare.RULES,
    *mutation_arithmetic.RULES,
    *mutation_logic.RULES,
    *mutation_constants.RULES,
    *mutation_subscripts.RULES,
    *mutation_calls.RULES,
    *mutation_methods.RULES,
    *mutation_statements.RULES,
)
"""All rules; their order is the order of the mutants of one node."""

LONGEST_DISPLAY = 20
"""A list, dict or other literal with more items than this is data: its items stay as they are."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant.

    Attributes:
        name: Unique among the mutants of a program, for example ``ROR:12:8:Lt->LtE``.
        operator: The kind of mistake, for example ``ROR``.
        line: Line of the original that is changed, 1-based.
        source: The complete module.
        description: For people: ``line 12: a < b -> a <= b``.
    """

    name: str
    operator: str
    line: int
    source: str
    description: str


class _Spot(NamedTuple):
    """A node that rules are put to.

    Attributes:
        node: The node.
        anchor: Tells where it is: itself, or the f-string around it, whose inside has no sure
            place before Python 3.12.
    """

    node: ast.AST
    anchor: ast.AST


def mutants_of(source: str, entry_point: str) -> list[Mutant]:
    """Return the mutants of a program, in order of place.

    What the entry point does not reach stays as it is, and so do imports, annotations, docstrings
    and the texts of exceptions. What has the same syntax tree as the program or as an earlier
    mutant is left out. (Comparing code would find a few more, other ones on each Python.)

    Args:
        source: A module's text.
        entry_point: Name of the function in it.

    Returns:
        Mutants that compile, each different from the program and from all others; none of a program
        that is nested too deeply for Python's own tools (some 300 levels).

    Raises:
        TaskError: The program does not compile, or lacks the entry point.
    """
    tree = parse_module(source, "reference")
    try:
        return _mutants(source, tree, entry_point)
    except RecursionError:
        return []


def _mutants(source: str, tree: ast.Module, entry_point: str) -> list[Mutant]:
    workshop = Workshop(source, tree)
    roots = _reached(tree, entry_point)
    seen = {ast.dump(root) for root in roots}
    names: Counter[str] = Counter()
    mutants: list[Mutant] = []
    for root, spot, rule, change in _changes(roots):
        made = workshop.made(change, inside=spot.anchor is not spot.node)
        key = _form(made.source, tree.body.index(root))
        if key is None or key in seen:
            continue
        seen.add(key)
        anchor: Any = change.old if spot.anchor is spot.node else spot.anchor
        name = f"{rule.operator}:{anchor.lineno}:{anchor.col_offset}:{change.label}"
        names[name] += 1
        mutants.append(
            Mutant(
                name=name if names[name] == 1 else f"{name}#{names[name]}",
                operator=rule.operator,
                line=anchor.lineno,
                source=made.source,
                description=f"line {anchor.lineno}: {told(made, change.label)}",
            )
        )
    return mutants


# ---------------------------------------------------------------- what is changed


def _reached(tree: ast.Module, entry_point: str) -> list[ast.stmt]:
    """Return the entry point and the top-level statements it needs, in order."""
    entry = find_function(tree, entry_point, "reference")
    last = functions(tree)
    chosen = [
        node
        for node in needed(tree, [entry], skip=())
        if not isinstance(node, ast.FunctionDef) or last[node.name] is node
    ]
    return chosen if entry in chosen else [*chosen, entry]


def _changes(roots: list[ast.stmt]) -> Iterator[tuple[ast.stmt, _Spot, Rule, Change]]:
    for root in roots:
        for spot in _spots(root, None, quiet=False):
            for rule in _RULES_OF.get(type(spot.node), ()):
                for change in rule.apply(spot.node):
                    yield root, spot, rule, change


_RULES_OF = {cls: [rule for rule in RULES if cls in rule.on] for rule in RULES for cls in rule.on}

_LEFT_ALONE = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.expr_context)


def _spots(node: ast.AST, anchor: ast.AST | None, *, quiet: bool) -> Iterator[_Spot]:
    """Yield the nodes below (and including) one that may change.

    Args:
        node: The node.
        anchor: The f-string around it, if there is one.
        quiet: Text is for people, as in exceptions: literal strings stay.
    """
    if isinstance(node, _LEFT_ALONE):
        return
    if isinstance(node, ast.JoinedStr):
        anchor = anchor or node
    elif not (quiet and isinstance(node, ast.Constant) and type(node.value) is str):
        yield _Spot(node, anchor or node)
    if isinstance(node, ast.UnaryOp) and is_constant(node):
        return  # the sign belongs to the number
    quiet = quiet or isinstance(node, ast.Raise)
    for child in _children(node):
        yield from _spots(child, anchor, quiet=quiet)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if not isinstance(node, ast.ClassDef):
            yield from (d for d in (*node.args.defaults, *node.args.kw_defaults) if d)
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        yield from node.body[start:]
    elif isinstance(node, ast.AnnAssign):
        yield from (part for part in (node.target, node.value) if part)
    elif isinstance(node, ast.Lambda):
        yield from (*node.args.defaults, node.body)
    elif isinstance(node, ast.JoinedStr):
        yield from (part.value for part in node.values if isinstance(part, ast.FormattedValue))
    elif isinstance(node, ast.Assert):
        yield node.test
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    elif _size(node) <= LONGEST_DISPLAY:
        yield from ast.iter_child_nodes(node)


def _size(node: ast.AST) -> int:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return len(node.elts)
    return len(node.keys) if isinstance(node, ast.Dict) else 0


# ---------------------------------------------------------------- what is the same


def _form(source: str, index: int) -> str | None:
    """Return one text for equal programs, or None when a program does not compile.

    Args:
        source: The mutant.
        index: Which top-level statement changed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "is" with a literal is somebody's mistake on purpose
        try:
            tree = ast.parse(source)
            compile(tree, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None  # such as a break outside a loop
    return ast.dump(tree.body[index])
