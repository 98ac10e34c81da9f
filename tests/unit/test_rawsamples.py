"""The file of raw samples: lines are added, a torn one is repaired, a foreign one is refused."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator.rawsamples import Kept, Key, RawSamples
from plusforge.oracle.errors import ConfigError, DataError, OutputError


def record(number: int = 0, raw: str = "four", **more: Any) -> dict[str, Any]:
    return {
        "task_id": "b/t", "entry_point": "f", "sample": number, "prompt": "p", "messages": [],
        "raw": raw, "finish": "stop", "model": "m", "answered_by": "m-1", "params": {},
        "requested": {"seed": 1}, "prompt_tokens": 1, "completion_tokens": 1,
        "prompt_sha256": "0", **more,
    }  # fmt: skip


def test_what_is_added_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.jsonl"
    with RawSamples(path) as file:
        file.add(record(0))
        file.add(record(1, " \n", finish="length", raw_extra="\ud800 ü"))
    with RawSamples(path) as file:
        assert list(file.read()) == [
            (Key("b/t", 0, "0", "m"), Kept("stop", False, '{"seed":1}', f"{path}:1")),
            (Key("b/t", 1, "0", "m"), Kept("length", True, '{"seed":1}', f"{path}:2")),
        ]
    assert path.read_bytes().isascii()


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_line_cut_short_is_taken_away(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "s.jsonl"
    with RawSamples(path) as file:
        file.add(record(0))
        file.add(record(1))
    whole = path.read_bytes()
    path.write_bytes(whole[: -1 - cut])
    with RawSamples(path) as file:
        assert [key.sample for key, _ in file.read()] == [0]
        file.add(record(1))
    assert path.read_bytes() == whole


def test_a_line_that_lacks_only_its_end_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(record(0)), encoding="utf-8")
    with RawSamples(path) as file:
        file.add(record(1))
        assert [key.sample for key, _ in file.read()] == [0, 1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("oops", "s.jsonl:2: not JSON"),
        ("[]", "s.jsonl:2: not a raw sample"),
        ('{"task_id": "b/t", "solution": "x"}', "missing: entry_point"),
        (json.dumps(record(raw=None)), "s.jsonl:2: not a raw sample"),  # type: ignore[arg-type]
    ],
)
def test_a_foreign_line_is_refused(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(f"{json.dumps(record())}\n{line}\n", encoding="utf-8")
    with RawSamples(path) as file, pytest.raises(DataError) as caught:
        list(file.read())
    assert words in str(caught.value)
    assert path.read_text(encoding="utf-8").endswith(f"{line}\n")


def test_two_runs_do_not_write_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with RawSamples(path), pytest.raises(ConfigError, match="another run is adding to it"):
        RawSamples(path)
    with RawSamples(path):
        pass


@pytest.mark.parametrize("name", ["s.jsonl.gz", "."])
def test_what_lines_cannot_be_added_to_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="plain file"):
        RawSamples(tmp_path / name)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with RawSamples(tmp_path / "s.jsonl") as file:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OutputError, match="No space left"):
            file.add(record())
