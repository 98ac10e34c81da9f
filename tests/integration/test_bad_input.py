"""Bad input through the real command line: one clear line, the right exit status, no leftovers.

Every benchmark here holds one good task beside the bad one; a fault of the bad one must not cost
the good one its suite.
"""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from plusforge.oracle.benchmarks import SEEDS_FOLDER

from tests.support import heed_interrupts

GOOD = "sum_even_at_odd_index"
GOOD_TEXT = (SEEDS_FOLDER / "starter" / f"{GOOD}.py").read_text(encoding="utf-8")
FILES = ["manifest.json", "plus.jsonl.gz", "rejected.json"]

COMMAND = [sys.executable, "-m", "plusforge.generator", "regenerate"]
WAIT_S = 120.0
"""Far beyond what any run here takes: a hang is a failure, a slow machine is none."""


class Ran(NamedTuple):
    """What one run of the command line came to."""

    status: int
    stdout: str
    stderr: str

    def line(self, *words: str) -> str:
        """Return the one line of stderr that has the words; there must be no traceback."""
        assert "Traceback" not in self.stderr, self.stderr
        found = [text for text in self.stderr.splitlines() if all(word in text for word in words)]
        assert len(found) == 1, f"{len(found)} lines with {words} in:\n{self.stderr}"
        return found[0]


LIMITED = """\
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
os.execv(sys.argv[2], sys.argv[2:])
"""


