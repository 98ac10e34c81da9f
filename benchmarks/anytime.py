"""How many inputs a search runs until it has killed so many mutants: blind, driven, and EvalPlus's.

    python benchmarks/anytime.py --data DIR [--rows FILE] [--svg docs/figures/anytime.svg]

The first part takes every 8th task of HumanEval+ under five seeds, with kills steering the search
and without. The second takes every 4th task: the kills that EvalPlus's TypedMutGen adds to those
of the base inputs with 1,000 kept inputs, and how many inputs were run until they were all made, on
both sides. An input counts as run when it is no duplicate, so rejected ones count on both sides.
Only kills by inputs that pass our sieve count on either side. Mutants steer the driven search and
are what is counted: it shows how soon it gets where it wants to be, not what it is worth elsewhere.

EvalPlus is found as in ``generation.py``. Each task's row is appended to a file as soon as it is
there; a run that was broken off goes on.
"""

import argparse
import ast
import json
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalplus_python import evalplus_python
from generation import FILES, STALL_CPU_S, WANTED
from line_chart import Line, line_chart
from plusforge.generator.config import Config
from plusforge.generator.kills import Hunt
from plusforge.generator.pipeline import Workbench
from plusforge.generator.search import Search
from plusforge.oracle.answers import Answer, limits_of, reference_programs
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import DataError
from plusforge.oracle.files import read_text
from plusforge.oracle.mutants import mutants_of
from plusforge.oracle.outcome import Program
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.targets import TargetSession
from plusforge.oracle.task import Task
from plusforge.oracle.values import Args
from plusforge.oracle.verdict import Rejection
from rows import Row, rows_of

BENCHMARK = "humaneval+"
SEEDS = range(5)
PLACES = (10, 18, 32, 56, 100, 178, 316, 562, 1000, 1778, 3162, 5623, 10_000)
SHOWN = (10, 32, 100, 316, 1000, 3162, 10_000)

Curve = list[tuple[int, int]]
"""Inputs run until a mutant was killed, and which."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker.

    Attributes:
        task: The task.
        runs: Which searches, as (driven, seed).
        theirs: EvalPlus's kept inputs, written out, each with the count of tries up to it.
    """

    task: Task
    runs: tuple[tuple[bool, int], ...]
    theirs: tuple[tuple[int, str], ...]

    @property
    def key(self) -> str:
        """Return what tells its row from others."""
        return f"{self.task.task_id} {len(self.runs)} {len(self.theirs)}"


class Watched(Sieve):
    """A sieve that notes how many inputs were run until each answer."""

    def __init__(self, prepared: Prepared, bench: Workbench) -> None:
        super().__init__(prepared, bench.first, bench.second)
        self.log: list[tuple[int, bytes]] = []

    @property
    def ran(self) -> int:
        """Candidates so far that are no duplicates."""
        return self.tally.tried - self.tally.counts[Rejection.DUPLICATE]

    def feed(self, candidates: Sequence[Args], origin: str | list[str]) -> list[Answer | None]:
        """Judge a batch; its candidates are taken to be run at even distances."""
        before = self.ran
        answers = super().feed(candidates, origin)
        each = (self.ran - before) / max(1, len(candidates))
        self.log += [(before + round(each * place), answer.args)
                     for place, answer in enumerate(answers, 1) if answer is not None]  # fmt: skip
        return answers


def measure(piece: Piece, bench: Workbench) -> Row:
    """Return the row of one task: the curve of each search."""
    prepared = prepare(piece.task, bench.first, bench.second)
    task = prepared.task
    mutants = mutants_of(task.references[0].source, task.entry_point)
    programs = [Program(mutant.source, task.entry_point, mutant.name) for mutant in mutants]
    curves: dict[str, Curve] = {}
    with bench.first.targets(
        reference_programs(task)[0],
        programs,
        limits_of(task, steps=task.limits.steps),
        task.comparison,
    ) as session:
        kills = session.feed([answer.args for answer in prepared.base], once=True)
        base = set[int]().union(*kills)
        rest = [index for index in range(len(mutants)) if index not in base]
        for driven, seed in piece.runs:
            log = _search(prepared, bench, seed, driven=driven)
            curves[f"{'driven' if driven else 'blind'} {seed}"] = _curve(session, log, rest)
        curves["theirs"] = _curve(session, _valid(piece, prepared, bench), rest)
    return {
        "key": piece.key,
        "task_id": task.task_id,
        "n_mutants": len(mutants),
        "n_base": len(base),
        "curves": curves,
    }


