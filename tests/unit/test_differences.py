"""What ``verify`` says of two suites that differ."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator.differences import differences
from plusforge.generator.publish import MANIFEST, REJECTED, SUITE

N_TASKS = 13


def files(n_tasks: int = N_TASKS, **settings: Any) -> dict[str, Any]:
    """Return a suite as data: its manifest, records and rejections."""
    ids = [f"t/{number}" for number in range(n_tasks)]
    tests = [{"args": [1], "expected": 1}, {"args": [2], "expected": 2}]
    return {
        MANIFEST: {"seed": 0, "budget": 5, "recordings_sha256": "0" * 64, **settings,
                   "suite_sha256": "x", "tasks": {one: {"n_plus": 2, "stop": "budget"}
                                                  for one in ids}},
        SUITE: [{"task_id": one, "references": ["r" * 100], "plus": list(tests)} for one in ids],
        REJECTED: {one: {} for one in ids},
    }  # fmt: skip


def rendered(data: dict[str, Any]) -> dict[str, str]:
    lines = "".join(json.dumps(record) + "\n" for record in data[SUITE])
    return {
        MANIFEST: json.dumps(data[MANIFEST]),
        SUITE: lines,
        REJECTED: json.dumps(data[REJECTED]),
    }


def written(data: dict[str, Any], folder: Path) -> Path:
    for name, text in rendered(data).items():
        content = text.encode()
        (folder / name).write_bytes(gzip.compress(content) if name == SUITE else content)
    return folder


def test_the_same_differs_in_nothing(tmp_path: Path) -> None:
    assert differences(rendered(files()), written(files(), tmp_path)) == []


def test_settings_are_quoted_whole(tmp_path: Path) -> None:
    new = files(seed=3, tasks_glob="t/*", recordings_sha256="1" * 64)
    assert differences(rendered(new), written(files(), tmp_path)) == [
        (
            f"{tmp_path / MANIFEST}: differs in seed: 0 there, 3 now; recordings_sha256: "
            f'"{"0" * 64}" there, "{"1" * 64}" now; tasks_glob: none there, "t/*" now'
        )
    ]


def test_each_task_says_why_the_first_ten_and_a_count(tmp_path: Path) -> None:
    new = files()
    for number in range(12):
        new[SUITE][number]["plus"] = [{"args": [9], "expected": 9}]
    new[SUITE][1] |= {"plus": new[SUITE][12]["plus"][::-1], "references": ["s" * 100]}
    new[MANIFEST]["tasks"]["t/2"] = {"n_plus": 1, "stop": "saturated"}
    found = differences(rendered(new), written(files(), tmp_path))
    assert found[:3] == [
        "t/0: differs in plus: 2 tests there, 1 now, 1 of them new",
        (
            "t/1: differs in references; plus: the same inputs in another order, or with other "
            "outcomes or labels"
        ),
        (
            "t/2: differs in plus: 2 tests there, 1 now, 1 of them new; n_plus: 2 there, 1 now; "
            'stop: "budget" there, "saturated" now'
        ),
    ]
    assert len(found) == 11
    assert found[-1] == "... and 2 more tasks"


def test_tasks_that_only_one_of_the_two_has(tmp_path: Path) -> None:
    folder = written(files(2), tmp_path)
    assert differences(rendered(files(3)), folder) == ["t/2: not in the suite that is there"]
    assert differences(rendered(files(1)), folder) == ["t/1: no longer in the benchmark"]
    gone = files(2)
    del gone[SUITE][0]
    assert differences(rendered(gone), folder) == [
        "t/0: differs in plus.jsonl.gz: a line there, none now"
    ]


def test_only_some_tasks_are_compared(tmp_path: Path) -> None:
    folder, new = written(files(), tmp_path), files(2)
    assert differences(rendered(new), folder, only="t/[01]") == []
    new[REJECTED]["t/1"] = {"type": {"count": 1}}
    assert differences(rendered(new), folder, only="t/[01]") == [
        "t/1: differs in examples in rejected.json"
    ]
    assert differences(rendered(files(2)), folder, only="t/[012]") == [
        "t/2: no longer in the benchmark"
    ]
    assert len(differences(rendered(files(2, seed=1)), folder, only="t/0")) == 1


def test_files_that_are_missing_or_of_others_are_named(tmp_path: Path) -> None:
    folder = written(files(), tmp_path)
    (folder / SUITE).unlink()
    assert differences(rendered(files()), folder) == [f"{folder / SUITE}: missing or unreadable"]
    written(files(), tmp_path)
    (folder / REJECTED).write_text("x" * 100)
    (line,) = differences(rendered(files()), folder)
    assert line.startswith(f"{folder / REJECTED}: differs from line 1 on: '{'x' * 80}'... there, ")


@pytest.mark.parametrize("name", [MANIFEST, REJECTED])
def test_what_is_no_fact_of_a_task_is_still_a_difference(name: str, tmp_path: Path) -> None:
    folder = written(files(1), tmp_path)
    path = folder / name
    path.write_text(f"{path.read_text()}\n\n")
    assert differences(rendered(files(1)), folder) == [f"{path}: differs (2 lines there, 1 now)"]
