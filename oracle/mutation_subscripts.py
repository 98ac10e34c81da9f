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
        "a[0]": [],
        "a['k']": [],
        "a[1:2]": [],
        "a[i] = 0": [],
    },
)
def index_shifted(node: ast.Subscript) -> Iterator[Change]:
    """Read one place further or before; constants are shifted as such."""
    index = node.slice
    compound = isinstance(index, ast.Slice | ast.Tuple | ast.JoinedStr)
    if isinstance(node.ctx, ast.Load) and not compound and not is_constant(index):
        yield Change("+1", index, shifted(index, 1))
        yield Change("-1", index, shifted(index, -1))


@_rule(
    "SLC",
    ast.Subscript,
    examples={
        "a[i:j]": ["a[:j]", "a[i + 1:j]", "a[i - 1:j]", "a[i:]", "a[i:j + 1]", "a[i:j - 1]", "a"],
        "a[1:]": ["a[:]", "a"],
        "a[::-1]": ["a[:]", "a"],
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
        if not is_constant(step):
            yield Change("step:turned", step, ast.UnaryOp(ast.USub(), step))
    yield Change("whole", node, node.value)
