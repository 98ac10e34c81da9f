"""``plusforge seed`` as people run it: what is recorded, going on after a stop, what is told."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator.recordfile import read_records

from tests.fakemodel import Answer, Body, FakeModel, completion, error, serving
from tests.seeding import (
    BAD,
    INPUTS_OF,
    Ran,
    good_model,
    good_reply,
    name_of,
    purpose_of,
    run,
    write_benchmark,
)
from tests.support import heed_interrupts

COMMAND = [sys.executable, "-m", "plusforge.generator"]
SEED = ["seed", "toy", "--model", "some/model", "--retries", "1"]
PATH = Path("seeds") / "toy" / "replies.jsonl"
ALL = 8
"""Requests: inputs and wrong programs of three tasks, contracts of two."""
CHEAP = [*SEED, "--ask", "wrong", "--answers", "3"]
"""Nine requests, and no input that would be tried in a sandbox."""
NINE = 9
WAIT_S = 120.0


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """Serve a good model that the environment names, and go to a folder with a benchmark."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    write_benchmark(tmp_path)
    with serving() as model:
        model.script = good_model
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        yield model


def seed(*options: object) -> Ran:
    return run(*SEED, *options)


def lines(path: Path = PATH) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def undated(path: Path = PATH) -> list[dict[str, Any]]:
    return [{**line, "date": ""} for line in lines(path)]


def manifest(folder: str = "outputs/toy") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(folder, "manifest.json").read_text())
    return found


def suite_bytes(folder: str = "outputs/toy") -> list[bytes]:
    names = ("plus.jsonl.gz", "manifest.json", "rejected.json")
    return [Path(folder, name).read_bytes() for name in names]


# --- what is recorded ----------------------------------------------------------------------------


def test_replies_are_recorded_with_all_that_made_them(server: FakeModel) -> None:
    ran = seed("--json", "--temperature", 0.3, "--seed", 40, "--answers", 2)
    assert ran.status == 0, ran.stderr
    found = lines()
    assert len(found) == len(server.bodies) == 2 * ALL
    order = [(line["task_id"], line["purpose"], line["number"]) for line in found]
    wanted = [
        (f"toy/{name}", purpose, number)
        for name in ("double", "halve", "spread")
        for purpose in ("inputs", "wrong", "contract")
        for number in (0, 1)
        if (name, purpose) != ("double", "contract")  # which declares one
    ]
    assert order == wanted
    for line in found:
        (sent,) = [body for body in server.bodies
                   if (f"toy/{name_of(body)}", purpose_of(body), body["seed"])
                   == (line["task_id"], line["purpose"], 40 + line["number"])]  # fmt: skip
        assert line["text"] == good_reply(name_of(sent), purpose_of(sent))
        assert line["params"] == {"temperature": 0.3, "max_tokens": 2048, "seed": sent["seed"]}
        assert (line["model"], line["answered_by"]) == ("some/model", "fake-1")
        assert (line["prompt_tokens"], line["completion_tokens"]) == (100, 50)
        assert (line["server"], line["template"]) == (server.url, f"{line['purpose']}/1")
        assert line["form"] == ("text" if line["purpose"] == "contract" else "json_schema")
        assert line["date"] == time.strftime("%Y-%m-%d", time.gmtime()) or line["date"] < "9"
    told = ran.told
    assert told["requests"] == {"contract": 4, "inputs": 6, "wrong": 6}
    assert (told["replies"], told["truncated"], told["empty"], told["faults"]) == (16, 0, 0, [])
    assert told["inputs"] == 2 * sum(map(len, INPUTS_OF.values())) == 18
    assert (told["usable_inputs"], told["rejections"]) == (9, {"duplicate": 9})
    assert told["usable_inputs_per_request"] == 1.5
    assert (told["prompt_tokens"], told["completion_tokens"]) == (1600, 800)
    assert (told["stale"], told["unread"], told["recorded_before"]) == ([], [], 0)


