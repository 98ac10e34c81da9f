"""Do our verdicts agree with those stored with model-written programs?

    python benchmarks/agreement.py --corpus DIR --data DIR [--bench humaneval] [--jobs 1]

Judges every program of a corpus (see ``corpus.py``) against its released suite under EvalPlus's
rules, and compares the pair (base, base and plus) with the stored one. Programs with a stored
time-out are tabled apart: a clock decided about them. Each pair that differs is printed.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from corpus import BENCHMARKS
from generation import FILES

PASS, TIMEOUT = "pass", "timeout"


def judged(suite: Path, programs: list[dict[str, Any]], jobs: int) -> list[dict[str, Any]]:
    """Return the records of ``plusforge evaluate``, one for each program, in order."""
    with tempfile.TemporaryDirectory() as folder:
        samples, results = Path(folder, "samples.jsonl"), Path(folder, "results.json")
        lines = (json.dumps({key: one[key] for key in ("task_id", "solution")}) for one in programs)
        samples.write_text("\n".join(lines) + "\n")
        command = ("evaluate", suite, samples, "--rules", "evalplus", "--quiet", "--no-cache",
                   "--k", "1", "--jobs", jobs, "--out", results)  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "plusforge.generator", *map(str, command)], check=True
        )
        records: list[dict[str, Any]] = json.loads(results.read_text())["samples"]
    return records


def report(programs: list[dict[str, Any]], records: list[dict[str, Any]]) -> Counter[str]:
    """Print what differs; return the counts."""
    counts: Counter[str] = Counter()
    clocks: Counter[tuple[str, str, str, str]] = Counter()
    for number, (stored, ours) in enumerate(zip(programs, records, strict=True)):
        base = ours["base"] == PASS
        pair = (base, base and ours["plus"] in (PASS, None))
        if TIMEOUT in (stored["base_status"], stored["plus_status"]):
            statuses = stored["base_status"], stored["plus_status"]
            clocks[(*statuses, ours["base"], str(ours["plus"]))] += 1
            continue
        counts["programs"] += 1
        if pair == (stored["base_pass"], stored["base_pass"] and stored["plus_pass"]):
            counts["agree"] += 1
        else:
            print(f"  {number} {stored['task_id']}: stored {stored['base_status']}, "
                  f"{stored['plus_status']}; ours {ours['base']}, {ours['plus']}: "
                  f"{json.dumps(ours['first_failure'])[:200]}")  # fmt: skip
    for (base_was, plus_was, base_is, plus_is), count in sorted(clocks.items()):
        print(f"  time-outs: stored {base_was}, {plus_was}; ours {base_is}, {plus_is}: {count}")
    return counts


def main() -> None:
    """Judge, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bench", choices=BENCHMARKS, nargs="*", default=list(BENCHMARKS))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for bench in options.bench:
        path = options.corpus / f"{bench}_samples.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            programs = [json.loads(line) for line in file]
        print(bench)
        suite = options.data / FILES[BENCHMARKS[bench]]
        total += report(programs, judged(suite, programs, options.jobs))
    print(f"{total['agree']:,} of {total['programs']:,} pairs agree: "
          f"{100 * total['agree'] / total['programs']:.2f} %")  # fmt: skip


if __name__ == "__main__":
    main()
