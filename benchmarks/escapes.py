"""Programs that pass all released tests of a benchmark and are wrong on a valid input.

    python benchmarks/escapes.py SUITE ... --bench humaneval --corpus DIR --data DIR --out FILE
        [--samples FILE --verdicts FILE] [--tasks GLOB ...]

The pool are the programs of the corpus that pass the released base and plus inputs, and those of a
file of samples that pass them by the verdicts that ``plusforge evaluate --json`` wrote. What fails
a test of a suite made by ``plusforge regenerate`` is a candidate; the input is shrunk as long as it
stays valid and the program stays wrong. Not counted, by rule: inputs that are not ASCII, results
that are no answer for want of time, space, depth or a library, NaN, floats that differ by rounding
alone, and programs that fail the base tests once these have the types that the benchmark's own
asserts show. Whether the task's text settles what is right on the input is for a reader to say:
``docs/escapes.md`` has the outcome.
"""

import argparse
import ast
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from corpus import BENCHMARKS, Entry, by_task, finite, read_corpus, size_of
from plusforge.oracle import wire
from plusforge.oracle.answers import own_args
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.compare import agree
from plusforge.oracle.courtroom import Courtroom, EvaluateSettings
from plusforge.oracle.errors import TaskError
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.runner import Program, Sandbox
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suite import encode_test, record_of
from plusforge.oracle.suitefile import SuiteRecord, read_suite
from plusforge.oracle.task import Comparison, Task
from plusforge.oracle.values import Args, Raised, Value, decode_args, decode_outcome, key_of

from tests.suites import QUICK, killed_by, run, value_of

ORIGINALS = {
    "humaneval": ("HumanEval.jsonl.gz",),
    "mbpp": ("mbpp.jsonl.gz", "sanitized-mbpp.json.gz"),
}
"""The files, in the data folder, with the references that each benchmark had at first."""

EXHAUSTED = frozenset({"RecursionError", "MemoryError", "timeout", "memory", "output_limit"})
MISSING = frozenset({"ImportError", "ModuleNotFoundError", "load_error"})
"""What becomes of a program whose libraries are not here."""

ROUNDS = 60
"""Steps of shrinking, at most."""
JUDGE = JudgeSettings(all_tests=True, min_cpu_s=0.1, total_cpu_s=0.5)
WRONG = frozenset({"wrong", "exception"})
"""Verdicts that say something about the program and nothing about the machine."""

ROUNDED = Comparison(kind="close", atol=1e-9, rtol=1e-9)
"""Floats that are equal by this differ by the order of operations, which no task prescribes."""

TRIALS = 8
"""Kills of one program that are tried as the start, at most."""


