"""``plusforge close``: inputs for what a suite leaves alive, by symbolic execution."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_options import (
    FilledPath,
    data_option,
    jobs_option,
    json_option,
    quiet_option,
    recordings_option,
    tasks_option,
)
from plusforge.generator.closed import close_all, render, report, with_found
from plusforge.generator.closing import (
    EQUIVALENT,
    KILLED,
    RESULTS,
    UNKNOWN,
    Bounds,
    Closed,
    Piece,
)
from plusforge.generator.console import counted_progress, report_console, say
from plusforge.generator.outputs import RECORDINGS, SURVIVORS, check_output
from plusforge.generator.publish import settings_of
from plusforge.generator.recordfile import FOUND, read_recordings, write_records
from plusforge.generator.recordings import Recordings
from plusforge.generator.replay import folders_of, with_recordings
from plusforge.generator.stdout import print_result
from plusforge.oracle.benchmarks import label_of, load_benchmark
from plusforge.oracle.errors import ConfigError, EnvironmentFault
from plusforge.oracle.libraries import LIBRARIES, SYMBOLIC, is_installed
from plusforge.oracle.samples import read_samples
from plusforge.oracle.suitefile import read_suite
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable, write_bytes
from rich.console import Console

FAULTY_DATA = 3
"""Exit status: a task or a sample could not be used; the rest was."""

EVERY = 10
"""Without a terminal, a line is printed for each so many tasks."""

MILLION = 1_000_000

DEFAULTS = Bounds()


@click.command()
@click.argument("bench")
@click.argument("suite", type=FilledPath(path_type=Path), required=False)
@click.option(
    "--samples", type=FilledPath(path_type=Path), metavar="FILE",
    help="Model-written programs; those that pass the suite are put to the solver, too.",
)  # fmt: skip
@click.option(
    "--size", type=click.IntRange(0, 100), default=DEFAULTS.size, show_default=True,
    help="Items of a list, set, dict or string in an input, at most.",
)  # fmt: skip
@click.option(
    "--paths", type=click.IntRange(1), default=DEFAULTS.paths, show_default=True,
    help="Paths followed for a target, at most.",
)  # fmt: skip
@click.option(
    "--work", type=click.IntRange(1, 1000), default=DEFAULTS.work // MILLION, show_default=True,
    help="What the solver may do for a target, in millions of its units: half a second each.",
)  # fmt: skip
@click.option(
    "--cpu-limit", type=click.FloatRange(0.1, 3600), default=DEFAULTS.cpu_s, show_default=True,
    help="CPU seconds for a target, an emergency stop.",
)  # fmt: skip
@click.option(
    "--report", "report_file", type=FilledPath(path_type=Path, dir_okay=False), metavar="FILE",
    help="Where the report goes [default: SUITE-survivors.json].",
)  # fmt: skip
@recordings_option
@jobs_option
@tasks_option
@data_option
@json_option("the report")
@quiet_option
def close(
    *,
    bench: str,
    suite: Path | None,
    samples: Path | None,
    size: int,
    paths: int,
    work: int,
    cpu_limit: float,
    report_file: Path | None,
    recordings: Path | None,
    jobs: int,
    tasks: str | None,
    data: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Put what a suite leaves alive to a solver.

    SUITE is a folder that regenerate wrote for BENCH [default: outputs/BENCH]. Each mutant, wrong
    program or sample that passes all its tests is killed by a new input, or equivalent within the
    bounds, or unknown. Inputs that our own sandbox confirms become recordings, which regenerate
    replays. Needs CrossHair, which comes with the extra plusforge[symbolic].

    Exit status: 0 done; 2 wrong use; 3 a task could not be used (it is named and left out); 4 the
    solver is not installed, or the sandbox failed.
    """
    if not is_installed(SYMBOLIC):
        raise EnvironmentFault(
            f"close needs the solver, which is not installed: {LIBRARIES[SYMBOLIC].remedy}"
        )
    if not isfinite(cpu_limit):
        raise ConfigError(f"--cpu-limit: got {cpu_limit}, expected a finite number")
    console = report_console()
    benchmark = load_benchmark(bench, data=data)
    loaded = {task.task_id: task for task in benchmark.tasks}
    folder = suite if suite is not None else Path("outputs") / label_of(bench)
    closed_suite = read_suite(folder)
    chosen = closed_suite if tasks is None else closed_suite.only(tasks)
    strange = [task_id for task_id in chosen.records if task_id not in loaded]
    if strange:
        raise ConfigError(
            f"{closed_suite.path}: task {strange[0]} is not in {benchmark.name}; name the "
            "benchmark that the suite was made of"
        )
    own = recordings if recordings is not None else Path("seeds") / label_of(bench)
    found_file = own / FOUND
    home = closed_suite.path.parent
    report_file = report_file or home.with_name(f"{home.resolve().name}-survivors.json")
    check_output(report_file, SURVIVORS, [closed_suite.path, samples], option="--report")
    check_output(found_file, RECORDINGS, [samples], option="--recordings")
    check_writable(report_file.parent)
    blind = settings_of(home).get("blind", False)
    known = Recordings() if blind else read_recordings(folders_of(benchmark.name, recordings))
    replay = with_recordings([loaded[task_id] for task_id in chosen.records], known)
    ready, problems = _with_samples(replay.tasks, samples, loaded)
    for problem in problems:
        say(console, problem, "red")
    bounds = Bounds(size=size, paths=paths, work=work * MILLION, cpu_s=cpu_limit)
    pieces = [Piece(task, chosen.records[task.task_id], bounds) for task in ready]
    done: dict[str, Closed] = {}
    stopped: KeyboardInterrupt | None = None
    try:
        with counted_progress(
            console, len(pieces), "tasks closed", every=EVERY, quiet=quiet
        ) as advance:
            for one in close_all(pieces, jobs=jobs):
                done[one.task_id] = one
                _show(console, one, quiet=quiet)
                advance()
    except KeyboardInterrupt as exc:  # what was found took minutes a task
        stopped = exc
    results = [done[task_id] for task_id in chosen.records if task_id in done]
    unfinished = [task_id for task_id in chosen.records if task_id not in done]
    document = report(results, benchmark.name, closed_suite, bounds, unfinished)
    write_bytes(report_file, render(document).encode(), option="--report")
    inputs = sum(len(one.inputs) for one in results)
    if inputs:
        write_records(found_file, with_found(found_file, results, loaded))
    if as_json:
        print_result(render(document))
    if not quiet:
        _show_totals(console, results, inputs, found_file, report_file)
    if stopped is not None:
        say(console, f"interrupted: {len(unfinished)} of {len(pieces)} tasks were not closed")
        raise stopped
    if problems or any(one.failed for one in results):
        sys.exit(FAULTY_DATA)


