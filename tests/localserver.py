"""A real local model for tests, where one can be had."""

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator

import pytest
from plusforge.generator.localmodel import fetch_model
from plusforge.oracle.errors import EnvironmentFault

COMMAND = [sys.executable, "-m", "plusforge.generator", "local-model"]
WAIT_S = 60.0
"""Far beyond what ending takes."""


@contextlib.contextmanager
def started(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start ``plusforge local-model``; yield the process and what it printed first."""
    with subprocess.Popen(
        [*COMMAND, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline()
        finally:
            process.terminate()
            try:
                process.wait(WAIT_S)
            finally:
                process.kill()


@contextlib.contextmanager
def local_model(*options: str) -> Iterator[str]:
    """Serve the default model; yield its base URL, or skip the test with the reason."""
    need_local_model()
    with started(*options) as (_, line):
        yield line.strip()


def need_local_model() -> None:
    """Skip the test unless the default model and its server are here or can be fetched."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs xllamacpp: pip install 'plusforge[local]'")
    try:
        fetch_model()
    except EnvironmentFault as exc:
        pytest.skip(f"needs the default local model: {exc}")
