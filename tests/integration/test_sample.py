"""``plusforge sample`` as people run it: what is kept, what is told, and going on after a stop."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from plusforge.generator.cli import main

from tests.fakemodel import Answer, Body, FakeModel, completion, error, serving
from tests.support import heed_interrupts

COMMAND = [sys.executable, "-m", "plusforge.generator", "sample"]
FEW = ["starter", "--model", "some/model", "--tasks", "starter/s*", "--retries", "1"]
WAIT_S = 120.0


class Ran(NamedTuple):
    """What one run came to."""

    status: int
    stdout: str
    stderr: str


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """Serve a model that the environment names, and go to an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving() as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        yield model


def sample(*options: object, arguments: list[str] = FEW) -> Ran:
    """Run the command line here: a process of its own takes a second."""
    out, err, before = io.StringIO(), io.StringIO(), signal.getsignal(signal.SIGTERM)
    status = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(["sample", *arguments, *map(str, options)])
        except SystemExit as exc:
            status = int(exc.code or 0)
        finally:
            signal.signal(signal.SIGTERM, before)
    return Ran(status, out.getvalue(), err.getvalue())


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def names(path: Path) -> list[tuple[str, int]]:
    return [(line["task_id"], line["sample"]) for line in lines(path)]


def test_samples_are_kept_with_all_that_made_them(server: FakeModel, tmp_path: Path) -> None:
    server.always(completion("```python\nx\n```", usage=(11, 7)))
    ran = sample("--n", 2, "--temperature", 0.8, "--seed", 40)
    path = tmp_path / "outputs" / "samples" / "starter--some_model.jsonl"
    found = lines(path)
    count = len({line["task_id"] for line in found})
    assert (ran.status, ran.stdout) == (0, "")
    assert len(found) == len(set(names(path))) == 2 * count >= 4
    assert f"{2 * count} of {2 * count} samples in outputs/samples/" in ran.stderr
    name = "outputs/samples/starter--some_model"
    assert ran.stderr.splitlines()[-1] == (
        f"next: plusforge extract {name}.jsonl --out {name}.programs.jsonl, then plusforge "
        f"evaluate SUITE {name}.programs.jsonl"
    )
    line = min(found, key=lambda line: (line["task_id"], -line["sample"]))
    bodies = [body for body in server.bodies if body["seed"] == 41]
    (sent,) = [body for body in bodies if body["messages"] == line["messages"]]
    assert sent["model"] == line["model"] == "some/model"
    assert f"`{line['entry_point']}`" in sent["messages"][0]["content"]
    assert line["prompt"].strip() in sent["messages"][0]["content"]
    wanted = {"temperature": 0.8, "max_tokens": 2048}
    assert line["params"] == {**wanted, "seed": 41}
    assert line["requested"] == {**wanted, "seed": 40}
    assert (line["raw"], line["finish"]) == ("```python\nx\n```", "stop")
    assert line["answered_by"] == "fake-1"
    assert (line["prompt_tokens"], line["completion_tokens"], line["sample"]) == (11, 7, 1)
    assert (line["template"], len(line["prompt_sha256"])) == ("sample/1", 64)


