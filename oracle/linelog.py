"""A file that grows line by line and survives a kill: half a last line is dropped and made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from plusforge.oracle.errors import OutputError

_TAIL = 1 << 16
"""Bytes looked at in one go for the end of the last whole line."""


class LineLog:
    """Appends lines to a file, each at once. Use it as a context manager."""

    def __init__(self, path: Path, *, option: str = "--out") -> None:
        """Open a file for appending; it and its folders are made, half a last line is dropped.

        Args:
            path: The file.
            option: What names it on the command line, for messages.

        Raises:
            OutputError: It cannot be written.
        """
        self._path = path
        self._option = option
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
            self._file.truncate(self._whole())
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, line: str) -> None:
        r"""Append a line, which ends in ``\n``.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            data = memoryview(line.encode())
            while data:
                data = data[self._file.write(data) or 0 :]
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _whole(self) -> int:
        """Return the size of the file without half a last line."""
        end = self._file.seek(0, 2)
        while end:
            start = max(0, end - _TAIL)
            self._file.seek(start)
            found = self._file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
        return 0

    def _unwritable(self, error: OSError) -> OutputError:
        why = error.strerror or str(error)
        return OutputError(
            f"{self._path}: cannot be written ({why}); choose another place with {self._option}"
        )
