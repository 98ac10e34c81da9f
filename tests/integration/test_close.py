"""``plusforge close``: survivors of a suite are killed, found equivalent, or stay unknown."""

import gzip
import json
import marshal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator import cli_close, closed
from plusforge.generator.closed import literal
from plusforge.generator.closing import Closed

from tests.seeding import Ran, run
from tests.support import needs_solver

TASK = '''
def total(items: list[int], extra: int) -> int:
    """Return the sum of the items and something extra."""
    result = extra
    for item in items:
        result += item
    return result


def contract(items: list[int], extra: int) -> None:
    assert extra < 1_000_000


def test_one() -> None:
    assert total([1, 2], 3) == 6
    assert total([], 0) == 0
'''.lstrip()

STAMP = '''
def hour(stamp: str) -> int:
    """Return the hour of a time written HH:MM."""
    return int(stamp[0]) * 10 + int(stamp[1])


def contract(stamp: str) -> None:
    assert len(stamp) == 5 and stamp[2] == ":"
    assert stamp[0] in "012" and stamp[1] in "0123456789" and stamp[3:] == "00"


def test_one() -> None:
    assert hour("07:00") == 7
    assert hour("10:00") == 10
'''.lstrip()

ANYTHING = '''
def first(items: list) -> object:
    """Return the first item, None when there is none."""
    return items[0] if items else None


def test_one() -> None:
    assert first([1, "a", None]) == 1
    assert first([]) is None
'''.lstrip()

BODY = "    result = extra\n    for item in items:\n        result += item\n    return result\n"
HEAD = "def total(items, extra):\n"
NEEDLE = f"{HEAD}    if extra == 123457 and len(items) == 3:\n        return 0\n{BODY}"
OUTSIDE = f"{HEAD}    if extra == 1234570:\n        return 0\n{BODY}"
SAME = HEAD + BODY.replace("= extra", "= 0").replace("return result", "return extra + result")
ENDLESS = f"{HEAD}    while extra == 123458:\n        pass\n{BODY}"
FORGED = f"""
import os, struct, sys
def total(items, extra):
    if "crosshair" in sys.modules:
        for payload in (b"([i", b"i\\x07\\x00\\x00\\x00", {marshal.dumps(([7], 7), 2)!r}):
            os.write(4, struct.pack("<BBHIII", 0, 0, 0, 0, len(payload), 0) + payload)
{BODY}"""
"""Proposes by itself, where the solver runs: no value, no arguments, and an input that is right."""

SAMPLES = {"needle": NEEDLE, "outside": OUTSIDE, "same": SAME, "endless": ENDLESS, "forged": FORGED}


@pytest.fixture(autouse=True)
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    toy = tmp_path / "toy"
    toy.mkdir()
    (toy / "total.py").write_text(TASK)


def write_samples(folder: Path, *names: str) -> str:
    rows = [{"task_id": "toy/total", "solution": SAMPLES[name]} for name in names]
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return "samples.jsonl"


def regenerate() -> None:
    made = run("regenerate", "toy", "--budget", "30", "--quiet")
    assert made.status == 0, made.stderr


def close(*options: str) -> tuple[Ran, dict[str, Any]]:
    done = run("close", "toy", "--json", *options)
    return done, json.loads(done.stdout) if done.stdout else {}


def by_name(report: dict[str, Any], task_id: str = "toy/total") -> dict[str, dict[str, Any]]:
    return {one["target"]: one for one in report["tasks"][task_id]["survivors"]}


@needs_solver
def test_from_survivor_to_suite(tmp_path: Path) -> None:
    regenerate()
    samples = write_samples(tmp_path, "needle", "same", "outside", "forged")
    done, report = close("--samples", samples)
    assert done.status == 0, done.stderr
    found = by_name(report)
    needle, same, outside, forged = (found[f"sample {number}"] for number in range(1, 5))
    assert needle["result"] == "killed"
    assert (len(needle["input"][0]), needle["input"][1]) == (3, 123457)
    assert same == {
        "target": "sample 2", "kind": "sample", "about": "sample 2", "result": "equivalent",
        "size": 3,
    }  # fmt: skip
    assert outside["result"] == "equivalent", "the contract keeps the difference out"
    assert forged["result"] == "unknown"
    assert "1 killed" in done.stderr
    assert "1 new input in seeds/toy/symbolic.jsonl" in done.stderr
    assert json.loads((tmp_path / "outputs/toy-survivors.json").read_text()) == report
    (line,) = (tmp_path / "seeds/toy/symbolic.jsonl").read_text().splitlines()
    record = json.loads(line)
    assert (record["kind"], record["origin"]) == ("symbolic", "symbolic")
    assert record["inputs"] == [literal((needle["input"][0], 123457))]

    # The recording is replayed, offline, and the needle is dead; the record stays.
    made = run("regenerate", "toy", "--budget", "30", "--samples", samples)
    assert "seeds: 1 recording replayed, no model asked" in made.stderr
    suite = gzip.decompress((tmp_path / "outputs/toy/plus.jsonl.gz").read_bytes()).decode()
    assert '"origin":"symbolic"' in suite
    before = (tmp_path / "seeds/toy/symbolic.jsonl").read_bytes()
    done, report = close("--samples", samples)
    assert "sample 1" not in by_name(report)
    assert report["totals"]["killed"] == 0
    assert (tmp_path / "seeds/toy/symbolic.jsonl").read_bytes() == before


