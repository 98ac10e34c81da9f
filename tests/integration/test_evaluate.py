"""``plusforge evaluate`` through the real command line: verdicts, scores, bad input, resuming."""

import gzip
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from plusforge.generator.cli import main
from plusforge.oracle import evaluate
from plusforge.oracle.verdictlog import VerdictLog

from tests.judging import ADD, MINUS, PROMPT, case, jsonl, record
from tests.support import heed_interrupts

COMMAND = [sys.executable, "-m", "plusforge.generator", "evaluate"]
WAIT_S = 120.0
"""Far beyond what any run here takes: a hang is a failure, a slow machine is none."""

SLOW = "def add(a, b):\n    for _ in range({}):\n        pass\n    return a + b\n"
"""Right, after some idle turns."""


class Ran(NamedTuple):
    """What one run of the command line came to."""

    status: int
    stdout: str
    stderr: str

    def document(self) -> dict[str, Any]:
        """Return the one JSON document that stdout is."""
        found: dict[str, Any] = json.loads(self.stdout)
        return found

    def line(self, *words: str) -> str:
        """Return the one line of stderr that has the words; there must be no traceback."""
        assert "Traceback" not in self.stderr, self.stderr
        found = [text for text in self.stderr.splitlines() if all(word in text for word in words)]
        assert len(found) == 1, f"{len(found)} lines with {words} in:\n{self.stderr}"
        return found[0]


