"""Source is read as a syntax tree; layout and comments survive."""

import ast

import pytest
from plusforge.oracle.errors import TaskError
from plusforge.oracle.source import (
    bare_signature,
    doctest_examples,
    find_function,
    join_segments,
    needed,
    params_of,
    parse_module,
    prompt_of,
    rename_function,
    segment,
)
from plusforge.oracle.task import Param

MODULE = '''\
"""About."""
from typing import List
import math

LIMIT = 3


# A comment about the helper.
def _helper(x):
    return x + LIMIT  # why


@staticmethod
def solve(xs: List[int], k: "int" = 2) -> int:
    """Say more.

    >>> solve([1])
    4
    """
    return _helper(len(xs)) * k
'''


def test_syntax_errors_name_file_and_line() -> None:
    with pytest.raises(TaskError, match=r"^t\.py:2: .*correct the Python source"):
        parse_module("x = 1\ndef f(:\n", "t.py")


@pytest.mark.parametrize("text", ["\0", "x = " + "(" * 3000 + ")" * 3000])
def test_what_cannot_be_parsed_is_a_task_error(text: str) -> None:
    with pytest.raises(TaskError, match=r"^t\.py:1: "):
        parse_module(text, "t.py")


def test_bad_escapes_do_not_warn() -> None:
    assert parse_module("x = '\\d'", "t.py").body


def test_params() -> None:
    tree = parse_module(MODULE, "t.py")
    func = find_function(tree, "solve", "t.py")
    assert params_of(func, "t.py") == (
        Param(name="xs", annotation="List[int]"),
        Param(name="k", annotation="'int'", optional=True),
    )
    assert bare_signature(func) == "xs, k=2"
    assert bare_signature(func, first="output") == "output, xs, k=2"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("f(*args)", r"\*args"),
        ("f(a, **kw)", r"\*\*kw"),
        ("f(a, *, b)", r"b \(keyword-only\)"),
    ],
)
def test_odd_parameters_are_refused_with_a_remedy(head: str, message: str) -> None:
    func = find_function(parse_module(f"def {head}: pass", "t.py"), "f", "t.py")
    with pytest.raises(TaskError, match=rf"t\.py:1: f takes {message}.*positional parameters only"):
        params_of(func, "t.py")


def test_a_missing_function_lists_those_there_are() -> None:
    tree = parse_module("def a(): pass\ndef b(): pass", "t.py")
    with pytest.raises(TaskError, match=r"no top-level function 'c' \(found: a, b\)"):
        find_function(tree, "c", "t.py")
    with pytest.raises(TaskError, match="async"):
        find_function(parse_module("async def c(): pass", "t.py"), "c", "t.py")


def test_segments_keep_comments_and_decorators() -> None:
    tree = parse_module(MODULE, "t.py")
    helper = segment(MODULE, tree, find_function(tree, "_helper", "t.py"))
    assert helper.startswith("# A comment about the helper.\ndef _helper(x):")
    assert helper.endswith("# why")
    assert segment(MODULE, tree, find_function(tree, "solve", "t.py")).startswith("@staticmethod")


def test_segments_of_a_shared_line() -> None:
    text = "a = 1; b = 2\n"
    tree = parse_module(text, "t.py")
    assert [segment(text, tree, node) for node in tree.body] == ["a = 1", "b = 2"]


def test_needed_follows_names_through_helpers() -> None:
    tree = parse_module(MODULE, "t.py")
    func = find_function(tree, "solve", "t.py")
    names = [ast.unparse(node).splitlines()[0] for node in needed(tree, [func], skip={"solve"})]
    assert names == ["from typing import List", "LIMIT = 3", "def _helper(x):"]


def test_prompt_is_imports_signature_docstring() -> None:
    tree = parse_module(MODULE, "t.py")
    prompt = prompt_of(MODULE, tree, find_function(tree, "solve", "t.py"), "t.py")
    assert prompt.startswith("from typing import List\nimport math\n\n\n@staticmethod\ndef solve(")
    assert prompt.endswith('    4\n    """\n')
    assert "_helper" not in prompt
    bare = "def f(): pass"
    tree = parse_module(bare, "t.py")
    func = find_function(tree, "f", "t.py")
    with pytest.raises(TaskError, match="f has no docstring"):
        prompt_of(bare, tree, func, "t.py")


def test_join_spaces_pieces_as_people_do() -> None:
    joined = join_segments(["import a", "import b", "", "X = 1", "def f(): pass", "f()"])
    assert joined == "import a\nimport b\n\nX = 1\n\n\ndef f(): pass\n\n\nf()\n"
    assert join_segments([]) == ""


def run(source: str, name: str, *args: object) -> object:
    space: dict[str, object] = {}
    exec(source, space)
    return space[name](*args)  # type: ignore[operator]


def test_renaming_reaches_recursive_calls_and_keeps_comments() -> None:
    source = "# above\ndef old(n):  # beside\n    return 1 if n < 2 else n * old(n - 1)"
    renamed = rename_function(source, "old", "factorial")
    assert renamed == source.replace("old", "factorial")
    assert run(renamed, "factorial", 5) == 120


def test_renaming_leaves_other_words_alone() -> None:
    source = 'def f(x):\n    "f is not f.f"\n    return [x.f, "é", f(x)]'
    renamed = rename_function(source, "f", "g")
    assert renamed == 'def g(x):\n    "f is not f.f"\n    return [x.f, "é", g(x)]'


def test_renaming_inside_an_f_string_still_runs() -> None:
    source = 'def old(n):\n    return f"""x\n{n and old(n - 1)}"""'
    assert run(rename_function(source, "old", "new"), "new", 1) == "x\nx\n0"


def test_examples_of_a_docstring() -> None:
    found = list(
        doctest_examples(
            "Text.\n\n>>> f([1,\n...    2])\n[1,\n 2]\n>>>f(3)\n4\n\ntail\n>>> f('')\n"
        )
    )
    assert [(e.source, e.want, e.line) for e in found] == [
        ("f([1,\n   2])", "[1,\n2]", 3),
        ("f(3)", "4", 7),
        ("f('')", "", 11),
    ]
