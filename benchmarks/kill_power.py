"""Which mutants of the references a suite kills, beside the released plus inputs.

    python benchmarks/kill_power.py --data DIR --bench humaneval+ --suite FOLDER [--rows FILE]

Every task's mutants run on the base inputs, the released plus inputs, the tests of FOLDER (which
``plusforge regenerate`` wrote), its small tiers alone, and 1,500 further valid inputs. A mutant
counts as killable when any of them kills it, released inputs that break the contract left out.
Each task's row is appended to a file as soon as it is there; a run that was broken off goes on.
"""

import argparse
import os
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from further_inputs import further_inputs
from generation import FILES, tree_cpu
from plusforge.generator.pipeline import Workbench
from plusforge.oracle.answers import Answer, limits_of, own_args, reference_programs
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import DataError
from plusforge.oracle.files import parse_json, read_text
from plusforge.oracle.mutants import Mutant, mutants_of
from plusforge.oracle.outcome import Program
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suitefile import read_suite
from plusforge.oracle.suiterecord import MINI, NANO, Stated, SuiteRecord
from plusforge.oracle.targets import TargetSession
from plusforge.oracle.task import Task
from plusforge.oracle.values import encode_args, text_of
from plusforge.oracle.verdict import Rejection
from rows import rows_of

FURTHER = 1500

SUITES = ("base", "released", "released_far", "released_any", "full", "mini", "nano", "further")
"""What is measured. ``released`` holds the valid inputs within the limits that the task declares,
``released_far`` the valid ones beyond them, ``released_any`` the ones that break contract or types;
these, ``full`` and ``further`` count together with the base inputs, ``mini`` and ``nano`` alone."""

FAR_STEPS, FAR_BYTES = 200_000, 1 << 24
"""Limits for released inputs beyond those declared, ten times the steps of a task."""

FAR_STEPS_IN_ALL = 1_000_000
"""Steps that the reference may take on all of these together; the cheapest are run. Mutants that
nothing kills take as many, each."""

FAR_STEPS_TRIED = 10_000_000
"""Steps spent on finding out which inputs these are."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker."""

    task: Task
    benchmark: str
    suite: SuiteRecord
    released: SuiteRecord

    @property
    def key(self) -> str:
        """Return what tells its row from others: the task and its suite."""
        return f"{self.task.task_id} {self.suite.digest}"


def measure(piece: Piece, bench: Workbench) -> dict[str, Any]:
    """Return the row of one task."""
    before = tree_cpu(os.getpid())
    prepared = prepare(piece.task, bench.first, bench.second)
    mutants = mutants_of(prepared.task.references[0].source, prepared.task.entry_point)
    inputs = _inputs(piece, prepared, bench)
    killers = _killers(prepared, mutants, inputs, bench)
    killed = {name: set(found) for name, found in killers.items()}
    valid = killed["released"] | killed["released_far"]
    killable = set[int]().union(*(killed[name] for name in SUITES if name != "released_any"))
    missed = [
        {
            "mutant": mutants[index].name,
            "about": mutants[index].description,
            "killed_by": [name for name in SUITES if index in killed[name]],
            "input": next(killers[name][index] for name in SUITES if index in killed[name])[:300],
        }
        for index in sorted(valid | killable | killed["released_any"])
        if index not in killed["full"]
    ]
    operators = {
        operator: [
            sum(m.operator == operator for m in mutants),
            sum(mutants[index].operator == operator for index in killable),
            sum(mutants[index].operator == operator for index in killed["full"]),
        ]
        for operator in sorted({mutant.operator for mutant in mutants})
    }
    return {
        "task_id": piece.task.task_id,
        "key": piece.key,
        "n_mutants": len(mutants),
        "n_killable": len(killable),
        "n_inputs": {name: len(found) for name, found in inputs.items()},
        "n_released": len(piece.released.decode().plus),
        "killed": {
            **{name: len(killed[name] & killable) for name in SUITES},
            "released": len((killed["base"] | killed["released"]) & killable),
            "released_far": len((killed["base"] | valid) & killable),
            "released_any": len((killed["base"] | valid | killed["released_any"]) & killable),
        },
        "missed": missed,
        "operators": operators,
        "cpu_s": round(tree_cpu(os.getpid()) - before, 2),
    }


