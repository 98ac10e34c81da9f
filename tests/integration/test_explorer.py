"""The solver in its confined process: what it proposes, how it ends, what it cannot reach."""

from collections.abc import Iterator
from typing import Any

import pytest
from plusforge.oracle import protocol, wire
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.explorer import shapes_of
from plusforge.oracle.libraries import LIBRARIES, SYMBOLIC, find_library
from plusforge.oracle.runner import Program, RunLimits, Sandbox
from plusforge.oracle.typespec import parse_annotation, spec_of

from tests.support import needs_solver

TOTAL = """
def f(items, extra):
    total = extra
    for item in items:
        total += item
    return total
"""
SAME = TOTAL.replace("total = extra", "total = 0").replace("return total", "return extra + total")
NEEDLE = TOTAL.replace(
    "    total = extra\n",
    "    if extra == 123457 and len(items) == 3:\n        return 0\n    total = extra\n",
)
CONTRACT = "def contract(items, extra):\n    assert extra < {}\n"


@pytest.fixture(scope="module")
def solver() -> Iterator[Sandbox]:
    with Sandbox(symbolic=True) as sandbox:
        yield sandbox


def explore(
    solver: Sandbox,
    reference: str,
    target: str,
    *annotations: str,
    contract: str | None = None,
    observe: str = "result",
    cpu_s: float = 20.0,
    **changes: Any,
) -> tuple[list[Any], str]:
    shapes = shapes_of([parse_annotation(one) for one in annotations])
    assert shapes is not None
    fields = {
        "size": 3,
        "paths": 200,
        "work": 10_000_000,
        "path_s": cpu_s,
        "raises": [],
        "comparison": ("exact", 0.0, 0.0),
    } | changes
    order = protocol.Exploration(shapes=shapes, **fields)
    limits = RunLimits(cpu_s=cpu_s, memory_mib=2048)
    given = None if contract is None else Program(contract, "contract")
    pair = Program(reference, "f"), Program(target, "f")
    with solver.explorer(given, pair, limits, observe) as search:
        found = [wire.loads(data) for data in search.candidates(order)]
        return found, search.ending


@needs_solver
def test_a_needle_is_found(solver: Sandbox) -> None:
    found, _ = explore(solver, TOTAL, NEEDLE, "list[int]", "int")
    assert [(len(items), extra) for items, extra in found] == [(3, 123457)]


@needs_solver
def test_what_is_equal_is_told_by_leaving_no_path(solver: Sandbox) -> None:
    assert explore(solver, TOTAL, SAME, "list[int]", "int") == ([], protocol.EXHAUSTED)


@needs_solver
def test_the_size_is_a_bound(solver: Sandbox) -> None:
    found = explore(solver, TOTAL, NEEDLE, "list[int]", "int", size=2)
    assert found == ([], protocol.EXHAUSTED)


@needs_solver
@pytest.mark.parametrize(("limit", "hits"), [(123457, 0), (123458, 1)])
def test_the_contract_is_respected(solver: Sandbox, limit: int, hits: int) -> None:
    contract = CONTRACT.format(limit)
    found, _ = explore(solver, TOTAL, NEEDLE, "list[int]", "int", contract=contract)
    assert len(found) == hits


@needs_solver
def test_a_contract_that_refuses_all_proves_nothing(solver: Sandbox) -> None:
    nothing = "def contract(items, extra):\n    return False\n"
    found = explore(solver, TOTAL, SAME, "list[int]", "int", contract=nothing)
    assert found == ([], protocol.EMPTY)


@needs_solver
def test_promised_exceptions_are_outcomes_and_others_are_not(solver: Sandbox) -> None:
    reference = "def f(x):\n    if x < 0:\n        raise ValueError\n    return x\n"
    target = "def f(x):\n    if x < 0:\n        raise KeyError\n    return x\n"
    found, _ = explore(solver, reference, target, "int", raises=["ValueError"])
    assert found
    assert all(x < 0 for (x,) in found)
    assert explore(solver, reference, target, "int") == ([], protocol.EXHAUSTED)


@needs_solver
def test_arguments_may_be_the_outcome(solver: Sandbox) -> None:
    reference = "def f(items):\n    items.reverse()\n"
    target = "def f(items):\n    items[:] = items\n"
    found, _ = explore(solver, reference, target, "list[int]", observe="arguments")
    assert all(items != items[::-1] for (items,) in found)
    assert found
    assert not explore(solver, reference, target, "list[int]")[0]


@needs_solver
@pytest.mark.parametrize(
    ("comparison", "target", "alike"),
    [
        ("exact", "return [b, a]", False),
        ("any_order", "return [b, a]", True),
        ("any_order", "return [b, b]", False),
        ("set", "return [a, b, b]", True),
        ("set", "return [a]", False),
        ("close", "return [a, b - 1]", True),
        ("close", "return [a, b - 2]", False),
        ("truthy", "return 7", True),
        ("truthy", "return a", False),
        ("not_none", "return a", True),
        ("not_none", "return a or None", False),
    ],
)
def test_the_task_says_what_is_alike(
    solver: Sandbox, comparison: str, target: str, alike: bool
) -> None:
    found, ending = explore(
        solver, "def f(a, b):\n    return [a, b]\n", f"def f(a, b):\n    {target}\n", "int", "int",
        comparison=(comparison, 1, 0), paths=40,
    )  # fmt: skip
    assert bool(found) is not alike
    assert ending == protocol.EXHAUSTED or not alike


