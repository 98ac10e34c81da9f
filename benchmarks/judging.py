"""CPU time of judging the same samples, side by side with ``evalplus.evaluate``, in one run.

    python benchmarks/judging.py --data DIR [--sets canonical mixed] [--mutants 5] [--repeat N]

Two sets of samples for full HumanEval+: its 164 canonical solutions, and 1,640 mixed ones (each
canonical solution five times and five wrong mutants of it, no two texts alike). Both judges have
their ground truth cached, one worker, and stop at a sample's first failure. CPU seconds of the
whole process tree; "bare" is what the calls alone cost in a plain Python process.

What the canonical set costs beyond them is a small difference of large numbers, each of which
varies by a tenth with what else the machine does. So all three are taken in turn, in rounds, and
the differences within each round compared; the median round counts. Of the mixed set the bare
calls are those of its right half, without which no judge can do.

EvalPlus is installed into a virtual environment of its own, in a temporary folder; point
``EVALPLUS_PYTHON`` to one that has it to save that time.
"""

import argparse
import ast
import copy
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from evalplus_python import evalplus_python

FILE = "HumanEvalPlus.jsonl.gz"

ROUNDS = {"canonical": 7, "mixed": 3}

SWAPS: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(), ast.Add: ast.Sub(), ast.Sub: ast.Add(),
    ast.Mult: ast.Add(), ast.FloorDiv: ast.Mult(), ast.Mod: ast.FloorDiv(), ast.And: ast.Or(),
    ast.Or: ast.And(),
}  # fmt: skip


class _Mutate(ast.NodeTransformer):
    """Changes the operator or number that is the n-th place to change anything."""

    def __init__(self, place: int) -> None:
        self.left = place

    def visit(self, node: ast.AST) -> ast.AST:
        """Count down to the place, and change it there."""
        number = isinstance(node, ast.Constant) and type(node.value) is int
        if type(node) in SWAPS or number:
            self.left -= 1
            if self.left == -1:
                return ast.Constant(node.value + 1) if number else SWAPS[type(node)]  # type: ignore[attr-defined]
        return self.generic_visit(node)