def _with_samples(
    tasks: list[Task], path: Path | None, loaded: dict[str, Task]
) -> tuple[list[Task], tuple[str, ...]]:
    """Return the tasks with the samples that are given for them, and what is wrong with others."""
    if path is None:
        return tasks, ()
    found = read_samples(path, loaded, wanted={task.task_id: task for task in tasks})
    codes: dict[str, list[str]] = {}
    for sample in found.samples:
        codes.setdefault(sample.task_id, []).append(sample.code)
    return [replace(task, samples=tuple(codes.get(task.task_id, ()))) for task in tasks], tuple(
        found.problems
    )


def _show(console: Console, one: Closed, *, quiet: bool) -> None:
    if one.failed:
        say(console, f"{one.task_id}: failed: {one.entry['failed']}", "red")
    elif not quiet and one.entry["n_survivors"]:
        count = one.entry["n_survivors"]
        say(
            console,
            f"{one.task_id}: {count} of {one.entry['n_targets']} targets "
            f"{'survives' if count == 1 else 'survive'}: {_told([one.entry])}",
        )


def _told(entries: list[dict[str, Any]]) -> str:
    """Say what became of the survivors of some tasks, and in a word why some stay unknown."""
    counts = {name: sum(entry[name] for entry in entries) for name in RESULTS}
    found = [one for entry in entries for one in entry["survivors"] if one["result"] == UNKNOWN]
    reasons = Counter(one["why"].partition(":")[0] for one in found)
    why = ", ".join(f"{word} {count:,}" for word, count in sorted(reasons.items()))
    return (
        f"{counts[KILLED]:,} killed, {counts[EQUIVALENT]:,} equivalent within bounds, "
        f"{counts[UNKNOWN]:,} unknown" + (f" ({why})" if why else "")
    )


def _show_totals(
    console: Console, results: list[Closed], inputs: int, found: Path, report_file: Path
) -> None:
    done = [one.entry for one in results if not one.failed]
    count = sum(entry["n_survivors"] for entry in done)
    seconds = sum(one.cpu_s for one in results)
    say(
        console,
        f"{count:,} {plural(count, 'survivor')} of {len(done)} {plural(len(done), 'task')}: "
        f"{_told(done)}; {seconds:,.0f} CPU s of the solver",
    )
    say(console, f"report: {report_file}")
    if inputs:
        say(
            console,
            f"{inputs} new {plural(inputs, 'input')} in {found}: "
            "`plusforge regenerate` starts from them",
        )
