"""What one asserted condition says about a call of the entry point.

``f(x) == 3`` states an outcome; ``set(f(x)) == {1}``, ``math.isclose(f(x), y)`` and
``round(f(x), 2) == y`` also say how outcomes are compared. Anything else is a property.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import dotted_name, fold
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.values import Args, Value

_SET_WRAPPERS = ("set", "frozenset")
_ORDER_WRAPPERS = ("sorted", "Counter", "collections.Counter")
_SEQUENCE_WRAPPERS = ("tuple", "list")
_ABS = ("abs", "math.fabs", "fabs", "np.abs", "numpy.abs")
_ISCLOSE = ("math.isclose", "isclose", "cmath.isclose", "np.isclose", "numpy.isclose")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One statement of a test about one call with literal arguments.

    Attributes:
        test: The base test it makes.
        kind: ``equal``, ``set``, ``any_order``, ``close``, ``truthy``, ``not_none``, ``property``
            or ``raises``: what is asked of the result.
        atol: Absolute tolerance, in units of the result (``close`` only).
        rtol: Relative tolerance (``close`` only).
    """

    test: BaseTest
    kind: str = "equal"
    atol: float = 0.0
    rtol: float = 0.0


class Calls:
    """Finds calls of the entry point in expressions and reads what they and others say.

    Attributes:
        values: What variables are known to hold.
        results: Calls whose result a variable holds.
    """

    def __init__(self, targets: frozenset[str], params: Sequence[Param]) -> None:
        """Prepare for an entry point.

        Args:
            targets: Names under which it is called.
            params: Its parameters, to place keyword arguments.
        """
        self.targets = targets
        self.params = [param.name for param in params]
        self.values: dict[str, Value] = {}
        self.results: dict[str, ast.Call] = {}

    def as_call(self, node: ast.expr) -> ast.Call | None:
        """Return the call of the entry point that an expression is, directly or by variable."""
        if isinstance(node, ast.Name):
            return self.results.get(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node if node.func.id in self.targets else None
        return None

    def calls_in(self, node: ast.expr) -> list[ast.Call]:
        """Return the calls of the entry point inside an expression, in source order."""
        found = [self.as_call(part) for part in ast.walk(node) if isinstance(part, ast.expr)]
        calls = {(c.lineno, c.col_offset): c for c in found if c is not None}
        return [calls[spot] for spot in sorted(calls)]

    def bind(self, call: ast.Call) -> Args | None:
        """Return the call's arguments as one positional row, or None when some are not literal."""
        try:
            args = fold(ast.Tuple(elts=call.args, ctx=ast.Load()), self.values)
            named = {word.arg: fold(word.value, self.values) for word in call.keywords}
        except LiteralError:
            return None
        rest = self.params[len(args) : len(args) + len(named)]
        if sorted(rest) != sorted(str(name) for name in named):
            return None
        return (*args, *(named[name] for name in rest))

    # Conditions

    def match(self, test: ast.expr) -> Check | None:
        """Return what a condition says, its arguments still empty; None when it is a property."""
        if self.as_call(test) is not None:
            return _check("truthy", expected=True)
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand) if self.as_call(operand):
                return _check("truthy", expected=False)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                return (
                    self.equality(left, right)
                    or self.equality(right, left)
                    or self.rounded(left, right)
                )
            case ast.Compare(
                left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
            ) if self.as_call(left):
                return Check(test=BaseTest(args=()), kind="not_none")
            case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[right]):
                return self.distance(left, right)
            case ast.Call() if dotted_name(test.func) in _ISCLOSE:
                return self.isclose(test)
        return None

    def equality(self, left: ast.expr, right: ast.expr) -> Check | None:
        """Read ``left == right`` when ``left`` is the call, perhaps inside a known wrapper."""
        kind, inner, other = "equal", left, right
        stated = True
        if self.as_call(left) is None and isinstance(left, ast.Call) and len(left.args) == 1:
            wrapper = dotted_name(left.func)
            inner = left.args[0]
            same = isinstance(right, ast.Call) and dotted_name(right.func) == wrapper
            if same and isinstance(right, ast.Call) and len(right.args) == 1:
                other = right.args[0]
            if wrapper in _SET_WRAPPERS:
                kind = "set"
            elif wrapper in _ORDER_WRAPPERS:
                kind = "any_order"
                stated = same or wrapper == "sorted"
            elif wrapper in _SEQUENCE_WRAPPERS:
                stated = same
        if self.as_call(inner) is None:
            return None
        if (
            inner is not left
            and kind == "equal"
            and _dotted_name_of(left) not in _SEQUENCE_WRAPPERS
        ):
            return None
        try:
            return _check(kind, expected=fold(other, self.values), stated=stated)
        except LiteralError:
            return _check(kind, expected=None, stated=False)

    def rounded(self, left: ast.expr, right: ast.expr) -> Check | None:
        """Read ``round(f(x), 2) == y``: within half a unit of the last place that is looked at."""
        match left:
            case ast.Call(func=ast.Name(id="round"), args=[inner, *digits], keywords=[]):
                if self.as_call(inner) is None or len(digits) > 1:
                    return None
                try:
                    places = fold(digits[0], self.values) if digits else 0
                    atol = 0.5 * 10.0 ** -int(places)
                    return replace(_check("close", expected=fold(right, self.values)), atol=atol)
                except (LiteralError, TypeError, ValueError, OverflowError):
                    return None
        return None

    def distance(self, left: ast.expr, right: ast.expr) -> Check | None:
        """Read ``abs(f(x) - y) < t``."""
        match left:
            case ast.Call(args=[ast.BinOp(left=one, op=ast.Sub(), right=two)], keywords=[]):
                if dotted_name(left.func) not in _ABS:
                    return None
                if self.as_call(one) is None:
                    one, two = two, one
                if self.as_call(one) is None:
                    return None
                try:
                    expected, atol = fold(two, self.values), float(fold(right, self.values))
                except (LiteralError, TypeError, ValueError):
                    return None
                return replace(_check("close", expected=expected), atol=atol)
        return None

    def isclose(self, node: ast.Call) -> Check | None:
        """Read ``math.isclose(f(x), y, rel_tol=t)``."""
        if len(node.args) != 2:
            return None
        one, two = node.args
        if self.as_call(one) is None:
            one, two = two, one
        if self.as_call(one) is None:
            return None
        named = {"rel_tol": 1e-9, "abs_tol": 0.0}
        if dotted_name(node.func) in ("np.isclose", "numpy.isclose"):
            named = {"rtol": 1e-5, "atol": 1e-8}
        try:
            for keyword in node.keywords:
                named[keyword.arg or ""] = float(fold(keyword.value, self.values))
            expected = fold(two, self.values)
        except (LiteralError, TypeError, ValueError):
            return None
        return replace(
            _check("close", expected=expected),
            rtol=named.get("rel_tol", named.get("rtol", 0.0)),
            atol=named.get("abs_tol", named.get("atol", 0.0)),
        )


def _dotted_name_of(node: ast.expr) -> str:
    """Return the dotted name of the function that an expression calls, or an empty string."""
    return dotted_name(node.func) if isinstance(node, ast.Call) else ""


def _check(kind: str, *, expected: Value, stated: bool = True) -> Check:
    return Check(test=BaseTest(args=(), expected=expected, stated=stated), kind=kind)
