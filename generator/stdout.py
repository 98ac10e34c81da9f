"""The one way to standard output: results and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from plusforge.oracle.errors import OutputError


def print_result(text: str) -> None:
    """Write a result to stdout.

    Raises:
        OutputError: The disk is full or the reader has gone.
    """
    try:
        click.echo(text, nl=False)
    except OSError as exc:
        # What is still buffered must not be tried again, with a traceback, when Python ends.
        with Path(os.devnull).open("w", encoding="ascii") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise OutputError(
            f"standard output cannot be written ({exc.strerror or exc}); "
            "free some space, or keep its reader running"
        ) from exc
