"""Learns how large numbers may get before the reference becomes too costly, and stops trying.

For a task such as "the n-th element of a sequence" every large ``n`` costs the whole step budget
just to be rejected. Once several inputs whose largest number exceeds that of every kept input were
too costly, further inputs beyond the smallest of them are rejected without being run. Counts only,
no clock: the same candidates are rejected everywhere.
"""

from __future__ import annotations

from plusforge.oracle.values import Args, Value

EVIDENCE = 8
"""Costly inputs beyond all kept ones before the guard speaks."""


def magnitude(value: Value) -> float:
    """Return the largest absolute value of any int inside a value (0 when there is none)."""
    cls = type(value)
    if cls is int:
        return abs(value)  # type: ignore[no-any-return]
    if cls is dict:
        return max((max(magnitude(k), magnitude(v)) for k, v in value.items()), default=0)
    if cls in (list, tuple, set, frozenset):
        return max(map(magnitude, value), default=0)
    return 0


class CostGuard:
    """Remembers the magnitudes of kept and of costly inputs of one task."""

    def __init__(self) -> None:
        """Start knowing nothing."""
        self._kept: float = 0
        self._costly: list[float] = []
        self._ceiling: float | None = None

    def hopeless(self, args: Args) -> bool:
        """Tell whether inputs of this magnitude have so far always been too costly."""
        return self._ceiling is not None and magnitude(args) >= self._ceiling

    def kept(self, args: Args) -> None:
        """Learn that an input was cheap enough."""
        if not self._costly:
            return  # until something is costly there is nothing to compare with
        size = magnitude(args)
        if size > self._kept:
            self._kept = size
            self._settle()

    def costly(self, args: Args) -> None:
        """Learn that an input was too costly or its outcome too large."""
        self._costly.append(magnitude(args))
        self._settle()

    def _settle(self) -> None:
        beyond = [size for size in self._costly if size > self._kept]
        self._costly = beyond or [self._kept]
        self._ceiling = min(beyond) if len(beyond) >= EVIDENCE else None
