"""The recordings that ship fit the released benchmarks: none is stale, every part is read."""

import functools

import pytest
from plusforge.generator.recordfile import read_recordings
from plusforge.generator.recordings import Recordings
from plusforge.generator.replay import Replay, with_recordings
from plusforge.oracle.benchmarks import SEEDS_FOLDER, Benchmark, load_benchmark
from plusforge.oracle.source import find_function, parse_module

from tests.support import datasets

pytestmark = pytest.mark.slow

LEAST = {"humaneval+": (2_000, 164), "mbpp+": (4_000, 370)}
"""Inputs, and tasks that have some."""


@functools.cache
def replayed(name: str) -> tuple[Benchmark, Recordings, Replay]:
    folder = SEEDS_FOLDER / name
    if not folder.is_dir():
        pytest.skip(f"needs {folder}, which this installation leaves out")
    benchmark = load_benchmark(name, data=datasets())
    recordings = read_recordings([folder])
    return benchmark, recordings, with_recordings(
        benchmark.tasks, recordings, known=benchmark.ids
    )  # fmt: skip


@pytest.mark.parametrize("name", LEAST)
def test_no_record_is_stale_and_every_one_is_used(name: str) -> None:
    benchmark, recordings, replay = replayed(name)
    unusable = {problem.task_id for problem in benchmark.problems}
    assert replay.stale == []
    usable = [one for one in recordings.proposals if one.task_id not in unusable]
    assert replay.used == len(usable)
    assert recordings.replies == ()
    assert all(one.kind == "imported" and one.origin for one in recordings.proposals)


@pytest.mark.parametrize("name", LEAST)
def test_inputs_are_read_and_have_the_right_number_of_arguments(name: str) -> None:
    benchmark, recordings, replay = replayed(name)
    ids = {task.task_id for task in benchmark.tasks}
    written = sum(
        len(one.inputs) + len(one.near_invalid)
        for one in recordings.proposals if one.task_id in ids
    )  # fmt: skip
    read = sum(len(task.seeds) + len(task.near_invalid) for task in replay.tasks)
    assert written - read == len(replay.unread), "what is not read is counted"
    assert read >= 0.99 * written, replay.unread
    unreadable = [line for line in replay.unread if "arguments" not in line]
    assert unreadable == []
    inputs, tasks = LEAST[name]
    assert sum(len(task.seeds) for task in replay.tasks) >= inputs
    assert sum(bool(task.seeds) for task in replay.tasks) >= tasks


@pytest.mark.parametrize("name", LEAST)
def test_wrong_programs_compile_and_define_the_entry_point(name: str) -> None:
    benchmark, recordings, _ = replayed(name)
    tasks = {task.task_id: task for task in benchmark.tasks}
    for record in recordings.proposals:
        if record.task_id in tasks:
            for source in record.wrong_programs:
                compile(source, record.task_id, "exec", dont_inherit=True)
                tree = parse_module(source, record.task_id)
                find_function(tree, tasks[record.task_id].entry_point, record.task_id)


@pytest.mark.parametrize("name", LEAST)
def test_records_stand_in_the_order_of_the_tasks_once_each(name: str) -> None:
    benchmark, recordings, _ = replayed(name)
    ids = [one.task_id for one in recordings.proposals]
    place = {task.task_id: number for number, task in enumerate(benchmark.tasks)}
    places = [place[task_id] for task_id in ids if task_id in place]
    assert places == sorted(set(places))
