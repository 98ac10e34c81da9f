"""Targets of a task: programs that a suite has to tell from the reference, and what kills them.

Targets are mutants of the reference, the task's known-wrong programs, and samples that somebody
gave. They steer the search and the choice of inputs; no verdict ever rests on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from plusforge.oracle.answers import Answer, limits_of, reference_programs
from plusforge.oracle.mutants import mutants_of
from plusforge.oracle.outcome import Program
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import Task

TABLE_STEPS = 20_000_000
"""Deterministic steps that filling a task's table of kills may take: a few CPU seconds."""

ENOUGH_KILLS = 100
"""A target that so many inputs kill is easy prey and runs no more: its endless loops cost most."""

PORTION = 200
"""Inputs between two looks at which targets have had enough."""

PAIR_STEPS = 100
"""What running one target on one input costs beyond the program's own steps."""

MOST_SAMPLES = 400
"""Samples of one task that serve as targets, at most."""

MUTANT, WRONG, SAMPLE = "mutant", "wrong", "sample"


@dataclass(frozen=True, slots=True)
class Target:
    """One program to be told from the reference.

    Attributes:
        name: Unique within its task.
        kind: ``mutant``, ``wrong`` (recorded with the task) or ``sample``.
        program: The program.
        about: For people: what is wrong with it.
    """

    name: str
    kind: str
    program: Program
    about: str


def targets_of(task: Task, samples: Sequence[str] = ()) -> list[Target]:
    """Return the targets of a task, mutants first; programs of one text count once.

    Args:
        task: As loaded.
        samples: Model-written programs.
    """
    entry = task.entry_point
    found = [
        Target(m.name, MUTANT, Program(m.source, entry, m.name), m.description)
        for m in mutants_of(task.references[0].source, entry)
    ]
    taken = {target.program.source for target in found}
    taken |= {reference.source for reference in task.references}
    others = [(f"{WRONG} {n}", WRONG, w.source, w.name) for n, w in enumerate(task.wrong, 1)]
    others += [(f"{SAMPLE} {n}", SAMPLE, source, f"{SAMPLE} {n}")
               for n, source in enumerate(samples[:MOST_SAMPLES], 1)]  # fmt: skip
    for name, kind, source, about in others:
        if source not in taken:
            taken.add(source)
            found.append(Target(name, kind, Program(source, entry, name), about))
    return found


@dataclass(slots=True)
class KillTable:
    """What kills what.

    Attributes:
        targets: All of them.
        rows: For each input of the pool, the indices of the targets it kills.
        base: Targets that a base input kills.
        dropped: Targets that run no more, by index, with the reason.
        looked: Inputs that the targets were run on; the table ends where it became too costly.
        complete: Targets of which every kill by those inputs is known.
    """

    targets: Sequence[Target]
    rows: list[tuple[int, ...]] = field(default_factory=list)
    base: Collection[int] = ()
    dropped: dict[int, str] = field(default_factory=dict)
    looked: int = 0
    complete: Collection[int] = ()

    @property
    def killed(self) -> set[int]:
        """Targets that any input kills, base inputs included."""
        return set(self.base).union(*self.rows)

    def signature(self, index: int) -> tuple[int, ...]:
        """Return which of the complete targets an input of the pool kills."""
        return tuple(target for target in self.rows[index] if target in self.complete)

    def summary(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        killed = self.killed
        kinds = Counter(target.kind for target in self.targets)
        dead = Counter(self.targets[index].kind for index in killed)
        found: dict[str, Any] = {
            kind: {"n": count, "killed": dead[kind]} for kind, count in sorted(kinds.items())
        }
        if self.dropped:
            found["dropped"] = {
                self.targets[index].name: why for index, why in sorted(self.dropped.items())
            }
        return found


class Hunt:
    """The targets of one prepared task, run beside the search. Use it as a context manager."""

    def __init__(self, task: Task, sandbox: Sandbox, samples: Sequence[str] = ()) -> None:
        """Load the targets.

        Args:
            task: After its pre-flight.
            sandbox: Where they run.
            samples: Model-written programs.
        """
        self.targets = targets_of(task, samples)
        self._session = sandbox.targets(
            reference_programs(task)[0],
            [target.program for target in self.targets],
            limits_of(task, steps=task.limits.steps),
            task.comparison,
        )
        self._alive = list(range(len(self.targets)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def first_kills(self, answers: Sequence[Answer]) -> list[bool]:
        """Tell which inputs kill a target that none before them killed.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        if not self._alive or not answers:
            return [False] * len(answers)
        found = self._session.feed([answer.args for answer in answers], self._alive, once=True)
        gone = set[int]().union(*found) | self._session.dropped.keys()
        self._alive = [index for index in self._alive if index not in gone]
        return [bool(kills) for kills in found]

    def table(self, base: Sequence[Answer], pool: Sequence[Answer]) -> KillTable:
        """Run all targets on all inputs, as far as the budget of steps goes.

        Args:
            base: Answers to the base inputs.
            pool: Answers to the others, the most promising ones first.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        table = KillTable(self.targets)
        if not self.targets:
            table.rows = [()] * len(pool)
            return table
        left = TABLE_STEPS
        inputs: list[bytes] = []
        for answer in pool:
            left -= len(self.targets) * (answer.steps + PAIR_STEPS)
            if left < 0 and inputs:
                break
            inputs.append(answer.args)
        table.looked = len(inputs)
        kills = self._session.feed([answer.args for answer in base])
        table.base = sorted(set[int]().union(*kills))
        counts: Counter[int] = Counter()
        running = list(range(len(self.targets)))
        for start in range(0, len(inputs), PORTION):
            rows = self._session.feed(inputs[start : start + PORTION], running)
            table.rows += rows
            counts.update(index for row in rows for index in row)
            running = [index for index in running if counts[index] < ENOUGH_KILLS]
        table.complete = frozenset(running)
        table.rows += [()] * (len(pool) - table.looked)
        table.dropped = {
            index: f"{outcome.kind}: {outcome.message}"[:200]
            for index, outcome in sorted(self._session.dropped.items())
        }
        return table


def good_turing(rows: Sequence[tuple[int, ...]]) -> float | None:
    """Return the estimated chance that one more input kills in a way that none did so far.

    The share of inputs whose set of kills is seen once (Good 1953, after Turing).

    Args:
        rows: What each input kills.
    """
    if not rows:
        return None
    once = sum(count == 1 for count in Counter(rows).values())
    return round(once / len(rows), 6)
