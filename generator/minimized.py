"""A whole suite sorted into tiers, in any number of workers, with one result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from plusforge.generator.minimizing import Minimized, Piece, failed, minimize
from plusforge.generator.publish import MANIFEST, SUITE, current, suite_line
from plusforge.oracle.about import VERSION
from plusforge.oracle.courtroom import Courtroom, EvaluateSettings
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.samples import Sample
from plusforge.oracle.suitefile import Suite
from plusforge.oracle.workers import spread
from plusforge.oracle.writing import gzip_bytes, write_together

FORMAT = 1
"""Of the manifest."""

JUDGE = JudgeSettings(all_tests=True, total_cpu_s=5.0)
"""How samples are judged: every failing test counts, and what is slow is no target anyway."""

SUMMED = (
    "n_base", "n_plus", "n_plus_before", "n_too_large", "n_mini", "n_nano", "optimum", "n_targets",
    "n_killed", "n_left_out", "n_wrong",
)  # fmt: skip
"""Counts of a task that are summed up."""

_court: Courtroom | None = None
"""What a worker process runs programs in; lives as long as the process."""


def pieces(suite: Suite, samples: Sequence[Sample], *, tier: str, mini: int) -> list[Piece]:
    """Cut the work into tasks.

    Args:
        suite: What is to be sorted.
        samples: Programs that become targets if the suite rejects them.
        tier: Tests to keep; ``full`` keeps all.
        mini: Inputs of the mini tier.
    """
    by_task: dict[str, list[tuple[int, str]]] = {}
    for sample in samples:
        by_task.setdefault(sample.task_id, []).append((sample.number, sample.code))
    return [
        Piece(record, tuple(by_task.get(task_id, ())), tier, mini)
        for task_id, record in suite.records.items()
    ]


def minimize_all(work: Sequence[Piece], *, jobs: int, cache: Path | None) -> Iterator[Minimized]:
    """Yield the result of each task, as they come.

    Args:
        work: The tasks.
        jobs: Worker processes.
        cache: Folder for pre-flights of suites; None for none.

    Raises:
        EnvironmentFault: The sandbox does not work here.
    """
    settings = EvaluateSettings(judge=JUDGE, jobs=jobs, cache=cache)
    if jobs > 1 and len(work) > 1:
        yield from spread(_work, [(piece, settings) for piece in work], jobs, lost=_lost)
        return
    with Courtroom(settings) as court:
        for piece in work:
            yield minimize(piece, court)


def _work(order: tuple[Piece, EvaluateSettings]) -> Minimized:
    global _court  # noqa: PLW0603 - one set of sandboxes a worker process
    piece, settings = order
    if _court is None:
        _court = Courtroom(settings)
    return minimize(piece, _court)


def _lost(order: tuple[Piece, EvaluateSettings]) -> Minimized:
    why = "its worker process died twice (out of memory?)"
    return failed(order[0].record.task_id, why)


# ---------------------------------------------------------------- what is written


def render(
    results: Sequence[Minimized], suite: Suite, *, tier: str, mini: int, samples: str = ""
) -> tuple[str, dict[str, Any]]:
    """Return the text of the new suite and its manifest.

    Args:
        results: In the order of the suite.
        suite: What was sorted.
        tier: Tests that were kept.
        mini: Inputs of the mini tier.
        samples: Digest of the samples; empty for none.
    """
    text = "".join(f"{suite_line(one.line)}\n" for one in results if one.line is not None)
    origin = {"suite_sha256": suite.digest, "tier": tier, "mini": mini}
    manifest = {
        "format": FORMAT,
        "benchmark": _benchmark(suite),
        "tool_version": VERSION,
        "minimized": origin | ({"samples_sha256": samples} if samples else {}),
        "suite_sha256": sha256(text.encode()).hexdigest(),
        "totals": totals(results),
        "tasks": {one.task_id: one.entry for one in results},
    }
    return text, manifest


def _benchmark(suite: Suite) -> str:
    """Return the name of the benchmark that a suite is of, or of its file."""
    manifest = current(suite.path.parent / MANIFEST)
    try:
        found = json.loads(manifest or b"{}").get("benchmark")
    except (ValueError, AttributeError):
        found = None
    return found if isinstance(found, str) else suite.path.name.partition(".")[0]


def totals(results: Sequence[Minimized]) -> dict[str, Any]:
    """Return the sums over all tasks."""
    done = [one.entry for one in results if not one.failed]
    sums = {name: sum(entry.get(name, 0) for entry in done) for name in SUMMED}
    return {
        "n_tasks": len(results),
        "n_failed": len(results) - len(done),
        "n_proved": sum(entry["proved"] for entry in done),
        **sums,
    }


def publish(text: str, manifest: Mapping[str, Any], out: Path) -> None:
    """Write suite and manifest into a folder, which is made if need be.

    Raises:
        OutputError: The folder cannot be written; the message says what to do.
    """
    written = json.dumps(manifest, indent=1, allow_nan=False) + "\n"
    write_together({out / SUITE: gzip_bytes(text.encode()), out / MANIFEST: written.encode()})
