"""Our own task format, read by syntax tree only."""

import json
from pathlib import Path

import pytest
from plusforge.oracle.errors import TaskError
from plusforge.oracle.task import BaseTest, Comparison, Limits, Param, Seed, Task
from plusforge.oracle.taskfile import parse_task, read_seeds, read_task_file
from plusforge.oracle.values import Raised

FULL = '''\
"""What is special about this task."""
from typing import List

RAISES = ["ValueError"]
LIMITS = {"steps": 20_000, "cpu_s": 2}

_STEP = 2  # parity


# Whether a number is even.
def _even(x):
    return x % _STEP == 0


def sum_even(numbers: List[int], start: int = 0) -> int:
    """Add up the even numbers.

    >>> sum_even([3, 8])
    8
    """
    if start < 0:
        raise ValueError("negative start")
    return start + sum(n for n in numbers if _even(n))


def reference_slow(numbers, start=0):
    # one at a time
    if not numbers:
        return start
    return reference_slow(numbers[1:], start + numbers[0] * _even(numbers[0]))


def contract(numbers: List[int], start: int = 0) -> None:
    assert len(numbers) <= 10


def test_examples() -> None:
    assert sum_even([1, 2]) == 2
    assert sum_even([2], start=3) == 5, "with a start"
    try:
        sum_even([], -1)
    except ValueError:
        pass
    else:
        raise AssertionError("no error")


def wrong_counts(numbers, start=0):
    """Counts instead of adding."""
    return start + len([n for n in numbers if _even(n)])
'''


def parse(text: str) -> Task:
    return parse_task(text, "t.py", "own/t")


def run(source: str, name: str, *args: object) -> object:
    space: dict[str, object] = {}
    exec(source, space)
    return space[name](*args)  # type: ignore[operator]


def test_the_record_of_a_full_file() -> None:
    task = parse(FULL)
    assert (task.task_id, task.entry_point, task.source) == ("own/t", "sum_even", "t.py:15")
    assert task.params == (
        Param(name="numbers", annotation="List[int]"),
        Param(name="start", annotation="int", optional=True),
    )
    assert task.comparison == Comparison(raises=("ValueError",))
    assert task.limits == Limits(steps=20_000, cpu_s=2.0)
    assert task.mutates is False
    assert task.notes == ()
    assert task.base == (
        BaseTest(args=([1, 2],), expected=2, stated=True, where="t.py:38"),
        BaseTest(args=([2], 3), expected=5, stated=True, where="t.py:39"),
        BaseTest(args=([], -1), expected=Raised("ValueError"), stated=True, where="t.py:40"),
        BaseTest(
            args=([3, 8],), expected=8, stated=True, where="t.py:18 (example 1)", example=True
        ),
    )


def test_the_prompt_shows_imports_signature_and_docstring_only() -> None:
    assert parse(FULL).prompt == (
        "from typing import List\n\n\n"
        "def sum_even(numbers: List[int], start: int = 0) -> int:\n"
        '    """Add up the even numbers.\n\n    >>> sum_even([3, 8])\n    8\n    """\n'
    )


def test_every_program_is_a_complete_module() -> None:
    task = parse(FULL)
    canonical, slow = task.references
    assert (canonical.name, slow.name) == ("sum_even", "reference_slow")
    assert run(canonical.source, "sum_even", [1, 2, 4], 1) == 7
    assert run(slow.source, "sum_even", [1, 2, 4], 1) == 7
    assert "# one at a time" in slow.source
    assert "reference_slow" not in slow.source
    assert "# Whether a number is even.\ndef _even" in slow.source
    for absent in ("RAISES", "wrong_counts", "test_examples", "What is special"):
        assert absent not in canonical.source
    (wrong,) = task.wrong
    assert wrong.name == "wrong_counts"
    assert run(wrong.source, "sum_even", [1, 2, 4], 1) == 3
    assert task.contract is not None
    assert task.contract.declared
    assert run(task.contract.source, "contract", [1]) is None