@needs_solver
def test_more_paths_than_allowed_are_no_proof(solver: Sandbox) -> None:
    reference = "def f(s):\n    return s.count('a')\n"
    target = "def f(s):\n    return sum(c == 'a' for c in s)\n"
    assert explore(solver, reference, target, "str", paths=2) == ([], protocol.BOUNDS)


@needs_solver
def test_floats_are_finite_and_no_proof_rests_on_reals(solver: Sandbox) -> None:
    reference = "def f(x):\n    return x + 0.1 + 0.2\n"
    target = "def f(x):\n    return x + (0.1 + 0.2)\n"
    found, ending = explore(solver, reference, target, "float", paths=10, work=1_000_000)
    assert ending != protocol.EXHAUSTED
    assert all(x - x == 0.0 for (x,) in found)


@needs_solver
@pytest.mark.parametrize(
    ("target", "endings"),
    [
        ("def f(x):\n    while x == x:\n        pass\n", {"time"}),
        ("import os\ndef f(x):\n    os._exit(0)\n", {"crash"}),
        ("import os\ndef f(x):\n    os.kill(os.getpid(), 9)\n", {"crash"}),
        ("def f(x):\n    raise SystemExit\n", {"failed"}),
        ("raise ValueError\n", {"load_error"}),
        ("while True:\n    pass\n", {"time"}),
        ("x = bytearray(1 << 33)\n", {"memory", "load_error"}),
        ("import os\nos.write(4, b'\\xff' * 64)\ndef f(x):\n    return x\n",
         {"protocol", "crash"}),
    ],
)  # fmt: skip
def test_a_target_that_does_not_end_well_costs_itself_only(
    solver: Sandbox, target: str, endings: set[str]
) -> None:
    reference = "def f(x):\n    return x\n"
    found, ending = explore(solver, reference, target, "int", cpu_s=1.0)
    assert (found, ending in endings) == ([], True), ending
    assert explore(solver, reference, reference, "int") == ([], protocol.EXHAUSTED)


@needs_solver
@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd').read()",
        "os.listdir('/')",
        "os.listdir(os.path.dirname(os.path.dirname(__import__('crosshair').__file__)))",
        "os.environ['OPENAI_API_KEY']",
        "open('/proc/%d/environ' % os.getppid()).read()",
        "open('/tmp/plusforge-was-here', 'w')",
        "os.fork()",
        "__import__('socket').socket().bind(('127.0.0.1', 0))",
        "__import__('subprocess').run(['/bin/true'])",
    ],
)
def test_a_target_sees_nothing(
    solver: Sandbox, attempt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    target = (
        f"import os\ntry:\n    {attempt}\n    seen = 1\nexcept (OSError, KeyError):\n    seen = 0\n"
        f"def f(x):\n    try:\n        {attempt}\n        return x + 1\n"
        "    except (OSError, KeyError):\n        return x + seen\n"
    )
    found = explore(solver, "def f(x):\n    return x\n", target, "int")
    assert found == ([], protocol.EXHAUSTED)


@needs_solver
def test_the_isolation_is_the_same_as_everywhere(solver: Sandbox) -> None:
    with Sandbox() as plain:
        assert solver.report.layers.keys() == plain.report.layers.keys()
        for name, status in plain.report.layers.items():
            assert solver.report.layers[name].partition(":")[0] == status.partition(":")[0], name


@needs_solver
def test_the_same_search_finds_the_same(solver: Sandbox) -> None:
    reference = "def f(a, b):\n    return sorted([*a, b])\n"
    target = "def f(a, b):\n    return [*a, b]\n"
    again = [explore(solver, reference, target, "list[int]", "int", paths=15) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0][0]


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        ("int", "int"),
        ("None", "none"),
        ("list[list[str]]", ["list", ["list", "str"]]),
        ("tuple[int, str]", ["tuple", "int", "str"]),
        ("tuple[int, ...]", ["all", "int"]),
        ("dict[str, set[bytes]]", ["dict", "str", ["set", "bytes"]]),
        ("int | None", ["any of", "int", "none"]),
    ],
)
def test_shapes(annotation: str, shape: Any) -> None:
    assert shapes_of([parse_annotation(annotation)]) == [shape]


@pytest.mark.parametrize("annotation", ["Any", "list[Any]", "complex", "dict[str, complex]", "C"])
def test_types_without_a_shape(annotation: str) -> None:
    assert shapes_of([parse_annotation("int"), parse_annotation(annotation)]) is None


def test_lists_that_are_records_have_no_shape() -> None:
    assert shapes_of([spec_of([[1, "a"], [2, "b"]])]) is None


def test_a_solver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = LIBRARIES[SYMBOLIC]._replace(package="plusforge_has_no_such_package")
    monkeypatch.setitem(LIBRARIES, SYMBOLIC, absent)
    with pytest.raises(SandboxError, match=r"-m pip install crosshair-tool"):
        find_library(SYMBOLIC)
