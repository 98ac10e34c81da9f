"""Specs from annotations and from observed values."""

from typing import Any

import pytest
from plusforge.oracle.conformity import conforms
from plusforge.oracle.typespec import parse_annotation, render, spec_of, unify


@pytest.mark.parametrize(
    ("annotation", "seen", "spec"),
    [
        ("List[int]", [[1, 2]], "list[int]"),
        ("list", [[1, 2], []], "list[int]"),
        ("List[float]", [[1.0, 2]], "list[float | int]"),
        ("float", [1], "float | int"),
        ("List[Any]", [[1, "a"]], "list[Any]"),
        ("typing.Optional[str]", [None, "a"], "str | None"),
        ("'int | None'", [1], "int | None"),
        ("Dict[str, List[int]]", [{"a": []}], "dict[str, list[int]]"),
        ("Tuple[int, ...]", [(1, 2)], "tuple[int, ...]"),
        ("tuple[int, str]", [(1, "a")], "tuple[int, str]"),
        ("Callable[[int], int]", [3], "int"),
        ("MyClass", [[1]], "list[int]"),
        ("not valid python", [1], "int"),
        ("__import__('os').system('true')", ["x"], "str"),
        (None, [3, 4], "int"),
        (None, [True, 3], "bool | int"),
        (None, [[]], "list[Any]"),
        (None, [(1, 2), (3, 4, 5)], "tuple[int, ...]"),
        (None, [[("a", 1), ("b", 2)]], "list[tuple[str, int]]"),
        (None, [[(1, 2), (3, 4)]], "list[tuple[int, int]]"),
        (None, [["a", 1], ["b", 2]], "list[str, int]"),
        (None, [["a", 1], ["b"]], "list[str | int]"),
        (None, [{1: {2: [1.5]}}], "dict[int, dict[int, list[float]]]"),
        ("Literal['a', 'b']", ["a"], "str"),
        ("int", [], "int"),
    ],
)
def test_unify(annotation: str | None, seen: list[Any], spec: str) -> None:
    assert render(unify(parse_annotation(annotation), seen)) == spec


@pytest.mark.parametrize(
    ("annotation", "value", "fits"),
    [
        ("int", True, False),
        ("float", 1, False),
        ("list[int]", [0] * 50 + ["x"], False),
        ("list[int]", [0] * 50 + [True], False),
        ("list[int]", "", False),
        ("list[int]", {}, False),
        ("Any", True, True),
        ("Any", None, True),
        ("list[Any]", [None, True, 1, "a", [1]], True),
        ("list[str]", "abc", False),
    ],
)
def test_exact_types(annotation: str, value: Any, fits: bool) -> None:
    assert (conforms(value, unify(parse_annotation(annotation), [])) is None) is fits


def test_record_columns_keep_their_order() -> None:
    assert render(spec_of([("a", 1, 2.5), ("b", 2, 0.5)])) == "tuple[str, int, float]"
