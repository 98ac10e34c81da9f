"""Smaller values: which are tried, in which order, and what counts as smaller."""

import math
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator.reductions import bulk, reductions
from plusforge.oracle.values import Args, encode_args, fresh

from tests.property.strategies import values


def steps(*args: Any) -> list[Args]:
    return list(reductions(args))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (([1, 2, 3, 4],), ([],)),
        (([1, 2, 3, 4],), ([3, 4],)),
        (([1, 2, 3, 4],), ([1, 2, 3],)),
        (([[1, 2], [3]],), ([[1], [3]],)),
        (([1, [2, [3]]],), ([2, [3]],)),  # the inner list in the place of the outer
        (("abcd",), ("cd",)),
        (("xyx",), ("aya",)),
        (("xyx",), ("ayx",)),
        (("Ab",), ("ab",)),
        ((b"abc",), (b"bc",)),
        ((100,), (0,)),
        ((100,), (50,)),
        ((100,), (75,)),
        ((100,), (99,)),
        ((-5,), (5,)),
        ((-5,), (-4,)),
        ((2.71828,), (2.0,)),
        ((2.71828,), (2.7,)),
        ((math.inf,), (1.0,)),
        ((True,), (False,)),
        (({"xy": [1, 2], "z": []},), ({"z": []},)),
        (({"xy": [1, 2], "z": []},), ({"xy": [2], "z": []},)),
        (({"xy": 1},), ({"aa": 1},)),
        (({"k": {"m": 1}},), ({"m": 1},)),
        (({5, 6, 7},), ({5, 6},)),
        (((1, 2),), ((1,),)),
        (([7, 1, 7], 7), ([0, 1, 0], 0)),  # one number in all its places
        (([1, 2, 3], ["x", "y", "z"]), ([1, 3], ["x", "z"])),  # as many of both
        ((["+", "-"], [1, 2, 3]), (["+"], [1, 3])),  # one more of the second
    ],
)
def test_what_is_tried(args: Args, expected: Args) -> None:
    assert encode_args(expected) in [encode_args(args) for args in steps(*args)]


def test_boldest_first() -> None:
    assert steps([1, 2, 3, 4])[:3] == [([],), ([3, 4],), ([1, 2],)]
    assert steps("abc", 9)[:2] == [("", 9), ("bc", 9)]


@pytest.mark.parametrize("args", [(), (None,), ([],), ("",), (0,), (False,), ({},)])
def test_of_the_simplest_nothing_is_simpler(args: Args) -> None:
    assert not [one for one in steps(*args) if bulk(one) < bulk(args)]


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (([],), ([0],)),
        (([0, 0],), ([1, 0],)),
        ((1,), (-1,)),
        ((1,), (2**70,)),
        ((2**70,), (2**70 + 1,)),
        (("a",), ("b",)),
        (("z",), ("0",)),
        (("9",), ("A",)),
        (("Z",), (" ",)),
        ((" ",), ("!",)),
        ((0.5,), (1.0,)),
        ((9.0,), (1.25,)),
        ((9.0,), (math.nan,)),
        ((False,), (True,)),
        (({},), ({"a": 0},)),
        ((b"\x00",), (b"a",)),
    ],
)
def test_bulk_orders_by_length_then_by_simplicity(smaller: Args, larger: Args) -> None:
    assert bulk(smaller) < bulk(larger)


def test_numbers_of_any_size_come_down_quickly() -> None:
    number, taken = 2**3000 + 1, 0
    while number > 1000:
        number = min(args[0] for args in islice(reductions((number,)), 1, 4))
        taken += 1
    assert taken < 12


def test_every_item_has_its_turn() -> None:
    found = [args[0] for args in steps([9, 8, 7, 6])]
    first = found.index([0, 8, 7, 6])
    assert found[first - 3 : first] == [[0, 0, 0, 0], [0, 0, 7, 6], [9, 8, 0, 0]]
    assert found[first : first + 5] == [
        [0, 8, 7, 6],
        [9, 0, 7, 6],
        [9, 8, 0, 6],
        [9, 8, 7, 0],
        [2, 8, 7, 6],
    ]


@settings(max_examples=30)
@given(st.lists(values, max_size=3))
def test_every_plain_value_is_measured_and_made_simpler(args: list[Any]) -> None:
    simpler = list(islice(reductions((*args,)), 100))
    assert all(len(one) == len(args) for one in simpler)
    assert bulk((*args,)) >= (len(args), 0)
    again = list(islice(reductions((*fresh(args),)), 100))
    assert list(map(encode_args, again)) == list(map(encode_args, simpler))


def test_sets_are_taken_in_an_order_that_no_hash_decides() -> None:
    words = [f"word {n}" for n in range(9)]
    one, other = frozenset(words), frozenset(reversed(words))
    assert list(map(encode_args, steps(one))) == list(map(encode_args, steps(other)))
    assert steps(one)[1] == (frozenset(words[4:]),)
