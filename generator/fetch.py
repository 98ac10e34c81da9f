"""Downloading the upstream benchmark files, pinned by content.

The hash is that of the uncompressed content, so that a mirror may compress differently. A file
appears under its name only after its content has been checked.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from plusforge.oracle.benchmarks import FILES, cache_folder
from plusforge.oracle.errors import ConfigError, DataError, EnvironmentFault
from plusforge.oracle.files import GZIP_MAGIC, content_sha256, gunzip, sha256_hex
from plusforge.oracle.writing import write_bytes

TIMEOUT_S = 60.0
"""Seconds without a byte before a download is given up."""

MAX_BYTES = 200_000_000
"""A body larger than this is none of the known files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a benchmark comes from.

    Attributes:
        url: Address of the file.
        sha256: Of its content, uncompressed.
        licence: Of the data.
    """

    url: str
    sha256: str
    licence: str


SOURCES: dict[str, Source] = {
    "humaneval": Source(
        url="https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz",
        sha256="1d49078ba3e2b196b9344535bef34a43021f038fad9561d6ee7c53450609a6a2",
        licence="MIT",
    ),
    "humaneval+": Source(
        url="https://github.com/evalplus/humanevalplus_release/releases/download/v0.1.10/HumanEvalPlus.jsonl.gz",
        sha256="42526ec0e7d5f3ee0b06d6ced98f8c8bae3d76519151bfb3d36f79010645bd7f",
        licence="Apache-2.0",
    ),
    "mbpp": Source(
        url="https://raw.githubusercontent.com/google-research/google-research/master/mbpp/sanitized-mbpp.json",
        sha256="ca95deaa9a01ef0a6f439f88bcf0dd3db3563d22f22aad6cae04ebb9a8d8c8e9",
        licence="CC-BY-4.0",
    ),
    "mbpp+": Source(
        url="https://github.com/evalplus/mbppplus_release/releases/download/v0.2.0/MbppPlus.jsonl.gz",
        sha256="b54e762755248ca411b523c917fa9f93c07b5ff2966bf60b3917b853926a3dad",
        licence="Apache-2.0",
    ),
}
"""The upstream files by benchmark name; the names are those of ``FILES``."""


def fetch(name: str, folder: Path | None = None, *, base_url: str | None = None) -> Path:
    """Download a benchmark file, unless it is already there.

    Args:
        name: One of ``SOURCES``.
        folder: Where to put it; the user's cache by default.
        base_url: Take the file from this address plus the upstream file's name instead (a mirror).

    Returns:
        The path of the file.

    Raises:
        ConfigError: The name is unknown.
        EnvironmentFault: The network or the server refused.
        DataError: What came is not the pinned content, or a different file stands in the way.
        OutputError: The file could not be written.
    """
    source = SOURCES.get(name)
    if source is None:
        raise ConfigError(f"nothing to fetch for {name!r}; known: {', '.join(SOURCES)}")
    folder = cache_folder() if folder is None else folder
    for suffix in ("", ".gz"):
        present = folder / (FILES[name] + suffix)
        if present.is_file():
            return _checked(present, source)
    url = source.url
    if base_url is not None:
        url = f"{base_url.rstrip('/')}/{source.url.rpartition('/')[2]}"
    body = download(url)
    digest = sha256_hex(gunzip(body, url))
    if digest != source.sha256:
        raise DataError(
            f"{url}: the content has SHA-256 {digest}, expected {source.sha256}; the upstream file "
            "has changed or was altered on the way: nothing was kept"
        )
    path = folder / (FILES[name] + (".gz" if body.startswith(GZIP_MAGIC) else ""))
    write_bytes(path, body, option="--data")
    return path


def _checked(path: Path, source: Source) -> Path:
    """Return a file that is already there, if it is the right one."""
    digest = content_sha256(path)
    if digest != source.sha256:
        raise DataError(
            f"{path}: the content has SHA-256 {digest}, expected {source.sha256}; "
            "move the file away to have it fetched"
        )
    return path


def download(url: str) -> bytes:
    """Return the body of an address.

    Raises:
        EnvironmentFault: The server could not be reached, refused, or stopped half way.
        DataError: The body is longer than any known file.
    """
    request = urllib.request.Request(url, headers={"User-Agent": "plusforge"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            body: bytes = response.read(MAX_BYTES + 1)
            announced = response.headers.get("Content-Length")
    except urllib.error.HTTPError as exc:
        exc.close()
        raise EnvironmentFault(
            f"{url}: the server answered {exc.code} {exc.reason}; "
            "try again later, or download the file yourself and pass its folder with --data"
        ) from exc
    except (OSError, HTTPException, ValueError) as exc:
        reason = getattr(exc, "reason", None) or exc
        raise EnvironmentFault(
            f"{url}: cannot be downloaded ({reason}); check the network and proxy, "
            "or download the file yourself and pass its folder with --data"
        ) from exc
    if len(body) > MAX_BYTES:
        raise DataError(f"{url}: longer than {MAX_BYTES} bytes; this is not the expected file")
    if announced is not None and announced.isdigit() and len(body) != int(announced):
        raise EnvironmentFault(
            f"{url}: the connection ended after {len(body)} of {announced} bytes; try again"
        )
    return body
