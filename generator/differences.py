"""How a regenerated suite differs from the one in a folder: in which files and tasks, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

from plusforge.generator.publish import MANIFEST, REJECTED, SUITE, current
from plusforge.oracle.wording import plural

SHOWN_TASKS = 10
"""Tasks that are named, of those that differ."""

SHOWN_REASONS = 4
"""Things that are named of a task that differs, at most."""

LONGEST = 80
"""Characters of a value that is quoted whole."""

_DERIVED = ("suite_sha256", "totals", "tasks")
"""Fields of a manifest that follow from the tasks."""

Fields = Mapping[str, Any]


def differences(contents: Mapping[str, str], out: Path, *, only: str | None = None) -> list[str]:
    """Compare rendered contents with a folder.

    Args:
        contents: Of the files of a suite, by name.
        out: The folder.
        only: Shell pattern of the task ids to compare, when only some were regenerated.

    Returns:
        A line for each file that is missing, for the settings, for each of the first tasks that
        differ, and for a file that differs otherwise; none when all is the same.
    """
    found: list[str] = []
    there: dict[str, str] = {}
    for name in contents:
        data = current(out / name)
        if data is None:
            found.append(f"{out / name}: missing or unreadable")
        else:
            there[name] = data.decode("utf-8", "replace")
    changed = [name for name, text in there.items() if text != contents[name]]
    if not changed:
        return found
    try:
        old, new = _read(there, only), _read(contents, only)
    except (ValueError, TypeError, KeyError, AttributeError):  # not what plusforge wrote
        return [*found, *(_first_line(out / n, there[n], contents[n]) for n in changed)]
    settings = list(_fields(old.settings, new.settings))
    if settings:
        found.append(f"{out / MANIFEST}: differs in {'; '.join(settings)}")
    tasks = list(_tasks(old, new, there.keys()))
    found += tasks[:SHOWN_TASKS]
    if len(tasks) > SHOWN_TASKS:
        more = len(tasks) - SHOWN_TASKS
        found.append(f"... and {more} more {plural(more, 'task')}")
    if only is None and not settings and not tasks:  # the order of tasks, or white space
        found += [_first_line(out / n, there[n], contents[n]) for n in changed]
    return found


@dataclass(frozen=True, slots=True)
class _Suite:
    """What the files of a suite say: the settings, and of each task by file."""

    settings: Fields
    tasks: Mapping[str, Mapping[str, Any]]


def _read(texts: Mapping[str, str], only: str | None) -> _Suite:
    """Read the files of a suite; those that are not there say nothing."""
    manifest = json.loads(texts.get(MANIFEST, "{}"))
    records = [json.loads(line) for line in texts.get(SUITE, "").splitlines()]
    files: dict[str, dict[str, Any]] = {
        SUITE: {record["task_id"]: record for record in records},
        MANIFEST: dict(manifest.get("tasks", {})),
        REJECTED: dict(json.loads(texts.get(REJECTED, "{}"))),
    }
    ids = dict.fromkeys(task_id for name in (MANIFEST, SUITE) for task_id in files[name])
    return _Suite(
        {name: value for name, value in manifest.items() if name not in _DERIVED},
        {
            task_id: {name: tasks.get(task_id) for name, tasks in files.items()}
            for task_id in ids
            if only is None or fnmatchcase(task_id, only)
        },
    )


def _tasks(old: _Suite, new: _Suite, names: Any) -> Iterator[str]:
    """Yield a line for each task that differs."""
    for task_id in dict.fromkeys([*new.tasks, *old.tasks]):
        if task_id not in old.tasks:
            yield f"{task_id}: not in the suite that is there"
        elif task_id not in new.tasks:
            yield f"{task_id}: no longer in the benchmark"
        else:
            before, after = old.tasks[task_id], new.tasks[task_id]
            reasons = [
                reason
                for name in (SUITE, MANIFEST, REJECTED)
                if name in names
                for reason in _READERS[name](before[name], after[name])
            ]
            if reasons:
                more = "; ..." if len(reasons) > SHOWN_REASONS else ""
                yield f"{task_id}: differs in {'; '.join(reasons[:SHOWN_REASONS])}{more}"


def _record(old: Fields | None, new: Fields | None) -> Iterator[str]:
    if old is None or new is None:
        if old != new:
            yield f"{SUITE}: {'no line' if old is None else 'a line'} there, " + (
                "none now" if new is None else "one now"
            )
        return
    yield from _fields(old, new)


def _rejected(old: Any, new: Any) -> Iterator[str]:
    if old != new:
        yield f"examples in {REJECTED}"


def _fields(old: Fields | None, new: Fields | None) -> Iterator[str]:
    """Yield what differs between two records; long values are not quoted."""
    old, new = old or {}, new or {}
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        # As text: 1, 1.0 and true are equal values, and other ones.
        texts = [json.dumps(value, ensure_ascii=False) for value in (before, after)]
        if texts[0] == texts[1]:
            continue
        if name in ("base", "plus") and isinstance(before, list) and isinstance(after, list):
            yield f"{name}: {_tests(before, after)}"
        elif max(map(len, texts)) <= LONGEST:
            words = ["none" if value is None else text
                     for value, text in zip((before, after), texts, strict=True)]  # fmt: skip
            yield f"{name}: {words[0]} there, {words[1]} now"
        else:
            yield name


def _tests(old: list[Fields], new: list[Fields]) -> str:
    known = {json.dumps(test.get("args")) for test in old}
    others = sum(json.dumps(test.get("args")) not in known for test in new)
    counts = f"{len(old):,} {plural(len(old), 'test')} there, {len(new):,} now"
    if others:
        return f"{counts}, {others:,} of them new"
    if len(old) != len(new):
        return counts
    return "the same inputs in another order, or with other outcomes or labels"


_READERS: dict[str, Callable[[Any, Any], Iterator[str]]] = {
    SUITE: _record,
    MANIFEST: _fields,
    REJECTED: _rejected,
}


def _first_line(path: Path, old: str, new: str) -> str:
    """Say where two texts differ first."""
    lines = [text.splitlines() for text in (old, new)]
    pairs = enumerate(zip(*lines, strict=False), 1)
    number, pair = next(islice((one for one in pairs if one[1][0] != one[1][1]), 1), (0, ("", "")))
    if not number:
        before = len(lines[0])
        counts = f"{before} {plural(before, 'line')} there, {len(lines[1])} now"
        return f"{path}: differs ({counts})"
    return f"{path}: differs from line {number} on: {_cut(pair[0])} there, {_cut(pair[1])} now"


def _cut(text: str) -> str:
    text = text.strip()
    return repr(text) if len(text) <= LONGEST else f"{text[:LONGEST]!r}..."
