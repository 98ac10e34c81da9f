"""The EvalPlus form: HumanEval+ and MBPP+ as released, types that JSON lost recovered.

Base inputs are the stored ones, typed by the literals in the task's own asserts. Contracts stand
alone in a module of their own. The released plus inputs are left out unless asked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plusforge.oracle.asserts import Reading, read_asserts
from plusforge.oracle.basetests import as_example, merge_tests
from plusforge.oracle.conditions import Check
from plusforge.oracle.contracts import contract_module
from plusforge.oracle.errors import TaskError
from plusforge.oracle.files import parse_json
from plusforge.oracle.load_humaneval import (
    Program,
    comparison_of,
    docstring_checks,
    parse_program,
    read_check,
    text_field,
)
from plusforge.oracle.retype import numbers_as_text, recover, retype
from plusforge.oracle.source import functions, names_read, parse_module
from plusforge.oracle.task import BaseTest, Contract, Reference, Seed, Task, TestScript
from plusforge.oracle.typespec import Spec, parse_annotation, unify
from plusforge.oracle.values import Args, key_of
from plusforge.oracle.wording import plural

RELEASED = "released"
"""Origin of the seeds that are released plus inputs."""


def load_evalplus(record: Mapping[str, Any], where: str, *, released_inputs: bool = False) -> Task:
    """Return the task of an EvalPlus record.

    Args:
        record: Its fields, as released (HumanEval+ v0.1.10, MBPP+ v0.2.0).
        where: File and line, for messages.
        released_inputs: Take the released plus inputs as seeds of origin ``released``.

    Raises:
        TaskError: The record is no task.
    """
    task_id = text_field(record, "task_id", where)
    prompt = text_field(record, "prompt", where)
    entry_point = text_field(record, "entry_point", where)
    solution = text_field(record, "canonical_solution", where)
    program = parse_program(_complete(prompt, solution, entry_point), entry_point, where)
    reading, test_tree, script = _hidden(record, program, where)
    shown = [*_prompt_asserts(prompt, program, where), *docstring_checks(program)]
    comparison, notes = comparison_of(
        program, reading, shown, test_tree, atol=_tolerance(record, where)
    )
    checks = [*reading.checks, *shown]
    stored = _inputs_field(record, "base_input", where)
    base, retyped = _base_tests(stored, checks, program)
    shown_tests = [as_example(check.test) for check in shown if check.test.stated]
    seeds: tuple[Seed, ...] = ()
    if released_inputs:
        _, plus = typed_inputs(record, where)
        seeds = tuple(Seed(args=args, origin=RELEASED) for args in plus)
    if retyped:
        given = f"{retyped} base {plural(retyped, 'input')}"
        notes = (*notes, f"{given} typed by the others: no assert shows their types")
    return Task(
        task_id=task_id,
        entry_point=entry_point,
        prompt=prompt,
        params=program.params,
        references=(Reference(source=program.source),),
        contract=_contract(record, program, where),
        base=merge_tests([*base, *shown_tests], kind=comparison.kind),
        script=TestScript(source=script) if script else None,
        comparison=comparison,
        seeds=seeds,
        source=where,
        notes=notes,
    )


def typed_inputs(record: Mapping[str, Any], where: str) -> tuple[list[Args], list[Args]]:
    """Return the base and plus inputs of an EvalPlus record exactly as many as released, typed.

    Args:
        record: Its fields.
        where: File and line, for messages.

    Raises:
        TaskError: The record is no task.
    """
    prompt = text_field(record, "prompt", where)
    entry_point = text_field(record, "entry_point", where)
    solution = text_field(record, "canonical_solution", where)
    program = parse_program(_complete(prompt, solution, entry_point), entry_point, where)
    reading, _, _ = _hidden(record, program, where)
    checks = [*reading.checks, *_prompt_asserts(prompt, program, where), *docstring_checks(program)]
    stored = _inputs_field(record, "base_input", where)
    tests, _ = _base_tests(stored, checks, program)
    base = [test.args for test in tests]
    specs = _specs_of(program, base)
    released = _inputs_field(record, "plus_input", where)
    text = numbers_as_text([*stored, *released], base)
    return base, [_retype_args(raw, specs, text=text) for raw in released]


def _complete(prompt: str, solution: str, entry_point: str) -> str:
    """Return the canonical solution as a module: MBPP+ stores it whole, HumanEval+ the body."""
    try:
        stands_alone = entry_point in functions(parse_module(solution, ""))
    except TaskError:
        stands_alone = False
    return solution.strip("\n") + "\n" if stands_alone else prompt + solution


def _hidden(
    record: Mapping[str, Any], program: Program, where: str
) -> tuple[Reading, ast.Module, str]:
    """Return what the record's own test program says, its tree and its text."""
    if "test" in record:
        test = text_field(record, "test", where)
        reading, tree = read_check(test, program, where)
        return reading, tree, test
    test = text_field(record, "assertion", where) if "assertion" in record else ""
    tree = parse_module(test, f"{where} (assertion)")
    # The released asserts lost the import lines that MBPP keeps in a field of their own.
    lost = [name for name in ("math", "re", "collections") if name in names_read(tree)]
    test = "".join(f"import {name}\n" for name in lost) + test
    names = frozenset({program.func.name})
    return read_asserts(tree.body, names, program.params, "assertion"), tree, test


