"""``evaluate`` where paths, limits and streams are not what they usually are."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.judging import ADD, jsonl, record

COMMAND = [sys.executable, "-m", "plusforge.generator", "evaluate"]
WAIT_S = 120


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    jsonl(tmp_path / "suite.jsonl", [record()])
    jsonl(tmp_path / "samples.jsonl", [{"task_id": "t/add", "solution": ADD}])
    return tmp_path


def ran(folder: Path, *arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [*COMMAND, *map(str, arguments), "--k", "1"], cwd=folder, check=False, timeout=WAIT_S,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        **{"capture_output": True, "text": True, **options},
    )  # fmt: skip
    assert "Traceback" not in (done.stderr or "")
    return done


def feed(pipe: Path, content: str) -> None:
    """Write into a pipe as soon as somebody reads it, once."""
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=(content,), daemon=True).start()


@pytest.mark.parametrize("which", ["suite", "samples"])
def test_a_pipe_is_read_once(folder: Path, which: str) -> None:
    paths = {name: folder / f"{name}.jsonl" for name in ("suite", "samples")}
    content = paths[which].read_text()
    paths[which] = folder / "pipe"
    feed(paths[which], content)
    done = ran(folder, *paths.values(), "--tasks", "t/*", "--json")
    assert done.returncode == 0, done.stderr
    assert '"base": {"1": 1.0}' in done.stdout


@pytest.mark.parametrize("target", ["there.json", "not_yet.json"])
def test_a_link_is_written_through(folder: Path, target: str) -> None:
    (folder / "there.json").write_text('{"format": 1, "tool_version": "0"}')
    (folder / "out.json").symlink_to(target)
    assert ran(folder, "suite.jsonl", "samples.jsonl", "--out", "out.json").returncode == 0
    assert (folder / "out.json").is_symlink()
    assert (folder / target).read_text().startswith('{\n"format": 1')


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_name_too_long_is_told(folder: Path, place: int) -> None:
    arguments = ["suite.jsonl", "samples.jsonl", "--out", "out.json"]
    arguments[place] = "a" * 5000
    done = ran(folder, *arguments)
    assert done.returncode == 4
    assert "File name too long" in done.stderr


@pytest.mark.parametrize(
    "limit", [("--cpu-factor", "1e308"), ("--memory", 10**14), ("--cpu-limit", "1e-300")]
)
def test_limits_beyond_all_measure(folder: Path, limit: tuple[str, object]) -> None:
    done = ran(folder, "suite.jsonl", "samples.jsonl", "--json", *limit)
    assert done.returncode == 0, done.stderr
    assert '"base": {"1": 1.0}' in done.stdout


def test_a_suite_may_declare_no_end_of_memory(folder: Path) -> None:
    jsonl(folder / "suite.jsonl", [record(limits={"memory_mib": 10**12})])
    assert ran(folder, "suite.jsonl", "samples.jsonl").returncode == 0


def test_a_malformed_value_is_told_with_its_place(folder: Path) -> None:
    plus = [{"args": [{"$bytes": "0"}, 1], "expected": 1}]
    jsonl(folder / "suite.jsonl", [record(plus=plus)])
    done = ran(folder, "suite.jsonl", "samples.jsonl")
    assert done.returncode == 3
    assert "suite.jsonl:1: field 'plus' of t/add is missing or malformed" in done.stderr


def test_nobody_reads_stderr(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = ran(
            folder, "suite.jsonl", "samples.jsonl", "--json",
            capture_output=False, stdout=subprocess.PIPE, stderr=writing,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert '"base": {"1": 1.0}' in done.stdout


def test_all_standard_streams_are_closed(folder: Path) -> None:
    def close() -> None:
        os.closerange(0, 3)

    done = ran(
        folder, "suite.jsonl", "samples.jsonl", "--out", "out.json", "--no-cache",
        capture_output=False, preexec_fn=close,
    )  # fmt: skip
    assert done.returncode == 0
    assert '"base": {"1": 1.0}' in (folder / "out.json").read_text()