def _search(
    prepared: Prepared, bench: Workbench, seed: int, *, driven: bool
) -> list[tuple[int, bytes]]:
    config = Config(budget=WANTED // 2, seed=seed)  # twice as many pass the sieve
    with Watched(prepared, bench) as sieve, ExitStack() as stack:
        hunt = stack.enter_context(Hunt(prepared.task, bench.first)) if driven else None
        Search(prepared, sieve, config, BENCHMARK, hunt).run()
    return sieve.log


def _valid(piece: Piece, prepared: Prepared, bench: Workbench) -> list[tuple[int, bytes]]:
    inputs = [tuple(ast.literal_eval(text)) for _, text in piece.theirs]
    with Sieve(prepared, bench.first, bench.second) as sieve:
        answers = sieve.feed(inputs, "theirs")
    pairs = zip(piece.theirs, answers, strict=True)
    return [(tries, answer.args) for (tries, _), answer in pairs if answer is not None]


def _curve(session: TargetSession, log: Sequence[tuple[int, bytes]], alive: Sequence[int]) -> Curve:
    kills = session.feed([args for _, args in log], alive, once=True)
    return [(ran, index) for (ran, _), killed in zip(log, kills, strict=True) for index in killed]


_bench: Workbench | None = None
"""The workbench of a worker process; lives as long as the process."""


def _work(piece: Piece) -> Row:
    global _bench  # noqa: PLW0603 - one pair of sandboxes a worker process
    if _bench is None:
        _bench = Workbench()
    try:
        return measure(piece, _bench)
    except DataError as exc:
        return {"key": piece.key, "task_id": piece.task.task_id, "why": str(exc)}


def _lost(piece: Piece) -> Row:
    return {"key": piece.key, "task_id": piece.task.task_id, "why": "worker lost"}


def theirs(data: Path, ids: Sequence[str], file: Path) -> dict[str, tuple[tuple[int, str], ...]]:
    """Return EvalPlus's kept inputs by task; they are kept in a file, which is read if it is there.

    Raises:
        CalledProcessError: EvalPlus could not be installed or run.
    """
    if not file.exists():
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "tasks.jsonl"
            plain.write_text(read_text(data / FILES[BENCHMARK]))
            script = Path(__file__).with_name("evalplus_generation.py")
            command = [evalplus_python(Path(folder)), str(script), "--inputs", str(plain)]
            command += [str(WANTED), str(STALL_CPU_S), *ids]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        file.write_text(output)
    rows = map(json.loads, file.read_text().splitlines())
    return {row["task_id"]: tuple(_readable(row)) for row in rows}


def _readable(row: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the inputs that are literals; infinities and the like are none, and not valid."""
    for tries, text in zip(row["kept_at"], row["inputs"], strict=False):
        try:
            ast.literal_eval(text)
        except ValueError:
            continue
        yield tries, text


def report(rows: Sequence[Row], figure: Path) -> None:
    """Print both tables and write the figure."""
    studied = [row for row in rows if any(name.startswith("blind") for name in row["curves"])]
    known = [len({index for curve in row["curves"].values() for _, index in curve})
             for row in studied]  # fmt: skip
    print(f"{len(studied)} tasks, {sum(row['n_mutants'] for row in studied):,} mutants, "
          f"{sum(row['n_base'] for row in studied):,} killed by base inputs, "
          f"{sum(known)} more by any search")  # fmt: skip
    shares: dict[str, list[list[float]]] = {
        mode: [[_reached(studied, f"{mode} {seed}", place) / sum(known) for seed in SEEDS]
               for place in PLACES]
        for mode in ("blind", "driven")
    }  # fmt: skip
    shares["TypedMutGen"] = [[_reached(studied, "theirs", p) / sum(known)] for p in PLACES]
    print(f"{'inputs run':14}" + "".join(f"{place:>16,}" for place in SHOWN))
    for mode, table in shares.items():
        cells = [table[PLACES.index(place)] for place in SHOWN]
        print(f"{mode:14}" + "".join(
            f"{f'{statistics.median(c):.1%} ({min(c):.0%}-{max(c):.0%})':>16}" for c in cells
        ))  # fmt: skip
    colours = dict(zip(shares, ("#888", "#06c", "#c40"), strict=True))
    lines = [
        Line(mode, colours[mode], [*map(statistics.median, table)],
             [*map(min, table)], [*map(max, table)])
        for mode, table in shares.items()
    ]  # fmt: skip
    figure.parent.mkdir(parents=True, exist_ok=True)
    figure.write_text(line_chart(PLACES, lines, across="inputs run",
                                 up="mutants killed beyond the base tests"))  # fmt: skip
    print(f"written to {figure}")
    _report_ratios(rows)


def _reached(rows: Sequence[Row], name: str, place: int) -> int:
    return sum(ran <= place for row in rows for ran, _ in row["curves"][name])


def _report_ratios(rows: Sequence[Row]) -> None:
    ratios, never = [], []
    for row in rows:
        wanted = {index: ran for ran, index in row["curves"]["theirs"]}
        if not wanted:
            continue
        ours = {index: ran for ran, index in row["curves"]["driven 0"]}
        missed = wanted.keys() - ours.keys()
        until = max((ours[index] for index in wanted if index in ours), default=0)
        tries = max(wanted.values())
        lost = f", {len(missed)} never" if missed else ""
        print(f"{row['task_id']:16}{len(wanted):4} kills that TypedMutGen adds: after {tries:,} "
              f"inputs run; ours after {until:,}{lost}")  # fmt: skip
        if missed:
            never.append(row["task_id"])
        ratios.append(0.0 if missed else tries / until)
    if ratios:
        median = statistics.median(ratios)
        print(f"{len(ratios)} tasks where it adds a kill: median {median:.1f} times fewer inputs; "
              f"not all killed by us on {', '.join(never) or 'none'}")  # fmt: skip


def main() -> None:
    """Measure what is not measured yet, print the tables and write the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, default=Path("anytime.jsonl"))
    parser.add_argument("--theirs", type=Path, default=Path("anytime_evalplus.jsonl"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--svg", type=Path, default=Path("docs/figures/anytime.svg"))
    options = parser.parse_args()
    tasks = load_benchmark(BENCHMARK, data=options.data).tasks[::4]
    found = theirs(options.data, [task.task_id for task in tasks], options.theirs)
    both = tuple((driven, seed) for seed in SEEDS for driven in (False, True))
    pieces = [
        Piece(task, both if place % 2 == 0 else ((True, 0),), found[task.task_id])
        for place, task in enumerate(tasks)
        if task.task_id in found
    ]
    rows = {}
    for row in rows_of(_work, pieces, options.rows, options.jobs, lost=_lost):
        if "why" in row:
            print(f"not measured: {row['task_id']}: {row['why'][:150]}")
        else:
            rows[row["task_id"]] = row
    report([rows[task.task_id] for task in tasks if task.task_id in rows], options.svg)


if __name__ == "__main__":
    main()
