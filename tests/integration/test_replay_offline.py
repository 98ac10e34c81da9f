"""Replaying needs no network and no key, and gives the same bytes whatever runs it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from plusforge.generator.recordfile import REPLIES, write_records
from plusforge.oracle.benchmarks import load_benchmark

from tests.seeding import INPUTS_OF, good_reply, make_reply, write_benchmark
from tests.support import ROOT

NAMES = ("plus.jsonl.gz", "manifest.json", "rejected.json")


def cut_off() -> list[str]:
    """Return the beginning of a command that has no network; skip where that is not permitted."""
    command = ["unshare", "--user", "--map-root-user", "--net"]
    probe = "import socket; socket.create_connection(('127.0.0.1', 9))"
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare, which only Linux has")
    done = subprocess.run(
        [*command, sys.executable, "-c", probe], capture_output=True, text=True, check=False
    )
    if "unreachable" not in done.stderr:
        pytest.skip(f"network namespaces are not permitted here: {done.stderr.strip()[-80:]}")
    return command


def regenerate(
    folder: Path, *options: str, before: list[str] | None = None, hash_seed: str = "0"
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return subprocess.run(
        [*(before or []), sys.executable, "-m", "plusforge.generator", "regenerate", *options],
        cwd=folder, env={**clean, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def content(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in NAMES]


def recorded(folder: Path) -> Path:
    """Write the benchmark and what a model said about it; a set is among the arguments."""
    toy = write_benchmark(folder)
    (toy / "common.py").write_text(
        'def common(left: set[str], right: set[str]) -> int:\n    """Count."""\n'
        "    return len(left & right)\n\n\ndef test_one() -> None:\n"
        "    assert common({'pen', 'cup', 'key', 'x'}, {'pen', 'key'}) == 2\n"
    )
    replies = []
    for task in load_benchmark(str(toy)).tasks:
        if task.entry_point in INPUTS_OF:
            purposes = ["inputs", "wrong"] + ["contract"] * (task.contract is None)
            texts = {purpose: good_reply(task.entry_point, purpose) for purpose in purposes}
        else:
            rows = [{"class": "corner", "args": {"left": "{'a', 'b', 'c'}", "right": "set()"}}]
            texts = {"inputs": json.dumps({"inputs": rows})}
        replies += [make_reply(task, text, purpose) for purpose, text in texts.items()]
    write_records(folder / "seeds" / "toy" / REPLIES, replies)
    return folder


def test_without_network_and_key(tmp_path: Path) -> None:
    before = cut_off()
    recorded(tmp_path)
    options = ["toy", "--budget", "20", "--out"]
    assert regenerate(tmp_path, *options, "a").returncode == 0
    alone = regenerate(tmp_path, *options, "b", before=before)
    assert alone.returncode == 0, alone.stderr
    assert "seeds: 9 recordings replayed, no model asked" in alone.stderr
    assert content(tmp_path / "b") == content(tmp_path / "a")


@pytest.mark.slow
def test_hash_seeds_and_workers_change_nothing(tmp_path: Path) -> None:
    recorded(tmp_path)
    found = []
    for number, (jobs, hash_seed) in enumerate([("1", "1"), ("2", "2"), ("2", "random")]):
        done = regenerate(
            tmp_path, "toy", "--budget", "20", "--out", str(number), "--jobs", jobs,
            hash_seed=hash_seed,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
        assert [line for line in warnings if "no contract" not in line] == [], "another prompt?"
        found.append(content(tmp_path / str(number)))
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_the_embedded_suite_needs_neither_network_nor_key(tmp_path: Path) -> None:
    """As ``make regenerate-tests`` does it in a fresh clone: the committed bytes come out."""
    before = cut_off()
    done = regenerate(tmp_path, "starter", "--jobs", "2", "--quiet", before=before, hash_seed="7")
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "outputs" / "starter") == content(ROOT / "outputs" / "starter")
