"""The targets of a task of a suite, and which of its inputs kill them.

Targets are those of ``regenerate``, the mutants of the first reference and the known-wrong programs
of the record, and the samples, if any are given, that the suite rejects. Samples are
judged as in ``evaluate``, in a process of their own with no expected value in reach; what a clock
decided about them does not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from plusforge.generator.killmatrix import kill_matrix
from plusforge.generator.kills import squads_of, targets_of
from plusforge.oracle.courtroom import Courtroom
from plusforge.oracle.gold import Gold
from plusforge.oracle.runner import Program, RunLimits
from plusforge.oracle.suiterecord import SuiteRecord
from plusforge.oracle.targets import MOST_TARGETS
from plusforge.oracle.task import WrongProgram
from plusforge.oracle.verdict import Verdict

LIMITS = RunLimits(cpu_s=2.0, memory_mib=1024, output_bytes=1 << 20)
"""Of the reference and of each target, beside the steps."""

FIRST_SAMPLE = 2 * MOST_TARGETS
"""Number of the first sample: beyond all mutants and known-wrong programs."""

KILLING = frozenset(
    map(str, (Verdict.WRONG, Verdict.EXCEPTION, Verdict.OUTPUT_LIMIT, Verdict.CRASH))
)
"""Verdicts on a test that count as a kill: the same on every machine."""


@dataclass(slots=True)
class Targets:
    """What is known of the targets of a task.

    Attributes:
        names: Their names, by number.
        left_out: Which of them tell nothing, by name, and why.
    """

    names: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def judge_samples(
    record: SuiteRecord,
    samples: Sequence[tuple[int, str]],
    gold: Gold,
    court: Courtroom,
    targets: Targets,
) -> list[set[int]]:
    """Judge samples; those that are wrong become targets.

    Args:
        record: The task.
        samples: Number and code of each.
        gold: The task, ready to be judged against.
        court: The worker's sandboxes; it must judge with ``all_tests``.
        targets: Takes the new targets.

    Returns:
        For each input the samples it rejects, numbered from ``FIRST_SAMPLE``.
    """
    kills: list[set[int]] = [set() for _ in gold.args]
    numbered = [(str(number), code) for number, code in samples]
    for key, text in court.hear(record, numbered, None).entries if numbered else ():
        failures = list(_failures(json.loads(text)))
        if not failures:
            continue
        name = f"sample {key}"
        fault = next((v for _, index, v in failures if index is None or v not in KILLING), None)
        if fault is not None:
            targets.left_out[name] = str(fault)
        else:
            for part, index, _ in failures:
                kills[(index or 0) + (gold.n_base if part == "plus" else 0)].add(
                    FIRST_SAMPLE + len(targets.names)
                )
        targets.names.append(name)
    return kills


def _failures(entry: dict[str, Any]) -> Iterator[tuple[str, int | None, str]]:
    """Yield part, index and verdict of each failing test; the index is None at loading."""
    first = entry["first_failure"]
    if "failed" in entry:
        yield from ((part, index, verdict) for part, index, verdict in entry["failed"])
    elif first is not None:
        yield first["suite"], first["index"], first["verdict"]


def run_targets(
    gold: Gold, court: Courtroom, wrong: Sequence[WrongProgram], costs: Sequence[int],
    parts: Sequence[Sequence[int]], targets: Targets, sampled: Sequence[set[int]], *, steps: int,
) -> tuple[list[set[int]], bool]:  # fmt: skip
    """Run mutants and known-wrong programs; they become targets, before the samples.

    Args:
        gold: The task.
        court: The worker's sandboxes.
        wrong: Known-wrong programs of the task.
        costs: Of each input.
        parts: As for ``kill_matrix``.
        targets: Holds the samples; takes the others.
        sampled: What ``judge_samples`` returned.
        steps: That the reference may take for an input.

    Returns:
        For each input the targets that it is known to kill; and whether the smallest covers of all
        parts are proved.

    Raises:
        TaskError: The reference has no mutants for it does not compile, or does not load.
        SandboxError: The sandbox itself failed, twice.
    """
    n_samples = len(targets.names)
    crew, beyond = targets_of(gold.entry_point, gold.references, wrong)
    for kind, count in beyond.items():
        targets.left_out[f"{kind}: {count} more"] = "too many"
    limits = replace(LIMITS, steps=steps)
    first = gold.references[0]
    reference = Program(first.source, gold.entry_point, first.name)
    with closing(squads_of(crew, court.plain, reference, limits, gold.comparison)) as session:
        kills, settled = kill_matrix(
            session, gold.args, range(len(crew)), costs, parts, known=sampled
        )
        for number, outcome in session.dropped.items():
            targets.left_out[crew[number].label] = str(outcome.kind)
    targets.names[:] = [*(target.label for target in crew), *targets.names]
    shift = FIRST_SAMPLE - len(crew)
    if n_samples:
        kills = [{t - shift if t >= FIRST_SAMPLE else t for t in kill} for kill in kills]
    return kills, settled
