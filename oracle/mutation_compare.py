"""Rules for comparisons: strictness, direction, equality, membership, identity."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import Change, Rule, altered, is_constant, kind, registrar

RULES: list[Rule] = []
_rule = registrar(RULES)

_OTHERS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.GtE, ast.Gt, ast.Eq),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.NotEq),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt, ast.Eq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_UNORDERED = (type(None), bool)


@_rule(
    "ROR",
    ast.Compare,
    examples={
        "a < b": ["a <= b", "a > b", "a >= b", "a != b"],
        "a >= b": ["a > b", "a <= b", "a < b", "a == b"],
        "a == b": ["a != b", "a <= b", "a >= b"],
        "a == 'x'": ["a != 'x'", "a <= 'x'", "a >= 'x'", "a in 'x'"],
        "a != None": ["a == None"],
        "a in b": ["a not in b"],
        "a is not b": ["a is b"],
        "a < b <= c": [
            "a <= b <= c", "a > b <= c", "a >= b <= c", "a != b <= c",
            "a < b < c", "a < b >= c", "a < b > c", "a < b == c",
        ],
    },
)  # fmt: skip
def comparison_replaced(node: ast.Compare) -> Iterator[Change]:
    """Put another operator in a comparison's place."""
    for index, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        others = list(_OTHERS[type(op)])
        if is_constant(right, *_UNORDERED):
            others = [other for other in others if other in (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)]
        elif type(op) is ast.Eq and is_constant(right, str):
            others.append(ast.In)
        for other in others:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield Change(f"{kind(op)}->{other.__name__}", node, altered(node, ops=ops))


@_rule(
    "ROD",
    ast.Compare,
    examples={"a < b <= c": ["b <= c", "a < b"], "a < b": []},
)
def comparison_shortened(node: ast.Compare) -> Iterator[Change]:
    """Drop an end of a chain of comparisons."""
    if len(node.ops) > 1:
        left, *comparators = node.comparators
        yield Change(
            "first", node, altered(node, left=left, ops=node.ops[1:], comparators=comparators)
        )
        ops, comparators = node.ops[:-1], node.comparators[:-1]
        yield Change("last", node, altered(node, ops=ops, comparators=comparators))
