"""Reading base tests off the ``>>>`` examples of a docstring."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from plusforge.oracle.conditions import Calls, Check
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold_text, parse_expression
from plusforge.oracle.source import doctest_examples
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.values import Raised

TRACEBACK = "Traceback (most recent call last):"


def read_examples(
    docstring: str, targets: frozenset[str], params: Sequence[Param], where: str
) -> list[Check]:
    """Read the literal ``>>> f(x)`` examples of a docstring; what is not literal is passed over."""
    found: list[Check] = []
    calls = Calls(targets, params)
    for number, example in enumerate(doctest_examples(docstring), start=1):
        try:
            node = parse_expression(example.source)
        except LiteralError:
            continue
        call = calls.as_call(node)
        args = calls.bind(call) if call else None
        if args is None or not example.want:
            continue
        test = BaseTest(args=args, example=True, where=f"{where} example {number}")
        if example.want.startswith(TRACEBACK):
            name = example.want.rpartition("\n")[2].partition(":")[0].strip()
            raised = Raised(name.rpartition(".")[2])
            found.append(Check(test=replace(test, expected=raised, stated=True), kind="raises"))
            continue
        try:
            expected = fold_text(example.want)
        except LiteralError:
            continue
        found.append(Check(test=replace(test, expected=expected, stated=True)))
    return found


@dataclass(slots=True)
class Session:
    """The examples of a docstring as one test, each statement on its line of the file.

    Attributes:
        body: What they run, in order; a shown value has become an assert.
        numbers: Number of the example on each line.
        broken: Lines of examples that are no Python.
    """

    body: list[ast.stmt] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)


def read_session(docstring: ast.Constant, entry: str, *, in_place: bool) -> Session:
    """Return the examples of a docstring as a test that goes from the first to the last.

    Args:
        docstring: As it stands in the file.
        entry: Name of the entry point.
        in_place: Its outcome is what becomes of its arguments: the value it is shown to return is
            none.
    """
    session = Session()
    for number, example in enumerate(doctest_examples(str(docstring.value)), start=1):
        line = docstring.lineno + example.line - 1
        try:
            body = ast.parse(example.source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            session.broken.append(line)
            continue
        if example.want and body and isinstance(body[-1], ast.Expr):
            silent = in_place and Calls(frozenset({entry}), ()).as_call(body[-1].value) is not None
            body[-1] = _expected(body[-1], example.want, silent=silent)
        for node in body:
            ast.increment_lineno(node, line - 1)
            session.numbers[node.lineno] = number
            if not (isinstance(node, ast.Import | ast.ImportFrom) and _names_file(node, entry)):
                session.body.append(node)
    return session


def _names_file(node: ast.Import | ast.ImportFrom, entry: str) -> bool:
    """Tell whether an import is of the task's own file, which the sandbox does not have."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
    return entry in [str(name).rpartition(".")[2] for name in names]


def _expected(node: ast.Expr, want: str, *, silent: bool) -> ast.stmt:
    """Return an example's last statement with what is shown below it."""
    if want.startswith(TRACEBACK):
        name = want.rpartition("\n")[2].partition(":")[0].strip().rpartition(".")[2]
        text = f"try:\n    pass\nexcept {name}:\n    pass\nelse:\n    raise AssertionError"
        try:
            found = ast.parse(text).body[0]
        except SyntaxError:
            return node
        if isinstance(found, ast.Try):
            found.body = [node]
            for part in ast.walk(found):
                if isinstance(part, ast.stmt | ast.expr | ast.excepthandler):
                    part.lineno = part.end_lineno = node.lineno
        return found
    try:
        fold_text(want)
    except LiteralError:
        return node
    if silent:
        return node
    equal = ast.Compare(left=node.value, ops=[ast.Eq()], comparators=[parse_expression(want)])
    found = ast.copy_location(ast.Assert(test=equal, msg=None), node)
    for part in ast.walk(equal.comparators[0]):
        ast.copy_location(part, node)
    return ast.fix_missing_locations(found)
