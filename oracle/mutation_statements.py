"""Rules for statements: one left out, jumps exchanged, another value returned, loops cut short."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import Change, Rule, altered, called, is_constant, kind, registrar
from plusforge.oracle.mutation_arithmetic import is_sequence

RULES: list[Rule] = []
_rule = registrar(RULES)

_LISTS = (ast.List, ast.ListComp)
_NUMBERS = (ast.BinOp, ast.Name, ast.Subscript, ast.Call, ast.UnaryOp)
_TRUTHS = (ast.Compare, ast.BoolOp)
_NUMERIC_CALLS = frozenset({"len", "sum", "int", "float", "round", "abs", "max", "min", "ord"})


@_rule(
    "SDL",
    ast.Expr,
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.If,
    ast.For,
    ast.Break,
    ast.Continue,
    ast.Raise,
    ast.Delete,
    examples={
        "x = 1": ["pass"],
        "f()": ["pass"],
        "'text'": [],
        "for x in y: z": ["pass", "for x in y: pass"],
        "if x: pass": [],
        "if x: pass\nelse: y": ["pass", "if x: pass\nelse: pass"],
        "pass": [],
    },
)
def statement_dropped(node: ast.stmt) -> Iterator[Change]:
    """Leave out a statement.

    An ``if`` without an ``else`` goes with its condition.
    """
    if isinstance(node, ast.Expr) and is_constant(node.value):
        return
    if not isinstance(node, ast.If) or node.orelse:
        yield Change(kind(node), node, ast.Pass())


@_rule(
    "SDL",
    ast.FunctionDef,
    examples={
        "def f():\n    if a: return 1\n    return 2": ["def f():\n    if a: pass\n    return 2"],
        "def f():\n    if a: return 1\n    else: return 2": [],
        "def f():\n    for x in a: return x": ["def f():\n    for x in a: pass"],
    },
)
def return_dropped(node: ast.FunctionDef) -> Iterator[Change]:
    """Leave out a return after which more would follow; others are made to return None."""
    last = set(map(id, _last_returns(node.body)))
    inner = {id(n) for f in ast.walk(node) if f is not node and isinstance(f, ast.FunctionDef)
             for n in ast.walk(f)}  # fmt: skip
    for part in ast.walk(node):
        if isinstance(part, ast.Return) and id(part) not in last | inner:
            yield Change("Return", part, ast.Pass())


def _last_returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    """Yield the returns that nothing comes after."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return):
        yield last
    elif isinstance(last, ast.If):
        yield from _last_returns(last.body)
        yield from _last_returns(last.orelse)


@_rule("CFD", ast.Break, examples={"while x: break": ["while x: continue"]})
def break_replaced(node: ast.Break) -> Iterator[Change]:
    """Go on with the loop instead of leaving it."""
    yield Change("Break->Continue", node, ast.Continue())


@_rule("CFD", ast.Continue, examples={"while x: continue": ["while x: break"]})
def continue_replaced(node: ast.Continue) -> Iterator[Change]:
    """Leave the loop instead of going on with it."""
    yield Change("Continue->Break", node, ast.Break())


@_rule(
    "LOP",
    ast.For,
    examples={
        "for x in a: f(x)": [
            "for x in reversed(list(a)): f(x)",
            "for x in a:\n    f(x)\n    break",
        ],
        "for x in a: break": ["for x in reversed(list(a)): break"],
    },
)
def loop_bent(node: ast.For) -> Iterator[Change]:
    """Walk backwards, or leave a loop after the first turn."""
    yield Change("reversed", node.iter, called("reversed", called("list", node.iter)))
    if not isinstance(node.body[-1], ast.Break | ast.Return | ast.Continue):
        yield Change("once", node, altered(node, body=[*node.body, ast.Break()]))


def _empty(value: ast.expr) -> list[ast.expr]:
    """Return the literals that a careless programmer returns in an expression's place."""
    zero, nothing = ast.Constant(0), ast.Constant("")
    if isinstance(value, _TRUTHS) or is_constant(value, bool):
        return [ast.Constant(value=True), ast.Constant(value=False)]
    if isinstance(value, _LISTS):
        return [ast.List([], ast.Load())]
    if isinstance(value, ast.Tuple):
        return []
    if is_constant(value, str) or isinstance(value, ast.JoinedStr):
        return [nothing]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        name = value.func.id
        if name in ("list", "sorted"):
            return [ast.List([], ast.Load())]
        if name in _NUMERIC_CALLS:
            return [zero]
        return (
            [ast.Constant(value=True), ast.Constant(value=False)]
            if name in ("any", "all", "bool")
            else []
        )
    if isinstance(value, ast.BinOp) and not is_sequence(value):
        return [zero]
    return []


@_rule(
    "RET",
    ast.Return,
    examples={
        "def f(): return a < b": [
            "def f(): return None", "def f(): return True", "def f(): return False",
        ],
        "def f(): return a < b < c": [
            "def f(): return None", "def f(): return True", "def f(): return False",
            "def f(): return not a < b < c",
        ],
        "def f(): return a + b": [
            "def f(): return None", "def f(): return 0", "def f(): return -(a + b)",
        ],
        "def f(): return [a]": ["def f(): return None", "def f(): return []"],
        "def f(): return None": [],
        "def f(): return 1": ["def f(): return None"],
        "def f(): return (a, b)": ["def f(): return None", "def f(): return (b, a)"],
    },
)  # fmt: skip
def return_replaced(node: ast.Return) -> Iterator[Change]:
    """Return nothing, something empty, or the opposite."""
    value = node.value
    if value is None or is_constant(value, type(None)):
        return
    yield Change("None", value, ast.Constant(None))
    for other in _empty(value):
        if ast.dump(other) != ast.dump(value):
            yield Change(ast.unparse(other), value, other)
    if isinstance(value, _TRUTHS):
        if isinstance(value, ast.Compare) and len(value.ops) == 1:
            return  # another comparison is its opposite
        yield Change("not", value, ast.UnaryOp(ast.Not(), value))
    elif isinstance(value, _NUMBERS) and not is_sequence(value) and not is_constant(value):
        yield Change("minus", value, ast.UnaryOp(ast.USub(), value))
    elif isinstance(value, ast.Tuple) and len(value.elts) == 2:
        yield Change("swap", value, altered(value, elts=value.elts[::-1]))


@_rule(
    "EXC",
    ast.Try,
    examples={
        "try:\n    f()\nexcept A:\n    g()": ["f()"],
        "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()": [
            "try:\n    f()\nexcept B:\n    h()",
            "try:\n    f()\nexcept A:\n    g()",
        ],
        "try:\n    f()\nfinally:\n    g()": [],
    },
)
def handler_dropped(node: ast.Try) -> Iterator[Change]:
    """Let an exception pass that is handled."""
    handlers = node.handlers
    if len(handlers) == 1 and not node.finalbody:
        yield Change("Try", node, [*node.body, *node.orelse])
        return
    for index in range(len(handlers)):
        rest = [*handlers[:index], *handlers[index + 1 :]]
        # An else needs a handler; without one it simply follows.
        if rest or not node.orelse:
            yield Change(f"drop{index}", node, altered(node, handlers=rest))
