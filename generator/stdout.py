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
        OutputError: It is closed, the disk is full, or the reader has gone.
    """
    if sys.stdout is None:  # click would say nothing, and the result would be lost
        raise OutputError("standard output is closed; leave it open, or send it to a file")
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
