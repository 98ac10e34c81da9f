"""Rules for arithmetic: operators, operands, signs, augmented assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import (
    Change,
    Rule,
    altered,
    called,
    function_of,
    is_constant,
    kind,
    method_of,
    registrar,
)

RULES: list[Rule] = []
_rule = registrar(RULES)

_OTHERS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult, ast.Add),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
_SIGNED = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_SEQUENCES = (ast.List, ast.ListComp, ast.JoinedStr, ast.Tuple)
_SEQUENCE_CALLS = frozenset({"str", "list", "tuple", "sorted", "join", "chr", "lower", "upper"})


def is_sequence(node: ast.expr) -> bool:
    """Tell whether an expression is evidently text, a list or a tuple."""
    if isinstance(node, ast.Call):
        return (function_of(node) or method_of(node.func)) in _SEQUENCE_CALLS
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_sequence(node.left) or is_sequence(node.right)
    return isinstance(node, _SEQUENCES) or is_constant(node, str)


@_rule(
    "AOR",
    ast.BinOp,
    examples={
        "a + b": ["a - b", "a * b"],
        "a + [b]": [],
        "a - b": ["a + b"],
        "a * b": ["a + b", "a // b"],
        "a / b": ["a // b", "a * b"],
        "a // b": ["a / b", "a * b"],
        "a % b": ["a // b", "a * b"],
        "'%d' % b": [],
        "a ** b": ["a * b", "a + b"],
        "a & b": ["a | b", "a ^ b"],
        "a << b": ["a >> b"],
    },
)
def operator_replaced(node: ast.BinOp) -> Iterator[Change]:
    """Put another operator in the place of an arithmetic one."""
    if is_sequence(node.left) or is_sequence(node.right):
        return  # a type error whatever the input: it would teach nothing
    for other in _OTHERS.get(type(node.op), ()):
        yield Change(f"{kind(node.op)}->{other.__name__}", node, altered(node, op=other()))


@_rule(
    "AOD",
    ast.BinOp,
    examples={"a + b": ["a", "b"], "'%d' % b": [], "a - 1": ["a", "1"]},
)
def operand_dropped(node: ast.BinOp) -> Iterator[Change]:
    """Leave one operand only."""
    if isinstance(node.op, ast.Mod) and is_constant(node.left, str):
        return
    yield Change("left", node, node.left)
    yield Change("right", node, node.right)


@_rule(
    "AOS",
    ast.BinOp,
    examples={"a - b": ["b - a"], "a + b": [], "a + 'x'": ["'x' + a"], "'%d' % b": []},
)
def operands_swapped(node: ast.BinOp) -> Iterator[Change]:
    """Swap the operands where their order matters."""
    sequences = is_sequence(node.left) or is_sequence(node.right)
    ordered = isinstance(node.op, ast.Add) if sequences else isinstance(node.op, _ORDERED)
    if ordered:
        yield Change("swap", node, altered(node, left=node.right, right=node.left))


@_rule(
    "UOI",
    ast.BinOp,
    examples={
        "a * b": ["-a * b", "abs(a) * b", "a * -b", "a * abs(b)"],
        "a[0] % 2": ["-a[0] % 2", "abs(a[0]) % 2"],
        "a + 'x'": [],
    },
)
def sign_inserted(node: ast.BinOp) -> Iterator[Change]:
    """Change an operand's sign, or take its absolute value."""
    if not isinstance(node.op, _SIGNED) or is_sequence(node.left) or is_sequence(node.right):
        return
    for operand in (node.left, node.right):
        if isinstance(operand, ast.Name | ast.Subscript):
            yield Change("minus", operand, ast.UnaryOp(ast.USub(), operand))
            yield Change("abs", operand, called("abs", operand))


@_rule(
    "UOI",
    ast.Compare,
    examples={"a < b": ["abs(a) < b", "a < abs(b)"], "a[0] == b": [], "a < 'x'": []},
)
def absolute_compared(node: ast.Compare) -> Iterator[Change]:
    """Take the absolute value of what is compared by size."""
    operands = [node.left, *node.comparators]
    by_size = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    if by_size and len(node.ops) == 1 and not any(map(is_sequence, operands)):
        for operand in operands:
            if isinstance(operand, ast.Name | ast.Subscript):
                yield Change("abs", operand, called("abs", operand))


@_rule("UOD", ast.UnaryOp, examples={"-a": ["a"], "~a": ["a"], "-1": [], "not a": []})
def sign_dropped(node: ast.UnaryOp) -> Iterator[Change]:
    """Drop a minus sign or an inversion."""
    if isinstance(node.op, ast.USub | ast.Invert) and not is_constant(node):
        yield Change(kind(node.op), node, node.operand)


@_rule(
    "ASR",
    ast.AugAssign,
    examples={
        "a += b": ["a -= b", "a *= b", "a = b"],
        "a += 'x'": ["a = 'x'", "a = 'x' + a"],
        "a //= b": ["a /= b", "a *= b", "a = b"],
    },
)
def augmented_replaced(node: ast.AugAssign) -> Iterator[Change]:
    """Change the operator of an augmented assignment, or assign plainly."""
    if not is_sequence(node.value):
        for other in _OTHERS.get(type(node.op), ()):
            yield Change(f"{kind(node.op)}->{other.__name__}", node, altered(node, op=other()))
    yield Change("assign", node, ast.Assign([node.target], node.value, lineno=node.lineno))
    if is_sequence(node.value) and isinstance(node.target, ast.Name):
        current = ast.Name(node.target.id, ast.Load())
        front = ast.BinOp(node.value, node.op, current)
        yield Change("front", node, ast.Assign([node.target], front, lineno=node.lineno))
