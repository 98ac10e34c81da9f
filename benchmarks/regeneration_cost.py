"""CPU seconds that ``plusforge regenerate`` takes for each task, driven by kills.

    python benchmarks/regeneration_cost.py --data DIR --bench humaneval+ [--every 4]

CPU seconds of the whole process tree, sandboxes included, without recordings: pre-flight,
search, targets, choice and tiers. The machine's load does not change them much; the number of
workers does not change them at all.
"""

import argparse
import os
import statistics
from pathlib import Path

from generation import FILES, tree_cpu
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.benchmarks import load_benchmark


def main() -> None:
    """Generate the suites of some tasks, one after the other, and print what each cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bench", choices=FILES, required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    spent: dict[str, float] = {}
    with Workbench() as bench:
        _ = bench.first.report, bench.second.report  # starts the processes
        for task in load_benchmark(options.bench, data=options.data).tasks[:: options.every]:
            before = tree_cpu(os.getpid())
            entry = run_task(task, options.bench, Config(), bench).entry
            spent[task.task_id] = tree_cpu(os.getpid()) - before
            print(f"{task.task_id:16}{spent[task.task_id]:8.2f} CPU s  {entry['n_plus']} of "
                  f"{entry['n_tried']}, {entry['stop']}", flush=True)  # fmt: skip
    print(f"{len(spent)} tasks: median {statistics.median(spent.values()):.2f} CPU s, "
          f"largest {max(spent.values()):.1f}, sum {sum(spent.values()):.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
