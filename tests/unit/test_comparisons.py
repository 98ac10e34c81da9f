"""How outcomes are compared is told from a task's own tests."""

import ast

import pytest
from plusforge.oracle.asserts import read_asserts
from plusforge.oracle.comparisons import derive_checker, infer_comparison
from plusforge.oracle.task import Comparison, Param


def compare(source: str, returns: str | None = None, atol: float = 0.0) -> Comparison:
    params = (Param(name="x"),)
    reading = read_asserts(ast.parse(source).body, frozenset({"f"}), params, "t")
    node = ast.parse(returns, mode="eval").body if returns else None
    return infer_comparison(reading.checks, returns=node, atol=atol)


EXACT = Comparison()


@pytest.mark.parametrize(
    ("source", "returns", "atol", "wanted"),
    [
        ("assert f(1) == 2", None, 0.0, EXACT),
        ("assert f(1) == 2.0", None, 0.0, Comparison(kind="close", atol=1e-6, rtol=1e-6)),
        ("assert f(1) == [{1: (.5,)}]", None, 0.0, Comparison(kind="close", atol=1e-6, rtol=1e-6)),
        ("assert f(1) == 2", "List[float]", 0.0, Comparison(kind="close", atol=1e-6, rtol=1e-6)),
        ("assert f(1) == 2", "int", 1e-4, Comparison(kind="close", atol=1e-4, rtol=1e-6)),
        ("assert abs(f(1) - 2) < 0.1", None, 0.0, Comparison(kind="close", atol=0.1, rtol=1e-6)),
        (
            "assert math.isclose(f(1), 2, rel_tol=0.001)",
            None,
            0.0,
            Comparison(kind="close", atol=1e-6, rtol=0.001),
        ),
        ("assert set(f(1)) == {1}\nassert f(2) == [3]", None, 0.0, Comparison(kind="set")),
        ("assert sorted(f(1)) == [1]", None, 0.0, Comparison(kind="any_order")),
        ("assert f(1)\nassert not f(2)", None, 0.0, Comparison(kind="truthy", observe="truth")),
        ("assert f(1)\nassert not f(2)", "bool", 0.0, EXACT),
        ("assert f(1)\nassert f(2) == False", None, 0.0, EXACT),
        ("assert f(1) is not None", None, 0.0, Comparison(kind="not_none", observe="presence")),
        ("assert f(1) is not None\nassert f(2) == 1", None, 0.0, EXACT),
        ("", None, 0.0, EXACT),
    ],
)  # fmt: skip
def test_kind(source: str, returns: str | None, atol: float, wanted: Comparison) -> None:
    assert compare(source, returns, atol) == wanted


PROMPT = '''
import math

SCALE = 2

def value(cs, at):
    return SCALE * sum(c * at**i for i, c in enumerate(cs))

def unrelated(): ...

def root(cs: list):
    """Find a root."""
'''


def checker(test: str) -> str | None:
    tree = ast.parse(test)
    params = (Param(name="cs"),)
    reading = read_asserts(tree.body, frozenset({"root"}), params, "t")
    return derive_checker(reading, PROMPT, ast.parse(PROMPT), tree, "root")


def test_a_condition_becomes_a_checker() -> None:
    source = checker(
        "import copy\nfor cs in draw():\n    got = root(copy.deepcopy(cs))\n"
        "    assert math.fabs(value(cs, got)) < 1e-4"
    )
    assert source is not None
    assert "unrelated" not in source
    space: dict[str, object] = {}
    exec(source, space)
    check = space["check"]
    assert check(-0.5, [1, 2]) is True  # type: ignore[operator]
    assert check(0.5, [1, 2]) is False  # type: ignore[operator]


def test_the_call_may_stand_in_the_condition() -> None:
    source = checker("assert value([1, 2], root([1, 2])) == 0")
    assert source is not None
    assert source.endswith("def check(output, cs):\n    return value(cs, output) == 0\n")


@pytest.mark.parametrize(
    "test",
    [
        "assert root([1, 2]) == -0.5",
        "assert abs(root([1, 2]) + value([1], 1)) < 1\nassert root([2]) == 1",
        "assert value([1], root([1])) == 0\nassert root([1]) > 0",
        "assert unknown(root([1])) == 0",
        "for x in draw():\n    assert root(x) == x",
        "",
    ],
)
def test_no_checker_where_the_tests_say_something_else(test: str) -> None:
    assert checker(test) is None
