"""The command line: which commands there are, and how a run ends.

Results go to stdout (``--json``: one JSON document and nothing else), progress and logs to stderr.
Nothing waits for an answer on stdin. Exit status: 0 done; 1 findings (``verify`` differs); 2 wrong
use; 3 bad data (also when a task failed: its reason is printed and stands in the manifest); 4 the
environment (sandbox, disk, network, model); 130 interrupted.

A command's module is imported when the command is run, so none pays for another's libraries.
"""

from __future__ import annotations

import difflib
import importlib
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import NamedTuple

import click
from plusforge.oracle.about import VERSION
from plusforge.oracle.errors import EnvironmentFault, PlusforgeError

_STDERR = 2

INTERRUPTED = 130
"""Exit status, as shells have it for SIGINT."""


class Place(NamedTuple):
    """Where a command is, what is said of it, and its function when that has another name."""

    module: str
    help: str
    function: str = ""


COMMANDS = {
    "regenerate": Place("cli_regenerate", "Turn a benchmark into its plus suite."),
    "verify": Place("cli_verify", "Regenerate a suite and compare it with the one there."),
    "seed": Place("cli_seed", "Ask a language model for seeds of a benchmark, and record them."),
    "import-seeds": Place("cli_import", "Keep seeds that were proposed elsewhere as recordings."),
    "sample": Place("cli_sample", "Draw samples for a benchmark from a language model."),
    "extract": Place(
        "cli_extract", "Take the programs out of raw model replies.", "extract_command"
    ),
    "evaluate": Place("cli_evaluate", "Judge samples against a suite and estimate pass@k."),
    "minimize": Place("cli_minimize", "Find the fewest tests that catch all a suite catches."),
    "close": Place("cli_close", "Find inputs for what a suite leaves alive, by a solver."),
    "local-model": Place("cli_local", "Serve a small language model on this machine."),
    "fetch": Place("cli_fetch", "Download an upstream benchmark into the cache, checked."),
    "doctor": Place("cli_doctor", "Report which isolation layers work here."),
}
"""Each is a function of its name (``_`` for ``-``) in its module; they are listed in this order."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        place = COMMANDS[cmd_name]
        module = importlib.import_module(f"plusforge.generator.{place.module}")
        command: click.Command = getattr(module, place.function or cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; for a mistyped one say which comes near."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as exc:
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            raise click.UsageError(f"{exc.message} Did you mean {near[0]!r}?", ctx) from exc

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.help) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="plusforge")
def cli() -> None:
    """Grow the tests of code benchmarks, and judge samples against them.

    BENCH is starter (embedded), humaneval, humaneval+, mbpp, mbpp+, or a path: a folder of task
    files, or a JSONL in the HumanEval, MBPP or EvalPlus form.

    Exit status: 0 done; 1 findings; 2 wrong use; 3 bad data; 4 environment; 130 interrupted.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


def _take_standard_streams() -> None:
    """Fill closed standard streams: a socket that got their number would be written into."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        pass
    os.close(fd)


def main(argv: list[str] | None = None) -> None:
    """Run the command line; never shows a traceback for a fault that has a remedy."""
    _take_standard_streams()
    # A polite kill ends like Ctrl-C: workers and sandboxes stopped, temporary files gone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        cli.main(argv, prog_name="plusforge", standalone_mode=False)
    except click.ClickException as exc:
        exc.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("plusforge: interrupted; the output folder is as it was", err=True)
        sys.exit(INTERRUPTED)
    except PlusforgeError as exc:
        click.echo(f"plusforge: {exc}", err=True)
        sys.exit(exc.exit_code)
    except OSError as exc:  # a path too long, a working folder that is gone, a closed stream
        with suppress(OSError):
            click.echo(f"plusforge: {exc}; check the paths given and the machine", err=True)
        sys.exit(EnvironmentFault.exit_code)


if __name__ == "__main__":
    main()
