"""What a task's entry of the manifest says beyond its counts."""

from collections.abc import Iterator

import pytest
from plusforge.generator import config as cfg
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.generator.publish import TaskResult
from plusforge.generator.report import warnings
from plusforge.oracle.taskfile import parse_task

DIVIDED = '''def half(x: int) -> int:
    """Return half of x.

    >>> half(6)
    3
    """
    return x // 2


def reference_truncates(x: int) -> int:
    return int(x / 2)


def contract(x: int) -> None:
    assert -50 <= x <= 50
'''

NARROW = '''def triple(x: int, y: int) -> int:
    """Return three times x.

    >>> triple(1, 7)
    3
    """
    return 3 * x


def contract(x: int, y: int) -> None:
    assert 0 <= x < 3 and y == 7
'''

UNSTEADY = '''_seen = []


def same(x: int, y: int) -> int:
    """Return x.

    >>> same(1, 1)
    1
    """
    _seen.append(x)
    return x if len(_seen) < 9 else x + len(_seen)
'''

PICKY = '''def same(x: int, y: int) -> int:
    """Return x.

    >>> same(1, 1)
    1
    """
    return x


def check(output, x, y):
    return x == 1
'''


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as bench:
        yield bench


def result_of(text: str, bench: Workbench, budget: int = 100) -> TaskResult:
    task = parse_task(text, "one.py", "t/one")
    return run_task(task, "t", Config(budget=budget), bench)


def test_references_that_disagree_on_generated_inputs_are_warned_about(bench: Workbench) -> None:
    result = result_of(DIVIDED, bench)
    count = result.entry["rejections"]["disagreement"]
    assert count == 25  # the odd ones below zero
    (note,) = result.entry["notes"]
    assert note.startswith("the references disagree on 25 generated inputs: ")
    assert "rejected.json" in note
    assert warnings([result]) == [f"t/one: {note}"]
    assert result.rejected["disagreement"]["examples"][0]["args"] == [-1]


def test_a_budget_that_was_used_up_says_what_was(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cfg, "QUIET_TRIES", 1_000_000)
    entry = result_of(NARROW, bench, budget=50).entry
    assert (entry["stop"], entry["n_plus"]) == ("budget", 2)
    assert entry["why"] == "the 4,000 attempts allowed were used up at 2 of 50 inputs"
    monkeypatch.setattr(cfg, "STEP_BUDGET", 2)
    entry = result_of(NARROW, bench, budget=50).entry
    assert entry["stop"] == "budget"
    assert entry["why"].startswith("the 2 steps allowed were used up at ")


def test_a_budget_that_the_last_check_emptied_says_so(bench: Workbench) -> None:
    entry = result_of(PICKY, bench).entry
    assert entry["stop"] == "budget"
    assert entry["n_plus"] < 100
    assert entry["rejections"]["checker"] > 100
    assert entry["why"].startswith("the last checks (nondeterministic, checker) left ")


def test_a_reference_that_chance_plays_a_part_in_has_no_suite(bench: Workbench) -> None:
    result = result_of(UNSTEADY, bench)
    assert (result.failed, result.line, result.entry["n_base"]) == (True, None, 1)
    assert "reference same is not deterministic: same(" in result.entry["why"]


def test_a_budget_that_was_reached_needs_no_reason(bench: Workbench) -> None:
    entry = result_of(DIVIDED, bench, budget=10).entry
    assert (entry["stop"], entry["n_plus"]) == ("budget", 10)
    assert "why" not in entry