def regenerate(*arguments: object, file_limit: int | None = None, stdout: int | None = None) -> Ran:
    """Run ``plusforge regenerate``, where wanted with a limit on the size of any file, bytes."""
    # Set by a process in between: a preexec_fn is unsafe beside the threads of a test runner.
    limit = [] if file_limit is None else [sys.executable, "-c", LIMITED, str(file_limit)]
    done = subprocess.run(
        [*limit, *COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    return Ran(done.returncode, done.stdout or "", done.stderr)


def bench(folder: Path, **texts: str) -> Path:
    """Make a folder of task files: the good one and those given by name."""
    path = folder / "bench"
    path.mkdir()
    for name, text in {GOOD: GOOD_TEXT, **texts}.items():
        (path / f"{name}.py").write_text(text, encoding="utf-8")
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, hidden ones included, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def suite_ids(out: Path) -> list[str]:
    """Return the ids of the published suites; the output folder must hold nothing else."""
    assert sorted(files_of(out)) == FILES
    lines = gzip.decompress((out / "plus.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line)["task_id"] for line in lines]


# ------------------------------------------------------------------- one task is at fault


def task(body: str, *, more: str = "", tests: str = "    assert bad(3) == 3\n") -> str:
    """Return a task file: ``bad`` returns its argument, or does what the body does before that."""
    return (
        "def bad(x: int) -> int:\n"  # line 1
        '    """Return x.\n\n    >>> bad(1)\n    1\n    """\n'
        f"    {body}\n"  # line 7
        "    return x\n\n\n"
        f"{more}\n\n\n"  # line 11
        f"def test_examples() -> None:\n{tests}"  # lines 14, 15
    )


SET_ORDER = '''def bad(text: str) -> str:
    """Return the letters of text, each once.

    >>> bad("a")
    'a'
    """
    return "".join(set(text))


def test_examples() -> None:
    assert len(bad("qwertyuiopasdfghjklzxcvbnm")) == 26
'''

IN_PLACE = '''from typing import List


def bad(numbers: List[int]) -> int:
    """Return the largest number.

    >>> bad([2, 1])
    2
    """
    numbers.sort()
    return numbers[-1]


def contract(numbers: List[int]) -> None:
    assert numbers
'''

TRIED = """\
    try:
        bad(3)
    except ValueError:
        pass
    else:
        raise AssertionError
"""

QUICK = "LIMITS = {'cpu_s': 0.5}\n\n\n"

BAD_TASKS: dict[str, tuple[str, list[str]]] = {
    "syntax error": (task("return x +"), ["bad.py:7:", "invalid syntax", "correct the Python"]),
    "not Python text": (task("pass") + "\0", ["bad.py:", "null bytes", "correct the Python"]),
    "no function": ("X = 1\n", ["bad.py:", "no entry point", "define one function"]),
    "contract raises": (
        task("pass", more="def contract(x: int) -> None:\n    assert x > 2"),
        [
            "bad.py:11:",
            "contract rejects",
            "bad.py:4 (example 1)",
            "bad(1)",
            "assert x > 2",
            "loosen",
        ],
    ),
    "contract is false": (
        task("pass", more="def contract(x: int) -> bool:\n    return x < 2"),
        ["bad.py:11:", "contract rejects", "bad.py:16", "bad(3)", "returned False", "loosen"],
    ),
    "returns what equals nothing plain": (
        (
            'def bad(x: int) -> range:\n    """Count."""\n    return range(x)\n\n\n'
            "def test_examples() -> None:\n    assert list(bad(3)) == [0, 1, 2]\n"
        ),
        ["bad.py:1:", "bad returns, for bad(3), what equals no plain value", "range", "a list"],
    ),
    "a right program called wrong": (
        task("pass", more="def wrong_same(x: int) -> int:\n    pass\n    return x"),
        ["bad.py:11:", "wrong_same is the same program as bad", "correct one of them"],
    ),
    "contract has another signature": (
        task("pass", more="def contract(x, y):\n    pass"),
        ["bad.py:11:", "takes 2 parameters, expected 1", "write def contract(x)"],
    ),
    "endless loop": (
        task("while True: pass"),
        ["bad.py:1:", "more than 100,000,000 steps", "bad(3)", "does it ever end? correct it"],
    ),
    "endless loop at the top": (
        task("pass", more="while True: pass"),
        ["bad.py:1:", "cannot be loaded: no result within 10 s of CPU time", "top level ever end?"],
    ),
    "endless loop of another reference": (
        task("pass", more=f"{QUICK}def reference_slow(x: int) -> int:\n    while True: pass"),
        ["bad.py:1:", "one of the references does not end in time", "within 0.5 s", "'cpu_s': ..."],
    ),
    "endless loop of a test": (
        task("pass", more=QUICK, tests="    for n in iter(int, 1):\n        bad(n)\n"),
        ["bad.py:1:", "fails the benchmark's own tests", "within 0.5 s", "correct the"],
    ),
    "endless recursion": (
        task("return bad(x)"),
        ["bad.py:1:", "bad(3)", "correct it"],
    ),
    "endless contract": (
        task("pass", more="def contract(x: int) -> None:\n    while True: pass"),
        ["bad.py:1:", "the contract takes more than 100,000,000 steps", "correct it"],
    ),
    "eats memory at once": (
        task("bytearray(10**12)"),
        ["bad.py:1:", "runs out of memory", "bad(3)", "LIMITS = {'memory_mib': ...}"],
    ),
    "eats memory bit by bit": (
        task("held = []\n    while True: held.append(bytearray(10**7))"),
        ["bad.py:1:", "runs out of memory", "bad(3)", "LIMITS = {'memory_mib': ...}"],
    ),
    "returns a generator": (
        task("return (n for n in [x])"),
        ["bad.py:1:", "not a plain value", "generator", "bad(3)", "return numbers, strings"],
    ),
    "returns a lambda": (
        task("return lambda: x"),
        ["bad.py:1:", "not a plain value", "function", "bad(3)", "return numbers, strings"],
    ),
    "ends the process": (
        task("import os; os._exit(0)"),
        ["bad.py:1:", "ends its own process", "bad(3)", "raise an exception instead"],
    ),
    "doctest contradicts": (
        task("if x == 1: return 7"),
        ["bad.py:1:", "bad.py:4 (example 1) states 1 for bad(1)", "gives 7", "correct one of them"],
    ),
    "assert contradicts": (
        task("if x == 3: return 7"),
        ["bad.py:1:", "bad.py:15 states 3 for bad(3)", "gives 7", "correct one of them"],
    ),
    "computed assert contradicts": (
        task("if x == 9: return 7", tests="    for n in [8, 9]:\n        assert bad(n) == n\n"),
        [
            "bad.py:1:",
            "bad fails the test at bad.py:16: assert bad(n) == n",
            "bad(9) gave 7",
            "correct",
        ],
    ),
    "two references disagree": (
        task("pass", more="def reference_wrong(x):\n    return x if x < 2 else -x"),
        ["bad.py:1:", "references disagree", "bad(3)", "correct it"],
    ),
    "order of a set": (SET_ORDER, ["bad.py:1:", "not deterministic", "hash seed", "sort"]),
    "state between calls": (
        task("_seen.append(x)\n    return len(_seen)", more="_seen = []", tests="    bad(3)\n"),
        ["bad.py:1:", "bad("],
    ),
    "changes its argument": (IN_PLACE, ["bad.py:4:", "changes its arguments", "MUTATES = True"]),
    "undeclared exception": (
        task("1 // (x - 3)"),
        ["bad.py:1:", "ZeroDivisionError", "bad(3)", "RAISES = ['ZeroDivisionError']"],
    ),
    "undeclared exception in a test": (
        task("pass", tests=TRIED),
        ["bad.py:15:", "expects ValueError", "add RAISES = ['ValueError']"],
    ),
    "unknown limit": (
        task("pass", more="LIMITS = {'cpu': 1}"),
        ["bad.py:11:", "LIMITS key 'cpu' is unknown", "did you mean 'cpu_s'?"],
    ),
    "unknown module": (
        "import no_such_module\n\n\n" + task("pass"),
        ["bad.py:4:", "cannot be loaded", "No module named 'no_such_module'", "standard library"],
    ),
}


@pytest.fixture(scope="module")
def bad_tasks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ran, Path]:
    """Run all of them at once, each a task of one benchmark, the good one among them."""
    folder = tmp_path_factory.mktemp("bad")
    path = bench(folder)
    for name, (text, _) in BAD_TASKS.items():
        sub = path / f"{name.replace(' ', '_')}.py"
        sub.write_text(text.replace("bad", sub.stem), encoding="utf-8")
    out = folder / "out"
    return regenerate(path, "--out", out, "--budget", 5, "--jobs", 2, "--quiet"), out


@pytest.mark.parametrize("name", BAD_TASKS)
def test_bad_task_is_named_with_file_line_and_remedy(
    bad_tasks: tuple[Ran, Path], name: str
) -> None:
    ran, out = bad_tasks
    stem = name.replace(" ", "_")
    line = ran.line(f"bench/{stem}: failed: ")
    for word in BAD_TASKS[name][1]:
        assert word.replace("bad", stem) in line
    entry = json.loads((out / "manifest.json").read_text())["tasks"][f"bench/{stem}"]
    assert entry["stop"] == "failed"
    assert line == f"bench/{stem}: failed: {entry['why']}"


def test_bad_tasks_leave_the_good_one_its_suite(bad_tasks: tuple[Ran, Path]) -> None:
    ran, out = bad_tasks
    assert ran.status == 3
    assert len(ran.stderr.strip().splitlines()) == len(BAD_TASKS)
    assert suite_ids(out) == [f"bench/{GOOD}"]


PRINTS = '''import os

_CHUNK = "x" * (1 << 20)


def bad(x: int) -> int:
    """Return x.

    >>> bad(1)
    1
    """
    for _ in range(512):
        print(_CHUNK, end="")
        os.write(1, _CHUNK.encode())
    return x
'''


def test_printing_a_gigabyte_is_harmless(tmp_path: Path) -> None:
    """Nobody reads what programs print, so it may be any amount."""
    out = tmp_path / "out"
    # Blind: its mutants would print as much each.
    ran = regenerate(bench(tmp_path, bad=PRINTS), "--out", out, "--budget", 5, "--quiet", "--blind")
    assert (ran.status, ran.stdout, ran.stderr.strip()) == (0, "", "")
    assert sorted(suite_ids(out)) == ["bench/bad", f"bench/{GOOD}"]


def test_task_files_are_never_imported_and_cannot_write(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    text = task("pass", more=f"import pathlib\npathlib.Path({str(proof)!r}).write_text('here')")
    out = tmp_path / "out"
    ran = regenerate(bench(tmp_path, bad=text), "--out", out, "--budget", 5, "--quiet")
    line = ran.line("bench/bad: failed: bad.py:1:", "cannot be loaded", "see no files")
    assert str(proof) in line
    assert ran.status == 3
    assert not proof.exists()
    assert suite_ids(out) == [f"bench/{GOOD}"]


# ------------------------------------------------------------------- a file of records is at fault

RECORD = {
    "task_id": 7,
    "prompt": "Write a function to double a number.",
    "code": "def double(n):\n    return 2 * n",
    "test_imports": [],
    "test_list": ["assert double(1) == 2", "assert double(4) == 8"],
}


def jsonl(path: Path, *records: object) -> Path:
    """Write records one a line; text goes as it is."""
    lines = [item if isinstance(item, str) else json.dumps(item) for item in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(RECORD).encode())[:-12])
    ran = regenerate(path, "--out", tmp_path / "out")
    ran.line("plusforge: ", str(path), "broken gzip data", "copy or fetch it again")
    assert ran.status == 3
    assert os.listdir(tmp_path) == [path.name]


def test_line_that_is_not_json(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "tasks.jsonl", RECORD, '{"task_id": 8, "code')
    ran = regenerate(path, "--out", tmp_path / "out")
    ran.line("plusforge: ", f"{path}:2: not JSON", "is the file complete")
    assert ran.status == 3
    assert os.listdir(tmp_path) == [path.name]


def test_id_that_stands_twice(tmp_path: Path) -> None:
    other = {**RECORD, "code": "def double(n):\n    return n + n"}
    path = jsonl(tmp_path / "tasks.jsonl", RECORD, other)
    out = tmp_path / "out"
    ran = regenerate(path, "--out", out, "--budget", 5, "--quiet")
    ran.line("Mbpp/7 (again): failed: tasks.jsonl:2: the id stands twice", "rename one of the two")
    assert ran.status == 3
    assert suite_ids(out) == ["Mbpp/7"]
    tasks = json.loads((out / "manifest.json").read_text())["tasks"]
    assert tasks["Mbpp/7"]["n_plus"] == 5
    assert tasks["Mbpp/7 (again)"]["stop"] == "failed"


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"task_id": 8, "text": "?"}, ["8: failed: tasks.jsonl:2", "no known form"]),
        ({**RECORD, "task_id": 8, "code": "def f(:"}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "code": 5}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "test_list": []}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "test_list": 5}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": None}, ["tasks.jsonl:2: failed: tasks.jsonl:2: task_id is None"]),
    ],
    ids=["no form", "syntax error", "code is a number", "no test", "tests are a number", "no id"],
)
def test_bad_record_leaves_the_good_one_its_suite(
    tmp_path: Path, record: dict[str, object], words: list[str]
) -> None:
    path = jsonl(tmp_path / "tasks.jsonl", RECORD, record)
    out = tmp_path / "out"
    ran = regenerate(path, "--out", out, "--budget", 5, "--quiet")
    ran.line(*words)
    assert ran.status == 3
    assert suite_ids(out) == ["Mbpp/7"]


