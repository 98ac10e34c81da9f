"""The loaders on the real files; skipped with a reason where there are none."""

import ast
from collections import Counter

import pytest
from plusforge.generator.fetch import SOURCES
from plusforge.oracle.benchmarks import Benchmark, load_benchmark, locate
from plusforge.oracle.contracts import infer_contract
from plusforge.oracle.files import content_sha256, read_jsonl
from plusforge.oracle.source import parse_module
from plusforge.oracle.typespec import parse_annotation, unify
from plusforge.oracle.values import Value, key_of

from tests.support import datasets


def load(name: str) -> Benchmark:
    return load_benchmark(name, data=datasets())


@pytest.mark.parametrize(
    ("name", "tasks", "kinds", "computed"),
    [
        ("humaneval", 164, {"exact": 154, "close": 9, "checker": 1}, 5),
        ("humaneval+", 164, {"exact": 154, "close": 9, "checker": 1}, 0),
        ("mbpp", 427, {"exact": 376, "close": 37, "truthy": 6, "set": 5, "any_order": 3}, 0),
        ("mbpp+", 378, {"exact": 337, "close": 28, "truthy": 6, "set": 5, "any_order": 2}, 0),
    ],
)
def test_every_task_is_read(name: str, tasks: int, kinds: dict[str, int], computed: int) -> None:
    benchmark = load(name)
    assert benchmark.problems == ()
    assert len(benchmark.tasks) == tasks
    assert Counter(task.comparison.kind for task in benchmark.tasks) == kinds
    assert sum("base:computed" in task.notes for task in benchmark.tasks) == computed
    assert content_sha256(locate(name, data=datasets())) == SOURCES[name].sha256
    declared = {task.contract is not None for task in benchmark.tasks}
    assert declared == {name.endswith("+")}
    assert all(task.base for task in benchmark.tasks if "base:computed" not in task.notes)


@pytest.mark.parametrize("name", SOURCES)
def test_every_program_compiles(name: str) -> None:
    for task in load(name).tasks:
        specs = [
            unify(parse_annotation(p.annotation), [t.args[i] for t in task.base if i < len(t.args)])
            for i, p in enumerate(task.params)
        ]
        contract = task.contract or infer_contract(task, specs)
        for source in (contract.source, task.references[0].source, task.comparison.checker or ""):
            parse_module(source, task.task_id)


def literal_calls(source: str, name: str) -> set[str] | None:
    """Return the literal argument tuples of all calls, None when one is not purely literal."""
    found = set()
    for node in ast.walk(parse_module(source, "assertion")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            try:
                found.add(key_of(tuple(ast.literal_eval(arg) for arg in node.args)))
            except ValueError:
                return None
    return found


def test_recovered_inputs_are_what_the_assertions_say() -> None:
    """By literal_eval, apart from the loader's own way of reading them."""
    path = locate("mbpp+", data=datasets())
    tasks = {task.task_id: task for task in load("mbpp+").tasks}
    compared, differ = 0, []
    for _, record in read_jsonl(path):
        said = literal_calls(record["assertion"], record["entry_point"])
        if said is not None:
            compared += 1
            if {key_of(test.args) for test in tasks[record["task_id"]].base} != said:
                differ.append(record["task_id"])
    assert compared >= 370
    # The release stores other inputs for one task than its own assertion has.
    assert len(differ) == 1


def type_names(value: Value) -> set[str]:
    """Return the names of all types in a value."""
    inner: list[Value] = []
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    return {type(value).__name__}.union(*map(type_names, inner))


def test_original_types_come_back() -> None:
    kinds: Counter[str] = Counter()
    for task in load("mbpp+").tasks:
        kinds.update({name for test in task.base for name in type_names(list(test.args))})
    assert (kinds["tuple"], kinds["complex"]) == (54, 1)


def test_released_inputs_fit_the_types_of_the_base_inputs() -> None:
    folder = datasets()
    benchmark = load_benchmark("mbpp+", data=folder, released_inputs=True)
    seeds = sum(len(task.seeds) for task in benchmark.tasks)
    assert seeds > 30_000
    plain = load_benchmark("mbpp+", data=folder)
    assert all(task.seeds == () for task in plain.tasks)
