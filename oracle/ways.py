"""Programs that note their ways: what came of each place where they decide something.

A comparison of numbers or of strings is less, equal or greater, any other one true or false; a
condition is true or false; a loop turns never, once or more often; a handler or a case is reached.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from plusforge.oracle.source import parse_module

ENTRY = "__pf_footprint__"
"""What is called instead of the reference's entry point; its result is the footprint."""

_WAYS = 4
"""Bits of a place: less or false, equal or true, greater, none of them (a NaN)."""

_HOOKS = """
import operator as __pf_operator__
import sys as __pf_sys__

__pf_exception__ = Exception
__pf_sys__.setrecursionlimit(10_000)  # with the hooks calls nest deeper than the reference's
__pf_seen__ = set()
__pf_note__ = __pf_seen__.add
__pf_operators__ = {
    "Lt": __pf_operator__.lt, "LtE": __pf_operator__.le, "Gt": __pf_operator__.gt,
    "GtE": __pf_operator__.ge, "Eq": __pf_operator__.eq, "NotEq": __pf_operator__.ne,
    "Is": __pf_operator__.is_, "IsNot": __pf_operator__.is_not,
    "In": lambda item, items: item in items, "NotIn": lambda item, items: item not in items,
}
__pf_ordered__ = frozenset({"Lt", "LtE", "Gt", "GtE", "Eq", "NotEq"})

# What follows is called when the reference may have given names of its own to type, str...
def __pf_compare__(
    place, name, left, right, *, type=type, str=str, bool=bool, int=int, float=float
):
    found = __pf_operators__[name](left, right)
    kind, other = type(left), type(right)  # in no set: a class need have no hash
    if name in __pf_ordered__ and (
        (kind is int or kind is float or kind is bool)
        and (other is int or other is float or other is bool)
        or kind is other is str
    ):
        way = 0 if left < right else 1 if left == right else 2 if left > right else 3
        __pf_note__(place + way)
    elif type(found) is bool:
        __pf_note__(place + found)
    return found

def __pf_chain__(place, left, *links):
    for name, later in links:
        right = later()
        found = __pf_compare__(place, name, left, right)
        if not found:
            break
        place, left = place + 4, right
    return found

def __pf_truth__(place, value):
    way = 1 if value else 0
    __pf_note__(place + way)
    return way

def __pf_operand__(place, value):
    try:
        __pf_note__(place + (1 if value else 0))
    except __pf_exception__:
        pass  # the last one need not have a truth: an array has none
    return value

def __pf_turns__(place, items, *, iter=iter):
    return __pf_each__(place, iter(items))  # at once, as a generator expression does

def __pf_each__(place, items):
    turn = 0
    for item in items:
        if turn < 2:
            turn += 1
            __pf_note__(place + turn)
        yield item
    if not turn:
        __pf_note__(place)
"""

_CALL = f"""
def {ENTRY}(*args):
    __pf_seen__.clear()
    try:
        {{entry}}(*args)
    except __pf_exception__:
        pass
    footprint = 0
    for bit in __pf_seen__:
        footprint |= 1 << bit
    return footprint
"""

_Deciding = TypeVar("_Deciding", ast.If, ast.While, ast.IfExp, ast.Assert)
_Body = TypeVar("_Body", ast.ExceptHandler, ast.match_case)


def followed(source: str, entry: str) -> str:
    """Return the text of a program that leaves footprints.

    Args:
        source: A reference.
        entry: Its entry point.

    Returns:
        A program whose function ``__pf_footprint__`` takes the same arguments.

    Raises:
        TaskError: The reference does not parse.
        RecursionError: It is nested too deeply to be rewritten.
        ValueError: Python's own printer cannot write it.
    """
    tree = parse_module(source, "reference")
    head = 0
    if ast.get_docstring(tree, clean=False) is not None:
        head = 1
    while head < len(tree.body) and _is_future(tree.body[head]):
        head += 1
    rewriter = _Rewriter()
    tree.body = [
        *tree.body[:head],
        *ast.parse(_HOOKS).body,
        *map(rewriter.visit, tree.body[head:]),
        *ast.parse(_CALL.format(entry=entry)).body,
    ]
    return ast.unparse(ast.fix_missing_locations(tree))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _call(hook: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(hook, ast.Load()), list(args), [])


_FIXED = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""Expressions that mean something else within a lambda."""

_FRAME = frozenset({"super", "locals", "vars", "dir", "eval", "exec"})
"""Functions that look at the names of their caller."""


def _movable(node: ast.expr) -> bool:
    """Tell whether an expression means the same within a lambda."""
    return not any(
        isinstance(part, _FIXED)
        or (isinstance(part, ast.comprehension) and part.is_async)
        or (isinstance(part, ast.Name) and part.id in _FRAME)
        for part in ast.walk(node)
    )


class _Rewriter(ast.NodeTransformer):
    """Inserts the notes.

    Every rewrite keeps the program's meaning, but for one thing: the truth of an operand of ``and``
    or ``or`` is asked for twice, which shows where a class defines it with side effects.
    """

    def __init__(self) -> None:
        self._places = 0

    def _place(self, count: int = 1) -> ast.Constant:
        place = ast.Constant(_WAYS * self._places)
        self._places += count
        return place

    def _condition(self, node: ast.expr, hook: str = "__pf_truth__") -> ast.expr:
        """Rewrite what is looked at for its truth; comparisons and their like note more."""
        noted = isinstance(node, ast.Compare | ast.BoolOp)
        found: ast.expr = self.visit(node)
        return found if noted else _call(hook, self._place(), found)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Rewrite the bodies of methods alone: a lambda does not see the names of a class."""
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                part.body = list(map(self.visit, part.body))
            elif isinstance(part, ast.ClassDef):
                self.visit(part)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # quotes within quotes: not for every Python that may read the text

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        later = node.comparators if len(node.ops) > 1 else []
        if not all(map(_movable, later)):
            return node
        self.generic_visit(node)
        names = [ast.Constant(type(operator).__name__) for operator in node.ops]
        place = self._place(len(names))
        if len(names) == 1:
            return _call("__pf_compare__", place, names[0], node.left, node.comparators[0])
        nothing = ast.arguments([], [], None, [], [], None, [])
        links = [
            ast.Tuple([name, ast.Lambda(nothing, right)], ast.Load())
            for name, right in zip(names, node.comparators, strict=True)
        ]
        return _call("__pf_chain__", place, node.left, *links)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = [self._condition(value, "__pf_operand__") for value in node.values]
        return node

    def _deciding(self, node: _Deciding) -> _Deciding:
        test = self._condition(node.test)
        node.test = ast.Constant(value=True)
        self.generic_visit(node)
        node.test = test
        return node

    visit_If = _deciding
    visit_While = _deciding
    visit_IfExp = _deciding
    visit_Assert = _deciding

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("__pf_turns__", self._place(), node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        tests, node.ifs = list(map(self._condition, node.ifs)), []
        self.generic_visit(node)
        node.ifs = tests
        if not node.is_async:
            node.iter = _call("__pf_turns__", self._place(), node.iter)
        return node

    def _reached(self, node: _Body) -> Any:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_call("__pf_note__", self._place())))
        return node

    visit_ExceptHandler = _reached
    visit_match_case = _reached
