"""The choice of inputs: varied first, complete, deterministic."""

from plusforge.generator.choose import GREEDY, choose
from plusforge.generator.traits import traits
from plusforge.oracle.values import Raised


def test_takes_one_of_each_kind_before_repeating() -> None:
    labels = [["a"], ["a"], ["a"], ["b"], ["c"], ["b", "d"]]
    first = choose(labels, 4)
    assert sorted(labels[i][0] for i in first[:3]) == ["a", "b", "c"]


def test_chooses_all_when_there_are_few_and_never_twice() -> None:
    labels = [[i % 7, i % 3] for i in range(GREEDY * 3)]
    chosen = choose(labels, len(labels) + 10)
    assert sorted(chosen) == list(range(len(labels)))
    assert len(choose(labels, 200)) == 200


def test_rounds_give_rare_outcomes_a_place() -> None:
    labels = [["common"]] * 2000 + [["rare"]] * 20
    chosen = choose(labels, GREEDY + 40)
    assert sum(index >= 2000 for index in chosen) == 20


def test_traits_see_what_told_real_wrong_programs_apart() -> None:
    def of(*args: object) -> set[object]:
        return set(traits(args, 0))

    assert of("a b") != of("a  b")
    assert of("abc") != of("aBc")
    assert of(" a") != of("a ")
    assert of([1, 2, 3]) != of([1, -2, 3])
    assert of([1, 2, 3]) != of([3, 1, 2])
    assert of([1, 2, 3]) != of([1, 2, 2])
    assert of(2.5) != of(2.0)
    assert of([1, 2], 2) != of([1, 2], 5)
    assert of("ab", "ba") != of("ab", "bc")
    assert set(traits((1,), Raised("ValueError"))) != set(traits((1,), None))
