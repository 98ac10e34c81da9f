"""Orders in which streams of candidates are gone through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from plusforge.oracle.values import Value

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield the items in lists of a size; the last one may be shorter."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def alternate(streams: list[Iterator[Item]]) -> Iterator[Item]:
    """Yield one value of each stream in turn until all are used up."""
    while streams:
        rest = []
        for stream in streams:
            for value in islice(stream, 1):
                yield value
                rest.append(stream)
        streams = rest


def diagonal(columns: Sequence[Sequence[Value]]) -> Iterator[tuple[Value, ...]]:
    """Yield the product of columns in order of the sum of indices.

    Args:
        columns: One sequence per position, the simplest value first.

    Returns:
        Tuples with one value of each column: all simple ones first, and no column waits until
        another one is used up, as it would in lexicographic order.
    """
    if not columns:
        yield ()
        return
    lengths = [len(column) for column in columns]
    if 0 in lengths:
        return
    for total in range(sum(lengths) - len(lengths) + 1):
        for indices in _with_sum(lengths, total):
            yield tuple([column[i] for column, i in zip(columns, indices, strict=True)])


def _with_sum(lengths: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield the index tuples below ``lengths`` that add up to a total, in lexicographic order."""
    if len(lengths) == 1:
        if total < lengths[0]:
            yield (total,)
        return
    rest = sum(lengths[1:]) - (len(lengths) - 1)
    for first in range(max(0, total - rest), min(lengths[0] - 1, total) + 1):
        for others in _with_sum(lengths[1:], total - first):
            yield (first, *others)
