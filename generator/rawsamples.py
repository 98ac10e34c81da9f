"""The file of raw samples: every reply as it came, with the exact question; lines are only added.

A line is written as soon as its reply is there, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from plusforge.oracle.errors import ConfigError, DataError, OutputError
from plusforge.oracle.files import parse_json

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
        if path.suffix == ".gz" or (path.exists() and not path.is_file()):
            raise ConfigError(f"--out {path}: lines are added to it, so it must be a plain file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as exc:
            raise self._fault(exc) from exc
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            os.close(self._fd)
            raise ConfigError(
                f"--out {path}: another run is adding to it; wait for it, or name another file"
            ) from exc
        self._repair()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._fd)

    def _repair(self) -> None:
        """Take a last line away that was cut short; one that only lacks its end gets it."""
        size = os.fstat(self._fd).st_size
        if not size or os.pread(self._fd, 1, size - 1) == b"\n":
            return
        with self.path.open("rb") as file:
            last = deque(file, maxlen=1).pop()
        try:
            json.loads(last)
        except ValueError:
            os.ftruncate(self._fd, size - len(last))
        else:
            self._write(b"\n")

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
        self._write(json.dumps(record, allow_nan=False).encode("ascii") + b"\n")
        return kept(record, str(self.path))

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as exc:
            raise self._fault(exc) from exc

    def _fault(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self.path}: samples cannot be kept ({error.strerror or error}); free some space, or "
            "name another file with --out"
        )
