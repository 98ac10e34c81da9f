"""Reading samples: every form, and for each line that is none where it is, and what to do."""

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.samples import Sample, Samples, read_samples
from plusforge.oracle.suitefile import SuiteRecord

from tests.judging import ADD, PROMPT, jsonl, record, released

RECORDS = {
    task_id: SuiteRecord(task_id, PROMPT, ("full",), False, "", "", "")
    for task_id in ("t/add", "t/two", "plain")
}
GOOD = {"task_id": "t/add", "solution": ADD}


def read(path: Path, *wanted: str) -> Samples:
    return read_samples(path, RECORDS, wanted=dict.fromkeys(wanted) if wanted else None)


def told(samples: Samples) -> list[tuple[str, int]]:
    return [(sample.task_id, sample.number) for sample in samples.samples]


# ---------------------------------------------------------------- what is taken


def test_lines_keep_their_order_and_are_counted_by_task(tmp_path: Path) -> None:
    rows = [{"task_id": name, "solution": name} for name in ("t/two", "t/add", "t/two", "t/add")]
    found = read(jsonl(tmp_path / "s.jsonl", rows))
    assert told(found) == [("t/two", 0), ("t/add", 0), ("t/two", 1), ("t/add", 1)]
    assert found.problems == ()


def test_a_byte_order_mark_is_no_part_of_a_program(tmp_path: Path) -> None:
    rows = [
        {"task_id": "t/add", "solution": "\ufeff" + ADD},
        {"task_id": "t/add", "completion": "\ufeff1"},
    ]
    found = read(jsonl(tmp_path / "s.jsonl", rows))
    assert [sample.code for sample in found.samples] == [ADD, PROMPT + "1"]


def test_only_regular_files_of_a_folder_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "samples" / "t_add"
    folder.mkdir(parents=True)
    (folder / "0.py").write_text(ADD)
    os.mkfifo(folder / "1.py")  # reading it would wait for a writer
    (folder / "2.py").symlink_to("/dev/zero")  # and this would never end
    (folder / "3.py").symlink_to("3.py")
    (folder / "4.py").mkdir()
    found = read(folder.parent)
    assert told(found) == [("t/add", 0)]
    assert [problem.partition(": ")[2] for problem in found.problems] == [
        "is no regular file; replace it by one"
    ] * 4


def test_a_completion_goes_on_from_the_prompt(tmp_path: Path) -> None:
    rows = [{"task_id": "t/add", "completion": "    return 1"}, GOOD]
    found = read(jsonl(tmp_path / "s.jsonl", rows))
    assert [sample.code for sample in found.samples] == [PROMPT + "    return 1", ADD]


def test_further_fields_are_none_of_our_business(tmp_path: Path) -> None:
    row = {**GOOD, "_identifier": "t/add", "logprobs": [1, None], "model": "x"}
    assert read(jsonl(tmp_path / "s.jsonl", [row])).samples == (Sample("t/add", 0, ADD),)


def test_gzip_is_told_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert told(read(path)) == [("t/add", 0)]


def test_line_ends_marks_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = json.dumps(GOOD).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n   \n" + line)
    assert told(read(path)) == [("t/add", 0), ("t/add", 1)]


def test_separators_inside_a_string_end_no_line(tmp_path: Path) -> None:
    code = "x = '\u2028\x85'\n"
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({**GOOD, "solution": code}, ensure_ascii=False), encoding="utf-8")
    assert [sample.code for sample in read(path).samples] == [code]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("", id="empty"),
        pytest.param("\x00", id="null"),
        pytest.param("x = '\ud800'", id="surrogate"),
        pytest.param("def add(:", id="syntax"),
    ],
)
def test_any_text_may_be_judged(tmp_path: Path, code: str) -> None:
    found = read(jsonl(tmp_path / "s.jsonl", [{**GOOD, "solution": code}]))
    assert [sample.code for sample in found.samples] == [code]
    assert found.problems == ()


def test_samples_of_tasks_that_were_not_chosen_are_passed_over(tmp_path: Path) -> None:
    rows = [{"task_id": name, "solution": ""} for name in ("t/two", "t/add", "nobody/1")]
    found = read(jsonl(tmp_path / "s.jsonl", rows), "t/add")
    assert told(found) == [("t/add", 0)]
    assert len(found.problems) == 1  # an id that no suite has is a fault, chosen or not


