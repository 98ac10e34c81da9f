"""From a benchmark to its suites: every task on its own, in any number of workers, merged in order.

A task's result depends on the task, the seed and the budget alone, so the number of workers, their
order and the machine's load cannot change it. A fault of one task becomes that task's ``why``.
"""

from __future__ import annotations

import gc
import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Self

from plusforge.generator.choose import choose, with_all_kills
from plusforge.generator.config import Config
from plusforge.generator.kills import Hunt
from plusforge.generator.publish import TaskResult, doubts, failed_result, suite_line
from plusforge.generator.search import Found, Search
from plusforge.generator.traits import FOOTPRINT, Facet, kill_traits, traits
from plusforge.oracle.answers import own_args
from plusforge.oracle.errors import EnvironmentFault, TaskError
from plusforge.oracle.footprint import footprints
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.sieve import Sieve, Tally
from plusforge.oracle.suite import encode_test, record_of
from plusforge.oracle.task import Task
from plusforge.oracle.values import Args, Raised, Value, encode_args, key_of
from plusforge.oracle.verdict import Rejection, Stop
from plusforge.oracle.workers import spread

log = logging.getLogger(__name__)

OnResult = Callable[[TaskResult], None]


class Workbench:
    """The two sandboxes a worker keeps: everything is run in one and run again in the other."""

    def __init__(self) -> None:
        """Make the pair; the processes start when they are first used."""
        self._stack = ExitStack()
        # Different hash seeds, so that an outcome that rests on the order of a set shows.
        self.first = self._stack.enter_context(Sandbox(hash_seed=0))
        self.second = self._stack.enter_context(Sandbox(hash_seed=1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def run_task(task: Task, benchmark: str, config: Config, bench: Workbench) -> TaskResult:
    """Take one task from its record to its line of the suite.

    Args:
        task: As loaded.
        benchmark: The benchmark's name; part of the random stream's label.
        config: The run's settings.
        bench: The worker's sandboxes.

    Returns:
        The result; a task that cannot be used comes back as failed, with the reason.

    Raises:
        EnvironmentFault: The sandbox does not work here, so no task can be done.
    """
    try:
        with _uncollected():
            prepared = prepare(task, bench.first, bench.second)
            return _search(prepared, benchmark, config, bench)
    except TaskError as exc:
        where = exc.where or task.source
        why = f"{where}: {exc}" if where else str(exc)
        return failed_result(task.task_id, why, len({key_of(test.args) for test in task.base}))
    except EnvironmentFault:
        raise
    except Exception as exc:
        # Our own fault, but one task's: say so, keep the trace, let the others go on.
        log.error("internal error on %s:\n%s", task.task_id, traceback.format_exc())
        return failed_result(task.task_id, f"internal error, please report: {exc!r}")


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold the cycle collector back: the objects of a task are many, stay, and form no cycles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _search(prepared: Prepared, benchmark: str, config: Config, bench: Workbench) -> TaskResult:
    with Sieve(prepared, bench.first, bench.second) as sieve, ExitStack() as stack:
        hunt = None
        if not config.blind:
            hunt = stack.enter_context(Hunt(prepared.task, bench.first, prepared.task.samples))
        found = Search(prepared, sieve, config, benchmark, hunt).run()
        tally = sieve.tally
        prints = footprints(prepared.task, [answer.args for answer in found.pool], bench.first)
        plus, driven = _published(prepared, found, config, hunt, prints.prints)
    surplus = len(found.pool) - len(plus)
    if surplus:
        tally.counts[Rejection.SURPLUS] += surplus
    # The only decision a clock ever takes: an emergency stop, and the record says so.
    stopped = (
        tally.counts[Rejection.REFERENCE_TIMEOUT]
        or prints.stopped
        or (hunt and hunt.stopped_by_a_clock)
    )
    stop = Stop.TRUNCATED if stopped else found.stop
    entry: dict[str, Any] = {
        "n_base": len(prepared.base),
        "n_plus": len(plus),
        "n_tried": tally.tried,
        "rejections": {str(r): n for r, n in sorted(tally.counts.items()) if n},
        "stop": str(stop),
    }
    if stop is Stop.BUDGET and len(plus) < config.budget:
        entry["why"] = _shortfall(found, len(plus), config)
    entry |= driven
    notes = [*prepared.notes, *doubts(entry["rejections"])]
    if notes:
        entry["notes"] = notes
    return TaskResult(
        task_id=prepared.task.task_id,
        line=suite_line(record_of(prepared, plus)),
        entry=entry,
        rejected=_rejected(tally),
    )


def _published(
    prepared: Prepared, found: Found, config: Config, hunt: Hunt | None, prints: Sequence[int]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Choose the inputs that are published.

    Returns:
        Their tests, in order; and what the manifest says about targets and tiers.
    """
    decoded = [(own_args(answer.args), answer.value()) for answer in found.pool]
    facets = [
        [*_facets(*case), (FOOTPRINT, footprint)]
        for case, footprint in zip(decoded, prints, strict=True)
    ]
    if hunt is None:
        chosen = choose(facets, config.budget)
        return [encode_test(*decoded[i], found.pool[i].origin) for i in chosen], {}
    # Varied inputs first: where targets are slow, the table of kills ends before the pool does.
    varied = choose(facets, len(decoded))
    table = hunt.table(prepared.base, [found.pool[index] for index in varied])
    place = {index: rank for rank, index in enumerate(varied)}
    rows = table.rows
    # In the order of discovery: of inputs that are equally good the simpler was found first.
    killing = [rows[place[index]] for index in range(len(facets))]
    chosen = choose(
        [[*one, *kill_traits(kills)] for one, kills in zip(facets, killing, strict=True)],
        config.budget,
    )
    chosen = with_all_kills(chosen, killing)
    published = [place[index] for index in chosen]
    tiers = table.tiers(published)
    plus = []
    for rank, index in enumerate(chosen):
        labels = {"order": rank, "tiers": tiers.of(rank), "why": list(tiers.why[rank])}
        plus.append(encode_test(*decoded[index], found.pool[index].origin) | labels)
    return plus, {
        "targets": table.summary(published) | ({"beyond": hunt.beyond} if hunt.beyond else {}),
        "tiers": {"nano": len(tiers.nano), "mini": len(tiers.mini), "proved": tiers.proved},
        "risk": 0.0 if found.stop is Stop.EXHAUSTED else table.risk(),
    }


def _shortfall(found: Found, kept: int, config: Config) -> str:
    """Say why a search that stopped for its budget keeps fewer inputs than the budget allows."""
    count = f"{kept:,} of {config.budget:,} inputs"
    if found.spent:
        return f"the {found.spent} allowed were used up at {count}"
    return f"the last checks (nondeterministic, checker) left {count}; see the rejections"


def _facets(args: Args, outcome: Value | Raised) -> list[Facet]:
    """Return the traits of an input and its outcome.

    Inputs that come back unchanged are a class apart, so that they do not crowd out those on which
    a program has something to do.
    """
    unchanged = outcome == args or any(
        type(outcome) is type(arg) and outcome == arg for arg in args if arg
    )
    (place, seen), *others = traits(args, outcome)
    return [(place, (seen, unchanged)), *others]


def _rejected(tally: Tally) -> dict[str, Any]:
    return {
        str(reason): {
            "count": count,
            "examples": [
                {"args": encode_args(own_args(args)) if args else None, "message": message}
                for args, message in tally.examples.get(reason, [])
            ],
        }
        for reason, count in sorted(tally.counts.items())
        if count
    }


def run_tasks(
    tasks: Sequence[Task], benchmark: str, config: Config, on_result: OnResult
) -> list[TaskResult]:
    """Run every task, in ``config.jobs`` processes.

    Args:
        tasks: In the order of the benchmark.
        benchmark: Its name.
        config: The run's settings.
        on_result: Called with each result as it comes, in any order.

    Returns:
        The results in the order of the tasks.

    Raises:
        EnvironmentFault: The sandbox does not work here.
    """
    results: dict[str, TaskResult] = {}
    runner = _in_process if config.jobs == 1 or len(tasks) < 2 else _in_workers
    for result in runner(tasks, benchmark, config):
        results[result.task_id] = result
        on_result(result)
    return [results[task.task_id] for task in tasks]


def _in_process(tasks: Sequence[Task], benchmark: str, config: Config) -> Iterator[TaskResult]:
    with Workbench() as bench:
        for task in tasks:
            yield run_task(task, benchmark, config, bench)


_bench: Workbench | None = None
"""The workbench of a worker process; lives as long as the process."""


def _work(piece: tuple[Task, str, Config]) -> TaskResult:
    global _bench  # noqa: PLW0603 - one pair of sandboxes a worker process
    if _bench is None:
        _bench = Workbench()
    return run_task(*piece, _bench)


def _in_workers(tasks: Sequence[Task], benchmark: str, config: Config) -> Iterator[TaskResult]:
    pieces = [(task, benchmark, config) for task in tasks]
    return spread(_work, pieces, config.jobs, lost=_lost)


def _lost(piece: tuple[Task, str, Config]) -> TaskResult:
    return failed_result(piece[0].task_id, "its worker process died twice (out of memory?)")
