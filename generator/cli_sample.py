"""``plusforge sample``: samples for a benchmark, drawn from a language model."""

from __future__ import annotations

import asyncio
import json
import math
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from plusforge.generator.cli_model import ModelOptions, model_options
from plusforge.generator.cli_options import (
    FilledPath,
    data_option,
    json_option,
    quiet_option,
    tasks_option,
)
from plusforge.generator.console import counted_progress, report_console, say
from plusforge.generator.llm import Client
from plusforge.generator.outputs import RAW_SAMPLES, check_output
from plusforge.generator.rawsamples import RawSamples
from plusforge.generator.samplereport import document_of, show_tally
from plusforge.generator.sampling import Draw, Plan, Tally, draw_all, missing
from plusforge.generator.stdout import print_result
from plusforge.generator.templates import template
from plusforge.oracle.benchmarks import label_of, load_benchmark
from plusforge.oracle.errors import ConfigError
from rich.console import Console

FAULTY_DATA, INTERRUPTED = 3, 130
"""Exit statuses: a sample is missing or holds nothing; stopped by Ctrl-C."""

EVERY = 100
"""Without a terminal, a line is printed for each so many samples."""


@click.command()
@click.argument("bench")
@model_options
@click.option("--n", type=click.IntRange(1), default=1, show_default=True, help="Samples a task.")
@click.option(
    "--temperature", type=click.FloatRange(0), help="Of the sampling [default: the server's own]."
)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    default=2048,
    show_default=True,
    help="Length of a reply, at most; reasoning counts.",
)
@click.option(
    "--seed",
    type=int,
    help="Seed of each task's first sample, one more for each further one "
    "[default: the server's own].",
)
@click.option(
    "--out",
    type=FilledPath(path_type=Path),
    help="JSONL to add to [default: outputs/samples/BENCH--MODEL.jsonl].",
)
@tasks_option
@data_option
@json_option("a summary")
@quiet_option
def sample(
    *,
    bench: str,
    asked: ModelOptions,
    n: int,
    temperature: float | None,
    max_tokens: int,
    seed: int | None,
    out: Path | None,
    tasks: str | None,
    data: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw samples for a benchmark from a language model.

    Every reply is kept as it came, with the exact question, one JSON line each, as soon as it is
    there: after an interruption or an error, the same command asks for what is missing.
    `plusforge extract` takes the code out of the replies.

    Exit status: 0 done; 2 wrong use; 3 a sample is missing or has no text (the others are kept);
    4 the model cannot be asked (any more); 130 interrupted.
    """
    if temperature is not None and not math.isfinite(temperature):
        raise ConfigError(f"--temperature: got {temperature}, expected a finite number")
    benchmark = load_benchmark(bench, data=data, tasks_glob=tasks)
    plan = Plan(
        tasks=benchmark.tasks, n=n, model=asked.model, template=template("sample"),
        temperature=temperature, max_tokens=max_tokens, seed=seed,
    )  # fmt: skip
    console = report_console()
    for problem in benchmark.problems:
        say(console, f"{problem.task_id}: failed: {problem.message}", "red")
    client = asked.client()
    path = out if out is not None else _default_path(bench, asked.model)
    check_output(path, RAW_SAMPLES, [Path(bench)])
    tally = Tally(wanted=n * len(plan.tasks))
    interrupted = False
    with RawSamples(path) as file:
        draws = missing(plan, file, tally)
        try:
            asyncio.run(_draw(plan, draws, client, file, tally, console, quiet=quiet))
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        document = document_of(tally, client, path, model=asked.model)
        print_result(json.dumps(document, indent=1) + "\n")
    show_tally(console, tally, client, path, max_tokens=max_tokens, quiet=quiet)
    if interrupted:
        say(console, "plusforge: interrupted; what came is kept: the same command goes on")
        sys.exit(INTERRUPTED)
    if tally.stopped is not None:
        raise tally.stopped
    if benchmark.problems or tally.failures or tally.empty:
        sys.exit(FAULTY_DATA)


async def _draw(
    plan: Plan,
    draws: Sequence[Draw],
    client: Client,
    file: RawSamples,
    tally: Tally,
    console: Console,
    *,
    quiet: bool,
) -> None:
    progress = counted_progress(console, len(draws), "samples drawn", every=EVERY, quiet=quiet)
    async with client:
        with progress as advance:
            async for _ in draw_all(plan, draws, client, file, tally):
                advance()


def _default_path(bench: str, model: str) -> Path:
    safe = re.sub(r"[^\w.+-]+", "_", model)
    return Path("outputs") / "samples" / f"{label_of(bench)}--{safe}.jsonl"
