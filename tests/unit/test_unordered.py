"""Which references have no order of their own: only those, or right programs get lost or in."""

import ast

import pytest
from plusforge.oracle.unordered import returns_unordered


def told(body: str) -> bool:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (func,) = ast.parse(f"def f(a, b):\n{lines}\n").body
    assert isinstance(func, ast.FunctionDef)
    return returns_unordered(func)


@pytest.mark.parametrize(
    "body",
    [
        "return list(set(a) & set(b))",
        "return tuple(set(a) - set(b))",
        "return list(set(a).symmetric_difference(b))",
        "return list({x for x in a if x in b})",
        "return list({1, 2}.union(a))",
        "return list(set(a) - set(b)) + list(set(b) - set(a))",
        "both = set(a) | set(b)\nreturn list(both)",
        "both = set(a)\nanswer = tuple(both)\nreturn answer",
        "both = set(a)\nboth.discard(0)\nreturn list(both)",
        "if a:\n    return list(set(a))\nreturn tuple(set(b))",
    ],
)
def test_made_straight_from_sets(body: str) -> None:
    assert told(body)


@pytest.mark.parametrize(
    "body",
    [
        "return sorted(set(a))",
        "return list(a)",
        "return set(a)",  # a set compares as a set: no order to lift
        "return list(dict.fromkeys(a))",
        "return list(a.copy())",
        "return list(a.union(b))",  # nobody says that a is a set
        "return [x for x in set(a)]",
        "return list(sorted(set(a)))",
        "return list(set(a)) + [0]",
        "if a:\n    return list(set(a))\nreturn b",
        "answer = list(set(a))\nanswer = sorted(answer)\nreturn answer",
        "print(a)",
        "return",
        "return max(set(a))",
    ],
)
def test_everything_else_has_an_order(body: str) -> None:
    assert not told(body)


@pytest.mark.parametrize(
    "body",
    [
        "answer = list(set(a))\nanswer.sort()\nreturn answer",
        "answer = list(set(a))\nanswer.insert(0, b)\nreturn answer",
        "answer = list(set(a))\nanswer[0] = b\nreturn answer",
        "if b:\n    a = set(a)\nreturn list(a)",
    ],
)
def test_changed_after_it_was_made(body: str) -> None:
    assert not told(body)


def test_names_that_name_each_other_end() -> None:
    assert not told("x = y\ny = x\nreturn list(x)")
