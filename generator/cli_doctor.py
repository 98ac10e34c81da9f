"""``plusforge doctor``: what works on this machine."""

from __future__ import annotations

import dataclasses
import json
import sys

import click
from plusforge.generator.cli_options import json_option
from plusforge.generator.stdout import print_result
from plusforge.oracle.runner import probe


@click.command()
@json_option("the report")
def doctor(*, as_json: bool) -> None:
    """Report which isolation layers work here, and what to do about those that do not."""
    isolation = probe()
    if as_json:
        print_result(json.dumps(dataclasses.asdict(isolation), indent=1) + "\n")
    else:
        print_result("\n".join(isolation.report()) + "\n")
    if isolation.level == "weak":
        sys.exit(4)
