"""Do verdicts change from run to run on a loaded machine?

    python benchmarks/steadiness.py SUITE SAMPLES [--count 200] [--repeats 50] [--burners 10]

Judges every n-th sample again and again, beside busy loops that fight for the same processors, and
prints each sample whose verdict was not always the same. Nothing is taken from a cache but the
pre-flight.
"""

import argparse
import multiprocessing
import tempfile
import time
from collections import Counter
from pathlib import Path

from plusforge.oracle.courtroom import Courtroom, EvaluateSettings
from plusforge.oracle.judge import judge
from plusforge.oracle.samples import read_samples
from plusforge.oracle.suitefile import read_suite


def burn() -> None:
    """Use a processor until killed."""
    while True:
        pass


def main() -> None:
    """Judge, count, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", type=Path)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--burners", type=int, default=10)
    options = parser.parse_args()
    suite = read_suite(options.suite)
    found = read_samples(options.samples, suite.records).samples
    step = max(1, len(found) // options.count)
    samples = found[::step][: options.count]
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(options.burners)]
    for burner in burners:
        burner.start()
    seen: list[Counter[tuple[str, str]]] = [Counter() for _ in samples]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as cache:
        settings = EvaluateSettings(cache=Path(cache))
        with Courtroom(settings) as court:
            for repeat in range(options.repeats):
                for index, sample in enumerate(samples):
                    gold = court.gold(suite.records[sample.task_id])
                    judged = judge(sample.code, gold, court.plain, settings.judge)
                    seen[index][(str(judged.base), str(judged.plus))] += 1
                print(f"repeat {repeat + 1}: {time.monotonic() - start:.0f} s", flush=True)
    for burner in burners:
        burner.kill()
    for sample, verdicts in zip(samples, seen, strict=True):
        if len(verdicts) > 1:
            print(f"{sample.task_id} sample {sample.number}: {dict(verdicts)}")
    changed = sum(len(verdicts) > 1 for verdicts in seen)
    firsts = Counter(next(iter(verdicts))[0] for verdicts in seen)
    print(f"{len(samples)} samples, {options.repeats} repeats: {changed} verdicts change; {firsts}")


if __name__ == "__main__":
    main()