def test_what_is_recorded_is_not_asked_for_again(server: FakeModel) -> None:
    assert seed().status == 0
    before = PATH.read_bytes()
    PATH.write_bytes(before + before[:150])  # as a killed run leaves it
    again = seed("--json")
    assert (again.status, len(server.bodies), PATH.read_bytes()) == (0, ALL, before)
    assert again.told["recorded_before"] == ALL
    assert "requests not sent, as their replies are recorded: 8" in again.stderr
    some = seed("--tasks", "toy/[hs]*", "--ask", "inputs", "--seed", 99, "--temperature", 1)
    assert (some.status, len(server.bodies), PATH.read_bytes()) == (0, ALL, before)
    more = seed("--answers", 3, "--ask", "inputs", "--tasks", "toy/halve")
    assert (more.status, len(server.bodies)) == (0, ALL + 2)
    assert [line["number"] for line in lines() if line["task_id"] == "toy/halve"] == [0, 1, 2, 0, 0]
    other = seed("--model", "other")
    assert (other.status, len(server.bodies)) == (0, 2 * ALL + 2)
    PATH.unlink()
    for options in (["--tasks", "toy/s*"], ["--ask", "contract"], ["--tasks", "toy/d*"], []):
        assert seed(*options).status == 0
    assert PATH.read_bytes() == before, "the order of runs is not to be seen"


def test_a_line_by_hand_stays(server: FakeModel) -> None:
    run(*CHEAP)
    digest = lines()[0]["task_sha256"]
    mine = {"format": 1, "kind": "manual", "task_id": "toy/double", "task_sha256": digest,
            "origin": "me", "inputs": ["(17,)"]}  # fmt: skip
    with PATH.open("a") as file:
        file.write(json.dumps(mine) + "\n")
    assert run(*CHEAP).status == 0
    assert lines()[0] == mine
    assert len(lines()) == NINE + 1


def test_a_changed_task_is_asked_about_anew(server: FakeModel) -> None:
    seed()
    path = Path("toy", "halve.py")
    # A second reference: the prompt stays as it was.
    second = "\n\ndef reference_two(n: float) -> float:\n    return n * 0.5\n"
    path.write_text(path.read_text() + second)
    replayed = run("regenerate", "toy", "--budget", 5)
    outdated = "left out, as the task has changed since; ask again with `plusforge seed`: toy/halve"
    assert outdated in replayed.stderr
    ran = seed()
    assert (ran.status, len(server.bodies), len(lines())) == (0, ALL + 3, ALL)
    assert "changed since" not in ran.stderr
    path.rename("toy/half.py")
    Path("toy", "half.py").write_text(Path("toy", "half.py").read_text().replace("halve", "half"))
    gone = run("regenerate", "toy", "--budget", 5)
    assert "warning: recordings of tasks that the benchmark has not: toy/halve" in gone.stderr


def test_what_is_asked_of_no_task_is_said(server: FakeModel) -> None:
    ran = run(*SEED, "--ask", "contract", "--tasks", "toy/double")
    assert ran.status == 0
    assert "nothing to ask: contracts are asked for where there is none" in ran.stderr
    assert server.bodies == []


def test_what_was_just_asked_for_is_not_to_be_asked_again(server: FakeModel) -> None:
    assert run(*CHEAP, "--tasks", "toy/double").status == 0
    source = Path("toy/double.py").read_text()
    Path("toy/double.py").write_text(source.replace("twice a number", "the double"))
    other = [word.replace("some/model", "other") for word in CHEAP]
    ran = run(*other, "--tasks", "toy/double")
    assert "left out, as the task has changed since: toy/double" in ran.stderr
    assert "ask again" not in ran.stderr


