"""The tasks that come with the project: each file is a sound task with useful seeds."""

import copy
import doctest
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from plusforge.oracle.compare import agree
from plusforge.oracle.task import Task
from plusforge.oracle.taskfile import read_task_file
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import parse_annotation
from plusforge.oracle.values import Args, Raised, Value, key_of

FOLDER = Path(__file__).parents[2] / "seeds" / "starter"
FILES = sorted(FOLDER.glob("*.py"))

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@cache
def task_of(path: Path) -> Task:
    return read_task_file(path, "starter")


@cache
def module_of(path: Path) -> dict[str, Any]:
    """Return the names of a task file; these are our own programs, so they may run here."""
    names: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


def outcome(task: Task, func: Callable[..., Value], args: Args) -> Value | Raised:
    """Return what a call counts as; an exception that the task does not promise is raised."""
    args = copy.deepcopy(args)
    try:
        result = func(*args)
    except Exception as exc:
        if type(exc).__name__ in task.comparison.raises:
            return Raised(type(exc).__name__)
        raise
    return args if task.comparison.observe == "arguments" else result


def is_right(path: Path, func: Callable[..., Value], args: Args) -> bool:
    """Tell whether a program's outcome counts as right."""
    task, names = task_of(path), module_of(path)
    try:
        got = outcome(task, func, args)
    except Exception:
        return False
    if task.comparison.kind == "checker":
        return bool(names["check"](got, *copy.deepcopy(args)))
    return agree(task.comparison, outcome(task, names[task.entry_point], args), got)


def test_there_are_tasks_and_every_seed_file_has_one() -> None:
    assert len(FILES) >= 34
    seeds = {path.name.removesuffix(".seeds.jsonl") for path in FOLDER.glob("*.seeds.jsonl")}
    assert seeds == {path.stem for path in FILES}


@each_file
def test_the_file_has_all_its_parts(path: Path) -> None:
    task = task_of(path)
    assert task.task_id == f"starter/{path.stem}"
    assert task.contract is not None
    assert task.base
    assert len(task.wrong) >= 3
    assert all(module_of(path)[program.name].__doc__ for program in task.wrong)


@each_file
def test_seeds_are_enough_and_new(path: Path) -> None:
    task = task_of(path)
    keys = [key_of(seed.args) for seed in task.seeds]
    assert len(keys) >= 6
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {key_of(test.args) for test in task.base}


@each_file
def test_the_examples_and_base_tests_hold(path: Path) -> None:
    names = module_of(path)
    entry = names[path.stem]
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(entry.__doc__, names, path.stem, path.name, 0))
    assert runner.failures == 0
    assert runner.tries > 0
    for name in sorted(name for name in names if name.startswith("test_")):
        names[name]()


@each_file
def test_inputs_are_valid(path: Path) -> None:
    task, names = task_of(path), module_of(path)
    checks = [compile_check(parse_annotation(param.annotation)) for param in task.params]
    for args in [record.args for record in (*task.base, *task.seeds)]:
        for check, value in zip(checks, args, strict=False):  # defaults may be left out
            assert check(value), args
        assert names["contract"](*copy.deepcopy(args)) is not False, args


@each_file
def test_references_agree_and_leave_the_arguments_alone(path: Path) -> None:
    task, names = task_of(path), module_of(path)
    references = [names[name] for name in names if name.startswith("reference")]
    for args in [record.args for record in (*task.base, *task.seeds)]:
        for func in (names[task.entry_point], *references):
            assert is_right(path, func, args), (func.__name__, args)
            if not task.mutates and not task.comparison.raises:
                given = copy.deepcopy(args)
                func(*given)
                assert key_of(given) == key_of(args), (func.__name__, args)


@each_file
def test_seeds_tell_every_wrong_program_apart(path: Path) -> None:
    task, names = task_of(path), module_of(path)
    for program in task.wrong:
        assert not all(is_right(path, names[program.name], seed.args) for seed in task.seeds), (
            program.name
        )
