"""The test program of a task file: what is left to run, each statement on its own line of the file.

An assert that states an outcome is judged by the task's comparison and not run. The rest (computed
inputs, conditions, several-line examples) is run as it stands, against every reference.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence

from plusforge.oracle.conditions import Check
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold
from plusforge.oracle.source import Function, segment
from plusforge.oracle.task import TestScript

SESSION = "_examples_of_the_docstring"
"""Name of the function that runs the examples."""


def judged(
    body: Sequence[ast.stmt], checks: Iterable[Check], where: str, *, in_place: bool, mutates: bool
) -> list[ast.stmt]:
    """Return the statements that say nothing beyond stated outcomes.

    Args:
        body: Of a test function or a session of examples.
        checks: What was read there; only those are stated that the comparison is to judge.
        where: File name in ``BaseTest.where``.
        in_place: ``f(xs)`` and then ``assert xs == [...]`` states an outcome.
        mutates: Calls may change their arguments, so that a call with a variable must be made.
    """
    total: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    for check in checks:
        total[check.test.where] += 1
        stated[check.test.where] += check.test.stated
    found: list[ast.stmt] = []
    followed: set[str] = set()
    for node in body:
        place = f"{where}:{node.lineno}"
        whole = total[place] > 0 and total[place] == stated[place]
        if isinstance(node, ast.Assert):
            known = in_place and _is_afterwards(node.test, followed)
            plain = not (mutates and _argument_names(node))
            if known or (not in_place and plain and whole and total[place] == _parts(node.test)):
                found.append(node)
            continue
        if isinstance(node, ast.Try) and whole:
            found.append(node)
        followed = _argument_names(node) if whole else set()
    return found


def _parts(test: ast.expr) -> int:
    return len(test.values) if isinstance(test, ast.BoolOp) else 1


def _argument_names(node: ast.stmt) -> set[str]:
    """Return the variables that stand in the arguments of a statement's calls."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    return {
        part.id
        for call in calls
        for argument in call.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Name)
    }


def _is_afterwards(test: ast.expr, followed: set[str]) -> bool:
    """Tell whether a condition says what one of these variables holds after the call."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[right]):
            try:
                fold(right)
            except LiteralError:
                return False
            return name in followed
    return False


def build_script(
    text: str,
    tree: ast.Module,
    *,
    tests: Sequence[Function],
    left_out: Sequence[ast.stmt],
    examples: Sequence[ast.stmt],
    where: str,
) -> TestScript | None:
    """Return the program that runs the tests, or None when there is nothing to run.

    Args:
        text: The task file.
        tree: Its syntax tree.
        tests: The test functions.
        left_out: Statements in them that are not to be run.
        examples: Statements of the docstring's examples that are.
        where: File name, for messages.
    """
    if not tests and not examples:
        return None
    rows = [""] * (text.count("\n") + 1)
    without = _without(text, left_out)
    for node in tests:
        lines = segment(without, tree, node).split("\n")
        first = (node.end_lineno or node.lineno) - len(lines)
        for index, line in enumerate(lines, start=first):
            rows[index] = f"{rows[index]}; {line}" if rows[index] else line
    calls = [f"{node.name}()" for node in tests]
    if examples:
        _place_examples(rows, examples)
        calls.append(f"{SESSION}()")
    return TestScript(source="\n".join([*rows, *calls]) + "\n", where=where)


def _without(text: str, nodes: Iterable[ast.stmt]) -> str:
    """Return a text with ``pass`` in the place of some statements, every line where it was."""
    lines = [line.encode() for line in text.split("\n")]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        rest = lines[last][node.end_col_offset :]
        lines[first] = lines[first][: node.col_offset] + b"pass" + (rest if first == last else b"")
        for row in range(first + 1, last + 1):
            lines[row] = b""
        if first != last:
            lines[last] = b" " * node.col_offset + rest.lstrip(b" ;") if rest.strip() else b""
    return b"\n".join(lines).decode()


def _place_examples(rows: list[str], examples: Sequence[ast.stmt]) -> None:
    """Put the examples on their lines of the docstring, whose text is not in the program.

    Where they do not fit (a function on one line), they go behind everything else.
    """
    written = [(node.lineno - 1, ast.unparse(node).split("\n")) for node in examples]
    head = written[0][0] - 1
    taken = [head]
    taken += [row + index for row, lines in written for index in range(len(lines))]
    fits = head >= 0 and taken == sorted(set(taken)) and not any(rows[row] for row in taken)
    if not fits:
        rows.append(f"def {SESSION}():")
        rows += [f"    {line}" for _, lines in written for line in lines]
        return
    rows[head] = f"def {SESSION}():"
    for row, lines in written:
        for index, line in enumerate(lines):
            rows[row + index] = f"    {line}"
