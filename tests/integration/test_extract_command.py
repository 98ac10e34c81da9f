"""``plusforge extract`` through the command line: files in, files out, exit statuses."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
from plusforge.generator.cli import main
from plusforge.generator.cli_extract import REPLY_FIELDS
from plusforge.oracle.about import VERSION
from plusforge.oracle.samples import read_samples
from plusforge.oracle.suitefile import read_suite

from tests.judging import ADD, MINUS, PROMPT, jsonl, record

COMMAND = [sys.executable, "-m", "plusforge.generator"]
RAW = f"Sure:\n```python\n{ADD}```\nIsn't it?\n"


class Done(NamedTuple):
    """What one run of the command line came to."""

    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    def __call__(self, *arguments: object) -> Done: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_here(*arguments: object) -> Done:
        status = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as exc:
            status = int(exc.code or 0)
        return Done(status, *capsys.readouterr())

    return run_here


def line(
    raw: Any = RAW, task_id: str = "t/add", name: str = "raw", **fields: Any
) -> dict[str, Any]:
    return {"task_id": task_id, name: raw, "entry_point": "add", **fields}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text().splitlines()]


def test_replies_become_samples_that_evaluate_judges(run: Run, tmp_path: Path) -> None:
    replies = jsonl(
        tmp_path / "replies.jsonl",
        [
            line(sample=0, model="m", prompt_sha256="ab", prompt=PROMPT, messages=[]),
            line(f"```\n{MINUS}```", sample=1, prompt=PROMPT),
            line("    return a + b\n", sample=2, prompt=PROMPT),
            line("I would rather not.", sample=3, prompt=PROMPT),
            line("<think>add or", sample=4, prompt=PROMPT),
        ],
    )
    suite = jsonl(tmp_path / "plus.jsonl", [record()])
    out = tmp_path / "samples.jsonl"
    done = run("extract", replies, "--out", out)
    assert done.returncode == 1
    assert "5 samples: 3 ok, 1 truncated, 1 no_code" in done.stderr
    assert f"{replies}:4: t/add: no_code: " in done.stderr
    assert not done.stdout
    first, *others = rows(out)
    assert first["solution"] == ADD
    assert (first["sample"], first["model"], first["prompt_sha256"]) == (0, "m", "ab")
    assert "raw" not in first
    assert not {"prompt", "messages"} & first.keys()
    assert first["extraction"]["outcome"] == "ok"
    assert first["extraction"]["version"] == VERSION
    assert len(first["extraction"]["raw_sha256"]) == 64
    assert [row["extraction"]["outcome"] for row in others] == ["ok", "ok", "no_code", "truncated"]
    assert all(row["extraction"]["reason"] for row in others[2:])
    assert len(read_samples(out, read_suite(suite).records).samples) == 5
    judged = subprocess.run(
        [*COMMAND, "evaluate", suite, out, "--json", "--no-cache", "--quiet"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert judged.returncode == 0, judged.stderr
    document = json.loads(judged.stdout)
    verdicts = [sample["base"] for sample in document["samples"]]
    assert verdicts == ["pass", "wrong", "pass", "load_error", "load_error"]
    assert document["pass_at_k"]["base"]["1"] == pytest.approx(2 / 5), "no sample is dropped"


@pytest.mark.parametrize("name", REPLY_FIELDS)
def test_the_reply_may_have_several_names(name: str, run: Run, tmp_path: Path) -> None:
    replies = jsonl(tmp_path / "r.jsonl", [line(name=name)])
    done = run("extract", replies)
    assert done.returncode == 0
    written = json.loads(done.stdout)
    assert written["solution"] == ADD
    assert set(written) == {"task_id", "entry_point", "solution", "extraction"}


def test_the_rawest_of_several_fields_is_taken(run: Run, tmp_path: Path) -> None:
    replies = jsonl(tmp_path / "r.jsonl", [line(solution=MINUS, completion=MINUS)])
    written = json.loads(run("extract", replies).stdout)
    assert written["solution"] == ADD
    assert "completion" not in written


def test_gzip_in_and_out(run: Run, tmp_path: Path) -> None:
    replies = tmp_path / "r.jsonl.gz"
    replies.write_bytes(gzip.compress(json.dumps(line()).encode() + b"\n"))
    out = tmp_path / "deep" / "s.jsonl.gz"
    assert run("extract", replies, "--out", out).returncode == 0
    assert json.loads(gzip.decompress(out.read_bytes()))["solution"] == ADD


def test_a_pipe_is_written_into(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        done = run("extract", jsonl(tmp_path / "r.jsonl", [line()]), "--out", pipe)
        assert reader.stdout is not None
        assert json.loads(reader.stdout.read())["solution"] == ADD
    assert done.returncode == 0
    assert pipe.is_fifo(), "a pipe is not replaced by a file"
    done = run("extract", tmp_path / "r.jsonl", "--out", "/dev/full")
    assert (done.returncode, "No space left" in done.stderr) == (4, True)


def test_a_benchmark_knows_entry_points_and_prompts(run: Run, tmp_path: Path) -> None:
    name = "sum_even_at_odd_index"
    body = "    return sum(n for n in numbers[1::2] if n % 2 == 0)\n"
    replies = jsonl(
        tmp_path / "r.jsonl",
        [
            {"task_id": f"starter/{name}", "raw": body},
            {"task_id": "starter/none", "raw": body},
            {"task_id": "mine/add", "raw": RAW, "entry_point": "add"},
        ],
    )
    done = run("extract", replies, "--bench", "starter")
    assert done.returncode == 3
    assert f"{replies}:2: task 'starter/none' is not in the benchmark" in done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert f"\ndef {name}(" in first["solution"]
    assert first["solution"].endswith(body)
    assert second["solution"] == ADD


def test_an_alias_is_taken_on_request(run: Run, tmp_path: Path) -> None:
    plus = ADD.replace("add", "plus")
    replies = jsonl(tmp_path / "r.jsonl", [line(plus)])
    done = run("extract", replies)
    assert done.returncode == 1
    assert "--alias" in done.stderr
    assert json.loads(done.stdout)["solution"] == plus
    done = run("extract", replies, "--alias")
    assert done.returncode == 0
    assert json.loads(done.stdout)["solution"] == f"{plus}\n\nadd = plus\n"


def test_a_reply_that_the_server_cut_counts_as_truncated(run: Run, tmp_path: Path) -> None:
    broken = ADD.replace("return a + b", "return (a +")
    replies = [line(broken, finish="length"), line(finish="length"), line(broken)]
    replies += [line(broken, finish_reason="length"), line(broken, finish="stop")]
    done = run("extract", jsonl(tmp_path / "r.jsonl", replies))
    outcomes = [json.loads(row)["extraction"]["outcome"] for row in done.stdout.splitlines()]
    assert outcomes == ["truncated", "ok", "does_not_compile", "truncated", "does_not_compile"]


def test_half_a_character_does_no_harm(run: Run, tmp_path: Path) -> None:
    text = json.dumps(line("def add(a, b):\n    return a + b  # \ud800\n"))
    replies = jsonl(tmp_path / "r.jsonl", [text])
    done = run("extract", replies)
    assert done.returncode == 0
    assert json.loads(done.stdout)["solution"] == ADD.rstrip() + "  # \ufffd\n"


def test_a_reply_that_is_null_is_an_empty_one(run: Run, tmp_path: Path) -> None:
    done = run("extract", jsonl(tmp_path / "r.jsonl", [line(None)]))
    assert done.returncode == 1
    assert json.loads(done.stdout)["extraction"]["outcome"] == "empty"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{", "not JSON"),
        ([1], "got list, expected one JSON object a line"),
        ({"raw": RAW}, "task_id is None, expected a string"),
        ({"task_id": "t/add", "entry_point": "add"}, "none of raw, reply, completion, solution"),
        (line([RAW]), "raw is a list, expected a string"),
    ],
    ids=["no json", "no object", "no id", "no reply", "several replies"],
)
def test_lines_that_are_no_replies_are_named(
    row: Any, words: str, run: Run, tmp_path: Path
) -> None:
    replies = jsonl(tmp_path / "r.jsonl", [line(), row, line()])
    done = run("extract", replies)
    assert done.returncode == 3
    assert f"{replies}:2: " in done.stderr
    assert words in done.stderr
    assert len(done.stdout.splitlines()) == 2, "the others are written"


def test_what_was_asked_for_must_be_known(run: Run, tmp_path: Path) -> None:
    replies = jsonl(tmp_path / "r.jsonl", [{"task_id": "t/add", "raw": RAW}])
    done = run("extract", replies)
    assert done.returncode == 2
    assert "--bench, or add entry_point" in done.stderr
    assert not done.stdout


def test_files_that_cannot_be_used(run: Run, tmp_path: Path) -> None:
    done = run("extract", tmp_path / "none.jsonl")
    assert (done.returncode, "do not exist" in done.stderr) == (2, True)
    done = run("extract", tmp_path / "none.jsonl", "--data", tmp_path)
    assert (done.returncode, "--data is where the benchmark of" in done.stderr) == (2, True)
    empty = jsonl(tmp_path / "empty.jsonl", [])
    done = run("extract", empty)
    assert (done.returncode, "holds no reply" in done.stderr) == (3, True)


def test_many_failures_are_counted_and_few_shown(run: Run, tmp_path: Path) -> None:
    done = run("extract", jsonl(tmp_path / "r.jsonl", [line("no") for _ in range(9)]))
    assert "... and 4 more of that kind" in done.stderr
    assert "9 samples: 9 no_code" in done.stderr
    done = run("extract", tmp_path / "r.jsonl", "--quiet")
    assert (done.returncode, done.stderr) == (1, "")
