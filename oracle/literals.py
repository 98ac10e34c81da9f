"""Constant expressions to values, by walking the syntax tree. Nothing is evaluated.

Benchmarks and language models write inputs as ``[1] * 10``, ``-5``, ``10**3``, ``float("inf")``,
``set([1, 2])``. These are folded here with a small table of operators and constructors and a
budget on the size of every result, so that ``9**9**9`` costs nothing.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plusforge.oracle.errors import LiteralError, ValueCodecError
from plusforge.oracle.values import Value, fresh

MAX_ITEMS = 200_000
"""Characters, bytes and items (at all depths) that a folded value may hold."""

MAX_BITS = 100_000
"""Bits of a folded int."""

MAX_MADE = 1_000_000
"""Items that the operations of one expression may make together, intermediate results included.
What is written out is not counted: the text bounds it."""

_CONSTANTS: dict[str, Value] = {
    "inf": math.inf, "nan": math.nan, "math.inf": math.inf, "math.nan": math.nan,
    "math.pi": math.pi, "math.e": math.e, "math.tau": math.tau, "sys.maxsize": 2**63 - 1,
}  # fmt: skip

_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
    ast.Not: operator.not_,
}  # fmt: skip

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_, ast.BitXor: operator.xor, ast.RShift: operator.rshift,
}  # fmt: skip

CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "bool": bool, "int": int, "float": float, "complex": complex, "str": str, "bytes": bytes,
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict,
    "sorted": sorted, "reversed": lambda items: list(reversed(items)), "range": range,
    "abs": abs, "len": len, "chr": chr, "ord": ord, "copy.copy": lambda item: item,
    "copy.deepcopy": lambda item: item, "deepcopy": lambda item: item,
}  # fmt: skip
"""Functions whose calls are folded, by name."""


class Allowance:
    """How many items the operations of an expression may still make.

    Attributes:
        left: Characters, bytes, items and 32-bit digits of integers.
    """

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_MADE) -> None:
        """Allow that many."""
        self.left = left

    def spend(self, node: ast.expr, made: Value) -> Value:
        """Count what an operation made, and return it.

        Raises:
            LiteralError: That is more than was left.
        """
        self.left -= made.bit_length() // 32 if isinstance(made, int) else _weight(made)
        if self.left < 0:
            raise _refuse(node, f"its operations make more than {MAX_MADE} items in all")
        return made


@dataclass(frozen=True, slots=True)
class _Scope:
    names: Mapping[str, Value]
    allowance: Allowance


def fold(
    node: ast.expr,
    names: Mapping[str, Value] | None = None,
    allowance: Allowance | None = None,
) -> Value:
    """Return the plain value of a constant expression.

    Args:
        node: The expression.
        names: Values of names that may stand in it.
        allowance: What its operations may make; by default one of ``MAX_MADE`` items.

    Returns:
        A plain value no part of which is shared, within itself or with ``names``.

    Raises:
        LiteralError: It is no constant expression, it would raise, or its value is too large or
            not plain. The message quotes the offending part.
    """
    try:
        return fresh(_fold(node, _Scope(names or {}, allowance or Allowance())))
    except ValueCodecError as exc:
        raise LiteralError(f"{_quote(node)}: {exc}") from exc
    except RecursionError as exc:
        raise LiteralError("the expression is nested too deeply; flatten it") from exc


def fold_text(text: str) -> Value:
    """Return the plain value of a constant expression's source text.

    Raises:
        LiteralError: The text is not an expression, or ``fold`` refuses it.
    """
    return fold(parse_expression(text))


def parse_expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression's source text.

    Raises:
        LiteralError: The text is not an expression.
    """
    try:
        with warnings.catch_warnings():
            # An invalid escape in somebody's string is theirs; the value is still well defined.
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        raise LiteralError(f"{text[:60]!r} is not a Python expression ({exc})") from exc


def _quote(node: ast.expr) -> str:
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        text = type(node).__name__
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _refuse(node: ast.expr, why: str) -> LiteralError:
    return LiteralError(f"{_quote(node)} is not a constant value: {why}")


def _fold(node: ast.expr, scope: _Scope) -> Any:
    match node:
        case ast.Constant(value=value):
            if value is Ellipsis:
                raise _refuse(node, "an ellipsis stands for something left out")
            return value
        case ast.List(elts=elts):
            return _items(elts, scope)
        case ast.Tuple(elts=elts):
            return tuple(_items(elts, scope))
        case ast.Set(elts=elts):
            return _guarded(node, lambda: set(_items(elts, scope)))
        case ast.Dict():
            return _fold_dict(node, scope)
        case ast.UnaryOp(op=op, operand=operand):
            value = _fold(operand, scope)
            return _guarded(node, lambda: _UNARY[type(op)](value))
        case ast.BinOp() | ast.Call() if scope.allowance.left <= 0:
            raise _refuse(node, "no more items may be made")
        case ast.BinOp():
            return scope.allowance.spend(node, _fold_binary(node, scope))
        case ast.Call():
            return scope.allowance.spend(node, _fold_call(node, scope))
        case ast.Name(id=name) if name in scope.names:
            return scope.allowance.spend(node, scope.names[name])
        case ast.Name() | ast.Attribute():
            dotted = dotted_name(node)
            if dotted in _CONSTANTS:
                return _CONSTANTS[dotted]
            raise _refuse(node, "the name has no known value")
        case _:
            raise _refuse(node, f"{type(node).__name__} is not folded")