def test_seeds_that_are_no_seeds(tmp_path: Path) -> None:
    path = bench(tmp_path, bad=task("pass"))
    jsonl(path / "bad.seeds.jsonl", {"args": "(1,)", "origin": "llm"}, {"args": "1", "origin": ""})
    out = tmp_path / "out"
    ran = regenerate(path, "--out", out, "--budget", 5, "--quiet")
    ran.line("bench/bad: failed: bad.seeds.jsonl:2:", "got '1'", "written with a comma")
    assert ran.status == 3
    assert suite_ids(out) == [f"bench/{GOOD}"]


# ------------------------------------------------------------------- the call is at fault


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["humanevl"], ["'humanevl'", "did you mean 'humaneval'?", "known names: starter"]),
        (["starter", "--budget", 0], ["plusforge: --budget is 0: give 1 or more"]),
        (["starter", "--jobs", -1], ["Error: ", "'--jobs'", "-1", "x>=1"]),
        (["starter", "--budget", "many"], ["Error: ", "'--budget'", "'many'", "integer"]),
        (["starter", "--bugdet", 5], ["Error: No such option", "--bugdet", "--budget"]),
        (["starter", "--tasks", "x*"], ["--tasks 'x*' matches none", "starter/", "in full"]),
        ([], ["Error: Missing argument 'BENCH'"]),
    ],
    ids=["benchmark", "budget 0", "jobs -1", "budget word", "option", "pattern", "no benchmark"],
)
def test_wrong_use(tmp_path: Path, arguments: list[object], words: list[str]) -> None:
    ran = regenerate(*arguments, "--out", tmp_path / "out")
    ran.line(*words)
    assert ran.status == 2
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["--recordings", "--samples"])
def test_a_blind_run_takes_nothing_that_it_would_pass_over(tmp_path: Path, name: str) -> None:
    ran = regenerate("starter", "--blind", name, tmp_path, "--out", tmp_path / "out")
    ran.line(f"--blind starts from the base inputs alone, {name} adds to them: give one of the two")
    assert ran.status == 2
    assert os.listdir(tmp_path) == []