def _prompt_asserts(prompt: str, program: Program, where: str) -> list[Check]:
    """Return the asserts that an MBPP+ prompt ends with."""
    tree = parse_module(prompt, f"{where} (prompt)")
    text = ast.get_docstring(tree) or ""
    start = re.search(r"^assert\b", text, re.MULTILINE)
    if start is None:
        return []
    try:
        body = parse_module(text[start.start() :], where).body
    except TaskError:
        # Prose after the assert; the same assert stands in the test program.
        return []
    return read_asserts(body, frozenset({program.func.name}), program.params, "prompt").checks


def _tolerance(record: Mapping[str, Any], where: str) -> float:
    value = record.get("atol", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise TaskError(f"{where}: atol = {value!r}: expected a number from 0 up to 1")
    return float(value)


def _contract(record: Mapping[str, Any], program: Program, where: str) -> Contract | None:
    body = text_field(record, "contract", where) if "contract" in record else ""
    return contract_module(body, program.source, program.tree, program.func, where)


def _inputs_field(record: Mapping[str, Any], name: str, where: str) -> list[list[Any]]:
    """Return a list of argument lists, stored as JSON or as JSON text.

    Raises:
        TaskError: It is something else.
    """
    value = record.get(name, [])
    if isinstance(value, str):
        value = parse_json(value, f"{where} ({name})")
    if value == {}:
        # What an empty set of inputs became on its way through the release scripts.
        return []
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        raise TaskError(f"{where}: field {name!r}: expected a list of argument lists")
    return value


def _specs_of(program: Program, rows: Sequence[Args]) -> list[Spec]:
    """Return one spec for each parameter, from its annotation and the given calls."""
    return [
        unify(parse_annotation(param.annotation), [row[i] for row in rows if i < len(row)])
        for i, param in enumerate(program.params)
    ]


def _retype_args(raw: Sequence[Any], specs: Sequence[Spec], *, text: bool) -> Args:
    """Return stored arguments with the types of the specs; surplus ones stay as they are."""
    typed = [retype(value, spec, text=text) for value, spec in zip(raw, specs, strict=False)]
    return (*typed, *raw[len(typed) :])


def _base_tests(
    stored: Sequence[list[Any]], checks: Sequence[Check], program: Program
) -> tuple[list[BaseTest], int]:
    """Return the stored base inputs as tests, and how many no literal gave the types of."""
    recovered = recover(stored, [check.test.args for check in checks])
    specs = _specs_of(program, [args for args in recovered if args is not None])
    told: dict[str, BaseTest] = {}
    for check in checks:
        key = key_of(check.test.args)
        if check.test.stated and key not in told:
            told[key] = check.test
    tests = []
    text = numbers_as_text(stored, [args for args in recovered if args is not None])
    for index, (raw, typed) in enumerate(zip(stored, recovered, strict=True)):
        args = _retype_args(raw, specs, text=text) if typed is None else typed
        known = told.get(key_of(args), BaseTest(args=args))
        tests.append(replace(known, where=f"base_input {index}"))
    return tests, recovered.count(None)
