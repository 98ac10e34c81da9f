"""The invariants on the real benchmarks (long: regenerates all four)."""

from pathlib import Path

import pytest
from plusforge.oracle.runner import Sandbox

from tests.invariants import equal_share, violations
from tests.real import regenerated
from tests.suites import read_manifest, read_suite
from tests.trivial import survivors

# Defects of the released data, each verified by hand; see docs/upstream-defects.md.
DEFECTS = {"humaneval": 0, "humaneval+": 1, "mbpp": 0, "mbpp+": 0}
VOLUME = {"humaneval+": 80, "mbpp+": 35}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in DEFECTS],
)
def test_real_benchmark(name: str, tmp_path: Path) -> None:
    folder = regenerated(name, tmp_path, *(["--blind"] if name == "humaneval+" else []))
    manifest = read_manifest(folder)
    stops = manifest["totals"]["stops"]
    assert stops.get("failed", 0) == DEFECTS[name]
    assert "truncated" not in stops
    totals = manifest["totals"]
    assert totals["n_plus"] >= VOLUME.get(name, 1) * totals["n_base"]
    broken: list[str] = []
    alike: dict[str, float] = {}
    with Sandbox(hash_seed=4242) as sandbox:
        for record in read_suite(folder):
            broken += violations(sandbox, record)
            share = equal_share(record)
            if share is not None and share >= 0.2:
                alike[record["task_id"]] = share
    assert broken == []
    assert alike == {}


def test_trivial_programs_die_on_humaneval_plus(tmp_path: Path) -> None:
    folder = regenerated("humaneval+", tmp_path, "--blind")
    with Sandbox() as sandbox:
        alive = {
            r["task_id"]: found for r in read_suite(folder) if (found := survivors(sandbox, r))
        }
    assert alive == {}
