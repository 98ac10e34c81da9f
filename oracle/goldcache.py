"""What a pre-flight found, kept on disk: the second run of a suite starts at once.

A file holds one task: a line of JSON, then arguments and expected frames end to end. Its name is a
hash of all that can change the content, and its content carries its own hash: a damaged file is
made anew. Nothing is unpickled and nothing evaluated.
"""

from __future__ import annotations

import dataclasses
import json
import platform
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from plusforge.oracle.about import VERSION
from plusforge.oracle.errors import DataError
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.gold import Gold, assay
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.suitefile import SuiteRecord
from plusforge.oracle.task import Comparison, Reference
from plusforge.oracle.writing import write_bytes

FORMAT = 5
"""Of a cached file; grows with every change of its layout or of what ``Gold`` means."""


def machine() -> str:
    """Return what tells this kind of machine from others that compute at another speed."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{platform.machine()} {models[0] if models else ''}"


def gold_of(record: SuiteRecord, sandbox: Sandbox, *, rules: str, folder: Path | None) -> Gold:
    """Return a task ready to be judged against, from the cache or from a pre-flight.

    Args:
        record: The task as its suite has it.
        sandbox: Runs the references.
        rules: Whose comparison rules decide.
        folder: The cache; None for none.

    Returns:
        The task; a record that cannot be decoded comes back with a ``problem``.

    Raises:
        OutputError: The cache cannot be written.
        SandboxError: The sandbox itself failed, twice.
    """
    path = None if folder is None else folder / f"{_key(record, sandbox, rules)}.gold"
    kept = None if path is None else read_gold(path)
    if kept is not None:
        return kept
    try:
        gold = assay(record.decode(), sandbox, rules=rules)
    except DataError as exc:
        gold = Gold(task_id=record.task_id, entry_point="", problem=str(exc))
    if path is not None and not gold.problem:  # a problem may go away: it is looked for each time
        write_gold(path, gold)
    return gold


def _key(record: SuiteRecord, sandbox: Sandbox, rules: str) -> str:
    report = sandbox.report
    parts = [str(FORMAT), VERSION, record.digest, rules, report.line(), machine()]
    return sha256_hex("\n".join(parts))


def write_gold(path: Path, gold: Gold) -> None:
    """Write a task to the cache.

    Raises:
        OutputError: It cannot be written.
    """
    body = b"".join([*gold.args, *gold.frames])
    head = dataclasses.asdict(gold) | {
        "args": list(map(len, gold.args)),
        "frames": list(map(len, gold.frames)),
        "cpu_s": sorted(gold.cpu_s.items()),
    }
    line = json.dumps(head).encode()
    data = b"\n".join([sha256_hex(line + body).encode(), line, body])
    write_bytes(path, data, option="XDG_CACHE_HOME, or pass --no-cache")


def read_gold(path: Path) -> Gold | None:
    """Return a task from the cache, or None when it is not there, or not whole."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return None
        digest, line, body = path.read_bytes().split(b"\n", 2)
        if digest.decode() != sha256_hex(line + body):
            return None
        head: dict[str, Any] = json.loads(line)
        ends = [0, *accumulate([*head["args"], *head["frames"]])]
        pieces = [body[start:end] for start, end in pairwise(ends)]
        count = len(head["args"])
        return Gold(
            **head
            | {
                "references": tuple(Reference(**one) for one in head["references"]),
                "comparison": Comparison(
                    **head["comparison"] | {"raises": tuple(head["comparison"]["raises"])}
                ),
                "args": pieces[:count],
                "frames": pieces[count:],
                "cpu_s": dict(head["cpu_s"]),
            }
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
