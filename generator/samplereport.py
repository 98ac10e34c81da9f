"""What ``sample`` tells about a run: what came, what was cut or empty, what it cost."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from plusforge.generator.console import say
from plusforge.generator.llm import Client
from plusforge.generator.sampling import Tally
from plusforge.generator.spending import Spending
from plusforge.oracle.wording import plural
from rich.console import Console

SHOWN = 10
"""Failures that are listed before "and N more"."""


def document_of(tally: Tally, client: Client, path: Path, *, model: str) -> dict[str, Any]:
    """Return everything as JSON data."""
    spending = client.spending
    return {
        "file": str(path),
        "model": model,
        **tally.document(),
        "server": client.place,
        "remarks": client.remarks,
        "requests": spending.requests,
        "prompt_tokens": spending.prompt_tokens,
        "completion_tokens": spending.completion_tokens,
        "estimated_requests": spending.estimated,
        "cost_usd": spending.cost if spending.cost_known else None,
    }


def show_tally(
    console: Console, tally: Tally, client: Client, path: Path, *, max_tokens: int, quiet: bool
) -> None:
    """Print what a run came to; faults also when it shall be quiet."""
    for failure in tally.failures[:SHOWN]:
        say(console, f"{failure.task_id}, sample {failure.sample}: {failure.message}", "red")
    if len(tally.failures) > SHOWN:
        say(console, f"... and {len(tally.failures) - SHOWN} more; --json has them all", "red")
    if tally.empty:
        of_them = f", {tally.refused} of them refused" if tally.refused else ""
        text = f"{tally.empty} {plural(tally.empty, 'sample')} without text{of_them}"
        say(console, f"{text}: kept, and wrong when judged", "red")
    if tally.truncated:
        rate = 100 * tally.truncated / tally.samples
        samples = f"{tally.samples} {plural(tally.samples, 'sample')}"
        text = f"{tally.truncated} of {samples} ({rate:.1f} %) cut at the limit"
        say(console, f"{text} of {max_tokens} tokens; --max-tokens raises it", "yellow")
    if quiet:
        return
    for remark in client.remarks:
        say(console, f"{client.place}: {remark}", "yellow")
    if tally.others:
        lines = f"{tally.others} further {plural(tally.others, 'line')}"
        say(console, f"{path} has {lines} of other models, tasks or questions", "yellow")
    say(console, spent(client.spending))
    say(
        console,
        f"{tally.samples} of {tally.wanted} {plural(tally.wanted, 'sample')} in {path}: "
        f"{tally.drawn} drawn now, {tally.present} from before",
    )
    if tally.samples:
        programs = shlex.quote(str(path.with_name(f"{path.stem}.programs.jsonl")))
        say(
            console,
            f"next: plusforge extract {shlex.quote(str(path))} --out {programs}, "
            f"then plusforge evaluate SUITE {programs}",
        )


def spent(spending: Spending) -> str:
    """Return what the requests of a run have taken, in words."""
    text = (
        f"{spending.requests:,} {plural(spending.requests, 'request')}, "
        f"{spending.prompt_tokens:,} + {spending.completion_tokens:,} tokens"
    )
    if spending.estimated:
        text += f" ({spending.estimated} {plural(spending.estimated, 'request')} estimated)"
    if spending.cost_known and spending.tokens:
        text += f", {spending.cost:.4f} dollars"
    return text
