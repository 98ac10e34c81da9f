"""Expressions of a reply: what has a value, what calls the entry point, and with what."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.generator.reply_args import Signature
from plusforge.generator.reply_record import Found
from plusforge.generator.reply_syntax import source_of
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import MAX_MADE, Allowance, fold
from plusforge.oracle.task import Param
from plusforge.oracle.values import Args, Value

MAX_MADE_IN_ALL = 4 * MAX_MADE
"""Items that the operations of all expressions of one reply may make."""

_JSON_NAMES: dict[str, Value] = {
    "true": True, "false": False, "null": None, "undefined": None,
    "NaN": float("nan"), "Infinity": float("inf"),
}  # fmt: skip
_ALIASES = ("candidate",)
_OWNERS = frozenset({"solution", "sol", "candidate", "module", "mod", "self", "s"})


@dataclass(slots=True)
class Piece:
    """A value in a reply, or why there is none.

    Attributes:
        value: Meaningless when there is a reason.
        reason: Why the whole has no value; parts of it still may.
        node: Its syntax, or None when it is JSON.
        base: Line of the reply above the text that ``node`` was parsed from.
    """

    value: Value
    reason: str = ""
    node: ast.expr | None = None
    base: int = 0

    @property
    def line(self) -> int:
        """Line of the reply."""
        return self.base + (self.node.lineno if self.node is not None else 1)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a value is to be read.

    Attributes:
        kind: Class of the inputs in it; None leaves it to the headings above.
        several: It is a list of inputs (True), one input (False), or either (None).
        json: Lists in it may be rows or tuples.
        cases: Its items may be pairs of an input and an outcome.
        cut: Its end is missing, so that the whole is no input.
    """

    kind: str | None = None
    several: bool | None = None
    json: bool = False
    cases: bool = False
    cut: bool = False


