"""The HumanEval form: prompt, canonical solution, and a test program ``check(candidate)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plusforge.oracle.asserts import (
    COMPUTED,
    Reading,
    read_asserts,
)
from plusforge.oracle.basetests import merge_tests
from plusforge.oracle.comparisons import derive_checker, infer_comparison
from plusforge.oracle.conditions import Check
from plusforge.oracle.errors import TaskError
from plusforge.oracle.examples import read_examples
from plusforge.oracle.source import Function, find_function, params_of, parse_module
from plusforge.oracle.task import Comparison, Param, Reference, Task, TestScript
from plusforge.oracle.unordered import returns_unordered

FIELDS = ("task_id", "prompt", "entry_point", "canonical_solution", "test")
"""Fields of a record, as released."""


def text_field(record: Mapping[str, Any], name: str, where: str) -> str:
    r"""Return a text field of a record, line ends normalised to ``\n``.

    Raises:
        TaskError: It is missing or is not text.
    """
    value = record.get(name)
    if not isinstance(value, str):
        got = "nothing" if name not in record else type(value).__name__
        raise TaskError(f"{where}: field {name!r}: got {got}, expected text; correct the record")
    return value.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The canonical solution of a record, parsed.

    Attributes:
        source: The complete module.
        tree: Its syntax tree.
        func: The entry point.
        params: Its parameters.
    """

    source: str
    tree: ast.Module
    func: Function
    params: tuple[Param, ...]


def parse_program(source: str, entry_point: str, where: str) -> Program:
    """Return the parsed canonical solution.

    Raises:
        TaskError: It does not compile, or has no usable entry point.
    """
    tree = parse_module(source, where)
    func = find_function(tree, entry_point, where)
    return Program(source=source, tree=tree, func=func, params=params_of(func, where))


def docstring_checks(program: Program) -> list[Check]:
    """Return the literal doctest examples of the entry point's docstring."""
    names = frozenset({program.func.name})
    return read_examples(ast.get_docstring(program.func) or "", names, program.params, "prompt")


def read_check(test: str, program: Program, where: str) -> tuple[Reading, ast.Module]:
    """Return what the function ``check(candidate)`` of a test program says.

    Raises:
        TaskError: The program does not compile or has no ``check``.
    """
    tree = parse_module(test, f"{where} (test)")
    check = find_function(tree, "check", f"{where} (test)")
    names = frozenset({*(arg.arg for arg in check.args.args[:1]), program.func.name})
    return read_asserts(check.body, names, program.params, "test"), tree


def comparison_of(
    program: Program,
    reading: Reading,
    examples: Sequence[Check],
    test_tree: ast.Module,
    atol: float = 0.0,
) -> tuple[Comparison, tuple[str, ...]]:
    """Return how outcomes are compared, and remarks on what could not be told."""
    checker = derive_checker(reading, program.source, program.tree, test_tree, program.func.name)
    if checker is not None:
        return Comparison(kind="checker", checker=checker), ()
    checks = [*reading.checks, *examples]
    comparison = infer_comparison(checks, returns=program.func.returns, atol=atol)
    if comparison.kind == "exact" and returns_unordered(program.func):
        note = "the reference's results come out of sets: they are compared in any order"
        return replace(comparison, kind="any_order"), (note,)
    if reading.properties and not any(check.test.stated for check in reading.checks):
        return comparison, ("the tests check a condition only; outcomes are compared exactly",)
    return comparison, ()


def load_humaneval(record: Mapping[str, Any], where: str) -> Task:
    """Return the task of a HumanEval record.

    Args:
        record: Its fields; see ``FIELDS``.
        where: File and line, for messages.

    Raises:
        TaskError: The record is no task.
    """
    task_id, prompt, entry_point, solution, test = (
        text_field(record, name, where) for name in FIELDS
    )
    program = parse_program(prompt + solution, entry_point, where)
    reading, test_tree = read_check(test, program, where)
    examples = docstring_checks(program)
    comparison, notes = comparison_of(program, reading, examples, test_tree)
    tests = [check.test for check in [*reading.checks, *examples]]
    return Task(
        task_id=task_id,
        entry_point=entry_point,
        prompt=prompt,
        params=program.params,
        references=(Reference(source=program.source),),
        base=merge_tests(tests, kind=comparison.kind),
        script=TestScript(source=test),
        comparison=comparison,
        source=where,
        notes=(COMPUTED, *notes) if reading.computed else notes,
    )
