"""Which of the inputs that passed the sieve are published, and in which order.

The first ones are chosen greedily by novelty: every trait counts less the more often it was
covered, so that a prefix of the suite is already varied. The rest follows in rounds, one from each
class of outcome at a time, so that no class crowds out the others.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from math import fsum

GREEDY = 120
"""Inputs chosen by novelty before the rounds begin."""

NEAR = 0.8
"""Share of the best possible score that is good enough to be chosen next."""


def choose(traits: Sequence[Sequence[Hashable]], count: int) -> list[int]:
    """Choose and order inputs by their traits.

    Args:
        traits: For each input its traits, the class of its outcome first.
        count: How many to choose, at most.

    Returns:
        Indices of the chosen inputs, best first.
    """
    chosen = _by_novelty(traits, min(count, GREEDY))
    if len(chosen) < count:
        chosen += _in_rounds(traits, set(chosen), count - len(chosen))
    return chosen


def _by_novelty(traits: Sequence[Sequence[Hashable]], count: int) -> list[int]:
    weight: dict[Hashable, float] = {label: 1.0 for labels in traits for label in labels}
    # Scores only fall, so a stale score is an upper bound. The top is taken once its fresh score
    # comes near the next bound: as good in practice as the exact order, at a tenth of the cost.
    heap = [(-float(len(labels)), index) for index, labels in enumerate(traits)]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < count:
        _, index = heapq.heappop(heap)
        labels = traits[index]
        score = fsum(map(weight.__getitem__, labels))
        if heap and score < NEAR * -heap[0][0]:
            heapq.heappush(heap, (-score, index))
            continue
        chosen.append(index)
        for label in labels:
            weight[label] /= 2
    return chosen


def _in_rounds(traits: Sequence[Sequence[Hashable]], taken: set[int], count: int) -> list[int]:
    classes: dict[Hashable, list[int]] = {}
    for index, labels in enumerate(traits):
        if index not in taken:
            classes.setdefault(labels[0], []).append(index)
    ranked = [(rank, index) for members in classes.values() for rank, index in enumerate(members)]
    return [index for _, index in sorted(ranked)[:count]]
