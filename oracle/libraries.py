"""Libraries that a sandbox can have ready for its programs: imported once, before any is read."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from plusforge.oracle.errors import SandboxError


class Library(NamedTuple):
    """A library.

    Attributes:
        package: What has to be installed.
        read: Folders beside it that may be read from in the sandbox, for imports that come late.
        wheel: What it is installed as.
    """

    package: str
    read: tuple[str, ...]
    wheel: str

    @property
    def remedy(self) -> str:
        """What to do when it is not installed: by the very Python that misses it."""
        return f"`{shlex.quote(sys.executable)} -m pip install {self.wheel}`"


NUMPY, SYMBOLIC = "numpy", "plusforge.oracle.symbolic"

LIBRARIES = {
    NUMPY: Library("numpy", ("numpy", "numpy.libs"), "numpy"),
    SYMBOLIC: Library("crosshair", ("crosshair", "z3"), "crosshair-tool"),
}
"""By the module that a zygote imports."""


def is_installed(library: str) -> bool:
    """Tell whether a library can be imported.

    Args:
        library: A key of ``LIBRARIES``.
    """
    return find_spec(LIBRARIES[library].package) is not None


def find_library(library: str) -> str:
    """Return the folder that a library is imported from.

    Args:
        library: A key of ``LIBRARIES``.

    Raises:
        SandboxError: It is not installed.
    """
    wanted = LIBRARIES[library]
    spec = find_spec(wanted.package)
    if spec is None or spec.origin is None:
        raise SandboxError(
            f"programs need {wanted.package}, which is not installed: {wanted.remedy}"
        )
    return str(Path(spec.origin).parent.parent)
