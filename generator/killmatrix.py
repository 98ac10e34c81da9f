"""Which inputs kill which targets, as far as it decides the smallest cover, and no further.

A target that many inputs kill says little, and costs most when it loops for ever. It is set aside
after some kills, and put to the inputs of the smallest cover of the others. If they kill it, that
cover is the smallest for all targets. So is one as small that kills all by what is known. If there
is none, the hardest target is put to all inputs and the search for a cover begins anew. So the
cover is as small as that of the whole matrix, at a fraction of its cost.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from plusforge.generator.cover import smallest_cover
from plusforge.oracle.targets import TargetSession

ENOUGH = 16
"""Kills after which a target is set aside."""

PAIR_STEPS = 100
"""What running one target on one input costs beyond the program's own steps."""

PORTION = 32
"""Inputs that are run between two looks at which targets have been killed often enough."""


def kill_matrix(
    session: TargetSession,
    inputs: Sequence[bytes],
    targets: Collection[int],
    costs: Sequence[int],
    parts: Sequence[range],
    *,
    known: Sequence[Collection[int]] = (),
) -> list[set[int]]:
    """Find out which inputs kill which targets.

    Args:
        session: With the reference and its targets.
        inputs: Argument tuples in wire form.
        targets: Which of the session's targets to run.
        costs: Of each input, as for ``smallest_cover``.
        parts: Ranges of inputs whose smallest covers shall be those of the whole matrix.
        known: For each input which further targets it kills, under other numbers.

    Returns:
        For each input the targets that it is known to kill. Nothing of targets that the session
        dropped: how they would have gone on is unknown.

    Raises:
        TaskError: The reference does not load.
        SandboxError: The sandbox itself failed, twice.
    """
    matrix = KillMatrix(session, inputs, targets, known)
    matrix.explore()
    for part in parts:
        matrix.settle(part, costs)
    return matrix.kills()


class KillMatrix:
    """A kill matrix with holes: some targets were run on some inputs only."""

    def __init__(
        self,
        session: TargetSession,
        inputs: Sequence[bytes],
        targets: Collection[int],
        known: Sequence[Collection[int]] = (),
        *,
        enough: int = ENOUGH,
    ) -> None:
        """Make an empty matrix.

        Args:
            session: With the reference and its targets.
            inputs: Argument tuples in wire form.
            targets: Which of the session's targets to run.
            known: For each input which further targets it kills, under other numbers.
            enough: Kills after which a target is set aside.
        """
        self._session = session
        self._inputs = inputs
        self._targets = sorted(targets)
        self._enough = enough
        self._kills = [set(kills) for kills in known or [()] * len(inputs)]
        self._ran: dict[int, set[int]] = {target: set() for target in self._targets}
        self._pairs = 0
        self._explored = 0

    def _run(self, numbers: Sequence[int], targets: Sequence[int]) -> None:
        """Run targets on inputs where they were not run."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number in numbers:
            crew = tuple(target for target in targets if number not in self._ran[target])
            if crew:
                groups.setdefault(crew, []).append(number)
        for crew, some in groups.items():
            self._pairs += len(some) * len(crew)
            found = self._session.feed([self._inputs[number] for number in some], crew)
            for number, killed in zip(some, found, strict=True):
                self._kills[number].update(killed)
            for target in crew:
                self._ran[target].update(some)

    def _partial(self, part: Sequence[int]) -> Iterator[int]:
        """Yield the targets that were not run on all of some inputs."""
        for target in self._targets:
            ran = self._ran[target]
            if target not in self._session.dropped and not all(n in ran for n in part):
                yield target

    def explore(self, steps: float = math.inf) -> int:
        """Run all targets on all inputs, but those set aside.

        Args:
            steps: Deterministic steps after which the rest of the inputs is left out.

        Returns:
            How many inputs were looked at, the first ones.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        counts = dict.fromkeys(self._targets, 0)
        until = self._spent() + steps
        for start in range(0, len(self._inputs), PORTION):
            if self._spent() >= until:
                break
            numbers = range(start, min(start + PORTION, len(self._inputs)))
            crew = [target for target in self._targets if counts[target] < self._enough]
            self._run(numbers, crew)
            for number in numbers:
                for target in self._kills[number]:
                    if target in counts:
                        counts[target] += 1
            self._explored = numbers.stop
        return self._explored

    def _spent(self) -> int:
        return self._session.steps + PAIR_STEPS * self._pairs

    def settle(self, part: Sequence[int], costs: Sequence[int]) -> None:
        """Find out more until the smallest cover by some inputs is that of the whole matrix.

        Args:
            part: The inputs it may take.
            costs: Of all inputs.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        prices = [costs[number] for number in part]
        while partial := list(self._partial(part)):
            hidden = self._session.dropped.keys() | set(partial)
            known = [self._kills[number] - hidden for number in part]
            fewest = smallest_cover(known, prices)
            least = max(len(fewest.chosen), any(self._kills[number] for number in part))
            whole = [self._kills[number] - self._session.dropped.keys() for number in part]
            seen = set[int]().union(*whole)
            enough = fewest.proved and seen.issuperset(partial)
            if enough and len(smallest_cover(whole, prices).chosen) <= least:
                return  # what is not known yet adds targets, or killers of them: no fewer will do
            chosen = [part[index] for index in fewest.chosen]
            self._run(chosen, partial)
            killed = set[int]().union(*(self._kills[number] for number in chosen))
            missed = [target for target in self._partial(part) if target not in killed]
            if not missed:
                return
            # One at a time, the hardest prey first: it decides most, and loops least.
            self._run(part, [min(missed, key=self._rate)])

    def _rate(self, target: int) -> tuple[float, int]:
        ran = self._ran[target]
        kills = sum(target in self._kills[number] for number in ran)
        return kills / max(1, len(ran)), target

    def signatures(self) -> list[tuple[int, ...]]:
        """Return for each input explored which of the targets it kills that were run on all."""
        explored = range(self._explored)
        hidden = self._session.dropped.keys() | set(self._partial(explored))
        return [tuple(sorted(self._kills[number] - hidden)) for number in explored]

    def kills(self) -> list[set[int]]:
        """Return what each input is known to kill."""
        return [kills - self._session.dropped.keys() for kills in self._kills]
