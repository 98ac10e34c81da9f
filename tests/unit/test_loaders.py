"""Records of the three upstream forms, and benchmarks by name or path. All records are made up."""

import json
from pathlib import Path
from typing import Any

import pytest
from plusforge.oracle.benchmarks import load_benchmark, locate
from plusforge.oracle.errors import ConfigError, DataError, TaskError
from plusforge.oracle.forms import detect
from plusforge.oracle.load_evalplus import load_evalplus
from plusforge.oracle.load_humaneval import load_humaneval
from plusforge.oracle.load_mbpp import load_mbpp
from plusforge.oracle.task import BaseTest, Comparison, Param, Seed
from plusforge.oracle.writing import gzip_bytes

from tests.judging import jsonl

HUMANEVAL: dict[str, Any] = {
    "task_id": "HumanEval/900",
    "prompt": 'from typing import List\n\n\ndef twice(xs: List[int]) -> List[int]:\n'
    '    """Double.\n    >>> twice([1])\n    [2]\n    """\n',
    "entry_point": "twice",
    "canonical_solution": "    return [2 * x for x in xs]\n",
    "test": "def check(candidate):\n    assert candidate([1]) == [2]\n"
    "    assert candidate([0] * 3) == [0, 0, 0], 'zeros'\n",
}  # fmt: skip

MBPP: dict[str, Any] = {
    "task_id": 900,
    "text": "Write a function to swap a pair.",
    "code": "def helper(p):\r\n  return p[::-1]\r\ndef swap(p):\r\n  return helper(p)",
    "test_setup_code": "",
    "test_list": ["assert swap((1, 2)) == (2, 1)", "assert swap((3, 4)) == (4, 3)"],
    "challenge_test_list": ["assert swap(()) == ()"],
}

PLUS: dict[str, Any] = {
    "task_id": "Mbpp/901",
    "prompt": '"""\nWrite a function to turn a table around.\n'
    "assert set(flip({1: (2, 3)})) == set((2, 3))\n\"\"\"\n",
    "entry_point": "flip",
    "canonical_solution": "\ndef helper(t):\n  return t\n\ndef flip(t):\n  return helper(t)[1]\n",
    "contract": '\n  assert helper(t), "invalid inputs" # $_CONTRACT_$\n',
    "assertion": "\nassert flip({1: (2, 3)}) == (2, 3)\nassert flip({1: ()}) == ()\n",
    "base_input": [[{"1": [2, 3]}], [{"1": []}], [{"7": [8]}], [{"7": [8]}]],
    "plus_input": [[{"4": [5]}]],
    "atol": 0,
}  # fmt: skip


def test_a_humaneval_record() -> None:
    task = load_humaneval(HUMANEVAL, "h:1")
    assert (task.task_id, task.entry_point, task.source) == ("HumanEval/900", "twice", "h:1")
    assert task.prompt == HUMANEVAL["prompt"]
    assert task.references[0].source == HUMANEVAL["prompt"] + HUMANEVAL["canonical_solution"]
    assert task.params == (Param(name="xs", annotation="List[int]"),)
    assert task.base == (
        BaseTest(args=([1],), expected=[2], stated=True, example=True, where="test:2"),
        BaseTest(args=([0, 0, 0],), expected=[0, 0, 0], stated=True, where="test:3"),
    )
    assert task.script is not None
    assert task.script.source == HUMANEVAL["test"]
    assert (task.contract, task.comparison, task.notes) == (None, Comparison(), ())


def test_computed_inputs_of_a_humaneval_record_are_noted() -> None:
    test = HUMANEVAL["test"] + "    for i in range(9):\n        assert candidate([i]) == [2 * i]\n"
    task = load_humaneval({**HUMANEVAL, "test": test}, "h:1")
    assert len(task.base) == 2
    assert task.notes == ("base:computed",)


def test_a_contradiction_between_prompt_and_tests_stays_visible() -> None:
    prompt = HUMANEVAL["prompt"].replace("[2]", "[3]")
    task = load_humaneval({**HUMANEVAL, "prompt": prompt}, "h:1")
    assert [test.expected for test in task.base if test.args == ([1],)] == [[2], [3]]


def test_an_mbpp_record() -> None:
    task = load_mbpp(MBPP, "m:1")
    assert (task.task_id, task.entry_point) == ("Mbpp/900", "swap")
    assert task.prompt == (
        '"""\nWrite a function to swap a pair.\nassert swap((1, 2)) == (2, 1)\n"""\n'
    )
    assert "\r" not in task.references[0].source
    assert [(t.args, t.expected, t.example) for t in task.base] == [
        (((1, 2),), (2, 1), True),
        (((3, 4),), (4, 3), False),
        (((),), (), False),
    ]


