"""``plusforge seed``: ask a language model for seeds of a benchmark, and record its replies."""

from __future__ import annotations

import asyncio
import json
import math
import sys
from pathlib import Path

import click
from plusforge.generator.cli_model import ModelOptions, model_options
from plusforge.generator.cli_options import (
    data_option,
    json_option,
    quiet_option,
    recordings_option,
    tasks_option,
)
from plusforge.generator.console import counted_progress, report_console, say
from plusforge.generator.modelcall import ModelUnavailable
from plusforge.generator.outputs import RECORDINGS, check_output
from plusforge.generator.recordfile import (
    REPLIES,
    arranged,
    read_recordings,
    read_records,
    write_records,
)
from plusforge.generator.recordings import PURPOSES
from plusforge.generator.replay import folders_of, with_recordings
from plusforge.generator.samplereport import spent
from plusforge.generator.seedreport import Usable, document_of, show_run, usable_inputs
from plusforge.generator.seedrun import SeedRun, SeedSettings, ask, keys_of, questions
from plusforge.generator.stdout import print_result
from plusforge.oracle.benchmarks import SEEDS_FOLDER, label_of, load_benchmark
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.linelog import LineLog

FAULTY_DATA, INTERRUPTED = 3, 130
"""Exit statuses: some requests came to nothing; stopped by Ctrl-C."""

EVERY = 20
"""Without a terminal, a line is printed for each so many replies."""


@click.command()
@click.argument("bench")
@model_options
@click.option(
    "--ask", "purposes", multiple=True, type=click.Choice(PURPOSES), default=PURPOSES,
    show_default=True, help="What to ask for; contracts only where a task declares none.",
)  # fmt: skip
@click.option(
    "--answers", type=click.IntRange(1), default=1, show_default=True,
    help="Replies to each request.",
)  # fmt: skip
@click.option(
    "--temperature", type=click.FloatRange(0), default=0.7, show_default=True,
    help="Of the sampling.",
)  # fmt: skip
@click.option(
    "--max-tokens", type=click.IntRange(1), default=2048, show_default=True,
    help="Length of a reply, at most; reasoning counts.",
)  # fmt: skip
@click.option(
    "--seed", type=int, default=0, show_default=True,
    help="Of the server's sampling, for first answers; one more for each further one.",
)  # fmt: skip
@recordings_option
@tasks_option
@data_option
@json_option("a summary")
@quiet_option
def seed(
    *,
    bench: str,
    asked: ModelOptions,
    purposes: tuple[str, ...],
    answers: int,
    temperature: float,
    max_tokens: int,
    seed: int,
    recordings: Path | None,
    tasks: str | None,
    data: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Ask a language model for seeds of a benchmark, and record its replies.

    For each task: inputs of several classes, programs with a plausible mistake, and a contract
    where the task has none. Every reply is kept word for word as soon as it is there; what is
    recorded already is not asked for again. `plusforge regenerate` replays the recordings.

    Exit status: 0 done; 2 wrong use; 3 a request came to nothing or was refused (the others are
    kept); 4 the model cannot be asked (any more); 130 interrupted.
    """
    if not math.isfinite(temperature):
        raise ConfigError(f"--temperature: got {temperature}, expected a finite number")
    benchmark = load_benchmark(bench, data=data, tasks_glob=tasks)
    console = report_console()
    for problem in benchmark.problems:
        say(console, f"{problem.task_id}: failed: {problem.message}", "red")
    settings = SeedSettings(
        model=asked.model, purposes=tuple(p for p in PURPOSES if p in purposes), answers=answers,
        max_tokens=max_tokens, temperature=temperature, seed=seed,
    )  # fmt: skip
    folder = recordings if recordings is not None else Path("seeds") / label_of(bench)
    folders = folders_of(benchmark.name, recordings)
    if folder.resolve() == SEEDS_FOLDER / benchmark.name and not quiet:
        say(
            console,
            f"note: {folder / REPLIES} are the recordings that come with plusforge; --recordings "
            "DIR keeps yours apart",
            "yellow",
        )
    check_output(folder / REPLIES, RECORDINGS, [Path(bench)], option="--recordings")
    client = asked.client()
    run = SeedRun()
    stopped: ModelUnavailable | None = None
    interrupted = False
    # Read only once it is ours: another run may just have added to it.
    with LineLog(folder / REPLIES, what="replies", option="--recordings") as log:
        keys = [key for _, _, key in keys_of(benchmark.tasks, settings)]
        known = {record.key for record in read_recordings(folders).replies}
        requests = list(questions(benchmark.tasks, settings, known))
        run.known = len(keys) - len(requests)
        progress = counted_progress(console, len(requests), "requests", every=EVERY, quiet=quiet)
        with progress as advance:
            try:
                asyncio.run(ask(client, requests, log, run, advance))
            except ModelUnavailable as exc:
                stopped = exc
            except KeyboardInterrupt:
                interrupted = True
        records = arranged(read_records(log.path), set(keys))
        if records:
            write_records(log.path, records)
        else:
            log.path.unlink()
    whole = benchmark.ids if tasks is None else None
    replay = with_recordings(benchmark.tasks, read_recordings(folders), known=whole)
    usable = Usable()
    if not interrupted:
        usable = usable_inputs(replay.tasks, run.records)
    if as_json:
        document = document_of(run, client, replay, usable, folder, model=asked.model)
        print_result(json.dumps(document, indent=1) + "\n")
    show_run(console, run, client, replay, usable, quiet=quiet)
    if not quiet:
        kept = f"; replies are in {log.path}" if records else ""
        say(console, f"{spent(client.spending)}{kept}")
    if interrupted:
        say(console, "plusforge: interrupted; what came is kept: the same command goes on")
        sys.exit(INTERRUPTED)
    if stopped is not None:
        raise stopped
    if benchmark.problems or run.faults or run.empty:
        sys.exit(FAULTY_DATA)
