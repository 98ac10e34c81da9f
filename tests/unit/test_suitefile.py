"""Reading suites: every form, and a clear message for everything that is none."""

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from plusforge.oracle import wire
from plusforge.oracle.answers import own_args
from plusforge.oracle.errors import ConfigError, DataError, PlusforgeError
from plusforge.oracle.suitefile import RELEASED_MEMORY_MIB, SuiteRecord, SuiteTask, read_suite
from plusforge.oracle.task import COMPARISON_KINDS, Comparison
from plusforge.oracle.values import Raised

from tests.judging import case, jsonl, record, released


def only(path: Path) -> SuiteRecord:
    (found,) = read_suite(path).records.values()
    return found


def decoded(tmp_path: Path, fields: dict[str, Any]) -> SuiteTask:
    return only(jsonl(tmp_path / "plus.jsonl", [fields])).decode()


# ---------------------------------------------------------------- where a suite may be


def test_a_folder_a_file_and_its_gzip_are_the_same_suite(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "plus.jsonl", [record(), record("t/two")])
    plain, folder = read_suite(file), read_suite(tmp_path)
    packed = tmp_path / "plus.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    for other in (folder, read_suite(packed), read_suite(tmp_path)):
        assert other.digest == plain.digest
        assert other.records.keys() == plain.records.keys() == {"t/add", "t/two"}
        assert [r.digest for r in other.records.values()] == [
            r.digest for r in plain.records.values()
        ]


def test_tasks_keep_file_order_and_the_pattern_chooses(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "s.jsonl", [record("t/b"), record("t/a"), record("u/a")])
    suite = read_suite(path)
    assert list(suite.records) == ["t/b", "t/a", "u/a"]
    assert list(suite.only("t/*").records) == ["t/b", "t/a"]
    assert list(suite.only("*/a").records) == ["t/a", "u/a"]
    assert suite.only("*") == suite
    assert suite.only("t/*").digest == suite.digest  # verdicts are kept under it
    with pytest.raises(ConfigError, match=r"--tasks 'x\*' matches none .*t/b, t/a"):
        suite.only("x*")
    with pytest.raises(ConfigError, match="matches none"):  # case counts
        suite.only("T/*")


def test_no_such_suite(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist; give a folder"):
        read_suite(tmp_path / "absent")
    with pytest.raises(ConfigError, match=r"no plus\.jsonl or plus\.jsonl\.gz in this folder"):
        read_suite(tmp_path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "holds no task"),
        (["{"], r"s\.jsonl:1: not JSON"),
        ([record(), "[1]"], r"s\.jsonl:2: got list, expected one JSON object"),
        ([record(), record()], r"s\.jsonl:2: task t/add stands twice"),
        ([record(format=2)], r"s\.jsonl:1: suite format 2, this version reads 1"),
        (
            [{"task_id": "t/add", "solution": "x"}],
            r"fields \['solution', 'task_id'\] belongs to no",
        ),
        ([record() | {"task_id": 7}], "belongs to no suite"),
        ([record() | {"task_id": ["t/add"]}], "belongs to no suite"),
        ([record() | {"prompt": None}], "belongs to no suite"),
    ],
)
def test_no_suite(tmp_path: Path, rows: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_suite(jsonl(tmp_path / "s.jsonl", rows))


def test_damaged_files(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(record()).encode() * 50)
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(whole[:-20])
    with pytest.raises(DataError, match="broken gzip data"):
        read_suite(path)
    path.write_bytes(b'{"task_id": "\xff"}\n')
    with pytest.raises(DataError, match=":1: not UTF-8 text"):
        read_suite(path)


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    one = only(jsonl(tmp_path / "a.jsonl", [record()]))
    # Where the record stands does not matter; any value does.
    (_, two) = read_suite(jsonl(tmp_path / "b.jsonl", [record("t/0"), record()])).records.values()
    assert one.digest == two.digest
    other = only(jsonl(tmp_path / "c.jsonl", [record(plus=[case(11, 5, 6.0)])]))
    assert other.digest != one.digest


# ---------------------------------------------------------------- decoding


def test_an_own_record(tmp_path: Path) -> None:
    comparison = {"kind": "close", "atol": 0.5, "raises": ["ValueError"], "observe": "arguments"}
    task = decoded(
        tmp_path,
        record(
            references=["def add(a, b): ...", "def add(a, b): return 1"],
            comparison=comparison,
            limits={"memory_mib": 99},
            base=[case({"$raise": "ValueError"}, {"$tuple": [1]}, {"$float": "nan"})],
            plus=[case({"$set": [1, 2]}, {"$dict": [[1, 2]]}, None)],
        ),
    )
    assert task.entry_point == "add"
    assert [one.name for one in task.references] == ["reference 1", "reference 2"]
    assert task.comparison == Comparison(
        kind="close", atol=0.5, raises=("ValueError",), observe="arguments"
    )
    assert task.limits.memory_mib == 99
    (base,), (plus,) = task.base, task.plus
    assert base.expected == (Raised("ValueError"),)
    first, second = own_args(base.args)
    assert first == (1,)
    assert math.isnan(second)
    assert plus.expected == ({1, 2},)
    assert plus.args == wire.dumps(({1: 2}, None))


def test_an_expected_none_is_stated(tmp_path: Path) -> None:
    task = decoded(tmp_path, record(base=[case(None, 1, 2)]))
    assert task.base[0].expected == (None,)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entry_point", 5),
        ("references", []),
        ("references", [5]),
        ("references", None),
        ("comparison", []),
        ("comparison", {"mode": "exact"}),
        ("limits", {"ram": 1}),
        ("limits", None),
        ("base", None),
        ("base", "xy"),
        ("base", [5]),
        ("base", [{"args": 5, "expected": 1}]),
        ("base", [{"args": [1, 2]}]),
        ("plus", [{"expected": 1}]),
    ],
)
def test_a_malformed_field_is_named(tmp_path: Path, field: str, value: Any) -> None:
    with pytest.raises(DataError, match=rf"plus\.jsonl:1: field '{field}' of t/add.*regenerate"):
        decoded(tmp_path, record(**{field: value}))


