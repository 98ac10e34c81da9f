"""Reading back: literals from their own text, typed values from the JSON that lost their types."""

import json
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from plusforge.oracle.asserts import read_asserts
from plusforge.oracle.literals import fold_text
from plusforge.oracle.retype import recover, retype, same_json
from plusforge.oracle.source import parse_module, rename_function
from plusforge.oracle.task import Param
from plusforge.oracle.typespec import spec_of
from plusforge.oracle.values import key_of

from tests.property.strategies import values

keys = st.integers(-99, 99) | st.text("ab", max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text("abc1")
typed = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(keys, inner, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


def lossy(value: Any) -> Any:
    return json.loads(json.dumps(value, default=sorted))


@given(values)
def test_a_value_folds_from_its_own_repr(value: Any) -> None:
    text = repr(value)
    assume("j" not in text)  # repr(complex(-0.0, 1)) is not its literal
    assert key_of(fold_text(text)) == key_of(value)


@given(typed)
def test_json_of_a_value_is_recognised_and_recovered(value: Any) -> None:
    raw = lossy(value)
    assert same_json(raw, value)
    (args,) = recover([[raw]], [(value,)])
    assert args is not None
    assert key_of(args) == key_of((value,))


@given(typed)
def test_what_retype_makes_has_the_json_it_was_made_of(value: Any) -> None:
    raw = lossy(value)
    assert same_json(raw, retype(raw, spec_of([value])))


@given(st.lists(typed, max_size=3), typed)
def test_an_assert_written_down_is_read_back(args: list[Any], expected: Any) -> None:
    source = f"assert f({', '.join(map(repr, args))}) == {expected!r}"
    params = [Param(name=f"p{i}") for i in range(3)]
    body = parse_module(source, "t").body
    (check,) = read_asserts(body, frozenset({"f"}), params, "t").checks
    assert key_of(check.test.args) == key_of(tuple(args))
    assert check.test.stated
    assert key_of(check.test.expected) == key_of(expected)


@given(st.sampled_from(["f", "fib", "x_1", "é"]), st.integers(0, 6))
def test_renamed_recursion_gives_the_same_answers(name: str, n: int) -> None:
    text = "def old(n):\n    # old\n    return n if n < 2 else old(n - 1) + old(n=n - 2)"
    spaces: list[dict[str, Any]] = [{}, {}]
    exec(text, spaces[0])
    exec(rename_function(text, "old", name), spaces[1])
    assert spaces[0]["old"](n) == spaces[1][name](n)
