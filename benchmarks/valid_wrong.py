"""Which programs are wrong beyond dispute: D, the denominator of catch rates.

    python benchmarks/valid_wrong.py --bench humaneval --corpus DIR --data DIR --out FILE
        [--compare FILE]

A program is in D when it passes the base tests, fails the released plus tests without a time-out,
and comes to another value or exception than the reference on a released plus input that satisfies
the contract and the strict types: the annotation merged with the types seen in the base inputs (a
bool is no int, a list no string, item types merged, what only empty containers show untyped),
finite floats, finite result. The witness is the smallest such input.
"""

import argparse
import json
import sys
from pathlib import Path

from corpus import BENCHMARKS, by_task, exposed, read_corpus, roomy, strict, untyped, valid_record
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import TaskError
from plusforge.oracle.runner import Sandbox

from tests.suites import killed_by


def main() -> None:
    """Find D, write it, and compare it with another."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", choices=BENCHMARKS, default="humaneval")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compare", type=Path, help="a file of this kind")
    options = parser.parse_args()
    loaded = load_benchmark(BENCHMARKS[options.bench], data=options.data, released_inputs=True)
    tasks = {task.task_id: task for task in loaded.tasks}
    programs = exposed(read_corpus(options.corpus, options.bench))
    witness: dict[int, str] = {}
    outside: dict[int, str] = {}
    lax: list[str] = []
    with Sandbox() as first, Sandbox(hash_seed=1) as second:
        for task_id, entries in by_task(programs):
            try:
                task = roomy(tasks[task_id])
                prepared = strict(task, first, second)
                inputs = [seed.args for seed in task.seeds]
                record, dropped = valid_record(prepared, inputs, first, second)
            except (KeyError, TaskError) as exc:
                outside.update({entry.line: f"{task_id}: {exc}" for entry in entries})
                continue
            if untyped(prepared.specs):
                lax.append(task_id)
            for entry in entries:
                kill = next(killed_by(first, record, entry.source, record["plus"]), None)
                if kill is None:
                    valid = f"{len(record['plus'])} of {len(inputs)} inputs are valid"
                    outside[entry.line] = f"{task_id}: right on them; {valid}; {dropped}"
                else:
                    witness[entry.line] = json.dumps(record["plus"][kill]["args"])
            print(task_id, len(entries), file=sys.stderr, flush=True)
    lines = sorted(witness)
    what = f"lines of {options.bench}_samples.jsonl (from 0) that are wrong on a valid plus input"
    found = {"what": what, "lines": lines, "witness": {str(n): witness[n] for n in lines}}
    options.out.write_text(json.dumps(found, indent=0) + "\n")
    print(f"{len(lines)} of {len(programs)}; {len(lax)} tasks not wholly typed: {', '.join(lax)}")
    print("outside:")
    for line, why in sorted(outside.items()):
        print(f"  {line} {why}")
    if options.compare:
        other = set(json.loads(options.compare.read_text())["lines"])
        print("only there:", sorted(other.difference(lines)))
        print("only here:", sorted(set(lines) - other))


if __name__ == "__main__":
    main()
