"""What a table of kills that had to end early may still claim."""

import pytest
from plusforge.generator import kills
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.benchmarks import load_benchmark


@pytest.mark.parametrize(("steps", "proved"), [(kills.TABLE_STEPS, True), (1, False)])
def test_inputs_that_were_not_looked_at_leave_nano_unproved(
    monkeypatch: pytest.MonkeyPatch, steps: int, proved: bool
) -> None:
    monkeypatch.setattr(kills, "TABLE_STEPS", steps)
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    with Workbench() as bench:
        result = run_task(task, "starter", Config(budget=30), bench)
    assert result.entry["tiers"]["proved"] is proved
    assert result.entry["n_plus"] == 30
