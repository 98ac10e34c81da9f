"""Contracts: released text as a module of its own, and inferred ones."""

import ast

import pytest
from plusforge.oracle.contracts import MANY, contract_module, infer_contract
from plusforge.oracle.errors import TaskError
from plusforge.oracle.source import find_function
from plusforge.oracle.task import BaseTest, Contract, Param, Reference, Task
from plusforge.oracle.typespec import spec_of
from plusforge.oracle.values import Args

SOLUTION = """\
import math

def helper(x):
    return math.floor(x)

def unused():
    return 0

def f(x, y=2):
    return helper(x)
"""


def accepts(contract: Contract, *args: object) -> bool:
    space: dict[str, object] = {}
    exec(contract.source, space)
    try:
        return space["contract"](*args) is not False  # type: ignore[operator]
    except AssertionError:
        return False


def released(body: str) -> Contract | None:
    tree = ast.parse(SOLUTION)
    return contract_module(body, SOLUTION, tree, find_function(tree, "f", "t"), "t")


@pytest.mark.parametrize("indent", [" ", "  ", "    ", "\t"])
def test_released_lines_become_a_module(indent: str) -> None:
    contract = released(
        f'\n{indent}assert helper(x) > 0, "invalid" # $_CONTRACT_$\n'
        f"{indent}for i in range(y): # $_CONTRACT_$\n"
        f"{indent}{indent}assert i < 5 # $_CONTRACT_$ \n"
    )
    assert contract is not None
    assert contract.declared
    assert accepts(contract, 1.5)
    assert not accepts(contract, 0.5)
    assert not accepts(contract, 1.5, 9)
    assert "unused" not in contract.source
    assert "$_CONTRACT_$" not in contract.source


def test_no_lines_are_no_contract() -> None:
    assert released("\n  \n") is None


def test_lines_that_do_not_compile_are_a_task_error() -> None:
    with pytest.raises(TaskError, match=r"t \(contract\):2: "):
        released("    assert (x")


def inferred(*rows: Args, head: str = "f(a)", prompt: str = "") -> Contract:
    source = f"def {head}: ..."
    func = ast.parse(source).body[0]
    assert isinstance(func, ast.FunctionDef)
    params = tuple(Param(name=arg.arg) for arg in func.args.args)
    task = Task(
        task_id="t/f",
        entry_point="f",
        prompt=prompt,
        params=params,
        references=(Reference(source=source),),
        base=tuple(BaseTest(args=row) for row in rows),
    )
    contract = infer_contract(task, [spec_of(column) for column in zip(*rows, strict=True)])
    assert not contract.declared
    assert all(accepts(contract, *row) for row in rows)
    return contract


def many(*rows: Args, head: str = "f(a)") -> Contract:
    """Return the contract inferred from the rows and enough further ones like the first."""
    column = rows[0][0]
    more: list[Args] = []
    for n in range(1, MANY):
        if isinstance(column, int | float):
            more.append((column + n,))
        elif isinstance(column, dict):
            more.append(({key * (n + 1): value for key, value in column.items()},))
        else:
            more.append((column * (n + 1),))
    return inferred(*rows, *more, head=head)


def test_few_numbers_show_that_none_is_negative() -> None:
    for rows in [((1,),), ((1,), (5,)), ((0,), (5,))]:
        contract = inferred(*rows)
        assert accepts(contract, 0)
        assert not accepts(contract, -1)
    assert accepts(inferred((-1,), (5,)), -1000)
    assert accepts(inferred((0.5,), (2.5,)), 0.0)
    assert not accepts(inferred((0.5,), (2.5,)), -0.5)


def test_many_numbers_show_that_none_is_zero() -> None:
    assert not accepts(many((1,)), 0)
    assert accepts(many((0,)), 0)
    assert not accepts(many((0.5,)), 0.0)


def test_the_same_input_again_shows_nothing() -> None:
    assert accepts(inferred(*[(1,)] * MANY), 0)


