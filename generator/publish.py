"""Writing a run's results: suite, manifest and rejections appear together, whole, or not at all.

Files are written beside their final place and renamed, the manifest last. A suite file whose
content would not change is left alone: compressed bytes may differ between zlib versions, content
may not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from plusforge.generator.config import Config
from plusforge.oracle.about import VERSION
from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import read_bytes
from plusforge.oracle.values import text_of
from plusforge.oracle.verdict import Rejection, Stop
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import gzip_bytes, write_together

FORMAT = 1
SUITE = "plus.jsonl.gz"
MANIFEST = "manifest.json"
REJECTED = "rejected.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult:
    """What a run says about one task.

    Attributes:
        task_id: The task.
        line: Its line of the suite file, or None when it failed.
        entry: Its entry of the manifest.
        rejected: Its entry of ``rejected.json``.
    """

    task_id: str
    line: str | None
    entry: dict[str, Any]
    rejected: dict[str, Any]

    @property
    def failed(self) -> bool:
        """True when the task has no suite."""
        return bool(self.entry["stop"] == Stop.FAILED)


def failed_result(task_id: str, why: str, n_base: int = 0) -> TaskResult:
    """Return the result of a task that could not be used.

    Args:
        task_id: The task.
        why: Where the fault is, what was found and what to do.
        n_base: Base inputs that were read before it failed.
    """
    entry = {
        "n_base": n_base, "n_plus": 0, "n_tried": 0, "rejections": {}, "stop": str(Stop.FAILED),
        "why": why,
    }  # fmt: skip
    return TaskResult(task_id=task_id, line=None, entry=entry, rejected={})


def doubts(rejections: Mapping[str, int]) -> list[str]:
    """Return what a task's rejections say against the task itself, for its maintainer.

    Args:
        rejections: Counts by reason.
    """
    count = rejections.get(Rejection.DISAGREEMENT, 0)
    if not count:
        return []
    found = f"the references disagree on {count:,} generated {plural(count, 'input')}"
    remedy = f"one of them is wrong, or the contract is too wide; examples are in {REJECTED}"
    return [f"{found}: {remedy}"]


def render(
    results: Sequence[TaskResult],
    benchmark: str,
    config: Config,
    *,
    tasks_glob: str | None = None,
    samples: str = "",
    recordings: str = "",
) -> dict[str, str]:
    """Return the contents of the three files, by name, ready to be written or compared.

    Args:
        results: In the order of the tasks.
        benchmark: Its name.
        config: The run's settings.
        tasks_glob: The pattern that task ids had to match; None when all were taken.
        samples: Digest of the samples that served as targets; empty for none.
        recordings: Digest of the recordings that were replayed; empty for none.
    """
    suite = "".join(f"{result.line}\n" for result in results if result.line is not None)
    manifest = {
        "format": FORMAT,
        "benchmark": benchmark,
        "tool_version": VERSION,
        "seed": config.seed,
        "budget": config.budget,
        "blind": config.blind,
        **({"released_inputs": True} if config.released_inputs else {}),
        **({"tasks_glob": tasks_glob} if tasks_glob is not None else {}),
        **({"samples_sha256": samples} if samples else {}),
        **({"recordings_sha256": recordings} if recordings else {}),
        "suite_sha256": sha256(suite.encode()).hexdigest(),
        "totals": totals(results),
        "tasks": {result.task_id: result.entry for result in results},
    }
    rejected = {result.task_id: result.rejected for result in results}
    return {SUITE: suite, REJECTED: _pretty(rejected), MANIFEST: _pretty(manifest)}


def totals(results: Sequence[TaskResult]) -> dict[str, Any]:
    """Return the sums over all tasks: counts, rejections by reason, stops by kind."""
    rejections: dict[str, int] = {}
    stops: dict[str, int] = {}
    for result in results:
        stops[result.entry["stop"]] = stops.get(result.entry["stop"], 0) + 1
        for reason, count in result.entry["rejections"].items():
            rejections[reason] = rejections.get(reason, 0) + count
    sums = {
        key: sum(result.entry[key] for result in results) for key in ("n_base", "n_plus", "n_tried")
    }
    return {
        "n_tasks": len(results),
        **sums,
        "rejections": dict(sorted(rejections.items())),
        "stops": dict(sorted(stops.items())),
    }


def publish(contents: dict[str, str], out: Path) -> None:
    """Write the files of a run into a folder, which is made if need be.

    Raises:
        OutputError: The folder cannot be written; the message says what to do.
    """
    suite = contents[SUITE].encode()
    files: dict[Path, bytes] = {}
    if current(out / SUITE) != suite:
        files[out / SUITE] = gzip_bytes(suite)
    for name in (REJECTED, MANIFEST):
        files[out / name] = contents[name].encode()
    write_together(files)


def current(path: Path) -> bytes | None:
    """Return a file's (uncompressed) content, or None when there is none that can be read."""
    try:
        return read_bytes(path)
    except (DataError, OSError):
        return None


def task_ids(out: Path) -> list[str]:
    """Return the ids of the tasks that a folder's suite is of; none when there is no suite."""
    return list(_manifest(out).get("tasks", {}))


def settings_of(out: Path) -> dict[str, Any]:
    """Return the settings that a folder's suite was made with, as its manifest names them.

    Raises:
        ConfigError: There is no suite to compare with.
    """
    manifest = _manifest(out)
    if not manifest:
        raise ConfigError(
            f"{out}: no suite there ({MANIFEST} is missing or unreadable); name its folder with "
            "--out, or make one with 'plusforge regenerate'"
        )
    kinds = {
        "seed": int, "budget": int, "blind": bool, "released_inputs": bool, "tasks_glob": str,
        "samples_sha256": str, "minimized": dict,
    }  # fmt: skip
    return {k: manifest[k] for k, kind in kinds.items() if type(manifest.get(k)) is kind}


def _manifest(out: Path) -> dict[str, Any]:
    data = current(out / MANIFEST)
    try:
        manifest = json.loads(data or b"{}")
    except ValueError:
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _pretty(document: Any) -> str:
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def suite_line(record: dict[str, Any]) -> str:
    """Return one line of the suite file."""
    return text_of(record)
