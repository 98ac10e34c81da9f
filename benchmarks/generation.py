"""Kept valid inputs per CPU second, side by side with EvalPlus's TypedMutGen, in one run.

Every 13th of the 542 tasks of HumanEval+ and MBPP+ in file order; both sides start from the base
inputs alone and want 1,000 inputs. CPU seconds of the whole process tree: ours includes workers,
sandboxes, pre-flight and the choice of inputs. "Kept" means passed the whole sieve.

    python benchmarks/generation.py --data DIR [--every 13]

EvalPlus 0.3.1 is installed into a virtual environment of its own, in a temporary folder;
``$EVALPLUS_PYTHON`` names an interpreter that has it already.
"""

import argparse
import gzip
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from evalplus_python import evalplus_python
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.task import Task

WANTED = 1000
STALL_CPU_S = 20.0

TICK = os.sysconf("SC_CLK_TCK")
FILES = {"humaneval+": "HumanEvalPlus.jsonl.gz", "mbpp+": "MbppPlus.jsonl.gz"}


def tree_cpu(root: int) -> float:
    """Return the CPU seconds of a process, its living descendants and all they have reaped."""
    children: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(entry.name)
        children.setdefault(int(fields[1]), []).append(pid)
        spent[pid] = sum(map(int, fields[11:15])) / TICK
    total, todo = 0.0, [root]
    while todo:
        pid = todo.pop()
        total += spent.get(pid, 0.0)
        todo += children.get(pid, [])
    return total


def ours(tasks: list[tuple[str, Task]]) -> dict[str, dict[str, float]]:
    """Generate with plusforge; return kept, tried and CPU seconds by task."""
    found: dict[str, dict[str, float]] = {}
    config = Config(budget=WANTED, blind=True)
    with Workbench() as bench:
        _ = bench.first.report  # starts the processes
        _ = bench.second.report
        for benchmark, task in tasks:
            before = tree_cpu(os.getpid())
            clock = time.process_time()
            entry = run_task(task, benchmark, config, bench).entry
            own = time.process_time() - clock
            cpu = max(own, tree_cpu(os.getpid()) - before)
            rejected = entry["rejections"]
            found[task.task_id] = {
                "kept": entry["n_plus"] + rejected.get("surplus", 0),
                "tried": entry["n_tried"],
                "wasted": rejected.get("arity", 0) + rejected.get("type", 0),
                "cpu_s": cpu,
                "own_cpu_s": own,
            }
    return found


def theirs(data: Path, ids: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Generate with EvalPlus; return kept, tried and CPU seconds by task."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        python = evalplus_python(Path(folder))
        script = Path(__file__).with_name("evalplus_generation.py")
        for benchmark, chosen in ids.items():
            plain = Path(folder) / f"{benchmark}.jsonl"
            plain.write_bytes(gzip.decompress((data / FILES[benchmark]).read_bytes()))
            command = [python, str(script), str(plain), str(WANTED), str(STALL_CPU_S), *chosen]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for line in output.splitlines():
                row = json.loads(line)
                found[row["task_id"]] = row
    return found


def main() -> None:
    """Run both sides and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=13)
    options = parser.parse_args()
    tasks = [
        (name, task) for name in FILES for task in load_benchmark(name, data=options.data).tasks
    ][:: options.every]
    ids = {name: [t.task_id for n, t in tasks if n == name] for name in FILES}
    mine, other = ours(tasks), theirs(options.data, ids)
    print(f"{'task':<16}{'ours kept/tried':>18}{'CPU s':>8}{'EvalPlus kept/tried':>22}"
          f"{'CPU s':>8}{'ratio':>8}")  # fmt: skip
    ratios: dict[str, list[float]] = {name: [] for name in FILES}
    stalled = []
    for name, task in tasks:
        a, b = mine[task.task_id], other[task.task_id]
        ratio = (a["kept"] / a["cpu_s"]) / max(b["kept"] / b["cpu_s"], 1e-9)
        if b["stalled"]:
            stalled.append(task.task_id)
        else:
            ratios[name].append(ratio)
        print(f"{task.task_id:<16}{a['kept']:>9}/{a['tried']:<8}{a['cpu_s']:>8.3f}"
              f"{b['kept']:>13}/{b['tried']:<8}{b['cpu_s']:>8.3f}"
              f"{'stall' if b['stalled'] else format(ratio, '8.1f'):>8}")  # fmt: skip
    together = ratios["humaneval+"] + ratios["mbpp+"]
    for name, values in {**ratios, "both": together}.items():
        print(f"{name}: median ratio {statistics.median(values):.1f} over {len(values)} tasks")
    for label, side in (("ours", mine), ("EvalPlus", other)):
        rate = statistics.median(row["kept"] / row["cpu_s"] for row in side.values())
        print(f"{label}: median {rate:,.0f} kept inputs per CPU second")
    print(f"EvalPlus stalls ({STALL_CPU_S:.0f} CPU s): {', '.join(stalled) or 'none'}")
    wasted = sum(row["wasted"] for row in mine.values())
    print(f"ours: attempts wasted on arity or type: {wasted:.0f}")


if __name__ == "__main__":
    main()
