"""``plusforge import-seeds``: proposals that were made elsewhere become recordings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_options import data_option, recordings_option
from plusforge.generator.console import report_console, say
from plusforge.generator.outputs import RECORDINGS, check_output
from plusforge.generator.recordfile import IMPORTED, write_records
from plusforge.generator.recordings import LISTS, ProposalRecord, task_digest
from plusforge.generator.replay import hear
from plusforge.oracle.benchmarks import label_of, load_benchmark
from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import read_jsonl
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural

SHOWN = 10
"""Parts that cannot be read are listed up to this many."""


@click.command("import-seeds")
@click.argument("bench")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
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
    """
    if not origin.strip():
        raise ConfigError("--origin is empty: say who proposed these seeds, e.g. 'llm MODEL'")
    benchmark = load_benchmark(bench, data=data)
    tasks = {task.task_id: task for task in benchmark.tasks}
    found = list(_records(file, tasks, origin.strip()))
    folder = recordings if recordings is not None else Path("seeds") / label_of(bench)
    check_output(folder / IMPORTED, RECORDINGS, [file, Path(bench)], option="--recordings")
    place = {task_id: number for number, task_id in enumerate(tasks)}
    found.sort(key=lambda record: place[record.task_id])
    write_records(folder / IMPORTED, found)
    console = report_console()
    unread = [
        f"{one.task_id}: {why}" for one in found for why in hear(tasks[one.task_id], one).unread
    ]
    for line in unread[:SHOWN]:
        say(console, f"not read: {line}", "yellow")
    if len(unread) > SHOWN:
        say(console, f"... and {len(unread) - SHOWN} more", "yellow")
    inputs = sum(len(record.inputs) for record in found)
    say(
        console,
        f"{inputs:,} {plural(inputs, 'input')} for {len(found)} {plural(len(found), 'task')}, "
        f"in {folder / IMPORTED}",
    )


def _records(file: Path, tasks: Mapping[str, Task], origin: str) -> Iterator[ProposalRecord]:
    seen: set[str] = set()
    for number, row in read_jsonl(file):
        where = f"{file}:{number}"
        task_id = row.get("task_id")
        task = tasks.get(task_id) if isinstance(task_id, str) else None
        if task is None:
            raise DataError(
                f"{where}: task {task_id!r} is not in the benchmark (its ids look like "
                f"{next(iter(tasks), '')!r}); correct the id or name the right benchmark"
            )
        if task.task_id in seen:
            raise DataError(f"{where}: {task.task_id} stands twice; put its seeds in one line")
        seen.add(task.task_id)
        yield ProposalRecord(
            kind="imported",
            task_id=task.task_id,
            task_sha256=task_digest(task),
            origin=origin,
            **{name: tuple(_strings(row, name, where)) for name in LISTS},
        )


def _strings(row: Mapping[str, Any], name: str, where: str) -> list[str]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError(f"{where}: {name} is {value!r:.80}, expected a list of strings")
    return value
