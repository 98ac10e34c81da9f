"""``plusforge import-seeds``: proposals that were made elsewhere become recordings."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_options import FilledPath, data_option, recordings_option
from plusforge.generator.console import report_console, say
from plusforge.generator.outputs import RECORDINGS, check_output
from plusforge.generator.recordfile import IMPORTED, write_records
from plusforge.generator.recordings import LISTS, ProposalRecord, task_digest
from plusforge.generator.replay import sifted
from plusforge.oracle.benchmarks import label_of, load_benchmark
from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import read_jsonl
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural

FAULTY_DATA = 3
"""Exit status: some proposals could not be read; the others are kept."""

NOUNS = dict(zip(LISTS, ("input", "near-invalid input", "wrong program"), strict=True))
"""What the lists of a line hold."""

_FIELDS = " and ".join([", ".join(LISTS[:-1]), LISTS[-1]])

SHOWN = 10
"""Parts that cannot be read are listed up to this many."""


@click.command("import-seeds")
@click.argument("bench")
@click.argument("file", type=FilledPath(path_type=Path, dir_okay=False))
@click.option("--origin", required=True, help="Who proposed them, in a few words; stands beside "
              "each input of a suite.")  # fmt: skip
@recordings_option
@data_option
def import_seeds(
    *, bench: str, file: Path, origin: str, recordings: Path | None, data: Path | None
) -> None:
    """Keep proposals that were made elsewhere as recordings of a benchmark.

    FILE is a JSONL[.gz] of {"task_id", "inputs", "near_invalid", "wrong_programs"}: argument tuples
    as Python literals, and complete programs. They replace what was imported before.

    Exit status: 0 done; 2 wrong use; 3 a proposal cannot be read (it is named and left out), or
    none can (nothing is written).
    """
    if not origin.strip():
        raise ConfigError("--origin is empty: say who proposed these seeds, e.g. 'llm MODEL'")
    benchmark = load_benchmark(bench, data=data)
    tasks = {task.task_id: task for task in benchmark.tasks}
    found: list[ProposalRecord] = []
    unread: list[str] = []
    for where, record in _records(file, tasks, origin.strip(), unread):
        kept, faults = sifted(tasks[record.task_id], record)
        unread += [f"{where}: {record.task_id}: {fault}" for fault in faults]
        if any(getattr(kept, name) for name in LISTS):
            found.append(kept)
        elif not faults:
            unread.append(f"{where}: {record.task_id}: proposes nothing; give {_FIELDS}")
    folder = recordings if recordings is not None else Path("seeds") / label_of(bench)
    path = folder / IMPORTED
    check_output(path, RECORDINGS, [file, Path(bench)], option="--recordings")
    console = report_console()
    for line in unread[:SHOWN]:
        say(console, f"not read: {line}", "yellow")
    if len(unread) > SHOWN:
        say(console, f"... and {len(unread) - SHOWN} more", "yellow")
    if not found:
        was = f"; {path} is as it was" if path.exists() else ""
        raise DataError(
            f"{file}: holds nothing that can be read as seeds, so nothing was written{was}; "
            f"expected lines of task_id, {_FIELDS}"
        )
    place = {task_id: number for number, task_id in enumerate(tasks)}
    found.sort(key=lambda record: place[record.task_id])
    write_records(path, found)
    counts = [
        (sum(len(getattr(record, name)) for record in found), noun) for name, noun in NOUNS.items()
    ]
    kinds = [f"{number:,} {plural(number, noun)}" for number, noun in counts if number]
    say(
        console,
        f"{', '.join(kinds)} for {len(found)} {plural(len(found), 'task')}, in {path}",
    )
    if unread:
        sys.exit(FAULTY_DATA)


def _records(
    file: Path, tasks: Mapping[str, Task], origin: str, unread: list[str]
) -> Iterator[tuple[str, ProposalRecord]]:
    seen: set[str] = set()
    for number, row in read_jsonl(file):
        where = f"{file}:{number}"
        task_id = row.get("task_id")
        task = tasks.get(task_id) if isinstance(task_id, str) else None
        if task is None:
            unread.append(
                f"{where}: task {task_id!r:.80} is not in the benchmark (its ids look like "
                f"{next(iter(tasks), '')!r}); correct the id or name the right benchmark"
            )
            continue
        if task.task_id in seen:
            raise DataError(f"{where}: {task.task_id} stands twice; put its seeds in one line")
        seen.add(task.task_id)
        _check_names(row, where)
        yield (
            where,
            ProposalRecord(
                kind="imported",
                task_id=task.task_id,
                task_sha256=task_digest(task),
                origin=origin,
                **{name: tuple(_strings(row, name, where)) for name in LISTS},
            ),
        )


def _check_names(row: Mapping[str, Any], where: str) -> None:
    """Refuse fields that would be passed over in silence: most are misspelt.

    Raises:
        DataError: There is one.
    """
    for name in row:
        if name != "task_id" and name not in LISTS:
            near = get_close_matches(name, LISTS, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise DataError(
                f"{where}: unknown field {name!r:.60}; {meant}expected task_id, {_FIELDS}"
            )


def _strings(row: Mapping[str, Any], name: str, where: str) -> list[str]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError(f"{where}: {name} is {value!r:.80}, expected a list of strings")
    return value
