"""Statements of a reply to inputs: calls, asserts, assignments, loops over what was assigned.

Nothing runs. What a variable holds is followed through plain assignments and through loops over
lists of known values; anything else that would have to be computed is reported as unread.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_record import Found, kind_of
from plusforge.generator.reply_syntax import source_of
from plusforge.generator.reply_values import (
    Values,
    is_case_name,
    is_list_name,
    is_outcome_name,
    is_row_name,
)
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import CONSTRUCTORS, dotted_name
from plusforge.oracle.task import Param
from plusforge.oracle.values import Value

MAX_TURNS = 10_000
"""Turns of all loops of one reply that are followed."""

_INPUT_WORDS = re.compile(r"input|arg|case|test|example|call|seed|sample|data")
_SILENT = frozenset({"print", "main", "unittest.main", "pytest.main", "exit", "sys.exit"})


class Statements(Values):
    """Follows the statements of a reply in order.

    Attributes:
        row: Parameters that were assigned and not yet used: a call in the making.
        pending: Other variables that no call has used yet.
    """

    def __init__(self, entry_point: str, params: Sequence[Param], found: Found) -> None:
        """Prepare for an entry point."""
        super().__init__(entry_point, params, found)
        self.row: dict[str, Piece] = {}
        self.row_used = False
        self.pending: dict[str, tuple[Piece, Manner]] = {}
        self.turns = 0

    def run(self, body: Iterable[ast.stmt], how: Manner) -> None:
        """Read statements in order."""
        for node in body:
            self.statement(node, how)
            self.row_used = self.row_used or not self.used.isdisjoint(self.row)
            for name in sorted(self.used):
                self.pending.pop(name, None)
            self.used.clear()

    def statement(self, node: ast.stmt, how: Manner) -> None:
        """Read one statement."""
        match node:
            case (
                ast.Return(value=ast.expr() as value)
                | ast.Expr(value=ast.Yield(value=ast.expr() as value))
            ):
                self.returned(value, how)
            case ast.Expr(value=value):
                self.expression(value, how)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.assign(target, value, how)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self.assign(target, annotation if value is None else value, how)
            case ast.AugAssign(target=ast.Name(id=name), value=value) if is_list_name(name):
                self.named(name, self.piece(value), how)
            case ast.For():
                self.loop(node, how)
            case ast.FunctionDef(name=name) if name in self.targets:
                self.found.refuse(f"def {name}", "a definition, not an input", self.base + 1)
            case ast.Assert() | ast.Delete() | ast.AugAssign() | ast.Raise():
                for call in self.calls(node):
                    self.bind(call, how.kind)
            case _:
                for block in ("body", "orelse", "finalbody"):
                    self.run(getattr(node, block, []), how)

    # Expressions

    def expression(self, value: ast.expr, how: Manner) -> None:
        """Read an expression that stands alone."""
        calls = self.calls(value)
        for call in calls:
            self.bind(call, how.kind)
        if calls or isinstance(value, ast.Name | ast.Attribute):
            return
        match value:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id=name), attr="append" | "add" | "extend" as how_many
                ),
                args=[item],
            ):
                self.names.pop(name, None)
                if is_list_name(name):
                    several = how_many == "extend"
                    self.take(self.piece(item), replace(how, several=several))
            case ast.Call(func=func) if dotted_name(func) not in CONSTRUCTORS:
                self.other_call(value, how)
            case ast.Compare(left=left, ops=[ast.Eq(), *_]):
                self.take(self.piece(left), how)
            case ast.Tuple(elts=[only]) if only.col_offset == value.col_offset:
                # "5,": an item of a list whose brackets are elsewhere, not a tuple.
                self.expression(only, how)
            case _:
                self.take(self.piece(value), how)

    def other_call(self, call: ast.Call, how: Manner) -> None:
        """Read the call of another function: a table of pytest, or nothing of ours."""
        name = dotted_name(call.func)
        if name.endswith("parametrize") and len(call.args) >= 2:
            self.parametrized(call, how)
        elif name not in _SILENT and not name.startswith(("self.", "logging.", "random.")):
            here = Piece(None, "", call, self.base)
            self.refuse(here, f"it calls {name or 'something'}, not {self.targets[0]}")

    def parametrized(self, call: ast.Call, how: Manner) -> None:
        """Read ``@pytest.mark.parametrize("nums,k,expected", [...])``."""
        names = self.piece(call.args[0]).value
        # The calls in the test below are of these rows.
        columns = re.findall(r"\w+", names) if isinstance(names, str) else list(names or [])
        self.fixtures.update(columns)
        for item in self.parts(self.piece(call.args[1])):
            cells = [item] if len(columns) == 1 else self.parts(item)
            named = {
                name: cell
                for name, cell in zip(columns, cells, strict=False)
                if name in self.signature.names
            }
            if item.reason and not cells:
                self.refuse(item, item.reason)
            elif named:
                self.take_named(named, item, how)
            elif cells:
                self.take(cells[0], replace(how, several=False))

    def returned(self, value: ast.expr, how: Manner) -> None:
        """Read what a function returns: ``return [...]`` is a list of inputs."""
        calls = self.calls(value)
        for call in calls:
            self.bind(call, how.kind)
        if not calls and isinstance(value, ast.List | ast.Tuple | ast.Dict):
            self.take(self.piece(value), replace(how, several=isinstance(value, ast.List)))

    # Variables

    def assign(self, target: ast.expr, value: ast.expr, how: Manner) -> None:
        """Note what a variable holds from here on; it may be an input, or go into one."""
        calls = self.calls(value)
        for call in calls:
            self.bind(call, how.kind)
        if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            for part, inner in zip(target.elts, value.elts, strict=False):
                self.assign(part, inner, how)
        elif isinstance(target, ast.Name) and calls:
            self.names.pop(target.id, None)
        elif isinstance(target, ast.Name):
            # A list of lists that were named before uses them.
            self.used.update(n.id for n in ast.walk(value) if isinstance(n, ast.Name))
            self.hold(target.id, self.piece(value), how)

    def hold(self, name: str, piece: Piece, how: Manner) -> None:
        """Give a variable a value."""
        if name in self.signature.names:
            if name in self.row:
                self.flush_row()
            self.row[name] = piece
        elif not is_outcome_name(name) or kind_of(name):
            if name in self.pending:
                self.named(name, *self.pending.pop(name))
            self.pending[name] = (piece, how)
        self.names.pop(name, None)
        if not piece.reason:
            self.names[name] = piece.value

    def named(self, name: str, piece: Piece, how: Manner) -> None:
        """Read the value of a variable that no call used: its name says what it is."""
        several: bool | None = None
        if is_list_name(name) or (name.endswith("s") and _INPUT_WORDS.search(name)):
            several = True
        elif is_row_name(name) or re.search(r"(?:input|case|test|example|args)_?\d*$", name):
            several = False
        kind = kind_of(name) or how.kind
        container = piece.reason or isinstance(piece.value, list | tuple | dict)
        if several is None and kind is None and not _INPUT_WORDS.search(name) and not container:
            self.refuse(piece, f"no call uses the variable {name!r}")
            return
        self.take(piece, replace(how, several=several, kind=kind, cases=is_case_name(name)))

    def flush_row(self) -> None:
        """Read the parameters that were assigned as one input, unless a call used them."""
        row, self.row = self.row, {}
        used, self.row_used = self.row_used, False
        if not row or used:
            return
        for name in self.signature.names[: self.signature.required]:
            if name not in row and name in self.names:
                row[name] = Piece(self.names[name])
        self.take_named(row, next(iter(row.values())), Manner())

    def flush(self) -> None:
        """Read what no call used."""
        self.flush_row()
        pending, self.pending = self.pending, {}
        for name, (piece, how) in pending.items():
            self.named(name, piece, how)

    # Loops

    def loop(self, node: ast.For, how: Manner) -> None:
        """Follow a loop over known values."""
        over = {n.id for n in ast.walk(node.iter) if isinstance(n, ast.Name)}
        refused = len(self.found.unread)
        for turn in self.turns_of(node):
            before = self.found.count
            if self.unpack(node.target, turn):
                self.run(node.body, how)
            if self.found.count == before:
                if not over.isdisjoint(self.pending):
                    # The list is read by itself instead.
                    del self.found.unread[refused:]
                    return
                break  # what cannot be read in one turn cannot be read in the next
        self.used |= over

    def turns_of(self, node: ast.For) -> list[Value]:
        """Return the values of a loop's variable; one turn without any where they are unknown."""
        try:
            values = self.values_of(node.iter)
        except (LiteralError, TypeError):
            self.run(node.body, Manner())
            return []
        self.turns += len(values)
        if self.turns > MAX_TURNS:
            reason = f"the loops of the reply have more than {MAX_TURNS} turns"
            self.found.refuse(source_of(node.iter), reason, self.base + node.lineno)
            return []
        return list(values)

    def values_of(self, node: ast.expr) -> list[Value]:
        """Return what a loop goes over: a list, a range, or a few of them side by side."""
        match node:
            case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[]):
                return list(zip(*map(self.values_of, args), strict=False))
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner], keywords=[]):
                return list(enumerate(self.values_of(inner)))
            case ast.Call(func=ast.Attribute(value=inner, attr="items"), args=[], keywords=[]):
                return list(dict(self.value_of(inner)).items())
        everything = ast.Call(func=ast.Name(id="list"), args=[node], keywords=[])
        everything = ast.fix_missing_locations(ast.copy_location(everything, node))
        return list(self.value_of(everything))

    def unpack(self, target: ast.expr, value: Value) -> bool:
        """Give a loop's variables their values; tell whether that could be done."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
            return True
        if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, tuple | list):
            return False
        if len(target.elts) != len(value):
            return False
        return all(map(self.unpack, target.elts, value))
