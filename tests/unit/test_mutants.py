"""Mutants: each rule makes exactly what its examples say; a program's mutants are real and new."""

import ast
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.oracle import mutants as module
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import TaskError
from plusforge.oracle.mutants import RULES, mutants_of
from plusforge.oracle.mutation import Rule
from plusforge.oracle.mutation_text import Workshop, replaced
from plusforge.oracle.task import Task

from tests.support import datasets

EXAMPLES = [
    pytest.param(rule, source, wanted, id=f"{rule.apply.__name__}-{number}")
    for rule in RULES
    for number, (source, wanted) in enumerate(rule.examples.items())
]
PROGRAM = '''\
import math


LIMIT: int = 3  # annotated
def helper(x):
    """Doc 5."""
    return x and 1

def unused(x):
    return x - 1

def f(xs: "list[int]", sep="") -> str:
    """Docs: 1 < 2."""
    for x in xs:
        if not (x  <   # strictly
                LIMIT):
            continue
        elif x == helper(x):
            raise ValueError("too big", 7)
    return f"{x + 1:>3}é" + sep
'''


def spots(source: str) -> list[module._Spot]:
    roots = ast.parse(source).body
    return [spot for root in roots for spot in module._spots(root, None, quiet=False)]


def made_by(rule: Rule, source: str) -> list[str]:
    """Return what one rule makes of a piece of source, as programs."""
    tree = ast.parse(source)
    workshop = Workshop(source, tree)
    return [
        workshop.made(change, inside=False).source
        for root in tree.body
        for spot in module._spots(root, None, quiet=False)
        if type(spot.node) in rule.on
        for change in rule.apply(spot.node)
    ]


def form(source: str) -> str:
    return ast.dump(ast.parse(source))


@pytest.mark.parametrize(("rule", "source", "wanted"), EXAMPLES)
def test_a_rule_makes_what_its_examples_say(rule, source, wanted):
    made = made_by(rule, source)
    assert [ast.unparse(ast.parse(m)) for m in made] == [ast.unparse(ast.parse(w)) for w in wanted]


def test_every_rule_has_an_example_with_a_mutant():
    assert [rule.apply.__name__ for rule in RULES if not any(rule.examples.values())] == []


def test_the_mutants_of_a_small_program():
    found = mutants_of("def f(a, b):\n    return a < b  # strictly\n", "f")
    assert [mutant.name for mutant in found] == [
        "RET:2:11:None", "RET:2:11:True", "RET:2:11:False",
        "ROR:2:11:Lt->LtE", "ROR:2:11:Lt->Gt", "ROR:2:11:Lt->GtE", "ROR:2:11:Lt->NotEq",
        "UOI:2:11:abs", "UOI:2:15:abs",
    ]  # fmt: skip
    first = found[3]
    assert (first.operator, first.line) == ("ROR", 2)
    assert first.source == "def f(a, b):\n    return a <= b  # strictly\n"
    assert first.description == "line 2: a < b -> a <= b"


def test_a_program_that_is_nested_too_deeply_has_no_mutants():
    lines = [f"    elif x == {number}:\n        return {number}\n" for number in range(600)]
    assert mutants_of("def f(x):\n    if x < 0:\n        return 1\n" + "".join(lines), "f") == []


def test_only_what_the_entry_point_reaches_is_changed():
    for mutant in mutants_of(PROGRAM, "f"):
        tree = ast.parse(mutant.source)
        doc = {n.name: ast.get_docstring(n) for n in tree.body if isinstance(n, ast.FunctionDef)}
        assert doc == {"helper": "Doc 5.", "unused": None, "f": "Docs: 1 < 2."}
        assert "import math" in mutant.source
        assert "return x - 1" in mutant.source
        assert "too big" in mutant.source or mutant.operator in ("SDL", "CON")
    lines = {mutant.line for mutant in mutants_of(PROGRAM, "f")}
    assert lines == {4, 7, 12, 14, 15, 16, 17, 18, 19, 20}


def test_what_is_within_an_f_string_is_named_by_the_f_string():
    names = [mutant.name for mutant in mutants_of(PROGRAM, "f") if "Add->Sub" in mutant.name]
    assert names == ["AOR:20:11:Add->Sub"]
    assert any("f'{x - 1:>3}é'" in mutant.source for mutant in mutants_of(PROGRAM, "f"))