def test_many_inputs_show_that_items_are_not_negative() -> None:
    contract = many(([1, 2],), ([3],))
    assert accepts(contract, [0])
    assert not accepts(contract, [1, -1])
    assert not accepts(contract, [])


def test_few_inputs_show_nothing_about_items() -> None:
    contract = inferred(([1, 2],), ([3],), ([4],))
    assert accepts(contract, [1, -1])
    assert not accepts(contract, [])
    assert accepts(inferred(((1, 2),), ((3, 4),)), (-1, 0))


def test_two_inputs_do_not_show_that_lists_are_never_empty() -> None:
    assert accepts(inferred(([1],), ([3],)), [])


def test_strings_keep_to_a_notation() -> None:
    binary = inferred(("0101",), ("1",))
    assert accepts(binary, "00")
    assert not accepts(binary, "2")
    assert not accepts(inferred(("a, b!",)), "é")
    assert accepts(inferred(("é",)), "anything, ü")


def test_few_words_do_not_show_that_there_are_only_letters() -> None:
    assert accepts(inferred(("two words",), ("Caps",)), "with dots.")
    words = many(("two words",), ("Caps",))
    assert accepts(words, "Any Other")
    assert not accepts(words, "no.dots")


def test_containers_inside_containers() -> None:
    rows = (([["ab"], ["c"]],), ([["x", "y"]],), ([["z"]],))
    contract = many(*rows)
    assert accepts(contract, [["q"]])
    assert not accepts(contract, [["Q"]])
    assert not accepts(contract, [[]])
    assert accepts(inferred(*rows), [["Q"]])


def test_shapes_of_matrices() -> None:
    square = inferred(([[1, 2], [3, 4]],), ([[1, 2], [5, 6]],), ([[0] * 3] * 3,))
    assert not accepts(square, [[1, 2]])
    even = inferred(([[1], [3]],), ([[1, 2], [5, 6], [7, 8]],), ([[0] * 4] * 3,))
    assert accepts(even, [[1, 2]])
    assert not accepts(even, [[1, 2], [3]])


def test_sorted_lists_need_a_word_in_the_prompt() -> None:
    rows = (([1, 2, 3],), ([2, 5, 9, 9, 11],), ([0, 1, 7],))
    assert accepts(inferred(*rows), [3, 1])
    assert not accepts(inferred(*rows, prompt="in a sorted array"), [3, 1])
    mixed = (*rows, ([2, 1],))
    assert accepts(inferred(*mixed, prompt="return a sorted list"), [3, 1])


def test_relations_between_arguments() -> None:
    pairs = inferred(([1], [2]), ([1, 2], [3, 4]), ([], []), head="f(a, b)")
    assert not accepts(pairs, [1], [])
    exact = inferred(([1], 1), ([1, 2], 2), ([5] * 4, 4), head="f(a, n)")
    assert not accepts(exact, [1, 2], 1)
    below = inferred(([1], 1), ([1, 2], 1), ([5] * 4, 2), head="f(a, n)")
    assert accepts(below, [1, 2], 2)
    assert not accepts(below, [1, 2], 3)
    front = inferred((1, [1]), (1, [1, 2]), (2, [5] * 4), head="f(n, a)")
    assert not accepts(front, 3, [1, 2])


@pytest.mark.parametrize("name", ["len", "all", "set", "string", "list", "sorted"])
def test_a_parameter_may_be_named_like_a_builtin(name: str) -> None:
    inferred((["a1"],), (["b"],), (["c", "d"],), head=f"f({name})")


def test_dicts_and_records() -> None:
    contract = many(({"a": 1},), ({"b": 2},), ({"c": 3},))
    assert not accepts(contract, {})
    assert not accepts(contract, {"A": 1})
    assert not accepts(contract, {"a": -1})
    record = many(([("ab", 1)],), ([("c", 2), ("d", 3)],))
    assert not accepts(record, [("A", 1)])
