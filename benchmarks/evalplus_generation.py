"""EvalPlus's side of the generation benchmark; runs under an interpreter that has evalplus.

Usage: python evalplus_generation.py [--inputs] FILE WANTED CPU_LIMIT_S TASK_ID...
Prints one JSON object a line: task_id, kept, tried, cpu_s, stalled; with --inputs also the inputs
that were kept, written out, and how many were tried up to each of them.
"""

# ruff: noqa: E402 - a package is replaced before the imports
import builtins
import json
import random
import resource
import sys
import time
from pathlib import Path
from types import SimpleNamespace

# evalplus.data imports this heavy package for another purpose; nothing here needs it.
sys.modules.setdefault("datasets", SimpleNamespace(load_dataset=None))  # type: ignore[arg-type]

from evalplus.data.mbpp import mbpp_deserialize_inputs
from evalplus.gen import type_mut


class CpuLimit(Exception):
    """The task used up its CPU time: it stalls."""


def main() -> None:
    arguments = sys.argv[1:]
    shown = "--inputs" in arguments
    if shown:
        arguments.remove("--inputs")
    path, wanted, limit = arguments[0], int(arguments[1]), float(arguments[2])
    chosen = set(arguments[3:])
    with Path(path).open() as lines:
        tasks = [json.loads(line) for line in lines]
    checks = 0
    kept_at: list[int] = []
    checked = type_mut.trusted_check_exec

    for task in tasks:
        if task["task_id"] not in chosen:
            continue
        random.seed(0)
        base = task["base_input"]
        if "assertion" in task:
            # As EvalPlus does: after the first line that starts the entry point's definition.
            head, start_, tail = task["canonical_solution"].partition(f"def {task['entry_point']}")
            signature, _, body = tail.partition("\n")
            solution = f"{head}{start_}{signature}\n{task['contract']}\n{body}"
            code = task["prompt"] + solution
            base = mbpp_deserialize_inputs(task["task_id"], base)
        else:
            code = task["prompt"] + task["contract"] + task["canonical_solution"]
        generator = type_mut.TypedMutGen(base, task["entry_point"], code)
        start = time.process_time()
        checks = 0
        kept_at.clear()

        def counting(*args: object) -> bool:
            nonlocal checks
            checks += 1
            # CPU, not wall, decides what counts as a stall: other jobs may be running.
            if time.process_time() - start > limit:  # noqa: B023 - used within the iteration
                raise CpuLimit
            fine = checked(*args)
            if fine:
                kept_at.append(checks)
            return fine

        type_mut.trusted_check_exec = counting
        printed = builtins.print
        builtins.print = lambda *a, **k: None
        stalled = False
        try:
            generator.generate(wanted)
        except CpuLimit:
            stalled = True
        finally:
            builtins.print = printed
        cpu = time.process_time() - start
        inputs = {"inputs": [*map(repr, generator.new_inputs)], "kept_at": kept_at} if shown else {}
        print(
            json.dumps(
                {
                    "task_id": task["task_id"],
                    "kept": len(generator.new_inputs),
                    "tried": checks,
                    "cpu_s": cpu,
                    "stalled": stalled,
                    "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    **inputs,
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
