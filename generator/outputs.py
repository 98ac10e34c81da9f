"""What a command may write over: a file of the kind that it writes, and never one that it reads.

A file that is there is told by how it begins. Empty files, pipes and devices hold nothing to lose.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plusforge.generator.publish import MANIFEST, REJECTED, SUITE
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.files import GZIP_MAGIC

HEAD = 1 << 16
"""Bytes of a file that are looked at."""

SHOWN = 40
"""Characters of a file that a message quotes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that a command writes.

    Attributes:
        name: For people.
        begin: Matches how each of them begins, uncompressed.
    """

    name: str
    begin: re.Pattern[bytes]


RESULTS = Kind(
    "a result document of `plusforge evaluate`",
    re.compile(rb'\s*\{\s*"format":\s*\d+,\s*"tool_version":'),
)
PROGRAMS = Kind(
    "a file of programs that `plusforge extract` wrote",
    re.compile(rb'\{[^\n]*"extraction":\s*\{'),
)
SURVIVORS = Kind(
    "a report of `plusforge close`",
    re.compile(
        rb'\s*\{\s*"format":\s*\d+,\s*"benchmark":\s*"(?:[^"\\]|\\.)*",\s*"tool_version":\s*'
        rb'"[^"]*",\s*"solver":'
    ),
)
# A first line may be longer than what is looked at, or cut short by the end of a run.
RAW_SAMPLES = Kind(
    "a file of raw samples that `plusforge sample` wrote",
    re.compile(rb'\{[^\n]*"prompt_sha256":|\{"[^\n]*\Z'),
)
RECORDINGS = Kind(
    "a file of recordings",
    re.compile(rb'\{[^\n]*"kind":\s*"(?:reply|imported|manual|symbolic)"|\{"[^\n]*\Z'),
)
SUITE_FILES = {
    MANIFEST: Kind(
        "a manifest of plusforge",
        re.compile(
            rb'\s*\{\s*"format":\s*\d+,\s*"benchmark":\s*"(?:[^"\\]|\\.)*",\s*"tool_version":'
        ),
    ),
    SUITE: Kind("a suite of plusforge", re.compile(rb'\{"format":\s*\d+,\s*"task_id":')),
    REJECTED: Kind(
        "a list of rejections of plusforge",
        re.compile(rb'\s*\{\s*(?:\}|"(?:[^"\\]|\\.)*":\s*\{\s*(?:\}|"[a-z_]+":\s*\{\s*"count":))'),
    ),
}
"""What a folder with a suite holds."""


def check_output(
    path: Path, kind: Kind, inputs: Iterable[Path | None] = (), *, option: str = "--out"
) -> None:
    """Refuse to write over an input, or over a file of another kind.

    Args:
        path: The file that is going to be written.
        kind: What it will be.
        inputs: What the command reads; None for what was not given.
        option: What names the file on the command line, for messages.

    Raises:
        ConfigError: Something would be lost; the message says what, and what to do.
    """
    if not path.is_file():  # not there, or nothing that is replaced
        return
    for one in inputs:
        if one is not None and one.exists() and path.samefile(one):
            raise ConfigError(
                f"{path} is {one}, which this command reads: it would be lost; name another place "
                f"with {option}"
            )
    head = _head(path)
    if head and not kind.begin.match(head):
        begin = head.decode("utf-8", "replace")[:SHOWN]
        raise ConfigError(
            f"{path} is not {kind.name} and would be lost ({path.stat().st_size:,} bytes that "
            f"begin with {begin!r}); name another place with {option}, or move the file away"
        )


def check_folder(
    folder: Path, inputs: Sequence[Path | None], names: Iterable[str] = SUITE_FILES
) -> None:
    """Refuse to put a suite where a file is in the way that is an input, or not of a suite.

    Args:
        folder: Where the suite goes.
        inputs: What the command reads; None for what was not given.
        names: The files of the suite that it writes.

    Raises:
        ConfigError: Something would be lost; the message says what, and what to do.
    """
    for name in names:
        check_output(folder / name, SUITE_FILES[name], inputs)


def _head(path: Path) -> bytes:
    """Return how a file begins, decompressed; as it is when it is damaged beyond that."""
    try:
        with path.open("rb") as file:
            raw = file.read(HEAD)
    except OSError as exc:
        raise ConfigError(
            f"{path}: there is a file that cannot be read ({exc.strerror or exc}), so what would "
            "be lost is unknown; name another place, or move the file away"
        ) from exc
    if not raw.startswith(GZIP_MAGIC):
        return raw
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(raw, HEAD) or raw
    except zlib.error:
        return raw
