"""What decides which programs count as wrong, in the scripts that work on a corpus."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from plusforge.oracle.task import Param
from plusforge.oracle.typespec import Fixed, Many, OneOf, Scalar, Spec
from plusforge.oracle.values import Raised, Value

INT, STR, FLOAT = Scalar("int"), Scalar("str"), Scalar("float")


@pytest.fixture(scope="module")
def scripts() -> Iterator[tuple[ModuleType, ModuleType]]:
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    try:
        yield __import__("corpus"), __import__("escapes")
    finally:
        sys.path.remove(folder)


@pytest.mark.parametrize(
    ("spec", "annotation", "expected"),
    [
        (Fixed("list", (INT, STR)), None, Many("list", OneOf((INT, STR)))),
        (Fixed("tuple", (INT, INT)), "tuple[int, int]", Fixed("tuple", (INT, INT))),
        (Many("list", Fixed("tuple", (INT, FLOAT))), "list",
         Many("list", Many("tuple", OneOf((INT, FLOAT))))),
        (OneOf((INT, Many("list", INT))), None, OneOf((INT, Many("list", INT)))),
    ],
)  # fmt: skip
def test_only_annotations_bind_the_length_of_what_was_observed(
    scripts: tuple[ModuleType, ModuleType], spec: Spec, annotation: str | None, expected: Spec
) -> None:
    assert scripts[0].merged(spec, Param(name="x", annotation=annotation)) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [([1.0, {2: math.inf}], False), (({"a": [math.nan]},), False), ((1, 2.0, "nan"), True)],
)
def test_finite_looks_at_any_depth(
    scripts: tuple[ModuleType, ModuleType], value: Value, expected: bool
) -> None:
    assert scripts[0].finite(value) is expected


@pytest.mark.parametrize(
    ("expected", "got", "counts"),
    [
        (1, 2, True),
        (1, Raised("ValueError"), True),
        (1, Raised("RecursionError"), False),
        (1, Raised("ModuleNotFoundError"), False),
        (1.0, math.nan, False),
        ([0.1 + 0.2], [0.3], False),
        (10**17, 10**17 + 1, True),
        (0, 1, True),
    ],
)
def test_what_counts_as_an_escape(
    scripts: tuple[ModuleType, ModuleType], expected: Value, got: Value | Raised, counts: bool
) -> None:
    assert scripts[1].counts(expected, got) is counts


@pytest.mark.parametrize("value", [-9, 2.75, "b c", [3, "x"], (1, [2]), {"k": 4}, {1, 2}])
def test_smaller_values_keep_their_type_and_differ(
    scripts: tuple[ModuleType, ModuleType], value: Value
) -> None:
    found = list(scripts[1].smaller(value))
    assert found
    assert all(type(one) is type(value) and one != value for one in found)
