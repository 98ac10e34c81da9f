"""Constant expressions are folded without evaluating anything."""

import math

import pytest
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import Allowance, fold, fold_text, parse_expression
from plusforge.oracle.values import Value, key_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-5", -5),
        ("+5", 5),
        ("~5", -6),
        ("not 0", True),
        ("[1] * 3", [1, 1, 1]),
        ("3 * 'ab'", "ababab"),
        ("'a' + 'b'", "ab"),
        ("10**3", 1000),
        ("1 << 70", 1 << 70),
        ("2**-1", 0.5),
        ("7 // 2 - 7 % 2 + 7 / 2", 5.5),
        ("float('inf')", math.inf),
        ("float('-inf')", -math.inf),
        ("-math.inf", -math.inf),
        ("math.pi", math.pi),
        ("1 + 2j", 1 + 2j),
        ("set([1, 2])", {1, 2}),
        ("set()", set()),
        ("{1, 2}", {1, 2}),
        ("frozenset({1})", frozenset({1})),
        ("tuple([1, 2])", (1, 2)),
        ("list(range(3))", [0, 1, 2]),
        ("list('abc')", ["a", "b", "c"]),
        ("dict(a=1)", {"a": 1}),
        ("{'a': 1, **{'b': 2}}", {"a": 1, "b": 2}),
        ("[*range(2), 5]", [0, 1, 5]),
        ("sorted([3, 1])", [1, 3]),
        ("'a' 'b'", "ab"),
        ("b'ab'", b"ab"),
        ("(1,)", (1,)),
        ("()", ()),
        ("None", None),
        ("copy.deepcopy([1])", [1]),
        ("{1: (2, [3])}", {1: (2, [3])}),
        ("0.1 + 0.2", 0.1 + 0.2),
        ("-0.0", -0.0),
        ("-sys.maxsize - 1", -(2**63)),
    ],
)
def test_folds(text: str, value: Value) -> None:
    assert key_of(fold_text(text)) == key_of(value)


@pytest.mark.parametrize(
    "text",
    [
        "f(1)",
        "x",
        "__import__('os')",
        "().__class__",
        "(lambda: 1)()",
        "[i for i in range(3)]",
        "f'{1}'",
        "'%s' % 1",
        "9**9**9",
        "10**200000",
        "1 << 10**9",
        "[0] * 10**9",
        "[[0] * 1000] * 1000",
        "'ab' * 10**6",
        "list(range(10**9))",
        "range(3)",
        "bytes(10**9)",
        "1 / 0",
        "{[1]: 2}",
        "{[1]}",
        "int('x')",
        "'a' + 1",
        "...",
        "[1, ...]",
        "sorted([1, 'a'])",
        "open('x')",
        "1 +",
        "x = 1",
        "int(key=3)",
        "1 if True else 2",
        "chr(-1)",
        "complex('x')",
        "10.0**1000",
        "(" * 500 + ")" * 500,
        "[" + "[0] * 100000," * 20 + "]",
        "[" + "3**60000," * 1000 + "]",
        "list(" * 90 + "range(200000)" + ")" * 90,
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(LiteralError):
        fold_text(text)


def test_the_message_quotes_the_part_that_is_not_constant() -> None:
    with pytest.raises(LiteralError, match=r"'g\(3\)' is not a constant value"):
        fold_text("[1, 2, g(3)]")


def test_names_may_be_given() -> None:
    assert fold(parse_expression("[x, true]"), {"x": 3, "true": True}) == [3, True]


def test_repeated_rows_share_nothing() -> None:
    rows = fold_text("[[0] * 2] * 2")
    rows[0][0] = 1
    assert rows == [[1, 0], [0, 0]]


def test_a_given_value_is_not_shared() -> None:
    given = [1]
    fold(parse_expression("x"), {"x": given}).append(2)
    assert given == [1]


def test_an_allowance_is_shared_by_expressions() -> None:
    allowance = Allowance(50)
    fold(parse_expression("[0] * 20"), None, allowance)
    fold(parse_expression(repr([0] * 1000)), None, allowance)
    with pytest.raises(LiteralError, match="make more than"):
        fold(parse_expression("[0] * 20"), None, allowance)


def test_a_name_costs_what_it_holds() -> None:
    with pytest.raises(LiteralError, match="make more than"):
        fold(parse_expression("[" + "x," * 1000 + "]"), {"x": [0] * 2000})


def test_bad_escapes_of_others_do_not_warn() -> None:
    assert fold_text(r"'\d'") == "\\d"
