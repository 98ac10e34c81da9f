"""Our own task format: one plain Python module a task, read as a syntax tree and never imported.

The first public function is the entry point and its body the canonical solution. ``reference_*``,
``contract``, ``check``, ``test_*`` and ``wrong_*`` stand beside it, and so do a few constants
(``COMPARE``, ``ATOL``, ``RTOL``, ``RAISES``, ``OBSERVE``, ``MUTATES``, ``LIMITS``). Everything else
at the top level (imports, private helpers, constants) is part of every program.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from plusforge.oracle.asserts import COMPUTED, Reading
from plusforge.oracle.basetests import merge_tests
from plusforge.oracle.comparisons import FLOAT_TOLERANCE
from plusforge.oracle.conditions import Check
from plusforge.oracle.errors import LiteralError, TaskError
from plusforge.oracle.examples import Session
from plusforge.oracle.files import read_jsonl, read_text
from plusforge.oracle.literals import dotted_name, fold_text
from plusforge.oracle.source import (
    Function,
    bare_signature,
    first_line,
    names_read,
    prompt_of,
)
from plusforge.oracle.task import (
    COMPARISON_KINDS,
    BaseTest,
    Comparison,
    Limits,
    Reference,
    Seed,
    Task,
    WrongProgram,
)
from plusforge.oracle.taskmodule import TaskModule, unknown_word
from plusforge.oracle.testscript import judged
from plusforge.oracle.values import Raised

OBSERVED = ("result", "arguments")


def read_task_file(path: Path, benchmark: str) -> Task:
    """Return the task of a file, with the seeds recorded beside it.

    Args:
        path: The task file; its stem is the entry point's name.
        benchmark: Name of the benchmark, the first half of the task id.

    Raises:
        TaskError: The file is no task; the message names file, line and remedy.
        DataError: The file cannot be read.
    """
    task = parse_task(read_text(path), path.name, f"{benchmark}/{path.stem}")
    if task.entry_point != path.stem:
        raise TaskError(
            f"{path.name}: the entry point is {task.entry_point!r}; "
            f"name the file {task.entry_point}.py, or the function {path.stem}"
        )
    return replace(task, seeds=read_seeds(path.with_name(f"{path.stem}.seeds.jsonl"), task))


def read_seeds(path: Path, task: Task) -> tuple[Seed, ...]:
    """Return recorded seeds; none when there is no such file.

    Args:
        path: JSONL of ``{"args": "([1, 2], 3)", "origin": "llm"}``.
        task: The task they are for.

    Raises:
        TaskError: A line is not an argument tuple of this task.
    """
    if not path.exists():
        return ()
    seeds = []
    for number, record in read_jsonl(path):
        where = f"{path.name}:{number}"
        try:
            args = fold_text(str(record["args"]))
            origin = str(record["origin"])
        except KeyError as exc:
            raise TaskError(f"{where}: {exc} is missing; a seed has 'args' and 'origin'") from exc
        except LiteralError as exc:
            raise TaskError(f"{where}: {exc}; write the arguments as a Python tuple") from exc
        if not isinstance(args, tuple) or not task.required <= len(args) <= len(task.params):
            raise TaskError(
                f"{where}: got {record['args']!r}, expected a tuple of {len(task.params)} "
                "arguments; one argument is written with a comma: '([1, 2],)'"
            )
        seeds.append(Seed(args=args, origin=origin))
    return tuple(seeds)


def parse_task(text: str, where: str, task_id: str) -> Task:
    """Return the task that a module's text describes.

    Args:
        text: The module.
        where: File name, for messages.
        task_id: Its id.

    Raises:
        TaskError: The text is no task; the message names file, line and remedy.
    """
    return _record_of(TaskModule(text, where), task_id)


def _comparison_of(module: TaskModule, raises: tuple[str, ...]) -> Comparison:
    """Return the declared comparison; exact when none is declared."""
    kind = module.word("COMPARE", "", ("", *COMPARISON_KINDS))
    observe = module.word("OBSERVE", "result", OBSERVED)
    checker = module.checker()
    if checker is not None:
        if kind not in ("", "checker"):
            raise module.fail(
                module.functions["check"], f"a check function beside COMPARE = {kind!r}; keep one"
            )
        return Comparison(kind="checker", checker=checker, observe=observe, raises=raises)
    if kind == "checker":
        raise module.fail(
            module.constants["COMPARE"][1],
            "COMPARE = 'checker' without a checker; "
            f"write def check({bare_signature(module.entry, first='output')}) -> bool",
        )
    for name in ("ATOL", "RTOL"):
        if name in module.constants and kind != "close":
            raise module.fail(
                module.constants[name][1], f"{name} has a meaning only with COMPARE = 'close'"
            )
    if kind == "close":
        return Comparison(
            kind="close",
            atol=float(module.constant("ATOL", FLOAT_TOLERANCE, float, int)),
            rtol=float(module.constant("RTOL", FLOAT_TOLERANCE, float, int)),
            observe=observe,
            raises=raises,
        )
    if observe == "result" and kind in ("truthy", "not_none"):
        # Nothing else of the result is compared, so it need not even be a plain value.
        observe = {"truthy": "truth", "not_none": "presence"}[kind]
    if kind:
        return Comparison(kind=kind, observe=observe, raises=raises)
    return Comparison(observe=observe, raises=raises)


def _raises_of(module: TaskModule) -> tuple[str, ...]:
    """Return the promised exceptions."""
    names = module.constant("RAISES", [], list, tuple)
    for name in names:
        if not isinstance(name, str) or not name.isidentifier():
            raise module.fail(
                module.constants["RAISES"][1],
                f"RAISES holds {name!r}; list names of exception classes: ['ValueError']",
            )
    return tuple(names)


def _limits_of(module: TaskModule) -> Limits:
    """Return the default limits with the declared ones put in."""
    given = module.constant("LIMITS", {}, dict)
    kinds: dict[str, Any] = {
        field.name: float if field.name == "cpu_s" else int for field in fields(Limits)
    }
    for name, value in given.items():
        node = module.constants["LIMITS"][1]
        if name not in kinds:
            raise module.fail(node, f"LIMITS key {name!r} {unknown_word(str(name), list(kinds))}")
        if type(value) not in (int, kinds[name]) or value <= 0:
            raise module.fail(
                node,
                f"LIMITS[{name!r}] = {value!r}: expected a positive {kinds[name].__name__}",
            )
    return replace(Limits(), **{name: kinds[name](value) for name, value in given.items()})


def _record_of(module: TaskModule, task_id: str) -> Task:
    name, where = module.entry.name, f"{module.where}:{first_line(module.entry)}"
    raises = _raises_of(module)
    comparison = _comparison_of(module, raises)
    in_place = comparison.observe == "arguments"
    reading = module.reading(in_place=in_place)
    session = module.session(in_place=in_place)
    shown = module.statements(session.body, in_place=in_place)
    checks, shown_checks = (
        [
            check if _says_outcome(check, comparison.kind, module.entry) else _unstated(check)
            for check in part.checks
        ]
        for part in (reading, shown)
    )
    to_run = _unread(module, session, shown, shown_checks, in_place=in_place)
    computed = reading.computed or shown.computed or to_run
    examples = [_as_example(check.test, module.where, session) for check in shown_checks]
    tests = merge_tests([*(check.test for check in checks), *examples], kind=comparison.kind)
    _refuse_unpromised(tests, raises)
    if not tests and not computed:
        raise module.fail(
            module.entry, f"no base test of {name}; write one: def test_examples(): assert ..."
        )
    notes = tuple(
        f"{module.where}:{line}: this example is no Python and was passed over"
        for line in session.broken
    )
    references, wrong = module.references(), module.wrong_programs()
    _refuse_right(module, references, wrong)
    return Task(
        task_id=task_id,
        entry_point=name,
        prompt=prompt_of(module.text, module.tree, module.entry, module.where),
        params=module.params,
        references=references,
        contract=module.contract(),
        base=tests,
        script=module.script(checks, to_run, in_place=in_place),
        comparison=comparison,
        limits=_limits_of(module),
        mutates=in_place or module.constant("MUTATES", False, bool),  # noqa: FBT003
        wrong=wrong,
        source=where,
        notes=(*notes, COMPUTED) if computed else notes,
    )


def _refuse_right(
    module: TaskModule, references: Sequence[Reference], wrong: Sequence[WrongProgram]
) -> None:
    for program in wrong:
        for reference in references:
            if _bare(program.source) == _bare(reference.source):
                raise module.fail(
                    module.functions[program.name],
                    f"{program.name} is the same program as {reference.name}; correct one of them",
                )


def _bare(source: str) -> str:
    """Return the text of a program without comments, layout and docstrings."""
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.unparse(tree)


def _refuse_unpromised(tests: Sequence[BaseTest], raises: Sequence[str]) -> None:
    for test in tests:
        if isinstance(test.expected, Raised) and test.expected.name not in raises:
            raise TaskError(
                f"{test.where}: the test expects {test.expected.name}, which RAISES does not "
                f"promise; add RAISES = ['{test.expected.name}'] or drop the test"
            )


def _as_example(test: BaseTest, where: str, session: Session) -> BaseTest:
    line = int(test.where.rpartition(":")[2])
    number = max(n for begun, n in session.numbers.items() if begun <= line)
    place = f"{where}:{line} (example {number})"
    return replace(test, example=True, where=place)


def _unread(
    module: TaskModule, session: Session, shown: Reading, checks: list[Check], *, in_place: bool
) -> list[ast.stmt]:
    """Return the examples that must be run to be known, with all before them; often none."""
    mutates = "MUTATES" in module.constants
    known = judged(session.body, checks, module.where, in_place=in_place, mutates=mutates)
    read = {check.test.where for check in checks}
    rest = [node for node in session.body if node not in known]
    for node in rest:
        calls = module.entry.name in names_read(node)
        if isinstance(node, ast.Assert) or (calls and f"{module.where}:{node.lineno}" not in read):
            return rest
    return rest if shown.computed else []


def _says_outcome(check: Check, kind: str, entry: Function) -> bool:
    """Tell whether a check states an outcome that the task's comparison can be held to.

    ``assert abs(f(x) - y) < t`` states none in a task that compares exactly, and ``assert f(x)``
    states ``True`` only where the result is a bool.
    """
    if check.kind == "truthy":
        return kind == "truthy" or dotted_name(entry.returns or ast.Name("")) == "bool"
    return check.kind in ("equal", "raises", kind)


def _unstated(check: Check) -> Check:
    """Return a check of which only the input is kept."""
    return replace(check, test=replace(check.test, expected=None, stated=False))
