"""A kill matrix with holes has the smallest covers of the whole one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator import killmatrix as module
from plusforge.generator.cover import Cover, smallest_cover
from plusforge.generator.killmatrix import KillMatrix, kill_matrix
from plusforge.oracle.outcome import Outcome
from plusforge.oracle.verdict import OutcomeKind


class Session:
    """Stands for a session with the sandbox: a kill matrix that is known beforehand."""

    def __init__(self, kills: Sequence[frozenset[int]], fatal: int | None = None) -> None:
        self.kills = kills
        self.fatal = fatal
        self.dropped: dict[int, Outcome] = {}
        self.runs = 0
        self.steps = 0

    def feed(self, inputs: Sequence[bytes], alive: Sequence[int]) -> list[tuple[int, ...]]:
        self.runs += len(inputs) * len(alive)
        self.steps += 10 * len(inputs) * len(alive)
        if self.fatal in alive:
            self.dropped[self.fatal] = Outcome(OutcomeKind.CRASH)
        return [tuple(sorted(self.kills[int(one)].intersection(alive))) for one in inputs]


def session_of(kills: Sequence[frozenset[int]]) -> Any:
    return Session(kills)


def numbered(count: int) -> list[bytes]:
    return [str(number).encode() for number in range(count)]


@given(
    st.lists(
        st.tuples(st.frozensets(st.integers(0, 9)), st.integers(0, 3)), min_size=1, max_size=24
    ),
    st.integers(0, 24),
)
@settings(max_examples=150, deadline=None)
def test_covers_are_as_small_as_those_of_the_whole_matrix(
    rows: list[tuple[frozenset[int], int]], start: int
) -> None:
    kills, costs = [kill for kill, _ in rows], [cost for _, cost in rows]
    parts = [range(len(kills)), range(min(start, len(kills)), len(kills))]
    known = [{20} if 0 in kill else set[int]() for kill in kills]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PORTION", 3)
        session: Any = Session(kills)
        matrix = KillMatrix(session, numbered(len(kills)), range(10), known, enough=2)
        matrix.explore()
        for part in parts:
            matrix.settle(part, costs)
        found = matrix.kills()
    whole = [kill | extra for kill, extra in zip(kills, known, strict=True)]
    assert all(some <= all_ for some, all_ in zip(found, whole, strict=True))
    assert set().union(*found) == set().union(*whole)
    for part in parts:
        mine, theirs = ([m[i] for i in part] for m in (found, whole))
        prices = [costs[i] for i in part]
        a, b = smallest_cover(mine, prices), smallest_cover(theirs, prices)
        assert set().union(*(theirs[i] for i in a.chosen)) == set().union(*theirs)
        assert len(a.chosen) == len(b.chosen)


def test_easy_targets_cost_little() -> None:
    kills = [frozenset(range(30)) - ({0} if number != 700 else set()) for number in range(1000)]
    session: Any = Session(kills)
    kill_matrix(session, numbered(1000), range(30), [1] * 1000, [range(1000)])
    assert session.runs < 3000  # of 30,000


def test_a_cover_as_small_by_what_is_known_will_do() -> None:
    # The cheapest cover of target 0 is input 0, which does not kill target 1. Input 20 kills both.
    kills = [frozenset({0}), *[frozenset({1})] * 19, frozenset({0, 1}), *[frozenset({1})] * 500]
    session: Any = Session(kills)
    matrix = KillMatrix(session, numbered(len(kills)), range(2), enough=3)
    matrix.explore()
    before = session.runs
    matrix.settle(range(len(kills)), [1] * 20 + [5] + [1] * 500)
    assert smallest_cover(matrix.kills(), [1] * len(kills)).chosen == (20,)
    assert session.runs == before


def test_a_target_that_ends_its_process_says_nothing() -> None:
    kills = [frozenset({0, 1}), frozenset({1, 2})]
    session: Any = Session(kills, fatal=1)
    found, settled = kill_matrix(session, numbered(2), range(3), [1, 1], [range(2)])
    assert found == [{0}, {2}]
    assert settled


def test_exploring_ends_with_its_steps_and_speaks_of_what_it_looked_at() -> None:
    kills = [frozenset({number % 3}) for number in range(2 * module.PORTION)]
    session: Any = Session(kills)
    matrix = KillMatrix(session, numbered(len(kills)), range(4), enough=1000)
    assert matrix.explore(steps=1) == module.PORTION
    assert matrix.unseen() == 0.0
    matrix.settle(range(len(kills)), [1] * len(kills))
    assert len(smallest_cover(matrix.kills(), [1] * len(kills)).chosen) == 3


def test_what_was_set_aside_costs_no_more_steps() -> None:
    kills = [frozenset({0, 1})] * (4 * module.PORTION)
    cost = 2 * module.PORTION * (10 + module.PAIR_STEPS)  # both targets on the first portion
    session: Any = Session(kills)
    matrix = KillMatrix(session, numbered(len(kills)), range(2), enough=1)
    assert matrix.explore(steps=cost + 1) == len(kills)


def test_one_more_input_is_expected_to_kill_as_many_as_single_ones_did() -> None:
    kills = [frozenset({0, 1, 2}), frozenset({0, 3}), frozenset({0}), frozenset[int]()]
    matrix = KillMatrix(session_of(kills), numbered(4), range(5), enough=2)
    assert matrix.unseen() is None
    matrix.explore()
    assert matrix.unseen() == 3 / 4  # 1, 2 and 3


def test_a_cover_is_not_settled_without_the_steps_or_the_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kills = [frozenset({0}), frozenset({1, 2}), *[frozenset({0, 1})] * 5]

    def settled(steps: float) -> bool:
        matrix = KillMatrix(session_of(kills), numbered(len(kills)), range(3), enough=1)
        matrix.explore(steps=0)
        return matrix.settle(range(len(kills)), [1] * len(kills), steps)

    assert settled(steps=10**9)
    assert not settled(steps=0)

    def unproved(*matrix: Any) -> Cover:
        return replace(smallest_cover(*matrix), proved=False)

    monkeypatch.setattr(module, "smallest_cover", unproved)
    matrix = KillMatrix(session_of([frozenset({0, 1})] * 9), numbered(9), range(2), enough=1)
    monkeypatch.setattr(module, "PORTION", 1)
    matrix.explore()
    assert not matrix.settle(range(9), [1] * 9)
