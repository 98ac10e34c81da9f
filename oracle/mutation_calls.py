"""Rules for calls: arguments swapped or dropped, builtins exchanged or left out, ranges."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import (
    Change,
    Rule,
    altered,
    function_of,
    is_constant,
    method_of,
    registrar,
    shifted,
)

RULES: list[Rule] = []
_rule = registrar(RULES)

_EXCHANGED = {
    "min": ("max",),
    "max": ("min",),
    "any": ("all",),
    "all": ("any",),
    "sum": ("len", "max"),
    "len": ("sum",),
    "sorted": ("list",),
    "set": ("list",),
    "list": ("set",),
    "int": ("round", "float"),
    "float": ("int",),
    "round": ("int",),
    "floor": ("ceil", "round"),
    "ceil": ("floor", "round"),
    "tuple": ("list",),
    "str": ("repr",),
}
_METHODS_EXCHANGED = {"floor": ("ceil",), "ceil": ("floor",), "gcd": ("lcm",), "lcm": ("gcd",)}

_UNWRAPPED = frozenset(
    "abs int float bool str round sorted set list tuple reversed sum max min len floor ceil sqrt "
    "iter enumerate".split()
)
"""Functions of one argument that a careless programmer forgets to call."""


@_rule(
    "BIF",
    ast.Call,
    examples={
        "min(a, b)": ["max(a, b)"],
        "sorted(a)": ["list(a)"],
        "sorted(a, key=f)": [],
        "math.floor(a)": ["math.ceil(a)"],
        "f(a)": [],
    },
)
def builtin_exchanged(node: ast.Call) -> Iterator[Change]:
    """Call the neighbour of a well-known function."""
    name = function_of(node)
    for other in _EXCHANGED.get(name, ()):
        # The others take one argument and no key.
        if name in ("min", "max") or (len(node.args) == 1 and not node.keywords):
            func = ast.Name(other, ast.Load())
            yield Change(f"{name}->{other}", node.func, func)
    if isinstance(node.func, ast.Attribute):
        for other in _METHODS_EXCHANGED.get(node.func.attr, ()):
            yield Change(f"{node.func.attr}->{other}", node.func, altered(node.func, attr=other))


@_rule(
    "UNW",
    ast.Call,
    examples={
        "abs(a)": ["a"],
        "sorted(a, key=f)": ["a"],
        "round(a, 2)": ["a"],
        "math.sqrt(a)": ["a"],
        "max(a, b)": ["a", "b"],
        "f(a)": [],
        "int()": [],
    },
)
def call_unwrapped(node: ast.Call) -> Iterator[Change]:
    """Leave out a call: its argument stays."""
    name = function_of(node) or method_of(node.func)
    if name not in _UNWRAPPED or any(isinstance(arg, ast.Starred) for arg in node.args):
        return
    many = name in ("max", "min")
    if len(node.args) == 1 or (node.args and not many):
        yield Change(name, node, node.args[0])
    elif many:
        for index, arg in enumerate(node.args):
            yield Change(f"{name}{index}", node, arg)


@_rule(
    "CSW",
    ast.Call,
    examples={
        "f(a, b, c)": ["f(b, a, c)", "f(a, c, b)"],
        "max(a, b)": [],
        "isinstance(a, int)": [],
        "f(*a, b)": [],
        "f(a, a)": [],
    },
)
def arguments_swapped(node: ast.Call) -> Iterator[Change]:
    """Swap two neighbouring arguments."""
    name = function_of(node)
    if name in ("max", "min", "isinstance", "range", "map", "filter", "print"):
        return  # the order does not matter, or the call fails whatever the input
    for index in range(len(node.args) - 1):
        left, right = node.args[index : index + 2]
        starred = isinstance(left, ast.Starred) or isinstance(right, ast.Starred)
        if not starred and ast.dump(left) != ast.dump(right):
            args = [*node.args[:index], right, left, *node.args[index + 2 :]]
            yield Change(f"swap{index}", node, altered(node, args=args))


@_rule(
    "KWD",
    ast.Call,
    examples={
        "f(a, k=1, m=2)": ["f(a, m=2)", "f(a, k=1)"],
        "f(**a)": [],
        "f(a)": [],
    },
)
def keyword_dropped(node: ast.Call) -> Iterator[Change]:
    """Drop a keyword argument, such as the key of a sort."""
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield Change(keyword.arg, node, altered(node, keywords=rest))


@_rule(
    "SRT",
    ast.Call,
    examples={
        "sorted(a)": ["sorted(a, reverse=True)"],
        "a.sort(key=f)": ["a.sort(key=f, reverse=True)"],
        "sorted(a, reverse=True)": [],
        "sorted(a, reverse=b)": ["sorted(a, reverse=not b)"],
        "f(a)": [],
    },
)
def sorting_reversed(node: ast.Call) -> Iterator[Change]:
    """Sort the other way round."""
    if function_of(node) != "sorted" and method_of(node.func) != "sort":
        return
    given = next((k for k in node.keywords if k.arg == "reverse"), None)
    if given is None:
        keywords = [*node.keywords, ast.keyword("reverse", ast.Constant(value=True))]
        yield Change("reverse", node, altered(node, keywords=keywords))
    elif not is_constant(given.value):
        yield Change("reverse", given.value, ast.UnaryOp(ast.Not(), given.value))


@_rule(
    "RNG",
    ast.Call,
    examples={
        "range(n)": ["range(n + 1)", "range(n - 1)", "range(1, n)"],
        "range(a, b)": ["range(b)", "range(a + 1, b)", "range(a - 1, b)", "range(a, b + 1)",
                        "range(a, b - 1)"],
        "range(1, n + 1)": ["range(n + 1)", "range(1, n + 1 + 1)", "range(1, n + 1 - 1)"],
        "range(0, n, 2)": ["range(n)", "range(0, n)", "range(0, n + 1, 2)", "range(0, n - 1, 2)"],
        "range(5)": ["range(1, 5)"],
    },
)  # fmt: skip
def range_shifted(node: ast.Call) -> Iterator[Change]:
    """Shift a bound of a range, or leave out where it begins or its step."""
    if function_of(node) != "range" or node.keywords or not 1 <= len(node.args) <= 3:
        return
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return
    if len(node.args) > 1:
        yield Change("start:none", node, altered(node, args=[node.args[1]]))
    if len(node.args) == 3:
        yield Change("step:none", node, altered(node, args=node.args[:2]))
    for index, bound in enumerate(node.args[:2]):
        if not is_constant(bound):
            yield Change(f"{index}:+1", bound, shifted(bound, 1))
            yield Change(f"{index}:-1", bound, shifted(bound, -1))
    if len(node.args) == 1:
        yield Change("start:1", node, altered(node, args=[ast.Constant(1), *node.args]))


@_rule(
    "DFL",
    ast.Call,
    examples={
        "d.get(k, v)": ["d.get(k)", "d[k]"],
        "d.get(k)": ["d[k]"],
        "a.pop(0)": ["a.pop()"],
        "a.pop()": ["a.pop(0)"],
        "d.pop(k, v)": [],
    },
)
def default_changed(node: ast.Call) -> Iterator[Change]:
    """Change what a dict gives when it has nothing, or which end a list loses."""
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return
    name, args = node.func.attr, node.args
    if name == "get" and len(args) == 2:
        yield Change("get:none", node, altered(node, args=args[:1]))
    if name == "get" and len(args) in (1, 2):
        yield Change("get:item", node, ast.Subscript(node.func.value, args[0], ast.Load()))
    if name == "pop" and not args:
        yield Change("pop:0", node, altered(node, args=[ast.Constant(0)]))
    elif name == "pop" and len(args) == 1:
        yield Change("pop:last", node, altered(node, args=[]))
