"""A real small model is asked, and what it says is recorded, read and replayed."""

import json
from pathlib import Path

import pytest

from tests.localserver import local_model
from tests.seeding import run, write_benchmark

pytestmark = pytest.mark.slow


def test_from_a_real_model_to_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_benchmark(tmp_path)
    with local_model() as url:
        ask = ["seed", "toy", "--model", "local", "--base-url", url, "--timeout", "280", "--json",
               "--ask", "inputs", "--tasks", "toy/[ds]*", "--max-tokens", "300"]  # fmt: skip
        first = run(*ask)
        assert first.status == 0, first.stderr
        told = json.loads(first.stdout)
        assert told["replies"] == told["requests"]["inputs"] == 2
        assert told["inputs"] + len(told["unread"]) > 0
        path = tmp_path / "seeds" / "toy" / "replies.jsonl"
        before = path.read_bytes()
        again = run(*ask)
        assert (again.status, json.loads(again.stdout)["replies"]) == (0, 0)
        assert path.read_bytes() == before
        # The same questions, seed and model: the same answers.
        path.unlink()
        assert run(*ask).status == 0
        texts = [json.loads(line)["text"] for line in path.read_text().splitlines()]
        assert texts == [json.loads(line)["text"] for line in before.splitlines()]
    made = run("regenerate", "toy", "--budget", "10")
    assert made.status == 0, made.stderr
    assert "seeds: 2 recordings replayed, no model asked" in made.stderr