def test_the_script_runs_after_a_reference() -> None:
    task = parse(FULL)
    assert task.script is not None
    space: dict[str, object] = {}
    exec(task.references[0].source, space)
    exec(task.script.source, space)
    assert "def _even" not in task.script.source
    exec(task.wrong[0].source, space)
    with pytest.raises(AssertionError):
        exec(task.script.source, space)


TINY = 'def f(x: int) -> int:\n    """Do."""\n    return x\n'
TEST = "def test_f():\n    assert f(1) == 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:", r"^t\.py:1: .*correct the Python source"),
        (TEST, r"^t\.py: no entry point \(test_\w+: none can be it\); define one function"),
        (TINY + "def g(): pass\n" + TEST, r"^t\.py:4: two entry points, f and g; give helpers"),
        (TINY + TINY + TEST, r"^t\.py:4: f is defined twice"),
        ("async " + TINY + TEST, r"^t\.py:1: f is async"),
        (TINY.replace("x: int", "*x") + TEST, r"^t\.py:1: f takes \*x; .*a name of its own"),
        (TINY.replace("x: int", "x, *, y") + TEST, r"y \(keyword-only\)"),
        (TINY.replace('"""Do."""', "pass") + TEST, r"^t\.py:1: f has no docstring"),
        (TINY, r"^t\.py:1: no base test of f; write one"),
        (TINY + TEST + "COMPARE = 'closse'", r"^t\.py:6: .*unknown; did you mean 'close'"),
        (TINY + TEST + "COMPARE = 3", r"COMPARE = 3: expected str"),
        (TINY + TEST + "COMPARE = g()", r"COMPARE: .*write a plain constant"),
        (TINY + TEST + "ATOL = 0.1", r"ATOL has a meaning only with COMPARE = 'close'"),
        (TINY + TEST + "OBSERVE = 'args'", r"did you mean 'arguments'"),
        (TINY + TEST + "MUTATES = 1", r"MUTATES = 1: expected bool"),
        (TINY + TEST + "RAISES = ['a b']", r"list names of exception classes"),
        (TINY + TEST + "LIMITS = {'step': 1}", r"key 'step' is unknown; did you mean 'steps'"),
        (TINY + TEST + "LIMITS = {'steps': 0}", r"expected a positive int"),
        (TINY + TEST + "COMPARE = 'checker'", r"write def check\(output, x\) -> bool"),
        (
            TINY + TEST + "COMPARE = 'set'\ndef check(output, x): ...",
            r"a check function beside COMPARE = 'set'; keep one",
        ),
        (TINY + TEST + "def check(output): ...", r"write def check\(output, x\)"),
        (TINY + TEST + "def contract(): ...", r"write def contract\(x\)"),
        (TINY + TEST + "def contract(y): ...", r"parameters y, f .* x; write def contract"),
        (TINY + TEST + "def check(out, z): ...", r"parameters z.*write def check\(output, x"),
        (TINY + TEST + "RASES = ['KeyError']", r"^t\.py:6: RASES .*did you mean RAISES"),
        (TINY + TEST + "ATOl = 0.1", r"did you mean ATOL\?"),
        (TINY + TEST + "Compare: str = 'set'", r"did you mean COMPARE\?"),
        (TINY + TEST + "LIMIT = {}", r"did you mean LIMITS\?"),
        (TINY + TEST + "def wrong_a(x, y): ...", r"wrong_a takes 2 parameters, expected 1"),
        (TINY + TEST + "def wrong_a(x): return f(x)", r"wrong_a uses f, .*leading underscore"),
        (TINY + "def test_f(x):\n    assert f(1) == 1\n", r"test_f takes parameters"),
        (
            TINY + "def test_f():\n    try:\n        f(1)\n    except KeyError:\n        pass\n"
            "    else:\n        raise AssertionError\n",
            r"^t\.py:5: the test expects KeyError, which RAISES does not promise",
        ),
    ],
)  # fmt: skip
def test_problems_name_place_and_remedy(text: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        parse(text)


def test_a_constant_that_is_used_is_none_misspelt() -> None:
    text = TINY.replace("return x", "return min(x, LIMIT)") + TEST + "LIMIT = 3\nWIDTH = 4\n"
    assert run(parse(text).references[0].source, "f", 5) == 3


def test_a_checker_may_call_the_output_what_it_likes() -> None:
    assert parse(TINY + TEST + "def check(got, x): ...").comparison.kind == "checker"


def test_a_close_task() -> None:
    task = parse(TINY + TEST + "COMPARE = 'close'\nATOL = 1e-9\nRTOL = 0\n")
    assert task.comparison == Comparison(kind="close", atol=1e-9, rtol=0.0)
    assert parse(TINY + TEST + "COMPARE = 'close'").comparison == Comparison(
        kind="close", atol=1e-6, rtol=1e-6
    )


def test_exact_is_the_default_even_for_floats() -> None:
    assert parse(TINY + "def test_f():\n    assert f(1) == 1.5\n").comparison == Comparison()


def test_a_loosely_written_assert_states_no_outcome_of_an_exact_task() -> None:
    task = parse(TINY + "def test_f():\n    assert abs(f(1) - 1) < 2\n    assert f(2)\n")
    assert [(test.args, test.stated) for test in task.base] == [((1,), False), ((2,), False)]
    task = parse(TINY.replace("-> int", "-> bool") + "def test_f():\n    assert f(2)\n")
    assert [(test.expected, test.stated) for test in task.base] == [(True, True)]


def test_a_checker() -> None:
    task = parse(TINY + TEST + "def check(output, x) -> bool:\n    return output >= x\n")
    assert task.comparison.kind == "checker"
    assert task.comparison.checker is not None
    assert run(task.comparison.checker, "check", 3, 2) is True


def test_names_that_only_begin_like_roles_are_entry_points() -> None:
    text = (TINY + TEST).replace("f(", "check_f(").replace("test_check_f", "test_f")
    assert parse(text).entry_point == "check_f"


def test_an_in_place_task() -> None:
    task = parse(
        'OBSERVE = "arguments"\n'
        'def f(xs):\n    """Sort.\n\n    >>> f([2, 1])\n    7\n    """\n    xs.sort()\n'
        "def test_f():\n    xs = [3, 1]\n    f(xs)\n    assert xs == [1, 3]\n"
    )
    assert task.comparison == Comparison(observe="arguments")
    assert task.mutates is True
    assert [(test.args, test.expected, test.stated) for test in task.base] == [
        (([3, 1],), ([1, 3],), True),
        (([2, 1],), None, False),
    ]


IN_PLACE = '''\
OBSERVE = "arguments"


def f(xs):
    """Sort.

    >>> v = [3, 1]
    >>> f(v)
    >>> v
    [1, 3]
    """
    xs.sort()
'''


def test_an_example_of_several_lines_is_a_base_test() -> None:
    (test,) = parse(IN_PLACE).base
    assert test == BaseTest(
        args=([3, 1],), expected=([1, 3],), stated=True, where="t.py:8 (example 2)", example=True
    )
    assert parse(IN_PLACE).script is None
    task = parse(IN_PLACE.replace('OBSERVE = "arguments"', "MUTATES = True"))
    assert [(test.args, test.stated) for test in task.base] == [(([3, 1],), False)]
    assert task.script is not None
    lines = task.script.source.split("\n")
    assert lines[5:9] == [
        "def _examples_of_the_docstring():", "    v = [3, 1]", "    f(v)", "    assert v == [1, 3]",
    ]  # fmt: skip
    space: dict[str, object] = {}
    exec(task.references[0].source, space)
    exec(task.script.source, space)
    space["f"] = len
    with pytest.raises(AssertionError):
        exec(task.script.source, space)


EXAMPLES = '''\
def f(x: int) -> int:
    """Do.

    >>> from t import f
    >>> n = 4
    >>> f(n)
    4
    >>> f(n + n)
    8
    >>> for i in range(2):
    ...     print(f(i))
    0
    1
    >>> f(x for
    """
    return x
'''


def test_examples_are_read_in_order_and_what_is_computed_is_run() -> None:
    task = parse(EXAMPLES.replace("f(n + n)\n    8", "f(7)\n    7"))
    assert [(test.args, test.expected, test.stated) for test in task.base] == [
        ((4,), 4, True), ((7,), 7, True),
    ]  # fmt: skip
    assert task.notes == (
        "t.py:14: this example is no Python and was passed over", "base:computed",
    )  # fmt: skip
    assert task.script is not None
    assert task.script.source.split("\n")[9:11] == ["    for i in range(2):", "        print(f(i))"]
    assert "assert" not in task.script.source


def test_an_assert_that_states_an_outcome_is_judged_and_not_run() -> None:
    task = parse(
        TINY + "COMPARE = 'close'\ndef test_f():\n    x = 3\n    assert f(x) == 3.0000001, (\n"
        "        'near')\n    assert f(1) == 1 and f(2) == 2; y = 7\n    assert f(y) > 6\n"
        "    assert f(1) == f(2) - 1\n"
    )
    assert task.script is not None
    assert task.script.source.split("\n")[4:11] == [
        "def test_f():", "    x = 3", "    pass", "", "    pass; y = 7", "    assert f(y) > 6",
        "    assert f(1) == f(2) - 1",
    ]  # fmt: skip


def test_what_becomes_of_a_variable_is_judged_only_after_its_call() -> None:
    body = "    xs, ys = [3, 1], [2]\n    f(xs)\n    assert ys == [2]\n    assert xs == [1, 3]\n"
    task = parse(IN_PLACE + "def test_f():\n" + body.replace("xs, ys = [3, 1], [2]", "xs = [3, 1]"))
    assert task.script is not None
    assert "assert ys == [2]" in task.script.source
    assert "assert xs" not in task.script.source


def test_a_call_with_a_variable_that_it_may_change_is_made() -> None:
    text = TINY + "MUTATES = True\ndef test_f():\n    x = 1\n    assert f(x) == 1\n"
    task = parse(text + "    assert f(2) == 2\n")
    assert task.script is not None
    assert "assert f(x) == 1\n    pass" in task.script.source


def test_computed_inputs_are_noted() -> None:
    task = parse(TINY + "def test_f():\n    for i in range(3):\n        assert f(i) == i\n")
    assert (task.base, task.notes) == ((), ("base:computed",))


def test_a_script_has_the_tests_alone_each_on_its_line() -> None:
    task = parse(TINY + "import math\n_N = 1\ndef test_f():\n    assert f(_N) == math.floor(1.5)\n")
    assert task.script is not None
    lines = task.script.source.split("\n")
    assert lines[5:7] == ["def test_f():", "    assert f(_N) == math.floor(1.5)"]
    assert set(lines) - set(lines[5:7]) == {"", "test_f()"}
    space: dict[str, object] = {}
    exec(task.references[0].source, space)
    exec(task.script.source, space)


def test_the_file_is_never_run(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + TINY + TEST)
    assert read_task_file(path, "own").task_id == "own/f"
    assert not (tmp_path / "ran").exists()


def test_the_file_bears_the_name_of_its_function(tmp_path: Path) -> None:
    path = tmp_path / "g.py"
    path.write_text(TINY + TEST)
    with pytest.raises(TaskError, match=r"g\.py: the entry point is 'f'; name the file f\.py"):
        read_task_file(path, "own")


def test_recorded_seeds(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(TINY + TEST)
    lines = [{"args": "(1,)", "origin": "llm"}, {"args": "(10**3,)", "origin": "hand"}]
    seeds = tmp_path / "f.seeds.jsonl"
    seeds.write_text("\n".join(map(json.dumps, lines)))
    task = read_task_file(tmp_path / "f.py", "own")
    assert task.seeds == (Seed(args=(1,), origin="llm"), Seed(args=(1000,), origin="hand"))
    for line, message in [
        (
            '{"args": "(1)", "origin": "llm"}',
            r"f\.seeds\.jsonl:1: got '\(1\)', expected a tuple of 1",
        ),
        ('{"args": "(1, 2)", "origin": "llm"}', "expected a tuple of 1 arguments"),
        ('{"args": "(g(),)", "origin": "llm"}', "not a constant value.*Python tuple"),
        ('{"args": "(1,)"}', "'origin' is missing"),
    ]:
        seeds.write_text(line)
        with pytest.raises(TaskError, match=message):
            read_seeds(seeds, task)
