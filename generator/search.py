"""The search for plus inputs of one task: seeds, the opening, then typed mutation until it is done.

Everything here is counted in attempts and deterministic steps; no clock decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from plusforge.generator import config as cfg
from plusforge.generator.config import Config
from plusforge.generator.corners import CORNER, corner_calls
from plusforge.generator.kills import Hunt
from plusforge.generator.material import build_material
from plusforge.generator.nearmiss import NEAR, near_misses
from plusforge.generator.opening import Call, opening
from plusforge.generator.operators import Mutator
from plusforge.generator.rng import Stream
from plusforge.generator.shrink import Shrinker
from plusforge.generator.smallscope import enumerate_domain, small_args
from plusforge.generator.streams import batches
from plusforge.oracle.answers import Answer, own_args
from plusforge.oracle.reference import Prepared
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.typespec import Scalar
from plusforge.oracle.values import Args
from plusforge.oracle.verdict import Rejection, Stop

MUTATION, SMALL, ENUMERATION = "mutation", "small", "enumeration"
"""Origins: made from another input, among the simplest of its types, one of all."""

Prey: TypeAlias = tuple[Args, tuple[int, ...]]
"""An input and the targets that it kills before all others."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search.

    Attributes:
        pool: Answers of every input that passed the whole sieve, in order of discovery.
        stop: Why the search ended.
        spent: What was used up before the pool was full: ``80,000 attempts``; else empty.
    """

    pool: list[Answer]
    stop: Stop
    spent: str = ""


class Search:
    """The search of one prepared task."""

    def __init__(
        self,
        prepared: Prepared,
        sieve: Sieve,
        config: Config,
        benchmark: str,
        hunt: Hunt | None = None,
    ) -> None:
        """Make a search; ``run`` performs it.

        Args:
            prepared: The task after its pre-flight.
            sieve: Judges candidates.
            config: The run's settings.
            benchmark: Its name; part of the random stream's label.
            hunt: Wrong programs that tell which inputs are worth going on from; None to go blind.
        """
        task = prepared.task
        self._hunt = hunt
        self._shrinker = Shrinker(sieve, hunt, prepared.specs) if hunt is not None else None
        self._killers: list[Args] = []
        self._last_kill = -config.pool
        self._prepared = prepared
        self._sieve = sieve
        self._config = config
        self._rng = Stream(config.seed, benchmark, task.task_id, "search")
        self._base: list[Args] = [own_args(answer.args) for answer in prepared.base]
        self._seeds: list[Args] = list(self._base)
        self._pool: list[Answer] = []
        self._alive: list[Args] = []
        # Where exceptions are promised: parents by outcome, so that none crowds out the others.
        self._by_outcome: dict[str | None, list[Args]] = {}
        self._raises = bool(task.comparison.raises)
        self._tightened = False
        contract = task.contract.source if task.contract else ""
        self._material = build_material(
            [*(reference.source for reference in task.references), contract],
            task.prompt,
            self._base,
        )
        self._mutator = Mutator(prepared.specs, self._material, Stream(
            config.seed, benchmark, task.task_id, "mutate"))  # fmt: skip

    def run(self) -> Found:
        """Search until the pool is full, the domain is used up, or nothing new turns up."""
        pool = self._config.pool
        if not self._config.blind:
            for origin, seeds in _by_origin(self._prepared):
                self._offer(seeds, origin, seed=True)
        domain = enumerate_domain(self._prepared.specs)
        if domain is not None:
            self._offer_all((args, ENUMERATION) for args in domain)
            return self._finish(Stop.BUDGET if self._full() else Stop.EXHAUSTED)
        if self._raises:
            good = [args for args, answer in zip(self._base, self._prepared.base, strict=True)
                    if answer.raised is None]  # fmt: skip
            misses = near_misses(good, min(cfg.NEAR_MISSES, pool // 4))
            self._offer_all((args, NEAR) for args in misses)
        small = small_args(self._prepared.specs, self._material, min(cfg.SMALL_SCOPE, pool))
        small_calls = [(args, SMALL) for args in small]
        self._offer_all(opening(self._seeds, small_calls, self._draft, pool))
        corners = corner_calls(self._base, min(cfg.CORNERS, pool // 3))
        self._offer_all((args, CORNER) for args in corners)
        scanned = self._scan_ints()
        return self._finish(*self._mutate(scanned))

    def _finish(self, stop: Stop, spent: str = "") -> Found:
        return Found(self._sieve.confirm(self._pool + self._spare()), stop, spent)

    def _spare(self) -> list[Answer]:
        """Return what shrinking found beside, as far as the pool has room; count the others."""
        spare = self._shrinker.spare if self._shrinker is not None else []
        room = max(0, self._config.pool - len(self._pool))
        self._sieve.tally.counts[Rejection.SURPLUS] += len(spare[room:])
        if self._hunt is not None:
            self._hunt.first_kills(spare[:room])  # they met few targets so far
        return spare[:room]

    def _full(self) -> bool:
        """Tell whether the pool is full, counting no exception for more than half of it.

        An exception that is the outcome of nearly everything does not keep the search going for
        longer than twice the pool.
        """
        size, wanted = len(self._pool), self._config.pool
        if size < wanted or not self._raises:
            return size >= wanted
        surplus = sum(max(0, len(group) - wanted // 2)
                      for raised, group in self._by_outcome.items() if raised)  # fmt: skip
        return size - surplus >= wanted or size >= 2 * wanted

    def _restless(self) -> bool:
        """Tell whether the last quarter of a full pool still killed what nothing before it killed.

        Then one more input is not that unlikely to do so (Good and Turing's estimate), and the
        search goes on, up to twice the pool.
        """
        wanted, size = self._config.pool, len(self._pool)
        return size - self._last_kill <= wanted // cfg.CALM and size < 2 * wanted

    def _draft(self) -> Call:
        unit, seeds = self._rng.unit, self._seeds
        parent, other = (seeds[int(unit() * len(seeds))] for _ in range(2))
        return self._mutator.propose(parent, other)[0], MUTATION

    def _offer_all(self, calls: Iterable[Call]) -> None:
        for batch in batches(calls, cfg.BATCH):
            if self._full():
                return
            self._offer([args for args, _ in batch], [origin for _, origin in batch])

    def _offer(
        self, batch: Sequence[Args], origin: str | list[str], *, seed: bool = False
    ) -> list[bool]:
        answers = self._sieve.feed(batch, origin)
        prey = self._hunt_with(batch, answers)
        for candidate, answer in zip(batch, answers, strict=True):
            if answer is not None:
                self._keep(candidate, answer)
                if seed:
                    self._seeds.append(candidate)
        self._shrink(prey)
        if not self._tightened and self._steps() > cfg.STEP_BUDGET // 2:
            self._tightened = True
            self._sieve.tighten(max(1000, self._prepared.task.limits.steps // 10))
        return [answer is not None for answer in answers]

    def _steps(self) -> int:
        """Return the steps spent in the sieve but for shrinking, which has a budget of its own."""
        return self._sieve.tally.steps - (self._shrinker.steps if self._shrinker else 0)

    def _keep(self, candidate: Args, answer: Answer) -> None:
        self._pool.append(answer)
        self._alive.append(candidate)
        if self._raises:
            self._by_outcome.setdefault(answer.raised, []).append(candidate)

    def _hunt_with(self, batch: Sequence[Args], answers: Sequence[Answer | None]) -> list[Prey]:
        """Note the inputs that kill what nothing before them killed: they are parents, too.

        Returns:
            Those that were made from others, each with the targets that it killed.
        """
        if self._hunt is None:
            return []
        kept = [answer for answer in answers if answer is not None]
        kills = iter(self._hunt.first_kills(kept))
        prey: list[Prey] = []
        for candidate, answer in zip(batch, answers, strict=True):
            if answer is not None and (killed := next(kills)):
                self._killers.append(candidate)
                self._last_kill = len(self._pool) + len(kept)
                if answer.origin == MUTATION:
                    prey.append((candidate, killed))
        return prey

    def _shrink(self, killers: Sequence[Prey]) -> None:
        """Add to the pool, and to the parents, smaller inputs that kill the same targets."""
        if self._hunt is None or self._shrinker is None:
            return
        for killer, targets in killers:
            found = self._shrinker.shrink(killer, targets)
            if found is not None:
                self._hunt.first_kills([found[1]])  # what it kills besides is no prey any more
                self._killers.append(found[0])
                self._keep(*found)

    def _scan_ints(self) -> range | None:
        """Enumerate the ints of a one-int task outwards, as far as they are valid and cheap.

        Returns:
            The scanned range when both ends ran into a wall of invalid or costly values.
        """
        if self._prepared.specs != (Scalar("int"),):
            return None
        limit = max(64, self._config.pool // 4)
        ends = []
        for sign in (1, -1):
            misses = 0
            reached = 0
            for batch in batches(((sign * i,) for i in range(limit)), 16):
                kept = self._offer(batch, ENUMERATION)
                misses = 0 if any(kept) else misses + len(batch)
                reached = batch[-1][0]
                if misses >= 48:
                    break
            ends.append(reached if misses >= 48 else None)
        high, low = ends
        return range(low, high + 1) if high is not None and low is not None else None

    def _mutate(self, scanned: range | None) -> tuple[Stop, str]:
        """Mutate until the pool is full or there is a reason to stop; say what was used up."""
        config, tally = self._config, self._sieve.tally
        limit = config.pool * cfg.TRIES_PER_INPUT * config.tries_factor
        quiet_limit = cfg.QUIET_TRIES * config.tries_factor
        step_limit = cfg.STEP_BUDGET * config.tries_factor
        quiet = 0
        while not self._full() or self._restless():
            if tally.tried >= limit:
                return Stop.BUDGET, f"{limit:,} attempts"
            if self._steps() > step_limit:
                return Stop.BUDGET, f"{step_limit:,} steps"
            kept = self._one_batch()
            quiet = 0 if kept else quiet + cfg.BATCH
            if quiet >= quiet_limit:
                if scanned is not None and all(
                    own_args(answer.args)[0] in scanned for answer in self._pool
                ):
                    return Stop.EXHAUSTED, ""
                return Stop.SATURATED, ""
        return Stop.BUDGET, ""

    def _one_batch(self) -> int:
        unit, seeds, alive, killers = self._rng.unit, self._seeds, self._alive, self._killers
        groups = list(self._by_outcome.values())
        propose = self._mutator.propose
        batch: list[Args] = []
        used: list[tuple[int, ...]] = []
        for _ in range(cfg.BATCH):
            parents = seeds if not alive or unit() < 0.5 else alive
            if killers and unit() < cfg.KILLERS_SHARE:
                parents = killers
            if groups and parents is alive:
                parents = groups[int(unit() * len(groups))]
            parent = parents[int(unit() * len(parents))]
            others = alive or seeds
            candidate, operators = propose(parent, others[int(unit() * len(others))])
            batch.append(candidate)
            used.append(operators)
        kept = self._offer(batch, MUTATION)
        feedback = self._mutator.feedback
        for operators, good in zip(used, kept, strict=True):
            feedback(operators, good)
        return sum(kept)


def _by_origin(prepared: Prepared) -> Iterator[tuple[str, list[Args]]]:
    groups: dict[str, list[Args]] = {}
    for seed in prepared.task.seeds:
        groups.setdefault(seed.origin, []).append(seed.args)
    yield from groups.items()
