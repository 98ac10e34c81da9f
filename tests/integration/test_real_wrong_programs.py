"""Real model-written wrong programs die under blind mutation (long: runs the real benchmark)."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from plusforge.oracle.runner import Sandbox

from tests.real import regenerated
from tests.suites import killed_by, read_suite
from tests.support import shared

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("humaneval+")]


def survivors(suite: Path) -> tuple[int, list[int]]:
    """Return the number of target programs and the line numbers of those no plus input kills."""
    corpus = shared("corpus")
    lines = json.loads((corpus / "D_humaneval.json").read_text())["lines"]
    with gzip.open(corpus / "humaneval_samples.jsonl.gz", "rt") as rows:
        samples: list[dict[str, Any]] = [json.loads(row) for row in rows]
    records = {record["task_id"]: record for record in read_suite(suite)}
    alive = []
    with Sandbox() as sandbox:
        for line in lines:
            sample = samples[line]
            record = records.get(sample["task_id"])
            kills = killed_by(sandbox, record, sample["solution"], record["plus"]) if record else ()
            if next(iter(kills), None) is None:
                alive.append(line)
    return len(lines), alive


def test_blind_mutation_kills_real_wrong_programs(tmp_path: Path) -> None:
    total, alive = survivors(regenerated("humaneval+", tmp_path, "--blind"))
    # EvalPlus's mutator catches 72 % of them from the same base inputs.
    assert len(alive) <= total // 10, f"{len(alive)} of {total} survive: corpus lines {alive}"
