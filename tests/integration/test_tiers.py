"""``evaluate --tier`` and ``plusforge minimize`` through the command line."""

import io
import json
import signal
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from plusforge.generator.cli import main
from plusforge.generator.kills import Hunt
from plusforge.generator.pipeline import Workbench
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.reference import prepare
from plusforge.oracle.suitefile import read_suite

from tests.judging import ADD, case, jsonl, record, released
from tests.suites import read_manifest
from tests.suites import read_suite as read_records

LARGE = "def add(a, b):\n    return a + b if abs(a) < 100 else 0\n"
"""Wrong only where an argument is large."""

NEGATIVE = "def add(a, b):\n    return a + b if a >= 0 else 1\n"

MAX = "def add(a, b):\n    if a > b:\n        return a\n    return b\n"


class Ran(NamedTuple):
    status: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Ran:
    """Run the command line here."""
    stdout, stderr = io.StringIO(), io.StringIO()
    status: Any = 0
    before = signal.getsignal(signal.SIGTERM)
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as exc:
            status = exc.code
        finally:
            signal.signal(signal.SIGTERM, before)
    ran = Ran(status or 0, stdout.getvalue(), stderr.getvalue())
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def in_tiers(*tiers: str) -> dict[str, Any]:
    return {"tiers": list(tiers)}


TIERED = [
    case(300, 100, 200) | in_tiers("nano", "mini", "full"),
    case(0, -4, 4) | in_tiers("mini", "full"),
    case(11, 5, 6) | in_tiers("full"),
]


# ---------------------------------------------------------------- evaluate --tier


def verdicts(suite: Path, samples: Path, *options: object) -> tuple[Any, dict[str, Any]]:
    ran = run("evaluate", suite, samples, "--json", "--quiet", *options)
    assert ran.status == 0, ran.stderr
    document = json.loads(ran.stdout)
    return [sample["plus"] for sample in document["samples"]], document


def test_each_tier_runs_its_tests_alone_whatever_ran_before(tmp_path: Path) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [record(plus=TIERED)])
    late = "def add(a, b):\n    return a + b if a != 5 else 0\n"
    codes = [ADD, LARGE, NEGATIVE, late]
    samples = jsonl(tmp_path / "s.jsonl", [{"task_id": "t/add", "solution": c} for c in codes])
    expected = {
        "full": ["pass", "wrong", "wrong", "wrong"],
        "mini": ["pass", "wrong", "wrong", "pass"],
        "nano": ["pass", "wrong", "pass", "pass"],
    }
    for tier in ("full", "nano", "mini", "full", "mini", "nano"):  # the second round is kept
        found, document = verdicts(suite, samples, "--tier", tier)
        assert found == expected[tier]
        assert document["settings"]["tier"] == tier
    assert verdicts(suite, samples)[1]["settings"]["tier"] == "full"


def test_a_task_without_tests_in_a_tier_has_no_plus_in_it(tmp_path: Path) -> None:
    only_full = [case(11, 5, 6) | in_tiers("full")]
    suite = jsonl(tmp_path / "plus.jsonl", [record(plus=only_full), record("t/two", plus=TIERED)])
    rows = [{"task_id": task_id, "solution": ADD} for task_id in ("t/add", "t/two")]
    samples = jsonl(tmp_path / "s.jsonl", rows)
    found, document = verdicts(suite, samples, "--tier", "nano", "--k", 1)
    assert found == [None, "pass"]
    assert document["tasks_without_plus"] == ["t/add"]
    assert document["pass_at_k"]["plus"]["1"] == 1.0
    assert verdicts(suite, samples)[1]["tasks_without_plus"] == []


def test_the_scores_say_of_which_tier_they_are(tmp_path: Path) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [record(plus=TIERED)])
    samples = jsonl(tmp_path / "s.jsonl", [{"task_id": "t/add", "solution": ADD}])
    told = run("evaluate", suite, samples, "--tier", "mini", "--k", 1).stdout.splitlines()
    assert told[1:] == [
        "  pass@1    base                       1.0000",
        "  pass@1    base and plus (tier mini)  1.0000",
    ]


@pytest.mark.parametrize("plus", [record()["plus"], [*TIERED, case(3, 1, 2)]])
def test_a_suite_without_tiers_says_how_to_make_them(tmp_path: Path, plus: list[Any]) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [record(plus=plus)])
    samples = jsonl(tmp_path / "s.jsonl", [{"task_id": "t/add", "solution": ADD}])
    ran = run("evaluate", suite, samples, "--tier", "nano")
    assert ran.status == 2
    assert "the plus tests of t/add are in no tiers; make a suite with tiers by" in ran.stderr
    assert run("evaluate", suite, samples, "--tier", "small").status == 2