def test_recordings_that_come_with_plusforge_are_called_that(
    server: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The clone's own folder of recordings, with nothing asked: nothing may be added to it here.
    monkeypatch.setattr("plusforge.generator.cli_seed.SEEDS_FOLDER", Path("seeds").resolve())
    ran = run(*CHEAP, "--tasks", "toy/double")
    assert "note: seeds/toy/replies.jsonl are the recordings that come with" in ran.stderr
    assert "come with plusforge" not in run(*CHEAP, "--recordings", "mine").stderr


def test_another_folder(server: FakeModel) -> None:
    assert seed("--ask", "wrong").status == 0
    ran = seed("--ask", "wrong", "--recordings", "mine/deep")
    assert (ran.status, len(server.bodies)) == (0, 6), "what lies elsewhere is not replayed there"
    assert undated(Path("mine/deep/replies.jsonl")) == undated()
    wrong = run("regenerate", "toy", "--recordings", "none")
    assert wrong.status == 2
    assert "--recordings none: no such folder" in wrong.stderr


# --- what goes wrong -----------------------------------------------------------------------------


def test_faults_refusals_and_cut_replies(server: FakeModel) -> None:
    """One reply is cut, one refused, one request fails; the others are whole."""

    def script(body: Body, number: int) -> Answer:
        text = good_reply(name_of(body), purpose_of(body))
        strange = {
            ("double", "inputs"): completion(text[:-60], finish="length"),
            ("halve", "inputs"): completion(None, refusal="no\x1b[31m"),
            ("halve", "wrong"): completion(""),
            ("spread", "contract"): error(400, "too\x1b[31m long"),
        }
        return strange.get((name_of(body), purpose_of(body)), completion(text))

    server.script = script
    ran = seed("--json", "--concurrency", 1)
    assert ran.status == 3
    told = ran.told
    assert (told["replies"], told["truncated"], told["empty"]) == (ALL - 1, 1, 2)
    assert len(told["faults"]) == 1
    assert told["faults"][0].startswith("toy/spread (contract): ")
    assert told["inputs"] == 5, "what is whole of a cut reply is used"
    assert "\x1b" not in ran.stderr
    assert "replies cut at --max-tokens: 1; what is whole is used" in ran.stderr
    assert "replies without text, refusals among them: 2" in ran.stderr
    assert "toy/halve: reply 0 of some/model (inputs) is empty (refusal)" in ran.stderr
    finishes = [line["finish"] for line in lines()]
    assert finishes == ["length", "stop", "refusal", "stop", "stop", "stop", "stop"]
    # What failed is asked for again, what was answered is not.
    server.script = good_model
    again = seed()
    assert (again.status, len(server.bodies), len(lines())) == (0, ALL + 1, ALL)


def test_a_model_that_answers_nonsense(server: FakeModel) -> None:
    texts = ["I cannot do that.", '{"inputs": [[[[', "[" * 20_000, '{"inputs": null}', "\x00\ufffe"]
    server.script = lambda _body, number: completion(texts[number % len(texts)])
    ran = seed("--json")
    assert ran.status == 0
    assert len(lines()) == ALL
    assert (ran.told["usable_inputs"], ran.told["usable_inputs_per_request"]) == (0, 0.0)
    assert len(ran.told["unread"]) >= ALL
    made = run("regenerate", "toy", "--budget", 5)
    assert made.status == 0
    assert "parts of recordings could not be read, e.g. toy/double: " in made.stderr
    assert made.stderr.count("; the rest is used") == 1


def test_a_key_that_is_refused(server: FakeModel) -> None:
    server.always(error(401, "who are you"))
    ran = run(*CHEAP, "--json")
    assert ran.status == 4
    assert "refuses the key (401): who are you" in ran.stderr
    assert ran.told["replies"] == 0
    assert not PATH.exists()
    expired = error(401, "expired")
    server.script = lambda body, number: good_model(body, 0) if number < 4 else expired
    assert run(*CHEAP, "--concurrency", 1).status == 4
    assert len(lines()) == 3
    server.script = good_model
    assert run(*CHEAP).status == 0
    assert len(lines()) == NINE


def test_the_budget_ends_a_run_and_a_larger_one_goes_on(server: FakeModel) -> None:
    limited = ["--max-tokens", 100, "--max-tokens-total", 9000, "--concurrency", 1]
    server.script = lambda body, _number: completion(
        good_reply(name_of(body), purpose_of(body)), usage=(2000, 90)
    )
    ran = run(*CHEAP, *limited, "--json")
    assert ran.status == 4
    assert "--max-tokens-total 9,000 is used up" in ran.stderr
    assert 0 < ran.told["replies"] == len(lines()) == len(server.bodies) < NINE
    assert ran.told["prompt_tokens"] + ran.told["completion_tokens"] <= 9000
    assert run(*CHEAP).status == 0
    assert len(lines()) == len(server.bodies) == NINE


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--temperature", "nan"], 2, "--temperature: got nan"),
        (["--ask", "proofs"], 2, "--ask"),
        (["--answers", "0"], 2, "--answers"),
        (["--tasks", "nothing"], 2, "matches none of the task ids"),
        (["--base-url", "http://me:secret@127.0.0.1:9/v1"], 2, "holds a user or password"),
        (["--base-url", "http://127.0.0.1:9/v1?k=secret"], 2, "http://127.0.0.1:9/v1: holds more"),
        (["--base-url", "http://127.0.0.1:9/v1#secret"], 2, "http://127.0.0.1:9/v1: holds more"),
        (["--base-url", "http://127.0.0.1:9/v1"], 4, "cannot be reached"),
        (["--recordings", "toy/double.py"], 2, "--recordings"),
        (["--recordings", "/proc/nothing"], 4, "replies cannot be kept"),
    ],
)
def test_wrong_use_is_said_in_a_line(
    server: FakeModel, options: list[str], status: int, words: str
) -> None:
    ran = seed(*options)
    assert ran.status == status, ran.stderr
    assert words in ran.stderr
    assert "secret" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert server.bodies == []
    assert not PATH.exists()