def test_a_blind_run_says_so(tmp_path: Path) -> None:
    ran = regenerate(bench(tmp_path), "--blind", "--budget", 5, "--out", tmp_path / "out")
    assert ran.status == 0
    ran.line("blind: from the base inputs alone")


def test_a_folder_without_recordings_is_told(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    ran = regenerate(
        bench(tmp_path), "--recordings", tmp_path / "none", "--budget", 5, "--out", tmp_path / "out"
    )
    assert ran.status == 0
    ran.line(f"warning: --recordings {tmp_path / 'none'}: holds no recording")


def test_a_task_file_is_no_benchmark(tmp_path: Path) -> None:
    ran = regenerate(bench(tmp_path) / f"{GOOD}.py", "--out", tmp_path / "out")
    ran.line(
        "is a task file: give its folder, ", f"bench', with --tasks 'bench/{GOOD}'", "JSONL file"
    )
    assert ran.status == 2
    assert os.listdir(tmp_path) == ["bench"]


def test_folder_without_tasks(tmp_path: Path) -> None:
    ran = regenerate(tmp_path, "--out", tmp_path / "out")
    ran.line("plusforge: ", f"{tmp_path}: no task files (*.py)", "is it the right one?")
    assert ran.status == 3
    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------- the output is at fault

REMEDY = "choose another folder with --out"


@pytest.mark.parametrize("below", ["file", "file/deeper", "/proc/self/out"])
def test_output_folder_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, below: str
) -> None:
    (tmp_path / "file").write_text("mine")
    out = tmp_path / below  # an absolute one stays as it is
    ran = regenerate("starter", "--out", out)  # nobody waits for the work: it takes minutes
    assert ran.line(f"plusforge: {out}: cannot be written (", f"); {REMEDY}")
    assert ran.status == 4
    assert len(ran.stderr.splitlines()) == 1
    assert (tmp_path / "file").read_text() == "mine"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(("budget", "failing"), [(400, "plus.jsonl.gz"), (6, "manifest.json")])
