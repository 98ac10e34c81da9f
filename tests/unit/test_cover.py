"""The smallest cover is the smallest: compared with brute force, and on matrices worth a solver."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator import cover as module
from plusforge.generator.cover import Cover, greedy_cover, smallest_cover
from plusforge.generator.rng import Stream

MATRICES = st.lists(
    st.tuples(st.frozensets(st.integers(0, 9), max_size=6), st.integers(0, 4)), max_size=12
)


def price(chosen: Sequence[int], costs: Sequence[int]) -> tuple[int, int]:
    return len(chosen), sum(costs[i] for i in chosen)


def brute_force(kills: Sequence[frozenset[int]], costs: Sequence[int]) -> tuple[int, int]:
    everything = frozenset[int]().union(*kills)
    for size in range(len(kills) + 1):
        fitting = [
            price(some, costs)
            for some in combinations(range(len(kills)), size)
            if frozenset[int]().union(*(kills[i] for i in some)) == everything
        ]
        if fitting:
            return min(fitting)
    raise AssertionError("all of them cover everything")


@given(MATRICES)
@settings(max_examples=150, deadline=None)
def test_as_small_and_cheap_as_brute_force(matrix: list[tuple[frozenset[int], int]]) -> None:
    kills, costs = [kill for kill, _ in matrix], [cost for _, cost in matrix]
    found = smallest_cover(kills, costs)
    assert frozenset[int]().union(*(kills[i] for i in found.chosen)) == frozenset().union(*kills)
    assert price(found.chosen, costs) == brute_force(kills, costs)
    assert found.proved
    assert found.bound == len(found.chosen)
    assert smallest_cover(kills, costs) == found


@given(
    st.lists(
        st.tuples(st.frozensets(st.integers(0, 9), min_size=1, max_size=5), st.integers(0, 4)),
        min_size=6, max_size=12,
    )
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_solver_alone_is_right_too(matrix: list[tuple[frozenset[int], int]]) -> None:
    kills, costs = [kill for kill, _ in matrix], [cost for _, cost in matrix]
    found = module._solve({i: sum(1 << t for t in kill) for i, kill in enumerate(kills)}, costs)
    assert price(found.chosen, costs) == brute_force(kills, costs)
    assert found.proved
    assert found.bound == len(found.chosen)


def test_one_test_that_costs_much_is_better_than_two_that_cost_little() -> None:
    assert smallest_cover([{0, 1}, {1, 2}, {0, 2}, {0, 1, 2}], [1, 1, 1, 9]).chosen == (3,)


@given(MATRICES)
@settings(max_examples=150, deadline=None)
def test_greedy_covers_all_and_holds_nothing_needless(
    matrix: list[tuple[frozenset[int], int]],
) -> None:
    masks = {i: sum(1 << t for t in kill) for i, (kill, _) in enumerate(matrix)}
    chosen = greedy_cover(masks, [cost for _, cost in matrix])
    everything = frozenset[int]().union(*(kill for kill, _ in matrix))
    assert frozenset[int]().union(*(matrix[i][0] for i in chosen)) == everything
    for one in chosen:
        others = frozenset[int]().union(*(matrix[i][0] for i in chosen if i != one))
        assert others < everything


def test_greedy_takes_three_where_two_do() -> None:
    kills = [{0, 1, 2, 3}, {0, 1, 4}, {2, 3, 5}, {4}, {5}]
    assert smallest_cover(kills, [1] * 5) == Cover((1, 2), proved=True, bound=2)
    # no input can be settled by rule here: a ring, and one in its middle that greedy falls for
    ring = [{i, (i + 1) % 6, (i + 2) % 6} for i in range(6)]
    bait = {0, 2, 3, 5}
    masks = {i: sum(1 << t for t in kill) for i, kill in enumerate([*ring, bait])}
    assert len(greedy_cover(masks, [1] * 7)) == 3
    assert len(smallest_cover([*ring, bait], [1] * 7).chosen) == 2


def test_of_equally_small_covers_the_cheaper_then_the_first() -> None:
    kills = [{0, 1}, {2, 3}, {0, 2}, {1, 3}]
    assert smallest_cover(kills, [1, 1, 1, 1]).chosen == (0, 1)
    assert smallest_cover(kills, [2, 1, 1, 1]).chosen == (2, 3)
    assert smallest_cover([{0}, {0}, {0}], [2, 1, 1]).chosen == (1,)


@pytest.mark.parametrize("kills", [[], [set()], [set(), set()]])
def test_nothing_killed_takes_no_input(kills: list[set[int]]) -> None:
    assert smallest_cover(kills, [1] * len(kills)) == Cover((), proved=True, bound=0)


def test_costs_must_fit() -> None:
    with pytest.raises(ValueError, match="2 inputs"):
        smallest_cover([{0}, {1}], [1])
    with pytest.raises(ValueError, match="from 0 up"):
        smallest_cover([{0}], [-1])


def random_matrix(rows: int, columns: int, size: int) -> tuple[list[set[int]], list[int]]:
    stream = Stream(0, "cover", rows, columns)
    kills = [{int(stream.unit() * rows) for _ in range(size)} for _ in range(columns)]
    return kills, [1 + int(stream.unit() * 50) for _ in range(columns)]


def test_the_solver_beats_greedy_and_proves_it() -> None:
    kills, costs = random_matrix(40, 60, 8)
    masks = {i: sum(1 << t for t in kill) for i, kill in enumerate(kills)}
    found = smallest_cover(kills, costs)
    assert found.proved
    assert set().union(*(kills[i] for i in found.chosen)) == set().union(*kills)
    assert len(found.chosen) < len(greedy_cover(masks, costs))


def test_out_of_bounds_the_greedy_answer_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    kills, costs = random_matrix(40, 60, 8)
    best = smallest_cover(kills, costs)
    monkeypatch.setattr(module, "LARGEST", 10)
    found = smallest_cover(kills, costs)
    assert not found.proved
    assert set().union(*(kills[i] for i in found.chosen)) == set().union(*kills)
    assert found.bound <= len(best.chosen) <= len(found.chosen)


def test_out_of_nodes_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    kills, costs = random_matrix(70, 70, 7)
    settings = {**module._SETTINGS, "mip_max_nodes": 1}
    monkeypatch.setattr(module, "_SETTINGS", settings)
    found = smallest_cover(kills, costs)
    assert not found.proved
    assert set().union(*(kills[i] for i in found.chosen)) == set().union(*kills)
    assert 1 < found.bound <= len(found.chosen)
    assert smallest_cover(kills, costs) == found


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    smallest_cover(*random_matrix(40, 60, 8))
    assert capfd.readouterr() == ("", "")
