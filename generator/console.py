"""Where everything is reported to that is no result: standard error, a line at a time."""

from __future__ import annotations

from rich.console import Console

WIDTH = 10_000
"""Columns where nobody looks: a file or pipe gets every row as one line, ids whole."""


def report_console() -> Console:
    """Return the console on stderr that everything is reported to."""
    console = Console(stderr=True)
    return console if console.is_terminal else Console(stderr=True, width=WIDTH)


def say(console: Console, text: str, style: str | None = None) -> None:
    """Print one line as it is, however long.

    Args:
        console: Where to.
        text: The line. It may quote what a task or sample file holds, so markup stays text and
            what could steer a terminal becomes ``?``.
        style: A style of rich.
    """
    clean = "".join(char if char.isprintable() else "?" for char in text)
    console.print(clean, style=style, markup=False, soft_wrap=True, highlight=False)
