"""The MBPP form, full (974 tasks) and sanitized (427): text, code and a list of asserts."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from plusforge.oracle.asserts import COMPUTED, read_asserts
from plusforge.oracle.basetests import as_example, merge_tests
from plusforge.oracle.errors import TaskError
from plusforge.oracle.load_humaneval import comparison_of, parse_program, text_field
from plusforge.oracle.source import functions, parse_module
from plusforge.oracle.task import Reference, Task, TestScript


def load_mbpp(record: Mapping[str, Any], where: str) -> Task:
    """Return the task of an MBPP record.

    Args:
        record: ``task_id``, ``text`` or ``prompt``, ``code``, ``test_list`` and, where there are
            any, ``test_imports``, ``test_setup_code``, ``challenge_test_list``.
        where: File and line, for messages.

    Raises:
        TaskError: The record is no task.
    """
    text = text_field(record, "prompt" if "prompt" in record else "text", where)
    code = text_field(record, "code", where)
    asserts = _lines_field(record, "test_list", where)
    more = _lines_field(record, "challenge_test_list", where)
    imports = _lines_field(record, "test_imports", where)
    setup = [*imports, *_setup_code(record, where)]
    if not asserts:
        raise TaskError(f"{where}: test_list is empty; a task needs at least one assert")
    script = "\n".join([*setup, "", *asserts, *more]) + "\n"
    test_tree = parse_module(script, f"{where} (tests)")
    entry_point = _called_function(test_tree, code, where)
    # Some code leans on what its tests import.
    source = "\n".join([*imports, code.rstrip()]) + "\n"
    program = parse_program(source, entry_point, where)
    names = frozenset({entry_point})
    reading = read_asserts(test_tree.body, names, program.params, "tests")
    shown = read_asserts(parse_module(asserts[0], where).body, names, program.params, "prompt")
    comparison, notes = comparison_of(program, reading, shown.checks, test_tree)
    tests = [check.test for check in reading.checks]
    return Task(
        task_id=f"Mbpp/{record.get('task_id')}",
        entry_point=entry_point,
        prompt=f'"""\n{text.strip()}\n{asserts[0].strip()}\n"""\n',
        params=program.params,
        references=(Reference(source=program.source),),
        base=merge_tests([*tests, *map(as_example, shown.tests)], kind=comparison.kind),
        script=TestScript(source=script),
        comparison=comparison,
        source=where,
        notes=(COMPUTED, *notes) if reading.computed else notes,
    )


def _lines_field(record: Mapping[str, Any], name: str, where: str) -> list[str]:
    r"""Return a field that is a list of source lines, line ends normalised; empty when absent.

    Raises:
        TaskError: It is something else.
    """
    value = record.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TaskError(f"{where}: field {name!r}: expected a list of texts; correct the record")
    return [item.replace("\r\n", "\n").replace("\r", "\n") for item in value]


def _setup_code(record: Mapping[str, Any], where: str) -> list[str]:
    """Return the set-up code of the tests, when there is any."""
    return [text_field(record, "test_setup_code", where)] if record.get("test_setup_code") else []


def _called_function(test_tree: ast.Module, code: str, where: str) -> str:
    """Return the name of the function under test: defined in the code, called in the asserts.

    Raises:
        TaskError: There is none, or the code does not compile.
    """
    defined = functions(parse_module(code, where))
    calls = [
        node.func.id
        for statement in test_tree.body
        if isinstance(statement, ast.Assert)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    called = [name for name in calls if name in defined]
    if not called:
        raise TaskError(
            f"{where}: no assert calls a function that the code defines "
            f"(defined: {', '.join(defined) or 'none'}); correct the asserts or the code"
        )
    # ast.walk is breadth first, so the outermost call of the first assert comes first; a helper
    # that builds an argument stands further in.
    return called[0]
