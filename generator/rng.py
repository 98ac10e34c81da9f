"""Streams of pseudo-random numbers: the only place where randomness comes from.

Every stream is derived by SHA-256 from the root seed and a list of labels, so that adding a task,
an operator or a worker changes no other stream. Only ``Random.random()`` is drawn from (MT19937,
53 bits), because its sequence is the same in every Python version.
"""

from __future__ import annotations

import random
from collections.abc import Callable, MutableSequence, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """A reproducible source of choices.

    Attributes:
        unit: Draws a float uniformly from [0, 1).
    """

    __slots__ = ("unit",)

    def __init__(self, *labels: str | int) -> None:
        """Derive the stream of a root seed and its labels."""
        digest = sha256("\x1f".join(map(str, labels)).encode()).digest()
        self.unit: Callable[[], float] = random.Random(int.from_bytes(digest[:16], "big")).random

    def below(self, n: int) -> int:
        """Draw an int uniformly from [0, n), n >= 1 (to within 2**-53)."""
        return int(self.unit() * n)

    def between(self, low: int, high: int) -> int:
        """Draw an int from [low, high], both included; ranges beyond 2**53 are sampled coarsely."""
        return low + int(self.unit() * (high - low + 1))

    def choice(self, items: Sequence[T]) -> T:
        """Draw one item of a non-empty sequence."""
        return items[int(self.unit() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order (Fisher-Yates)."""
        result = list(items)
        self.shuffle(result)
        return result

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place."""
        for i in range(len(items) - 1, 0, -1):
            j = int(self.unit() * (i + 1))
            items[i], items[j] = items[j], items[i]
