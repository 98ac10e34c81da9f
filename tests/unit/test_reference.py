# ruff: noqa: E501 - one program a line
"""The pre-flight and the sieve on tasks made up for the purpose."""

from collections.abc import Iterator

import pytest
from plusforge.oracle.errors import TaskError
from plusforge.oracle.load_humaneval import load_humaneval
from plusforge.oracle.reference import prepare
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.task import Task
from plusforge.oracle.taskfile import parse_task
from plusforge.oracle.verdict import Rejection

Pair = tuple[Sandbox, Sandbox]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with Sandbox(hash_seed=0) as first, Sandbox(hash_seed=1) as second:
        yield first, second


def task_of(
    body: str, head: str = "", extra: str = "", example: str = "f([2, 1])\n    [1, 2]"
) -> Task:
    doc = f'    """Doc.\n\n    >>> {example}\n    """\n'
    text = f"{head}\ndef f(xs: list[int]):\n{doc}    {body}\n\n{extra}\n"
    return parse_task(text, "f.py", "test/f")


def rejected(pair: Pair, task: Task, candidates: list[tuple[object, ...]]) -> dict[str, int]:
    with Sieve(prepare(task, *pair), *pair) as sieve:
        answers = sieve.feed(candidates, "test")
        sieve.confirm([answer for answer in answers if answer is not None])
        return {str(reason): count for reason, count in sieve.tally.counts.items()}


def test_a_good_task_passes(pair: Pair) -> None:
    prepared = prepare(task_of("return sorted(xs)"), *pair)
    assert [answer.value() for answer in prepared.base] == [[1, 2]]
    assert prepared.task.contract is not None
    assert not prepared.task.contract.declared


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (task_of("return xs"), r"states \[1, 2\].*reference gives \[2, 1\]"),
        (task_of("xs.sort(); return xs"), "changes its arguments"),
        (task_of("return 1 // 0"), "ZeroDivisionError"),
        (task_of("return [x for x in xs if x > len({'a', 'b'})] or sorted(xs)",
                 extra="def reference_two(xs):\n    return xs"), "(disagree|reference_two)"),
        (task_of("return sorted(xs)", extra="def contract(xs):\n    assert len(xs) > 2"),
         r"contract rejects base input.*\[2, 1\]"),
        (task_of("return list({'a', 'b', 'c', 'd', 'e'})", extra="def test_a():\n    f([3])"),
         "(states|determin)"),
        (task_of("return sorted(xs)", extra="def test_a():\n    assert f([3]) == [4]"), "tests|states"),
    ],
)  # fmt: skip
def test_a_bad_task_is_refused_with_the_reason(pair: Pair, task: Task, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        prepare(task, *pair)


def test_every_rejection_has_its_reason(pair: Pair) -> None:
    task = task_of(
        "return sorted(xs) if sum(xs) != 13 else 1 // 0",
        extra="def contract(xs):\n    assert len(xs) < 5",
    )
    counts = rejected(
        pair,
        task,
        [([2, 1],), ([5],), ([5],), ([True],), ([1.0],), ([1], 2), ([0] * 5,), ([13],), ("ab",)],
    )
    assert counts == {
        Rejection.DUPLICATE: 2,
        Rejection.TYPE: 3,
        Rejection.ARITY: 1,
        Rejection.CONTRACT: 1,
        Rejection.REFERENCE_CRASH: 1,
    }


def test_cost_is_counted_not_timed(pair: Pair) -> None:
    task = task_of(
        "return [y for y in sorted(xs) for _ in range(1)] if xs[0] < 99 else list(range(10**9))"
    )
    assert rejected(pair, task, [([100],), ([98],)]) == {Rejection.TOO_COSTLY: 1}


def test_mutation_seen_only_later_is_rejected(pair: Pair) -> None:
    task = task_of("xs.sort() if len(xs) > 2 else None; return sorted(xs)")
    assert rejected(pair, task, [([3, 2, 1],), ([1, 2, 3],)]) == {Rejection.ARGUMENT_MUTATED: 1}


def test_answers_that_rest_on_hidden_order_are_rejected(pair: Pair) -> None:
    task = task_of(
        "return sorted(xs) if len(xs) < 3 else [ord(c) for c in set(map(chr, xs))]",
    )
    assert rejected(pair, task, [(list(range(60, 99)),)]) == {Rejection.NONDETERMINISTIC: 1}


def test_state_between_calls_is_rejected(pair: Pair) -> None:
    task = task_of(
        "_SEEN.append(1); return sorted(xs) if len(_SEEN) < 3 else [len(_SEEN)]", head="_SEEN = []"
    )
    counts = rejected(pair, task, [([n],) for n in range(5)])
    assert counts[Rejection.NONDETERMINISTIC] >= 2


def test_nan_is_left_out_unless_the_task_is_about_it(pair: Pair) -> None:
    text = 'def f(x: float):\n    """Doc.\n\n    >>> f(1.0)\n    1.0\n    """\n    return x * 1e308 * x\n'
    text = text.replace("return x * 1e308 * x", "return x if x < 2 else x * 1e308 * 10")
    task = parse_task(text, "f.py", "test/f")
    assert rejected(pair, task, [(3.0,), (1.5,)]) == {Rejection.NOT_FINITE: 1}


def test_a_prompt_example_that_contradicts_the_tests_is_a_note(pair: Pair) -> None:
    record = {
        "task_id": "T/0",
        "prompt": 'def f(x):\n    """Doc.\n    >>> f(2)\n    5\n    """\n',
        "entry_point": "f",
        "canonical_solution": "    return x * 2\n",
        "test": "def check(candidate):\n    assert candidate(3) == 6\n",
    }
    prepared = prepare(load_humaneval(record, "t.jsonl:1"), *pair)
    assert any("prompt example contradicts" in note for note in prepared.notes)
    wrong = {**record, "test": "def check(candidate):\n    assert candidate(3) == 7\n"}
    with pytest.raises(TaskError, match="states 7"):
        prepare(load_humaneval(wrong, "t.jsonl:1"), *pair)
