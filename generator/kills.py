"""Targets of a task: programs that a suite has to tell from the reference, and what kills them.

Targets are mutants of the reference, the task's known-wrong programs, and samples that somebody
gave. They steer the search and the choice of inputs; no verdict ever rests on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from plusforge.generator.killmatrix import KillMatrix
from plusforge.generator.squads import Squad, Squads
from plusforge.generator.tiers import Tiers, assign
from plusforge.oracle.answers import Answer, limits_of, reference_programs
from plusforge.oracle.mutants import mutants_of
from plusforge.oracle.outcome import Program, RunLimits
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.targets import MOST_TARGETS
from plusforge.oracle.task import Comparison, Reference, Task, WrongProgram
from plusforge.oracle.verdict import OutcomeKind

TABLE_STEPS = 150_000_000
"""Deterministic steps that filling a task's table of kills may take: up to a CPU minute. Most
tasks take a million; where endless mutants are many, the rest buys the proof of ``nano``."""

ENOUGH_KILLS = 100
"""A target that so many inputs kill is easy prey and runs no more: its endless loops cost most."""

SETTLING_STEPS = 150_000_000
"""Deterministic steps that the proof of ``nano`` may take besides."""

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

    @property
    def label(self) -> str:
        """What tests that are there for it call it."""
        return self.name if self.kind == MUTANT else self.about


def targets_of(
    entry: str, references: Sequence[Reference], wrong: Sequence[WrongProgram],
    samples: Sequence[str] = (),
) -> tuple[list[Target], dict[str, int]]:  # fmt: skip
    """Return the targets of a task, mutants first; programs of one text count once.

    Args:
        entry: Name of the function under test.
        references: Trusted implementations; mutants are made of the first.
        wrong: Known-wrong programs.
        samples: Model-written programs.

    Returns:
        The targets; and how many of each kind there are beyond the limits.
    """
    found = [
        Target(m.name, MUTANT, Program(m.source, entry, m.name), m.description)
        for m in mutants_of(references[0].source, entry)
    ]
    beyond = {MUTANT: len(found) - MOST_TARGETS}
    del found[MOST_TARGETS:]
    taken = {target.program.source for target in found}
    taken |= {reference.source for reference in references}
    others = [(WRONG, program.source, program.name) for program in wrong]
    others += [(SAMPLE, source, f"{SAMPLE} {n}") for n, source in enumerate(samples, 1)]
    counts: Counter[str] = Counter()
    limits = {WRONG: MOST_TARGETS - MOST_SAMPLES, SAMPLE: MOST_SAMPLES}
    places: Counter[str] = Counter()
    for kind, source, about in others:
        places[kind] += 1
        if source in taken:
            continue
        taken.add(source)
        counts[kind] += 1
        if counts[kind] <= limits[kind]:
            name = f"{kind} {places[kind]}"
            found.append(Target(name, kind, Program(source, entry, name), about))
    beyond |= {kind: counts[kind] - limits[kind] for kind in (WRONG, SAMPLE)}
    return found, {kind: count for kind, count in beyond.items() if count > 0}


def squads_of(
    targets: Sequence[Target], sandbox: Sandbox, reference: Program, limits: RunLimits,
    comparison: Comparison,
) -> Squads:  # fmt: skip
    """Return sessions for targets, mutants apart from those of others.

    Args:
        targets: Mutants first.
        sandbox: Where they run.
        reference: What they run beside.
        limits: For the reference and for each target.
        comparison: Decides what counts as another outcome.
    """
    ours = [target for target in targets if target.kind == MUTANT]
    parts = [part for part in (ours, targets[len(ours) :]) if part]
    return Squads(
        [
            sandbox.targets(reference, [target.program for target in part], limits, comparison)
            for part in parts
        ],
        [len(part) for part in parts],
    )


class KillTable:
    """What kills what, of one task's pool of inputs.

    Attributes:
        targets: All of them.
        rows: For each input of the pool, the indices of the targets it is known to kill.
        base: Targets that a base input kills.
        dropped: Targets that run no more, by index, with the reason.
    """

    def __init__(
        self, targets: Sequence[Target], session: Squad, base: Sequence[Answer],
        pool: Sequence[Answer], alive: Collection[int],
    ) -> None:  # fmt: skip
        """Run the targets on the inputs, as far as the budget of steps goes.

        Args:
            targets: Those of the session.
            session: Runs them.
            base: Answers to the base inputs.
            pool: Answers to the others, the most promising ones first.
            alive: Targets that no input of the pool kills, as is known.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        self.targets = targets
        self._session = session
        self._pool = pool
        kills = session.feed([answer.args for answer in base], once=True)
        self.base = sorted(set[int]().union(*kills))
        dead = [index for index in range(len(targets)) if index not in alive]
        inputs = [answer.args for answer in pool]
        self._matrix = KillMatrix(session, inputs, dead, enough=ENOUGH_KILLS)
        self._looked = self._matrix.explore(TABLE_STEPS)

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """What each input of the pool kills; nothing for those that were not looked at."""
        return [tuple(sorted(kills)) for kills in self._matrix.kills()]

    @property
    def dropped(self) -> dict[int, str]:
        """Targets that run no more, by index, with the reason."""
        return {
            index: f"{outcome.kind}: {outcome.message}"[:200]
            for index, outcome in sorted(self._session.dropped.items())
        }

    def risk(self) -> float | None:
        """Return how many further targets one more input is expected to kill, as estimated."""
        return self._matrix.unseen()

    def tiers(self, chosen: Sequence[int]) -> Tiers:
        """Put the inputs that are published into tiers.

        Args:
            chosen: Their places in the pool, in the order of publication.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        costs = [len(answer.args) + answer.steps for answer in self._pool]
        seen = [index for index in chosen if index < self._looked]
        settled = self._matrix.settle(seen, costs, SETTLING_STEPS)
        rows = self.rows
        tiers = assign(
            [rows[index] for index in chosen],
            [costs[index] for index in chosen],
            range(len(chosen)),
            names=[target.label for target in self.targets],
        )
        # Of inputs that were not looked at nothing is known, so nothing is proved.
        proved = tiers.proved and settled and len(seen) == len(chosen)
        return replace(tiers, proved=proved)

    def summary(self, chosen: Sequence[int]) -> dict[str, Any]:
        """Return the counts for the manifest.

        Args:
            chosen: The inputs that are published: what they kill counts, and base inputs.
        """
        rows = self.rows
        killed = set(self.base).union(*(rows[index] for index in chosen)) - self.dropped.keys()
        kinds = Counter(target.kind for target in self.targets)
        dead = Counter(self.targets[index].kind for index in killed)
        found: dict[str, Any] = {
            kind: {"n": count, "killed": dead[kind]} for kind, count in sorted(kinds.items())
        }
        alive = [
            target.about
            for index, target in enumerate(self.targets)
            if target.kind == WRONG and index not in killed and index not in self.dropped
        ]
        if alive:
            found[WRONG]["alive"] = alive
        if self.dropped:
            found["dropped"] = {
                self.targets[index].name: why for index, why in self.dropped.items()
            }
        return found


class Hunt:
    """The targets of one prepared task, run beside the search. Use it as a context manager.

    Attributes:
        targets: All of them, mutants first.
        beyond: How many of each kind were left out because they are too many.
    """

    def __init__(self, task: Task, sandbox: Sandbox, samples: Sequence[str] = ()) -> None:
        """Load the targets.

        Args:
            task: After its pre-flight.
            sandbox: Where they run.
            samples: Model-written programs.
        """
        self.targets, self.beyond = targets_of(
            task.entry_point, task.references, task.wrong, samples
        )
        self._session = squads_of(
            self.targets, sandbox, reference_programs(task)[0],
            limits_of(task, steps=task.limits.steps), task.comparison,
        )  # fmt: skip
        self._alive = list(range(len(self.targets)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    @property
    def steps(self) -> int:
        """Deterministic steps that reference and targets took so far."""
        return self._session.steps

    @property
    def stopped_by_a_clock(self) -> bool:
        """True when it was a clock that ended one of the targets."""
        return any(end.kind is OutcomeKind.TIMEOUT for end in self._session.dropped.values())

    @property
    def alive(self) -> list[int]:
        """Targets that run and that no input has killed so far, by index."""
        return [index for index in self._alive if index not in self._session.dropped]

    def first_kills(self, answers: Sequence[Answer]) -> list[tuple[int, ...]]:
        """Tell for each input which targets it kills that none before it killed.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        if not self._alive or not answers:
            return [()] * len(answers)
        found = self._session.feed([answer.args for answer in answers], self._alive, once=True)
        gone = set[int]().union(*found) | self._session.dropped.keys()
        self._alive = [index for index in self._alive if index not in gone]
        return found

    def kills(self, answers: Sequence[Answer], targets: Sequence[int]) -> list[tuple[int, ...]]:
        """Tell for each input which of some targets it kills.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        return self._session.feed([answer.args for answer in answers], targets)

    def table(self, base: Sequence[Answer], pool: Sequence[Answer]) -> KillTable:
        """Run all targets on all inputs; see ``KillTable``."""
        return KillTable(self.targets, self._session, base, pool, frozenset(self._alive))
