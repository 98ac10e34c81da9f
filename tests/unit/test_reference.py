# ruff: noqa: E501 - one program a line
"""The pre-flight and the sieve on tasks made up for the purpose."""

from collections.abc import Iterator

import pytest
from plusforge.oracle.answers import own_args
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


@pytest.mark.parametrize(
    ("task", "candidates", "message"),
    [
        (
            task_of("return sorted(xs) if len(xs) < 3 else [ord(c) for c in set(map(chr, xs))]"),
            [([3, 1],), (list(range(60, 99)),)],
            r"reference f is not deterministic: f\(\[60, .* gives \[.*, but gives \[.*sort what",
        ),
        (
            task_of("_SEEN.append(1); return sorted(xs) if len(_SEEN) < 3 else [len(_SEEN)]",
                    head="_SEEN = []"),
            [([n],) for n in range(5)],
            r"f\(\[0\]\) gives \[0\], but gives \[5\] in a second process.*keep no state",
        ),
        (
            task_of("import random; return sorted(xs)[: random.randint(2, max(2, len(xs)))]"),
            [([n] * n,) for n in range(20)],
            r"is not deterministic: f\(.*no random numbers",
        ),
        (
            task_of("import os; return sorted(xs) if len(xs) < 3 else list(os.urandom(8))"),
            [([1, 2, 3],)],
            "is not deterministic",
        ),
    ],
    ids=["order of a set", "state", "pseudo-random", "random"],
)  # fmt: skip
def test_a_reference_that_answers_differently_the_next_time_fails_the_task(
    pair: Pair, task: Task, candidates: list[tuple[object, ...]], message: str
) -> None:
    """What came out alike may have done so by luck, so none of it is kept."""
    with pytest.raises(TaskError, match=message):
        rejected(pair, task, candidates)


def test_running_out_of_depth_the_second_time_is_no_chance(pair: Pair) -> None:
    body = "return _down(xs[0]) if len(xs) == 1 else sorted(xs)"
    head = "def _down(n):\n    return _down(n - 1) if n else []\n"
    task = task_of(body, head=head, extra="LIMITS = {'depth': 100000}")
    counts = rejected(pair, task, [([900],), ([3],)])
    assert counts in ({}, {Rejection.NONDETERMINISTIC: 1}, {Rejection.REFERENCE_CRASH: 1})


def messages(pair: Pair, task: Task, candidates: list[tuple[object, ...]]) -> dict[str, str]:
    with Sieve(prepare(task, *pair), *pair) as sieve:
        sieve.feed(candidates, "test")
        return {str(k): rows[0][1] for k, rows in sieve.tally.examples.items()}


def test_rejections_say_which_limit_and_whose(pair: Pair) -> None:
    task = task_of(
        "return sorted(xs) if xs[0] != 7 else [x for x in range(10**6)]",
        extra="LIMITS = {'args_bytes': 100}\ndef contract(xs):\n    assert all(\n        x < 99 for"
        " x in xs\n    )\n    [x for x in range(10**6 if xs[0] == 8 else 1)]\n"
        "def reference_b(xs):\n    return sorted(xs) if xs[0] != 5 else [_nowhere]",
    )
    limit = "takes more than 20,000 steps or 400 nested calls"
    assert messages(pair, task, [([7],)]) == {"too_costly": f"the reference {limit}"}
    assert messages(pair, task, [([8],)]) == {"too_costly": f"the contract {limit}"}
    assert messages(pair, task, [([100],)]) == {"contract": "assert all( x < 99 for x in xs )"}
    assert messages(pair, task, [([5],)]) == {
        "disagreement": "f gives [5], reference_b raises NameError"
    }
    assert messages(pair, task, [([1] * 99,)]) == {
        "too_large": "arguments of 505 bytes, allowed 100"
    }


def test_the_contract_that_refuses_a_base_input_is_the_place(pair: Pair) -> None:
    task = task_of("return sorted(xs)", extra="def contract(xs):\n    assert len(xs) > 2")
    with pytest.raises(
        TaskError, match=r"\(example 1\): f\(\[2, 1\]\): assert len\(xs\) > 2; "
    ) as fault:
        prepare(task, *pair)
    assert fault.value.where == "f.py:10"


def test_stated_outcomes_are_judged_by_the_comparison_of_the_task(pair: Pair) -> None:
    text = (
        'def f(xs: list[float]) -> float:\n    """Doc."""\n    return 10 ** sum(xs) / 3\n'
        "def test_f():\n    assert f([1.0]) == 3.3333333\n    assert f([2.0]) == 33.333333\n"
    )
    close = parse_task(f"{text}COMPARE = 'close'\n", "f.py", "test/f")
    assert len(prepare(close, *pair).base) == 2
    with pytest.raises(TaskError, match=r"f\.py:5 states 3\.33.*the reference gives 3\.33"):
        prepare(parse_task(text, "f.py", "test/f"), *pair)


CHECKED = '''\
def f(x: int) -> int:
    """Return a divisor of x other than 1 and x.

    >>> f(12)
    3
    """
    return next(d for d in range(2, x) if x % d == 0)


def check(output, x) -> bool:
    return 1 < output < x and x % output == 0


def test_f() -> None:
    assert f(30) == 15
'''


