"""Writing files: whole or not at all.

A write goes to a temporary file in the same folder which then replaces the target, so a reader
never sees half a file and a failed write leaves what stood there before. Gzip output is a function
of the content alone: no time, no file name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import struct
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from plusforge.oracle.errors import OutputError

# ID1 ID2, method deflate, no flags (so no name), mtime 0, XFL 2 (best compression), OS unknown.
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def gzip_bytes(data: bytes) -> bytes:
    """Return data as one gzip member whose bytes depend on the data alone.

    The header is fixed here because ``gzip.compress`` writes a different one from version to
    version. The deflate stream is zlib's; hashes of content are taken before compression, so that
    another zlib build changes no recorded hash.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(data) + packer.flush()
    return _GZIP_HEADER + body + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def write_bytes(path: Path, data: bytes, *, option: str = "--out") -> None:
    """Write a file whole or not at all; parent folders are made.

    Args:
        path: The target; replaced when it exists.
        data: Its new content.
        option: What names the folder on the command line, for the message.

    Raises:
        OutputError: The folder cannot be written or the disk is full; an old file is untouched.
    """
    write_together({path: data}, option=option)


def write_together(contents: Mapping[Path, bytes], *, option: str = "--out") -> None:
    """Write several files so that all are new or, when one cannot be written, all are as before.

    Args:
        contents: New content by target, put in place in this order; parent folders are made.
        option: What names the folder on the command line, for the message.

    Raises:
        OutputError: A folder cannot be written or the disk is full.
    """
    staged: list[tuple[str, Path]] = []
    path = Path()
    try:
        for path, data in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
            handle, temporary = tempfile.mkstemp(
                dir=path.parent, prefix=f".{path.name}.", suffix="~"
            )
            staged.append((temporary, path))
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            # mkstemp makes the file private; results are for everyone the umask allows.
            Path(temporary).chmod(0o666 & ~_umask())
        with _uninterrupted():
            while staged:
                temporary, path = staged[0]
                os.replace(temporary, path)  # noqa: PTH105 - both ends are in one folder: atomic
                staged.pop(0)
    except OSError as exc:
        raise OutputError(_unwritable(path, exc, option)) from exc
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def check_writable(folder: Path) -> None:
    """Find out whether files can be put into a folder, without leaving a trace.

    Args:
        folder: It need not exist; then the nearest parent that does must be writable.

    Raises:
        OutputError: No file can be made there.
    """
    nearest = folder.absolute()
    try:
        while not nearest.exists() and nearest != nearest.parent:
            nearest = nearest.parent
        with tempfile.TemporaryFile(dir=nearest):
            return
    except OSError as exc:
        raise OutputError(_unwritable(folder, exc, "--out")) from exc


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _unwritable(path: Path, error: OSError, option: str) -> str:
    remedy = f"choose another folder with {option}"
    if error.errno in _FULL:
        remedy = f"free some space, or {remedy}"
    return f"{path}: cannot be written ({error.strerror or error}); {remedy}"


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold signals that end the process back for the moment that renaming takes."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _umask() -> int:
    """Return the process's umask, read without changing it where the kernel shows it."""
    with contextlib.suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").split("\n")
        line = next(line for line in lines if line.startswith("Umask:"))
        return int(line.split()[1], 8)
    return 0o022


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8, whole or not at all. Raises ``OutputError`` like ``write_bytes``."""
    write_bytes(path, text.encode("utf-8"))