def test_the_last_of_two_functions_of_one_name_counts():
    source = "def f(x):\n    return x + 1\ndef f(x):\n    return x + 2\n"
    assert {mutant.line for mutant in mutants_of(source, "f")} == {4}


def test_brackets_are_written_where_they_are_needed():
    sources = [m.source for m in mutants_of("def f(a, b):\n    return a * b ** 2 - (a % b)\n", "f")]
    texts = {source.split("return ")[-1].strip() for source in sources}
    assert "(a + b ** 2) - (a % b)" in texts
    assert "a * (b * 2) - (a % b)" in texts
    assert "a * b ** 2 + a % b" in texts


def test_data_is_left_as_it_is():
    numbers = ", ".join(map(str, range(module.LONGEST_DISPLAY + 1)))
    found = mutants_of(f"def f(x):\n    return x in [{numbers}]\n", "f")
    assert Counter(mutant.operator for mutant in found)["CRP"] == 0


def test_windows_line_ends_and_tabs_are_no_obstacle():
    source = "def f(a):\r\n\tif a:\r\n\t\treturn 1\r\n\treturn 2\r\n"
    plain = source.replace("\r\n", "\n")
    assert [form(m.source) for m in mutants_of(source, "f")] == [
        form(m.source) for m in mutants_of(plain, "f")
    ]


@pytest.mark.parametrize("source", ["def g(): pass\n", "def f(:\n", "async def f(): pass\n"])
def test_a_program_that_cannot_be_used_is_refused(source):
    with pytest.raises(TaskError):
        mutants_of(source, "f")


# ---------------------------------------------------------------- any program

ATOMS = st.sampled_from(["a", "b", "1", "0", "-2", "2.5", "''", "'ab'", "True", "a[b]", "a[1:b]"])


def grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.sampled_from("+ - * // % ** < == in and or".split())
    return st.one_of(
        st.tuples(parts, binary, parts).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        parts.map(lambda p: f"not ({p})"),
        parts.map(lambda p: f"-({p})"),
        parts.map(lambda p: f"sorted({p}, key=len)"),
        parts.map(lambda p: f"f'{{len(({p}))}}!'" if "'" not in p else p),
        st.tuples(parts, parts).map(lambda t: f"[x for x in ({t[0]}) if ({t[1]})]"),
        st.tuples(parts, parts).map(lambda t: f"(lambda x: ({t[0]}))({t[1]})"),
        st.tuples(parts, parts, parts).map(lambda t: f"({t[0]}) if ({t[1]}) else ({t[2]})"),
        st.tuples(parts, parts).map(lambda t: f"max(({t[0]}), ({t[1]})).lower()"),
    )


EXPRESSIONS = st.recursive(ATOMS, grown, max_leaves=4)


def assert_sound(source: str, entry_point: str) -> int:
    """Check the mutants of a program; return their number."""
    before = form(source)
    tree = ast.parse(source)
    found = mutants_of(source, entry_point)
    forms = [form(mutant.source) for mutant in found]
    for mutant in found:
        compile(mutant.source, mutant.name, "exec")
    assert before not in forms
    assert len(set(forms)) == len(forms)
    assert len({mutant.name for mutant in found}) == len(found)
    assert all("\n" not in mutant.description for mutant in found)
    # Changing the text gives the same program as changing the tree.
    workshop = Workshop(source, tree)
    reached = module._reached(tree, entry_point)
    for _, spot, rule, change in module._changes(reached):
        new = change.new if isinstance(change.new, list) else [change.new]
        wanted = ast.unparse(replaced(tree, change.old, new))
        made = workshop.made(change, inside=spot.anchor is not spot.node)
        assert form(made.source) == form(wanted), (rule.operator, change.label, made)
    assert ast.dump(tree) == before
    return len(found)


@settings(max_examples=20, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_mutants_of_any_program_are_sound(value, condition):
    source = (
        f"def f(a, b):\n    if {condition}: return 1\n"
        f"    elif b:\n        b += {value}\n    return b\n"
    )
    assert assert_sound(source, "f") > 10


def real_tasks(name: str) -> list[Task]:
    return [task for task in load_benchmark(name, data=datasets()).tasks if isinstance(task, Task)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("humaneval+", 8_000), ("mbpp+", 10_000)])
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_mutants_of_real_references_are_sound_and_many(name, least):
    tasks = real_tasks(name)
    assert sum(assert_sound(t.references[0].source, t.entry_point) for t in tasks) >= least