def test_any_right_answer_may_be_stated_where_a_checker_decides(pair: Pair) -> None:
    prepared = prepare(parse_task(CHECKED, "f.py", "test/f"), *pair)
    assert [answer.value() for answer in prepared.base] == [2, 2]
    wrong = [
        (
            CHECKED.replace("15", "14"),
            r"check refuses what f\.py:15 states: 14 for f\(30\); correct",
        ),
        (
            CHECKED.replace("    3\n", "    5\n"),
            r"check refuses what f\.py:4 \(example 1\) states: 5",
        ),
        (
            CHECKED + "def reference_b(x):\n    return x // 4\n",
            r"refuses what reference_b gives on",
        ),
    ]
    for text, message in wrong:
        with pytest.raises(TaskError, match=message):
            prepare(parse_task(text, "f.py", "test/f"), *pair)


DIVISOR = """\
RAISES = ["ValueError"]


def f(n: int) -> int:
    \"""Return a divisor of n greater than 1; ValueError when there is none.\"""
    if n < 2:
        raise ValueError
    return n


def reference_b(n: int) -> int:
    if n == 7:
        raise ValueError
    if n == -7:
        raise KeyError
    if n == -8:
        return 2
    return next(d for d in range(2, n + 1) if n % d == 0) if n > 1 else int("")


def contract(n: int) -> None:
    assert -100 < n < 100


def check(output, n) -> bool:
    return n % output == 0 and output > 1


def test_f() -> None:
    assert f(4) == 4
    assert f(9) == 9
"""


def test_a_promised_exception_is_no_matter_for_the_checker(pair: Pair) -> None:
    task = parse_task(DIVISOR, "f.py", "test/f")
    candidates = [(n,) for n in (6, -1, 7, -7, -8, 5, 0)]
    with Sieve(prepare(task, *pair), *pair) as sieve:
        answers = [answer for answer in sieve.feed(candidates, "test") if answer is not None]
        kept = sieve.confirm(answers)
        assert [(own_args(a.args), a.raised) for a in kept] == [
            ((6,), None), ((-1,), "ValueError"), ((5,), None), ((0,), "ValueError"),
        ]  # fmt: skip
        assert sieve.tally.counts == {"disagreement": 3}
        (_, why), *_ = sieve.tally.examples[Rejection.DISAGREEMENT]
        assert why == "f gives 7, reference_b raises ValueError"
    base = DIVISOR.replace("f(4) == 4", "f(7) == 7")
    with pytest.raises(TaskError, match=r"reference_b raises ValueError on base input"):
        prepare(parse_task(base, "f.py", "test/f"), *pair)


PAIRED = """\
OBSERVE = "arguments"


def f(xs: list[int]) -> None:
    \"""Put the items in any other order.\"""
    xs.reverse()


def reference_b(xs: list[int]) -> None:
    if 5 not in xs:
        xs.sort()
    else:
        xs.append(5)


def check(output, xs) -> bool:
    return type(output) is tuple and sorted(output[0]) == sorted(xs)


def test_f() -> None:
    xs = [1, 2]
    f(xs)
    assert xs == [2, 1]
"""


def test_a_checker_sees_of_every_reference_what_the_task_observes(pair: Pair) -> None:
    task = parse_task(PAIRED, "f.py", "test/f")
    with Sieve(prepare(task, *pair), *pair) as sieve:
        answers = sieve.feed([([3, 4],), ([5, 1],)], "test")
        kept = sieve.confirm([answer for answer in answers if answer is not None])
        assert [own_args(answer.args) for answer in kept] == [([3, 4],)]
        assert sieve.tally.counts == {"checker": 1}


def test_a_failing_test_is_named_by_line_with_what_it_got(pair: Pair) -> None:
    task = task_of("return sorted(xs)", extra="def test_a():\n    assert f([2, 1])[0] == 2")
    message = (
        r"^reference f fails the test at f\.py:11: assert f\(\[2, 1\]\)\[0\] == 2: AssertionError; "
        r"f\(\[2, 1\]\) gave \[1, 2\]; correct the reference or the test$"
    )
    with pytest.raises(TaskError, match=message):
        prepare(task, *pair)


OBJECTS = '''\
from dataclasses import dataclass


@dataclass
class P:
    x: int


def f(p) -> int:
    """Return x."""
    return p.x if isinstance(p, P) else p


def test_f() -> None:
    assert f(P(3)) == 3
'''


def test_arguments_that_are_no_plain_values_are_named(pair: Pair) -> None:
    with pytest.raises(
        TaskError, match=r"no base input: f\.py:15: P\(3\) is not a plain value \(None"
    ):
        prepare(parse_task(OBJECTS, "f.py", "test/f"), *pair)
    prepared = prepare(parse_task(OBJECTS + "    assert f(4) == 4\n", "f.py", "test/f"), *pair)
    assert prepared.notes[0].startswith("1 base call left out: f.py:15: P(3) is not a plain value")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "return sorted(ys)",
            r"^reference_b raises NameError: name 'ys' is not .* f\(\[2, 1\]\), where f gives",
        ),
        (
            "return xs",
            r"^the references disagree on .*: f gives \[1, 2\], reference_b gives \[2, 1\]; one",
        ),
        ("return print", r"^reference_b comes to unencodable: .*where f gives"),
    ],
)  # fmt: skip
def test_a_further_reference_is_told_by_its_name(pair: Pair, body: str, message: str) -> None:
    task = task_of("return sorted(xs)", extra=f"def reference_b(xs):\n    {body}")
    with pytest.raises(TaskError, match=message):
        prepare(task, *pair)


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
