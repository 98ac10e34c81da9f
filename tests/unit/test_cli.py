"""The list of commands: complete, true, and paid for only by the command that is run."""

import subprocess
import sys

import click
import pytest
from plusforge.generator.cli import COMMANDS, cli


@pytest.mark.parametrize("name", COMMANDS)
def test_a_listed_command_exists(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert command.help, "a command says what it does"


def test_no_other_command_exists() -> None:
    assert cli.get_command(click.Context(cli), "main") is None


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["--help"], ["openai", "plusforge.generator.pipeline", "plusforge.oracle.runner", "rich"]),
        (["regenerate", "--help"], ["openai", "plusforge.oracle.evaluate"]),
        (["evaluate", "--help"], ["openai", "plusforge.generator.pipeline"]),
        (["sample", "--help"], ["plusforge.generator.pipeline", "plusforge.oracle.runner"]),
    ],
)
def test_a_command_imports_no_others_libraries(arguments: list[str], spared: list[str]) -> None:
    program = (
        "import sys; from plusforge.generator.cli import cli\n"
        "cli.main(sys.argv[2:], standalone_mode=False)\n"
        "print([name for name in sys.argv[1].split() if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, " ".join(spared), *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("Usage: ")
    assert done.stderr.strip() == "[]"
