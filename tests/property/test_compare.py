"""Equality of outcomes, against a plain definition: Python's ``==``, with NaN equal to NaN."""

from fractions import Fraction
from itertools import permutations
from math import inf, nan
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from plusforge.oracle.compare import agree
from plusforge.oracle.task import Comparison

NUMBERS = (bool, int, float, complex, Fraction)
# Few and much alike, so that two values drawn apart are often equal.
NUMBER = st.sampled_from(
    [0, 1, True, 1.0, 1 + 0j, 1j, -0.0, 0.5, Fraction(1, 2), Fraction(1, 3), 1e20, 10**20]
)
NOT_FINITE = st.sampled_from([nan, float("nan"), complex(nan, 0), complex(0, nan), inf])
SCALARS = NUMBER | NOT_FINITE | st.sampled_from([None, "", "1", b"", b"1"])
HASHABLES = st.recursive(
    SCALARS, lambda inner: st.tuples(inner) | st.frozensets(inner, max_size=2), max_leaves=3
)
VALUES = st.recursive(
    HASHABLES,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.tuples(inner)
        | st.sets(HASHABLES, max_size=2)
        | st.dictionaries(HASHABLES, inner, max_size=2)
    ),
    max_leaves=5,
)


def same(a: Any, b: Any) -> bool:
    """Tell whether two values are equal, trying every way to pair what has no order."""
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        parts = ((a.real, b.real), (a.imag, b.imag))
        return all(x == y or (x != x and y != y) for x, y in parts)
    if isinstance(a, set | frozenset) and isinstance(b, set | frozenset):
        return pairs_up(list(a), list(b))
    if isinstance(a, dict) and isinstance(b, dict):
        return pairs_up(list(a.items()), list(b.items()))
    if isinstance(a, list | tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def pairs_up(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and any(all(map(same, a, other)) for other in permutations(b))


def respelled(value: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for equals of a value: other types of numbers and sets, other orders."""
    if isinstance(value, bool | int | float | Fraction):
        spellings = [kind(value) for kind in (float, complex, Fraction) if value - value == 0]
        return st.sampled_from([value, *(other for other in spellings if other == value)])
    if isinstance(value, list | tuple):
        return st.tuples(*map(respelled, value)).map(type(value))
    if isinstance(value, frozenset):
        return st.tuples(*map(respelled, value)).map(frozenset)
    if isinstance(value, set):
        items = st.tuples(*map(respelled, value))
        return items.map(set) | items.map(frozenset)
    if isinstance(value, dict):
        items = [st.tuples(respelled(key), respelled(item)) for key, item in value.items()]
        return st.tuples(*items).flatmap(st.permutations).map(dict)
    return st.just(value)


@given(VALUES, VALUES)
def test_values_agree_exactly_when_they_are_equal(a: Any, b: Any) -> None:
    for kind in ("exact", "any_order", "set", "checker"):
        assert agree(Comparison(kind=kind), [a], [b]) is same(a, b)


@given(VALUES.flatmap(lambda value: st.tuples(st.just(value), respelled(value))))
def test_another_spelling_of_a_value_agrees_with_it(pair: tuple[Any, Any]) -> None:
    value, other = pair
    for kind in ("exact", "any_order", "set", "close", "checker"):
        assert agree(Comparison(kind=kind, atol=1e-9), [value], [other]), kind


@given(st.lists(VALUES, max_size=4), st.lists(VALUES, max_size=4))
def test_in_any_order_means_equal_as_multisets(a: list[Any], b: list[Any]) -> None:
    assert agree(Comparison(kind="any_order"), a, b) is pairs_up(a, b)
    inside = all(any(same(x, y) for y in b) for x in a)
    assert agree(Comparison(kind="set"), a, b) is (
        inside and all(any(same(x, y) for y in a) for x in b)
    )
