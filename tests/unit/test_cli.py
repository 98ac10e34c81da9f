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
    ("typed", "meant"), [("evalute", "'evaluate'"), ("import-seed", "'import-seeds'"), ("zz", "")]
)
def test_a_mistyped_command_is_answered_with_the_one_that_comes_near(
    typed: str, meant: str
) -> None:
    with pytest.raises(click.UsageError) as caught:
        cli.main([typed, "x"], standalone_mode=False)
    assert f"No such command '{typed}'." in caught.value.message
    assert caught.value.message.partition("Did you mean ")[2] == (f"{meant}?" if meant else "")


EMPTY = [
    ["regenerate", "starter", "--out", ""],
    ["regenerate", "starter", "--data", ""],
    ["regenerate", "starter", "--recordings", ""],
    ["regenerate", "starter", "--samples", ""],
    ["verify", "starter", "--out", ""],
    ["evaluate", "suite", "samples", "--out", ""],
    ["evaluate", "suite", ""],
    ["evaluate", "", "samples"],
    ["extract", ""],
    ["extract", "replies", "--out", ""],
    ["minimize", "suite", "--out", ""],
    ["minimize", "suite", "--samples", ""],
    ["minimize", ""],
    ["close", "starter", ""],
    ["close", "starter", "--samples", ""],
    ["close", "starter", "--report", ""],
    ["import-seeds", "starter", "", "--origin", "me"],
    ["import-seeds", "starter", "file", "--origin", "me", "--recordings", ""],
    ["sample", "starter", "--model", "m", "--out", ""],
    ["seed", "starter", "--model", "m", "--recordings", ""],
    ["fetch", "mbpp", "--data", ""],
    ["local-model", "--gguf", ""],
]


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_path_is_not_taken_for_this_folder(arguments: list[str]) -> None:
    with pytest.raises(click.BadParameter, match="is empty; name a file or a folder"):
        cli.main(arguments, standalone_mode=False)


@pytest.mark.parametrize("command", [["regenerate", "x"], ["verify", "x"], ["sample", "x"],
    ["seed", "x"], ["import-seeds", "x", "y"], ["extract", "x"]], ids=lambda c: c[0])  # fmt: skip
def test_a_folder_of_data_that_is_not_there(command: list[str]) -> None:
    with pytest.raises(click.BadParameter, match="no folder '/no/such'; correct the path"):
        cli.main([*command, "--data", "/no/such"], standalone_mode=False)


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