def test_the_sanitized_form_and_its_imports() -> None:
    record = {
        "task_id": 5,
        "prompt": "Area.",
        "code": "def area(r): return math.pi * r * r",
        "test_imports": ["import math"],
        "test_list": ["assert math.isclose(area(1), 3.1416, rel_tol=0.001)"],
    }
    task = load_mbpp(record, "m[0]")
    assert task.references[0].source.startswith("import math\ndef area")
    assert task.script is not None
    assert task.script.source.startswith("import math\n")
    assert task.comparison == Comparison(kind="close", atol=1e-6, rtol=0.001)


def test_an_evalplus_record_gets_its_types_back() -> None:
    task = load_evalplus(PLUS, "p:1")
    assert [(t.args, t.expected, t.stated, t.example) for t in task.base] == [
        (({1: (2, 3)},), (2, 3), True, True),
        (({1: ()},), (), True, False),
        (({7: (8,)},), None, False, False),
    ]
    assert task.comparison == Comparison(kind="set")
    assert task.seeds == ()
    assert task.notes == ("2 base inputs typed by the others: no assert shows their types",)
    assert task.contract is not None
    assert task.contract.declared
    space: dict[str, Any] = {}
    exec(task.contract.source, space)
    assert space["contract"]({1: ()}) is True
    with pytest.raises(AssertionError):
        space["contract"]({})
    assert "def flip" not in task.contract.source


def test_released_inputs_on_request() -> None:
    task = load_evalplus(PLUS, "p:1", released_inputs=True)
    assert task.seeds == (Seed(args=({4: (5,)},), origin="released"),)
    text = {**PLUS, "plus_input": json.dumps(PLUS["plus_input"])}
    assert load_evalplus(text, "p:1", released_inputs=True).seeds == task.seeds
    sentinel = {**PLUS, "plus_input": {}}
    assert load_evalplus(sentinel, "p:1", released_inputs=True).seeds == ()


def test_a_humaneval_plus_record() -> None:
    record = {
        **HUMANEVAL,
        "contract": "\n    assert xs # $_CONTRACT_$\n",
        "base_input": [[[1]], [[1]], [[4, 5]]],
        "atol": 1e-4,
    }
    task = load_evalplus(record, "p:1")
    assert [(t.args, t.stated, t.example) for t in task.base] == [
        (([1],), True, True),
        (([4, 5],), False, False),
    ]
    assert task.comparison == Comparison(kind="close", atol=1e-4, rtol=1e-6)


