"""Records of what was proposed: their lines, files and order, and what is wrong in them."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator.recordfile import (
    arranged,
    read_recordings,
    read_records,
    recording_files,
    write_records,
)
from plusforge.generator.recordings import Recordings, ReplyRecord, record_line, task_digest
from plusforge.oracle.errors import DataError
from plusforge.oracle.task import Param, Reference

from tests.seeding import declared, make_proposal, make_reply, make_task

TASK = make_task()
REPLY = make_reply(TASK, "four")


def row(**changes: Any) -> str:
    """Return the line of a reply with some fields changed; None takes a field away."""
    fields = json.loads(record_line(REPLY)) | changes
    return json.dumps({name: value for name, value in fields.items() if value is not None})


# --- lines ---------------------------------------------------------------------------------------


def test_the_line_of_a_reply() -> None:
    assert json.loads(record_line(REPLY)) == {
        "format": 1, "kind": "reply", "task_id": "toy/0", "task_sha256": task_digest(TASK),
        "purpose": "inputs", "template": "inputs/1", "prompt_sha256": REPLY.prompt_sha256,
        "number": 0, "model": "m", "answered_by": "m-1", "server": "http://127.0.0.1:1/v1",
        "params": {"seed": 0}, "form": "text", "text": "four", "finish": "stop",
        "prompt_tokens": 3, "completion_tokens": 5, "date": "2026-01-31",
    }  # fmt: skip
    assert record_line(REPLY).count("\n") == 1
    assert len(REPLY.prompt_sha256) == 64


def test_imported_lines_have_no_prompt_no_tokens_and_no_date() -> None:
    proposal = make_proposal(TASK, kind="imported", inputs=("(1, 2)",))
    assert json.loads(record_line(proposal)) == {
        "format": 1, "kind": "imported", "task_id": "toy/0", "task_sha256": task_digest(TASK),
        "origin": "me", "inputs": ["(1, 2)"],
    }  # fmt: skip


def test_a_date_enters_no_digest_and_everything_else_does() -> None:
    other_day = dataclasses.replace(REPLY, date="1999-12-31")
    assert Recordings((REPLY,)).digest == Recordings((other_day,)).digest
    assert record_line(REPLY) != record_line(other_day)
    changed = {
        "task_id": "x", "task_sha256": "x", "purpose": "wrong", "template": "x", "model": "x",
        "prompt_sha256": "x", "number": 1, "answered_by": "x", "server": "x", "form": "x",
        "params": {}, "text": "x", "finish": "x", "prompt_tokens": 9, "completion_tokens": 9,
    }  # fmt: skip
    assert {*changed, "date"} == {one.name for one in dataclasses.fields(ReplyRecord)}
    digests = [Recordings((dataclasses.replace(REPLY, **{k: v}),)).digest
               for k, v in changed.items()]  # fmt: skip
    digests += [Recordings((REPLY,)).digest, Recordings((REPLY, REPLY)).digest]
    digests += [Recordings((), (make_proposal(TASK),)).digest, Recordings().digest]
    assert len(set(digests)) == len(digests)
    assert Recordings().digest == ""


def test_a_task_is_another_one_when_what_proposals_rest_on_changes() -> None:
    changes: list[dict[str, Any]] = [
        {"prompt": "Add."}, {"entry_point": "plus"}, {"task_id": "toy/9"},
        {"contract": declared("def contract(a, b): ...")},
        {"references": (*TASK.references, Reference(source="x"))},
        {"references": (Reference(source="x"),)},
        {"params": (Param(name="a", annotation="int"), Param(name="c", annotation="int"))},
        {"params": (Param(name="a", annotation="int"), Param(name="b"))},
        {"params": (Param(name="a", annotation="int"),
                    Param(name="b", annotation="int", optional=True))},
    ]  # fmt: skip
    digests = [task_digest(make_task(**change)) for change in changes] + [task_digest(TASK)]
    assert len(set(digests)) == len(digests)
    inferred = dataclasses.replace(declared("def contract(a, b): ..."), declared=False)
    for same in ({"contract": inferred}, {"source": "elsewhere.py:7"}, {"notes": ("x",)}):
        assert task_digest(make_task(**same)) == task_digest(TASK)


# --- files ---------------------------------------------------------------------------------------


def test_files_are_read_in_the_order_of_folders_and_names(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    lines = {one / "b.jsonl": "2", one / "a.jsonl": "1", two / "a.jsonl": "3"}
    for number, (path, text) in enumerate(lines.items()):
        write_records(path, [make_reply(TASK, text, number=number)])
    (one / "add.seeds.jsonl").write_text('{"args": "(1, 2)", "origin": "llm"}\n')
    (one / "notes.txt").write_text("no recording")
    found = read_recordings([one, two, tmp_path / "none", one])
    assert [reply.text for reply in found.replies] == ["1", "2", "3"]
    link = tmp_path / "link"
    link.symlink_to(one)
    assert len(list(recording_files([one, link]))) == 2


def test_of_two_replies_with_one_key_the_last_counts(tmp_path: Path) -> None:
    texts = [("a", 0), ("b", 1), ("c", 0)]
    write_records(tmp_path / "x.jsonl", [make_reply(TASK, t, number=n) for t, n in texts])
    found = read_recordings([tmp_path])
    assert [(reply.text, reply.number) for reply in found.replies] == [("c", 0), ("b", 1)]
    assert found.digest != Recordings((make_reply(TASK, "a"), found.replies[1])).digest


def test_byte_order_mark_line_ends_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    proposal = make_proposal(TASK, inputs=("('\\r\\n',)",))
    lines = [record_line(REPLY), "\n", record_line(proposal)]
    path.write_bytes(b"\xef\xbb\xbf" + "".join(lines).replace("\n", "\r\n").encode())
    assert read_records(path) == [REPLY, proposal]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (record_line(REPLY)[:100], "not JSON"),
        ("[" * 100_000, "JSON that cannot be held"),
        ("7", "got int, expected one JSON object a line"),
        ("{}", "format None, kind None: expected format 1"),
        (row(format=2), "format 2, kind 'reply': expected format 1"),
        (row(kind="rumour"), "kind 'rumour'"),
        (row(kind=["reply"]), "kind ['reply']"),
        (row(text=None), "missing 1 required keyword-only argument: 'text'"),
        (row(key="sk-1"), "unexpected keyword argument 'key'"),
        (row(number="0"), "number is '0'"),
        (row(number=True), "number is True"),
        (row(number=1.0), "number is 1.0"),
        (row(text=7), "text is 7"),
        (row(params=[]), "params is []"),
        (row(params={"x": float("nan")}), "Out of range float values are not JSON compliant"),
        (row(number="HERE").replace('"HERE"', "9" * 5000), "cannot be held"),
        ('{"format":1,"kind":"manual","task_id":"t","task_sha256":"","origin":"o","inputs":"(1,)"}',
         "inputs is '(1,)', expected a list of strings"),
        ('{"format":1,"kind":"manual","task_id":"t","task_sha256":"","origin":"o","inputs":[[1]]}',
         "inputs is ([1],)"),
        ('{"format":1,"kind":"manual","task_id":"t","task_sha256":"","inputs":[]}', "'origin'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{record_line(REPLY)}\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_recordings([tmp_path])
    assert f"{path}:3: " in str(caught.value)
    assert words in str(caught.value)
    assert "__init__" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_params_nested_to_any_depth_are_read_or_refused(tmp_path: Path) -> None:
    for depth in (10, 100, 300, 900, 5_000):
        deep = "[" * depth + "]" * depth
        line = row(params={"x": "HERE"}).replace('"HERE"', deep)
        (tmp_path / "x.jsonl").write_text(line + "\n", encoding="utf-8")
        found, why = Recordings(), ""
        try:
            found = read_recordings([tmp_path])
        except DataError as exc:
            why = str(exc)
        assert "x.jsonl:1" in why or len(found.digest) == 64


def test_a_file_that_is_no_text_or_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(record_line(REPLY).encode("utf-16"))
    with pytest.raises(DataError, match=r"x\.jsonl:1: not UTF-8"):
        read_recordings([tmp_path])
    (tmp_path / "x.jsonl").unlink()
    (tmp_path / "x.jsonl").mkdir()
    with pytest.raises(DataError, match=r"x\.jsonl: cannot be read"):
        read_recordings([tmp_path])


# --- order ---------------------------------------------------------------------------------------


def test_replies_stand_by_task_purpose_model_and_number() -> None:
    tasks = [make_task(number) for number in (2, 10)]
    wanted = [
        make_reply(task, "x", purpose, model=model, number=number)
        for task in tasks
        for purpose in ("inputs", "wrong", "contract")
        for model in ("a", "b")
        for number in (0, 1, 2, 10)
    ]
    proposal = make_proposal(tasks[1])
    assert arranged([*reversed(wanted), proposal]) == [proposal, *wanted]
    assert arranged([*wanted[9:], proposal, *wanted[:9]]) == [proposal, *wanted]


def test_odd_ids_and_purposes_have_a_place_too() -> None:
    ids = ["", "toy", "toy/1", "toy/01", "toy/²", "toy/1a", "1", "é/3", "9" * 5000]
    records = [make_reply(make_task(task_id=one), "x", p) for one in ids for p in ("odd", "inputs")]
    found = arranged(records)
    assert found == arranged(reversed(records))
    assert sorted(map(record_line, found)) == sorted(map(record_line, records))


def test_a_reply_asked_for_anew_takes_the_place_of_the_outdated_one() -> None:
    old = make_reply(TASK, "old", prompt_sha256="0" * 64)
    older = make_reply(TASK, "older", task_sha256="0" * 64)
    others = [make_reply(TASK, "second", number=1), make_reply(TASK, "other", model="n")]
    new = make_reply(TASK, "new")
    kept = {record.text for record in arranged([older, old, *others])  # type: ignore[union-attr]
            if isinstance(record, ReplyRecord)}  # fmt: skip
    assert kept == {"old", "older", "second", "other"}, "nothing is lost before there is a new one"
    assert arranged([older, old, *others, new], {new.key}) == [new, *others]
    assert arranged([older, old, *others], {new.key}) == arranged([older, old, *others])
