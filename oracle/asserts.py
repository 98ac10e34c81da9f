"""Reading base tests off assert statements.

``assert f(1, 2) == 3`` says an input and an outcome; ``set(f(x)) == {1}`` also says how outcomes
are compared. Only literal inputs are read here. What is computed (loops, helper calls) is counted,
and can be recorded by running the test script in the sandbox.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from plusforge.oracle.conditions import Calls, Check
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import dotted_name, fold
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.values import Args, Raised, Value

COMPUTED = "base:computed"
"""Note of a task some of whose base inputs are computed by its test script: to be recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A condition on a result that is no comparison with a stated value.

    Attributes:
        condition: The asserted expression; the result stands in it as a call or as a variable.
        call: The call under test.
        variable: The variable that holds the result, or None when the call stands in ``condition``.
    """

    condition: ast.expr
    call: ast.Call
    variable: str | None


@dataclass(slots=True)
class Reading:
    """What was found in a test program.

    Attributes:
        checks: The literal ones, in order.
        computed: Number of asserted calls whose arguments are not literal.
        comparisons: Number of computed calls that are compared with a (computed) value.
        properties: Conditions that are no comparisons, literal or not.
    """

    checks: list[Check] = field(default_factory=list)
    computed: int = 0
    comparisons: int = 0
    properties: list[Property] = field(default_factory=list)

    @property
    def tests(self) -> list[BaseTest]:
        """The base tests of the checks."""
        return [check.test for check in self.checks]


def read_asserts(
    body: Sequence[ast.stmt],
    targets: frozenset[str],
    params: Sequence[Param],
    where: str,
    *,
    in_place: bool = False,
) -> Reading:
    """Read the tests in a list of statements.

    Args:
        body: Statements of a test function or module.
        targets: Names under which the entry point is called.
        params: Its parameters, to place keyword arguments.
        where: Prefix of ``BaseTest.where``; the line is appended.
        in_place: The outcome of a call is the tuple of its arguments afterwards: ``f(xs)`` as a
            statement, then ``assert xs == [...]``.
    """
    reader = _Reader(targets, params, where, in_place=in_place)
    reader.statements(body)
    reader.flush()
    return reader.reading


@dataclass(slots=True)
class _Pending:
    """A call of an in-place task whose outcome the next asserts tell."""

    args: Args
    names: list[str | None]
    where: str
    after: dict[str, Value] = field(default_factory=dict)


class _Reader(Calls):
    """Walks statements once, in order, and keeps track of what variables hold."""

    def __init__(
        self, targets: frozenset[str], params: Sequence[Param], where: str, *, in_place: bool
    ) -> None:
        super().__init__(targets, params)
        self.where = where
        self.in_place = in_place
        self.reading = Reading()
        self.pending: _Pending | None = None

    # Statements

    def statements(self, body: Sequence[ast.stmt], *, loose: bool = False) -> None:
        """Read statements; ``loose`` ones may run any number of times, so none is literal."""
        for node in body:
            match node:
                case ast.Assert(test=test):
                    self.condition(test, node, loose=loose)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.assign(name, value, loose=loose)
                case ast.Expr(value=value):
                    self.expression(value, node, loose=loose)
                case ast.Try() if not loose and self.promised(node):
                    pass
                case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
                    pass
                case _:
                    self.compound(node)

    def compound(self, node: ast.stmt) -> None:
        """Read the inside of a loop, branch or other statement that is not followed in full."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.values.pop(part.id, None)
        for block in ("body", "orelse", "finalbody"):
            self.statements(getattr(node, block, []), loose=True)
        for handler in getattr(node, "handlers", []):
            self.statements(handler.body, loose=True)

    def assign(self, name: str, value: ast.expr, *, loose: bool) -> None:
        """Note what a variable holds from here on."""
        self.values.pop(name, None)
        self.results.pop(name, None)
        call = self.as_call(value)
        if call is not None:
            self.results[name] = call
            if self.in_place and not loose:
                self.start(call, value)
        elif not loose:
            try:
                self.values[name] = fold(value, self.values)
            except LiteralError:
                return

    def expression(self, value: ast.expr, node: ast.stmt, *, loose: bool) -> None:
        """A call as a statement of its own: an input without a stated outcome."""
        call = self.as_call(value)
        if call is None:
            # xs.append(1) and the like: the variable no longer holds what was assigned.
            for part in ast.walk(value):
                if isinstance(part, ast.Name):
                    self.values.pop(part.id, None)
        elif loose:
            self.reading.computed += 1
        elif self.in_place:
            self.start(call, node)
        else:
            self.unstated(call, node)

    def promised(self, node: ast.Try) -> bool:
        """Read ``try: f(x)``, ``except E: pass``, ``else: raise ...``; tell whether it was one."""
        match node:
            case ast.Try(
                body=[ast.Expr(value=value) | ast.Assign(value=value)],
                handlers=[ast.ExceptHandler(type=ast.expr() as kind)],
                orelse=[ast.Raise() | ast.Assert()],
                finalbody=[],
            ):
                call = self.as_call(value)
                args = self.bind(call) if call else None
                name = dotted_name(kind).rpartition(".")[2]
                if args is None or not name:
                    return False
                test = BaseTest(
                    args=args, expected=Raised(name), stated=True, where=self.place(node)
                )
                self.reading.checks.append(Check(test=test, kind="raises"))
                return True
        return False

    # In-place tasks

    def start(self, call: ast.Call, node: ast.AST) -> None:
        """Begin to follow a call whose outcome is what its arguments become."""
        self.flush()
        args = self.bind(call)
        if args is None:
            self.reading.computed += 1
            return
        names = [arg.id if isinstance(arg, ast.Name) else None for arg in call.args]
        self.pending = _Pending(args, names, self.place(node))
        for name in names:
            self.values.pop(name or "", None)

    def flush(self) -> None:
        """Turn the call that is being followed into a check."""
        if self.pending is None:
            return
        call, self.pending = self.pending, None
        outcome = list(call.args)
        stated = True
        for index, arg in enumerate(call.args):
            name = call.names[index] if index < len(call.names) else None
            if name in call.after:
                outcome[index] = call.after[name]
            elif isinstance(arg, list | dict | set):
                stated = False
        expected = tuple(outcome) if stated else None
        test = BaseTest(args=call.args, expected=expected, stated=stated, where=call.where)
        self.reading.checks.append(Check(test=test))

    def afterwards(self, test: ast.expr) -> bool:
        """Read ``assert xs == [...]`` after a followed call; tell whether it was one."""
        match test:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[right]):
                if self.pending is None or name not in self.pending.names:
                    return False
                try:
                    self.pending.after[name] = fold(right, self.values)
                except LiteralError:
                    return False
                return True
        return False

    # Conditions

    def condition(self, test: ast.expr, node: ast.stmt, *, loose: bool) -> None:
        """Read one asserted condition."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for part in test.values:
                self.condition(part, node, loose=loose)
            return
        if self.in_place and not loose and self.afterwards(test):
            return
        calls = self.calls_in(test)
        if not calls:
            return
        self.flush()
        found = self.match(test)
        kind = found.kind if found else "property"
        if kind == "property":
            self.reading.properties.append(self.property_of(test, calls[0]))
        for call in calls:
            args = None if loose else self.bind(call)
            if args is None:
                self.reading.computed += 1
                self.reading.comparisons += kind != "property"
                continue
            test_of = BaseTest(args=args, where=self.place(node))
            if found and call is calls[0] and not self.in_place:
                told = found.test
                test_of = replace(test_of, expected=told.expected, stated=told.stated)
                self.reading.checks.append(replace(found, test=test_of))
            else:
                self.reading.checks.append(Check(test=test_of, kind=kind))

    def property_of(self, test: ast.expr, call: ast.Call) -> Property:
        """Return the record of a condition on a result."""
        names = [n.id for n in ast.walk(test) if isinstance(n, ast.Name) and n.id in self.results]
        return Property(condition=test, call=call, variable=names[0] if names else None)

    def unstated(self, call: ast.Call, node: ast.stmt) -> None:
        """Record a call of which only the input is known."""
        args = self.bind(call)
        if args is None:
            self.reading.computed += 1
        else:
            test = BaseTest(args=args, where=self.place(node))
            self.reading.checks.append(Check(test=test, kind="property"))

    def place(self, node: ast.AST) -> str:
        """Return where a node stands, for messages."""
        return f"{self.where}:{getattr(node, 'lineno', 0)}"