@pytest.mark.parametrize("field", ["entry_point", "comparison", "limits", "base", "plus"])
def test_an_absent_field_is_named(tmp_path: Path, field: str) -> None:
    fields = record()
    del fields[field]
    with pytest.raises(DataError, match=f"field '{field}' of t/add is missing"):
        decoded(tmp_path, fields)


def test_an_unknown_value_tag_is_an_error_not_a_value(tmp_path: Path) -> None:
    with pytest.raises(PlusforgeError, match=r"\$bad"):
        decoded(tmp_path, record(base=[case({"$bad": 1}, 1, 2)]))


@pytest.mark.parametrize("kind", COMPARISON_KINDS)
def test_every_kind_of_comparison_is_read(tmp_path: Path, kind: str) -> None:
    checker = "def check(output, a, b): return True" if kind == "checker" else None
    task = decoded(tmp_path, record(comparison={"kind": kind, "checker": checker}))
    assert task.comparison.kind == kind


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("comparison", {"kind": "almost"}),
        ("comparison", {"kind": "checker"}),
        ("comparison", {"kind": "checker", "checker": 5}),
        ("comparison", {"observe": "nothing"}),
        ("comparison", {"observe": "found"}),  # is another judge's
        ("comparison", {"kind": "close", "atol": "0.1"}),
        ("comparison", {"raises": "ValueError"}),
        ("limits", {"memory_mib": "1024"}),
        ("limits", {"memory_mib": -5}),
        ("references", "def add(a, b): return a + b"),
    ],
)
def test_values_that_no_judge_could_use(tmp_path: Path, field: str, value: Any) -> None:
    with pytest.raises(DataError, match=f"field '{field}'"):
        decoded(tmp_path, record(**{field: value}))


def test_a_released_record(tmp_path: Path) -> None:
    task = decoded(tmp_path, released(atol=1e-4))
    assert [own_args(test.args) for test in task.base] == [(1, 2)]
    assert [own_args(test.args) for test in task.plus] == [(5, 6), (-4, 4)]
    assert {test.expected for test in (*task.base, *task.plus)} == {None}  # the reference decides
    assert task.atol == 1e-4
    assert task.limits.memory_mib == RELEASED_MEMORY_MIB
    assert task.references[0].source == released()["prompt"] + released()["canonical_solution"]


def test_released_inputs_are_neither_dropped_nor_merged(tmp_path: Path) -> None:
    fields = released(base_input=[[1, 2], [1, 2]], plus_input=[[1, 2], [5, 6], [5, 6]])
    task = decoded(tmp_path, fields)
    assert (len(task.base), len(task.plus)) == (2, 3)


def test_released_special_numbers(tmp_path: Path) -> None:
    text = json.dumps(released(plus_input=[[math.nan, math.inf]]))
    path = jsonl(tmp_path / "s.jsonl", [text])
    (plus,) = only(path).decode().plus
    first, second = own_args(plus.args)
    assert math.isnan(first)
    assert second == math.inf


@pytest.mark.parametrize(
    "fields",
    [{"plus_input": 5}, {"base_input": [5]}, {"canonical_solution": "    return ("},
     {"entry_point": "absent"}, {"atol": "much"}, {"test": 5}],
)  # fmt: skip
def test_a_faulty_released_record(tmp_path: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"plus\.jsonl:1"):
        decoded(tmp_path, released(**fields))


def test_kept_heads_give_the_same_suite(tmp_path: Path) -> None:
    file, cache = tmp_path / "plus.jsonl", tmp_path / "cache"
    jsonl(file, [record("t/b"), record("t/a")])
    fresh = read_suite(file)
    assert read_suite(file, cache) == fresh
    (kept,) = cache.rglob("*.json")
    assert read_suite(file, cache) == fresh
    for damage in (b"", b"{}", kept.read_bytes()[:-3], b"\xff\xfe\n[]"):
        kept.write_bytes(damage)
        assert read_suite(file, cache) == fresh
    jsonl(file, [record("t/c")])
    assert list(read_suite(file, cache).records) == ["t/c"]


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "plus.jsonl", [record()])
    assert read_suite(file, Path("/dev/null/cache")) == read_suite(file)


@pytest.mark.parametrize("name", ["", "add.py"])
def test_task_files_are_no_suite(tmp_path: Path, name: str) -> None:
    (tmp_path / "add.py").write_text("def add(): pass\n")
    with pytest.raises(ConfigError, match=f"task files, not a suite; `plusforge .* {tmp_path}"):
        read_suite(tmp_path / name)
