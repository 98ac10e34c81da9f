"""``plusforge regenerate``: a benchmark's plus suite, made; and one run, as ``verify`` makes it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_live import ask_first
from plusforge.generator.cli_options import (
    FilledPath,
    data_option,
    jobs_option,
    json_option,
    quiet_option,
    recordings_option,
    tasks_option,
)
from plusforge.generator.config import DEFAULT_BUDGET, Config
from plusforge.generator.console import report_console, say
from plusforge.generator.outputs import check_folder
from plusforge.generator.pipeline import run_tasks
from plusforge.generator.publish import (
    TaskResult,
    failed_result,
    publish,
    render,
    task_ids,
    totals,
)
from plusforge.generator.recordfile import read_recordings
from plusforge.generator.recordings import Recordings
from plusforge.generator.replay import folders_of, with_recordings
from plusforge.generator.report import Reporter, closing_table, show_replay, strength, warnings
from plusforge.generator.stdout import print_result
from plusforge.oracle.benchmarks import Benchmark, TaskProblem, label_of, load_benchmark
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.samples import Samples, read_samples
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable

FAULTY_DATA = 3
"""Exit status: a task failed, or a request to a model came to nothing."""

BLIND = "blind: from the base inputs alone, without recorded seeds or wrong programs"

COMMON = [
    click.argument("bench"),
    click.option("--out", type=FilledPath(path_type=Path), help="Folder of the suite "
                 "[default: outputs/BENCH]"),
    click.option("--budget", type=int, default=DEFAULT_BUDGET, show_default=True,
                 help="Plus inputs kept for a task, at most."),
    click.option("--seed", type=int, default=0, show_default=True,
                 help="Root of every random stream."),
    jobs_option,
    tasks_option,
    data_option,
    click.option("--blind", is_flag=True, help="Start from the base inputs alone: no recorded "
                 "seeds."),
    click.option("--released-inputs", is_flag=True, help="Take the plus inputs of a released "
                 "EvalPlus file as seeds, too; they pass the same sieve."),
    recordings_option,
    click.option("--samples", type=FilledPath(path_type=Path), help="Model-written programs, right "
                 "or wrong: inputs that tell wrong ones apart are looked for."),
    json_option("the manifest"),
    quiet_option,
]  # fmt: skip


def common(command: Any) -> Any:
    """Add the options that decide a suite."""
    for decorate in reversed(COMMON):
        command = decorate(command)
    return command


@click.command()
@common
@click.option("--live", is_flag=True, help="First ask a model for what is not recorded yet, as "
              "`plusforge seed` does with its defaults.")  # fmt: skip
@click.option("--model", help="With --live: name of the model, as the server knows it.")
@click.option("--base-url", metavar="URL", help="With --live: the server.")
def regenerate(
    bench: str, out: Path | None, *, live: bool, model: str | None, base_url: str | None,
    **options: Any,
) -> None:  # fmt: skip
    """Turn a benchmark into its plus suite.

    Writes plus.jsonl.gz, manifest.json and rejected.json into the output folder, whole or not at
    all. A task that cannot be used is reported and left out; the others go on (exit status 3).
    """
    run = Run(bench, out, options)
    if options["tasks"] is not None and out is None:
        run.refuse_to_shrink()
    if Path(bench).is_dir() and run.out.is_dir() and run.out.samefile(bench):
        raise ConfigError(f"{run.out}: has the tasks in it; name another folder with --out")
    check_folder(run.out, [Path(bench), options["samples"]])
    check_writable(run.out)  # now rather than after an hour of work
    if live:
        ask_first(bench, model, base_url, options)
    elif model is not None or base_url is not None:
        raise ConfigError("--model and --base-url go with --live: recordings are replayed without")
    results, contents = run.generate()
    if all(result.failed for result in results):
        run.show(results, contents, "nothing written")
        was = f"; {run.out} is as it was" if run.out.exists() else ""
        say(run.console, f"plusforge: no task succeeded, so nothing was written{was}")
    else:
        publish(contents, run.out)
        run.show(results, contents, f"written to {run.out}")
    exit_for(results)


def exit_for(results: list[TaskResult]) -> None:
    """End with the status for faulty data when a task failed."""
    if any(result.failed for result in results):
        sys.exit(FAULTY_DATA)


def default_folder(bench: str) -> Path:
    """Return the folder that a benchmark's suite is in when no other is named."""
    return Path("outputs") / label_of(bench)


def _is_wanted(one: Task | TaskProblem, only: str | None) -> bool:
    return only is None or fnmatchcase(one.task_id, only)