def test_a_damaged_file_of_recordings_is_named(server: FakeModel) -> None:
    seed("--ask", "wrong")
    whole = PATH.read_bytes()
    PATH.write_bytes(whole.replace(b'"number":0', b'"number":-', 1))
    for arguments in ([*SEED], ["regenerate", "toy"]):
        ran = run(*arguments)
        assert ran.status == 3
        assert f"{PATH}:1: not JSON" in ran.stderr
    assert len(server.bodies) == 3


def test_a_file_that_another_run_writes(server: FakeModel) -> None:
    answers: list[Ran] = []

    def script(body: Body, number: int) -> Answer:
        if number == 0:
            done = subprocess.run([*COMMAND, *CHEAP], capture_output=True, text=True, check=False)
            answers.append(Ran(done.returncode, done.stdout, done.stderr))
        return good_model(body, number)

    server.script = script
    assert run(*CHEAP).status == 0
    (other,) = answers
    assert other.status == 2
    assert "another run is adding to it" in other.stderr
    assert len(server.bodies) == len(lines()) == NINE


# --- stopped -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_stopped_half_way_and_gone_on_with(server: FakeModel, sent: signal.Signals) -> None:
    assert run(*CHEAP, "--recordings", "undisturbed").status == 0
    first = len(server.bodies)
    stopping = True

    def script(body: Body, number: int) -> Answer:
        if stopping and number >= first + 3:
            server.closing.wait(10)  # the run is stopped while these are under way
        return good_model(body, number)

    server.script = script
    process = subprocess.Popen(
        [*COMMAND, *CHEAP, "--concurrency", "2"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heed_interrupts,
    )  # fmt: skip
    with process:
        deadline = time.monotonic() + WAIT_S
        while len(server.bodies) < first + 5 or not PATH.exists() or len(lines()) < 3:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.02)
        process.send_signal(sent)
        stdout, stderr = process.communicate(timeout=WAIT_S)
    if sent != signal.SIGKILL:
        assert process.returncode == 130, stderr
        assert "interrupted; what came is kept: the same command goes on" in stderr
    assert stdout == ""
    assert "Traceback" not in stderr
    assert len(lines()) == 3
    stopping = False
    before = len(server.bodies)
    assert run(*CHEAP).status == 0
    assert len(server.bodies) == before + NINE - 3, "nothing is asked twice"
    assert undated() == undated(Path("undisturbed/replies.jsonl"))
    assert read_records(PATH)


# --- the suite -----------------------------------------------------------------------------------


