"""The command line: all commands but ``evaluate``, which is in ``cli_evaluate``.

Results go to stdout (``--json``: one JSON document and nothing else), progress and logs to stderr.
Nothing waits for an answer on stdin. Exit status: 0 done; 1 findings (``verify`` differs); 2 wrong
use; 3 bad data (also when a task failed: its reason is printed and stands in the manifest); 4 the
environment (sandbox, disk, network); 130 interrupted.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from plusforge.generator import fetch as fetching
from plusforge.generator.cli_evaluate import evaluate
from plusforge.generator.config import DEFAULT_BUDGET, Config
from plusforge.generator.pipeline import run_tasks
from plusforge.generator.publish import (
    TaskResult,
    differences,
    failed_result,
    publish,
    render,
    settings_of,
    task_ids,
    totals,
)
from plusforge.generator.report import Reporter, closing_table, report_console, warnings
from plusforge.generator.seeding import with_recorded_seeds
from plusforge.generator.stdout import print_result
from plusforge.oracle.about import VERSION
from plusforge.oracle.benchmarks import Benchmark, label_of, load_benchmark, locate
from plusforge.oracle.errors import ConfigError, EnvironmentFault, PlusforgeError
from plusforge.oracle.runner import probe
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable

_STDERR = 2

INTERRUPTED = 130
"""Exit status, as shells have it for SIGINT."""

_COMMON = [
    click.argument("bench"),
    click.option("--out", type=click.Path(path_type=Path), help="Folder of the suite "
                 "[default: outputs/BENCH]"),
    click.option("--budget", type=int, default=DEFAULT_BUDGET, show_default=True,
                 help="Plus inputs kept for a task, at most."),
    click.option("--seed", type=int, default=0, show_default=True,
                 help="Root of every random stream."),
    click.option("--jobs", type=int, default=1, show_default=True,
                 help="Worker processes; never changes the result."),
    click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches, e.g. 'Mbpp/1*'."),
    click.option("--data", type=click.Path(path_type=Path, file_okay=False),
                 help="Folder of the upstream files [default: $PLUSFORGE_DATA, then the cache]."),
    click.option("--blind", is_flag=True, help="Start from the base inputs alone: no recorded "
                 "seeds."),
    click.option("--released-inputs", is_flag=True, help="Take the plus inputs of a released "
                 "EvalPlus file as seeds, too; they pass the same sieve."),
    click.option("--json", "as_json", is_flag=True, help="Print the manifest to stdout."),
    click.option("--quiet", is_flag=True, help="No progress, no table; failures only."),
]  # fmt: skip


def _common(command: Any) -> Any:
    for decorate in reversed(_COMMON):
        command = decorate(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="plusforge")
def cli() -> None:
    """Grow the tests of code benchmarks, and judge samples against them.

    BENCH is starter (embedded), humaneval, humaneval+, mbpp, mbpp+, or a path: a folder of task
    files, or a JSONL in the HumanEval, MBPP or EvalPlus form.

    Exit status: 0 done; 1 findings; 2 wrong use; 3 bad data; 4 environment; 130 interrupted.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


@cli.command()
@_common
def regenerate(bench: str, out: Path | None, **options: Any) -> None:
    """Turn a benchmark into its plus suite.

    Writes plus.jsonl.gz, manifest.json and rejected.json into the output folder, whole or not at
    all. A task that cannot be used is reported and left out; the others go on (exit status 3).
    """
    run = _Run(bench, out, options)
    if options["tasks"] is not None and out is None:
        run.refuse_to_shrink()
    check_writable(run.out)  # now rather than after an hour of work
    results, contents = run.generate()
    if all(result.failed for result in results):
        run.show(results, contents, "nothing written")
        run.say(f"plusforge: no task succeeded, so nothing was written; {run.out} is as it was")
    else:
        publish(contents, run.out)
        run.show(results, contents, f"written to {run.out}")
    _exit_for(results)


@cli.command()
@_common
def verify(bench: str, out: Path | None, **options: Any) -> None:
    """Regenerate and compare with what the output folder holds; exit status 1 when it differs.

    Seed, budget and the like are those of the suite that is there, unless they are given here.
    """
    locate(bench, data=options["data"])  # a misspelt name is to be called that
    folder = out if out is not None else default_folder(bench)
    options |= {
        name: value
        for name, value in settings_of(folder).items()
        if click.get_current_context().get_parameter_source(name) is not ParameterSource.COMMANDLINE
    }
    run = _Run(bench, folder, options)
    results, contents = run.generate()
    found = differences(contents, run.out)
    for line in found:
        run.say(line)
    verdict = "differs from" if found else "is identical to"
    run.show(results, contents, f"the regenerated suite {verdict} {run.out}")
    if found:
        sys.exit(1)
    _exit_for(results)


