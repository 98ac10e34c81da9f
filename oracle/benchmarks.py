"""Benchmarks by name or path: where their files are, and how all of one is read.

One task that cannot be read is reported and the others go on; a file that is not what its name
says is an error of its own.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import parse_json, parse_jsonl, read_text
from plusforge.oracle.forms import FORMS, MBPP, Form, detect
from plusforge.oracle.load_evalplus import RELEASED
from plusforge.oracle.task import Task
from plusforge.oracle.taskfile import read_task_file


@dataclass(frozen=True, slots=True)
class TaskProblem:
    """A task that could not be read.

    Attributes:
        task_id: Its id, or file and line when even that could not be read.
        message: What is wrong, where, and what to do.
    """

    task_id: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """What was read of a benchmark.

    Attributes:
        name: As in output folders: a known name, or the stem of the path.
        tasks: The usable tasks, in file order.
        problems: The others.
    """

    name: str
    tasks: tuple[Task, ...]
    problems: tuple[TaskProblem, ...]

    @property
    def ids(self) -> set[str]:
        """Ids of all that was read, usable or not."""
        tasks = {task.task_id for task in self.tasks}
        return tasks | {problem.task_id for problem in self.problems}


FILES: dict[str, str] = {
    "humaneval": "HumanEval.jsonl",
    "humaneval+": "HumanEvalPlus.jsonl",
    "mbpp": "sanitized-mbpp.json",
    "mbpp+": "MbppPlus.jsonl",
}
"""File names of the upstream benchmarks; each may also end in ``.gz``."""

STARTER = "starter"
"""Name of the embedded benchmark."""

SEEDS_FOLDER = Path(__file__).resolve().parents[1] / "seeds"
"""The seeds that come with the package: in the repository and in an installed wheel alike they
stand beside this package (``importlib.resources`` does not find them in an editable install)."""


def cache_folder() -> Path:
    """Return the folder that downloads go to: ``$XDG_CACHE_HOME/plusforge`` or the usual one."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "plusforge"


def data_folders(data: Path | None) -> list[Path]:
    """Return where upstream files are looked for, in order.

    Args:
        data: The folder the caller named, if any. Then come ``$PLUSFORGE_DATA`` and the cache.
    """
    named = os.environ.get("PLUSFORGE_DATA")
    folders = [data] if data is not None else []
    folders += [Path(named)] if named else []
    return [*folders, cache_folder()]


def label_of(name: str) -> str:
    """Return the name of a benchmark in ids and output folders: a known one, or its path's stem."""
    return name if name == STARTER or name in FILES else _stem(Path(name))


def locate(name: str, *, data: Path | None = None) -> Path:
    """Return the file or folder that a benchmark's name or path means.

    Args:
        name: ``starter``, one of the names in ``FILES``, or a path.
        data: Folder to look in first.

    Raises:
        ConfigError: There is no such benchmark, or its file is nowhere; the message says what to
            do.
    """
    if name == STARTER:
        return SEEDS_FOLDER / STARTER
    if name not in FILES:
        path = Path(name)
        if name and path.is_file() and path.suffix == ".py":
            folder = path.parent
            task_id = f"{label_of(str(folder))}/{path.stem}"
            raise ConfigError(
                f"benchmark {name!r} is a task file: give its folder, {str(folder)!r}, with "
                f"--tasks {task_id!r}; a benchmark is a known name ({', '.join([STARTER, *FILES])})"
                ", a folder of task files, or a JSONL file in the form of HumanEval, MBPP or "
                "EvalPlus"
            )
        if name and path.exists():
            return path
        known = [STARTER, *FILES]
        near = difflib.get_close_matches(name.lower(), known, n=1)
        raise ConfigError(
            f"benchmark {name!r} is neither a known name nor an existing path"
            + (f"; did you mean {near[0]!r}?" if near else ";")
            + f" known names: {', '.join(known)}; or give a folder of task files or a JSONL file"
        )
    folders = data_folders(data)
    for folder in folders:
        for suffix in ("", ".gz"):
            path = folder / (FILES[name] + suffix)
            if path.is_file():
                return path
    raise ConfigError(
        f"benchmark {name!r}: no {FILES[name]} or {FILES[name]}.gz in "
        f"{', '.join(str(folder) for folder in folders)}; "
        f"run 'plusforge fetch {name}', or pass the folder that has it with --data"
    )


