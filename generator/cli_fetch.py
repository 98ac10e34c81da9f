"""``plusforge fetch``: upstream benchmarks."""

from __future__ import annotations

from pathlib import Path

import click
from plusforge.generator import fetch as fetching
from plusforge.generator.cli_options import FilledPath
from plusforge.generator.stdout import print_result


@click.command()
@click.argument("name", type=click.Choice(sorted(fetching.SOURCES)))
@click.option("--data", type=FilledPath(path_type=Path, file_okay=False),
              help="Folder to put it in [default: the cache].")  # fmt: skip
def fetch(name: str, data: Path | None) -> None:
    """Download an upstream benchmark into the cache, checked by SHA-256."""
    path = fetching.fetch(name, data)
    print_result(f"{path}\n")
