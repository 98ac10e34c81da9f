"""Deterministic cost of a call: a program is rewritten so that it counts its own steps.

Whether an input is cheap enough for a suite must not depend on the machine, its load or the Python
version, so no clock decides it. The rewritten program counts one step for each function entry,
loop turn and comprehension turn, and charges bulk operations (powers, products, ``list(...)``,
``in``, slices, ``"".join``) by the sizes of their operands *before* they run. When the budget is
used up the call is stopped by an exception that ordinary handlers do not catch. The counting
functions that the rewritten text calls are in ``meter``.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file by path.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

CODE_HOOK = "__pf_code__"
"""Name under which a rewritten program finds ``prepare_expression``."""

CONSUMERS = frozenset(
    "list tuple set frozenset dict sum sorted max min any all zip enumerate map filter reversed "
    "Counter deque reduce fsum prod product permutations combinations accumulate "
    "combinations_with_replacement nlargest nsmallest mean median bytes bytearray".split()
)
"""Functions that walk through their arguments at C speed."""

ITERATING_METHODS = frozenset("join extend update union intersection difference fromkeys".split())
"""Methods that walk through their arguments."""

SCANNING_METHODS = frozenset(
    "count index remove insert find rfind replace split copy sort reverse translate".split()
)
"""Methods that walk through the object they are called on."""

PADDING_METHODS = frozenset("zfill ljust rjust center expandtabs".split())
"""String methods whose first argument is the size of the result."""


def prepare(source: str, filename: str) -> CodeType:
    """Compile a program so that it counts its steps.

    Args:
        source: A module's text.
        filename: Shown in tracebacks.

    Returns:
        Code to run in a namespace that a ``Meter`` was installed in.

    Raises:
        SyntaxError: As ``compile`` does.
    """
    tree = ast.parse(source, filename)
    _Rewriter(_recursive_names(tree), _defined_names(tree)).visit(tree)
    return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)


def prepare_expression(source: Any) -> Any:
    """Compile an expression that a program is about to ``eval``, so that it counts its steps too.

    Args:
        source: What the program passes to ``eval``.

    Returns:
        Code to evaluate in the program's own namespace, or the argument itself when it is not
        text or does not parse (``eval`` then says so in its own words).
    """
    if type(source) is not str:
        return source
    try:
        tree = ast.parse(source.lstrip(" \t"), "<expression>", "eval")
    except (SyntaxError, ValueError):
        return source
    _Rewriter(frozenset(), frozenset()).visit(tree)
    return compile(ast.fix_missing_locations(tree), "<expression>", "eval", dont_inherit=True)


def _functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _defined_names(tree: ast.AST) -> frozenset[str]:
    return frozenset(function.name for function in _functions(tree))


def _recursive_names(tree: ast.AST) -> frozenset[str]:
    """Return the names of functions that can reach themselves through calls by name."""
    calls: dict[str, set[str]] = {}
    for function in _functions(tree):
        used = calls.setdefault(function.name, set())
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
    reach = {name: {other for other in used if other in calls} for name, used in calls.items()}
    for _ in reach:
        for name in reach:
            reach[name] = reach[name].union(*(reach[other] for other in reach[name]))
    return frozenset(name for name, reached in reach.items() if name in reached)


_HOOKS = {"Pow": "__pf_pow__", "Mult": "__pf_mult__", "LShift": "__pf_shift__"}


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


class _Rewriter(ast.NodeTransformer):
    """Inserts the counting calls. Every rewrite keeps the program's meaning."""

    def __init__(self, recursive: frozenset[str], defined: frozenset[str]) -> None:
        self.recursive = recursive
        self.defined = defined

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        body = node.body[start:]
        generator = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))
        if node.name in self.recursive and not generator and body:
            leave: list[ast.stmt] = [ast.Expr(_call("__pf_leave__"))]
            body = [ast.Expr(_call("__pf_enter__")), ast.Try(body, [], [], leave)]
        node.body = [*node.body[:start], ast.Expr(_call("__pf_tick__")), *body]
        return node

    def _loop(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_call("__pf_tick__")))
        return node

    visit_For = _loop
    visit_While = _loop

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, _call("__pf_tick__"))  # every tick is True
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else None
        name = node.func.id if isinstance(node.func, ast.Name) else attribute
        if name is None or name in self.defined:
            return node
        if name in CONSUMERS or name in ITERATING_METHODS:
            self._wrap_args(node, "__pf_walk__")
        elif name in ("str", "repr", "format", "int", "bin"):
            self._wrap_args(node, "__pf_text__")
        elif name == "eval" and attribute is None and node.args:
            node.args[0] = _call(CODE_HOOK, node.args[0])
        elif name == "factorial":
            self._wrap_args(node, "__pf_factorial__")
        elif name == "pow" and len(node.args) in (2, 3) and not node.keywords and not attribute:
            return _call("__pf_pow__", *node.args)
        elif attribute in PADDING_METHODS:
            self._wrap_args(node, "__pf_pad__")
        elif attribute in SCANNING_METHODS and isinstance(node.func, ast.Attribute):
            node.func.value = _call("__pf_scan__", node.func.value)
        return node

    def _wrap_args(self, node: ast.Call, hook: str) -> None:
        node.args = [a if isinstance(a, ast.Starred) else _call(hook, a) for a in node.args]

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        hook = _HOOKS.get(type(node.op).__name__)
        return node if hook is None else _call(hook, node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        hook = _HOOKS.get(type(node.op).__name__)
        if hook is None or not isinstance(node.target, ast.Name):
            return node
        if hook == "__pf_mult__":
            hook = "__pf_imult__"  # keeps ``values *= 2`` in place
        current = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], _call(hook, current, node.value))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
            return node
        found = _call("__pf_in__", node.left, node.comparators[0])
        return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), found)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
            node.value = _call("__pf_scan__", node.value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        node.value = _call("__pf_text__", node.value)
        return node
