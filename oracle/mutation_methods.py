"""Rules for methods: case folding, kinds of character, searching, splitting, lists and sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import Change, Rule, altered, called, is_constant, registrar

RULES: list[Rule] = []
_rule = registrar(RULES)

_NEIGHBOURS = {
    "lower": ("upper", "swapcase"),
    "upper": ("lower", "swapcase"),
    "swapcase": ("lower", "upper"),
    "title": ("capitalize", "upper"),
    "capitalize": ("title", "upper"),
    "casefold": ("upper",),
    "isupper": ("islower", "isalpha"),
    "islower": ("isupper", "isalpha"),
    "isalpha": ("isalnum", "islower"),
    "isalnum": ("isalpha", "isdigit"),
    "isdigit": ("isalnum", "isnumeric"),
    "isnumeric": ("isdigit", "isalnum"),
    "isdecimal": ("isalnum", "isnumeric"),
    "isspace": ("isalnum",),
    "find": ("rfind",),
    "rfind": ("find",),
    "index": ("rindex",),
    "rindex": ("index",),
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "strip": ("lstrip", "rstrip"),
    "lstrip": ("rstrip", "strip"),
    "rstrip": ("lstrip", "strip"),
    "split": ("rsplit",),
    "ljust": ("rjust",),
    "rjust": ("ljust",),
    "append": ("extend",),
    "extend": ("append",),
    "union": ("intersection",),
    "intersection": ("union", "difference"),
    "difference": ("intersection", "symmetric_difference"),
    "symmetric_difference": ("difference", "union"),
    "issubset": ("issuperset",),
    "issuperset": ("issubset",),
    "keys": ("values",),
    "values": ("keys",),
    "add": ("discard",),
    "remove": ("count",),
    "appendleft": ("append",),
    "popleft": ("pop",),
}
"""Methods that take the same arguments and mean something else."""

_DROPPED = frozenset(
    "lower upper swapcase title capitalize casefold strip lstrip rstrip replace copy zfill ljust "
    "rjust translate removeprefix removesuffix".split()
)
"""Methods whose object is much like their result."""


@_rule(
    "MTH",
    ast.Call,
    examples={
        "a.lower()": ["a.upper()", "a.swapcase()"],
        "a.isalpha()": ["a.isalnum()", "a.islower()"],
        "a.find(b)": ["a.rfind(b)"],
        "a.split(b)": [],
        "a.split(b, 1)": ["a.rsplit(b, 1)"],
        "a.append(b)": ["a.extend(b)"],
        "a.f()": [],
        "lower(a)": [],
    },
)
def method_exchanged(node: ast.Call) -> Iterator[Change]:
    """Call a method's neighbour."""
    func = node.func
    if not isinstance(func, ast.Attribute) or (func.attr == "split" and len(node.args) < 2):
        return  # without a limit, split and rsplit are the same
    for other in _NEIGHBOURS.get(func.attr, ()):
        yield Change(f"{func.attr}->{other}", func, altered(func, attr=other))


@_rule(
    "MTD",
    ast.Call,
    examples={"a.lower()": ["a"], "a.replace(b, c)": ["a", "a.replace(b, c, 1)"], "a.sort()": []},
)
def method_dropped(node: ast.Call) -> Iterator[Change]:
    """Forget to call a method, or let it work once only."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in _DROPPED:
        return
    yield Change(func.attr, node, func.value)
    if func.attr == "replace" and len(node.args) == 2 and not node.keywords:
        yield Change("replace:once", node, altered(node, args=[*node.args, ast.Constant(1)]))


@_rule(
    "SPL",
    ast.Call,
    examples={
        "a.split()": ["a.split(' ')"],
        "a.split(' ')": ["a.split()"],
        "a.split(',')": ["a.split()"],
        "a.splitlines()": ["a.split('\\n')"],
        "split(a)": [],
    },
)
def splitting_changed(node: ast.Call) -> Iterator[Change]:
    """Split at single blanks or at any white space."""
    func = node.func
    if not isinstance(func, ast.Attribute) or node.keywords:
        return
    if func.attr == "split" and not node.args:
        yield Change("split:blank", node, altered(node, args=[ast.Constant(" ")]))
    elif func.attr == "split" and len(node.args) == 1:
        yield Change("split:space", node, altered(node, args=[]))
    elif func.attr == "splitlines" and not node.args:
        split = altered(func, attr="split")
        yield Change("splitlines", node, altered(node, func=split, args=[ast.Constant("\n")]))


@_rule(
    "INS",
    ast.Call,
    examples={
        "a.insert(0, b)": ["a.append(b)"],
        "a.insert(i, b)": ["a.append(b)"],
        "a.append(b)": ["a.insert(0, b)"],
        "a.insert(b)": [],
    },
)
def insertion_moved(node: ast.Call) -> Iterator[Change]:
    """Put an item at the other end of a list."""
    func = node.func
    if not isinstance(func, ast.Attribute) or node.keywords:
        return
    if func.attr == "insert" and len(node.args) == 2:
        func = altered(func, attr="append")
        yield Change("insert->append", node, altered(node, func=func, args=node.args[1:]))
    elif func.attr == "append" and len(node.args) == 1:
        func = altered(func, attr="insert")
        args = [ast.Constant(0), *node.args]
        yield Change("append->insert", node, altered(node, func=func, args=args))


@_rule(
    "JON",
    ast.Call,
    examples={
        "' '.join(a)": ["' '.join(reversed(list(a)))"],
        "' '.join(x for x in a)": ["' '.join(reversed(list(x for x in a)))"],
        "a.join(b)": [],
        "f(a)": [],
    },
)
def joined_backwards(node: ast.Call) -> Iterator[Change]:
    """Join pieces in reverse order."""
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr != "join" or len(node.args) != 1:
        return
    pieces = node.args[0]
    if is_constant(func.value, str) and not isinstance(pieces, ast.Starred):
        yield Change("reversed", pieces, called("reversed", called("list", pieces)))
