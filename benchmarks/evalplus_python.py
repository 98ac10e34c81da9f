"""A Python that has EvalPlus, for the measurements beside it.

``$EVALPLUS_PYTHON`` names one that has it already, judge and all; else EvalPlus is installed into a
virtual environment of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

EVALPLUS = "evalplus==0.3.1"
"""The version that the figures in the README are about."""

GENERATORS_NEED = (
    "numpy", "tqdm", "multipledispatch", "wget", "appdirs", "tempdir", "psutil", "termcolor",
)  # fmt: skip
"""What its generators import. Its judge needs all that it depends on, which takes long."""


def evalplus_python(folder: Path, *, judge: bool = False) -> str:
    """Return an interpreter that has EvalPlus.

    Args:
        folder: Where it is installed if need be.
        judge: Its judge must run there, too, and not only its generators.

    Raises:
        CalledProcessError: It could not be installed.
    """
    named = os.environ.get("EVALPLUS_PYTHON")
    if named:
        return named
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = str(folder / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, EVALPLUS] if judge else [*pip, "--no-deps", EVALPLUS], check=True)
    if not judge:
        subprocess.run([*pip, *GENERATORS_NEED], check=True)
    return python
