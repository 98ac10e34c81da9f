"""Where the tests find the real data, and how they say that it is absent."""

import os
import signal
from pathlib import Path

import pytest
from plusforge.oracle.libraries import SYMBOLIC, is_installed

ROOT = Path(__file__).parents[1]


def shared(*parts: str) -> Path:
    """Return a path under the shared data; skip the test with a clear reason when it is absent."""
    path = ROOT.parent.joinpath("shared", *parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(parts)} beside the clone; a user's clone has none")
    return path


def datasets() -> Path:
    """Return the folder of the upstream files (``$PLUSFORGE_DATA`` or beside the clone)."""
    named = os.environ.get("PLUSFORGE_DATA")
    return Path(named) if named else shared("datasets")


def heed_interrupts() -> None:
    """In a new process: obey SIGINT, which a shell's background jobs are told to ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


needs_solver = pytest.mark.skipif(
    not is_installed(SYMBOLIC), reason="needs the extra: pip install 'plusforge[symbolic]'"
)
