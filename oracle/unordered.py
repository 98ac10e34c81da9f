"""References whose results come out of a set: their order means nothing, so none is demanded.

``return list(set(a) - set(b))`` has an order only by accident of the hash table. A comparison that
asks for that order fails right programs.
"""

from __future__ import annotations

import ast
from collections import Counter

from plusforge.oracle.literals import dotted_name

_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
_SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_SEQUENCES = frozenset({"list", "tuple"})


def returns_unordered(func: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether all that a function returns is a list or tuple made straight from sets.

    Args:
        func: The function. Names assigned once are followed; anything else counts as ordered.
    """
    known = _assigned_once(func)
    returned = [node.value for node in ast.walk(func) if isinstance(node, ast.Return)]
    return bool(returned) and all(_is_sequence_of_set(value, known) for value in returned)


def _assigned_once(func: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    """Return what each name stands for that is assigned once and cannot get an order later.

    A set stays without order whatever is done to it; a list could be sorted, so it may only be read
    once.
    """
    values: dict[str, ast.expr] = {}
    stores = Counter(arg.arg for arg in ast.walk(func.args) if isinstance(arg, ast.arg))
    loads: Counter[str] = Counter()
    for node in ast.walk(func):
        if isinstance(node, ast.Name):
            (loads if isinstance(node.ctx, ast.Load) else stores)[node.id] += 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                values[target.id] = node.value
    known = {name: value for name, value in values.items() if stores[name] == 1}
    return {
        name: value for name, value in known.items() if loads[name] == 1 or _is_set(value, known)
    }


def _followed(node: ast.expr | None, known: dict[str, ast.expr]) -> ast.expr | None:
    for _ in known:
        if not isinstance(node, ast.Name) or node.id not in known:
            break
        node = known[node.id]
    return node


def _is_sequence_of_set(node: ast.expr | None, known: dict[str, ast.expr]) -> bool:
    node = _followed(node, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_sequence_of_set(node.left, known) and _is_sequence_of_set(node.right, known)
    return (
        isinstance(node, ast.Call)
        and dotted_name(node.func) in _SEQUENCES
        and len(node.args) == 1
        and not node.keywords
        and _is_set(node.args[0], known)
    )


def _is_set(node: ast.expr | None, known: dict[str, ast.expr]) -> bool:
    node = _followed(node, known)
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, _SET_OPERATORS):
        return _is_set(node.left, known)
    if not isinstance(node, ast.Call):
        return False
    if dotted_name(node.func) == "set":
        return True
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in _SET_METHODS
        and _is_set(node.func.value, known)
    )
