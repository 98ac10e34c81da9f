"""Every plain value survives the tagged encoding, and its text is its identity."""

import json
from typing import Any

from hypothesis import assume, given
from plusforge.oracle.values import decode, encode, fresh, key_of, text_of

from tests.property.strategies import values


@given(values)
def test_round_trip_is_the_identity(value: Any) -> None:
    text = text_of(encode(value))
    assert text.isascii()
    again = decode(json.loads(text))
    assert type(again) is type(value)
    assert text_of(encode(again)) == text


@given(values)
def test_fresh_has_the_same_key(value: Any) -> None:
    assert key_of(fresh(value)) == key_of(value)


@given(values, values)
def test_equal_keys_mean_equal_values(one: Any, two: Any) -> None:
    # NaN differs from itself, so no value that holds one can be checked with `==`.
    assume("nan" not in repr(one))
    if key_of(one) == key_of(two):
        assert one == two