# ---------------------------------------------------------------- folders


def folder(root: Path, **files: str) -> Path:
    """Make a folder of samples; ``t_add__0`` stands for ``t_add/0.py``."""
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_a_folder(tmp_path: Path) -> None:
    numbers = {f"t_add__{n}": str(n) for n in (10, 9, 1, 0)}
    found = read(folder(tmp_path, t_two__0="two", plain__0="plain", **numbers))
    # By number, not by text: 10 comes after 9. Folders go by name.
    assert [(sample.task_id, sample.code) for sample in found.samples] == [
        ("plain", "plain"),
        ("t/add", "0"),
        ("t/add", "1"),
        ("t/add", "9"),
        ("t/add", "10"),
        ("t/two", "two"),
    ]
    assert [sample.number for sample in found.samples] == [0, 0, 1, 2, 3, 0]
    assert found.problems == ()


def test_a_slash_of_an_id_is_a_folder_or_an_underscore(tmp_path: Path) -> None:
    found = read(folder(tmp_path, t__add__1="1", t__add__0="0", t_two__0="two", plain__0="plain"))
    assert [(sample.task_id, sample.code) for sample in found.samples] == [
        ("plain", "plain"), ("t/add", "0"), ("t/add", "1"), ("t/two", "two")
    ]  # fmt: skip
    assert found.problems == ()


def test_one_sample_in_both_layouts(tmp_path: Path) -> None:
    found = read(folder(tmp_path, t__add__0="0", t_add__0="again", t_add__1="1"))
    assert [sample.code for sample in found.samples] == ["0", "1"]
    assert found.problems == (
        f"{tmp_path}/t_add/0.py: sample 0 is there twice (t/add/0.py); remove one",
    )


def test_folders_that_lead_back_into_themselves(tmp_path: Path) -> None:
    root = folder(tmp_path, t__add__0="0")
    (root / "t" / "again").symlink_to(root / "t")
    found = read(root)
    assert told(found)[0] == ("t/add", 0)
    assert all("'t/again/" in problem for problem in found.problems)


@pytest.mark.parametrize("name", ["0", "t__0"])
def test_a_sample_of_no_task(tmp_path: Path, name: str) -> None:
    found = read(folder(tmp_path, t_add__0=ADD, **{name: ADD}))
    assert told(found) == [("t/add", 0)]
    (problem,) = found.problems
    assert problem.startswith(f"{tmp_path}/{name.replace('__', '/')}.py: ")