def dotted_name(node: ast.expr) -> str:
    """Return ``"math.inf"`` for such an attribute, a name's own text, or an empty string."""
    if isinstance(node, ast.Attribute):
        head = dotted_name(node.value)
        return f"{head}.{node.attr}" if head else ""
    return node.id if isinstance(node, ast.Name) else ""


def _guarded(node: ast.expr, action: Callable[[], Any]) -> Any:
    """Run one step whose operands are small; what Python refuses is refused here."""
    try:
        return action()
    except (ArithmeticError, TypeError, ValueError, LookupError, MemoryError) as exc:
        raise _refuse(node, str(exc) or type(exc).__name__) from exc


def _items(elts: list[ast.expr], scope: _Scope) -> list[Any]:
    items: list[Any] = []
    for elt in elts:
        if isinstance(elt, ast.Starred):
            inner = _fold(elt.value, scope)
            items.extend(_guarded(elt, lambda inner=inner: list(inner)))  # type: ignore[misc]
        else:
            items.append(_fold(elt, scope))
    return items


def _fold_dict(node: ast.Dict, scope: _Scope) -> Any:
    result: dict[Any, Any] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        value = _fold(item, scope)
        if key is None:
            _guarded(node, lambda value=value: result.update(value))  # type: ignore[misc]
        else:
            folded = _fold(key, scope)
            _guarded(node, lambda f=folded, v=value: result.__setitem__(f, v))  # type: ignore[misc]
    return result


def _weight(value: Any) -> int:
    """Return the number of characters, bytes and items in a value, at all depths."""
    if isinstance(value, str | bytes | range):
        return len(value)
    if isinstance(value, dict):
        return sum(1 + _weight(key) + _weight(item) for key, item in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return sum(1 + _weight(item) for item in value)
    return 1


def _fold_binary(node: ast.BinOp, scope: _Scope) -> Any:
    left, right = _fold(node.left, scope), _fold(node.right, scope)
    kind = type(node.op)
    if kind is ast.Mod and isinstance(left, str | bytes):
        raise _refuse(node, "string formatting is not folded")
    if kind in _BINARY:
        return _guarded(node, lambda: _BINARY[kind](left, right))
    if kind is ast.Mult:
        _check_product(node, left, right)
        return _guarded(node, lambda: left * right)
    if kind is ast.Pow or kind is ast.LShift:
        _check_power(node, left, right, shift=kind is ast.LShift)
        return _guarded(node, lambda: left**right if kind is ast.Pow else left << right)
    raise _refuse(node, f"operator {kind.__name__} is not folded")


def _check_product(node: ast.expr, left: Any, right: Any) -> None:
    for operand, count in ((left, right), (right, left)):
        if isinstance(operand, str | bytes | list | tuple) and isinstance(count, int):
            if max(count, 0) * max(_weight(operand), 1) > MAX_ITEMS:
                raise _refuse(node, f"it would hold more than {MAX_ITEMS} items")
            return
    if isinstance(left, int) and isinstance(right, int):
        _check_bits(node, left.bit_length() + right.bit_length())


def _check_power(node: ast.expr, left: Any, right: Any, *, shift: bool) -> None:
    if not (isinstance(left, int) and isinstance(right, int)) or right <= 0:
        return
    if shift:
        _check_bits(node, left.bit_length() + right)
    elif abs(left) > 1:
        _check_bits(node, left.bit_length() * right)


def _check_bits(node: ast.expr, bits: int) -> None:
    if bits > MAX_BITS:
        raise _refuse(node, f"it would have more than {MAX_BITS} bits")


def _fold_call(node: ast.Call, scope: _Scope) -> Any:
    name = dotted_name(node.func)
    function = CONSTRUCTORS.get(name)
    if function is None or name in scope.names:
        raise _refuse(node, "the call has no known value")
    if any(keyword.arg is None or name != "dict" for keyword in node.keywords):
        raise _refuse(node, "keyword arguments are not folded")
    args = _items(node.args, scope)
    keywords = {str(keyword.arg): _fold(keyword.value, scope) for keyword in node.keywords}
    if name == "bytes" and len(args) == 1 and isinstance(args[0], int) and args[0] > MAX_ITEMS:
        raise _refuse(node, f"it would hold more than {MAX_ITEMS} bytes")
    result = _guarded(node, lambda: function(*args, **keywords))
    if isinstance(result, range) and _len_of(result) > MAX_ITEMS:
        raise _refuse(node, f"it would hold more than {MAX_ITEMS} items")
    return result


def _len_of(numbers: range) -> int:
    """Return the length of a range, however long (``len`` stops at ``sys.maxsize``)."""
    step = numbers.step
    span = numbers.stop - numbers.start if step > 0 else numbers.start - numbers.stop
    return max(0, -(-span // abs(step)))
