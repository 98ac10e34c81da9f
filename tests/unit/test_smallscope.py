"""Small scope: the simplest values first, every corner combination early."""

import math

import pytest
from plusforge.generator.material import Material, build_material
from plusforge.generator.smallscope import (
    DOMAIN_LIMIT,
    enumerate_domain,
    small_args,
    small_values,
)
from plusforge.generator.streams import diagonal
from plusforge.oracle.typespec import Spec, parse_annotation
from plusforge.oracle.values import Value, key_of

NOTHING = Material()


def specs(*annotations: str) -> list[Spec]:
    return [parse_annotation(text) for text in annotations]


@pytest.mark.parametrize(
    ("annotation", "start"),
    [
        ("None", [None]),
        ("bool", [False, True]),
        ("int", [0, 1, -1, 2, 3, 10]),
        ("float", [0.0, 1.0, -1.0, 0.5, -0.5]),
        ("str", ["", "a", " ", "b", "A", "aa", "ab"]),
        ("bytes", [b"", b"a"]),
        ("complex", [0j, 1 + 0j, 1j]),
        ("list[int]", [[], [0], [1], [-1], [2], [0, 0], [1, 1]]),
        ("tuple[int, ...]", [(), (0,), (1,)]),
        ("tuple[int, bool]", [(0, False), (0, True), (1, False)]),
        ("list[str]", [[], [""], ["a"], [" "]]),
        ("list[list[int]]", [[], [[]], [[0]], [[1]]]),
        ("dict[str, int]", [{}, {"": 0}]),
        ("set[int]", [set(), {0}, {1}]),
        ("int | None", [0, None, 1]),
    ],
)
def test_the_simplest_values_come_first(annotation: str, start: list[Value]) -> None:
    found = small_values(parse_annotation(annotation), NOTHING, len(start))
    assert list(map(key_of, found)) == list(map(key_of, start))


def test_the_types_of_any_take_turns() -> None:
    found = small_values(parse_annotation("Any"), NOTHING, 40)
    assert {type(value) for value in found[:8]} == {
        int, str, list, bool, type(None), float, dict, tuple,
    }  # fmt: skip
    assert {type(x) for x in small_values(parse_annotation("list[Any]"), NOTHING, 60)} == {list}
    inner = [x for v in small_values(parse_annotation("list[Any]"), NOTHING, 60) for x in v]
    assert {int, str, bool, type(None)} <= {type(x) for x in inner}


def test_strings_are_made_of_the_alphabet_and_the_literals_of_the_task() -> None:
    material = build_material(['def f(s): return s == "done"'], "", [("xyz", "(q)")])
    found = small_values(parse_annotation("str"), material, 90)
    assert {"", " ", "q", "x", "z", "done", "()", ")(", "a", "A"} <= set(found)
    assert all(text.isascii() for text in found)


def test_mined_numbers_are_among_the_small_ones() -> None:
    material = build_material(["def f(n): return n > 365 or n * 0.125"], "", [])
    assert {364, 365, 366, -365} <= set(small_values(parse_annotation("int"), material, 90))
    assert 0.125 in small_values(parse_annotation("float"), material, 90)


@pytest.mark.parametrize(
    ("annotations", "corner", "within"),
    [
        (["int", "int"], (0, 1), 3),
        (["int", "int"], (-1, -1), 15),
        (["int", "int"], (0, 2), 12),
        (["str", "str"], ("", ""), 1),
        (["str", "str"], ("a", "a"), 15),
        (["str"], ("",), 1),
        (["list[str]"], ([""],), 2),
        (["list[str]"], (["", ""],), 12),
        (["list[int]"], ([0, 0],), 8),
        (["list[int]"], ([1, 0, 1],), 60),
        (["list[int]", "int"], ([], 0), 1),
        (["list[int]", "int"], ([1], 1), 15),
        (["list[int]", "list[int]"], ([0], [0]), 6),
        (["list[list[int]]"], ([[]],), 2),
        (["list[list[int]]"], ([[], []],), 12),
        (["list[list[int]]"], ([[0], [0]],), 30),
        (["int", "int", "int"], (1, 1, 1), 25),
        (["dict[str, int]"], ({"": 0},), 2),
    ],
)
def test_a_corner_is_among_the_first(
    annotations: list[str], corner: tuple[Value, ...], within: int
) -> None:
    found = list(map(key_of, small_args(specs(*annotations), NOTHING, 500)))
    assert key_of(corner) in found[:within]


def test_calls_come_in_order_of_total_simplicity() -> None:
    found = list(diagonal(["ab", "xyz"]))
    assert found == [("a", "x"), ("a", "y"), ("b", "x"), ("a", "z"), ("b", "y"), ("b", "z")]
    assert list(diagonal([])) == [()]
    assert list(diagonal(["ab", ""])) == []
    sums = [sum(indices) for indices in diagonal([range(5), range(3), range(7)])]
    assert sums == sorted(sums)
    assert len(sums) == 5 * 3 * 7


def test_the_limit_is_kept() -> None:
    assert len(list(small_args(specs("list[int]", "str"), NOTHING, 123))) == 123
    assert list(small_args([], NOTHING, 10)) == [()]
    assert list(small_args(specs("int"), NOTHING, 0)) == []


@pytest.mark.parametrize(
    ("annotations", "size"),
    [
        ([], 1),
        (["bool"], 2),
        (["bool", "bool | None"], 6),
        (["tuple[bool, bool, None]", "bool"], 8),
        (["bool"] * 12, DOMAIN_LIMIT),
    ],
)
def test_a_small_domain_is_enumerated_completely(annotations: list[str], size: int) -> None:
    domain = enumerate_domain(specs(*annotations))
    assert domain is not None
    found = list(domain)
    assert len(found) == len(set(map(key_of, found))) == size


@pytest.mark.parametrize(
    "annotations",
    [["int"], ["bool", "str"], ["list[bool]"], ["bool"] * 13, ["bool | int"],
     ["tuple[bool, int]"], ["tuple[" + ", ".join(["bool"] * 13) + "]"], ["Any"]],
)  # fmt: skip
def test_a_large_or_endless_domain_is_not_enumerated(annotations: list[str]) -> None:
    assert enumerate_domain(specs(*annotations)) is None


def test_no_small_float_is_special() -> None:
    found = small_values(parse_annotation("float"), NOTHING, 99)
    assert all(map(math.isfinite, found))