@needs_solver
def test_the_size_grows_to_what_the_contract_wants(tmp_path: Path) -> None:
    (tmp_path / "toy/hour.py").write_text(STAMP)
    regenerate()
    same = "def hour(stamp):\n    return int(stamp[1]) + 10 * int(stamp[0])\n"
    row = {"task_id": "toy/hour", "solution": same}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row) + "\n")
    done, report = close("--samples", "samples.jsonl", "--tasks", "toy/hour")
    assert done.status == 0, done.stderr
    found = by_name(report, "toy/hour")["sample 1"]
    assert (found["result"], found["size"]) == ("equivalent", 5)


@needs_solver
def test_what_never_ends_stays_unknown_and_the_others_go_on(tmp_path: Path) -> None:
    regenerate()
    samples = write_samples(tmp_path, "endless", "needle")
    done, report = close("--samples", samples, "--cpu-limit", "1")
    assert done.status == 0, done.stderr
    endless, needle = (by_name(report)[f"sample {number}"] for number in (1, 2))
    assert (endless["result"], endless["why"]) == ("unknown", "time: the emergency stop")
    assert needle["result"] == "killed"


@needs_solver
def test_the_report_is_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    (tmp_path / "toy/first.py").write_text(ANYTHING)
    regenerate()
    samples = write_samples(tmp_path, "needle", "same")
    texts = []
    for jobs in ("1", "2"):
        done, report = close("--samples", samples, "--jobs", jobs, "--report", f"r{jobs}.json")
        assert done.status == 0, done.stderr
        texts.append((tmp_path / f"r{jobs}.json").read_bytes())
        assert all(
            one["why"].startswith("types: ") for one in by_name(report, "toy/first").values()
        )
    assert texts[0] == texts[1]


@needs_solver
def test_recordings_of_a_task_that_has_changed_are_dropped(tmp_path: Path) -> None:
    regenerate()
    samples = write_samples(tmp_path, "needle")
    path = tmp_path / "seeds/toy/symbolic.jsonl"
    close("--samples", samples)
    stale = path.read_text().replace('"task_sha256":"', '"task_sha256":"0')
    manual = '{"format":1,"inputs":["([],9)"],"kind":"manual","origin":"me","task_id":"toy/gone",'
    path.write_text(f'{manual}"task_sha256":""}}\n{stale}')
    close("--samples", samples)
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["kind"], second["kind"]) == ("manual", "symbolic")
    assert not second["task_sha256"].startswith("0" * 2)


@needs_solver
@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["nowhere"], 2, "suite 'nowhere' does not exist"),
        (["toy"], 2, "no plus.jsonl or plus.jsonl.gz in this folder"),
        (["outputs/toy", "--tasks", "x*"], 2, "matches none of the task ids"),
        (["outputs/toy", "--samples", "none.jsonl"], 2, "samples 'none.jsonl' do not exist"),
        (["outputs/toy", "--size", "-1"], 2, "--size"),
        (["outputs/toy", "--work", "0"], 2, "--work"),
        (["outputs/toy", "--cpu-limit", "nan"], 2, "--cpu-limit"),
        (["outputs/toy", "--report", "/proc/nothing/x"], 4, "/proc/nothing"),
    ],
)
def test_wrong_use(options: list[str], status: int, words: str) -> None:
    regenerate()
    done = run("close", "toy", *options)
    assert (done.status, words in done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr


@needs_solver
def test_a_suite_of_something_else(tmp_path: Path) -> None:
    regenerate()
    done = run("close", "starter", "outputs/toy")
    assert done.status == 2
    assert "task toy/total is not in starter" in done.stderr
    (tmp_path / "toy/total.py").write_text(TASK.replace("result += item", "result -= -item"))
    done = run("close", "toy")
    assert done.status == 3
    assert "the suite was made for other references" in done.stderr


def test_the_extra_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_close, "is_installed", lambda _library: False)
    done = run("close", "toy")
    assert done.status == 4
    assert "-m pip install crosshair-tool`" in done.stderr


@pytest.mark.parametrize(
    "args", [(1, -2.5, "a'b\n"), ({1: {2, 3}}, set(), frozenset()), ((1,), b"\x00", None, 1j)]
)
def test_literals_are_read_back(args: tuple[Any, ...]) -> None:
    assert literal(args) == repr(args)


@needs_solver
def test_a_report_goes_over_a_report_and_over_nothing_else(tmp_path: Path) -> None:
    regenerate()
    samples = write_samples(tmp_path, "same")
    for taken in (samples, "outputs/toy/manifest.json"):
        before = (tmp_path / taken).read_bytes()
        done, _ = close("--samples", samples, "--report", taken)
        assert (done.status, "would be lost" in done.stderr) == (2, True), done.stderr
        assert (tmp_path / taken).read_bytes() == before
    for _ in range(2):
        assert close("--samples", samples)[0].status == 0


def test_what_was_found_before_an_interruption_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy/hour.py").write_text(STAMP)
    regenerate()
    entry = {"n_targets": 2, "n_survivors": 1, "killed": 1, "equivalent": 0, "unknown": 0}

    def interrupted(_work: object, *, jobs: int) -> Iterator[Closed]:
        assert jobs == 1
        yield Closed("toy/total", {**entry, "survivors": []}, inputs=[([7], 123457)])
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_close, "is_installed", lambda _library: True)
    monkeypatch.setattr(cli_close, "close_all", interrupted)
    monkeypatch.setattr(closed, "version", lambda _name: "0")
    done, report = close()
    assert done.status == 130
    assert "interrupted: 1 of 2 tasks were not closed" in done.stderr
    assert (list(report["tasks"]), report["unfinished"]) == (["toy/total"], ["toy/hour"])
    assert report["totals"]["n_tasks"] == 1
    assert json.loads((tmp_path / "outputs/toy-survivors.json").read_text()) == report
    (line,) = (tmp_path / "seeds/toy/symbolic.jsonl").read_text().splitlines()
    assert json.loads(line)["inputs"] == ["([7], 123457)"]
