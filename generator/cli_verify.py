"""``plusforge verify``: a suite made again, and compared with the one that is there."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from plusforge.generator.cli_regenerate import Run, common, default_folder, exit_for
from plusforge.generator.console import say
from plusforge.generator.differences import differences
from plusforge.generator.publish import settings_of, task_ids
from plusforge.oracle.benchmarks import locate
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.wording import plural


@click.command()
@common
def verify(bench: str, out: Path | None, **options: Any) -> None:
    """Regenerate and compare with what the output folder holds; exit status 1 when it differs.

    Seed, budget and the like are those of the suite that is there, unless they are given here; one
    that was made with --samples needs the same samples again. With --tasks only those tasks are
    made and compared.
    """
    locate(bench, data=options["data"])  # a misspelt name is to be called that
    folder = out if out is not None else default_folder(bench)
    made = settings_of(folder)
    if "minimized" in made:
        raise ConfigError(
            f"{folder} was made by `plusforge minimize`; verify regenerates suites: verify the one "
            "it came from, minimize that again into another folder, and compare the two"
        )
    only: str | None = options["tasks"]
    if only is not None and not any(fnmatchcase(task_id, only) for task_id in task_ids(folder)):
        raise ConfigError(
            f"--tasks {only!r} matches none of the tasks of the suite in {folder} "
            f"({', '.join(islice(task_ids(folder), 3))}, ...); quote the pattern and write ids in "
            "full"
        )
    options["tasks"] = made.get("tasks_glob")
    options |= {
        name: made[name]
        for name in ("seed", "budget", "blind", "released_inputs")
        if name in made
        and click.get_current_context().get_parameter_source(name)
        is not ParameterSource.COMMANDLINE
    }
    if "samples_sha256" in made and options["samples"] is None:
        raise ConfigError(
            f"{folder} was made with --samples, which decide what it holds: give the same ones "
            f"with --samples FILE (SHA-256 of what was read of them: {made['samples_sha256']})"
        )
    run = Run(bench, folder, options)
    if run.samples.digest != made.get("samples_sha256", run.samples.digest):
        raise ConfigError(
            f"--samples {options['samples']}: not the samples that {folder} was made with (SHA-256 "
            f"of what was read: {run.samples.digest}, expected {made['samples_sha256']}); give "
            "those"
        )
    results, contents = run.generate(only)
    found = differences(contents, run.out, only=only)
    for line in found:
        say(run.console, line)
    what = "the regenerated suite"
    if only is not None:
        what = f"what was regenerated ({len(results)} {plural(len(results), 'task')})"
    run.show(
        results, contents, f"{what} {'differs from' if found else 'is identical to'} {run.out}"
    )
    if found:
        sys.exit(1)
    exit_for(results)