def test_live_then_replayed_gives_the_same_bytes(server: FakeModel) -> None:
    live = ["regenerate", "toy", "--budget", 20, "--live", "--model", "some/model"]
    ran = run(*live, "--json")
    assert ran.status == 0, ran.stderr
    assert len(server.bodies) == ALL
    assert ran.told["recordings_sha256"] == manifest()["recordings_sha256"]
    first = suite_bytes()
    replayed = run("regenerate", "toy", "--budget", 20)
    assert (replayed.status, len(server.bodies)) == (0, ALL)
    assert "seeds: 8 recordings replayed, no model asked" in replayed.stderr
    assert suite_bytes() == first
    assert run("verify", "toy").status == 0
    # Another day, and nothing else: nothing changes.
    PATH.write_text(PATH.read_text().replace('"date":"2', '"date":"1'))
    assert run("verify", "toy").status == 0
    whole = PATH.read_text().splitlines(keepends=True)
    PATH.write_text("".join(whole[:-1]))
    fewer = run("verify", "toy")
    assert fewer.status == 1, "each recording counts"
    assert "manifest.json: differs" in fewer.stderr
    for name in ("halve", "spread"):
        notes = manifest()["tasks"][f"toy/{name}"]["notes"]
        assert notes == ["contract proposed by some/model: taken, correct it if need be"]
    plus = gzip.decompress(first[0]).decode()
    assert '"origin":"llm:some/model"' in plus
    assert all(repr(value) not in plus for value in BAD.values() if isinstance(value, str))
    blind = run("regenerate", "toy", "--budget", 20, "--blind", "--out", "blind")
    assert blind.status == 0
    assert "recordings_sha256" not in manifest("blind")
    assert b"llm:" not in gzip.decompress(suite_bytes("blind")[0])


def test_live_goes_on_without_what_came_to_nothing(server: FakeModel) -> None:
    def script(body: Body, number: int) -> Answer:
        return error(400, "no") if purpose_of(body) == "wrong" else good_model(body, number)

    server.script = script
    ran = run("regenerate", "toy", "--budget", 5, "--live", "--model", "m", "--quiet")
    assert ran.status == 0
    assert "toy/halve (wrong): " in ran.stderr
    assert len(lines()) == 5


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--live"], 2, "--live needs --model"),
        (["--live", "--model", "m", "--blind"], 2, "--blind leaves out"),
        (["--model", "m"], 2, "go with --live"),
        (["--base-url", "http://x/v1"], 2, "go with --live"),
        (["--live", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"], 4, "cannot be reached"),
        (["--live", "--model", "m", "--base-url", "nowhere"], 2, "expected an address"),
    ],
)
def test_live_used_wrongly(server: FakeModel, options: list[str], status: int, words: str) -> None:
    ran = run("regenerate", "toy", "--budget", 5, *options)
    assert ran.status == status, ran.stderr
    assert words in ran.stderr
    assert not Path("outputs", "toy", "manifest.json").exists()


# --- secrets -------------------------------------------------------------------------------------

KEY = "sk-proj-THEKEY-0123456789"


LIVE = ["regenerate", "toy", "--budget", "5", "--jobs", "2", "--live", "--model", "m", "--json"]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([*CHEAP, "--json"], id="seed"),
        pytest.param(LIVE, id="live", marks=pytest.mark.slow),
    ],
)
def test_neither_key_nor_password_shows_anywhere(
    server: FakeModel, tmp_path: Path, command: list[str]
) -> None:
    def echoing(body: Body, number: int) -> Answer:
        if number == 2:
            return error(400, f"bad {KEY}")
        text = good_reply(name_of(body), purpose_of(body))
        return completion(text + f"\nyour key is {KEY}")

    server.script = echoing
    # A child of the run that looks at its environment, and at that of its parents.
    spy = Path("toy", "spread.py")
    spy.write_text(spy.read_text().replace("def test_one", "import os\n\n\ndef test_one").replace(
        "== 3\n", "== 3\n    assert 'OPENAI_API_KEY' not in os.environ\n"))  # fmt: skip
    program = (
        "import logging, sys; logging.basicConfig(level=logging.DEBUG)\n"
        "from plusforge.generator.cli import main; main(sys.argv[1:])"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        env={**clean, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, "OPENAI_LOG": "debug"},
        capture_output=True, text=True, timeout=WAIT_S, check=False,
    )  # fmt: skip
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    written = b"".join(path.read_bytes() for path in files)
    assert KEY.encode() not in written
    assert KEY not in done.stdout + done.stderr
    assert "DEBUG:" in done.stderr, "nothing was logged: is this test still one?"
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    assert b"your key is [key]" in written
    assert {line["server"] for line in lines()} == {server.url}
    assert len(lines()) == len(server.bodies) - 1
    assert done.returncode == (3 if command[0] == "seed" else 0), done.stderr