def test_a_program_is_no_file_of_samples(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a Python file: .*FOLDER/t/add/0\.py .*t_add/0\.py"):
        read(folder(tmp_path, add=ADD) / "add.py")


def test_what_editors_and_python_leave_behind_is_passed_over(tmp_path: Path) -> None:
    root = folder(tmp_path, t_add__0=ADD)
    for name in ("__pycache__", ".git", "t_add/__pycache__"):
        (root / name).mkdir()
        (root / name / "0.py").write_text("")
    (root / "t_add" / "0.py~").write_text("")
    (root / "README.md").write_text("")
    found = read(root)
    assert told(found) == [("t/add", 0)]
    assert found.problems == ()


def test_one_sample_number_in_two_files(tmp_path: Path) -> None:
    found = read(folder(tmp_path, t_add__1="first", t_add__01="second", t_add__2="third"))
    assert [sample.code for sample in found.samples] == ["second", "third"]  # 01.py comes first
    assert found.problems == (
        f"{tmp_path}/t_add/1.py: sample 1 is there twice (t_add/01.py); remove one",
    )


def test_faulty_files_of_a_folder(tmp_path: Path) -> None:
    root = folder(tmp_path, t_add__0=ADD, nobody__0="")
    (root / "t_two" / "1.py").mkdir(parents=True)
    (root / "t_two" / "0.py").write_bytes(b"x = 1\n# \xe9\n")
    found = read(root)
    assert told(found) == [("t/add", 0)]
    assert sorted(problem.split(": ")[0] for problem in found.problems) == [
        f"{root}/nobody/0.py", f"{root}/t_two/0.py:2", f"{root}/t_two/1.py"
    ]  # fmt: skip


def test_an_empty_folder(tmp_path: Path) -> None:
    layout = r"holds no sample; expected a folder with TASK_ID/N.py, such as .*/t/add/0.py"
    with pytest.raises(DataError, match=layout):
        read(tmp_path)


# ---------------------------------------------------------------- what is refused

FAULTS: list[tuple[str, Any, str]] = [
    ("unknown", {"task_id": "x/1", "solution": ""}, "task 'x/1' is not in the suite"),
    ("likely", {"task_id": "t_add", "solution": ""}, "is not in the suite .*ids look like 't/add'"),
    ("case", {"task_id": "T/ADD", "solution": ""}, "is not in the suite"),
    ("id-int", {"task_id": 7, "solution": ""}, "task_id is 7, expected a string"),
    ("id-list", {"task_id": ["t/add"], "solution": ""}, "task_id is .* expected a string"),
    ("no-id", {"solution": ADD}, "task_id is None, expected a string"),
    ("list", {"task_id": "t/add", "solution": [ADD]}, "solution is a list, expected a string"),
    ("null", {"task_id": "t/add", "solution": None}, "solution is a NoneType, expected a string"),
    ("dict", {"task_id": "t/add", "completion": {}}, "completion is a dict, expected a string"),
    ("neither", {"task_id": "t/add"}, "has neither solution nor completion"),
    ("raw", {"task_id": "t/add", "raw": ADD, "entry_point": "add"}, "a raw reply.*`plusforge extr"),
    (
        "reply",
        {"task_id": "t/add", "reply": ADD},
        "a raw reply, not a sample: .*`plusforge extract",
    ),
    ("both", {**GOOD, "completion": ""}, "has solution and completion: expected exactly one"),
    ("array", ["t/add", ADD], "got list, expected one JSON object a line"),
    ("none", "null", "got NoneType, expected one JSON object"),
    ("text", '"text"', "got str, expected one JSON object"),
    ("cut", '{"task_id": "t/add", "solution": "x', "not JSON"),
    ("csv", "task_id,solution", "not JSON"),
    ("deep", "[" * 100_000, "JSON that cannot be held"),
    ("number", "9" * 5000, "JSON that cannot be held"),
]


@pytest.mark.parametrize(("row", "message"), [pytest.param(*f[1:], id=f[0]) for f in FAULTS])
def test_a_faulty_line_is_named_and_the_rest_is_read(
    tmp_path: Path, row: Any, message: str
) -> None:
    path = jsonl(tmp_path / "s.jsonl", [GOOD, row, GOOD])
    found = read(path)
    assert told(found) == [("t/add", 0), ("t/add", 1)]
    (problem,) = found.problems
    assert problem.startswith(f"{path}:2: ")
    assert re.search(message, problem)
    assert len(problem) < 300 + len(str(path))


@pytest.mark.parametrize("row", [record(), released(), {"task_id": "1", "code": "", "prompt": ""}])
def test_a_dataset_given_as_samples(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"holds no sample .*a task, not a sample.*SUITE SAMPLES"):
        read(jsonl(tmp_path / "s.jsonl", [row, row]))


def test_a_program_under_another_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has `code`, .*: call it `solution`"):
        read(jsonl(tmp_path / "s.jsonl", [{"task_id": "t/add", "code": ADD}]))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"holds no sample; is the file complete\?"):
        read(path)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode() * 99)[:-12])
    with pytest.raises(DataError, match="broken gzip data"):
        read(path)
    path.write_bytes(b"\xff\xfe{\0")
    with pytest.raises(DataError, match=r"holds no sample .*:1: not UTF-8 text"):
        read(path)


def test_a_line_that_is_no_text_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = json.dumps(GOOD).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b'\r\n{"task_id": "\xff"}\n' + line)
    found = read(path)
    assert len(found.samples) == 2
    (problem,) = found.problems
    assert problem.endswith("s.jsonl:2: not UTF-8 text (byte 0xff); save the file as UTF-8")


def test_a_long_id_is_not_said_in_full(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({**GOOD, "task_id": "x" * 1_000_000}) + "\n" + json.dumps(GOOD))
    (problem,) = read(path).problems
    assert len(problem) < 1000


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="do not exist; give a JSONL file or a folder"):
        read(tmp_path / "absent")


def test_a_file_of_nothing_but_unknown_ids_is_told_from_an_empty_one(tmp_path: Path) -> None:
    found = read(jsonl(tmp_path / "s.jsonl", [{"task_id": "nobody/1", "solution": ""}]))
    assert found.samples == ()
    assert len(found.problems) == 1
