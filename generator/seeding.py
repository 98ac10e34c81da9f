"""Recorded seed inputs: what a language model or a person once proposed, replayed from files.

A recording is a JSONL (or JSONL.gz) of ``{"task_id", "args", "origin"}``; ``args`` is the Python
literal of the argument tuple. Recordings of the upstream benchmarks ship with the package; those of
task files lie beside the files and come with the task.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from plusforge.oracle.benchmarks import SEEDS_FOLDER
from plusforge.oracle.errors import DataError, LiteralError
from plusforge.oracle.files import read_jsonl
from plusforge.oracle.literals import fold_text
from plusforge.oracle.task import Seed, Task

RECORDING = "recorded.jsonl.gz"


def with_recorded_seeds(benchmark: str, tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks with the seeds that were recorded for a benchmark of this name.

    Raises:
        DataError: The recording is damaged; the message names file and line.
    """
    path = SEEDS_FOLDER / benchmark / RECORDING
    if not path.is_file():
        return list(tasks)
    seeds: dict[str, list[Seed]] = {}
    for number, row in read_jsonl(path):
        try:
            seed = Seed(args=fold_text(row["args"]), origin=row["origin"])
            seeds.setdefault(row["task_id"], []).append(seed)
        except (KeyError, TypeError, ValueError, LiteralError) as exc:
            raise DataError(
                f"{path}:{number}: not a recorded seed ({exc}); expected an object with "
                "task_id, args (a tuple literal) and origin"
            ) from exc
    return [
        dataclasses.replace(task, seeds=(*task.seeds, *seeds.get(task.task_id, ())))
        for task in tasks
    ]
