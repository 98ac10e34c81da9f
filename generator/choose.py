"""Which of the inputs that passed the sieve are published, and in which order.

The first ones are chosen greedily by novelty: every trait counts less the more often it was
covered, so that a prefix of the suite is already varied. The rest follows in rounds, one from each
class of outcome at a time, so that no class crowds out the others.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from math import fsum
from typing import TypeAlias

from plusforge.generator.traits import FOOTPRINT, KILL, OUTCOME, Facet

GREEDY = 120
"""Inputs chosen by novelty before the rounds begin."""

NEAR = 1.0
"""Share of the best possible score that is good enough to be chosen next. With 0.8 the first ten
inputs caught 75 of 100 wrong programs instead of 81, for a third less time in choosing."""

RESULT_WEIGHT, KILL_WEIGHT = 3.0, 0.25
"""What a trait of the outcome or of the way to it, and one of the targets an input kills, count for
at first; others count for 1. One reference has dozens of mutants: at full weight they would drown
all traits."""

AGAIN = 0.4
"""Share of its weight that a trait keeps each time an input with it is chosen."""

_Group: TypeAlias = tuple[float, int, list[int], list[int]]
"""Inputs alike: upper bound of their score (negative), the first, their traits, all of them."""


def choose(traits: Sequence[Sequence[Facet]], count: int) -> list[int]:
    """Choose and order inputs by their traits.

    Args:
        traits: For each input its facets, that of its outcome first.
        count: How many to choose, at most.

    Returns:
        Indices of the chosen inputs, best first.
    """
    chosen = _by_novelty(traits, min(count, GREEDY))
    if len(chosen) < count:
        chosen += _in_rounds(traits, set(chosen), count - len(chosen))
    return chosen


def pick(
    traits: Sequence[Sequence[Facet]], covered: Sequence[Sequence[Facet]], count: int
) -> list[int]:
    """Choose inputs that differ in kind from known ones and from each other.

    Args:
        traits: For each input its facets.
        covered: Those of the inputs that are known.
        count: How many to choose, at most.

    Returns:
        Indices of the chosen inputs, best first.
    """
    return _by_novelty(traits, count, covered)


def with_all_kills(chosen: Sequence[int], rows: Sequence[Sequence[int]]) -> list[int]:
    """Return a choice that kills all that any input kills, as far as there is room.

    Args:
        chosen: Indices of inputs, best first.
        rows: What each input kills, chosen or not.

    Returns:
        As many inputs: those that were missing come last, in place of the last ones that kill
        nothing which no other does.
    """
    killed = set[int]().union(*(rows[index] for index in chosen))
    missing = set[int]().union(*rows) - killed
    added: list[int] = []
    while missing:
        best = max(
            range(len(rows)), key=lambda index: (len(missing.intersection(rows[index])), -index)
        )
        added.append(best)
        missing.difference_update(rows[best])
    kills = Counter(target for index in (*chosen, *added) for target in rows[index])
    kept = list(chosen)
    for index in reversed(chosen):
        if len(kept) + len(added) <= len(chosen):
            break
        if all(kills[target] > 1 for target in rows[index]):
            kept.remove(index)
            kills.subtract(rows[index])
    return [*kept, *added][: len(chosen)]


def _by_novelty(
    traits: Sequence[Sequence[Facet]], count: int, covered: Sequence[Sequence[Facet]] = ()
) -> list[int]:
    groups, weight = _groups([*covered, *traits])
    heap: list[_Group] = []
    for score, _, labels, members in groups:
        taken = bisect_left(members, len(covered))  # the known ones stand before all others
        for label in labels:
            weight[label] *= AGAIN**taken
        rest = [index - len(covered) for index in members[taken:]]
        if rest:
            heap.append((score, rest[0], labels, rest))  # a bound: some labels are covered
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < count:
        best = _take(heap, weight)
        if best is not None:
            index, labels = best
            chosen.append(index)
            for label in labels:
                weight[label] *= AGAIN
    return chosen


def _groups(traits: Sequence[Sequence[Facet]]) -> tuple[list[_Group], list[float]]:
    """Put inputs with the same traits together; return also what each trait counts for."""
    alike: dict[tuple[Facet, ...], list[int]] = {}
    for index, facets in enumerate(traits):
        alike.setdefault((*facets,), []).append(index)
    numbers: dict[Hashable, int] = {}
    weight: list[float] = []
    known: dict[Facet, list[int]] = {}
    groups: list[_Group] = []
    for key, members in alike.items():
        labels: list[int] = []
        for facet in key:
            if facet not in known:
                known[facet] = [
                    numbers.setdefault((facet[0], i, seen), len(numbers))
                    for i, seen in enumerate(facet[1:])
                    if seen is not None
                ]
                weight += [_weight(facet[0])] * (len(numbers) - len(weight))
            labels += known[facet]
        score = fsum(map(weight.__getitem__, labels))
        groups.append((-score, members[0], labels, members))
    return groups, weight


def _weight(place: Hashable) -> float:
    if place in (OUTCOME, FOOTPRINT):
        return RESULT_WEIGHT
    return KILL_WEIGHT if isinstance(place, tuple) and place[0] == KILL else 1.0


def _take(heap: list[_Group], weight: Sequence[float]) -> tuple[int, list[int]] | None:
    """Take the next input out of the heap, or only lower the scores at its top.

    Scores only fall, so a stale score is an upper bound. An input is taken once its fresh score
    comes near the next bound. The inputs of one bound are looked at in their order; those looked at
    in vain get fresh scores.
    """
    bound, _, _, members = heap[0]
    rival = bound if len(members) > 1 else min(heap[1:3], default=(0.0,))[0]
    enough = NEAR * -rival
    # Of several inputs at the bound the last one stays, to be compared with what comes below.
    until = None if rival != bound else -1
    lowered: list[_Group] = []
    best = None
    while heap and heap[0][0] == bound:
        _, index, labels, members = heapq.heappop(heap)
        score = fsum(map(weight.__getitem__, labels))
        if score >= enough:
            best, until = (index, labels), index
            if len(members) > 1:
                heapq.heappush(heap, (bound, members[1], labels, members[1:]))
            break
        lowered.append((-score, index, labels, members))
        if until is not None:
            until = max(until, members[-1])
    for score, index, labels, members in lowered:
        cut = len(members) if until is None else bisect_left(members, until)
        if cut:
            heapq.heappush(heap, (score, index, labels, members[:cut]))
        if cut < len(members):
            heapq.heappush(heap, (bound, members[cut], labels, members[cut:]))
    return best


def _in_rounds(traits: Sequence[Sequence[Facet]], taken: set[int], count: int) -> list[int]:
    rounds: list[list[int]] = []
    last_round: dict[Facet, int] = {}
    for index, facets in enumerate(traits):
        if index not in taken:
            number = last_round[facets[0]] = last_round.get(facets[0], -1) + 1
            if number == len(rounds):
                rounds.append([])
            rounds[number].append(index)
    return list(chain.from_iterable(rounds))[:count]
