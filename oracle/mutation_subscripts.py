"""Rules for indices and slices: off by one, a bound too few, another step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from plusforge.oracle.mutation import Change, Rule, altered, is_constant, registrar, shifted

RULES: list[Rule] = []
_rule = registrar(RULES)


@_rule(
    "IDX",
    ast.Subscript,
    examples={
        "a[i]": ["a[i + 1]", "a[i - 1]"],
        "a[i + 1]": ["a[i + 1 + 1]", "a[i + 1 - 1]"],
        "a[0]": ["a[-1]"],
        "a[-1]": ["a[0]"],
        "a['k']": [],
        "a[1:2]": [],
        "a[i] = 0": [],
    },
)
def index_shifted(node: ast.Subscript) -> Iterator[Change]:
    """Read one place further or before; of the ends, the other one."""
    index = node.slice
    if not isinstance(node.ctx, ast.Load) or isinstance(index, ast.Slice | ast.Tuple | ast.JoinedStr):
        return
    if not is_constant(index):
        yield Change("+1", index, shifted(index, 1))
        yield Change("-1", index, shifted(index, -1))
    elif isinstance(index, ast.Constant) and type(index.value) is int and index.value == 0:
        yield Change("last", index, ast.UnaryOp(ast.USub(), ast.Constant(1)))
    elif isinstance(index, ast.UnaryOp) and ast.unparse(index) == "-1":
        yield Change("first", index, ast.Constant(0))


@_rule(
    "SLC",
    ast.Subscript,
    examples={
        "a[i:j]": ["a[:j]", "a[i + 1:j]", "a[i - 1:j]", "a[i:]", "a[i:j + 1]", "a[i:j - 1]", "a"],
        "a[1:]": ["a[:]", "a"],
        "a[::-1]": ["a[:]", "a[::1]", "a"],
        "a[::k]": ["a[:]", "a[::-k]", "a"],
        "a[:]": ["a"],
        "a[i]": [],
        "a[:] = b": [],
    },
)
def slice_changed(node: ast.Subscript) -> Iterator[Change]:
    """Drop or shift a bound of a slice, drop or turn its step, or take the whole."""
    part = node.slice
    if not isinstance(part, ast.Slice) or not isinstance(node.ctx, ast.Load):
        return
    for name in ("lower", "upper"):
        bound: ast.expr | None = getattr(part, name)
        if bound is not None:
            yield Change(f"{name}:none", node, altered(node, slice=altered(part, **{name: None})))
            if not is_constant(bound):
                yield Change(f"{name}:+1", bound, shifted(bound, 1))
                yield Change(f"{name}:-1", bound, shifted(bound, -1))
    step = part.step
    if step is not None:
        yield Change("step:none", node, altered(node, slice=altered(part, step=None)))
        minus = isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub)
        turned = step.operand if minus else ast.UnaryOp(ast.USub(), step)  # type: ignore[attr-defined]
        yield Change("step:turned", step, turned)
    yield Change("whole", node, node.value)
