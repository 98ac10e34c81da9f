"""Base tests are read off assert statements; what is computed is counted."""

import ast

import pytest
from plusforge.oracle.asserts import Reading, read_asserts
from plusforge.oracle.basetests import merge_tests
from plusforge.oracle.examples import read_examples
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.values import Raised, Value

PARAMS = (Param(name="x"), Param(name="y", optional=True))


def read(source: str, *, in_place: bool = False) -> Reading:
    body = ast.parse(source).body
    return read_asserts(body, frozenset({"f"}), PARAMS, "t", in_place=in_place)


def only(source: str) -> tuple[str, tuple[Value, ...], Value, bool]:
    (check,) = read(source).checks
    return check.kind, check.test.args, check.test.expected, check.test.stated


@pytest.mark.parametrize(
    ("source", "kind", "args", "expected", "stated"),
    [
        ("assert f(1) == 2", "equal", (1,), 2, True),
        ("assert f(1) == 2, 'message'", "equal", (1,), 2, True),
        ("assert 2 == f(1)", "equal", (1,), 2, True),
        ("assert f(1, y=[2] * 2) == ()", "equal", (1, [2, 2]), (), True),
        ("assert f(y=1, x=2) == 3", "equal", (2, 1), 3, True),
        ("assert f(*[1, 2]) == 3", "equal", (1, 2), 3, True),
        ("assert f(1) is None", "equal", (1,), None, True),
        ("assert f(1) is True", "equal", (1,), True, True),
        ("assert f(1)", "truthy", (1,), True, True),
        ("assert not f(1)", "truthy", (1,), False, True),
        ("assert set(f(1)) == set([2, 2])", "set", (1,), [2, 2], True),
        ("assert set(f(1)) == {2}", "set", (1,), {2}, True),
        ("assert sorted(f(1)) == sorted([2, 1])", "any_order", (1,), [2, 1], True),
        ("assert sorted(f(1)) == [1, 2]", "any_order", (1,), [1, 2], True),
        ("assert Counter(f(1)) == Counter([2, 1])", "any_order", (1,), [2, 1], True),
        ("assert Counter(f(1)) == {1: 2}", "any_order", (1,), {1: 2}, False),
        ("assert tuple(f(1)) == tuple([2])", "equal", (1,), [2], True),
        ("assert list(f(1)) == [2]", "equal", (1,), [2], False),
        ("assert tuple(f(1)) == tuple(g(1))", "equal", (1,), None, False),
        ("assert f(1) == g(1)", "equal", (1,), None, False),
        ("assert f(1) is not None", "not_none", (1,), None, False),
        ("assert f(1) > 3", "property", (1,), None, False),
        ("assert len(f(1)) == 3", "property", (1,), None, False),
        ("r = f(1)\nassert r == 2", "equal", (1,), 2, True),
        ("x = [1]\nassert f(x) == 2", "equal", ([1],), 2, True),
        ("f(1)", "property", (1,), None, False),
    ],
)
def test_one_call(
    source: str, kind: str, args: tuple[Value, ...], expected: Value, stated: bool
) -> None:
    assert only(source) == (kind, args, expected, stated)


@pytest.mark.parametrize(
    ("source", "atol", "rtol"),
    [
        ("assert abs(f(1) - 2.5) < 1e-4", 1e-4, 0.0),
        ("assert abs(2.5 - f(1)) <= 1e-4", 1e-4, 0.0),
        ("assert math.fabs(f(1) - 2.5) < 0.5", 0.5, 0.0),
        ("assert math.isclose(f(1), 2.5, rel_tol=0.001)", 0.0, 0.001),
        ("assert isclose(2.5, f(1), abs_tol=0.1)", 0.1, 1e-9),
        ("assert np.isclose(f(1), 2.5)", 1e-8, 1e-5),
        ("assert round(f(1), 2) == 2.5", 0.005, 0.0),
    ],
)
def test_closeness(source: str, atol: float, rtol: float) -> None:
    (check,) = read(source).checks
    assert (check.kind, check.test.expected, check.test.stated) == ("close", 2.5, True)
    assert (check.atol, check.rtol) == pytest.approx((atol, rtol))


