"""Bad input through the real command line: one clear line, the right exit status, no leftovers.

Every benchmark here holds one good task beside the bad one; a fault of the bad one must not cost
the good one its suite.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from plusforge.oracle.benchmarks import SEEDS_FOLDER

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


def regenerate(*arguments: object, file_limit: int | None = None, stdout: int | None = None) -> Ran:
    """Run ``plusforge regenerate``, where wanted with a limit on the size of any file, bytes."""

    def limit() -> None:
        if file_limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WAIT_S,
        check=False,
        preexec_fn=limit,
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

TRIED = "    try:\n        bad(3)\n    except ValueError:\n        pass\n    else:\n        raise AssertionError\n"

BAD_TASKS: dict[str, tuple[str, list[str]]] = {
    "syntax error": (task("return x +"), ["bad.py:7:", "invalid syntax", "correct the Python"]),
    "not Python text": (task("pass") + "\0", ["bad.py:", "null bytes", "correct the Python"]),
    "no function": ("X = 1\n", ["bad.py:", "no entry point", "define one function"]),
    "contract raises": (
        task("pass", more="def contract(x: int) -> None:\n    assert x > 2"),
        ["bad.py:1:", "contract rejects", "bad.py example 1", "bad(1)", "loosen the contract"],
    ),
    "contract is false": (
        task("pass", more="def contract(x: int) -> bool:\n    return x < 2"),
        ["bad.py:1:", "contract rejects", "bad.py:16", "bad(3)", "returned False", "loosen"],
    ),
    "contract has another signature": (
        task("pass", more="def contract(x, y):\n    pass"),
        ["bad.py:11:", "takes 2 parameters, expected 1", "write def contract(x)"],
    ),
    "endless loop": (
        task("while True: pass"),
        ["bad.py:1:", "more than 50,000,000 steps", "bad(3)", "does it ever end? correct it"],
    ),
    "endless recursion": (
        task("return bad(x)"),
        ["bad.py:1:", "bad(3)", "correct it"],
    ),
    "endless contract": (
        task("pass", more="def contract(x: int) -> None:\n    while True: pass"),
        ["bad.py:1:", "the contract takes more than 50,000,000 steps", "correct it"],
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
        ["bad.py:1:", "bad.py example 1 states 1 for bad(1)", "gives 7", "correct one of them"],
    ),
    "assert contradicts": (
        task("if x == 3: return 7"),
        ["bad.py:1:", "bad.py:15 states 3 for bad(3)", "gives 7", "correct one of them"],
    ),
    "computed assert contradicts": (
        task("if x == 9: return 7", tests="    for n in [8, 9]:\n        assert bad(n) == n\n"),
        ["bad.py:1:", "fails the benchmark's own tests", "assert bad(n) == n", "correct the ref"],
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
    ran = regenerate(bench(tmp_path, bad=PRINTS), "--out", out, "--budget", 5, "--quiet")
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
    ran.line("Mbpp/7: failed: tasks.jsonl:2: the id stands twice", "rename one of the two")
    assert ran.status == 3
    assert suite_ids(out) == ["Mbpp/7"]
    assert json.loads((out / "manifest.json").read_text())["totals"]["n_tasks"] == 2


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"task_id": 8, "text": "?"}, ["8: failed: tasks.jsonl:2", "no known form"]),
        ({**RECORD, "task_id": 8, "code": "def f(:"}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "code": 5}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "test_list": []}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": 8, "test_list": 5}, ["Mbpp/8: failed: tasks.jsonl:2"]),
        ({**RECORD, "task_id": None}, ["None: failed: tasks.jsonl:2"]),
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
