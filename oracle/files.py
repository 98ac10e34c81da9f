"""Files in and out: JSON and JSONL read with line numbers, gzipped or not; writes are whole.

A write goes to a temporary file in the same folder which then replaces the target, so a reader
never sees half a file and a failed write leaves what stood there before. Gzip output is a function
of the content alone: no time, no file name.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import json
import os
import signal
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from plusforge.oracle.errors import DataError, OutputError

GZIP_MAGIC = b"\x1f\x8b"

# ID1 ID2, method deflate, no flags (so no name), mtime 0, XFL 2 (best compression), OS unknown.
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"

_FETCH_AGAIN = "the file is incomplete or damaged; copy or fetch it again"


def read_bytes(path: Path) -> bytes:
    """Return a file's content, decompressed when it is gzip (told by its first bytes).

    Args:
        path: The file.

    Raises:
        DataError: The file cannot be read, or its gzip stream is truncated or damaged.
    """
    try:
        raw = path.read_bytes()
    except OSError as exc:
        raise DataError(f"{path}: cannot be read ({exc.strerror or exc}); check the path") from exc
    return gunzip(raw, str(path))


def gunzip(data: bytes, where: str) -> bytes:
    """Return gzip data decompressed; other data as it is (told by the first bytes).

    Args:
        data: The bytes.
        where: What they came from, for the message.

    Raises:
        DataError: The gzip stream is truncated or damaged.
    """
    if not data.startswith(GZIP_MAGIC):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error, struct.error) as exc:
        raise DataError(f"{where}: broken gzip data ({exc}); {_FETCH_AGAIN}") from exc


def read_text(path: Path) -> str:
    r"""Return a file's text: UTF-8, a byte order mark dropped, line ends normalised to ``\n``.

    Raises:
        DataError: The file cannot be read or is not UTF-8.
    """
    return decode_text(read_bytes(path), str(path))


def decode_text(data: bytes, where: str) -> str:
    r"""Return the text of UTF-8 bytes, a byte order mark dropped, line ends normalised to ``\n``.

    Args:
        data: The bytes.
        where: What they came from, for the message.

    Raises:
        DataError: The bytes are not UTF-8; the message names the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise DataError(
            f"{where}:{line}: not UTF-8 text (byte 0x{data[exc.start]:02x}); save the file as UTF-8"
        ) from exc
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:
    """Return the one JSON document of a file, gzipped or not.

    Raises:
        DataError: The file cannot be read or is not JSON.
    """
    return parse_json(read_text(path), str(path), first_line=1)


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(line number, record)`` of a JSONL file, gzipped or not; empty lines are skipped.

    Raises:
        DataError: The file cannot be read, or a line is not a JSON object.
    """
    yield from parse_jsonl(read_text(path), str(path))


def parse_jsonl(text: str, where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(line number, record)`` of JSONL text; empty lines are skipped.

    Args:
        text: The lines. Only a line feed ends one: JSON strings may hold other line separators.
        where: The file's name, for messages.

    Raises:
        DataError: A line is not a JSON object; the message names it.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = parse_json(line, where, first_line=number)
        if not isinstance(record, dict):
            raise DataError(
                f"{where}:{number}: got {type(record).__name__}, expected one JSON object a line"
            )
        yield number, record


def parse_json(text: str, where: str, *, first_line: int = 1) -> Any:
    """Return the value of JSON text.

    Args:
        text: One document.
        where: The file's name, for the message.
        first_line: The line of the file that the text begins on.

    Raises:
        DataError: The text is not JSON; the message names file and line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as exc:
        line = first_line + exc.lineno - 1
        raise DataError(
            f"{where}:{line}: not JSON ({exc.msg}, column {exc.colno}); "
            "is the file complete, and of the format its name says?"
        ) from exc
    except (RecursionError, ValueError) as exc:
        # ValueError: an integer beyond Python's 4,300-digit limit for decimal text.
        raise DataError(f"{where}:{first_line}: JSON that cannot be held ({exc})") from exc


def sha256_hex(data: bytes | str) -> str:
    """Return the SHA-256 of bytes, or of text as UTF-8, in lower-case hexadecimal."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def content_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's content after decompression.

    Raises:
        DataError: The file cannot be read.
    """
    return sha256_hex(read_bytes(path))


def json_line(record: Any) -> str:
    r"""Return one record as a JSONL line: ASCII, sorted keys, no spaces, ``\n`` at the end.

    Raises:
        ValueError: The record holds NaN or an infinity; such values go in tagged form.
    """
    text = json.dumps(
        record, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return text + "\n"


def jsonl_bytes(records: Iterable[Any]) -> bytes:
    """Return records as JSONL bytes; the same records always give the same bytes."""
    return "".join(map(json_line, records)).encode("ascii")


def gzip_bytes(data: bytes) -> bytes:
    """Return data as one gzip member whose bytes depend on the data alone.

    The header is fixed here because ``gzip.compress`` writes a different one from version to
    version. The deflate stream is zlib's; hashes of content are taken before compression, so that
    another zlib build changes no recorded hash.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(data) + packer.flush()
    return _GZIP_HEADER + body + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; parent folders are made.

    Args:
        path: The target; replaced when it exists.
        data: Its new content.

    Raises:
        OutputError: The folder cannot be written or the disk is full; an old file is untouched.
    """
    write_together({path: data})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write several files so that all are new or, when one cannot be written, all are as before.

    Args:
        contents: New content by target, put in place in this order; parent folders are made.

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
        raise OutputError(_unwritable(path, exc)) from exc
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
        raise OutputError(_unwritable(folder, exc)) from exc


def _unwritable(path: Path, error: OSError) -> str:
    return (
        f"{path}: cannot be written ({error.strerror or error}); "
        "free some space, or choose a folder you may write to"
    )


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


def write_json(path: Path, document: Any) -> None:
    """Write one JSON document for people to read: indented, sorted keys, ASCII.

    Raises:
        OutputError: See ``write_bytes``.
    """
    text = json.dumps(document, ensure_ascii=True, sort_keys=True, indent=1, allow_nan=False)
    write_text(path, text + "\n")


def write_jsonl(path: Path, records: Iterable[Any]) -> str:
    """Write records as JSONL, whole or not at all.

    Returns:
        The SHA-256 of the content.

    Raises:
        OutputError: See ``write_bytes``.
    """
    data = jsonl_bytes(records)
    write_bytes(path, data)
    return sha256_hex(data)


def write_jsonl_gz(path: Path, records: Iterable[Any]) -> str:
    """Write records as gzipped JSONL, whole or not at all.

    Returns:
        The SHA-256 of the uncompressed content.

    Raises:
        OutputError: See ``write_bytes``.
    """
    data = jsonl_bytes(records)
    write_bytes(path, gzip_bytes(data))
    return sha256_hex(data)