def smaller(value: Value) -> Iterator[Value]:
    """Yield simpler values of the same outer type, the boldest first."""
    if type(value) is int:
        yield from (n for n in (0, 1, value // 2, value - 1, value + 1) if abs(n) < abs(value))
        if value < 0:
            yield -value
    elif type(value) is float:
        yield from (
            x
            for x in (0.0, 1.0, float(round(value)), value / 2)
            if abs(x) <= abs(value) and x != value
        )
        yield from (x for x in (round(value, digits) for digits in (1, 2, 3)) if x != value)
        if value < 0:
            yield -value
    elif type(value) in (str, list, tuple):
        half = len(value) // 2
        if half:
            yield from (value[:half], value[half:])
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        if type(value) is str:
            for i, char in enumerate(value):
                yield from (value[:i] + plain + value[i + 1 :] for plain in "a0" if char != plain)
        else:
            for i, item in enumerate(value):
                parts = (type(value)((less,)) for less in smaller(item))
                yield from (value[:i] + part + value[i + 1 :] for part in parts)
    elif type(value) is dict:
        yield from ({k: v for k, v in value.items() if k != gone} for gone in value)
        yield from (value | {key: less} for key, item in value.items() for less in smaller(item))
    elif type(value) in (set, frozenset):
        yield from (value - {gone} for gone in sorted(value, key=key_of))


def _wrong(
    sandbox: Sandbox, record: dict[str, Any], source: str, tests: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """Return the first test that a program is wrong on for other reasons than want of resources."""
    for tried, index in enumerate(killed_by(sandbox, record, source, tests)):
        got = value_of(run(sandbox, record, source, [decode_args(tests[index]["args"])], QUICK)[0])
        if counts(decode_outcome(tests[index]["expected"]), got):
            return tests[index]
        if tried >= TRIALS:
            break
    return None


def counts(expected: Value | Raised, got: Value | Raised) -> bool:
    """Tell whether a wrong outcome is one by the rules of this script, too."""
    if isinstance(got, Raised):
        return got.name not in EXHAUSTED | MISSING
    if not finite(got):
        return False
    floats = holds_float(expected) or holds_float(got)
    return not (floats and agree(ROUNDED, expected, got))


def holds_float(value: Value | Raised) -> bool:
    """Tell whether there is a float anywhere in a value."""
    if isinstance(value, dict):
        return any(map(holds_float, [*value, *value.values()]))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(holds_float, value))
    return isinstance(value, float | complex)


def failed_tests(
    court: Courtroom, record: SuiteRecord, groups: Sequence[Sequence[Entry]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield group and plus test for each test of a suite that programs fail, time-outs apart."""
    fields = json.loads(record.line)
    plus: list[dict[str, Any]] = fields["plus"]
    plus.sort(key=lambda test: (len(json.dumps(test["args"])), json.dumps(test["args"])))
    # The smallest first: a program that is slow on large inputs has been seen on all others.
    line = json.dumps(fields)
    record = replace(record, line=line, digest=sha256_hex(line))
    programs = [(str(index), group[0].source) for index, group in enumerate(groups)]
    heard = court.hear(record, programs, None)
    if heard.problem:
        print(f"{record.task_id}: {heard.problem}")
    for key, text in heard.entries:
        failed = json.loads(text).get("failed", ())
        if any(part == "base" for part, _, _ in failed):
            continue  # it passed them only without the types that the released file lost
        for _, index, verdict in failed:
            if index is not None and verdict in WRONG:
                yield int(key), plus[index]


def shrunk(
    prepared: Prepared, source: str, test: dict[str, Any], first: Sandbox, second: Sandbox
) -> dict[str, Any] | None:
    """Return the smallest test found on which a program is still wrong; None when none is valid."""
    record = record_of(prepared, [])
    with Sieve(prepared, first, second) as sieve:
        if not sieve.feed([decode_args(test["args"])], "suite")[0]:
            print(
                f"{prepared.task.task_id}: {test['args']} is not valid: a suite of another version?"
            )
            return None
        for _ in range(ROUNDS):
            args = decode_args(test["args"])
            steps = {
                key_of(less): less for less in smaller(args)
                if len(less) == len(args) and size_of(less) < size_of(args)
            }  # fmt: skip
            ordered = sorted(steps.values(), key=size_of)
            answers = sieve.confirm([a for a in sieve.feed(ordered, "shrunk") if a is not None])
            tests = [encode_test(own_args(a.args), a.value(), a.origin) for a in answers]
            found = _wrong(first, record, source, tests)
            if found is None:
                return test
            test = found
    return test


def pool_of(options: argparse.Namespace) -> list[Entry]:
    """Return the programs that pass every released test."""
    pool = [e for e in read_corpus(options.corpus, options.bench) if e.base and e.plus]
    if options.samples:
        lines = options.samples.read_text(encoding="utf-8").splitlines()
        passed = passing(options.verdicts)
        numbers: dict[str, int] = {}
        for row in map(json.loads, lines):
            number = numbers.setdefault(row["task_id"], 0)
            numbers[row["task_id"]] += 1
            if (row["task_id"], number) in passed:
                pool.append(
                    Entry(
                        line=-1 - number, task_id=row["task_id"], source=row["solution"],
                        base=True, plus=True, status="pass",
                    )
                )  # fmt: skip
    return pool


def passing(verdicts: Path) -> set[tuple[str, int]]:
    """Return task and number of the samples that passed base and plus."""
    document = json.loads(verdicts.read_text())
    return {
        (sample["task_id"], sample["sample"])
        for sample in document["samples"]
        if sample["base"] == sample["plus"] == "pass"
    }


def distinct(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return programs in groups that differ in layout and comments only."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(normal(entry.source), []).append(entry)
    return list(groups.values())


def normal(source: str) -> str:
    """Return a program's text without layout, comments and docstrings."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Module) and len(node.body) > 1:
            head = node.body[0]
            if isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant):
                del node.body[0]
    return ast.unparse(tree)


def told(sandbox: Sandbox, record: dict[str, Any], source: str, args: Args) -> str:
    """Return what a program comes to, as text."""
    program = Program(source, record["entry_point"])
    outcome = sandbox.call(program, [wire.dumps(args)], QUICK)[0]
    value = value_of(outcome)
    return f"raises {value.name}" if isinstance(value, Raised) else repr(value)


def candidates(
    task: Task, groups: Sequence[Sequence[Entry]], failed: Mapping[int, Sequence[dict[str, Any]]],
    originals: Sequence[Task], first: Sandbox, second: Sandbox,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Yield what is found of one task, one row a distinct program."""
    prepared = prepare(task, first, second)
    record = record_of(prepared, [])
    reference = prepared.task.references[0].source
    known: list[dict[str, Any]] = []  # what has been shrunk once often shows others wrong, too
    for index, tests in sorted(failed.items()):
        group = groups[index]
        source = group[0].source
        ascii_only = [test for test in tests if "\\u" not in json.dumps(test["args"])]
        ascii_only.sort(key=lambda test: size_of(decode_args(test["args"])))
        test = _wrong(first, record, source, known)
        if test is None:
            test = _wrong(first, record, source, ascii_only)
            if test is not None:
                test = shrunk(prepared, source, test, first, second)
            if test is None:
                continue
            known.append(test)
        args = decode_args(test["args"])
        yield {
            "task_id": task.task_id,
            "programs": len(group),
            "lines": [entry.line for entry in group],
            "failed": len(tests),
            "witness": repr(args),
            "reference": told(first, record, reference, args),
            "originals": [
                "same code" if normal(original.references[0].source) == normal(reference)
                else told(first, record, original.references[0].source, args)
                for original in originals
            ],
            "got": told(first, record, source, args),
        }  # fmt: skip


def main() -> None:
    """Find candidates and write them, one a line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suites", type=Path, nargs="+")
    parser.add_argument("--bench", choices=BENCHMARKS, default="humaneval")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=Path)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--tasks", nargs="*", default=["*"], help="shell patterns of task ids")
    options = parser.parse_args()
    benchmark = load_benchmark(BENCHMARKS[options.bench], data=options.data)
    tasks = {task.task_id: task for task in benchmark.tasks}
    originals: dict[str, list[Task]] = {}
    for name in ORIGINALS[options.bench]:
        for original in load_benchmark(str(options.data / name)).tasks:
            originals.setdefault(original.task_id, []).append(original)
    suites = [read_suite(suite) for suite in options.suites]
    pool = {
        task_id: distinct(entries)
        for task_id, entries in by_task(pool_of(options))
        if any(fnmatchcase(task_id, pattern) for pattern in options.tasks)
    }
    print(f"pool: {sum(len(g) for groups in pool.values() for g in groups)} programs, "
          f"{sum(map(len, pool.values()))} distinct, of {len(pool)} tasks")  # fmt: skip
    settings = EvaluateSettings(judge=JUDGE)
    with (
        Sandbox() as first, Sandbox(hash_seed=1) as second, Courtroom(settings) as court,
        options.out.open("w") as out,
    ):  # fmt: skip
        for task_id, groups in pool.items():
            failed: dict[int, list[dict[str, Any]]] = {}
            records = [suite.records[task_id] for suite in suites if task_id in suite.records]
            if not records:
                print(f"{task_id}: in no suite")
            for record in records:
                for index, test in failed_tests(court, record, groups):
                    failed.setdefault(index, []).append(test)
            print(task_id, len(groups), len(failed), file=sys.stderr, flush=True)
            if not failed:
                continue
            try:
                mine = originals.get(task_id, [])
                for row in candidates(tasks[task_id], groups, failed, mine, first, second):
                    print(json.dumps(row), file=out, flush=True)
            except TaskError as exc:
                print(f"{task_id}: {exc}")


if __name__ == "__main__":
    main()