def _inputs(piece: Piece, prepared: Prepared, bench: Workbench) -> dict[str, list[bytes]]:
    """Return the inputs of each suite in wire form."""
    tests = piece.released.decode().plus
    released = [own_args(test.args) for test in tests]
    found: dict[str, list[bytes]] = {"base": [answer.args for answer in prepared.base]}
    with Sieve(prepared, bench.first, bench.second) as sieve:
        near = sieve.feed(released, "released")
        found["released"] = [answer.args for answer in near if answer is not None]
    others = [test for test, answer in zip(tests, near, strict=True) if answer is None]
    far, found["released_any"] = _beyond(others, prepared, bench)
    steps = 0
    found["released_far"] = []
    for answer in sorted(far, key=lambda answer: answer.steps):
        steps += answer.steps
        if steps <= FAR_STEPS_IN_ALL:
            found["released_far"].append(answer.args)
    found["full"] = [test.args for test in piece.suite.decode().plus]
    for tier in (MINI, NANO):
        found[tier] = [test.args for test in piece.suite.at(tier).decode().plus]
    with Sieve(prepared, bench.first, bench.second) as sieve:
        found["further"] = further_inputs(prepared, sieve, piece.benchmark, FURTHER)
    return found


def _beyond(
    tests: Sequence[Stated], prepared: Prepared, bench: Workbench
) -> tuple[list[Answer], list[bytes]]:
    """Sort released inputs that the task's sieve rejects.

    Returns:
        The answers to those that are valid but large or costly, and those that are not valid. What
        is too costly even so is in neither, and what repeats a base input.
    """
    valid: list[Answer] = []
    invalid: list[bytes] = []
    skipped = (Rejection.TOO_COSTLY, Rejection.TOO_LARGE, Rejection.DUPLICATE)
    with Sieve(_without_limits(prepared), bench.first, bench.second) as sieve:
        for test in tests:
            before = sum(sieve.tally.counts[reason] for reason in skipped)
            answer = sieve.feed([own_args(test.args)], "released")[0]
            if answer is not None:
                valid.append(answer)
            elif sum(sieve.tally.counts[reason] for reason in skipped) == before:
                invalid.append(test.args)
            if sieve.tally.steps > FAR_STEPS_TRIED:
                break
    return valid, invalid


def _without_limits(prepared: Prepared) -> Prepared:
    """Return the task with limits that reject next to nothing."""
    limits = replace(
        prepared.task.limits, steps=FAR_STEPS, args_bytes=FAR_BYTES, output_bytes=FAR_BYTES
    )
    return replace(prepared, task=replace(prepared.task, limits=limits))


def _killers(
    prepared: Prepared, mutants: list[Mutant], inputs: dict[str, list[bytes]], bench: Workbench
) -> dict[str, dict[int, str]]:
    """Return for each suite the mutants that it kills, each with the first input that does.

    What base inputs kill is not looked for in suites that are counted together with them.
    """
    task = _without_limits(prepared).task
    entry = task.entry_point
    programs = [Program(mutant.source, entry, mutant.name) for mutant in mutants]
    found: dict[str, dict[int, str]] = {}
    with bench.first.targets(
        reference_programs(task)[0], programs, limits_of(task, steps=FAR_STEPS), task.comparison
    ) as session:
        everyone = range(len(mutants))
        found["base"] = _first_killers(session, inputs["base"], everyone)
        rest = [index for index in everyone if index not in found["base"]]
        for name in SUITES[1:]:
            alone = name in (MINI, NANO)
            found[name] = _first_killers(session, inputs[name], everyone if alone else rest)
        dropped = session.dropped
    for name, kills in found.items():
        found[name] = {index: text for index, text in kills.items() if index not in dropped}
    for name in ("full", "further"):
        found[name] = found["base"] | found[name]
    return found


def _first_killers(
    session: TargetSession, inputs: list[bytes], alive: Iterable[int]
) -> dict[int, str]:
    kills = session.feed(inputs, list(alive), once=True)
    return {
        index: text_of(encode_args(own_args(args)))
        for args, killed in zip(inputs, kills, strict=True)
        for index in killed
    }


