"""Specs observed from values fit those values; the fast check and typeguard agree."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from plusforge.oracle.conformity import conforms
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import Spec, parse_annotation, unify

from tests.property.strategies import specs, values, values_of


@given(st.lists(values, min_size=1, max_size=4))
def test_observed_values_fit_their_spec(seen: list[Any]) -> None:
    check = compile_check(unify(parse_annotation(None), seen))
    assert all(check(value) for value in seen)


@given(specs, st.data())
def test_drawn_values_fit_and_typeguard_agrees(spec: Spec, data: st.DataObject) -> None:
    value = data.draw(values_of(spec))
    assert compile_check(spec)(value)
    assert conforms(value, spec) is None


@given(specs, values)
def test_what_typeguard_refuses_the_fast_check_refuses(spec: Spec, value: Any) -> None:
    if compile_check(spec)(value):
        assert conforms(value, spec) is None


@given(specs, st.data())
def test_widening_keeps_both_sides(spec: Spec, data: st.DataObject) -> None:
    own = data.draw(values_of(spec))
    other = data.draw(values)
    check = compile_check(unify(spec, [own, other]))
    assert check(own)
    assert check(other)
