"""The first inputs of a search: of different kinds, from every source, known ones left out."""

from itertools import count

import pytest
from plusforge.generator.choose import pick
from plusforge.generator.opening import DRAFTS, PICKED, RUN_DRAFTS, opening
from plusforge.generator.traits import Facet
from plusforge.oracle.values import Args

SMALL = [(([0] * n,), "small") for n in range(60)]


def facets(*seen: object) -> list[Facet]:
    """Return one facet for each thing seen."""
    return [("somewhere", one) for one in seen]


def changed() -> tuple[list[tuple[Args, str]], object]:
    made: list[tuple[Args, str]] = []
    numbers = count(1)

    def change() -> tuple[Args, str]:
        made.append((([next(numbers), -1],), "mutation"))
        return made[-1]

    return made, change


def test_what_is_known_is_picked_last() -> None:
    kinds = [facets(*kind) for kind in ("ab", "ab", "c", "ad")]
    assert pick(kinds, [facets(*"ab")], 2) == [3, 2]
    assert sorted(pick(kinds, [facets(*"ab")], 4)) == [0, 1, 2, 3]
    assert pick(kinds, [facets(*"ad")], 1) in ([0], [1])
    assert 2 not in pick(kinds, [facets(*"c")] * 3, 3)
    assert pick([], [facets(*"c")], 3) == []


def test_every_source_has_its_turn() -> None:
    made, change = changed()
    calls = list(opening([([5],)], SMALL, change, 1000))
    assert len(made) == DRAFTS
    assert len(calls) == PICKED + len(SMALL) + RUN_DRAFTS
    assert calls[1:180:3] == SMALL
    assert calls[2:180:3] == made[:60]
    assert {origin for _, origin in calls[0:180:3]} == {"small", "mutation"}


def test_kinds_that_were_run_already_are_picked_less() -> None:
    known: list[Args] = [([number, -1],) for number in range(1, 30)]

    def picked_changed(known: list[Args]) -> int:
        _, change = changed()
        calls = list(opening(known, SMALL, change, 1000))
        return sum(origin == "mutation" for _, origin in calls[0:30:3])

    assert picked_changed(known) < picked_changed([])


@pytest.mark.parametrize("limit", [0, 1, 7])
def test_a_small_budget_drafts_little(limit: int) -> None:
    made, change = changed()
    assert len(list(opening([], SMALL, change, limit))) == limit
    assert len(made) == limit