_bench: Workbench | None = None
"""The workbench of a worker process; lives as long as the process."""


def _work(piece: Piece) -> dict[str, Any]:
    global _bench  # noqa: PLW0603 - one pair of sandboxes a worker process
    if _bench is None:
        _bench = Workbench()
        _ = _bench.first.report, _bench.second.report  # starts the processes
    try:
        return measure(piece, _bench)
    except DataError as exc:
        return {"task_id": piece.task.task_id, "key": piece.key, "why": str(exc)}


def _lost(piece: Piece) -> dict[str, Any]:
    return {"task_id": piece.task.task_id, "key": piece.key, "why": "worker lost"}


def report(rows: list[dict[str, Any]], manifest: dict[str, Any]) -> None:
    """Print the tables."""
    measured = [row for row in rows if "why" not in row]
    mutants = sum(row["n_mutants"] for row in measured)
    killable = sum(row["n_killable"] for row in measured)
    print(f"{len(measured)} tasks, {mutants:,} mutants, {killable:,} killable")
    for row in rows:
        if "why" in row:
            print(f"not measured: {row['task_id']}: {row['why'][:150]}")
    for name in SUITES:
        killed = sum(row["killed"][name] for row in measured)
        inputs = sum(row["n_inputs"][name] for row in measured)
        whole = sum(row["killed"][name] >= row["n_killable"] for row in measured)
        print(f"{name:13} {inputs:8,} inputs  killed {killed:6,}  {100 * killed / killable:6.2f} %"
              f"  all killable on {whole} tasks")  # fmt: skip
    _report_missed(measured)
    tiers = [manifest["tasks"][row["task_id"]]["tiers"] for row in measured]
    sizes = [tier["nano"] for tier in tiers]
    print(f"nano: mean {statistics.mean(sizes):.2f}, largest {max(sizes)}, sum {sum(sizes)}; "
          f"mini: mean {statistics.mean(tier['mini'] for tier in tiers):.2f}; "
          f"proved on {sum(tier['proved'] for tier in tiers)} of {len(tiers)} tasks")  # fmt: skip
    made: Counter[str] = Counter()
    can: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for row in measured:
        for operator, counts in row["operators"].items():
            made[operator] += counts[0]
            can[operator] += counts[1]
            done[operator] += counts[2]
    print(f"{'operator':9}{'made':>7}{'killable':>10}{'full':>7}")
    for operator, count in made.most_common():
        print(f"{operator:9}{count:7,}{can[operator]:10,}{done[operator]:7,}")
    print(f"this measurement: {sum(row['cpu_s'] for row in measured):,.0f} CPU s")


def _report_missed(measured: list[dict[str, Any]]) -> None:
    kinds: Counter[str] = Counter()
    for row in measured:
        for one in row["missed"]:
            by = one["killed_by"]
            kinds["+".join(by)] += 1
            print(f"  missed: {row['task_id']} {one['mutant']} ({one['about']}) "
                  f"killed by {', '.join(by)}: {one['input'][:100]}")  # fmt: skip
    print(f"missed by full, by who kills it: {dict(kinds) or 'none'}")


def main() -> None:
    """Measure what is not measured yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bench", choices=FILES, required=True)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--rows", type=Path, help="file of rows [default: beside the suite]")
    parser.add_argument("--tasks", default="*")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    suite = read_suite(options.suite).records
    released = read_suite(options.data / FILES[options.bench]).records
    loaded = load_benchmark(options.bench, data=options.data).tasks
    tasks = [task for task in loaded if fnmatchcase(task.task_id, options.tasks)]
    for task in tasks:
        if task.task_id not in suite:
            print(f"not in the suite: {task.task_id}")
    pieces = [
        Piece(task, options.bench, suite[task.task_id], released[task.task_id])
        for task in tasks
        if task.task_id in suite
    ]
    rows_file = options.rows or options.suite.with_name(options.suite.name + "_kills.jsonl")
    rows = {
        row["task_id"]: row for row in rows_of(_work, pieces, rows_file, options.jobs, lost=_lost)
    }
    manifest = parse_json(read_text(options.suite / "manifest.json"), str(options.suite))
    report([rows[piece.task.task_id] for piece in pieces], manifest)


if __name__ == "__main__":
    main()
