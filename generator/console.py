"""Where everything is reported to that is no result: standard error, a line at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

WIDTH = 10_000
"""Columns where nobody looks: a file or pipe gets every row as one line, ids whole."""


_BLANKS = str.maketrans("\n\r\t", "   ")


class ErrorConsole(Console):
    """Standard error; when its reader has gone, it falls silent and the work goes on."""

    def on_broken_pipe(self) -> None:
        """Do not, as rich would, end the process and standard output with it."""
        self.quiet = True


def report_console() -> Console:
    """Return the console on stderr that everything is reported to."""
    console = ErrorConsole(stderr=True)
    return console if console.is_terminal else ErrorConsole(stderr=True, width=WIDTH)


def say(console: Console, text: str, style: str | None = None) -> None:
    """Print one line as it is, however long.

    Args:
        console: Where to.
        text: The line. It may quote what a task or sample file holds, so markup stays text and
            what could steer a terminal becomes ``?``, an end of a line a blank.
        style: A style of rich.
    """
    text = text.translate(_BLANKS)
    clean = "".join(char if char.isprintable() else "?" for char in text)
    with contextlib.suppress(OSError):  # nobody reads it any more: no reason to lose the results
        console.print(clean, style=style, markup=False, soft_wrap=True, highlight=False)


@contextlib.contextmanager
def counted_progress(
    console: Console, total: int, what: str, *, every: int, quiet: bool
) -> Iterator[Callable[[], None]]:
    """Show how far a run is: a bar on a terminal, a line now and then elsewhere.

    Args:
        console: Where to.
        total: How many things there are to do.
        what: They, done.
        every: Without a terminal, a line is printed for each so many of them.
        quiet: Show nothing.

    Yields:
        What to call after each of them.
    """
    hidden = quiet or not console.is_terminal
    done = 0
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        bar = progress.add_task(what, total=total)

        def advance() -> None:
            nonlocal done
            done += 1
            progress.update(bar, advance=1)
            if hidden and not quiet and (done % every == 0 or done == total):
                say(console, f"[{done}/{total}] {what}")

        yield advance
