"""Heads of a suite's records, kept on disk: judging again need not decode megabytes of inputs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from plusforge.oracle.about import VERSION
from plusforge.oracle.errors import OutputError
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.writing import write_bytes


class Head(NamedTuple):
    """What is needed of a record before its inputs are.

    Attributes:
        number: Its line in the file, from 1.
        task_id: As in the benchmark.
        prompt: What a model sees.
        tiers: The tiers that hold plus tests, from the largest; only the full one where tests do
            not say which they are in, and none where there are no plus tests.
        tiered: Whether each plus test says which tiers it is in.
    """

    number: int
    task_id: str
    prompt: str
    tiers: Sequence[str]
    tiered: bool


def keep_heads(folder: Path, digest: str, heads: Iterable[Head]) -> None:
    """Keep the heads of a suite; a cache that cannot be written is done without.

    Args:
        folder: The cache.
        digest: SHA-256 of the suite's content.
        heads: Of all its records.
    """
    body = json.dumps([list(head) for head in heads])
    with suppress(OutputError):
        write_bytes(_path(folder, digest), f"{sha256_hex(body)}\n{body}".encode())


def kept_heads(folder: Path, digest: str, lines: int) -> list[Head] | None:
    """Return the heads of a suite, or None when they are not there, or not whole.

    Args:
        folder: The cache.
        digest: SHA-256 of the suite's content.
        lines: How many lines it has.
    """
    try:
        check, body = _path(folder, digest).read_text("utf-8").split("\n", 1)
        if check != sha256_hex(body):
            return None
        heads = [Head(*one) for one in json.loads(body)]
        kinds = (int, str, str, list, bool)
        typed = all(isinstance(v, k) for h in heads for v, k in zip(h, kinds, strict=True))
        return heads if typed and all(0 < head.number <= lines for head in heads) else None
    except (OSError, ValueError, TypeError):
        return None


def _path(folder: Path, digest: str) -> Path:
    # Another version may find other records fit to be read.
    return folder / "suites" / f"{sha256_hex(f'{VERSION} {digest}')}.json"
