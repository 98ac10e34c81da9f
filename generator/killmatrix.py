"""Which inputs kill which targets, as far as it decides the smallest cover, and no further.

A target that many inputs kill says little, and costs most when it loops for ever. It is set aside
after some kills, and put to the inputs of the smallest cover of the others. If they kill it, that
cover is the smallest for all targets. So is one as small that kills all by what is known. If there
is none, the hardest target is put to all inputs and the search for a cover begins anew. So the
cover is as small as that of the whole matrix, at a fraction of its cost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from plusforge.generator.cover import smallest_cover
from plusforge.generator.squads import Squad

ENOUGH = 16
"""Kills after which a target is set aside."""

PAIR_STEPS = 100
"""What running one target on one input costs beyond the program's own steps."""

PORTION = 32
"""Inputs that are run between two looks at which targets have been killed often enough."""


def kill_matrix(
    session: Squad,
    inputs: Sequence[bytes],
    targets: Collection[int],
    costs: Sequence[int],
    parts: Sequence[Sequence[int]],
    *,
    known: Sequence[Collection[int]] = (),
) -> tuple[list[set[int]], bool]:
    """Find out which inputs kill which targets.

    Args:
        session: With the reference and its targets.
        inputs: Argument tuples in wire form.
        targets: Which of the session's targets to run.
        costs: Of each input, as for ``smallest_cover``.
        parts: Choices of inputs whose smallest covers shall be those of the whole matrix.
        known: For each input which further targets it kills, under other numbers.

    Returns:
        For each input the targets that it is known to kill, and whether the smallest covers of all
        parts are proved. Nothing of targets that the session dropped: how they would have gone on
        is unknown.

    Raises:
        TaskError: The reference does not load.
        SandboxError: The sandbox itself failed, twice.
    """
    matrix = KillMatrix(session, inputs, targets, known)
    matrix.explore()
    settled = [matrix.settle(part, costs) for part in parts]
    return matrix.kills(), all(settled)


class KillMatrix:
    """A kill matrix with holes: some targets were run on some inputs only."""

    def __init__(
        self,
        session: Squad,
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

    def settle(self, part: Sequence[int], costs: Sequence[int], steps: float = math.inf) -> bool:
        """Find out more until the smallest cover by some inputs is that of the whole matrix.

        Args:
            part: The inputs it may take.
            costs: Of all inputs.
            steps: Deterministic steps after which nothing more is found out.

        Returns:
            Whether no cover by the whole matrix has fewer inputs than one by what is known now.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        prices = [costs[number] for number in part]
        until = self._spent() + steps
        while partial := list(self._partial(part)):
            hidden = self._session.dropped.keys() | set(partial)
            known = [self._kills[number] - hidden for number in part]
            fewest = smallest_cover(known, prices)
            least = max(len(fewest.chosen), any(self._kills[number] for number in part))
            whole = [self._kills[number] - self._session.dropped.keys() for number in part]
            seen = set[int]().union(*whole)
            enough = fewest.proved and seen.issuperset(partial)
            if enough and len(smallest_cover(whole, prices).chosen) <= least:
                return True  # what is not known adds targets, or killers of them: no fewer will do
            if self._spent() >= until:
                return False
            chosen = [part[index] for index in fewest.chosen]
            self._run(chosen, partial)
            killed = set[int]().union(*(self._kills[number] for number in chosen))
            missed = [target for target in self._partial(part) if target not in killed]
            if not missed:
                return fewest.proved
            # One at a time, the hardest prey first: it decides most, and loops least.
            self._run(part, [min(missed, key=self._rate)])
        return True

    def _rate(self, target: int) -> tuple[float, int]:
        ran = self._ran[target]
        kills = sum(target in self._kills[number] for number in ran)
        return kills / max(1, len(ran)), target

    def unseen(self) -> float | None:
        """Return the estimated number of targets that one more input kills and none did so far.

        The share of inputs explored that are the only one to kill some target, each counted once
        for every such target (Good 1953, after Turing, for incidences).
        """
        counts: Counter[int] = Counter()
        for number in range(self._explored):
            counts.update(self._kills[number] - self._session.dropped.keys())
        once = sum(count == 1 for count in counts.values())
        return round(once / self._explored, 6) if self._explored else None

    def kills(self) -> list[set[int]]:
        """Return what each input is known to kill."""
        return [kills - self._session.dropped.keys() for kills in self._kills]