class Run:
    """One generation run: the benchmark, its settings and where it reports."""

    def __init__(self, bench: str, out: Path | None, options: dict[str, Any]) -> None:
        self.console = report_console()
        self.as_json = bool(options["as_json"])
        self.quiet = bool(options["quiet"])
        self.config = Config(
            budget=options["budget"],
            seed=options["seed"],
            jobs=options["jobs"],
            blind=options["blind"],
            released_inputs=options["released_inputs"],
        )
        loaded = load_benchmark(
            bench,
            data=options["data"],
            tasks_glob=options["tasks"],
            released_inputs=options["released_inputs"],
        )
        self.benchmark: Benchmark = loaded
        self.tasks_glob: str | None = options["tasks"]
        self.folder: Path | None = options["recordings"]
        self._check_blind(options)
        self.samples = self._read_samples(options["samples"])
        self.out = out if out is not None else default_folder(bench)

    def _check_blind(self, options: dict[str, Any]) -> None:
        """Refuse what a blind run would pass over.

        Raises:
            ConfigError: Recordings or samples are named.
        """
        for name in ("recordings", "samples"):
            if self.config.blind and options[name] is not None:
                raise ConfigError(
                    f"--blind starts from the base inputs alone, --{name} adds to them: give one "
                    "of the two"
                )

    def refuse_to_shrink(self) -> None:
        """Refuse to put the suite of some tasks in the place of one that has others.

        Raises:
            ConfigError: The output folder has a suite with tasks that this run leaves out.
        """
        asked = self.benchmark.ids
        others = [task_id for task_id in task_ids(self.out) if task_id not in asked]
        if others:
            raise ConfigError(
                f"{self.out} has a suite with {len(others)} further {plural(len(others), 'task')} "
                f"({others[0]}{', ...' if len(others) > 1 else ''}), which --tasks would drop: "
                f"name another folder with --out, or the same one to replace it"
            )

    def generate(self, only: str | None = None) -> tuple[list[TaskResult], dict[str, str]]:
        """Run tasks; return the results in order and the rendered files.

        Args:
            only: Shell pattern of the ids of those to run, of those that the suite has; None for
                all.
        """
        benchmark = self.benchmark
        recordings = self._recordings()
        known = benchmark.ids if self.tasks_glob is None else None
        replay = with_recordings(benchmark.tasks, recordings, known=known)
        if not self.quiet:
            show_replay(self.console, replay)
        tasks = [task for task in self._with_samples(replay.tasks) if _is_wanted(task, only)]
        problems = [problem for problem in benchmark.problems if _is_wanted(problem, only)]
        total = len(tasks) + len(problems)
        with Reporter(self.console, total, quiet=self.quiet) as reporter:
            broken: list[TaskResult] = []
            taken = {task.task_id for task in tasks}
            for problem in problems:
                name = problem.task_id
                while name in taken:  # results are told apart by their ids
                    name += " (again)"
                taken.add(name)
                result = failed_result(name, problem.message)
                broken.append(result)
                reporter.result(result)
            results = run_tasks(tasks, benchmark.name, self.config, reporter.result)
        results += broken
        return results, render(
            results, benchmark.name, self.config, tasks_glob=self.tasks_glob,
            samples=self.samples.digest, recordings=recordings.digest,
        )  # fmt: skip

    def _with_samples(self, tasks: Sequence[Task]) -> list[Task]:
        """Return the tasks with the samples that are given for them."""
        codes: dict[str, list[str]] = {}
        for sample in self.samples.samples:
            codes.setdefault(sample.task_id, []).append(sample.code)
        return [replace(task, samples=tuple(codes.get(task.task_id, ()))) for task in tasks]

    def _read_samples(self, path: Path | None) -> Samples:
        if path is None:
            return Samples((), ())
        found = read_samples(path, {task.task_id: task for task in self.benchmark.tasks})
        for problem in found.problems:
            say(self.console, f"warning: {problem}", "yellow")
        return found

    def _recordings(self) -> Recordings:
        """Return the recordings to start from; a blind run has none.

        Raises:
            ConfigError: The folder that is named does not exist.
        """
        if self.config.blind:
            if not self.quiet:
                say(self.console, BLIND)
            return Recordings()
        if self.folder is not None and not self.folder.is_dir():
            raise ConfigError(
                f"--recordings {self.folder}: no such folder; `plusforge seed` or `plusforge "
                "import-seeds` makes one"
            )
        found = read_recordings(folders_of(self.benchmark.name, self.folder))
        if self.folder is not None and not found.digest:
            say(self.console, f"warning: --recordings {self.folder}: holds no recording", "yellow")
        return found

    def show(self, results: list[TaskResult], contents: dict[str, str], last: str) -> None:
        """Print the manifest or the closing table."""
        if self.as_json:
            print_result(contents["manifest.json"])
        if not self.quiet:
            self.console.print(closing_table(results))
            for line in warnings(results):
                say(self.console, f"warning: {line}", "yellow")
            whole = [result for result in results if not result.failed]
            sums = totals(whole)
            factor = sums["n_plus"] / max(1, sums["n_base"])
            of = ""
            if len(whole) < len(results):
                of = f" of the {len(whole)} {plural(len(whole), 'task')} that did not fail"
            say(
                self.console,
                f"{sums['n_plus']:,} plus {plural(sums['n_plus'], 'input')} for "
                f"{sums['n_base']:,} base {plural(sums['n_base'], 'input')}{of} "
                f"({factor:.0f} {plural(round(factor), 'time')}), {last}",
            )
            told = strength(results)
            if told is not None:
                say(self.console, told)
