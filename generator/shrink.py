"""Shrinking: a smaller valid input that kills the same targets as one which the search found.

Greedy, in batches: of the inputs one step simpler the simplest that still kills is taken, and its
own simpler ones are tried next. All of them go through the sieve and are counted there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import call

from plusforge.generator.kills import Hunt
from plusforge.generator.reductions import bulk, reductions
from plusforge.oracle import wire
from plusforge.oracle.answers import Answer
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import Args

SHRUNK = "shrunk"
"""Origin of these inputs."""

ATTEMPTS, TASK_ATTEMPTS = 200, 4000
"""Inputs tried for one killer, and for all killers of a task."""

TASK_STEPS = 2_000_000
"""Deterministic steps of reference and targets after which a task's killers stay as they are."""

FEWEST, MOST = 8, 64
"""Inputs judged at once: few after a success, then twice as many each time."""


class Shrinker:
    """Shrinks the killers of one task.

    Attributes:
        spare: Answers of valid inputs that were tried and not taken.
        steps: Deterministic steps that the sieve took for what was tried.
    """

    def __init__(self, sieve: Sieve, hunt: Hunt, specs: Sequence[Spec]) -> None:
        """Make a shrinker.

        Args:
            sieve: Judges candidates.
            hunt: Runs the targets.
            specs: Types of the parameters.
        """
        self.spare: list[Answer] = []
        self.steps = 0
        self._sieve = sieve
        self._hunt = hunt
        self._checks = [compile_check(spec) for spec in specs]
        self._attempts = TASK_ATTEMPTS
        self._target_steps = 0

    def shrink(self, killer: Args, targets: Sequence[int]) -> tuple[Args, Answer] | None:
        """Look for a smaller input that kills as much.

        Args:
            killer: A valid input.
            targets: What it kills, and the smaller one shall kill.

        Returns:
            The smallest one found and its answer; None when there is none, or nothing left to
            spend.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        best: tuple[Args, Answer] | None = None
        seen = {wire.dumps(killer)}
        smaller = self._smaller(killer, seen)
        left, width = min(ATTEMPTS, self._attempts), FEWEST
        while left and self._affordable() and (batch := list(islice(smaller, min(left, width)))):
            left -= len(batch)
            width = min(2 * width, MOST)
            found = self._best(batch, set(targets))
            if found is not None:
                if best is not None:
                    self.spare.append(best[1])
                best, width = found, FEWEST
                smaller = self._smaller(best[0], seen)
        return best

    def _affordable(self) -> bool:
        return self.steps + self._target_steps < TASK_STEPS

    def _smaller(self, args: Args, seen: set[bytes]) -> Iterator[Args]:
        """Yield well-typed inputs that are smaller and new."""
        size = bulk(args)
        for candidate in reductions(args):
            if bulk(candidate) < size and all(map(call, self._checks, candidate)):
                key = wire.dumps(candidate)
                if key not in seen:
                    seen.add(key)
                    yield candidate

    def _best(self, batch: Sequence[Args], targets: set[int]) -> tuple[Args, Answer] | None:
        """Return the smallest valid input of a batch that kills all targets."""
        before, before_targets = self._sieve.tally.steps, self._hunt.steps
        answers = self._sieve.feed(batch, SHRUNK)
        valid = [(args, answer) for args, answer in zip(batch, answers, strict=True)
                 if answer is not None]  # fmt: skip
        kills = self._hunt.kills([answer for _, answer in valid], sorted(targets))
        fit = [one for one, killed in zip(valid, kills, strict=True) if targets <= {*killed}]
        best = min(fit, key=lambda one: (bulk(one[0]), one[1].args), default=None)
        self.spare += [one[1] for one in valid if one is not best]
        self._attempts -= len(batch)
        self.steps += self._sieve.tally.steps - before
        self._target_steps += self._hunt.steps - before_targets
        return best
