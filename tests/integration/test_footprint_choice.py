"""Inputs that take the reference other ways than all others are chosen."""

import json
from collections.abc import Sequence

import pytest
from plusforge.generator import pipeline
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.answers import own_args
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.footprint import Footprints
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import Task
from plusforge.oracle.values import encode_args

LAST = 5


@pytest.mark.parametrize("blind", [True, False])
def test_a_footprint_of_its_own_counts(monkeypatch: pytest.MonkeyPatch, *, blind: bool) -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    config = Config(budget=30, blind=blind)
    last_found: list[object] = []
    published = {}
    with Workbench() as bench:
        for own in (0, 1):

            def prints(_: Task, inputs: Sequence[bytes], __: Sandbox, own: int = own) -> Footprints:
                last_found[:] = [encode_args(own_args(args)) for args in inputs[-LAST:]]
                last = [own << place for place in range(LAST)]
                return Footprints([0] * (len(inputs) - LAST) + last)

            monkeypatch.setattr(pipeline, "footprints", prints)
            line = run_task(task, "starter", config, bench).line
            assert line is not None
            plus = [test["args"] for test in json.loads(line)["plus"]]
            published[own] = sum(args in plus for args in last_found)
    assert published[0] < published[1] == LAST


def test_a_task_whose_footprints_a_clock_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = load_benchmark("starter", tasks_glob="starter/clamp_all").tasks
    stops = {}
    with Workbench() as bench:
        for stopped in (False, True):

            def prints(
                _: Task, inputs: Sequence[bytes], __: Sandbox, stopped: bool = stopped
            ) -> Footprints:
                return Footprints([0] * len(inputs), stopped)

            monkeypatch.setattr(pipeline, "footprints", prints)
            stops[stopped] = run_task(task, "starter", Config(budget=30), bench).entry["stop"]
    assert stops == {False: "budget", True: "truncated"}
