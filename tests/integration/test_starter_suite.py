"""The committed suite of the embedded benchmark keeps every promise a suite makes."""

from collections.abc import Iterator
from typing import Any

import pytest
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.verdict import Stop

from tests.invariants import equal_share, violations
from tests.suites import killed_by, read_manifest, read_suite
from tests.support import ROOT
from tests.trivial import survivors

FOLDER = ROOT / "outputs" / "starter"
RECORDS = {record["task_id"]: record for record in read_suite(FOLDER)}
TASKS = {task.task_id: task for task in load_benchmark("starter").tasks}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    # A hash seed that no generation run uses.
    with Sandbox(hash_seed=4242) as sandbox:
        yield sandbox


def test_every_task_has_a_suite() -> None:
    manifest = read_manifest(FOLDER)
    assert list(RECORDS) == list(TASKS) == list(manifest["tasks"])
    assert len(TASKS) >= 30
    for entry in manifest["tasks"].values():
        assert entry["stop"] in (Stop.BUDGET, Stop.SATURATED, Stop.EXHAUSTED)
        kept = entry["n_plus"] + sum(entry["rejections"].values())
        assert kept == entry["n_tried"], "every attempt is kept or counted under a reason"
        assert "arity" not in entry["rejections"]
    # Operators keep to types; what a small model proposed does not always.
    assert manifest["totals"]["rejections"]["type"] < 50


@pytest.mark.parametrize("task_id", RECORDS)
def test_invariants(sandbox: Sandbox, task_id: str) -> None:
    assert violations(sandbox, RECORDS[task_id]) == []


@pytest.mark.parametrize("task_id", RECORDS)
def test_known_wrong_programs_die(sandbox: Sandbox, task_id: str) -> None:
    record, task = RECORDS[task_id], TASKS[task_id]
    assert len(task.wrong) >= 3
    alive = [
        wrong.name
        for wrong in task.wrong
        if next(iter(killed_by(sandbox, record, wrong.source, record["plus"])), None) is None
    ]
    assert alive == []


@pytest.mark.parametrize("task_id", RECORDS)
def test_trivial_programs_die(sandbox: Sandbox, task_id: str) -> None:
    assert survivors(sandbox, RECORDS[task_id]) == []


def test_the_reference_itself_survives(sandbox: Sandbox) -> None:
    """Guards the kill tests: a check that kills everything would pass them all."""
    for record in RECORDS.values():
        assert list(killed_by(sandbox, record, record["references"][-1], record["plus"])) == []


def test_equal_lists_are_rare() -> None:
    shares: dict[str, Any] = {task_id: equal_share(record) for task_id, record in RECORDS.items()}
    assert any(share is not None for share in shares.values())
    assert {t: s for t, s in shares.items() if s is not None and s >= 0.2} == {}
