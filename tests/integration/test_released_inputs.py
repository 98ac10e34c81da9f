"""``--released-inputs``: the plus inputs of a released EvalPlus file as seeds, only when asked."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RECORD = {
    "task_id": "Mbpp/901",
    "prompt": '"""\nWrite a function to double an odd number.\nassert twice(1) == 2\n"""\n',
    "entry_point": "twice",
    "canonical_solution": "\ndef twice(n):\n  return 2 * n\n",
    "contract": '\n  assert n % 2, "invalid inputs" # $_CONTRACT_$\n',
    "assertion": "\nassert twice(1) == 2\nassert twice(3) == 6\n",
    "base_input": [[1], [3]],
    "plus_input": [[77_777_777], [8]],
    "atol": 0,
}
MINE = {"args": [77_777_777], "expected": 155_555_554, "origin": "released"}


def run(command: str, path: Path, *options: str) -> tuple[int, str]:
    """Run a command on a file; return its status and stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "plusforge.generator", command, str(path), "--budget", "9",
         "--out", str(path.parent / "out"), *options],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def written(folder: Path) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """Return the plus inputs of the one task, the manifest and the task's rejections."""
    line = gzip.decompress((folder / "plus.jsonl.gz").read_bytes())
    manifest = json.loads((folder / "manifest.json").read_text())
    rejected = json.loads((folder / "rejected.json").read_text())
    return json.loads(line)["plus"], manifest, rejected["Mbpp/901"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of one made-up record."""
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")
    return path


def test_released_inputs_pass_the_sieve_like_other_seeds(path: Path) -> None:
    assert run("regenerate", path, "--released-inputs")[0] == 0
    plus, manifest, rejected = written(path.parent / "out")
    assert MINE in [{name: test[name] for name in MINE} for test in plus]
    assert manifest["released_inputs"] is True
    assert {"args": [8], "message": "AssertionError: invalid inputs"} in rejected["contract"][
        "examples"
    ]
    assert run("verify", path, "--released-inputs")[0] == 0
    assert run("verify", path)[0] == 0, "the suite's own settings hold"
    assert run("verify", path, "--budget", "3")[0] == 1


def test_released_inputs_are_ignored_unless_asked_for(path: Path) -> None:
    assert run("regenerate", path)[0] == 0
    plus, manifest, _ = written(path.parent / "out")
    assert "released" not in {test["origin"] for test in plus}
    assert "released_inputs" not in manifest


def test_a_file_that_has_none_is_told(path: Path) -> None:
    record = {name: RECORD[name] for name in RECORD if name != "plus_input"}
    path.write_text(json.dumps(record) + "\n")
    status, told = run("regenerate", path, "--released-inputs")
    assert status == 2
    assert told.startswith(f"plusforge: --released-inputs: {path} holds no released plus inputs")


def test_blind_and_released_inputs_contradict_each_other(path: Path) -> None:
    status, told = run("regenerate", path, "--released-inputs", "--blind")
    assert status == 2
    assert "give one of the two" in told