def test_records_at_different_tiers_are_different_things_to_caches(tmp_path: Path) -> None:
    suite = read_suite(jsonl(tmp_path / "plus.jsonl", [record(plus=TIERED)]))
    digests = {suite.at(tier).records["t/add"].digest for tier in ("full", "mini", "nano")}
    assert len(digests) == 3
    assert suite.at("full") == suite
    assert [len(suite.at(t).records["t/add"].decode().plus) for t in ("full", "mini", "nano")] == [
        3, 2, 1
    ]  # fmt: skip


# ---------------------------------------------------------------- minimize


def minimized(suite: Path, out: Path, *options: object, status: int = 0) -> dict[str, Any]:
    ran = run("minimize", suite, "--out", out, "--json", *options)
    assert ran.status == status, ran.stderr
    manifest: dict[str, Any] = json.loads(ran.stdout)
    return manifest


def max_record(task_id: str = "t/max", **fields: Any) -> dict[str, Any]:
    """Return a task whose mutants want three kinds of inputs, most of them many times over."""
    plus = [case(2, 1, 2), case(9, 9, 3), case(2, 2, 2), case(7, 6, 7), case(8, 8, 1)]
    return record(task_id, MAX, base=[case(1, 0, 1)], plus=plus, **fields)


def test_nano_kills_what_the_suite_kills_and_each_of_its_tests_is_needed(tmp_path: Path) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [max_record()])
    manifest = minimized(suite, tmp_path / "out")
    entry = manifest["tasks"]["t/max"]
    assert entry["n_plus"] == entry["n_plus_before"] == 5
    assert entry["proved"]
    assert 0 < entry["n_killed"] <= entry["n_targets"]
    (line,) = read_records(tmp_path / "out")
    assert [test["order"] for test in line["plus"]] == [0, 1, 2, 3, 4]
    nano = [test for test in line["plus"] if "nano" in test["tiers"]]
    assert len(nano) == entry["n_nano"] == 2
    assert line["plus"][:2] == nano
    named = [set(test["why"]) for test in nano]
    assert all(named)
    assert named[0].isdisjoint(named[1])
    assert {tuple(test["args"]) for test in line["plus"]} == {
        (1, 2), (9, 3), (2, 2), (6, 7), (8, 1)
    }  # fmt: skip
    kept = minimized(suite, tmp_path / "nano", "--tier", "nano")
    assert kept["tasks"]["t/max"]["n_plus"] == 2
    assert read_records(tmp_path / "nano")[0]["plus"] == nano
    # what is left kills as much: minimized again, nothing changes
    again = minimized(tmp_path / "nano", tmp_path / "again", "--tier", "nano")
    assert again["tasks"]["t/max"]["n_killed"] == entry["n_killed"]
    assert read_records(tmp_path / "again")[0]["plus"] == nano


def test_wrong_samples_are_targets_that_right_and_broken_ones_are_not(tmp_path: Path) -> None:
    plus = [case(3, 1, 2), case(11, 5, 6), case(300, 100, 200), case(0, -4, 4)]
    suite = jsonl(tmp_path / "plus.jsonl", [record(plus=plus)])
    noisy = "def add(a, b):\n    while True:\n        print('x' * 1000)\n"
    codes = [ADD, LARGE, NEGATIVE, noisy, "def add(a, b:\n", "import os\nos._exit(0)\n"]
    rows = [{"task_id": "t/add", "solution": code} for code in codes]
    samples = jsonl(tmp_path / "s.jsonl", [*rows, {"task_id": "t/none", "solution": ADD}])
    entry = minimized(suite, tmp_path / "out", "--samples", samples, status=3)["tasks"]["t/add"]
    plain = minimized(suite, tmp_path / "plain")["tasks"]["t/add"]
    assert entry["n_targets"] == plain["n_targets"] + 2
    assert entry["left_out"] == {
        "sample 3": "timeout", "sample 4": "load_error", "sample 5": "crash"
    }  # fmt: skip
    (line,) = read_records(tmp_path / "out")
    why = {tuple(test["args"]): test["why"] for test in line["plus"] if "nano" in test["tiers"]}
    assert "sample 1" in why[(100, 200)]
    assert "sample 2" in why[(-4, 4)]
    assert entry["n_nano"] == 2


