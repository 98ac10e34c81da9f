"""A search goes on while what it finds is news, and not for ever."""

from collections.abc import Sequence

import pytest
from plusforge.generator import config
from plusforge.generator.config import Config
from plusforge.generator.kills import Hunt
from plusforge.generator.pipeline import Workbench
from plusforge.generator.search import Found, Search
from plusforge.oracle.answers import Answer
from plusforge.oracle.reference import prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.taskfile import parse_task

TASK = '''def count(items: list[int]) -> int:
    """Return the length.

    >>> count([1, 2])
    2
    """
    return len(items)


def wrong_rarely(items: list[int]) -> int:
    return len(items) - (len(items) > 5 and items[0] == items[5])
'''


def searched(budget: int, kind: type[Hunt] = Hunt) -> Found:
    with Workbench() as bench:
        prepared = prepare(parse_task(TASK, "count.py", "t/count"), bench.first, bench.second)
        with Sieve(prepared, bench.first, bench.second) as sieve, \
                kind(prepared.task, bench.first) as hunt:  # fmt: skip
            return Search(prepared, sieve, Config(budget=budget), "t", hunt).run()


@pytest.mark.parametrize(("calm", "goes_on"), [(1, True), (10**6, False)])
def test_the_search_goes_on_while_it_kills(
    monkeypatch: pytest.MonkeyPatch, calm: int, goes_on: bool
) -> None:
    monkeypatch.setattr(config, "CALM", calm)
    monkeypatch.setattr(config, "BATCH", 10)
    monkeypatch.setattr(config, "SMALL_SCOPE", 20)
    pool = Config(budget=40).pool
    assert (len(searched(40).pool) >= pool + 20) is goes_on


class Ravenous(Hunt):
    """A hunt to which every input is news."""

    def first_kills(self, answers: Sequence[Answer]) -> list[tuple[int, ...]]:
        return [(0,)] * len(answers)


def test_it_ends_at_twice_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "BATCH", 10)
    pool = Config(budget=100).pool
    assert 2 * pool <= len(searched(100, Ravenous).pool) <= 2 * pool + 20
