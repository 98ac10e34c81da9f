"""Recordings become seeds, wrong programs and contracts of tasks; what is out of date is named."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator import templates
from plusforge.generator.recordings import ProposalRecord, Recordings, ReplyRecord
from plusforge.generator.replay import Replay, folders_of, hear, with_recordings
from plusforge.oracle.benchmarks import SEEDS_FOLDER
from plusforge.oracle.task import BaseTest, Param, Reference, Seed, Task, WrongProgram

from tests.seeding import declared, make_proposal, make_reply, make_task

TASK = make_task()
INPUTS = json.dumps(
    {"inputs": [{"class": "typical", "args": {"a": 1, "b": 2}},
                {"class": "near_valid", "args": {"a": 1, "b": "2"}},
                {"class": "corner", "args": {"a": 1, "c": 2}}]}
)  # fmt: skip
WRONG = json.dumps(
    {"programs": [{"mistake": "forgets b", "code": "def add(a, b):\n    return a\n",
                   "breaking_args": ["0", "1"]},
                  {"mistake": "is no program", "code": "def add(a, b:"}]}
)  # fmt: skip
AGAIN = "ask again with `plusforge seed`"
CONTRACT = "```python\ndef contract(a, b):\n    assert a >= 0\n```"


def replay_of(*records: ReplyRecord | ProposalRecord, task: Task = TASK, **more: Any) -> Replay:
    replies = tuple(one for one in records if isinstance(one, ReplyRecord))
    proposals = tuple(one for one in records if isinstance(one, ProposalRecord))
    return with_recordings([task], Recordings(replies, proposals), **more)


def test_replies_become_what_was_asked_for() -> None:
    found = replay_of(
        make_reply(TASK, INPUTS), make_reply(TASK, WRONG, "wrong"),
        make_reply(TASK, CONTRACT, "contract"),
    )  # fmt: skip
    (task,) = found.tasks
    assert task.seeds == (Seed(args=(1, 2), origin="llm:m"), Seed(args=(0, 1), origin="llm:m"))
    assert task.near_invalid == (Seed(args=(1, "2"), origin="llm:m"),)
    assert [wrong.name for wrong in task.wrong] == ["forgets b"]
    assert task.wrong[0].source.strip() == "def add(a, b):\n    return a"
    (contract,) = task.proposed
    assert (contract.declared, contract.where) == (False, "m")
    assert "assert a >= 0" in contract.source
    assert found.used == 3
    assert found.stale == []
    assert len(found.unread) == 2
    assert all(line.startswith("toy/0: ") for line in found.unread)
    assert "an object with the keys a, c" in found.unread[0]


def test_a_task_that_declares_a_contract_takes_no_other() -> None:
    task = make_task(contract=declared("def contract(a, b): ..."))
    found = replay_of(make_reply(task, CONTRACT, "contract"), task=task)
    assert found.tasks[0].proposed == ()


def test_what_a_task_had_comes_first() -> None:
    mine = Seed(args=(7, 7), origin="hand")
    program = WrongProgram(name="w", source="x")
    task = make_task(seeds=(mine,), wrong=(program,))
    found = replay_of(make_reply(task, INPUTS), make_reply(task, WRONG, "wrong"), task=task)
    assert found.tasks[0].seeds[0] == mine
    assert found.tasks[0].wrong[0] == program
    assert replay_of(task=task).tasks == [task]


def test_imported_parts_that_cannot_be_used_are_counted_and_named() -> None:
    programs = ("def add(a, b):\n    return b\n", "def add(a, b:\n", "def sub(a, b): ...\n", "")
    record = make_proposal(
        TASK,
        inputs=("(1, 2)", "(1,)", "(1, 2, 3)", "[1, 2]", "(a, 2)", "(1, 2", "9**9**9", "", "()",
                "(1, (" + "(" * 500 + ")" * 501 + ")"),
        near_invalid=("(1, 'x')", "x"),
        wrong_programs=programs,
    )  # fmt: skip
    found = replay_of(record)
    (task,) = found.tasks
    assert [seed.args for seed in task.seeds] == [(1, 2)]
    assert task.seeds[0].origin == "me"
    assert [seed.args for seed in task.near_invalid] == [(1, "x")]
    assert task.wrong == (WrongProgram(name="manual 1", source=programs[0]),)
    assert len(found.unread) == 9 + 1 + 3
    assert any("1 arguments, add takes 2" in line for line in found.unread)
    assert any("expected a tuple of arguments" in line for line in found.unread)


def test_parameters_with_defaults_may_be_left_out() -> None:
    params = (Param(name="a"), Param(name="b", optional=True))
    task = make_task(params=params)
    found = replay_of(make_proposal(task, inputs=("(1,)", "(1, 2)", "()", "(1, 2, 3)")), task=task)
    assert [seed.args for seed in found.tasks[0].seeds] == [(1,), (1, 2)]
    assert len(found.unread) == 2
    nothing = make_task(params=())
    found = replay_of(make_proposal(nothing, inputs=("()", "(1,)")), task=nothing)
    assert [seed.args for seed in found.tasks[0].seeds] == [()]


@pytest.mark.parametrize(
    ("annotation", "given", "meant"),
    [
        ("float", 1, 1.0),
        ("float", 2**53, 2**53),
        ("float", True, True),
        ("int", "12", 12),
        ("int", "twelve", "twelve"),
        ("str", "12", "12"),
        ("list[float]", [1, 2.5], [1.0, 2.5]),
        ("list[list[float]]", [[1], []], [[1.0], []]),
        ("tuple[float, int]", (1, 1), (1.0, 1)),
        ("tuple[int, ...]", "(1, 2)", (1, 2)),
        ("set[float]", {1, 2}, {1.0, 2.0}),
        ("dict[str, float]", {"a": 1}, {"a": 1.0}),
        ("dict[float, int]", {1: 1}, {1.0: 1}),
        ("Optional[float]", 1, 1.0),
        ("Optional[float]", None, None),
        ("Union[int, float]", 1, 1),
        ("Optional[list[float]]", [1], [1.0]),
        ("list[int]", "[1] * 3", [1, 1, 1]),
        ("list[int]", "[1] * 3 +", "[1] * 3 +"),
        ("bytes", "b'x'", b"x"),
        (None, 1, 1),
        (None, "12", "12"),
        ("what ever[", 1, 1),
    ],
)
def test_arguments_get_the_types_that_were_meant(
    annotation: str | None, given: Any, meant: Any
) -> None:
    task = make_task(params=(Param(name="a", annotation=annotation),), base=())
    (seed,) = hear(task, make_proposal(task, inputs=(f"({given!r},)",))).inputs
    assert repr(seed.args) == repr((meant,))


@pytest.mark.parametrize(
    ("annotation", "shown", "said", "meant"),
    [
        (None, (1,), 12, 12),  # seen: an int, so JSON has a type for it
        (None, (1,), "12", 12),
        (None, ("a",), "12", "12"),
        (None, ((1, 2),), "(3, 4)", (3, 4)),
        (None, ({1: "a"},), "{2: 'b'}", {2: "b"}),
        (None, ([],), ["12", "x"], [12, "x"]),
        (None, (1.5,), 2, 2.0),
        (None, ([(1, 2)],), ["(3, 4)", "(5, 6)"], [(3, 4), (5, 6)]),
        ("tuple[int, int]", ((1, 2),), "(3, 4)", (3, 4)),
        ("tuple[int, int]", ((1, 2),), "neither", "neither"),
    ],
)
def test_literals_in_strings_are_read_where_they_were_asked_for(
    annotation: str | None, shown: Any, said: Any, meant: Any
) -> None:
    params = (Param(name="a", annotation=annotation), Param(name="b"))
    task = make_task(params=params, base=(BaseTest(args=(*shown, 1)),))
    row = {"class": "corner", "args": {"a": said, "b": 2}}
    (seed,) = hear(task, make_reply(task, json.dumps({"inputs": [row]}))).inputs
    assert repr(seed.args) == repr((meant, 2))


def test_what_shall_be_refused_keeps_its_wrong_type() -> None:
    """Else a contract would be accused of taking what was never put to it."""
    task = make_task(params=(Param(name="a", annotation="int"), Param(name="b")),
                     base=(BaseTest(args=(1, (1, 2))),))  # fmt: skip
    record = make_proposal(task, near_invalid=("('1', (1, 2))", "(1, [1, 2])"))
    assert [seed.args for seed in hear(task, record).near_invalid] == [("1", (1, 2)), (1, [1, 2])]
    row = {"class": "near_valid", "args": {"a": "1", "b": "(1, 2)"}}
    reply = make_reply(task, json.dumps({"inputs": [row]}))
    assert [seed.args for seed in hear(task, reply).near_invalid] == [("1", (1, 2))]


# --- what is out of date -------------------------------------------------------------------------


def test_a_recording_of_a_task_that_has_changed_is_left_out_and_named() -> None:
    records = [make_reply(TASK, INPUTS), make_proposal(TASK, inputs=("(1, 2)",)),
               make_proposal(TASK, kind="imported", origin="them", inputs=("(3, 4)",))]  # fmt: skip
    changed = make_task(references=(Reference(source="def add(a, b): return b + a"),))
    found = replay_of(*records, task=changed)
    assert found.tasks[0].seeds == ()
    assert found.used == 0
    assert found.stale == [
        "manual seeds (me) left out, as the task has changed since: toy/0",
        "imported seeds (them) left out, as the task has changed since: toy/0",
        f"reply 0 of m (inputs) left out, as the task has changed since; {AGAIN}: toy/0",
    ]


def test_a_changed_template_makes_replies_stale_and_imported_records_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tasks = [TASK, make_task(1)]
    replies = tuple(make_reply(task, INPUTS) for task in tasks)
    wrong = make_reply(TASK, WRONG, "wrong")
    imported = make_proposal(TASK, kind="imported", inputs=("(5, 6)",))
    before = with_recordings(tasks, Recordings((*replies, wrong), (imported,)))
    assert before.stale == []
    for path in templates.FOLDER.iterdir():
        (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    text = (tmp_path / "inputs.md").read_text("utf-8")
    (tmp_path / "inputs.md").write_text(text.replace("version: 1", "version: 2") + "Be brief.\n")
    monkeypatch.setattr(templates, "FOLDER", tmp_path)
    after = with_recordings(tasks, Recordings((*replies, wrong), (imported,)))
    assert after.tasks == before.tasks, "they are about these tasks, so they are used"
    assert after.used == 4
    ids = "toy/0, toy/1"
    assert after.stale == [
        f"reply 0 of m (inputs) used, but its prompt (inputs/1) has changed since; {AGAIN}: {ids}"
    ]


def test_recordings_of_other_benchmarks_are_passed_over_or_named() -> None:
    strange = [make_reply(make_task(7), INPUTS), make_proposal(make_task(8), inputs=("(1, 2)",))]
    assert replay_of(*strange).stale == []
    found = replay_of(make_reply(TASK, INPUTS), *strange, known={"toy/0", "toy/1"})
    assert found.stale == ["recordings of tasks that the benchmark has not: toy/8, toy/7"]
    assert len(found.tasks) == 1
    assert found.used == 1


def test_a_reply_to_a_purpose_of_another_version_is_counted_and_not_called_stale() -> None:
    found = replay_of(make_reply(TASK, INPUTS, "proofs"))
    assert found.unread == ["toy/0: reply of an unknown purpose 'proofs'"]
    assert found.stale == []
    assert found.tasks == [TASK]


def test_an_empty_reply_is_told_with_its_end() -> None:
    found = replay_of(make_reply(TASK, " \n", finish="refusal"))
    assert found.unread == ["toy/0: reply 0 of m (inputs) is empty (refusal)"]


NONSENSE = [
    "I cannot help with that.", "{", "[" * 10_000, '{"inputs": ' * 5_000, "null", "\x00\ud800",
    '{"inputs": {"inputs": {"inputs": 7}}}', '{"programs": [[[[]]]]}', "```\n```", "def add(",
    "9" * 100_000, '{"inputs": [' + '{"class": 7, "args": null},' * 300 + "]}",
    "import os; os.system('true')", "add(" * 3_000, "<think>" * 100, "(1, 2)\n" * 2_000,
    "def contract(*a): assert a", "```python\n" + "x = 1\n" * 3_000 + "```",
    json.dumps({"inputs": [{"class": "corner", "args": {"a": [[[1]]] * 999, "b": 1e999}}]}),
]  # fmt: skip


@pytest.mark.parametrize("purpose", ["inputs", "wrong", "contract"])
def test_nonsense_is_counted_and_stops_nothing(purpose: str) -> None:
    for text in NONSENSE:
        found = replay_of(make_reply(TASK, text, purpose))
        (task,) = found.tasks
        got = len(task.seeds) + len(task.near_invalid) + len(task.wrong) + len(task.proposed)
        assert got or found.unread, text[:80]
        assert all(len(line) < 1_000 for line in found.unread), text[:80]


def test_a_replay_depends_on_nothing_but_task_and_recordings() -> None:
    rng = random.Random(1)
    records = [make_reply(TASK, INPUTS), make_reply(TASK, WRONG, "wrong"),
               *(make_reply(TASK, text) for text in NONSENSE[:5])]  # fmt: skip
    rng.shuffle(records)
    first = replay_of(*records)
    assert replay_of(*records) == first
    assert with_recordings(first.tasks[:0], Recordings()).tasks == []


def test_where_recordings_are_looked_for() -> None:
    assert folders_of("toy") == [SEEDS_FOLDER / "toy", Path("seeds") / "toy"]
    assert folders_of("toy", Path("x")) == [Path("x")]
