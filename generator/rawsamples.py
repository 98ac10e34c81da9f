"""The file of raw samples: every reply as it came, with the exact question; lines are only added.

A line is written as soon as its reply is there, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from plusforge.oracle.errors import DataError
from plusforge.oracle.files import parse_json
from plusforge.oracle.linelog import LineLog

FIELDS = (
    "task_id", "entry_point", "sample", "prompt", "messages", "raw", "finish", "model",
    "answered_by", "params", "requested", "prompt_tokens", "completion_tokens", "prompt_sha256",
)  # fmt: skip
"""Fields of a line; docs/formats.md says what they hold."""


def line_of(data: Any) -> str:
    """Return JSON text, the same for the same data: one line, ASCII, sorted keys."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two samples the same one."""

    task_id: str
    sample: int
    prompt_sha256: str
    model: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What a run needs to know of a line.

    Attributes:
        finish: Why the model stopped.
        empty: True when there is no text.
        requested: The parameters that were asked for, as JSON text.
        where: File and line.
    """

    finish: str
    empty: bool
    requested: str
    where: str


def kept(record: Mapping[str, Any], where: str) -> tuple[Key, Kept]:
    """Return what a run needs to know of a record.

    Raises:
        DataError: It is no raw sample.
    """
    missing = [name for name in FIELDS if name not in record]
    numbers = record.get("sample")
    if missing or not isinstance(numbers, int) or not isinstance(record["raw"], str):
        raise DataError(
            f"{where}: not a raw sample (expected the fields {', '.join(FIELDS)}"
            f"{'; missing: ' + ', '.join(missing) if missing else ''}); name another file with "
            "--out"
        )
    key = Key(*(record[name] for name in ("task_id", "sample", "prompt_sha256", "model")))
    requested = line_of(record["requested"])
    return key, Kept(record["finish"], not record["raw"].strip(), requested, where)


class RawSamples:
    """The file, open for adding; nobody else can add to it meanwhile."""

    def __init__(self, path: Path) -> None:
        """Open the file; it and its folder are made, and a last line cut short is taken away.

        Raises:
            ConfigError: It is being written, or is none that lines can be added to.
            OutputError: It cannot be written.
        """
        self.path = path
        self._log = LineLog(path, what="samples")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: Any) -> None:
        self._log.__exit__(*details)

    def read(self) -> Iterator[tuple[Key, Kept]]:
        """Yield what is there.

        Raises:
            DataError: A line is no raw sample.
        """
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    where = f"{self.path}:{number}"
                    text = line.decode("utf-8", "replace")
                    record = parse_json(text, str(self.path), first_line=number)
                    yield kept(record if isinstance(record, dict) else {}, where)

    def add(self, record: Mapping[str, Any]) -> tuple[Key, Kept]:
        """Add a line.

        Raises:
            OutputError: The disk is full.
        """
        self._log.add(json.dumps(record, allow_nan=False) + "\n")
        return kept(record, str(self.path))