def test_known_wrong_programs_of_the_record_are_targets_by_their_names(tmp_path: Path) -> None:
    plus = [case(3, 1, 2), case(11, 5, 6), case(300, 100, 200), case(0, -4, 4)]
    same, broken = {"name": "wrong_not", "source": ADD}, {"name": "wrong_text", "source": "def ("}
    wrong = [{"name": "wrong_large", "source": LARGE}, same, broken]
    plain = minimized(jsonl(tmp_path / "a.jsonl", [record(plus=plus)]), tmp_path / "a")
    assert "n_wrong" not in plain["tasks"]["t/add"]
    suite = jsonl(tmp_path / "b.jsonl", [record(plus=plus, wrong=wrong)])
    entry = minimized(suite, tmp_path / "b")["tasks"]["t/add"]
    assert entry["n_wrong"] == 3
    assert entry["n_targets"] == plain["tasks"]["t/add"]["n_targets"] + 1
    assert entry["left_out"] == {"wrong_text": "load_error"}
    (line,) = read_records(tmp_path / "b")
    assert line["wrong"] == wrong, "minimized again, it has the same targets"
    why = {tuple(test["args"]): test["why"] for test in line["plus"] if "nano" in test["tiers"]}
    assert "wrong_large" in why[(100, 200)]


def test_minimize_has_the_targets_of_regenerate(tmp_path: Path) -> None:
    task_id = "starter/next_version"
    (task,) = load_benchmark("starter", tasks_glob=task_id).tasks
    made = run(
        "regenerate", "starter", "--tasks", task_id, "--budget", 60, "--blind", "--json",
        "--out", tmp_path / "suite",
    )  # fmt: skip
    assert made.status == 0, made.stderr
    entry = minimized(tmp_path / "suite", tmp_path / "tiers")["tasks"][task_id]
    assert entry["n_wrong"] == len(task.wrong) >= 3
    with Workbench() as bench:
        prepared = prepare(task, bench.first, bench.second).task
        with Hunt(prepared, bench.first) as hunt:
            n_targets = len(hunt.targets)
    assert entry["n_targets"] + entry.get("n_left_out", 0) == n_targets
    rows = [{"task_id": task_id, "solution": wrong.source} for wrong in task.wrong]
    samples = jsonl(tmp_path / "s.jsonl", rows)
    tier = run("evaluate", tmp_path / "tiers", samples, "--tier", "nano", "--json", "--quiet")
    found = json.loads(tier.stdout)["samples"]
    assert [one for one in found if (one["base"], one["plus"]) == ("pass", "pass")] == []


def test_a_suite_without_known_wrong_programs_is_named_where_that_matters(tmp_path: Path) -> None:
    suites = {
        "old": jsonl(tmp_path / "old.jsonl", [record()]),
        "none": jsonl(tmp_path / "none.jsonl", [record(wrong=[])]),
        "released": jsonl(tmp_path / "released.jsonl", [released()]),
    }
    for name, suite in suites.items():
        ran = run("minimize", suite, "--out", tmp_path / name)
        assert ran.status == 0
        said = [line for line in ran.stderr.splitlines() if "no known-wrong programs" in line]
        assert len(said) == (name == "old"), (name, ran.stderr)
    assert "for 1 task (t/add)" in run("minimize", suites["old"], "--out", tmp_path / "o").stderr
    assert run("minimize", suites["old"], "--out", tmp_path / "o", "--quiet").stderr == ""


@pytest.mark.parametrize("wrong", [3, [3], [{"name": "wrong_a"}], [{"name": 1, "source": ""}]])
def test_malformed_known_wrong_programs_fail_the_task_but_decide_no_verdict(
    tmp_path: Path, wrong: Any
) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [record(wrong=wrong, plus=TIERED), max_record()])
    ran = run("minimize", suite, "--out", tmp_path / "out")
    assert ran.status == 3
    assert "t/add: failed: " in ran.stderr
    assert "field 'wrong' of t/add is missing or malformed" in ran.stderr
    samples = jsonl(tmp_path / "s.jsonl", [{"task_id": "t/add", "solution": ADD}])
    assert verdicts(suite, samples)[0] == ["pass"]


def test_tests_that_are_left_out_as_too_large_are_counted_and_named(tmp_path: Path) -> None:
    long = "    return 'x' * a if b else a\n"
    inputs = [[5, 0], [20_000, 1], [30_000, 1]]
    rows = [
        released(canonical_solution=long, base_input=[[1, 0]], plus_input=inputs, test=(
            "def check(candidate):\n    assert candidate(1, 0) == 1\n")),
        released(task_id="HumanEval/901"),
    ]  # fmt: skip
    ran = run("minimize", jsonl(tmp_path / "f.jsonl", rows), "--out", tmp_path / "out")
    assert ran.status == 0
    (line,) = (line for line in ran.stderr.splitlines() if "left out" in line)
    assert line == (
        "warning: 2 plus tests of 1 task (HumanEval/900) left out: the outcome of each is longer "
        "than 16 KiB"
    )


