"""The tagged encoding: lossless, canonical, and strict about what it refuses."""

import json
import math
from decimal import Decimal
from typing import Any

import pytest
from plusforge.oracle.errors import ValueCodecError
from plusforge.oracle.values import (
    Raised,
    decode,
    decode_outcome,
    encode,
    encode_outcome,
    fresh,
    key_of,
    text_of,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (2**53 - 1, "9007199254740991"),
        (2**53, '{"$int":"0x20000000000000"}'),
        (-(2**64), '{"$int":"-0x10000000000000000"}'),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (1e300, "1e+300"),
        (math.inf, '{"$float":"inf"}'),
        (1 - 2j, '{"$complex":[1.0,-2.0]}'),
        (b"\x00\xff", '{"$bytes":"00ff"}'),
        ((1, (2,)), '{"$tuple":[1,{"$tuple":[2]}]}'),
        ({3, 1, 2}, '{"$set":[1,2,3]}'),
        (frozenset("ba"), '{"$frozenset":["a","b"]}'),
        ({1: "a", "1": "b"}, '{"$dict":[[1,"a"],["1","b"]]}'),
        ("\ud800é", '"\\ud800\\u00e9"'),
    ],
)
def test_known_encodings(value: Any, text: str) -> None:
    assert key_of(value) == text
    again = decode(json.loads(text))
    assert (type(again), key_of(again)) == (type(value), text)
    assert type(again) is type(value)


def test_nan_survives() -> None:
    assert math.isnan(decode(json.loads(text_of(encode(math.nan)))))


def test_beyond_the_digit_limit() -> None:
    assert decode(encode(10**5000)) == 10**5000


def test_identity_tells_types_and_signs_apart() -> None:
    keys = [key_of(v) for v in (0, 0.0, -0.0, False, "0", (0,), [0], {0}, frozenset({0}))]
    assert len(set(keys)) == len(keys)


class Sub(int):
    pass


@pytest.mark.parametrize("value", [Decimal(1), Sub(3), object(), [range(3)], {1: iter([])}])
def test_refuses_by_name(value: Any) -> None:
    with pytest.raises(ValueCodecError, match=r"cannot encode \w+"):
        encode(value)


@pytest.mark.parametrize(
    ("encoded", "message"),
    [
        ({"$st": []}, r"'\$st' is unknown"),
        ({}, "one key"),
        ({"a": 1, "b": 2}, "one key"),
        ({"$int": 5}, r"malformed body of value tag '\$int'"),
        ({"$float": "1.0"}, "malformed"),
        ({"$set": [[1]]}, "malformed"),
        ({"$dict": [[1, 2], [1, 3]]}, "twice"),
        ({"$set": [1, 1]}, "twice"),
        ({"$bytes": "0"}, "malformed"),
        ({"$complex": [1]}, "malformed"),
    ],
)
def test_malformed_encodings(encoded: Any, message: str) -> None:
    with pytest.raises(ValueCodecError, match=message):
        decode(encoded)


def test_depth_is_an_error_not_a_crash() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueCodecError, match="nested"):
        encode(value)


def test_fresh_shares_nothing() -> None:
    inner = [1]
    copy = fresh((inner, inner, {"k": inner}))
    assert copy == ([1], [1], {"k": [1]})
    assert len({id(copy[0]), id(copy[1]), id(copy[2]["k"]), id(inner)}) == 4


def test_outcomes() -> None:
    assert encode_outcome(Raised("ValueError")) == {"$raise": "ValueError"}
    assert decode_outcome({"$raise": "ValueError"}) == Raised("ValueError")
    assert decode_outcome({"$tuple": [1]}) == (1,)
