"""How many real wrong programs the first n plus inputs of a suite catch.

    python benchmarks/wrong_programs.py SUITE --corpus DIR [--at 10 30 100 300 1000]

The programs are those of ``D_humaneval.json`` (they pass the base tests and are wrong on a valid
input), and all that pass the base tests and fail the released plus tests without a time-out. A
program counts as caught when it comes to another value or exception; never for being slow.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the reader of suites is part of the tests

from plusforge.oracle.runner import Sandbox

from tests.suites import killed_by, read_suite

FAILED = ("fail", "exc", "error")
NO_BASE = "HumanEval/22"
"""Its 26 programs are about bools in ``List[Any]``: figures are given without them, too."""


def first_kills(suite: Path, corpus: Path) -> list[tuple[int, dict[str, Any], int | None]]:
    """Return line, sample and index of the first plus input that catches it, for each program."""
    with gzip.open(corpus / "humaneval_samples.jsonl.gz", "rt") as rows:
        samples: list[dict[str, Any]] = [json.loads(row) for row in rows]
    records = {record["task_id"]: record for record in read_suite(suite)}
    found = []
    with Sandbox() as sandbox:
        for line, sample in enumerate(samples):
            if sample["base_pass"] and sample["plus_status"] in FAILED:
                record = records.get(sample["task_id"])
                kills = (
                    killed_by(sandbox, record, sample["solution"], record["plus"])
                    if record
                    else iter(())
                )
                found.append((line, sample, next(kills, None)))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--at", nargs="*", type=int, default=[10, 30, 100, 300, 1000])
    options = parser.parse_args()
    valid = set(json.loads((options.corpus / "D_humaneval.json").read_text())["lines"])
    found = first_kills(options.suite, options.corpus)
    sets = {
        "all": found,
        "D": [one for one in found if one[0] in valid],
        "D216": [one for one in found if one[0] in valid and one[1]["task_id"] != NO_BASE],
    }
    for name, programs in sets.items():
        counts = [sum(index is not None and index < n for _, _, index in programs)
                  for n in options.at]  # fmt: skip
        shares = "  ".join(f"@{n} {c} ({100 * c / len(programs):.1f} %)"
                           for n, c in zip(options.at, counts, strict=True))  # fmt: skip
        print(f"{name:5} {len(programs):4}  {shares}")
    missed: dict[str, list[int]] = defaultdict(list)
    for line, sample, index in sets["D"]:
        if index is None or index >= 100:
            missed[sample["task_id"]].append(line)
    print("D not caught by the first 100:", dict(missed))


if __name__ == "__main__":
    main()
