"""``plusforge import-seeds``: what was proposed elsewhere becomes recordings, checked."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.seeding import Ran, run, write_benchmark

GOOD: list[dict[str, Any]] = [
    {"task_id": "toy/spread", "inputs": ["([1, 9],)", "([],)"], "near_invalid": ["(1,)"]},
    {"task_id": "toy/double", "inputs": ["(77,)"], "near_invalid": ["(-3,)", "(11,)"],
     "wrong_programs": ["def double(n):\n    return n + 2\n"]},
]  # fmt: skip
PARTLY: list[dict[str, Any]] = [
    GOOD[0] | {"inputs": ["([1, 9],)", "(x,)", "([],)", "([1], 2)"], "near_invalid": ["(1,)", "("]},
    GOOD[1] | {"wrong_programs": [*GOOD[1]["wrong_programs"], "def double(n:"]},
]


@pytest.fixture(autouse=True)
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_benchmark(tmp_path)


def import_seeds(folder: Path, rows: Any, *options: str) -> Ran:
    text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "found.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return run("import-seeds", "toy", "found.jsonl.gz", "--origin", "llm (a)", *options)


def test_from_file_to_suite(tmp_path: Path) -> None:
    done = import_seeds(tmp_path, GOOD)
    assert done.status == 0, done.stderr
    assert (
        "3 inputs, 3 near-invalid inputs, 1 wrong program for 2 tasks, in seeds/toy/imported.jsonl"
        in done.stderr
    )
    path = tmp_path / "seeds" / "toy" / "imported.jsonl"
    found = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    assert [one["task_id"] for one in found] == ["toy/double", "toy/spread"]
    assert found[0].keys() == {
        "format", "kind", "task_id", "task_sha256", "origin", "inputs", "near_invalid",
        "wrong_programs",
    }  # fmt: skip
    before = path.read_bytes()
    assert import_seeds(tmp_path, list(reversed(GOOD))).status == 0
    assert path.read_bytes() == before
    made = run("regenerate", "toy", "--budget", "9", "--tasks", "toy/[ds]*")
    assert made.status == 0, made.stderr
    assert "seeds: 2 recordings replayed, no model asked" in made.stderr
    assert "could not be read" not in made.stderr
    manifest = json.loads((tmp_path / "outputs/toy/manifest.json").read_text())
    assert len(manifest["recordings_sha256"]) == 64
    notes = manifest["tasks"]["toy/double"]["notes"]
    assert "the contract takes 1 invalid input: double(11)" in notes
    suite = gzip.decompress((tmp_path / "outputs/toy/plus.jsonl.gz").read_bytes()).decode()
    assert '"origin":"llm (a)"' in suite


def test_what_cannot_be_read_is_named_and_neither_counted_nor_kept(tmp_path: Path) -> None:
    assert import_seeds(tmp_path, GOOD).status == 0
    path = tmp_path / "seeds" / "toy" / "imported.jsonl"
    good = path.read_bytes()
    path.unlink()
    done = import_seeds(tmp_path, PARTLY)
    assert done.status == 3
    assert path.read_bytes() == good
    lines = done.stderr.splitlines()
    assert lines[-1].startswith("3 inputs, 3 near-invalid inputs, 1 wrong program for 2 tasks, in ")
    assert [line.partition(": (")[0] for line in lines[:3]] == [
        "not read: found.jsonl.gz:1: toy/spread"
    ] * 3
    assert "not read: found.jsonl.gz:2: toy/double: wrong program 2" in lines[3]


def test_a_line_of_another_task_is_left_out(tmp_path: Path) -> None:
    done = import_seeds(tmp_path, [GOOD[0] | {"task_id": "toy/nowhere"}, *GOOD])
    assert done.status == 3
    assert "not read: found.jsonl.gz:1: task 'toy/nowhere' is not in the benchmark" in done.stderr
    assert "1 wrong program for 2 tasks, in seeds/toy/imported.jsonl" in done.stderr


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("", "holds nothing that can be read"),
        ([{"task_id": "toy/spread"}], "gz:1: toy/spread: proposes nothing; give inputs"),
        ([{"task_id": "toy/spread", "inputs": ["(x,)"]}], "not read: found.jsonl.gz:1: toy/sp"),
        ([{**GOOD[0], "input": []}], "1: unknown field 'input'; did you mean 'inputs'? expec"),
        ([{**GOOD[0], "wrong": []}], "found.jsonl.gz:1: unknown field 'wrong'"),
        ([*GOOD[:1], {**GOOD[1], "Inputs": []}], "found.jsonl.gz:2: unknown field 'Inputs'"),
    ],
)  # fmt: skip
def test_a_file_without_seeds_leaves_what_was_imported_before(
    tmp_path: Path, rows: Any, words: str
) -> None:
    assert import_seeds(tmp_path, GOOD).status == 0
    path = tmp_path / "seeds" / "toy" / "imported.jsonl"
    before = path.read_bytes()
    done = import_seeds(tmp_path, rows)
    assert done.status == 3
    assert words in done.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("rows", "options", "status", "words"),
    [
        ([{"task_id": "toy/none"}], [], 3, "found.jsonl.gz:1: task 'toy/none' is not in the bench"),
        ([{"task_id": 7}], [], 3, "found.jsonl.gz:1: task 7 is not in the benchmark"),
        ([GOOD[0], GOOD[0]], [], 3, "found.jsonl.gz:2: toy/spread stands twice"),
        ([{"task_id": "toy/spread", "inputs": "([],)"}], [], 3, "inputs is '([],)', expected a"),
        ([{"task_id": "toy/spread", "inputs": [[]]}], [], 3, "inputs is [[]], expected a list"),
        ("oops", [], 3, "found.jsonl.gz:1: not JSON"),
        (GOOD, ["--origin", " "], 2, "--origin is empty"),
        (GOOD, ["--recordings", "/proc/nothing"], 4, "choose another"),
    ],
)  # fmt: skip
def test_wrong_use_is_said_in_a_line(
    tmp_path: Path, rows: Any, options: list[str], status: int, words: str
) -> None:
    done = import_seeds(tmp_path, rows, *options)
    assert done.status == status, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "seeds").exists()
