"""How many real wrong programs the first n plus inputs of a suite catch.

    python benchmarks/wrong_programs.py SUITE --bench humaneval --corpus DIR [--d FILE]
        [--without TASK_ID ...] [--at 10 30 100 300 1000]

The programs are those of D, as ``valid_wrong.py`` writes it (they pass the base tests and are wrong
on a valid input), and all that pass the base tests and fail the released plus tests without a
time-out. A program counts as caught when it comes to another value or exception; never for being
slow. Inputs are taken by their ``order``, where the suite has one. Missed programs are named, with
the smallest released input that catches them.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from corpus import BENCHMARKS, Entry, exposed, read_corpus
from plusforge.oracle.runner import Sandbox

from tests.suites import killed_by, read_suite


def first_kills(suite: Path, programs: list[Entry]) -> list[int | None]:
    """Return the index of the first plus input that catches it, for each program."""
    records: dict[str, dict[str, Any]] = {}
    for record in read_suite(suite):
        plus = enumerate(record["plus"])
        ordered = sorted(plus, key=lambda place: place[1].get("order", place[0]))
        records[record["task_id"]] = record | {"plus": [test for _, test in ordered]}
    found: list[int | None] = []
    with Sandbox() as sandbox:
        for program in programs:
            record = records.get(program.task_id, {"plus": []})
            kills = killed_by(sandbox, record, program.source, record["plus"])
            found.append(next(kills, None))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", type=Path)
    parser.add_argument("--bench", choices=BENCHMARKS, default="humaneval")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--d", type=Path, help="D [default: D_BENCH.json of the corpus]")
    parser.add_argument("--without", nargs="*", default=[], help="tasks to leave out once more")
    parser.add_argument("--at", nargs="*", type=int, default=[10, 30, 100, 300, 1000])
    options = parser.parse_args()
    named = options.d or options.corpus / f"D_{options.bench}.json"
    valid: dict[str, str] = json.loads(named.read_text())["witness"]
    programs = exposed(read_corpus(options.corpus, options.bench))
    found = list(zip(programs, first_kills(options.suite, programs), strict=True))
    decided = [one for one in found if str(one[0].line) in valid]
    sets = {"all": found, "D": decided}
    if options.without:
        fewer = [one for one in decided if one[0].task_id not in options.without]
        sets[f"D{len(fewer)}"] = fewer
    for name, members in sets.items():
        counts = [sum(index is not None and index < n for _, index in members)
                  for n in options.at]  # fmt: skip
        shares = "  ".join(f"@{n} {c} ({100 * c / len(members):.1f} %)"
                           for n, c in zip(options.at, counts, strict=True))  # fmt: skip
        print(f"{name:5} {len(members):4}  {shares}")
    for limit in (100, None):
        late = Counter(
            program.task_id
            for program, index in decided
            if index is None or (limit is not None and index >= limit)
        )
        print(f"D not caught by {'all' if limit is None else f'the first {limit}'}:", dict(late))
    for program, index in decided:
        if index is None:
            line = program.line
            print(f"  missed: {program.task_id} line {line}, caught by {valid[str(line)]}")


if __name__ == "__main__":
    main()
