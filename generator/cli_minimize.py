"""``plusforge minimize``: the few tests of a suite that catch all that it catches."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_options import (
    FilledPath,
    jobs_option,
    json_option,
    quiet_option,
    tasks_option,
)
from plusforge.generator.console import counted_progress, report_console, say
from plusforge.generator.minimized import minimize_all, pieces, publish, render
from plusforge.generator.minimizing import Minimized
from plusforge.generator.outputs import check_folder
from plusforge.generator.publish import MANIFEST, SUITE
from plusforge.generator.stdout import print_result
from plusforge.generator.tiers import MINI_SIZE
from plusforge.oracle.benchmarks import cache_folder
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.samples import Samples, read_samples
from plusforge.oracle.suitefile import Suite, read_suite
from plusforge.oracle.suiterecord import FULL, MINI, NANO
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable
from rich.console import Console

FAULTY_DATA = 3
"""Exit status: a task or a sample could not be used; the rest was."""

EVERY = 20
"""Without a terminal, a line is printed for each so many tasks."""


@click.command()
@click.argument("suite", type=FilledPath(path_type=Path))
@click.option(
    "--tier", type=click.Choice((MINI, NANO)), help="Keep the tests of this tier only "
    "[default: all, each marked with its tiers]."
)  # fmt: skip
@click.option(
    "--samples", type=FilledPath(path_type=Path), metavar="FILE",
    help="Samples; those that the suite rejects count like mutants.",
)  # fmt: skip
@click.option(
    "--size", type=click.IntRange(1), default=MINI_SIZE, show_default=True,
    help="Plus tests of the mini tier, where there are as many.",
)  # fmt: skip
@click.option(
    "--out", type=FilledPath(path_type=Path, file_okay=False),
    help="Folder of the new suite [default: outputs/NAME-TIER].",
)  # fmt: skip
@jobs_option
@tasks_option
@json_option("the manifest")
@quiet_option
def minimize(
    *,
    suite: Path,
    tier: str | None,
    samples: Path | None,
    size: int,
    out: Path | None,
    jobs: int,
    tasks: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the fewest tests of a suite that catch all that it catches.

    SUITE is a folder written by regenerate, its plus.jsonl[.gz], or a released EvalPlus file. What
    it catches are mutants of the references, the known-wrong programs of the tasks and, with
    --samples, the samples that it rejects. The new suite has tiers: nano is the smallest choice of
    plus tests that still catches everything, mini catches everything twice where it can.

    Exit status: 0 done; 2 wrong use; 3 a task could not be used (it is named and left out).
    """
    console = report_console()
    full = read_suite(suite)
    chosen = full if tasks is None else full.only(tasks)
    found = Samples((), ())
    if samples is not None:
        found = read_samples(samples, full.records, wanted=chosen.records)
    out = out or _default_out(chosen, tier)
    if out.exists() and full.path.resolve().parent == out.resolve():
        raise ConfigError(f"--out {out} holds the suite itself; name another folder")
    check_folder(out, [full.path, samples], [SUITE, MANIFEST])
    check_writable(out)  # now rather than after an hour of work
    tier = tier or FULL
    work = pieces(chosen, found.samples, tier=tier, mini=size)
    done: dict[str, Minimized] = {}
    what = "tasks minimized"
    with counted_progress(console, len(work), what, every=EVERY, quiet=quiet) as advance:
        for result in minimize_all(work, jobs=jobs, cache=cache_folder()):
            done[result.task_id] = result
            advance()
    results = [done[task_id] for task_id in chosen.records]
    text, manifest = render(results, chosen, tier=tier, mini=size, samples=found.digest)
    if text:
        publish(text, manifest, out)
    if as_json:
        print_result(json.dumps(manifest) + "\n")
    _show(console, results, found, quiet=quiet)
    if not quiet:
        _show_totals(console, manifest["totals"], f"written to {out}" if text else "not written")
    if found.problems or any(result.failed for result in results):
        sys.exit(FAULTY_DATA)


def _default_out(suite: Suite, tier: str | None) -> Path:
    folder = suite.path.parent.resolve().name
    name = folder if suite.path.name.startswith("plus.jsonl") else suite.path.name.partition(".")[0]
    return Path("outputs") / f"{name}-{tier or 'tiers'}"


def _show(console: Console, results: list[Minimized], samples: Samples, *, quiet: bool) -> None:
    for problem in samples.problems:
        say(console, problem, "red")
    for result in results:
        if result.failed:
            say(console, f"{result.task_id}: failed: {result.entry['why']}", "red")
        elif not quiet:
            say(console, f"{result.task_id}: {_told(result.entry)}")
            for note in result.entry.get("notes", ()):
                say(console, f"{result.task_id}: {note}", "yellow")
    if not quiet:
        for line in _warnings([result for result in results if not result.failed]):
            say(console, f"warning: {line}", "yellow")


def _warnings(results: Sequence[Minimized]) -> Iterator[str]:
    """Yield what the new suite lacks, a line for each kind of thing."""
    shortened = [result.task_id for result in results if "n_too_large" in result.entry]
    if shortened:
        n_lost = sum(result.entry.get("n_too_large", 0) for result in results)
        yield (
            f"{n_lost} plus {plural(n_lost, 'test')} of {_named(shortened)} left out: the outcome "
            "of each is longer than 16 KiB"
        )
    silent = [result.task_id for result in results if "n_wrong" not in result.entry]
    if silent:
        yield (
            f"the suite carries no known-wrong programs for {_named(silent)}, as older versions "
            "wrote it: tiers rest on mutants and samples alone; regenerate it to have them count"
        )


def _named(task_ids: Sequence[str]) -> str:
    """Return the number of some tasks, and the first of them."""
    more = ", ..." if len(task_ids) > 1 else ""
    return f"{len(task_ids)} {plural(len(task_ids), 'task')} ({task_ids[0]}{more})"


def _told(entry: dict[str, Any]) -> str:
    text = (
        f"{entry['n_plus_before']} plus {plural(entry['n_plus_before'], 'test')}, nano "
        f"{entry['n_nano']}, mini {entry['n_mini']}; {entry['n_killed']} of {entry['n_targets']} "
        f"{plural(entry['n_targets'], 'target')} killed"
    )
    if not entry["proved"]:
        text += "; not proved"
    if "left_out" in entry:
        text += f"; {entry['n_left_out']} left out: " + ", ".join(
            f"{name} ({why})" for name, why in list(entry["left_out"].items())[:3]
        )
    return text


def _show_totals(console: Console, totals: dict[str, Any], where: str) -> None:
    n_done = totals["n_tasks"] - totals["n_failed"]
    if n_done:
        say(
            console,
            f"{n_done} {plural(n_done, 'task')}: {totals['n_plus_before']:,} plus "
            f"{plural(totals['n_plus_before'], 'test')}, "
            f"nano {totals['n_nano']:,} ({totals['n_nano'] / n_done:.2f} a task, smallest proved "
            f"for {totals['n_proved']}), mini {totals['n_mini']:,}; {totals['n_killed']:,} of "
            f"{totals['n_targets']:,} {plural(totals['n_targets'], 'target')} killed",
        )
        say(
            console,
            f"base tests counted in, {totals['optimum']:,} {plural(totals['optimum'], 'test')} "
            f"({totals['optimum'] / n_done:.2f} a task) kill as much as all",
        )
    say(console, where)