def test_a_faulty_task_stops_no_other_and_odd_ones_are_named(tmp_path: Path) -> None:
    unkilled = "def add(a, b):\n    for _ in ():\n        a = b\n    return a + b\n"
    suite = jsonl(
        tmp_path / "plus.jsonl",
        [
            record("t/broken", "def add(a, b:\n"),
            record("t/wrong", "def add(a, b):\n    return a - b\n"),
            record("t/none", plus=[]),
            record("t/equal", unkilled, base=[case(0, 0, 0)], plus=[case(0, 0, 0)]),
            record("t/bare", "import operator\nadd = operator.add\n"),
            record("t/malformed", plus=[{"args": 3}]),
            max_record(),
        ],
    )
    ran = run("minimize", suite, "--out", tmp_path / "out", "--json")
    assert ran.status == 3
    tasks = json.loads(ran.stdout)["tasks"]
    failed = {name for name, entry in tasks.items() if entry["stop"] == "failed"}
    assert failed == {"t/broken", "t/wrong", "t/bare", "t/malformed"}
    for name in failed:
        assert len([x for x in ran.stderr.splitlines() if x.startswith(f"{name}: failed: ")]) == 1
    assert "single plus input" in tasks["t/equal"]["notes"][0]
    assert "no input to choose from" in tasks["t/none"]["notes"][0] or tasks["t/none"]["notes"]
    assert [one["task_id"] for one in read_records(tmp_path / "out")] == [
        "t/none", "t/equal", "t/max"
    ]  # fmt: skip
    assert read_manifest(tmp_path / "out")["totals"]["n_failed"] == 4


def test_where_nothing_is_killed_nano_is_one_test_and_the_task_is_named(tmp_path: Path) -> None:
    constant = "def add(a, b):\n    return None if a is b is None else None\n"
    suite = jsonl(
        tmp_path / "plus.jsonl",
        [record(reference=constant, base=[case(None, 1, 2)],
                plus=[case(None, 3, 4), case(None, 5, 6)], comparison={"kind": "not_none"})],
    )  # fmt: skip
    entry = minimized(suite, tmp_path / "out")["tasks"]["t/add"]
    assert entry["n_killed"] == 0
    assert entry["n_nano"] == 1
    assert "nano is one input" in entry["notes"][0]


def test_a_released_file_becomes_a_suite_with_tiers_and_outcomes(tmp_path: Path) -> None:
    inputs = [[5, 6], [-4, 4], [0, 0]]
    source = jsonl(tmp_path / "HumanEvalPlus.jsonl", [released(plus_input=inputs)])
    manifest = minimized(source, tmp_path / "out")
    assert manifest["benchmark"] == "HumanEvalPlus"
    (line,) = read_records(tmp_path / "out")
    assert {(*test["args"], test["expected"]) for test in line["plus"]} == {
        (5, 6, 11), (-4, 4, 0), (0, 0, 0)
    }  # fmt: skip
    assert [(test["args"], test["expected"]) for test in line["base"]] == [([1, 2], 3)]
    samples = jsonl(tmp_path / "s.jsonl", [{"task_id": "HumanEval/900", "solution": ADD}])
    assert verdicts(tmp_path / "out", samples, "--tier", "nano")[0] == ["pass"]


def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path) -> None:
    records = [max_record(f"t/{number}") for number in range(3)]
    suite = jsonl(tmp_path / "plus.jsonl", [*records, record("t/broken", "def add(a, b:\n")])
    for jobs in (1, 3):
        minimized(suite, tmp_path / f"jobs{jobs}", "--jobs", jobs, status=3)
    for name in ("plus.jsonl.gz", "manifest.json"):
        one, three = (tmp_path / f"jobs{jobs}" / name for jobs in (1, 3))
        assert one.read_bytes() == three.read_bytes()


def test_minimize_never_writes_over_its_suite(tmp_path: Path) -> None:
    suite = jsonl(tmp_path / "plus.jsonl", [max_record()])
    before = suite.read_bytes()
    ran = run("minimize", suite, "--out", tmp_path)
    assert ran.status == 2
    assert "holds the suite itself; name another folder" in ran.stderr
    assert suite.read_bytes() == before
    assert run("minimize", tmp_path / "none").status == 2
