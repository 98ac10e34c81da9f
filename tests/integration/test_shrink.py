"""Killers that were shrunk: still valid, still killing, smaller; and every attempt counted."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from plusforge.generator import shrink
from plusforge.generator.config import Config
from plusforge.generator.kills import Hunt
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.generator.shrink import Shrinker
from plusforge.oracle.reference import prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.taskfile import parse_task
from plusforge.oracle.values import Args

TOTAL = '''def total(numbers: list[int]) -> int:
    """Return the sum.

    >>> total([1, 2])
    3
    """
    return sum(numbers)


def contract(numbers: list[int]) -> None:
    assert len(numbers) != 1


def wrong_from_200(numbers: list[int]) -> int:
    return sum(numbers) if max(numbers, default=0) < 200 else 0


def wrong_for_long(numbers: list[int]) -> int:
    return sum(numbers[:5])


def wrong_rarely(numbers: list[int]) -> int:
    return sum(numbers) + (len(numbers) > 3 and numbers[1] == 15 and numbers[2] > numbers[0])
'''


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as shared:
        yield shared


def shrunk(bench: Workbench, killer: Args, names: Sequence[str]) -> tuple[Any, Shrinker, Sieve]:
    """Shrink an input that kills the wrong programs with these names."""
    task = parse_task(TOTAL, "total.py", "t/total")
    prepared = prepare(task, bench.first, bench.second)
    with Sieve(prepared, bench.first, bench.second) as sieve, Hunt(task, bench.first) as hunt:
        about = [target.about for target in hunt.targets]
        shrinker = Shrinker(sieve, hunt, prepared.specs)
        found = shrinker.shrink(killer, [about.index(name) for name in names])
        return found, shrinker, sieve


@pytest.mark.parametrize(
    ("killer", "names", "expected"),
    [
        (([7, 300, -9, 0, 12, 41],), ["wrong_from_200"], ([0, 200],)),  # one alone is not valid
        (([7, 300, -9, 0, 12, 41],), ["wrong_for_long"], ([0, 0, 0, 0, 0, 1],)),
        (([7, 300, -9, 0, 12, 41],), ["wrong_from_200", "wrong_for_long"], ([0, 200, 0, 0, 0, 1],)),
        (([10**30, 5],), ["wrong_from_200"], ([200, 0],)),
    ],
)
def test_the_smallest_that_kills_the_same(
    bench: Workbench, killer: Args, names: Sequence[str], expected: Args
) -> None:
    (args, answer), shrinker, sieve = shrunk(bench, killer, names)
    assert args == expected
    assert answer.value() == sum(args[0])
    assert answer.origin == "shrunk"
    counted = 1 + len(shrinker.spare) + sum(sieve.tally.counts.values())
    assert sieve.tally.tried == counted <= 200


def test_what_cannot_be_smaller_stays(bench: Workbench) -> None:
    found, shrinker, sieve = shrunk(bench, ([0, 200],), ["wrong_from_200"])
    assert found is None
    assert sieve.tally.tried == len(shrinker.spare) + sum(sieve.tally.counts.values()) > 0


def test_it_keeps_to_its_budgets(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    killer = ([300] * 50,)
    monkeypatch.setattr(shrink, "ATTEMPTS", 40)
    _, _, sieve = shrunk(bench, killer, ["wrong_from_200"])
    assert sieve.tally.tried == 40
    monkeypatch.setattr(shrink, "TASK_ATTEMPTS", 3)
    _, _, sieve = shrunk(bench, killer, ["wrong_from_200"])
    assert sieve.tally.tried == 3
    monkeypatch.setattr(shrink, "TASK_STEPS", 0)
    found, _, sieve = shrunk(bench, killer, ["wrong_from_200"])
    assert (found, sieve.tally.tried) == (None, 0)


def test_a_suite_has_shrunk_inputs_and_accounts_for_all(bench: Workbench) -> None:
    task = parse_task(TOTAL, "total.py", "t/total")
    result = run_task(task, "b", Config(budget=400, seed=1), bench)
    assert result.line is not None
    plus = json.loads(result.line)["plus"]
    assert "shrunk" in {test["origin"] for test in plus}
    entry = result.entry
    assert entry["n_tried"] == entry["n_plus"] + sum(entry["rejections"].values())
    assert not [test for test in plus if len(test["args"][0]) == 1]
    blind = run_task(task, "b", Config(budget=50, blind=True), bench)
    assert '"shrunk"' not in (blind.line or "")