def test_and_is_two_asserts_and_places_are_told() -> None:
    reading = read("assert True\nassert f(1) == 2 and f(2) == 3")
    assert [(t.args, t.expected, t.where) for t in reading.tests] == [
        ((1,), 2, "t:2"),
        ((2,), 3, "t:2"),
    ]


def test_both_calls_of_a_comparison_are_inputs() -> None:
    assert [t.args for t in read("assert f(1) == f(2)").tests] == [(1,), (2,)]


@pytest.mark.parametrize(
    "source",
    [
        "for i in range(3):\n    assert f(i) == i",
        "for i in range(3):\n    assert f(5) == 5",
        "x = make()\nassert f(x) == 1",
        "if DEBUG:\n    assert f(1) == 2",
        "with open('x') as h:\n    assert f(h.read()) == 2",
        "assert f(i) == 2",
        "x = [1]\nx.append(2)\nassert f(x) == 1",
        "x = 1\nfor x in g(): pass\nassert f(x) == 1",
        "assert f(1, 2, z=3) == 4",
        "try:\n    f(1)\nexcept ValueError:\n    pass",
    ],
)
def test_what_is_computed_is_counted_and_not_guessed(source: str) -> None:
    reading = read(source)
    assert (reading.checks, reading.computed) == ([], 1)


@pytest.mark.parametrize("source", ["assert True", "assert g(1) == 2", "x = 1", "def f(x): f(1)"])
def test_what_says_nothing_about_the_entry_point_is_passed_over(source: str) -> None:
    reading = read(source)
    assert (reading.checks, reading.computed) == ([], 0)


def test_a_promised_exception() -> None:
    source = """
try:
    f(-1)
except errors.BadValue:
    pass
else:
    raise AssertionError("no error")
"""
    assert only(source) == ("raises", (-1,), Raised("BadValue"), True)


def test_in_place_calls_state_the_arguments_afterwards() -> None:
    source = """
xs = [2, 1]
f(xs, 3)
assert xs == [1, 2]
ys = [5]
assert f(ys) is None
zs = []
f(zs)
"""
    first, second, third = read(source, in_place=True).tests
    assert (first.args, first.expected, first.stated) == (([2, 1], 3), ([1, 2], 3), True)
    assert (second.args, second.stated) == (([5],), False)
    assert (third.args, third.stated) == (([],), False)


def test_docstring_examples() -> None:
    docstring = """
    >>> f([1, 2])
    [2, 1]
    >>> round(f(1), 2)
    3
    >>> f(g(1))
    3
    >>> f(1)
    something like this
    >>> f(2) # a comment
    'x'
    >>> f(-1)
    Traceback (most recent call last):
        ...
    ValueError: negative
    >>> x = f(1)
    """
    found = read_examples(docstring, frozenset({"f"}), PARAMS, "t")
    assert [(c.test.args, c.test.expected, c.test.where) for c in found] == [
        (([1, 2],), [2, 1], "t example 1"),
        ((2,), "x", "t example 5"),
        ((-1,), Raised("ValueError"), "t example 6"),
    ]
    assert all(check.test.example for check in found)


def test_merging_drops_repeats_and_keeps_contradictions() -> None:
    unknown, three = BaseTest(args=(1,)), BaseTest(args=(1,), expected=3, stated=True, where="a")
    shown = BaseTest(args=(1,), expected=3, stated=True, example=True, where="b")
    other = BaseTest(args=(1,), expected=4, stated=True)
    assert merge_tests([unknown, three, shown, other]) == (
        BaseTest(args=(1,), expected=3, stated=True, example=True),
        other,
    )


def test_merging_tells_types_apart() -> None:
    tests = [BaseTest(args=(value,)) for value in (1, True, 1.0, "1", [1], (1,))]
    assert merge_tests(tests) == tuple(tests)


def test_merging_under_set_comparison() -> None:
    one = BaseTest(args=(), expected=(1, 2), stated=True)
    two = BaseTest(args=(), expected={2, 1}, stated=True)
    assert merge_tests([one, two], kind="set") == (one,)
    assert merge_tests([one, two]) == (one, two)
    rows = [{"a": 1, "b": 0}], [{"b": 0, "a": 1.0}]
    told = [BaseTest(args=(), expected=row, stated=True) for row in rows]
    assert merge_tests(told, kind="any_order") == (told[0],)
