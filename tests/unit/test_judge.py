"""The judge's own bookkeeping, without a sandbox."""

from collections.abc import Iterator
from typing import Any

import pytest
from plusforge.oracle import wire
from plusforge.oracle.gold import Gold, frame_of
from plusforge.oracle.judge import CHECKED_BYTES, CHECKED_TOGETHER, _enough, judge
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.runner import Outcome
from plusforge.oracle.verdict import OutcomeKind


@pytest.mark.parametrize(
    ("sizes", "enough"),
    [
        ([], False),
        ([10] * (CHECKED_TOGETHER - 1), False),
        ([10] * CHECKED_TOGETHER, True),
        ([CHECKED_BYTES - 1], False),
        ([CHECKED_BYTES], True),
        ([CHECKED_BYTES // 2] * 2, True),
    ],
)
def test_what_waits_for_the_checker_is_bounded(sizes: list[int], enough: bool) -> None:
    waiting = [(index, bytes(size)) for index, size in enumerate(sizes)]
    assert _enough(waiting) is enough


class Scripted:
    """Stands for a sandbox and its trial: yields outcomes that are written down."""

    def __init__(self, *outcomes: OutcomeKind | None, unloaded_from: int) -> None:
        self.outcomes, self.unloaded_from = outcomes, unloaded_from
        self.unloaded = False

    def trial(self, *_: object, **__: object) -> "Scripted":
        return self

    def __enter__(self) -> "Scripted":
        return self

    def __exit__(self, *_: object) -> None: ...

    def compare(self, *_: object) -> Iterator[list[Outcome | None]]:
        for index, kind in enumerate(self.outcomes):
            self.unloaded = index >= self.unloaded_from
            yield [kind and Outcome(kind, message="told")]


CRASH, TIMEOUT, LOAD_ERROR = OutcomeKind.CRASH, OutcomeKind.TIMEOUT, OutcomeKind.LOAD_ERROR


@pytest.mark.parametrize(
    ("outcomes", "unloaded_from", "base", "plus", "failed"),
    [
        ((LOAD_ERROR,) * 4, 0, "load_error", None, [("base", None, "load_error")]),
        ((TIMEOUT,) * 4, 0, "timeout", None, [("base", None, "timeout")]),
        (
            (None, None, CRASH, TIMEOUT), 3,
            "pass", "crash", [("plus", 0, "crash"), ("plus", 1, "timeout")],
        ),
        (
            (None, CRASH, LOAD_ERROR, LOAD_ERROR), 2,
            "crash", "load_error",
            [("base", 1, "crash"), ("plus", 0, "load_error"), ("plus", 1, "load_error")],
        ),
        (
            (CRASH, TIMEOUT, TIMEOUT, TIMEOUT), 1,
            "crash", "timeout",
            [("base", 0, "crash"), ("base", 1, "timeout"), ("plus", 0, "timeout"),
             ("plus", 1, "timeout")],
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_loaded_again_after_a_crash_fails_the_tests_that_are_left(
    outcomes: tuple[OutcomeKind | None, ...],
    unloaded_from: int,
    base: str,
    plus: str | None,
    failed: list[Any],
) -> None:
    gold = Gold(
        task_id="t", entry_point="f", n_base=2,
        args=[wire.dumps((n,)) for n in range(4)], frames=[frame_of(n) for n in range(4)],
    )  # fmt: skip
    sandbox: Any = Scripted(*outcomes, unloaded_from=unloaded_from)
    judged = judge("", gold, sandbox, JudgeSettings(all_tests=True))
    assert (judged.base, judged.plus, judged.failed) == (base, plus, failed)
    sandbox = Scripted(*outcomes, unloaded_from=unloaded_from)
    first = judge("", gold, sandbox, JudgeSettings())
    assert first.failed is None
    assert first.failure is not None
    assert (first.failure.part, first.failure.index, first.failure.verdict) == failed[0]


BIG = 10**8


def test_a_leaked_tolerance_holds_for_later_tests_of_the_same_part_only() -> None:
    expected = [BIG, 1.5, BIG, BIG, BIG, 2.5, BIG]
    near = Outcome(OutcomeKind.VALUE, wire.dumps(BIG + 5))
    gold = Gold(
        task_id="t", entry_point="f", n_base=4,
        args=[wire.dumps((n,)) for n in range(7)], frames=[frame_of(value) for value in expected],
    )  # fmt: skip
    runs = [
        [None, None, near, near, None, None, Outcome(OutcomeKind.MEMORY)],
        [near, None, near, near, near, None, near],
    ]

    class Sandbox(Scripted):
        def compare(self, *_: object) -> Iterator[list[Outcome | None]]:
            yield from ([outcome] for outcome in runs.pop(0))

    sandbox: Any = Sandbox(unloaded_from=9)
    judged = judge("", gold, sandbox, JudgeSettings(all_tests=True, rules="evalplus"))
    assert not runs  # what is out of memory is judged again, from the first test on
    assert judged.failed == [("base", 0, "wrong"), ("plus", 0, "wrong")]
