"""Verdicts on disk, as they come: an interrupted run goes on where it stopped.

One line a verdict: a hash of everything that can change it, a hash of the line, the verdict. Lines
are only ever added, each whole, by any number of processes; one that was cut short by a crash, or
damaged since, is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Set
from pathlib import Path

from plusforge.oracle.errors import OutputError
from plusforge.oracle.files import sha256_hex


class VerdictLog:
    """The log of one suite under one set of settings."""

    def __init__(self, path: Path) -> None:
        """Open a log; its folder is made.

        Raises:
            OutputError: It cannot be written.
        """
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as exc:
            raise self._fault(exc) from exc
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            self._write(b"\n")  # the last line was cut short: it must not spoil the next

    def _fault(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self._path}: verdicts cannot be kept ({error.strerror or error}); free some space, "
            "point XDG_CACHE_HOME to a folder you may write to, or pass --no-cache"
        )

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as exc:
            raise self._fault(exc) from exc

    def read(self, wanted: Set[str]) -> dict[str, str]:
        """Return the entries kept under some keys.

        Raises:
            OutputError: The file cannot be read any more.
        """
        found: dict[str, str] = {}
        try:
            with self._path.open(encoding="ascii", errors="replace") as lines:
                for line in lines:
                    key, _, rest = line.rstrip("\n").partition(" ")
                    seal, _, entry = rest.partition(" ")
                    if key in wanted and seal == _seal(key, entry):
                        found[key] = entry
        except OSError as exc:
            raise self._fault(exc) from exc
        return found

    def add(self, key: str, entry: str) -> None:
        """Keep an entry.

        Args:
            key: Hash of everything that can change it.
            entry: JSON text.

        Raises:
            OutputError: The disk is full.
        """
        self._write(f"{key} {_seal(key, entry)} {entry}\n".encode("ascii"))

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


def _seal(key: str, entry: str) -> str:
    return sha256_hex(f"{key} {entry}")[:16]
