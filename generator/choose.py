"""Which of the inputs that passed the sieve are published, and in which order.

The first ones are chosen greedily by novelty: every trait counts less the more often it was
covered, so that a prefix of the suite is already varied. The rest follows in rounds, one from each
class of outcome at a time, so that no class crowds out the others.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence

GREEDY = 150
"""Inputs chosen by novelty before the rounds begin."""


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
    weight: dict[Hashable, float] = {}
    # Scores only fall, so a stale score is an upper bound: re-score the top until it stays on top.
    heap = [(-float(len(labels)), index) for index, labels in enumerate(traits)]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < count:
        _, index = heap[0]
        score = sum(weight.get(label, 1.0) for label in traits[index])
        if len(heap) > 1 and (-score, index) > min(heap[1 : min(3, len(heap))]):
            heapq.heapreplace(heap, (-score, index))
            continue
        heapq.heappop(heap)
        chosen.append(index)
        for label in traits[index]:
            weight[label] = weight.get(label, 1.0) / 2
    return chosen


def _in_rounds(traits: Sequence[Sequence[Hashable]], taken: set[int], count: int) -> list[int]:
    classes: dict[Hashable, list[int]] = {}
    for index, labels in enumerate(traits):
        if index not in taken:
            classes.setdefault(labels[0], []).append(index)
    ranked = [(rank, index) for members in classes.values() for rank, index in enumerate(members)]
    return [index for _, index in sorted(ranked)[:count]]
