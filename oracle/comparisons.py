"""How a task's outcomes are compared, told from the task's own asserts and annotations.

No table of task ids: ``set(f(x)) == {1}`` says equal as sets, ``math.isclose(f(x), y)`` says
close, a float among the stated outcomes says close, ``assert f(x)`` alone says equal truth value.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence

from plusforge.oracle.asserts import Property, Reading
from plusforge.oracle.conditions import Check
from plusforge.oracle.literals import dotted_name
from plusforge.oracle.source import (
    bare_signature,
    find_function,
    imports_of,
    join_segments,
    names_bound,
    names_read,
    needed,
    segment,
)
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Value

FLOAT_TOLERANCE = 1e-6
"""Absolute and relative tolerance of tasks whose outcomes hold floats, as EvalPlus has it."""

_COPIES = ("copy.deepcopy", "copy.copy", "deepcopy")


def infer_comparison(
    checks: Sequence[Check],
    *,
    returns: ast.expr | None = None,
    atol: float = 0.0,
) -> Comparison:
    """Return how outcomes are compared.

    Args:
        checks: All that the benchmark's tests and examples say about calls.
        returns: The entry point's return annotation.
        atol: Absolute tolerance that the record states, in units of the result; 0 when none.

    Returns:
        The most permissive comparison that one of the checks uses: the same task's tests do not
        ask for different things, some are only written more loosely.
    """
    kinds = {check.kind for check in checks}
    stated = [check.test.expected for check in checks if check.test.stated]
    if "set" in kinds:
        return Comparison(kind="set")
    if "any_order" in kinds:
        return Comparison(kind="any_order")
    floats = any(map(holds_float, stated)) or _names_float(returns)
    if "close" in kinds or floats or atol > 0:
        return Comparison(
            kind="close",
            atol=max([FLOAT_TOLERANCE, atol, *(check.atol for check in checks)]),
            rtol=max([FLOAT_TOLERANCE, *(check.rtol for check in checks)]),
        )
    if kinds == {"truthy"} and dotted_name(returns or ast.Name("")) != "bool":
        return Comparison(kind="truthy", observe="truth")
    if kinds == {"not_none"}:
        return Comparison(kind="not_none", observe="presence")
    return Comparison()


def holds_float(value: Value) -> bool:
    """Tell whether a float or complex number stands anywhere in a value."""
    if isinstance(value, dict):
        return any(map(holds_float, value)) or any(map(holds_float, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(holds_float, value))
    return isinstance(value, float | complex)


def _names_float(returns: ast.expr | None) -> bool:
    return returns is not None and bool({"float", "complex"} & names_read(returns))


def derive_checker(
    reading: Reading, text: str, tree: ast.Module, test_tree: ast.Module, entry_point: str
) -> str | None:
    """Return a checker module made from a task whose only tests are a condition on the result.

    ``assert abs(poly(xs, f(xs))) < 1e-4`` becomes ``check(output, xs)`` with the call replaced by
    ``output`` and what was passed in by the parameter's name.

    Args:
        reading: The test program's checks.
        text: Source of the prompt (with or without the canonical solution).
        tree: Its syntax tree.
        test_tree: The test program, for its imports.
        entry_point: Name of the function under test.

    Returns:
        A complete module, or None when the tests also state outcomes, state several different
        conditions, or use what a checker has no access to.

    Raises:
        TaskError: The tree does not define the entry point.
    """
    stated = reading.comparisons or any(check.kind != "property" for check in reading.checks)
    conditions = {ast.dump(found.condition) for found in reading.properties}
    if stated or len(conditions) != 1:
        return None
    found = reading.properties[0]
    func = find_function(tree, entry_point, entry_point)
    names = [arg.arg for arg in (*func.args.posonlyargs, *func.args.args)]
    if found.call.keywords or len(found.call.args) > len(names):
        return None
    condition = _Rewriter(found, names).visit(found.condition)
    imports = _inner_imports(test_tree)
    known = {*names, "output", *dir(builtins), *_bound(imports)}
    helpers = needed(tree, [condition], skip={entry_point, *names})
    if names_read(condition) - known - _bound(helpers):
        return None
    parts = [
        *imports_of(text, tree),
        *(ast.unparse(node) for node in imports),
        *(segment(text, tree, node) for node in helpers if not _is_import(node)),
        f"def check({bare_signature(func, first='output')}):\n    return {ast.unparse(condition)}",
    ]
    return join_segments(dict.fromkeys(parts))


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _inner_imports(tree: ast.Module) -> list[ast.stmt]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]


def _bound(nodes: Iterable[ast.stmt]) -> set[str]:
    return {name for node in nodes for name in names_bound(node)}


class _Rewriter(ast.NodeTransformer):
    """Puts ``output`` for the call and parameter names for what was passed to it."""

    def __init__(self, found: Property, names: list[str]) -> None:
        self.found = found
        self.passed = {
            ast.dump(_uncopied(arg)): name
            for arg, name in zip(found.call.args, names, strict=False)
        }

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace one node, or go on below it."""
        if node is self.found.call:
            return ast.Name("output", ast.Load())
        if isinstance(node, ast.Name) and node.id == self.found.variable:
            return ast.Name("output", ast.Load())
        if isinstance(node, ast.expr):
            name = self.passed.get(ast.dump(_uncopied(node)))
            if name is not None:
                return ast.Name(name, ast.Load())
        return self.generic_visit(node)


def _uncopied(node: ast.expr) -> ast.expr:
    """Return what a defensive copy copies."""
    if isinstance(node, ast.Call) and dotted_name(node.func) in _COPIES and len(node.args) == 1:
        return node.args[0]
    return node