def load_benchmark(
    name: str,
    *,
    data: Path | None = None,
    tasks_glob: str | None = None,
    released_inputs: bool = False,
) -> Benchmark:
    """Read a benchmark.

    Args:
        name: A known name or a path; see ``locate``.
        data: Folder to look for upstream files in first.
        tasks_glob: Shell pattern of task ids; others are left out.
        released_inputs: Take the released plus inputs of EvalPlus files as seeds.

    Raises:
        ConfigError: No such benchmark, no task id matches the pattern, or no task has the released
            plus inputs that are asked for.
        DataError: A file is not of the format its name says.
    """
    path = locate(name, data=data)
    label = label_of(name)
    wanted = _Wanted(tasks_glob)
    if path.is_dir():
        found = _read_folder(path, label, wanted)
    else:
        found = _read_file(path, wanted, released_inputs=released_inputs)
    tasks: dict[str, Task] = {}
    problems: list[TaskProblem] = []
    for item in found:
        if isinstance(item, TaskProblem):
            problems.append(item)
        elif item.task_id in tasks:
            message = f"{item.source}: the id stands twice in this benchmark; rename one of the two"
            problems.append(TaskProblem(item.task_id, message))
        else:
            tasks[item.task_id] = item
    if not tasks and not problems:
        if tasks_glob is None:
            raise DataError(f"{path}: holds no task; is it the right file?")
        raise ConfigError(
            f"--tasks {tasks_glob!r} matches none of the task ids "
            f"({', '.join(wanted.passed[:3])}, ...); quote the pattern and write ids in full"
        )
    seeds = [seed for task in tasks.values() for seed in task.seeds]
    if released_inputs and tasks and not any(seed.origin == RELEASED for seed in seeds):
        raise ConfigError(
            f"--released-inputs: {path} holds no released plus inputs; only files in the EvalPlus "
            "form do (humaneval+, mbpp+): leave the option out"
        )
    return Benchmark(name=label, tasks=tuple(tasks.values()), problems=tuple(problems))


class _Wanted:
    """Which task ids are asked for; remembers the first that were not."""

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern
        self.passed: list[str] = []

    def __call__(self, task_id: str) -> bool:
        if self.pattern is None or fnmatchcase(task_id, self.pattern):
            return True
        self.passed.append(task_id)
        return False


def _stem(path: Path) -> str:
    return path.resolve().name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")


def _read_folder(path: Path, label: str, wanted: _Wanted) -> list[Task | TaskProblem]:
    """Read a folder of task files, sorted by name."""
    files = [file for file in sorted(path.glob("*.py")) if not file.name.startswith(("_", "."))]
    if not files:
        raise DataError(f"{path}: no task files (*.py) in this folder; is it the right one?")
    found: list[Task | TaskProblem] = []
    for file in files:
        task_id = f"{label}/{file.stem}"
        if not wanted(task_id):
            continue
        try:
            found.append(read_task_file(file, label))
        except DataError as exc:
            found.append(TaskProblem(task_id, str(exc)))
    return found


def _read_file(path: Path, wanted: _Wanted, *, released_inputs: bool) -> list[Task | TaskProblem]:
    """Read a file of records in one of the known forms."""
    found: list[Task | TaskProblem] = []
    for where, record in _records(path, read_text(path)):
        form = detect(record)
        if form is None:
            known = "; ".join(f"{form.name}: {', '.join(sorted(form.needs))}" for form in FORMS)
            problem = (
                f"{where}: a record with the fields {sorted(record)} has no known form ({known})"
            )
            found.append(TaskProblem(str(record.get("task_id", where)), problem))
            continue
        if type(record["task_id"]) not in (int, str) or record["task_id"] == "":
            got = f"{where}: task_id is {record['task_id']!r}; give the task a name or a number"
            found.append(TaskProblem(where, got))
            continue
        task_id = _task_id(record, form)
        if not wanted(task_id):
            continue
        try:
            found.append(form.load(record, where, released_inputs))
        except DataError as exc:
            found.append(TaskProblem(task_id, str(exc)))
    return found


def _task_id(record: Mapping[str, Any], form: Form) -> str:
    """Return the id that the loaders give a record: MBPP numbers its tasks."""
    raw = record["task_id"]
    return f"Mbpp/{raw}" if form.name == MBPP else str(raw)


def _records(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ``(file and place, record)`` of JSONL text or of a JSON array."""
    if not text.lstrip().startswith("["):
        for number, record in parse_jsonl(text, str(path)):
            yield f"{path.name}:{number}", record
        return
    for index, record in enumerate(parse_json(text, str(path))):
        if not isinstance(record, dict):
            raise DataError(
                f"{path}: item {index} of the array is {type(record).__name__}, expected an object"
            )
        yield f"{path.name}[{index}]", record
