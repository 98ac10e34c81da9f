"""Options that several commands have: one spelling, one type, one help text."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


class FilledPath(click.Path):
    """A path that is not empty: an empty one, of an unset variable, would mean this folder."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; end the command, as click does, when it is none."""
        if not os.fspath(value):
            self.fail("is empty; name a file or a folder", param, ctx)
        return super().convert(value, param, ctx)


class PresentFolder(FilledPath):
    """A folder that must be there: a misspelt one would be passed over."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; end the command, as click does, when it is none."""
        path = super().convert(value, param, ctx)
        if not Path(os.fsdecode(path)).is_dir():
            self.fail(f"no folder {os.fsdecode(path)!r}; correct the path", param, ctx)
        return path


def jobs_option(command: Command) -> Command:
    """Add ``--jobs``, 1 or more."""
    return click.option(
        "--jobs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Worker processes; never changes the result.",
    )(command)


def tasks_option(command: Command) -> Command:
    """Add ``--tasks``, a shell pattern of task ids."""
    return click.option(
        "--tasks", metavar="GLOB", help="Only tasks whose id matches, e.g. 'Mbpp/1*'."
    )(command)


def data_option(command: Command) -> Command:
    """Add ``--data``, a folder to look for upstream files in."""
    return click.option(
        "--data",
        type=PresentFolder(path_type=Path, file_okay=False),
        help="Folder of the upstream files [default: $PLUSFORGE_DATA, then the cache].",
    )(command)


def json_option(what: str) -> Callable[[Command], Command]:
    """Add ``--json``, which the command takes as ``as_json``.

    Args:
        what: The document that is printed then.
    """
    return click.option(
        "--json", "as_json", is_flag=True, help=f"Print {what} to stdout, as one JSON document."
    )


def quiet_option(command: Command) -> Command:
    """Add ``--quiet``."""
    return click.option("--quiet", is_flag=True, help="No progress, no summary; faults only.")(
        command
    )


def recordings_option(command: Command) -> Command:
    """Add ``--recordings``, a folder of recorded proposals."""
    return click.option(
        "--recordings",
        type=FilledPath(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder of the recordings; those that come with plusforge are left out then "
        "[default: seeds/BENCH].",
    )(command)
