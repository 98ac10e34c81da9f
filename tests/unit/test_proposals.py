"""Proposed contracts and proposed invalid inputs, put to the test in the sandbox."""

from collections.abc import Iterator
from typing import Any

import pytest
from plusforge.generator.recordings import CONTRACT, Recordings
from plusforge.generator.replay import with_recordings
from plusforge.oracle.proposals import contract_doubts, settled_contract, takes
from plusforge.oracle.reference import prepare
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import BaseTest, Contract, Seed, Task

from tests.seeding import declared, make_proposal, make_reply, make_task


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(hash_seed=0) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def second() -> Iterator[Sandbox]:
    with Sandbox(hash_seed=1) as sandbox:
        yield sandbox


def proposed(body: str, where: str = "m") -> Contract:
    source = body if body.startswith(("def ", "import ")) else f"def contract(a, b):\n    {body}\n"
    return Contract(source=source, declared=False, where=where)


def task_with(*contracts: Contract, wrong: tuple[Any, ...] = (), **changes: Any) -> Task:
    base = tuple(BaseTest(args=row) for row in [(1, 2), (0, 0), (5, -1)])
    near = tuple(Seed(args=row, origin="llm:m") for row in wrong)
    return make_task(proposed=contracts, near_invalid=near, **{"base": base, **changes})


GOOD = proposed("assert type(a) is int and type(b) is int")


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ("assert a > 0", True),
        ("return True", True),
        ("return 0", True),  # only False says no
        ("return object()", True),
        ("return {n * ((1 << 61) - 1) for n in range(99)}", True),  # of one hash: not even read
        ("return False", False),
        ("assert a > 1", False),
        ("raise KeyError(a)", False),
        ("return a / 0", False),
        ("def contract(a, b:", False),
        ("def contract(a): pass", False),
        ("def other(a, b): pass", False),
        ("import nosuchmodule", False),
        ("raise SystemExit(0)", False),
        ("import os; os._exit(0)", False),
    ],
)
def test_what_a_contract_takes(sandbox: Sandbox, body: str, taken: bool) -> None:
    task = make_task()
    assert takes(task, proposed(body), [(1, 2), (1, 2)], sandbox) == [taken, taken]
    assert takes(task, proposed(body), [], sandbox) == []


def test_inputs_are_judged_one_by_one(sandbox: Sandbox) -> None:
    rows: list[Any] = [(1, 1), (-1, 1), ("x", 1), (1,), (1, 2, 3), (float("nan"), 1), (2, 1)]
    found = takes(make_task(), proposed("assert a > 0"), rows, sandbox)
    assert found == [True, False, False, False, False, False, True]


def test_a_contract_that_never_ends_takes_nothing(sandbox: Sandbox) -> None:
    limits = make_task().limits
    task = make_task(limits=type(limits)(cpu_s=0.2), mutates=False)
    assert takes(task, proposed("while True: pass"), [(1, 2)], sandbox) == [False]


def test_a_contract_that_stands_the_test_is_taken_with_a_note(sandbox: Sandbox) -> None:
    task = task_with(GOOD, wrong=(("1", 2), (1, None)))
    assert settled_contract(task, sandbox) == (
        GOOD, ["contract proposed by m: taken, correct it if need be"],
    )  # fmt: skip
    assert settled_contract(task_with(), sandbox) == (None, [])


def test_a_contract_that_does_not_is_left_to_a_person(sandbox: Sandbox) -> None:
    strict = proposed("assert a > 0 and b > 0")
    lax = proposed("assert a is not None")
    both = proposed("assert a != 5")
    wrong = (("1", 2), (1, None), ("", ""), (None, None), ("2", 2))
    contract, notes = settled_contract(task_with(strict, lax, both, wrong=wrong), sandbox)
    assert contract is None
    who, end = "contract proposed by m: left out, it ", "; decide by hand"
    some = "add('1', 2), add(1, None), add('', ''), ..."
    assert notes == [
        f"{who}refuses 2 base inputs: add(0, 0), add(5, -1){end}",
        f"{who}takes 4 invalid inputs: {some}{end}",
        f"{who}refuses 1 base input: add(5, -1) and takes 5 invalid inputs: {some}{end}",
    ]


def test_the_first_that_stands_is_taken_and_the_others_before_it_are_told(sandbox: Sandbox) -> None:
    task = task_with(proposed("assert a > 0", "one"), GOOD, proposed("return True", "three"))
    contract, notes = settled_contract(task, sandbox)
    assert contract == GOOD
    assert [note.split(":")[0] for note in notes] == [
        "contract proposed by one", "contract proposed by m",
    ]  # fmt: skip


def test_a_declared_contract_is_doubted_when_it_takes_what_it_should_refuse(
    sandbox: Sandbox,
) -> None:
    contract = declared("def contract(a, b):\n    assert a >= 0")
    task = task_with(contract=contract, wrong=((-1, 0), (3, None), (4, None)))
    assert contract_doubts(task, sandbox) == [
        "the contract takes 2 invalid inputs: add(3, None), add(4, None)"
    ]
    assert contract_doubts(task_with(contract=contract, wrong=((-1, 0),)), sandbox) == []
    assert contract_doubts(task_with(contract=contract), sandbox) == []
    assert contract_doubts(task_with(contract=GOOD, wrong=((3, None),)), sandbox) == []
    assert contract_doubts(task_with(wrong=((3, None),)), sandbox) == []


# --- in the pre-flight ---------------------------------------------------------------------------


def prepared(task: Task, *replies: Any, sandboxes: tuple[Sandbox, Sandbox]) -> Any:
    proposals = (make_proposal(task, near_invalid=("(1, 'x')",)),)
    (enriched,) = with_recordings([task], Recordings(tuple(replies), proposals)).tasks
    return prepare(enriched, *sandboxes)


def test_from_reply_to_suite(sandbox: Sandbox, second: Sandbox) -> None:
    task = task_with()
    texts = ["def contract(a, b):\n    assert a > b", "def contract(a, b):\n    assert a + b < 99",
             "I do not know.", "def contract(a, b):\n    assert b < 99"]  # fmt: skip
    replies = [make_reply(task, t, CONTRACT, number=n) for n, t in enumerate(texts)]
    found = prepared(task, *replies, sandboxes=(sandbox, second))
    assert "assert a + b < 99" in found.task.contract.source
    assert found.task.contract.declared is False
    refused = "refuses 2 base inputs: add(1, 2), add(0, 0)"
    assert found.notes[-2:] == (
        f"contract proposed by m: left out, it {refused}; decide by hand",
        "contract proposed by m: taken, correct it if need be",
    )
    found = prepared(task, *replies[:1], sandboxes=(sandbox, second))
    assert found.notes[-1] == "contract inferred from types and base inputs"
    assert "decide by hand" in found.notes[-2]


def test_near_valid_inputs_test_declared_contracts(sandbox: Sandbox, second: Sandbox) -> None:
    task = task_with(contract=declared("def contract(a, b):\n    assert a > -9"))
    found = prepared(task, sandboxes=(sandbox, second))
    assert found.notes == ("the contract takes 1 invalid input: add(1, 'x')",)
