"""``plusforge evaluate``: samples against a suite, verdicts and pass@k."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from plusforge.generator.cli_options import (
    FilledPath,
    jobs_option,
    json_option,
    quiet_option,
    tasks_option,
)
from plusforge.generator.console import report_console, say
from plusforge.generator.outputs import RESULTS, check_output
from plusforge.generator.scoreboard import score_lines, show_results, shown_progress
from plusforge.generator.stdout import print_result
from plusforge.oracle.benchmarks import cache_folder
from plusforge.oracle.courtroom import EvaluateSettings
from plusforge.oracle.errors import ConfigError, OutputError
from plusforge.oracle.evaluate import Evaluation
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.referee import RULES
from plusforge.oracle.results import Results, results_of
from plusforge.oracle.samples import Sample, read_samples
from plusforge.oracle.scoring import parse_ks
from plusforge.oracle.suitefile import FULL, TIERS, read_suite
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable, write_text

DEFAULTS = JudgeSettings()

STDOUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""Names of standard output, for ``--out``."""

FAULTY_DATA, FAULTY_MACHINE, INTERRUPTED = 3, 4, 130
"""Exit statuses: some samples or tasks could not be used; some got no verdict for our fault;
stopped by Ctrl-C."""


@click.command()
@click.argument("suite", type=FilledPath(path_type=Path))
@click.argument("samples", type=FilledPath(path_type=Path))
@click.option(
    "--out", type=FilledPath(path_type=Path, dir_okay=False), help="File for the result document."
)
@click.option("--k", "ks", default="1,10,100", show_default=True, help="The k of pass@k.")
@jobs_option
@tasks_option
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    default=FULL,
    show_default=True,
    help="Plus tests to run: all, or the smaller choice of a suite with tiers.",
)
@click.option("--base-only", is_flag=True, help="Leave the plus tests out.")
@click.option("--all-tests", is_flag=True, help="Go on after a sample's first failure.")
@click.option("--missing-as-wrong", is_flag=True, help="Count tasks without a sample as 0.")
@click.option(
    "--rules",
    type=click.Choice(RULES),
    default="task",
    show_default=True,
    help="Each task's own comparison, or EvalPlus's rules, faults included.",
)
@click.option(
    "--cpu-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULTS.min_cpu_s,
    show_default=True,
    help="CPU seconds that a test may always take.",
)
@click.option(
    "--cpu-factor",
    type=click.FloatRange(min=0),
    default=DEFAULTS.cpu_factor,
    show_default=True,
    help="... and this many times what the reference took.",
)
@click.option(
    "--total-cpu",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULTS.total_cpu_s,
    show_default=True,
    help="CPU seconds that a sample may take in all, beyond that many times the reference's total.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    metavar="MIB",
    help="Address space of a sample [default: what the task declares].",
)
@click.option(
    "--allow-weak-isolation", is_flag=True, help="Go on where files cannot be hidden from samples."
)
@click.option(
    "--no-cache",
    is_flag=True,
    help="Judge everything anew and keep nothing (nor can the run be resumed).",
)
@json_option("the results")
@quiet_option
def evaluate(
    *,
    suite: Path,
    samples: Path,
    out: Path | None,
    ks: str,
    jobs: int,
    tasks: str | None,
    tier: str,
    base_only: bool,
    all_tests: bool,
    missing_as_wrong: bool,
    rules: str,
    cpu_limit: float,
    cpu_factor: float,
    total_cpu: float,
    memory: int | None,
    allow_weak_isolation: bool,
    no_cache: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Judge samples against a suite and estimate pass@k.

    SUITE is a folder written by regenerate, its plus.jsonl[.gz], or a released EvalPlus file.
    SAMPLES is JSONL[.gz] of {"task_id", "solution"} or {"task_id", "completion"}, or a folder with
    TASK_ID/N.py. Programs come out of raw replies by `plusforge extract`.

    Verdicts are kept as they come: after an interruption, the same command goes on. Exit status:
    0 done; 2 wrong use; 3 some samples or tasks could not be used (the rest is scored); 4 the
    sandbox failed.
    """
    console = report_console()
    settings = JudgeSettings(
        rules=rules, min_cpu_s=cpu_limit, cpu_factor=cpu_factor, total_cpu_s=total_cpu,
        memory_mib=memory, base_only=base_only, all_tests=all_tests,
    )  # fmt: skip
    run = EvaluateSettings(
        judge=settings, jobs=jobs, allow_weak=allow_weak_isolation,
        cache=None if no_cache else cache_folder(),
    )  # fmt: skip
    if base_only and tier != FULL:
        raise ConfigError("--base-only leaves out the tests that --tier chooses: give one of them")
    wanted_ks = parse_ks(ks)
    if not all(map(math.isfinite, (cpu_limit, cpu_factor, total_cpu))):
        raise ConfigError("--cpu-limit, --cpu-factor and --total-cpu: expected finite numbers")
    # Now rather than after an hour of work.
    if sys.stdout is None and (out is None or str(out) in STDOUT):
        raise OutputError("standard output is closed, and with it the results go; pass --out FILE")
    if out is not None:
        out = _check_target(out, [suite, samples])
    full = read_suite(suite, run.cache)
    chosen = full if tasks is None else full.only(tasks)  # the file may be a pipe: read once
    chosen = chosen.at(tier)
    found = read_samples(samples, full.records, wanted=chosen.records)
    evaluation = Evaluation(chosen, run)
    judged = evaluation.run(found.samples)
    try:
        entries = dict(shown_progress(console, judged, len(found.samples), quiet=quiet))
    except KeyboardInterrupt:
        say(console, _interrupted(evaluation, found.samples, cached=not no_cache))
        sys.exit(INTERRUPTED)
    results = results_of(
        chosen, found, entries, evaluation,
        settings=settings, ks=wanted_ks, missing_as_wrong=missing_as_wrong,
    )  # fmt: skip
    if out is not None:
        _write(out, results.text())
    show_results(console, results, recalled=evaluation.recalled, quiet=quiet)
    if as_json:
        print_result(results.text())
    elif not quiet or out is None:  # else nothing would be left of the run
        print_result("".join(f"{line}\n" for line in score_lines(results.document)))
    _exit_for(results)


def _interrupted(evaluation: Evaluation, samples: Sequence[Sample], *, cached: bool) -> str:
    """Say what is left of a run that was interrupted."""
    if not cached:
        return "plusforge: interrupted; nothing was kept, as --no-cache says"
    kept = f"{evaluation.kept(samples):,} of {len(samples):,} {plural(len(samples), 'verdict')}"
    return f"plusforge: interrupted; {kept} kept: the same command goes on from there"


def _is_special(path: Path) -> bool:
    """Tell whether a path is a pipe or a device: it is written into, never replaced."""
    return path.exists() and not path.is_file()


def _check_target(out: Path, inputs: list[Path]) -> Path:
    """Return the file to write: where a link leads to, not in the place of the link."""
    if out.is_dir():
        raise ConfigError(f"--out {out} is a folder; name a file in it")
    if not _is_special(out):
        out = Path(os.path.realpath(out))
        check_output(out, RESULTS, inputs)
        check_writable(out.parent)
    return out


def _write(out: Path, text: str) -> None:
    if not _is_special(out):
        write_text(out, text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise OutputError(
            f"--out {out}: cannot be written ({exc.strerror or exc}); name a file, or keep the "
            "reader of the pipe running"
        ) from exc


def _exit_for(results: Results) -> None:
    document = results.document
    if document["judge_errors"]:
        sys.exit(FAULTY_MACHINE)
    if document["problems"] or document["unjudged_tasks"]:
        sys.exit(FAULTY_DATA)
