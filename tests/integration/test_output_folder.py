"""What a run does to a suite that is already there, and what ``verify`` compares with."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.test_bad_input import GOOD, Ran, bench, files_of, task
from tests.judging import jsonl

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


def test_a_suite_does_not_go_among_the_tasks(made: Path) -> None:
    before = files_of(made / "bench")
    ran = plusforge(made, "regenerate", "bench", "--budget", 5, "--out", "bench/../bench")
    ran.line("bench/../bench: has the tasks", "name another folder with --out")
    assert ran.status == 2
    assert files_of(made / "bench") == before


def test_what_was_not_there_is_not_as_it_was(made: Path) -> None:
    for path in (made / "bench").iterdir():
        path.write_text(BROKEN.replace("bad", path.stem))
    ran = plusforge(made, "regenerate", "bench", "--out", "fresh")
    assert ran.line("no task succeeded, so nothing was written").endswith("written")
    assert not (made / "fresh").exists()


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
        ran.line("outputs/bench/manifest.json: differs in ", f"{other[0][2:]}: ", " there, ", "now")


def test_verify_of_some_tasks_compares_those_alone(made: Path) -> None:
    words = ["verify", "bench", "--quiet", "--tasks"]
    (made / "bench" / "bad.py").write_text(task("pass") + "\n# new\n")
    for pattern in (f"bench/{GOOD}", "bench/*"):
        ran = plusforge(made, *words, pattern)
        assert (ran.status, ran.stderr) == (0, ""), pattern  # a comment is nothing of a suite
    (made / "bench" / "bad.py").write_text(task("return 7"))
    assert plusforge(made, *words, f"bench/{GOOD}").status == 0
    ran = plusforge(made, *words, "bench/b*")
    assert ran.status == 1
    ran.line("bench/bad: differs in plus.jsonl.gz: a line there, none now; ")
    assert GOOD not in ran.stderr
    ran = plusforge(made, *words, "nothing")
    assert ran.status == 2
    ran.line("matches none of the tasks of the suite in outputs/bench")


def test_verify_takes_the_tasks_of_a_suite_of_some(made: Path) -> None:
    words = ["bench", "--out", "some", "--quiet"]
    made_of = ["regenerate", *words, "--tasks", f"bench/{GOOD}", "--budget", 5]
    assert plusforge(made, *made_of).status == 0
    manifest = json.loads((made / "some/manifest.json").read_text())
    assert manifest["tasks_glob"] == f"bench/{GOOD}"
    for more in ([], ["--tasks", "*"]):
        ran = plusforge(made, "verify", *words, *more)
        assert (ran.status, ran.stderr) == (0, "")
    assert "tasks_glob" not in json.loads((made / "outputs/bench/manifest.json").read_text())


def test_verify_asks_for_the_samples_of_a_suite(made: Path) -> None:
    code = f"def {GOOD}(numbers):\n    return 0\n"
    samples = jsonl(made / "s.jsonl", [{"task_id": f"bench/{GOOD}", "solution": code}])
    other = jsonl(made / "o.jsonl", [{"task_id": f"bench/{GOOD}", "solution": code + "\n"}])
    words = ["bench", "--quiet"]
    assert plusforge(made, "regenerate", *words, "--budget", 5, "--samples", samples).status == 0
    digest = json.loads((made / "outputs/bench/manifest.json").read_text())["samples_sha256"]
    ran = plusforge(made, "verify", *words)
    assert ran.status == 2
    ran.line("was made with --samples", "--samples FILE", digest)
    ran = plusforge(made, "verify", *words, "--samples", other)
    assert ran.status == 2
    ran.line("o.jsonl: not the samples", digest)
    for more in ([], ["--tasks", "bench/b*"]):
        ran = plusforge(made, "verify", *words, "--samples", samples, *more)
        assert (ran.status, ran.stderr) == (0, "")


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


def test_verify_does_not_regenerate_what_was_minimized(made: Path) -> None:
    words = ["minimize", "outputs/bench", "--out", "small", "--quiet"]
    assert plusforge(made, *words).status == 0
    ran = plusforge(made, "verify", "bench", "--out", "small")
    ran.line("plusforge: small was made by `plusforge minimize`", "verify the one it came from")
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
    ran.line("12 plus inputs for 4 base inputs of the 1 task that did not fail (3 times)")