def test_what_is_there_is_not_asked_for_again(server: FakeModel, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    assert sample("--out", path).status == 0
    before = path.read_bytes()
    asked = len(server.bodies)
    path.write_bytes(before + before[:100])  # as a killed run leaves it
    again = sample("--out", path)
    assert (again.status, len(server.bodies), path.read_bytes()) == (0, asked, before)
    assert f"0 drawn now, {asked} from before" in again.stderr
    more = sample("--out", path, "--n", 3)
    assert (more.status, len(server.bodies)) == (0, 3 * asked)
    assert path.read_bytes().startswith(before)
    other = sample("--out", path, "--n", 1, "--model", "other")
    assert (other.status, len(server.bodies)) == (0, 4 * asked)
    assert f"{3 * asked} further lines of other models" in other.stderr


@pytest.mark.parametrize(
    ("content", "options", "status", "words"),
    [
        (b'{"task_id": "x", "solution": "y"}\n', [], 2, "s.jsonl is not a file of raw samples"),
        (b"oops\n", [], 2, "s.jsonl is not a file of raw samples"),
        (b'{"prompt_sha256": "x"}\n', [], 3, "s.jsonl:1: not a raw sample"),
        (b"", ["--max-cost", "1"], 2, "--price-in and --price-out"),
        (b"", ["--price-in", "1"], 2, "give both or neither"),
        (b"", ["--max-cost", "nan", "--price-in", "1", "--price-out", "1"], 2, "--max-cost"),
        (b"", ["--temperature", "nan"], 2, "--temperature: got nan"),
        (b"", ["--n", "0"], 2, "--n"),
        (b"", ["--base-url", "localhost:80"], 2, "expected an address such as http://"),
        (b"", ["--base-url", "https://api.openai.com/v1"], 2, "set OPENAI_API_KEY"),
        (b"", ["--base-url", "http://127.0.0.1:9/v1"], 4, "cannot be reached"),
        (b"", ["--tasks", "nothing"], 2, "matches none of the task ids"),
        (b"", ["--out", "."], 2, "plain file"),
        (b"", ["--out", "/proc/nothing/s.jsonl"], 4, "samples cannot be kept"),
    ],
)
def test_wrong_use_is_said_in_a_line(
    server: FakeModel, tmp_path: Path, content: bytes, options: list[str], status: int, words: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    ran = sample("--out", path, *options)
    assert ran.status == status, ran.stderr
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (path.read_bytes(), server.bodies) == (content, [])


def test_samples_drawn_otherwise_are_not_mixed_in(server: FakeModel, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    sample("--out", path, "--temperature", 0.2)
    before = path.read_bytes()
    ran = sample("--out", path, "--temperature", 0.8)
    assert (ran.status, path.read_bytes()) == (2, before)
    assert '"temperature":0.2' in ran.stderr
    assert "give the same options, or name another file" in ran.stderr


def test_what_went_wrong_is_counted_and_told(server: FakeModel, tmp_path: Path) -> None:
    """One reply is cut, one empty, one refused, one request fails; the others are whole."""
    answers = [
        completion("x", finish="length"),
        completion(""),
        completion(None, refusal="no"),
        error(400, "too\x1b[31m long"),
    ]
    server.say(*answers)
    options = ["--out", "s.jsonl", "--n", 2, "--concurrency", 1]
    ran = sample(*options, "--json")
    total = len(server.bodies)
    assert ran.status == 3
    told = json.loads(ran.stdout)
    assert (told["n_wanted"], told["n_samples"], told["drawn"]) == (total, total - 1, total - 1)
    assert (told["truncated"], told["empty"], told["refused"]) == (1, 2, 1)
    assert told["truncation_rate"] == pytest.approx(1 / (total - 1))
    (failure,) = told["failures"]
    assert (failure["kind"], failure["sample"]) == ("status", 3 // (total // 2))
    assert f"1 of {total - 1} samples" in ran.stderr
    assert "cut at the limit of 2048 tokens; --max-tokens raises it" in ran.stderr
    assert "2 samples without text, 1 of them refused" in ran.stderr
    assert "answers 400: too [31m long" in ran.stderr
    assert "\x1b" not in ran.stderr
    finishes = [line["finish"] for line in lines(tmp_path / "s.jsonl")]
    assert finishes[:4] == ["length", "stop", "refusal", "stop"]
    # The one that failed is asked for again; what the others lack stays on record.
    again = sample(*options, "--json")
    assert (again.status, len(server.bodies)) == (3, total + 1)
    told = json.loads(again.stdout)
    assert (told["n_samples"], told["drawn"], told["empty"]) == (total, 1, 2)
    assert told["failures"] == []


def test_the_budget_ends_a_run_and_a_larger_one_goes_on(server: FakeModel, tmp_path: Path) -> None:
    server.always(completion(usage=(500, 500)))
    prices = ["--price-in", 1, "--price-out", 3, "--max-tokens", 600, "--out", "s.jsonl", "--n", 3]
    ran = sample(*prices, "--max-cost", 0.01, "--json")
    told = json.loads(ran.stdout)
    assert ran.status == 4
    assert "--max-cost 0.01 is used up" in ran.stderr
    assert "raise the limit to go on" in ran.stderr
    assert 0.006 <= told["cost_usd"] <= 0.01
    assert told["n_samples"] == len(server.bodies) == round(told["cost_usd"] / 0.002)
    assert sample(*prices, "--max-cost", 1).status == 0
    assert len(set(names(tmp_path / "s.jsonl"))) == len(server.bodies) == told["n_wanted"]


def test_a_key_that_is_refused_half_way_costs_nothing_that_came(
    server: FakeModel, tmp_path: Path
) -> None:
    server.script = lambda _body, number: completion() if number < 3 else error(401, "expired")
    ran = sample("--out", "s.jsonl", "--n", 9, "--concurrency", 1)
    assert ran.status == 4
    assert "refuses the key (401): expired" in ran.stderr
    assert len(names(tmp_path / "s.jsonl")) == 3


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_half_way(server: FakeModel, tmp_path: Path, sent: signal.Signals) -> None:
    stopping = True

    def script(_body: Body, number: int) -> Answer:
        if stopping and number >= 6:
            server.closing.wait(10)  # the run is interrupted while these are under way
        return completion()

    server.script = script
    path = tmp_path / "s.jsonl"
    arguments = [*FEW, "--out", str(path), "--n", "5", "--concurrency", "4"]
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=heed_interrupts,
    )  # fmt: skip
    with process:
        deadline = time.monotonic() + WAIT_S
        while len(server.bodies) < 10 or len(path.read_bytes().splitlines()) < 6:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.02)
        process.send_signal(sent)
        stdout, stderr = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert "interrupted; what came is kept: the same command goes on" in stderr
    assert "Traceback" not in stderr
    kept = names(path)
    assert len(kept) == 6
    stopping = False
    done = sample(arguments=arguments)
    assert done.status == 0
    whole = names(path)
    assert whole[:6] == kept
    tasks = {task_id for task_id, _ in whole}
    assert sorted(whole) == sorted((task_id, number) for task_id in tasks for number in range(5))
