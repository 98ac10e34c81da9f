"""What a run does to a suite that is already there, and what ``verify`` compares with."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.test_bad_input import GOOD, Ran, bench, files_of, task

BROKEN = task("return 7")


def plusforge(folder: Path, *arguments: object, **more: str) -> Ran:
    """Run the command line in a folder, not on a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "plusforge.generator", *map(str, arguments)],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        check=False, env={**os.environ, **more},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a folder with a benchmark of two tasks and its suite in the default place."""
    bench(tmp_path, bad=task("pass"))
    assert plusforge(tmp_path, "regenerate", "bench", "--budget", 5, "--quiet").status == 0
    return tmp_path


def test_some_tasks_never_replace_the_suite_of_all(made: Path) -> None:
    before = files_of(made / "outputs/bench")
    ran = plusforge(made, "regenerate", "bench", "--tasks", f"bench/{GOOD}", "--budget", 5)
    ran.line("plusforge: outputs/bench has a suite with 1 further task (bench/bad)", "--out")
    assert ran.status == 2
    assert files_of(made / "outputs/bench") == before


def test_some_tasks_may_replace_a_suite_of_the_same_or_one_that_is_named(made: Path) -> None:
    for _ in range(2):
        words = ["regenerate", "bench", "--tasks", "bench/b*", "--budget", 5, "--quiet"]
        assert plusforge(made, *words, "--out", "outputs/bench").status == 0
    assert plusforge(made, *words).status == 0
    assert list(json.loads((made / "outputs/bench/manifest.json").read_text())["tasks"]) == [
        "bench/bad"
    ]


@pytest.mark.parametrize("options", [["--quiet"], []])
def test_nothing_is_written_when_no_task_succeeds(made: Path, options: list[str]) -> None:
    before = files_of(made / "outputs/bench")
    for path in (made / "bench").iterdir():
        path.write_text(BROKEN.replace("bad", path.stem))
    ran = plusforge(made, "regenerate", "bench", *options)
    ran.line("plusforge: no task succeeded, so nothing was written; outputs/bench is as it was")
    assert ran.status == 3
    assert files_of(made / "outputs/bench") == before


def test_verify_takes_the_settings_of_the_suite(made: Path) -> None:
    words = ["bench", "--budget", 7, "--seed", 3, "--blind", "--quiet"]
    assert plusforge(made, "regenerate", *words).status == 0
    assert plusforge(made, "verify", "bench", "--quiet").status == 0
    for other in (["--seed", 0], ["--budget", 6]):
        ran = plusforge(made, "verify", "bench", "--quiet", *other)
        assert ran.status == 1, other
        ran.line("outputs/bench/manifest.json: differs")


@pytest.mark.parametrize("options", [[], ["--out", "nowhere"]])
def test_verify_finds_out_first_that_there_is_nothing_to_compare(
    tmp_path: Path, options: list[str]
) -> None:
    bench(tmp_path)
    ran = plusforge(tmp_path, "verify", "bench", *options)
    ran.line("plusforge: ", "no suite there (manifest.json is missing", "plusforge regenerate")
    assert ran.status == 2
    assert len(ran.stderr.splitlines()) == 1
    ran = plusforge(tmp_path, "verify", "no_such")
    ran.line("benchmark 'no_such' is neither a known name")
    assert ran.status == 2


def test_the_table_never_wraps_in_a_file(tmp_path: Path) -> None:
    name = "a_name_that_is_so_long_that_it_would_not_fit_on_a_line_of_a_terminal_with_the_rest"
    bench(tmp_path, **{name: task("pass").replace("bad", name)})
    ran = plusforge(tmp_path, "regenerate", "bench", "--budget", 5, COLUMNS="80")
    ran.line(f"bench/{name} ", "  5 ", "budget")


def test_failed_tasks_count_their_base_inputs_but_not_in_the_factor(tmp_path: Path) -> None:
    bench(tmp_path, bad=BROKEN)
    ran = plusforge(tmp_path, "regenerate", "bench", "--budget", 12)
    assert ran.line("bench/bad ", "failed").split()[:2] == ["bench/bad", "2"]
    ran.line("12 plus inputs for 4 base inputs (3 times)")
