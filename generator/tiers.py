"""Tiers of a suite: which few tests catch all that the whole suite catches, and in which order.

``nano`` is the smallest set of inputs that kills every target that any input kills. ``mini`` adds a
second killer for each target, so that no verdict hangs on one input, and variety. ``full`` is all.
Targets are wrong programs: mutants of the reference, or samples that are known to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from plusforge.generator.cover import smallest_cover
from plusforge.oracle.suiterecord import FULL, MINI, NANO

MINI_SIZE = 14
"""Inputs of ``mini``, where there are as many; more when second killers take more."""

VARIETY = "variety"
"""Why an input is there that no target needs."""


@dataclass(frozen=True, slots=True)
class Tiers:
    """Tiers of one task's inputs, by their indices.

    Attributes:
        nano: In the order to run them.
        mini: ``nano``, then the others, in the order to run them.
        order: All inputs: ``mini``, then the others by novelty.
        proved: No smaller ``nano`` kills as much.
        why: For each input the names of the targets it is there for: those that no other input of
            ``nano`` kills; in ``mini``, those that it is the second to kill; or ``VARIETY``.
    """

    nano: tuple[int, ...]
    mini: tuple[int, ...]
    order: tuple[int, ...]
    proved: bool
    why: tuple[tuple[str, ...], ...]

    def of(self, index: int) -> list[str]:
        """Return the names of the tiers that an input is in, the smallest first."""
        if index in self.nano:
            return [NANO, MINI, FULL]
        return [MINI, FULL] if index in self.mini else [FULL]


def assign(
    kills: Sequence[Collection[int]],
    costs: Sequence[int],
    order: Sequence[int],
    *,
    mini: int = MINI_SIZE,
    names: Sequence[str] = (),
) -> Tiers:
    """Put the inputs of a task into tiers.

    Args:
        kills: The targets that each input kills, as numbers from 0.
        costs: Of each input, not negative; among equally small tiers the cheaper is taken.
        order: All inputs, by novelty, best first.
        mini: How many inputs ``mini`` shall hold.
        names: Of the targets; without them their numbers are their names.

    Returns:
        The tiers. Where nothing is killed, ``nano`` is the first input by novelty: a tier is empty
        only when there is no input.

    Raises:
        ValueError: The order does not hold each input once, or the costs do not fit.
    """
    if sorted(order) != list(range(len(kills))):
        raise ValueError(f"an order of {len(order)} for {len(kills)} inputs: give each one once")
    sets = [frozenset(kill) for kill in kills]
    cover = smallest_cover(sets, costs)
    place = {index: rank for rank, index in enumerate(order)}
    reasons: dict[int, Collection[int]] = {i: _lost_without(i, cover.chosen, sets)
                                           for i in cover.chosen}  # fmt: skip
    nano = _greedily(sets, cover.chosen, place, lambda seen: seen < 1, [])
    nano += sorted(set(cover.chosen).difference(nano), key=place.__getitem__)
    nano = nano or list(order[:1])
    rest = [index for index in order if index not in reasons]
    second = _greedily(sets, rest, place, lambda seen: seen < 2, nano, reasons)
    chosen = [*nano, *second]
    taken = set(chosen)
    others = [index for index in order if index not in taken]
    missing = max(0, mini - len(chosen))
    return Tiers(
        nano=tuple(nano),
        mini=(*chosen, *others[:missing]),
        order=(*chosen, *others),
        proved=cover.proved,
        why=tuple(
            tuple(names[t] if names else str(t) for t in sorted(reasons[index]))
            if reasons.get(index) else (VARIETY,)
            for index in range(len(kills))
        ),
    )  # fmt: skip


def _lost_without(one: int, chosen: Sequence[int], kills: Sequence[frozenset[int]]) -> list[int]:
    """Return the targets that only one of some inputs kills."""
    others = frozenset[int]().union(*(kills[i] for i in chosen if i != one))
    return sorted(kills[one] - others)


def _greedily(
    kills: Sequence[frozenset[int]],
    candidates: Sequence[int],
    place: dict[int, int],
    wanted: Callable[[int], bool],
    taken: Sequence[int],
    reasons: dict[int, Collection[int]] | None = None,
) -> list[int]:
    """Take the input that kills most targets of those wanted, then the more novel, again and again.

    Args:
        kills: The targets that each input kills.
        candidates: The inputs to choose from.
        place: Rank of each input by novelty.
        wanted: Tells from how many inputs taken so far kill a target whether another shall.
        taken: Inputs that are taken already.
        reasons: Takes down what each input was taken for.

    Returns:
        The inputs taken now, in order; none that kills nothing wanted.
    """
    seen: dict[int, int] = {}
    for index in taken:
        for target in kills[index]:
            seen[target] = seen.get(target, 0) + 1
    useful = [index for index in candidates if kills[index]]
    found: list[int] = []
    while useful:
        gains = {i: [t for t in kills[i] if wanted(seen.get(t, 0))] for i in useful}
        best = min(useful, key=lambda i: (-len(gains[i]), place[i]))
        if not gains[best]:
            break
        found.append(best)
        if reasons is not None:
            reasons[best] = gains[best]
        for target in kills[best]:
            seen[target] = seen.get(target, 0) + 1
        useful = [i for i in useful if i != best and gains[i]]
    return found
