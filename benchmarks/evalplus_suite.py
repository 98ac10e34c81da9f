"""A suite of what EvalPlus's mutator makes, for the same judge: an anchor for catch rates.

    python benchmarks/evalplus_suite.py --bench mbpp --data DIR --python EVALPLUS_PYTHON --d FILE
        --corpus DIR --out FOLDER [--wanted 1000] [--cpu-limit 20]

For the tasks of D only (see ``valid_wrong.py``). The inputs start from the base inputs alone; those
that fit contract and strict types become plus tests, in the order in which they were made. The
folder can then be given to ``wrong_programs.py``.
"""

import argparse
import ast
import gzip
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from corpus import BENCHMARKS, read_corpus, roomy, strict, valid_record
from plusforge.oracle.benchmarks import load_benchmark, locate
from plusforge.oracle.errors import TaskError
from plusforge.oracle.runner import Sandbox


def generated(options: argparse.Namespace, tasks: list[str]) -> dict[str, list[str]]:
    """Run EvalPlus; return the texts of what it kept, by task."""
    script = Path(__file__).with_name("evalplus_generation.py")
    released = locate(BENCHMARKS[options.bench], data=options.data)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "tasks.jsonl"
        plain.write_bytes(gzip.decompress(released.read_bytes()))
        limits = [str(options.wanted), str(options.cpu_limit)]
        command = [options.python, str(script), "--inputs", str(plain), *limits, *tasks]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines()]
    print("stalled:", [row["task_id"] for row in rows if row["stalled"]])
    return {row["task_id"]: row["inputs"] for row in rows}


def read_inputs(texts: list[str]) -> list[tuple[Any, ...]]:
    """Return the inputs that are literals; NaN and infinity, for example, are none."""
    found = []
    for text in texts:
        try:
            found.append(tuple(ast.literal_eval(text)))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return found


def main() -> None:
    """Make the suite."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", choices=BENCHMARKS, default="mbpp")
    for name in ("--data", "--d", "--corpus", "--out"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--python", required=True, help="an interpreter that has evalplus")
    parser.add_argument("--wanted", type=int, default=1000)
    parser.add_argument("--cpu-limit", type=float, default=20.0)
    options = parser.parse_args()
    lines = set(json.loads(options.d.read_text())["lines"])
    corpus = read_corpus(options.corpus, options.bench)
    wanted = list(dict.fromkeys(entry.task_id for entry in corpus if entry.line in lines))
    made = generated(options, wanted)
    tasks = {
        t.task_id: t for t in load_benchmark(BENCHMARKS[options.bench], data=options.data).tasks
    }
    options.out.mkdir(parents=True, exist_ok=True)
    with (
        Sandbox() as first, Sandbox(hash_seed=1) as second,
        gzip.open(options.out / "plus.jsonl.gz", "wt", encoding="utf-8") as out,
    ):  # fmt: skip
        for task_id, texts in made.items():
            try:
                prepared = strict(roomy(tasks[task_id]), first, second)
                inputs = read_inputs(texts)
                record, dropped = valid_record(prepared, inputs, first, second, by_size=False)
            except TaskError as exc:
                print(f"{task_id}: {exc}")
                continue
            print(task_id, len(texts), len(record["plus"]), dropped, flush=True)
            print(json.dumps(record), file=out)


if __name__ == "__main__":
    main()
