"""What recorded seeds are worth: real wrong programs caught with and without them.

    python benchmarks/seeds.py --data DIR --corpus DIR [--jobs 2]

The targets are those of ``wrong_programs.py``. Suites: the recorded seeds alone; from the base
inputs, blind and driven by kills; from both, driven by kills. Caught by the first 100 plus inputs
and by all (at most 1,000).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from corpus import exposed, read_corpus
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench
from plusforge.generator.publish import TaskResult, publish, render, suite_line
from plusforge.generator.recordfile import read_recordings
from plusforge.generator.replay import folders_of, with_recordings
from plusforge.oracle.answers import own_args
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import TaskError
from plusforge.oracle.reference import prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suite import encode_test, record_of
from wrong_programs import first_kills

BENCH = "humaneval+"


def seeds_alone(data: Path, out: Path) -> int:
    """Write a suite whose plus tests are the recorded seeds that are usable; return how many."""
    benchmark = load_benchmark(BENCH, data=data)
    replay = with_recordings(benchmark.tasks, read_recordings(folders_of(benchmark.name, None)))
    results = []
    count = 0
    with Workbench() as bench:
        for task in replay.tasks:
            try:
                prepared = prepare(task, bench.first, bench.second)
            except TaskError as exc:
                print(f"left out: {task.task_id}: {exc}")
                continue
            with Sieve(prepared, bench.first, bench.second) as sieve:
                answers = sieve.feed([seed.args for seed in task.seeds], "llm")
            plus = [encode_test(own_args(a.args), a.value(), "llm") for a in answers if a]
            count += len(plus)
            entry = {"n_base": len(prepared.base), "n_plus": len(plus), "n_tried": len(answers),
                     "rejections": {}, "stop": "exhausted"}  # fmt: skip
            line = suite_line(record_of(prepared, plus))
            results.append(TaskResult(task_id=task.task_id, line=line, entry=entry, rejected={}))
    publish(render(results, BENCH, Config()), out)
    return count


def regenerate(data: Path, out: Path, jobs: str, *flags: str) -> Path:
    """Make a suite; return its folder."""
    done = subprocess.run(
        [sys.executable, "-m", "plusforge.generator", "regenerate", BENCH, "--data", str(data),
         "--out", str(out), "--jobs", jobs, "--quiet", *flags],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 3):  # 3: a task of the released data is faulty
        sys.exit(done.stderr)
    return out


def main() -> None:
    """Make the suites, run the programs, print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    valid = set(json.loads((options.corpus / "D_humaneval.json").read_text())["lines"])
    programs = exposed(read_corpus(options.corpus, "humaneval"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nothing = folder / "nothing"
        nothing.mkdir()
        count = seeds_alone(options.data, folder / "alone")
        suites = {f"seeds alone ({count})": folder / "alone"}
        for label, flags in (
            ("blind, no seeds", ["--blind"]),
            ("driven, no seeds", ["--recordings", str(nothing)]),
            ("driven, with seeds", []),
        ):
            suites[label] = regenerate(options.data, folder / label, options.jobs, *flags)
        for label, suite in suites.items():
            found = list(zip(programs, first_kills(suite, programs), strict=True))
            for what, lines in (("all", None), ("D", valid)):
                some = [i for one, i in found if lines is None or one.line in lines]
                at = {n: sum(index is not None and index < n for index in some)
                      for n in (100, 1000)}  # fmt: skip
                print(f"{label:24} {what:4} of {len(some)}: {at}", flush=True)


if __name__ == "__main__":
    main()