def mutants(source: str, wanted: int) -> list[str]:
    """Return programs with one small fault each."""
    tree = ast.parse(source)
    places = sum(
        type(node) in SWAPS or (isinstance(node, ast.Constant) and type(node.value) is int)
        for node in ast.walk(tree)
    )
    step = max(1, places // wanted)
    chosen = [index * step % max(1, places) for index in range(wanted)]
    return [ast.unparse(_Mutate(place).visit(copy.deepcopy(tree))) for place in chosen]


def canonical(record: dict[str, Any]) -> str:
    """Return a task's own solution."""
    return str(record["prompt"] + record["canonical_solution"])


def write_samples(programs: list[tuple[str, list[str]]], path: Path) -> int:
    """Write the programs of each task, no two texts alike; return how many."""
    count = 0
    with path.open("w") as out:
        for task_id, texts in programs:
            for number, text in enumerate(texts):
                unique = f"{text.rstrip()}\n# sample {number}\n"
                out.write(json.dumps({"task_id": task_id, "solution": unique}) + "\n")
                count += 1
    return count


def mixed(
    records: list[dict[str, Any]], wanted: int, suite: Path, cache: Path, folder: Path
) -> list[tuple[str, list[str]]]:
    """Return each canonical solution ``wanted`` times, and as many mutants that are wrong.

    Which mutants are wrong is judged beforehand. Where a task has too few, right ones fill up.
    """
    pool = [(record["task_id"], mutants(canonical(record), 4 * wanted)) for record in records]
    path = folder / "pool.jsonl"
    write_samples(pool, path)
    _, _, pairs = ours(suite, path, cache, folder)
    right = iter(plus for _, plus in pairs)
    found = []
    for record, (task_id, texts) in zip(records, pool, strict=True):
        ranked = sorted([(next(right), text) for text in texts], key=lambda pair: pair[0])
        chosen = [text for _, text in ranked[:wanted]]
        found.append((task_id, [canonical(record)] * wanted + chosen))
    return found


def run(command: list[str], env: dict[str, str], cwd: Path) -> tuple[float, float]:
    """Run a command; return its tree's CPU seconds and the largest process's MiB."""
    with tempfile.TemporaryFile() as output:
        # Both judges as installed: with the byte code of their modules cached.
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        process = subprocess.Popen(
            command, env=inherited | env, cwd=cwd, stdin=subprocess.DEVNULL,
            stdout=output, stderr=output,
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{command[0]} failed: {output.read().decode()[-4000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def bare(records: list[dict[str, Any]]) -> float:
    """Return the CPU seconds of the canonical solutions' calls alone."""
    spent = 0.0
    sys.set_int_max_str_digits(0)
    for record in records:
        namespace: dict[str, Any] = {}
        exec(canonical(record), namespace)  # noqa: S102
        function = namespace[record["entry_point"]]
        inputs = copy.deepcopy([*record["base_input"], *record["plus_input"]])
        start = time.process_time()
        for args in inputs:
            function(*args)
        spent += time.process_time() - start
    return spent


def ours(suite: Path, samples: Path, cache: Path, folder: Path) -> tuple[float, float, list[Any]]:
    """Judge with plusforge: CPU, MiB, and the verdict pairs."""
    out = folder / "ours.json"
    command = [sys.executable, "-m", "plusforge.generator", "evaluate", str(suite), str(samples),
               "--k", "1", "--rules", "evalplus", "--out", str(out), "--quiet"]  # fmt: skip
    cpu, mib = run(command, {"XDG_CACHE_HOME": str(cache)}, folder)
    found = json.loads(out.read_text())["samples"]
    return cpu, mib, [(s["base"] == "pass", s["base"] == s["plus"] == "pass") for s in found]


def theirs(
    python: str, samples: Path, env: dict[str, str], folder: Path
) -> tuple[float, float, list[Any]]:
    """Judge with EvalPlus: CPU, MiB, and the verdict pairs."""
    result = samples.with_name(samples.stem + "_eval_results.json")
    result.unlink(missing_ok=True)
    command = [python, "-m", "evalplus.evaluate", "--dataset", "humaneval", "--samples",
               str(samples), "--parallel", "1", "--i_just_wanna_run"]  # fmt: skip
    cpu, mib = run(command, env, folder)
    found = json.loads(result.read_text())["eval"]
    order = [json.loads(line)["task_id"] for line in samples.read_text().splitlines()]
    taken: Counter[str] = Counter()
    pairs = []
    for task_id in order:
        one = found[task_id][taken[task_id]]
        taken[task_id] += 1
        base = one["base_status"] == "pass"
        pairs.append((base, base and one["plus_status"] == "pass"))
    return cpu, mib, pairs


def main() -> None:
    """Run both judges on each set and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", choices=ROUNDS, default=list(ROUNDS))
    parser.add_argument("--mutants", type=int, default=5)
    parser.add_argument(
        "--repeat", type=int, help="rounds; the median counts [default: canonical 7, mixed 3]"
    )
    options = parser.parse_args()
    suite = (options.data / FILE).resolve()
    content = gzip.decompress(suite.read_bytes())
    records = [json.loads(line) for line in content.splitlines()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = evalplus_python(folder, judge=True)
        plain = folder / "HumanEvalPlus.jsonl"
        plain.write_bytes(content)
        env = {"HUMANEVAL_OVERRIDE_PATH": str(plain), "HOME": name, "XDG_CACHE_HOME": name}
        cache = folder / "cache"
        samples = folder / "canonical.jsonl"
        plain_set = [(record["task_id"], [canonical(record)]) for record in records]
        write_samples(plain_set, samples)
        ours(suite, samples, cache, folder)  # fill both caches of ground truth
        theirs(python, samples, env, folder)
        for kind in options.sets:
            programs = plain_set
            if kind == "mixed":
                programs = mixed(records, options.mutants, suite, cache, folder)
            count = write_samples(programs, samples)
            floor, cpu, their_cpu = [], [], []
            mib = their_mib = 0.0
            unlike: set[tuple[int, str, Any, Any]] = set()
            ids = [json.loads(line)["task_id"] for line in samples.read_text().splitlines()]
            for _ in range(options.repeat or ROUNDS[kind]):
                for log in cache.glob("plusforge/verdicts/*"):
                    log.unlink()
                floor.append(bare(records) * (options.mutants if kind == "mixed" else 1))
                spent, peak, pairs = ours(suite, samples, cache, folder)
                cpu.append(spent)
                mib = max(mib, peak)
                spent, peak, their_pairs = theirs(python, samples, env, folder)
                their_cpu.append(spent)
                their_mib = max(their_mib, peak)
                for place in zip(range(count), ids, pairs, their_pairs, strict=True):
                    if place[2] != place[3]:
                        unlike.add(place)
            passed = sum(plus for _, plus in pairs)
            print(f"{kind}: {count} samples, {passed} pass, {len(unlike)} verdicts differ")
            mine, other, calls = median(cpu), median(their_cpu), median(floor)
            for _, task_id, a, b in sorted(unlike):
                print(f"    {task_id}: base and plus {a} here, {b} there")
            print(f"  plusforge {mine:8.1f} CPU s  {mib:7.0f} MiB")
            print(f"  EvalPlus  {other:8.1f} CPU s  {their_mib:7.0f} MiB")
            whole = median(b / a for a, b in zip(cpu, their_cpu, strict=True))
            print(f"  ratio     {whole:8.2f}", flush=True)
            rounds = list(zip(floor, cpu, their_cpu, strict=True))
            beyond = median(b - a for a, b, _ in rounds)
            their_beyond = median(c - a for a, _, c in rounds)
            times = median((c - a) / (b - a) for a, b, c in rounds)
            print(f"  bare calls {calls:7.1f} CPU s; beyond them {beyond:.2f} and "
                  f"{their_beyond:.2f} ({times:.1f} times); "
                  "bare, plusforge and EvalPlus of each round:")  # fmt: skip
            for row in rounds:
                print("    " + "  ".join(f"{number:.2f}" for number in row), flush=True)


if __name__ == "__main__":
    main()
