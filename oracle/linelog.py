"""A file that grows line by line, for one run at a time, and survives a kill.

A line is written as soon as it is there, so an interrupted run goes on where it stopped; half a
last line is taken away and made anew.
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from plusforge.oracle.errors import ConfigError, OutputError

_TAIL = 1 << 16
"""Bytes looked at in one go for the begin of the last line."""


class LineLog:
    """Adds lines of JSON to a file; nobody else can add to it meanwhile. A context manager.

    Attributes:
        path: The file.
    """

    def __init__(self, path: Path, *, what: str, option: str = "--out") -> None:
        """Open a file; it and its folder are made, and a last line cut short is taken away.

        Args:
            path: The file.
            what: What its lines are, in the plural, for messages.
            option: What names it on the command line, for messages.

        Raises:
            ConfigError: It is being written, or is none that lines can be added to.
            OutputError: It cannot be written.
        """
        self.path = path
        self._what = what
        self._option = option
        if path.suffix == ".gz" or (path.exists() and not path.is_file()):
            raise ConfigError(f"{option} {path}: lines are added to it, so it must be a plain file")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = self._open()
        except OSError as exc:
            raise self._fault(exc) from exc
        try:
            self._repair()
        except BaseException:
            os.close(self._fd)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._fd)

    def add(self, line: str) -> None:
        r"""Add a line, which ends in ``\n``.

        Raises:
            OutputError: The disk is full.
        """
        data = memoryview(line.encode())
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as exc:
            raise self._fault(exc) from exc

    def _open(self) -> int:
        """Return the file, locked. Another run may have put a new file in its place meanwhile."""
        while True:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(fd), self.path.stat()):
                    return fd
            except BlockingIOError as exc:
                os.close(fd)
                raise ConfigError(
                    f"{self._option} {self.path}: another run is adding to it; wait for it, or "
                    "name another file"
                ) from exc
            except FileNotFoundError:
                pass
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)

    def _repair(self) -> None:
        """Take a last line away that was cut short; one that only lacks its end gets it."""
        try:
            start, last = self._last_line()
            if not last:
                return
            try:
                json.loads(last)
            except (ValueError, RecursionError):
                os.ftruncate(self._fd, start)
                return
        except OSError as exc:
            raise self._fault(exc) from exc
        self.add("\n")

    def _last_line(self) -> tuple[int, bytes]:
        """Return where the last line begins, and its text; it is empty when all lines are whole."""
        end = start = os.fstat(self._fd).st_size
        parts: list[bytes] = []
        while start:
            begin = max(0, start - _TAIL)
            part = os.pread(self._fd, start - begin, begin)
            found = part.rfind(b"\n")
            if found >= 0:
                parts.append(part[found + 1 :])
                start = begin + found + 1
                break
            parts.append(part)
            start = begin
        last = b"".join(reversed(parts))
        return (start, last) if start < end else (end, b"")

    def _fault(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self.path}: {self._what} cannot be kept ({error.strerror or error}); free some "
            f"space, or choose another place with {self._option}"
        )