def test_disk_that_fills_up_leaves_the_old_files(tmp_path: Path, budget: int, failing: str) -> None:
    """A limit on file sizes stands for the full disk: the write fails half way through a file."""
    path, out = bench(tmp_path), tmp_path / "out"
    assert regenerate(path, "--out", out, "--budget", 5, "--quiet").status == 0
    before = files_of(out)
    for number in range(20):  # makes the manifest long, too
        (path / f"bad{number}.py").write_text("X = 1\n")
    ran = regenerate(path, "--out", out, "--budget", budget, "--quiet", file_limit=4096)
    place = f"plusforge: {out / failing}: cannot be written (File too large)"
    ran.line(f"{place}; free some space, or {REMEDY}")
    assert ran.status == 4
    assert files_of(out) == before


def test_stdout_that_is_full(tmp_path: Path) -> None:
    path, out = bench(tmp_path), tmp_path / "out"
    with Path("/dev/full").open("w") as full:
        ran = regenerate(
            path, "--out", out, "--budget", 5, "--quiet", "--json", stdout=full.fileno()
        )
    ran.line("plusforge: standard output cannot be written (No space left on device)", "free some")
    assert ran.status == 4
    assert suite_ids(out) == [f"bench/{GOOD}"]


# ------------------------------------------------------------------- Ctrl-C


class Process(NamedTuple):
    """A process, told from a later one of the same number by when it started."""

    pid: int
    started: str


def living() -> dict[Process, int]:
    """Return the processes that run, with their parents; what only waits to be reaped is dead."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            state, parent, *rest = text.rpartition(")")[2].split()
            if state not in "ZX":
                found[Process(int(entry.name), rest[17])] = int(parent)
    return found


def family(pid: int) -> set[Process]:
    """Return a process and all that descend from it."""
    everyone = living()
    pids = {pid}
    while more := {p.pid for p, parent in everyone.items() if parent in pids} - pids:
        pids |= more
    return {process for process in everyone if process.pid in pids}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_half_way(tmp_path: Path, jobs: int, sent: signal.Signals) -> None:
    """The signal goes to the whole group, as from a terminal."""
    path, out = bench(tmp_path), tmp_path / "out"
    assert regenerate(path, "--out", out, "--budget", 5, "--quiet").status == 0
    before = files_of(out)
    process = subprocess.Popen(
        [*COMMAND, "starter", "--out", str(out), "--jobs", str(jobs)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )
    with process:
        assert process.stderr is not None
        # A task is done: the next one is being worked on.
        assert any(line.startswith("[1/") for line in process.stderr)
        everyone = family(process.pid)
        os.killpg(process.pid, sent)
        stdout, stderr = process.communicate(timeout=WAIT_S)
    ran = Ran(process.returncode, stdout, stderr)
    ran.line("plusforge: interrupted; the output folder is as it was")
    assert ran.status == 130
    assert files_of(out) == before
    assert len(everyone) > 2, "no sandbox was at work: the test came too late"
    deadline = time.monotonic() + 20
    while left := everyone & living().keys():
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.05)