@pytest.mark.parametrize(
    ("record", "form"),
    [
        (HUMANEVAL, "HumanEval"),
        (PLUS, "EvalPlus"),
        ({**HUMANEVAL, "base_input": []}, "EvalPlus"),
        (MBPP, "MBPP"),
        ({"task_id": 1}, None),
        ({}, None),
    ],
)
def test_forms_are_told_by_their_fields(record: dict[str, Any], form: str | None) -> None:
    found = detect(record)
    assert (found.name if found else None) == form


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prompt": 3}, "field 'prompt': got int, expected text"),
        ({"entry_point": "other"}, r"no top-level function 'other' \(found: twice\)"),
        ({"canonical_solution": "    return ("}, r"^h:1:\d+: .*correct the Python source"),
        ({"test": "assert True"}, r"h:1 \(test\): no top-level function 'check'"),
        ({"test": "def check("}, r"h:1 \(test\):1: "),
    ],
)
def test_bad_humaneval_records(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_humaneval({**HUMANEVAL, **change}, "h:1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"test_list": []}, "test_list is empty"),
        ({"test_list": "x"}, "field 'test_list': expected a list of texts"),
        (
            {"test_list": ["assert g(1)"], "challenge_test_list": []},
            r"no assert calls .*defined: helper, swap",
        ),
        ({"code": "def swap(*p): pass"}, r"swap takes \*p"),
    ],
)
def test_bad_mbpp_records(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_mbpp({**MBPP, **change}, "m:1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"base_input": [1]}, "field 'base_input': expected a list of argument lists"),
        ({"atol": "x"}, "atol = 'x'"),
        ({"contract": "  assert ("}, r"p:1 \(contract\)"),
    ],
)
def test_bad_evalplus_records(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_evalplus({**PLUS, **change}, "p:1")


def test_one_bad_record_does_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    records = [HUMANEVAL, {**HUMANEVAL, "task_id": "b", "test": "("}, {"x": 1}, MBPP, HUMANEVAL]
    jsonl(path, records)
    benchmark = load_benchmark(str(path))
    assert benchmark.name == "mine"
    assert [task.task_id for task in benchmark.tasks] == ["HumanEval/900", "Mbpp/900"]
    assert [(p.task_id, p.message.partition(":")[0]) for p in benchmark.problems] == [
        ("b", "mine.jsonl"),
        ("mine.jsonl:3", "mine.jsonl"),
        ("HumanEval/900", "mine.jsonl"),
    ]
    assert "has no known form" in benchmark.problems[1].message
    assert "the id stands twice" in benchmark.problems[2].message


def test_gzip_and_arrays(tmp_path: Path) -> None:
    packed = tmp_path / "mine.jsonl.gz"
    packed.write_bytes(gzip_bytes(json.dumps(MBPP).encode()))
    array = tmp_path / "mine.json"
    array.write_text(json.dumps([MBPP], indent=1))
    one, two = load_benchmark(str(packed)), load_benchmark(str(array))
    assert one.name == two.name == "mine"
    assert one.tasks[0].source == "mine.jsonl.gz:1"
    assert two.tasks[0].source == "mine.json[0]"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"task_id": 1}\n{oops\n', r"bad\.jsonl:2: not JSON"),
        (b"[1]", "item 0 of the array is int"),
        (b"", "holds no task"),
        (b"\x1f\x8bjunk", "broken gzip data"),
    ],
)
def test_a_file_that_is_no_benchmark(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        load_benchmark(str(path))


TASK_FILE = 'def {0}(x):\n    """Do."""\n    return x\ndef test_it():\n    assert {0}(1) == 1\n'


def test_a_folder_of_task_files(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    for name in ("beta", "alpha"):
        (folder / f"{name}.py").write_text(TASK_FILE.format(name))
    (folder / "broken.py").write_text("def broken(:")
    (folder / "__init__.py").write_text("")
    (folder / "README.md").write_text("")
    benchmark = load_benchmark(str(folder))
    assert [task.task_id for task in benchmark.tasks] == ["own/alpha", "own/beta"]
    (problem,) = benchmark.problems
    assert problem.task_id == "own/broken"
    assert problem.message.startswith("broken.py:1: ")
    (folder / "beta.seeds.jsonl").write_text('{"args": "(3,)", "origin": "hand"}\n')
    again = load_benchmark(str(folder), tasks_glob="own/b*")
    assert [task.task_id for task in again.tasks] == ["own/beta"]
    (folder / "beta.seeds.jsonl").write_text("{oops\n")
    assert load_benchmark(str(folder)).problems[0].task_id == "own/beta"


def test_a_folder_without_task_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no task files"):
        load_benchmark(str(tmp_path))


def test_a_pattern_that_matches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    jsonl(path, [MBPP])
    assert load_benchmark(str(path), tasks_glob="Mbpp/9*").tasks
    jsonl(path, [{**MBPP, "task_id": "two"}, {**MBPP, "task_id": "bad", "code": "def ("}])
    for pattern, found in (("Mbpp/two", ["Mbpp/two"]), ("two", None), ("Mbpp/bad", ["Mbpp/bad"])):
        if found is None:
            with pytest.raises(ConfigError, match=r"\(Mbpp/two, Mbpp/bad, ...\)"):
                load_benchmark(str(path), tasks_glob=pattern)
        else:
            assert sorted(load_benchmark(str(path), tasks_glob=pattern).ids) == found
    jsonl(path, [MBPP])
    with pytest.raises(ConfigError, match=r"matches none of the task ids \(Mbpp/900, ...\)"):
        load_benchmark(str(path), tasks_glob="HumanEval/*")


def test_names_are_looked_up_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, env, cache = (tmp_path / name for name in ("data", "env", "cache"))
    monkeypatch.setenv("PLUSFORGE_DATA", str(env))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    with pytest.raises(ConfigError, match=r"no MbppPlus\.jsonl or .*'plusforge fetch mbpp\+'"):
        locate("mbpp+", data=data)
    for folder in (cache / "plusforge", env, data):
        folder.mkdir(parents=True)
        (folder / "MbppPlus.jsonl.gz").write_bytes(gzip_bytes(json.dumps(PLUS).encode()))
        assert locate("mbpp+", data=data) == folder / "MbppPlus.jsonl.gz"
    jsonl(data / "MbppPlus.jsonl", [PLUS])
    assert locate("mbpp+", data=data) == data / "MbppPlus.jsonl"
    benchmark = load_benchmark("mbpp+", data=data)
    assert (benchmark.name, len(benchmark.tasks)) == ("mbpp+", 1)


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'humaneval'\? known names: starter, hum"):
        load_benchmark("humanevil")


def test_the_starter_benchmark_is_always_there() -> None:
    benchmark = load_benchmark("starter")
    assert benchmark.name == "starter"
    assert benchmark.problems == ()
    assert all(task.task_id.startswith("starter/") for task in benchmark.tasks)
