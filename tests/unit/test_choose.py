"""The choice of inputs: varied first, complete, deterministic."""

import heapq
import math
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from plusforge.generator.choose import AGAIN, GREEDY, NEAR, choose, with_all_kills
from plusforge.generator.traits import Facet, traits
from plusforge.oracle.values import Raised


def facets(*seen: object) -> list[Facet]:
    """Return one facet for each thing seen."""
    return [("somewhere", one) for one in seen]


def test_takes_one_of_each_kind_before_repeating() -> None:
    kinds = ["a", "a", "a", "b", "c", "bd"]
    first = choose([facets(*kind) for kind in kinds], 4)
    assert sorted(kinds[i][0] for i in first[:3]) == ["a", "b", "c"]


def test_chooses_all_when_there_are_few_and_never_twice() -> None:
    inputs = [facets(i % 7, i % 3) for i in range(GREEDY * 3)]
    chosen = choose(inputs, len(inputs) + 10)
    assert sorted(chosen) == list(range(len(inputs)))
    assert len(choose(inputs, 200)) == 200


def test_rounds_give_rare_outcomes_a_place() -> None:
    inputs = [facets("common")] * 2000 + [facets("rare")] * 20
    chosen = choose(inputs, GREEDY + 40)
    assert sum(index >= 2000 for index in chosen) == 20


def one_by_one(inputs: list[list[str]], count: int) -> list[int]:
    """Choose by novelty without putting inputs with the same traits together."""
    weight = {label: 1.0 for labels in inputs for label in labels}
    heap = [(-float(len(labels)), index) for index, labels in enumerate(inputs)]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < count:
        _, index = heapq.heappop(heap)
        score = math.fsum(weight[label] for label in inputs[index])
        if heap and score < NEAR * -heap[0][0]:
            heapq.heappush(heap, (-score, index))
            continue
        chosen.append(index)
        for label in inputs[index]:
            weight[label] *= AGAIN
    return chosen


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=5), max_size=60), st.data())
def test_inputs_that_are_alike_are_chosen_as_if_looked_at_one_by_one(
    inputs: list[list[str]], data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, min(GREEDY, len(inputs))))
    assert choose([facets(*labels) for labels in inputs], count) == one_by_one(inputs, count)


def test_traits_see_what_told_real_wrong_programs_apart() -> None:
    def of(*args: object) -> set[object]:
        return set(traits(args, 0))

    assert of("a b") != of("a  b")
    assert of("abc") != of("aBc")
    assert of(" a") != of("a ")
    assert of([1, 2, 3]) != of([1, -2, 3])
    assert of("abAc") != of("abXc")  # a letter in both cases
    assert of(["a", "B", "b"]) != of(["a", "B", "c"])
    assert of([3, 1, 3]) != of([3, 1, 4])  # ends where it began
    assert of("Ab", "aB") != of("Ab", "aC")
    assert of(["xAy", "z"], "a") != of(["xBy", "z"], "a")
    assert of("a", ["xAy", "z"]) != of("a", ["xBy", "z"])
    assert of([1, 2, 3]) != of([3, 1, 2])
    assert of([1, 2, 3]) != of([1, 2, 2])
    assert of(2.5) != of(2.0)
    assert of([1, 2], 2) != of([1, 2], 5)
    assert of("ab", "ba") != of("ab", "bc")
    assert set(traits((1,), Raised("ValueError"))) != set(traits((1,), None))


def test_two_arguments_at_a_corner_are_a_case_of_their_own() -> None:
    apart = {*traits((0, 7), 0), *traits((7, 1), 0)}
    assert set(traits((0, 1), 0)) - apart
    assert set(traits(([], 0), 0)) - {*traits(([], 5), 0), *traits(([5], 0), 0)}


@given(
    st.lists(st.sets(st.integers(0, 12), max_size=4), min_size=1, max_size=30),
    st.integers(1, 30),
    st.randoms(use_true_random=False),
)
def test_a_choice_kills_all_that_any_input_kills(
    kills: list[set[int]], size: int, random: Random
) -> None:
    rows = [tuple(sorted(kill)) for kill in kills]
    order = random.sample(range(len(rows)), min(size, len(rows)))
    chosen = with_all_kills(order, rows)
    assert len(chosen) == len(set(chosen)) == len(order)
    killed = set().union(*(kills[index] for index in chosen))
    assert killed >= set().union(*(kills[index] for index in order)) or len(order) < 13
    if len(order) >= 13:  # one for each target
        assert killed == set().union(*kills)
    if set().union(*(kills[index] for index in order)) == set().union(*kills):
        assert chosen == order
