"""Reading files: text, JSON and JSONL, gzipped or not, with line numbers in every message."""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plusforge.oracle.errors import DataError

GZIP_MAGIC = b"\x1f\x8b"

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


def decode_text(data: bytes, where: str, *, first_line: int = 1) -> str:
    r"""Return the text of UTF-8 bytes, a byte order mark dropped, line ends normalised to ``\n``.

    Args:
        data: The bytes.
        where: What they came from, for the message.
        first_line: The line of it that the bytes begin on.

    Raises:
        DataError: The bytes are not UTF-8; the message names the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + first_line
        raise DataError(
            f"{where}:{line}: not UTF-8 text (byte 0x{data[exc.start]:02x}); save the file as UTF-8"
        ) from exc
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
