"""Printed programs: the same tree, whatever astor makes of it; nothing it warns of leaks."""

import ast
import subprocess
import sys

import pytest
from plusforge.oracle import printing
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.printing import printed
from plusforge.oracle.task import Task

from tests.support import datasets

SYNTAX = [
    "def f(x, /, y=1, *, z):\n    return (x := y) + z",
    "match x:\n    case [1, *_] | {'a': 2}:\n        pass",
    "try:\n    pass\nexcept* ValueError:\n    pass",
    "x = f'{ {1: 2}[1] }'",
    "x = f'{y!r:>{width}} {{}} {z=}'",
    "async def f():\n    async with a as b:\n        return [c async for c in d]",
    "class A(B, metaclass=C):\n    x: int = 1",
    "x = -1 ** 2, (-1) ** 2, not (a and b), 1e400, 3j, b'\\xff', '\\u00e9\\n\\t'",
    "x = lambda a, *b, **c: (yield)",
    "with (a as b, c as d):\n    del b[1:2, ::3]",
    "x[*a] = 1",
    "",
]
NEWER = ["type X[T] = list[T]", "def f[T](x: T) -> T:\n    return x", "class A[T]: pass"]


def same(source: str) -> bool:
    return ast.dump(ast.parse(printed(source))) == ast.dump(ast.parse(source))


@pytest.mark.parametrize("source", SYNTAX)
def test_what_is_printed_is_the_same_program(source):
    assert same(source)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
@pytest.mark.parametrize("source", NEWER)
def test_syntax_newer_than_astor_is_kept(source):
    assert same(source)


def test_the_printer_breaks_long_lines_and_drops_comments():
    names = " and ".join(f"a_rather_long_name_{n}" for n in range(8))
    text = printed(f"def f(x):  # why\n    return {names}\n")
    assert "why" not in text
    assert text.endswith("\n")
    if sys.version_info < (3, 14):
        assert max(map(len, text.splitlines())) < 100


def test_a_tree_is_printed_and_left_alone():
    tree = ast.parse("x = 1 + 2")
    before = ast.dump(tree)
    assert printed(tree) == "x = 1 + 2\n"
    assert printed(tree.body[0]) == "x = 1 + 2\n"
    assert printed(tree.body[0].value).strip("()\n") == "1 + 2"
    assert ast.dump(tree) == before


def test_a_text_that_is_another_program_is_not_taken(monkeypatch):
    monkeypatch.setattr(printing, "_by_astor", lambda tree: "x = 2\n")
    assert printed("x = 1") == "x = 1\n"
    monkeypatch.setattr(printing, "_by_astor", lambda tree: "x = = 1\n")
    assert printed("x = 1") == "x = 1\n"


def test_a_long_literal_is_not_given_to_astor(monkeypatch):
    def never(tree):
        raise AssertionError("astor takes quadratic time")

    monkeypatch.setattr(printing, "_by_astor", never)
    assert printed(f"x = {[*range(printing.MOST_NODES)]}").startswith("x = [0, 1, 2")


def test_source_that_does_not_parse_is_refused():
    with pytest.raises(SyntaxError):
        printed("def f(:")


def test_importing_it_warns_of_nothing():
    code = (
        "import plusforge.oracle.printing as p; assert p.printed('x = \"a\"') == 'x = \\'a\\'\\n'"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["humaneval+", "mbpp+"])
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_real_references_survive_the_round_trip(name):
    tasks = [t for t in load_benchmark(name, data=datasets()).tasks if isinstance(t, Task)]
    assert [t.task_id for t in tasks if not same(t.references[0].source)] == []