class Bench:
    """A folder with a suite, samples and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache)}

    def suite(self, *records: dict[str, Any]) -> Path:
        return jsonl(self.folder / "plus.jsonl", records or [record()])

    def samples(self, *codes: str, task_id: str = "t/add") -> Path:
        return self.rows([{"task_id": task_id, "solution": code} for code in codes or [ADD]])

    def rows(self, rows: Sequence[Any]) -> Path:
        return jsonl(self.folder / "samples.jsonl", rows)

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        """Start ``plusforge evaluate`` on suite and samples, or on what is named."""
        return subprocess.Popen(
            [*COMMAND, *map(str, arguments)], env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=heed_interrupts,
        )  # fmt: skip

    def run_on(self, suite: Path, samples: Path, *options: object, apart: bool = False) -> Ran:
        """Run the command line here, or apart in a process of its own: that costs a second."""
        if not apart:
            return self.run_here([suite, samples, *options])
        process = self.start(suite, samples, *options)
        stdout, stderr = process.communicate(timeout=WAIT_S)
        return Ran(process.returncode, stdout, stderr)

    def run_here(self, arguments: Sequence[object]) -> Ran:
        stdout, stderr = io.StringIO(), io.StringIO()
        status: Any = 0
        before = signal.getsignal(signal.SIGTERM)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", self.environment["XDG_CACHE_HOME"])
            with redirect_stdout(stdout), redirect_stderr(stderr):
                try:
                    main(["evaluate", *map(str, arguments)])
                except SystemExit as exc:
                    status = exc.code
                finally:
                    signal.signal(signal.SIGTERM, before)
        return Ran(status or 0, stdout.getvalue(), stderr.getvalue())

    def run(self, *options: object, apart: bool = False) -> Ran:
        suite, samples = self.folder / "plus.jsonl", self.folder / "samples.jsonl"
        return self.run_on(suite, samples, *options, apart=apart)

    def judged(self, *options: object, status: int = 0) -> dict[str, Any]:
        """Run with ``--json`` and return the document."""
        ran = self.run("--json", *options)
        assert ran.status == status, ran.stderr
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran.document()

    def log(self) -> Path:
        """Return the one log of verdicts."""
        (found,) = (self.cache / "plusforge" / "verdicts").iterdir()
        return found

    def kept(self) -> int:
        """Return how many verdicts the log holds."""
        logs = list((self.cache / "plusforge" / "verdicts").glob("*"))
        return sum(path.read_bytes().count(b"\n") for path in logs)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.suite()
    made.samples()
    return made


def verdicts(document: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(sample["base"], sample["plus"]) for sample in document["samples"]]


# ---------------------------------------------------------------- the document


def test_the_document_has_the_promised_fields(bench: Bench) -> None:
    bench.suite(record(), record("t/two"), record("t/none"))
    bench.rows(
        [
            {"task_id": "t/two", "completion": "    return a + b + (a > 4)\n"},
            {"task_id": "t/add", "solution": ADD},
            {"task_id": "t/two", "solution": MINUS},
            {"task_id": "t/two", "solution": ADD},
        ]
    )
    found = bench.judged("--k", "1,3")
    assert [(one["task_id"], one["sample"]) for one in found["samples"]] == [
        ("t/two", 0), ("t/add", 0), ("t/two", 1), ("t/two", 2)
    ]  # fmt: skip
    assert verdicts(found) == [
        ("pass", "wrong"), ("pass", "pass"), ("wrong", None), ("pass", "pass")
    ]  # fmt: skip
    first, passed, second, _ = (one["first_failure"] for one in found["samples"])
    assert passed is None
    assert {key: first[key] for key in ("suite", "index", "args", "expected", "got")} == {
        "suite": "plus", "index": 0, "args": [5, 6], "expected": 11, "got": 12
    }  # fmt: skip
    assert isinstance(first["error"], str)
    assert (second["suite"], second["index"], second["got"]) == ("base", 0, -1)
    assert found["pass_at_k"] == {
        "base": {"1": pytest.approx((2 / 3 + 1) / 2), "3": None},
        "plus": {"1": pytest.approx((1 / 3 + 1) / 2), "3": None},
    }
    assert found["stderr"]["base"] == {"1": pytest.approx(1 / 6), "3": None}
    assert found["stderr"]["plus"] == {"1": pytest.approx(1 / 3), "3": None}
    assert (found["n_tasks"], found["n_samples"]) == (2, 4)
    assert found["missing_tasks"] == ["t/none"]
    assert found["isolation"]["level"] in ("strong", "medium", "weak")


def test_missing_tasks_count_as_wrong_when_asked(bench: Bench) -> None:
    bench.suite(record(), record("t/two"))
    found = bench.judged("--missing-as-wrong", "--k", "1")
    assert found["pass_at_k"] == {"base": {"1": 0.5}, "plus": {"1": 0.5}}
    assert found["n_tasks"] == 2
    assert found["missing_tasks"] == ["t/two"]


def test_a_missing_task_without_plus_tests_is_in_no_plus_score(bench: Bench) -> None:
    bench.suite(record(), record("t/bare", plus=[]))
    found = bench.judged("--missing-as-wrong", "--k", "1")
    assert found["pass_at_k"] == {"base": {"1": 0.5}, "plus": {"1": 1.0}}


def test_tasks_without_plus_tests_are_named_and_not_scored_on_them(bench: Bench) -> None:
    bench.suite(record(), record("t/bare", plus=[]))
    bench.rows([{"task_id": name, "solution": ADD} for name in ("t/bare", "t/bare")])
    found = bench.judged("--k", "2")
    assert verdicts(found) == [("pass", None)] * 2
    assert found["pass_at_k"] == {"base": {"2": 1.0}, "plus": {"2": None}}
    assert found["tasks_without_plus"] == ["t/bare"]


def test_base_only(bench: Bench) -> None:
    bench.samples("def add(a, b):\n    return 3\n")
    found = bench.judged("--base-only", "--k", "1")
    assert verdicts(found) == [("pass", None)]
    assert found["pass_at_k"] == {"base": {"1": 1.0}, "plus": {"1": None}}
    assert found["tasks_without_plus"] == []


def test_all_tests(bench: Bench) -> None:
    bench.suite(record(base=[case(3, 1, 2), case(0, 0, 0)], plus=[case(11, 5, 6), case(4, 4, 0)]))
    code = "def add(a, b):\n    if a == 5:\n        raise KeyError(a)\n    return a - b\n"
    once = "def add(a, b):\n    return a + b if a != 5 else 0\n"
    third = "def add(a, b):\n    return 3 if a == 1 else 1 / b\n"
    bench.samples(code, ADD, third, once, "def add(a, b:\n")
    found = bench.judged("--all-tests")
    assert verdicts(found) == [
        ("wrong", "exception"), ("pass", "pass"), ("exception", "wrong"), ("pass", "wrong"),
        ("load_error", None),
    ]  # fmt: skip
    assert found["samples"][1]["failed"] == []
    assert found["samples"][3]["failed"] == [["plus", 0, "wrong"]]
    assert found["samples"][4]["failed"] == [["base", None, "load_error"]]
    assert all("failed" not in sample for sample in bench.judged()["samples"])
    assert found["samples"][0]["failed"] == [["base", 0, "wrong"], ["plus", 0, "exception"]]
    assert found["samples"][2]["failed"] == [
        ["base", 1, "exception"], ["plus", 0, "wrong"], ["plus", 1, "exception"]
    ]  # fmt: skip


def test_tasks_chosen_by_pattern(bench: Bench) -> None:
    bench.suite(record(), record("t/two"), record("u/add", "def add(a, b): return 0"))
    bench.rows([{"task_id": name, "solution": ADD} for name in ("t/two", "u/add", "t/two")])
    found = bench.judged("--tasks", "t/*")
    assert [(one["task_id"], one["sample"]) for one in found["samples"]] == [
        ("t/two", 0), ("t/two", 1)
    ]  # fmt: skip
    assert found["missing_tasks"] == ["t/add"]
    assert found["unjudged_tasks"] == {}


def test_out_holds_what_json_prints(bench: Bench) -> None:
    out = bench.folder / "new" / "results.json"
    printed = bench.run("--json", "--out", out)
    assert printed.status == 0
    assert out.read_text(encoding="utf-8") == printed.stdout
    assert list(out.parent.iterdir()) == [out]
    quiet = bench.run("--quiet", "--out", out)
    assert (quiet.status, quiet.stdout, quiet.stderr) == (0, "", "")
    shown = bench.run()
    assert bench.run("--quiet").stdout == shown.stdout  # nothing else would be left of the run
    assert (shown.status, shown.stdout.splitlines()) == (0, [
        "1 sample of 1 task",
        "  pass@1    base           1.0000",
        "  pass@1    base and plus  1.0000",
        "  undefined: pass@10, pass@100 (a task has fewer samples)",
    ])  # fmt: skip
    shown.line("isolation: level=")
    assert "pass@" not in printed.stderr + shown.stderr


def test_a_folder_of_samples(bench: Bench) -> None:
    folder = bench.folder / "answers" / "t_add"
    folder.mkdir(parents=True)
    for number, code in {"0": MINUS, "2": ADD, "10": ADD}.items():
        (folder / f"{number}.py").write_text(code)
    ran = bench.run_on(bench.folder / "plus.jsonl", folder.parent, "--json")
    assert verdicts(ran.document()) == [("wrong", None), ("pass", "pass"), ("pass", "pass")]
    assert [one["sample"] for one in ran.document()["samples"]] == [0, 1, 2]


# ---------------------------------------------------------------- how outcomes are compared

FLOATS = {"comparison": {"kind": "close", "atol": 1e-6, "rtol": 1e-6}}
NAN = {"$float": "nan"}
SORT = "def add(xs):\n    xs.sort()\n"
CHECKED = {
    "comparison": {
        "kind": "checker",
        "checker": "def check(output, xs):\n    return sorted(output) == sorted(xs)\n",
    },
    "references": ["def add(xs):\n    return sorted(xs)\n"],
    "base": [case([1, 2, 3], [3, 1, 2])],
    "plus": [],
}
WHOLE = {
    "comparison": {
        "kind": "checker",
        "checker": "def check(output, x):\n    return type(output) is int and abs(output) == x\n",
    },
    "references": ["def add(x):\n    return x\n"],
    "base": [case(3, 3)],
    "plus": [],
}
THIRD = {
    "comparison": {
        "kind": "checker",
        "checker": "def check(output, x):\n    return abs(output * 3 - x) < 1e-9\n",
    },
    "references": ["def add(x):\n    return x / 3\n"],
    "base": [case(1 / 3, 1)],
    "plus": [],
}
VERY_LONG = {
    "references": ["def add(x):\n    return [x] * 300_000\n"],
    "base": [case([3] * 300_000, 3)],
    "plus": [],
}
PROMISED = {
    "comparison": {"raises": ["ValueError"]},
    "references": ["def add(a, b):\n    if a < 0:\n        raise ValueError\n    return a + b\n"],
    "plus": [case({"$raise": "ValueError"}, -1, 1)],
}

COMPARED: list[tuple[str, dict[str, Any], str, str, str | None]] = [
    # A tolerance is for each value; NaN is NaN.
    ("close", {**FLOATS, "plus": [case(0.3, 0.1, 0.2)]}, "return a + b + 1e-9", "pass", "pass"),
    ("not close", {**FLOATS, "plus": [case(0.3, 0.1, 0.2)]}, "return a + b + 1e-3", "wrong", None),
    ("no leak", {"base": [case(0.5, 0.25, 0.25)]}, "return a + b + 1e-9", "wrong", None),
    ("whole numbers are exact", {}, "return a + b + 1e-9", "wrong", None),
    ("equal across types", {}, "return float(a + b)", "pass", "pass"),
    ("NaN", {"plus": [case(NAN, NAN, 1)]}, "return a + b", "pass", "pass"),
    ("NaN wanted", {"plus": [case(NAN, NAN, 1)]}, "return a + b if a == a else 0", "pass", "wrong"),
    # Sets and bags.
    ("set", {"comparison": {"kind": "set"}, "references": ["def add(a, b): return [a, b]"],
             "base": [case([1, 2], 1, 2)], "plus": []}, "return [b, a, b]", "pass", None),
    ("bag", {"comparison": {"kind": "any_order"}, "references": ["def add(a, b): return [a, b]"],
             "base": [case([1, 2], 1, 2)], "plus": []}, "return (b, a)", "pass", None),
    ("bag counts", {"comparison": {"kind": "any_order"},
                    "references": ["def add(a, b): return [a, b]"],
                    "base": [case([1, 2], 1, 2)], "plus": []}, "return [b, a, b]", "wrong", None),
    # Truth and presence.
    ("truth", {"comparison": {"kind": "truthy", "observe": "truth"},
               "references": ["def add(a, b): return a < b"],
               "base": [case(True, 1, 2)], "plus": [case(False, 2, 1)]},
     "return {(1,): object()} if a < b else ''", "pass", "pass"),
    ("presence", {"comparison": {"kind": "not_none", "observe": "presence"},
                  "references": ["def add(a, b): return b if a else None"],
                  "base": [case(True, 1, 2)], "plus": [case(False, 0, 1)]},
     "return object() if a else None", "pass", "pass"),
    ("falsy is present", {"comparison": {"kind": "not_none", "observe": "presence"},
                          "references": ["def add(a, b): return b if a else None"],
                          "base": [case(True, 1, 2)], "plus": [case(False, 0, 1)]},
     "return 0", "pass", "wrong"),
    # Exceptions count when they are promised, and only then.
    ("promised", PROMISED, "if a < 0: raise ValueError('x')\n    return a + b", "pass", "pass"),
    ("broken promise", PROMISED, "return a + b", "pass", "wrong"),
    ("another exception", PROMISED, "if a < 0: raise KeyError\n    return a + b", "pass",
     "exception"),
    ("no promise", {}, "raise ValueError", "exception", None),
]  # fmt: skip

IN_PLACE: list[tuple[str, dict[str, Any], str, str]] = [
    # A checker sees pristine arguments, whatever the sample does to its own.
    ("checker", CHECKED, "def add(xs):\n    return xs[::-1]\n", "pass"),
    ("checker says no", CHECKED, "def add(xs):\n    return [1]\n", "wrong"),
    ("checker fooled", CHECKED, "def add(xs):\n    xs.clear()\n    return xs\n", "wrong"),
    ("checker fails", CHECKED, "def add(xs):\n    return 5\n", "wrong"),
    # What equals the reference's answer is put to the checker as well.
    ("checker on another", WHOLE, "def add(x):\n    return -x\n", "pass"),
    ("checker on an equal one", WHOLE, "def add(x):\n    return float(x)\n", "wrong"),
    ("checker on the very same", WHOLE, "def add(x):\n    return int(x)\n", "pass"),
    ("checker on a fraction", THIRD, ("from fractions import Fraction\n"
     "def add(x):\n    return Fraction(x, 3)\n"), "pass"),
    ("checker on another fraction", THIRD, ("from fractions import Fraction\n"
     "def add(x):\n    return Fraction(x, 7)\n"), "wrong"),
    # A result may be twice as long as the longest expected one, however long that is.
    ("very long", VERY_LONG, "def add(x):\n    return [x] * 300_000\n", "pass"),
    ("very long and equal", VERY_LONG, "def add(x):\n    return [float(x)] * 300_000\n", "pass"),
    # The arguments themselves are the outcome.
    ("in place", {"comparison": {"observe": "arguments"}, "references": [SORT],
                  "base": [case({"$tuple": [[1, 2, 3]]}, [3, 1, 2])], "plus": []},
     "def add(xs):\n    xs[:] = sorted(xs)\n    return xs\n", "pass"),
    ("not in place", {"comparison": {"observe": "arguments"}, "references": [SORT],
                      "base": [case({"$tuple": [[1, 2, 3]]}, [3, 1, 2])], "plus": []},
     "def add(xs):\n    return sorted(xs)\n", "wrong"),
]  # fmt: skip


def test_outcomes_are_compared_as_the_task_says(bench: Bench) -> None:
    # One run for all: starting the command line costs more than the judging.
    two = [(name, fields, f"def add(a, b):\n    {body}\n", base, plus)
           for name, fields, body, base, plus in COMPARED]  # fmt: skip
    rows = [*two, *((*row, None) for row in IN_PLACE)]
    bench.suite(*(record(f"t/{name}", **fields) for name, fields, _, _, _ in rows))
    bench.rows([{"task_id": f"t/{name}", "solution": code} for name, _, code, _, _ in rows])
    found = bench.judged()
    assert found["unjudged_tasks"] == {}
    (seventh,) = (one for one in found["samples"] if one["task_id"].endswith("another fraction"))
    assert seventh["first_failure"]["got"] == "1/7"
    assert seventh["first_failure"]["error"] == "the task's checker says no"
    got = dict(zip([row[0] for row in rows], verdicts(found), strict=True))
    assert got == {name: (base, plus) for name, _, _, base, plus in rows}


def test_evalplus_rules_leak_a_tolerance_within_a_part(bench: Bench) -> None:
    reference = "def add(a, b):\n    return a + b\n"
    lax = "def add(a, b):\n    return a + b + 5 * (a == 10**8)\n"
    leaky = [case(1.5, 1, 0.5), case(10**8 + 1, 10**8, 1)]
    bench.suite(
        record("t/leaks", reference, base=leaky, plus=[]),
        record("t/before", reference, base=leaky[::-1], plus=[]),
        record("t/parts", reference, base=leaky[:1], plus=leaky[1:]),
    )
    bench.rows([{"task_id": f"t/{name}", "solution": lax} for name in ("leaks", "before", "parts")])
    assert verdicts(bench.judged("--rules", "evalplus")) == [
        ("pass", None), ("wrong", None), ("pass", "wrong")
    ]  # fmt: skip
    assert verdicts(bench.judged()) == [("wrong", None), ("wrong", None), ("pass", "wrong")]


def test_every_way_to_fail_has_its_verdict(bench: Bench) -> None:
    wanted = {
        ADD: ("pass", "pass"),
        MINUS: ("wrong", None),
        "def add(a, b):\n    return {object()}\n": ("wrong", None),
        "def add(a, b):\n    return 1 // 0\n": ("exception", None),
        "def add(a, b):\n    while True: pass\n": ("timeout", None),
        "def add(a, b):\n    return 'x' * 2**22\n": ("output_limit", None),
        "import os\ndef add(a, b):\n    os._exit(0)\n": ("crash", None),
        "def add(a, b):\n    return [0] * 2**40\n": ("memory", None),
        "def add(a, b:\n": ("load_error", None),
        "def other(a, b):\n    return a + b\n": ("load_error", None),
        "add = 5\n": ("exception", None),
        "": ("load_error", None),
        "import nothing_of_that_name\n" + ADD: ("load_error", None),
        "x = '\x00'\n" + ADD: ("load_error", None),
        "x = '\ud800'\n" + ADD: ("load_error", None),
        "1 // 0\n" + ADD: ("load_error", None),
    }
    bench.samples(*wanted)
    found = bench.judged("--cpu-limit", "0.2")
    assert dict(zip(wanted, verdicts(found), strict=True)) == wanted
    for sample in found["samples"][1:]:
        failure = sample["first_failure"]
        assert failure["suite"] == "base"
        if sample["base"] == "load_error":
            assert failure["index"] is None
            assert failure["args"] is failure["expected"] is failure["got"] is None
            assert failure["error"]
        else:
            assert (failure["index"], failure["args"], failure["expected"]) == (0, [1, 2], 3)


def test_long_and_slow_results_that_are_equal_in_another_form(bench: Bench) -> None:
    # Both only hashes at first; the limit of a slow test holds when it is run again, whole.
    idle = "for _ in range(10_000_000): pass"
    reference = f"def add(a, b):\n    {idle}\n    return [a] * 20_000\n"
    bench.suite(record(reference=reference, base=[case([1] * 20_000, 1, 2)], plus=[]))
    bench.samples(f"def add(a, b):\n    {idle}\n    return [float(a)] * 20_000\n")
    found = bench.judged("--cpu-limit", "0.06")
    assert verdicts(found) == [("pass", None)], found["samples"][0]["first_failure"]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"task_id": "t/nobody", "solution": ADD}, ["'t/nobody' is not in the suite"]),
        ({"task_id": "t/add", "solution": [ADD]}, ["solution is a list, expected a string"]),
        ({"task_id": "t/add", "solution": ADD, "completion": ""}, ["solution and completion"]),
        ('{"task_id": "t/add"', ["not JSON"]),
        ("[]", ["got list, expected one JSON object"]),
    ],
)
def test_a_faulty_sample_is_named_and_the_rest_is_scored(
    bench: Bench, row: Any, words: list[str]
) -> None:
    bench.rows([{"task_id": "t/add", "solution": ADD}, row])
    ran = bench.run("--json", "--k", "1")
    assert ran.status == 3
    ran.line("samples.jsonl:2: ", *words)
    assert ran.document()["pass_at_k"] == {"base": {"1": 1.0}, "plus": {"1": 1.0}}
    assert ran.document()["n_samples"] == 1
    (problem,) = ran.document()["problems"]
    assert words[0] in problem


def test_a_faulty_suite_task_is_named_and_the_others_are_scored(bench: Bench) -> None:
    bench.suite(record(), record("t/bad", MINUS), record("t/odd", base=5))
    bench.rows([{"task_id": name, "solution": ADD} for name in ("t/bad", "t/odd", "t/add")])
    ran = bench.run("--json", "--k", "1", "--missing-as-wrong")
    assert ran.status == 3
    ran.line("t/bad: not judged: reference 1 fails base test 0", "came to -1, expected 3")
    ran.line("t/odd: not judged:", "field 'base' of t/odd")
    found = ran.document()
    assert list(found["unjudged_tasks"]) == ["t/bad", "t/odd"]
    assert [one["base"] for one in found["samples"]] == ["judge_error", "judge_error", "pass"]
    assert found["pass_at_k"] == {"base": {"1": 1.0}, "plus": {"1": 1.0}}
    assert found["n_tasks"] == 1
    assert found["missing_tasks"] == []
    assert found["tasks_without_plus"] == []


def empty(bench: Bench) -> None:
    bench.rows([])


def cut(bench: Bench) -> None:
    data = gzip.compress((bench.folder / "samples.jsonl").read_bytes() * 99)
    (bench.folder / "samples.jsonl").write_bytes(data[:-9])


def latin(bench: Bench) -> None:
    (bench.folder / "samples.jsonl").write_bytes(b'{"task_id": "\xe9"}\n')


def dataset(bench: Bench) -> None:
    bench.rows([record()])


def swapped(bench: Bench) -> None:
    bench.rows([record()])
    jsonl(bench.folder / "plus.jsonl", [{"task_id": "t/add", "solution": ADD}])


def twice(bench: Bench) -> None:
    bench.suite(record(), record())


def newer(bench: Bench) -> None:
    bench.suite(record(format=99))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (empty, "samples.jsonl: holds no sample; is the file complete?"),
        (cut, "samples.jsonl: broken gzip data"),
        (latin, "samples.jsonl:1: not UTF-8 text"),
        (dataset, "the order is `plusforge evaluate SUITE SAMPLES`"),
        (swapped, "plus.jsonl:1: a record with the fields ['solution', 'task_id']"),
        (twice, "plus.jsonl:2: task t/add stands twice in this suite"),
        (newer, "plus.jsonl:1: suite format 99, this version reads 1"),
    ],
)
def test_files_that_cannot_be_used(bench: Bench, spoil: Any, words: str) -> None:
    spoil(bench)
    ran = bench.run("--json")
    assert (ran.status, ran.stdout) == (3, "")
    ran.line(words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--k", "0"], "--k '0': expected whole numbers from 1 up, such as 1,10,100"),
        (["--k", "ten"], "--k 'ten': expected whole numbers"),
        (["--tasks", "x/*"], "--tasks 'x/*' matches none of the task ids (t/add, ...)"),
        (["--jobs", "0"], "--jobs"),
        (["--rules", "mine"], "--rules"),
        (["--cpu-limit", "nan"], "--cpu-limit"),
        (["--out", "."], "is a directory"),
        (["--nonsense"], "--nonsense"),
        (["--base-only", "--tier", "nano"], "--base-only leaves out the tests that --tier chooses"),
    ],
)
def test_wrong_use(bench: Bench, options: list[str], words: str) -> None:
    ran = bench.run("--json", *options)
    assert (ran.status, ran.stdout) == (2, "")
    ran.line(words)


def test_files_that_are_not_there(bench: Bench) -> None:
    suite, samples = bench.folder / "plus.jsonl", bench.folder / "samples.jsonl"
    absent = bench.folder / "absent"
    ran = bench.run_on(absent, samples)
    assert ran.status == 2
    ran.line("does not exist; give a folder written by `plusforge regenerate`")
    ran = bench.run_on(suite, absent)
    assert ran.status == 2
    ran.line("do not exist; give a JSONL file or a folder")


def test_results_that_cannot_be_written(bench: Bench) -> None:
    ran = bench.run("--out", bench.folder / "samples.jsonl" / "x.json")
    assert ran.status == 4
    ran.line("cannot be written (Not a directory); ", "choose")
    assert bench.kept() == 0  # found out before the work, not after


def test_out_writes_to_a_pipe_and_does_not_replace_it(bench: Bench) -> None:
    pipe = bench.folder / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ran = bench.run("--json", "--out", pipe)
    assert pipe.is_fifo()
    assert os.read(reader, 1 << 20).decode() == ran.stdout
    os.close(reader)


def test_out_is_a_device_that_is_full(bench: Bench) -> None:
    ran = bench.run("--out", "/dev/full", "--quiet")
    assert (ran.status, ran.stdout) == (4, "")
    ran.line("--out /dev/full: cannot be written (No space left on device)", "name a file")


def test_out_is_a_pipe_that_the_shell_names(bench: Bench) -> None:
    reader, writer = os.pipe()
    ran = bench.run("--json", "--out", f"/dev/fd/{writer}")
    os.close(writer)
    assert ran.status == 0
    assert os.read(reader, 1 << 20).decode() == ran.stdout
    os.close(reader)


# ---------------------------------------------------------------- the cache


def test_the_second_run_judges_nothing_and_gives_the_same_bytes(bench: Bench) -> None:
    bench.samples(ADD, MINUS, SLOW.format(2_000_000), ADD)
    first = bench.run("--json")
    assert bench.kept() == 3  # the same code twice is judged once
    log = bench.log().read_bytes()
    # Were anything judged again, it would be found wrong: the log is the only witness left.
    assert log.count(b'"base": "pass"') == 2
    bench.log().write_bytes(b"")
    again = VerdictLog(bench.log())
    for line in log.decode().splitlines():
        key, _, entry = line.split(" ", 2)
        again.add(key, entry.replace('"base": "pass"', '"base": "memory"'))
    again.close()
    forged = bench.run("--json").document()
    assert [one["base"] for one in forged["samples"]] == ["memory", "wrong", "memory", "memory"]
    bench.log().write_bytes(log)
    second = bench.run("--json")
    assert second.stdout == first.stdout
    assert bench.log().read_bytes() == log


def test_no_cache_reads_and_writes_none(bench: Bench) -> None:
    first = bench.run("--json")
    log = bench.log().read_bytes()
    bench.log().write_bytes(log.replace(b'"base": "pass"', b'"base": "memory"'))
    forged = bench.log().read_bytes()
    assert bench.run("--json", "--no-cache").stdout == first.stdout
    assert bench.log().read_bytes() == forged
    fresh = Bench(bench.folder)
    fresh.environment["XDG_CACHE_HOME"] = str(bench.folder / "other")
    assert fresh.run("--json", "--no-cache").stdout == first.stdout
    assert not (bench.folder / "other").exists()


def test_whatever_can_change_a_verdict_has_it_judged_anew(bench: Bench) -> None:
    def judged(*options: str) -> int:
        before = bench.kept()
        bench.judged(*options)
        return bench.kept() - before

    assert judged() == 1
    assert judged() == 0
    assert judged("--k", "5", "--missing-as-wrong") == 0  # these change scores only
    for options in (
        ["--cpu-limit", "2"], ["--cpu-factor", "5"], ["--total-cpu", "50"], ["--memory", "512"],
        ["--base-only"], ["--all-tests"], ["--rules", "evalplus"],
    ):  # fmt: skip
        assert judged(*options) == 1, options
    bench.samples(ADD + "\n")
    assert judged() == 1
    bench.suite(record(plus=[case(11, 5, 6)]))
    assert judged() == 1
    assert judged() == 0
    for name, value in (("EDITION", 0), ("machine", lambda: "another"), ("VERSION", "0.0")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(evaluate, name, value)
            assert judged() == 1, name


def test_a_changed_suite_changes_the_verdict(bench: Bench) -> None:
    bench.samples(MINUS)
    bench.suite(record(base=[case(1, 1, 0)], plus=[]))
    assert verdicts(bench.judged()) == [("pass", None)]
    bench.suite(record(base=[case(1, 1, 0)], plus=[case(3, 1, 2)]))
    assert verdicts(bench.judged()) == [("pass", "wrong")]


def test_damaged_cache_files_are_made_anew(bench: Bench) -> None:
    bench.samples(ADD, MINUS)
    first = bench.run("--json")
    (gold,) = (bench.cache / "plusforge" / "gold").iterdir()
    whole_gold, whole_log = gold.read_bytes(), bench.log().read_bytes()
    gold.write_bytes(whole_gold[: len(whole_gold) // 2])
    bench.log().write_bytes(whole_log[:-30])
    assert bench.run("--json").stdout == first.stdout
    assert len(gold.read_bytes()) == pytest.approx(len(whole_gold), abs=20)  # times may differ
    assert bench.log().read_bytes().count(b"\n") == 3  # one whole, one stump, one made anew
    bench.log().write_bytes(b"\x00\xff garbage")
    gold.write_bytes(b"")
    assert bench.run("--json").stdout == first.stdout


def test_a_log_that_is_json_but_no_verdict_is_no_verdict(bench: Bench) -> None:
    first = bench.run("--json")
    log = bench.log().read_bytes()
    for old, new in ((b'"base"', b'"bass"'), (b'"first_failure"', b'"first_failurE"')):
        bench.log().write_bytes(log.replace(old, new))
        ran = bench.run("--json")
        assert (ran.status, ran.stdout) == (0, first.stdout), ran.stderr


def test_a_cache_that_cannot_be_written(bench: Bench) -> None:
    bench.cache.write_text("in the way")
    ran = bench.run()
    assert ran.status == 4
    assert "pass --no-cache" in ran.line("cannot be") or "choose a folder" in ran.line("cannot be")
    assert bench.run("--no-cache").status == 0


# ---------------------------------------------------------------- jobs, kills, Ctrl-C


def several(bench: Bench, turns: int) -> None:
    """Make six tasks with four different samples each, slow ones among them."""
    bench.suite(*(record(f"t/{n}") for n in range(6)))
    codes = [ADD, MINUS, SLOW.format(turns), "def add(a, b:\n"]
    bench.rows(
        [{"task_id": f"t/{n}", "solution": f"{code}# {n}\n"} for code in codes for n in range(6)]
    )


def test_the_number_of_workers_changes_no_byte(bench: Bench) -> None:
    several(bench, 1000)
    outputs = [
        bench.run("--json", "--no-cache", "--jobs", jobs, apart=True).stdout for jobs in (1, 2, 3)
    ]  # fmt: skip
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(json.loads(outputs[0])["samples"]) == 24


def wait_for(bench: Bench, verdicts_kept: int, process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + WAIT_S
    while bench.kept() < verdicts_kept:
        assert process.poll() is None, "the run was over before it could be stopped"
        assert time.monotonic() < deadline
        time.sleep(0.01)


def descendants(pid: int) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:  # it ended meanwhile
            continue
        for child in map(int, children):
            yield child
            yield from descendants(child)


def cpu_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it ended meanwhile
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_a_busy_sample(process: "subprocess.Popen[str]") -> None:
    """Wait until a sandbox has used more CPU time than one takes to start."""
    deadline = time.monotonic() + WAIT_S
    while not any(cpu_s(pid) > 1 for pid in descendants(process.pid)):
        assert process.poll() is None, "the run was over before it could be stopped"
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_where_it_stopped(bench: Bench, jobs: int) -> None:
    several(bench, 3_000_000)
    suite, samples = bench.folder / "plus.jsonl", bench.folder / "samples.jsonl"
    process = bench.start(suite, samples, "--jobs", jobs, "--json")
    wait_for(bench, 3, process)
    process.kill()
    stdout, _ = process.communicate(timeout=WAIT_S)
    assert stdout == ""
    kept = bench.log().read_bytes()
    second = bench.run("--json", "--jobs", jobs, apart=True)
    assert second.status == 0
    assert bench.log().read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert bench.kept() <= 24 + 1  # nothing was judged twice; one line may have been cut short
    undisturbed = Bench(bench.folder)
    undisturbed.environment["XDG_CACHE_HOME"] = str(bench.folder / "other")
    assert undisturbed.run("--json").stdout == second.stdout


def test_a_worker_keeps_each_verdict_before_it_judges_on(bench: Bench) -> None:
    bench.suite(record("t/0"), record("t/1"))
    endless = "def add(a, b):\n    while True:\n        pass\n"
    codes = [ADD, *(f"{endless}# {n}\n" for n in range(9))]  # a task's samples are one piece
    bench.rows([{"task_id": f"t/{n}", "solution": code} for code in codes for n in range(2)])
    process = bench.start(
        bench.folder / "plus.jsonl", bench.folder / "samples.jsonl", "--jobs", 2, "--quiet"
    )
    wait_for(bench, 1, process)
    process.kill()
    process.communicate(timeout=WAIT_S)
    assert bench.kept() < 10


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c(bench: Bench, jobs: int) -> None:
    several(bench, 3_000_000)
    out = bench.folder / "out.json"
    suite, samples = bench.folder / "plus.jsonl", bench.folder / "samples.jsonl"
    process = bench.start(suite, samples, "--jobs", jobs, "--json", "--out", out)
    wait_for(bench, 1, process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert not out.exists()
    assert "Traceback" not in stderr
    told = re.search(r"interrupted; ([0-9]+) of 24 verdicts kept: the same command goes on", stderr)
    assert told is not None, stderr
    assert 1 <= int(told[1]) < 24
    assert int(told[1]) == bench.kept()
    again = bench.run("--jobs", jobs)
    again.line(f"{told[1]} verdict", "kept by an earlier run, not judged again")


def test_a_first_run_has_no_earlier_one(bench: Bench) -> None:
    assert "earlier run" not in bench.run().stderr


def test_a_run_without_a_cache_that_is_interrupted_keeps_nothing(bench: Bench) -> None:
    bench.samples("def add(a, b):\n    while True:\n        pass\n")
    suite, samples = bench.folder / "plus.jsonl", bench.folder / "samples.jsonl"
    process = bench.start(suite, samples, "--no-cache", "--cpu-limit", "99", "--total-cpu", "99")
    wait_for_a_busy_sample(process)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130, stderr
    assert "interrupted; nothing was kept, as --no-cache says" in stderr


# ---------------------------------------------------------------- what is said


@pytest.mark.parametrize("name", ["solution", "completion"])
def test_a_fence_in_a_program_is_pointed_out(bench: Bench, name: str) -> None:
    bench.rows([{"task_id": "t/add", name: f"Sure!\n```python\n{ADD}```\n"}])
    ran = bench.run("--json")
    (one,) = ran.document()["samples"]
    assert one["base"] == "load_error"
    assert "SyntaxError: invalid syntax" in one["first_failure"]["error"]
    assert "Markdown fence: `plusforge extract` takes" in one["first_failure"]["error"]
    ran.line("1 sample cannot be loaded: the text holds a Markdown fence: `plusforge extract`")


def test_a_fence_in_a_string_is_no_fault(bench: Bench) -> None:
    bench.samples(f'TEXT = """\n```\n"""\n{ADD}', f'TEXT = """\n```\n"""\n{MINUS}')
    ran = bench.run("--json")
    assert [one["base"] for one in ran.document()["samples"]] == ["pass", "wrong"]
    assert "fence" not in ran.stderr


def test_raw_replies_are_called_that(bench: Bench) -> None:
    bench.rows([{"task_id": "t/add", "entry_point": "add", "raw": ADD}])
    ran = bench.run()
    assert ran.status == 3
    ran.line(
        "samples.jsonl:1: a raw reply, not a sample: ", "`plusforge extract FILE --out SAMPLES`"
    )


def test_nobody_reads_stdout(bench: Bench) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full, which only Linux has")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, bench.folder / "plus.jsonl", bench.folder / "samples.jsonl", "--json"],
            env=bench.environment, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
            text=True, timeout=WAIT_S, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert "standard output cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_stdout_is_closed(bench: Bench) -> None:
    command = [*COMMAND, bench.folder / "plus.jsonl", bench.folder / "samples.jsonl"]
    ran = []
    for more in ([], ["--out", bench.folder / "out.json"]):
        text = " ".join(shlex.quote(str(word)) for word in [*command, *more])
        ran.append(
            subprocess.run(
                ["/bin/sh", "-c", f"exec {text} <&- >&-"],
                env=bench.environment, stderr=subprocess.PIPE, text=True, timeout=WAIT_S,
                check=False,
            )
        )  # fmt: skip
    assert ran[0].returncode == 4
    assert "standard output is closed" in ran[0].stderr
    assert ran[1].returncode == 0, ran[1].stderr
    assert json.loads((bench.folder / "out.json").read_text())["n_samples"]


def test_prompts_are_not_needed_in_solutions(bench: Bench) -> None:
    # A completion that is a whole program works too: its definition replaces the prompt's.
    bench.rows([{"task_id": "t/add", "completion": f"    pass\n\n{ADD}"}])
    assert verdicts(bench.judged()) == [("pass", "pass")]
    assert PROMPT.count("def ") == 1