class Expressions:
    """Turns expressions into inputs of one entry point.

    Attributes:
        found: What was found.
        names: What variables hold.
        used: Names that stood in arguments of a call since they were last asked for.
        fixtures: Names of columns of a table of test cases, which is read by itself.
    """

    def __init__(self, entry_point: str, params: Sequence[Param], found: Found) -> None:
        """Prepare for an entry point."""
        self.signature = Signature(params)
        self.targets = (entry_point, *_ALIASES)
        self.found = found
        self.names: dict[str, Value] = dict(_JSON_NAMES)
        self.used: set[str] = set()
        self.fixtures: set[str] = set()
        self.made = 0
        self.source: list[str] = []
        self.base = 0

    def heading(self, line: int) -> str | None:
        """Return the class of inputs that the headings above a line speak of."""
        return None

    # Folding

    def value_of(self, node: ast.expr) -> Value:
        """Return the value of a constant expression.

        Raises:
            LiteralError: It has none.
        """
        allowance = Allowance(max(0, min(MAX_MADE, MAX_MADE_IN_ALL - self.made)))
        before = allowance.left
        try:
            return fold(node, self.names, allowance)
        finally:
            self.made += before - max(0, allowance.left)

    def piece(self, node: ast.expr, base: int | None = None) -> Piece:
        """Return an expression as a piece."""
        base = self.base if base is None else base
        try:
            return Piece(self.value_of(node), "", node, base)
        except LiteralError as exc:
            return Piece(None, str(exc), node, base)

    def parts(self, piece: Piece) -> list[Piece]:
        """Return the items of a list, tuple or set, each with its own value or reason."""
        if isinstance(piece.node, ast.List | ast.Tuple | ast.Set):
            nodes = piece.node.elts
            known = not piece.reason and isinstance(piece.value, list | tuple)
            if known and len(nodes) == len(piece.value):
                pairs = zip(piece.value, nodes, strict=True)
                return [Piece(value, "", node, piece.base) for value, node in pairs]
            if not any(isinstance(node, ast.Starred) for node in nodes):
                return [self.piece(node, piece.base) for node in nodes]
        if piece.reason or not isinstance(piece.value, list | tuple):
            return []
        return [Piece(value, "", None, piece.line - 1) for value in piece.value]

    def entries(self, piece: Piece) -> list[tuple[str, Piece]]:
        """Return the entries of a dict whose keys are text or names, such as ``{nums: [1]}``."""
        found: list[tuple[str, Piece]] = []
        if isinstance(piece.node, ast.Dict):
            for key, node in zip(piece.node.keys, piece.node.values, strict=True):
                if isinstance(key, ast.Name) and key.id not in self.names:
                    found.append((key.id, self.piece(node, piece.base)))
                elif isinstance(key, ast.Constant):
                    found.append((str(key.value), self.piece(node, piece.base)))
        elif isinstance(piece.value, dict):
            base = piece.line - 1
            found = [(str(key), Piece(item, "", None, base)) for key, item in piece.value.items()]
        return found

    def refuse(self, piece: Piece, reason: str) -> None:
        """Record a piece that is no input."""
        self.found.refuse(self.text_of(piece), reason, piece.line)

    def text_of(self, piece: Piece) -> str:
        """Return the beginning of a piece's text."""
        node = piece.node
        if node is None:
            return _shown(piece.value)
        if piece.base != self.base or node.lineno > len(self.source):
            return source_of(node)[:400]
        line = self.source[node.lineno - 1].encode()
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        return line[node.col_offset : end].decode(errors="replace")

    def add(self, args: Args, piece: Piece, how: Manner) -> None:
        """Keep an input."""
        if how.json:
            args = self.signature.retyped(args)
        self.found.add(args, how.kind or self.heading(piece.line), piece.line)

    # Calls

    def calls(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls of the entry point in a piece of syntax, in order."""
        found = [
            part for part in ast.walk(node) if isinstance(part, ast.Call) and self.is_target(part)
        ]
        return sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def is_target(self, call: ast.Call) -> bool:
        """Tell whether a call is of the entry point, perhaps as a method of a solution."""
        match call.func:
            case ast.Name(id=name):
                return name in self.targets
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                return name == self.targets[0] and owner.lower() in _OWNERS
            case ast.Attribute(value=ast.Call(func=ast.Name(id=owner)), attr=name):
                return name == self.targets[0] and owner.lower() in _OWNERS
        return False

    def bind(self, call: ast.Call, kind: str | None = None) -> None:
        """Keep a call's arguments, or record why they are no input."""
        piece = Piece(None, "", call, self.base)
        args = self.row_of(call)
        if isinstance(args, str):
            if self.fixtures.isdisjoint(n.id for n in ast.walk(call) if isinstance(n, ast.Name)):
                self.refuse(piece, args)
        else:
            self.add(args, piece, Manner(kind))

    def row_of(self, call: ast.Call) -> Args | str:
        """Return a call's arguments as positional ones, or why they are no input."""
        names = self.signature.names
        self.used.update(n.id for n in ast.walk(call) if isinstance(n, ast.Name))
        try:
            args = tuple(self.value_of(ast.Tuple(elts=call.args, ctx=ast.Load())))
            named: dict[str, Value] = {}
            for word in call.keywords:
                value = self.value_of(word.value)
                more = {word.arg: value} if word.arg is not None else value
                if not isinstance(more, dict) or set(more) & set(named):
                    return "a keyword is given twice, or ** is no dict"
                named.update(more)
        except LiteralError as exc:
            return str(exc)
        twice = [name for name in names[: len(args)] if name in named]
        if twice:
            return f"{twice[0]!r} is given twice"
        if not named or len(args) > len(names):
            return self.signature.wrong_count(len(args)) or args
        return self.signature.by_name({**dict(zip(names, args, strict=False)), **named})


def _shown(value: Value) -> str:
    """Return the beginning of a value's text, for messages."""
    try:
        return repr(value)[:400]
    except (ValueError, RecursionError):
        # An integer of more digits than Python prints.
        return type(value).__name__
