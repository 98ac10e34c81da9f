"""The first inputs of a search: calls that differ in kind, small ones and changed ones in turn.

Which mistakes a call uncovers depends on its kind, and much of that can be seen before it is run
(``traits``). So more calls are drafted than run: those that differ most from each other and from
the known ones come first, and no way of making them waits for another to be used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from plusforge.generator.choose import pick
from plusforge.generator.streams import alternate
from plusforge.generator.traits import Facet, traits
from plusforge.oracle.values import Args

DRAFTS, RUN_DRAFTS = 500, 150
"""Changed calls that are made to be picked from, and how many of them are run unpicked."""

PICKED = 150
"""Calls that are picked for being of another kind."""

Call: TypeAlias = tuple[Args, str]
"""Arguments, and the origin of them."""


def opening(
    known: Sequence[Args], small: Sequence[Call], change: Callable[[], Call], limit: int
) -> Iterator[Call]:
    """Yield the first calls to run.

    Args:
        known: Calls that have been run.
        small: The simplest calls of the task's types, the simplest first.
        change: Makes a changed call.
        limit: Number of calls to yield at most; where it is low, fewer are drafted.

    Returns:
        Calls picked for their kind, small ones, and changed ones, in turn. A call may come twice.
    """
    drafts = [change() for _ in range(min(DRAFTS, limit))]
    calls = [*small, *drafts]
    covered = [_kind(args) for args in known]
    picked = pick([_kind(args) for args, _ in calls], covered, min(PICKED, limit))
    streams = [(calls[index] for index in picked), iter(small), islice(iter(drafts), RUN_DRAFTS)]
    return islice(alternate(streams), limit)


def _kind(args: Args) -> list[Facet]:
    """Return the facets of arguments whose outcome is not known yet."""
    return traits(args, None)[1:]
