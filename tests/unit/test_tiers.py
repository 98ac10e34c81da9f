"""Tiers: nano has no test too many or too few, mini kills twice, the order begins with them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator.cover import smallest_cover
from plusforge.generator.tiers import VARIETY, assign

MATRICES = st.lists(st.frozensets(st.integers(0, 11), max_size=7), max_size=20)
NAMES = [f"t{number}" for number in range(12)]


def killed(kills: list[frozenset[int]], chosen: tuple[int, ...]) -> frozenset[int]:
    return frozenset[int]().union(*(kills[index] for index in chosen))


@given(MATRICES, st.randoms(use_true_random=False), st.integers(0, 12))
@settings(max_examples=150, deadline=None)
def test_each_tier_keeps_its_promise(kills, random, mini):
    order = list(range(len(kills)))
    random.shuffle(order)
    costs = [len(kill) for kill in kills]
    tiers = assign(kills, costs, order, mini=mini, names=NAMES)
    everything = killed(kills, tuple(order))

    assert killed(kills, tiers.nano) == everything
    assert len(tiers.nano) == max(len(smallest_cover(kills, costs).chosen), min(1, len(kills)))
    for index in tiers.nano if everything else ():
        others = tuple(i for i in tiers.nano if i != index)
        lost = everything - killed(kills, others)
        assert lost, f"test {index} of nano is there for nothing"
        assert tiers.why[index] == tuple(NAMES[target] for target in sorted(lost))

    assert tiers.mini[: len(tiers.nano)] == tiers.nano
    assert len(tiers.mini) >= min(mini, len(kills))
    for target in everything:
        killers = [index for index, kill in enumerate(kills) if target in kill]
        assert sum(index in killers for index in tiers.mini) >= min(2, len(killers))

    assert tiers.order[: len(tiers.mini)] == tiers.mini
    assert sorted(tiers.order) == sorted(order)
    rest = tiers.order[len(tiers.mini) :]
    assert list(rest) == [index for index in order if index in rest]


def test_an_example():
    #        0          1    2      3       4    5
    kills = [{0, 1, 2}, {3}, {0, 1}, {2, 3}, {1}, set()]
    tiers = assign(kills, [1] * 6, [5, 4, 3, 2, 1, 0], mini=5, names=["a", "b", "c", "d"])
    assert tiers.nano == (0, 1)  # two do; 0 and 1 rather than 0 and 3, for 1 comes first
    assert tiers.mini == (0, 1, 3, 2, 5)  # two more killers of c and d, of a and b, one for variety
    assert tiers.order == (0, 1, 3, 2, 5, 4)
    assert tiers.proved
    assert tiers.why == (
        ("a", "b", "c"), ("d",), ("a", "b"), ("c", "d"), (VARIETY,), (VARIETY,)
    )  # fmt: skip
    assert [tiers.of(index) for index in (0, 3, 4)] == [
        ["nano", "mini", "full"], ["mini", "full"], ["full"]
    ]  # fmt: skip


def test_the_earliest_kill_comes_first():
    kills = [{0}, {1, 2}, {3, 4, 5}]
    assert assign(kills, [1] * 3, [0, 1, 2], mini=0).order == (2, 1, 0)


def test_where_nothing_is_killed_one_test_stays():
    assert assign([set(), set()], [1, 1], [1, 0], mini=0).nano == (1,)
    assert assign([set()], [1], [0]).why == ((VARIETY,),)
    assert assign([], [], []).order == ()


def test_targets_without_names_are_told_by_their_numbers():
    assert assign([{7}], [1], [0]).why == (("7",),)


def test_the_order_must_hold_each_input_once():
    with pytest.raises(ValueError, match="each one once"):
        assign([{0}, {1}], [1, 1], [0, 0])
