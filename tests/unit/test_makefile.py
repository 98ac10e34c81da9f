"""What ``make`` hands on: values as they are, whatever is in them."""

import os
import shlex
import subprocess

import pytest

from tests.support import ROOT


def shown(*arguments: str) -> list[str]:
    """Return the words of the last command that ``make`` would run."""
    # The tests may themselves be run by make, which would speak to this one.
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "VENV", "JOBS", "BENCH", "DATA")
    env = {name: value for name, value in os.environ.items() if name not in outer}
    done = subprocess.run(
        ["make", "-n", "PYTHON=python3", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=True, env=env,
    )  # fmt: skip
    return shlex.split(done.stdout.splitlines()[-1])[1:]


@pytest.mark.parametrize("path", ["/tmp/my data", "it's", 'a"b', "$(touch x)", "a;b", "plain"])
def test_a_path_is_one_word(path: str) -> None:
    escaped = path.replace("$", "$$")  # as make asks for
    words = shown("regenerate-tests", f"DATA={escaped}", f"BENCH={escaped}")
    assert words == ["regenerate", path, "--jobs", "2", "--data", path]
    assert shown("bench", f"DATA={escaped}")[-2:] == ["--data", path]


def test_arguments_are_many_words() -> None:
    words = shown("regenerate-tests", "ARGS=--budget 3 --tasks 'x y*'")
    assert words == ["regenerate", "starter", "--jobs", "2", "--budget", "3", "--tasks", "x y*"]
