"""Types that JSON lost come back from literals."""

import json

import pytest
from plusforge.oracle.retype import recover, retype, same_json
from plusforge.oracle.typespec import parse_annotation, spec_of
from plusforge.oracle.values import Value, key_of

TYPED: list[Value] = [
    (1, [2], (3, (4,))),
    {5: "a", "b": [(1,)], None: 1, True: 2},
    {1.5: {2: 3}},
    [{1, 2}, frozenset({3})],
    "1",
    [1.0, True, None],
    float("nan"),
]


@pytest.mark.parametrize("value", TYPED)
def test_a_value_matches_its_own_json(value: Value) -> None:
    raw = json.loads(json.dumps(value, default=sorted))
    assert same_json(raw, value)


def test_complex_numbers_are_stored_as_text() -> None:
    assert same_json(["0", "1j"], [0, 1j])
    assert not same_json(["0", "2j"], [0, 1j])


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ([1], (2,)),
        ([1], (1, 2)),
        (1, True),
        (True, 1),
        ("1", "2"),
        ({"1": 2}, {1: 3}),
        ({"1": 2}, {2: 2}),
        ([1, 1], {1}),
        ([1, 3], {1, 2}),
        (None, 0),
        ("x", 1),
        ([], ""),
    ],
)
def test_other_values_do_not_match(raw: Value, value: Value) -> None:
    assert not same_json(raw, value)


def test_recover_prefers_the_literal_at_the_same_place() -> None:
    literals = [((1, 2),), ([1, 2],), ((3,),)]
    assert recover([[[1, 2]], [[1, 2]], [[3]], [[4]]], literals) == [
        ((1, 2),),
        ([1, 2],),
        ((3,),),
        None,
    ]


@pytest.mark.parametrize(
    ("raw", "like", "value"),
    [
        ([1, 2], (5, 6), (1, 2)),
        ([[1, 2], [3]], [(5, 6), (7,)], [(1, 2), (3,)]),
        ([1, 2], {5, 6}, {1, 2}),
        ({"1": [2]}, {3: (4,)}, {1: (2,)}),
        ({"x": 1, "5": 2}, {"a": 1, 7: 2}, {"x": 1, 5: 2}),
        ({"05": 1}, {7: 2}, {"05": 1}),
        ("2j", 1j, 2j),
        ("3", 1, 3),
        ("1e5", 1.5, 1e5),
        ("2j", 1, 2j),
        ("text", 1, "text"),
        (5, "a", 5),
        ([[1]], {1}, [[1]]),
        ([1, 1], {5, 6}, [1, 1]),
        ([[], [None, None]], [set(), [None, None]], [set(), [None, None]]),
        (["a", 1], ("b", 2), ("a", 1)),
    ],
)
def test_retype_like_a_value(raw: Value, like: Value, value: Value) -> None:
    assert key_of(retype(raw, spec_of([like]))) == key_of(value)


def test_a_union_takes_the_first_option_that_fits() -> None:
    spec = parse_annotation("list[int] | tuple[str, ...]")
    assert retype([1], spec) == [1]
    assert retype(["a"], spec) == ("a",)
    assert retype("z", spec) == "z"
