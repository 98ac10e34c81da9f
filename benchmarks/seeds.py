"""What recorded seeds are worth: real wrong programs caught with and without them.

    python benchmarks/seeds.py --data DIR --corpus DIR [--budgets 1000 100] [--jobs 2]

The targets are the model-written HumanEval programs of a corpus (``humaneval_samples.jsonl.gz`` of
``task_id``, ``solution``, ``base_status``, ``plus_status``) that pass the base tests and fail the
released plus tests without a time-out; ``D_humaneval.json`` beside it names those among them that
are wrong on a valid input. Suites: the recorded seeds alone, blind mutation from the base inputs,
and both, at each budget; all judged by ``plusforge evaluate``.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench
from plusforge.generator.publish import TaskResult, publish, render, suite_line
from plusforge.generator.recordings import read_recordings
from plusforge.generator.replay import folders_of, with_recordings
from plusforge.oracle.answers import own_args
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import TaskError
from plusforge.oracle.reference import prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suite import encode_test, record_of

BENCH = "humaneval+"
FAILED = ("fail", "exc", "error")


def targets(corpus: Path) -> tuple[list[dict[str, Any]], set[int]]:
    """Return the wrong programs, each with its line, and the lines of those wrong when valid."""
    with gzip.open(corpus / "humaneval_samples.jsonl.gz", "rt") as rows:
        samples = [json.loads(row) | {"line": n} for n, row in enumerate(rows)]
    wrong = [s for s in samples if s["base_pass"] and s["plus_status"] in FAILED]
    return wrong, set(json.loads((corpus / "D_humaneval.json").read_text())["lines"])


def seeds_alone(data: Path, out: Path) -> int:
    """Write a suite whose plus tests are the recorded seeds that are usable; return how many."""
    benchmark = load_benchmark(BENCH, data=data)
    replay = with_recordings(benchmark.tasks, read_recordings(folders_of(benchmark.name)))
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


def command(*arguments: str) -> str:
    """Run a plusforge command; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "plusforge.generator", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 3):  # 3: a task of the released data is faulty
        sys.exit(done.stderr)
    return done.stdout


def caught(suite: Path, samples: Path, wrong: list[dict[str, Any]], jobs: str) -> set[int]:
    """Return the lines of the programs that do not pass a suite."""
    document = json.loads(
        command("evaluate", str(suite), str(samples), "--jobs", jobs, "--json", "--no-cache")
    )
    ids = {sample["task_id"] for sample in document["samples"]}
    judged = [sample for sample in wrong if sample["task_id"] in ids]
    pairs = zip(judged, document["samples"], strict=True)
    return {s["line"] for s, got in pairs if (got["base"], got["plus"]) != ("pass", "pass")}


def main() -> None:
    """Make the suites, judge the programs, print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--budgets", nargs="*", default=["1000", "100"])
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    wrong, valid = targets(options.corpus)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        samples = folder / "wrong.jsonl"
        with samples.open("w") as out:
            for sample in wrong:
                line = {"task_id": sample["task_id"], "solution": sample["solution"]}
                out.write(json.dumps(line) + "\n")
        suites = {f"seeds alone ({seeds_alone(options.data, folder / 'seeds')})": folder / "seeds"}
        for budget in options.budgets:
            for label, flags in (("blind", ["--blind"]), ("with seeds", [])):
                suite = folder / f"{label}{budget}"
                command("regenerate", BENCH, "--data", str(options.data), "--out", str(suite),
                        "--budget", budget, "--jobs", options.jobs, "--quiet", *flags)  # fmt: skip
                suites[f"{label}, {budget} inputs"] = suite
        print(f"{len(wrong)} programs, {len(valid)} of them wrong on a valid input")
        for label, suite in suites.items():
            lines = caught(suite, samples, wrong, options.jobs)
            print(f"{label:28} {len(lines):4} {len(lines & valid):4}", flush=True)


if __name__ == "__main__":
    main()