def _exit_for(results: list[TaskResult]) -> None:
    if any(result.failed for result in results):
        sys.exit(3)


def default_folder(bench: str) -> Path:
    """Return the folder that a benchmark's suite is in when no other is named."""
    return Path("outputs") / label_of(bench)


class _Run:
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
        self.out = out if out is not None else default_folder(bench)

    def say(self, line: str) -> None:
        """Write one line to stderr, however long."""
        self.console.print(line, markup=False, soft_wrap=True, highlight=False)

    def refuse_to_shrink(self) -> None:
        """Refuse to put the suite of some tasks in the place of one that has others.

        Raises:
            ConfigError: The output folder has a suite with tasks that this run leaves out.
        """
        benchmark = self.benchmark
        asked = {task.task_id for task in benchmark.tasks}
        asked |= {problem.task_id for problem in benchmark.problems}
        others = [task_id for task_id in task_ids(self.out) if task_id not in asked]
        if others:
            raise ConfigError(
                f"{self.out} has a suite with {len(others)} further {plural(len(others), 'task')} "
                f"({others[0]}{', ...' if len(others) > 1 else ''}), which --tasks would drop: "
                f"name another folder with --out, or the same one to replace it"
            )

    def generate(self) -> tuple[list[TaskResult], dict[str, str]]:
        """Run every task; return the results in order and the rendered files."""
        benchmark = self.benchmark
        tasks = with_recorded_seeds(benchmark.name, benchmark.tasks)
        total = len(tasks) + len(benchmark.problems)
        with Reporter(self.console, total, quiet=self.quiet) as reporter:
            broken: list[TaskResult] = []
            taken = {task.task_id for task in tasks}
            for problem in benchmark.problems:
                name = problem.task_id
                while name in taken:  # results are told apart by their ids
                    name += " (again)"
                taken.add(name)
                result = failed_result(name, problem.message)
                broken.append(result)
                reporter.result(result)
            results = run_tasks(tasks, benchmark.name, self.config, reporter.result)
        results += broken
        return results, render(results, benchmark.name, self.config)

    def show(self, results: list[TaskResult], contents: dict[str, str], last: str) -> None:
        """Print the manifest or the closing table."""
        if self.as_json:
            print_result(contents["manifest.json"])
        if not self.quiet:
            self.console.print(closing_table(results))
            for line in warnings(results):
                self.console.print(
                    f"warning: {line}", style="yellow", markup=False,
                    soft_wrap=True, highlight=False,
                )  # fmt: skip
            sums = totals([result for result in results if not result.failed])
            factor = sums["n_plus"] / max(1, sums["n_base"])
            self.say(
                f"{sums['n_plus']:,} plus {plural(sums['n_plus'], 'input')} for "
                f"{sums['n_base']:,} base {plural(sums['n_base'], 'input')} "
                f"({factor:.0f} {plural(round(factor), 'time')}), {last}"
            )


@cli.command()
@click.argument("name", type=click.Choice(sorted(fetching.SOURCES)))
@click.option("--data", type=click.Path(path_type=Path, file_okay=False),
              help="Folder to put it in [default: the cache].")  # fmt: skip
def fetch(name: str, data: Path | None) -> None:
    """Download an upstream benchmark into the cache, checked by SHA-256."""
    path = fetching.fetch(name, data)
    print_result(f"{path}\n")


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def doctor(*, as_json: bool) -> None:
    """Report which isolation layers work here, and what to do about those that do not."""
    isolation = probe()
    if as_json:
        print_result(json.dumps(dataclasses.asdict(isolation), indent=1) + "\n")
    else:
        print_result("\n".join(isolation.report()) + "\n")
    if isolation.level == "weak":
        sys.exit(4)


cli.add_command(evaluate)


def _take_standard_streams() -> None:
    """Fill closed standard streams: a socket that got their number would be written into."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        pass
    os.close(fd)


def main(argv: list[str] | None = None) -> None:
    """Run the command line; never shows a traceback for a fault that has a remedy."""
    _take_standard_streams()
    # A polite kill ends like Ctrl-C: workers and sandboxes stopped, temporary files gone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        cli.main(argv, prog_name="plusforge", standalone_mode=False)
    except click.ClickException as exc:
        exc.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("plusforge: interrupted; the output folder is as it was", err=True)
        sys.exit(INTERRUPTED)
    except PlusforgeError as exc:
        click.echo(f"plusforge: {exc}", err=True)
        sys.exit(exc.exit_code)
    except OSError as exc:  # a path too long, a working folder that is gone, a closed stream
        with suppress(OSError):
            click.echo(f"plusforge: {exc}; check the paths given and the machine", err=True)
        sys.exit(EnvironmentFault.exit_code)


if __name__ == "__main__":
    main()
