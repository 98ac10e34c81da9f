"""From a benchmark to its suites: every task on its own, in any number of workers, merged in order.

A task's result depends on the task, the seed and the budget alone, so the number of workers, their
order and the machine's load cannot change it. A fault of one task becomes that task's ``why``.
"""

from __future__ import annotations

import logging
import os
import signal
import traceback
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context, resource_tracker
from typing import Any, Self

from plusforge.generator.choose import choose
from plusforge.generator.config import Config
from plusforge.generator.publish import TaskResult, failed_result, suite_line
from plusforge.generator.search import Search
from plusforge.generator.traits import traits
from plusforge.oracle.answers import Answer, own_args
from plusforge.oracle.errors import EnvironmentFault, TaskError
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.sieve import Sieve, Tally
from plusforge.oracle.suite import record_of
from plusforge.oracle.task import Task
from plusforge.oracle.values import encode_args
from plusforge.oracle.verdict import Rejection, Stop

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
        prepared = prepare(task, bench.first, bench.second)
        return _search(prepared, benchmark, config, bench)
    except TaskError as exc:
        return failed_result(task.task_id, f"{task.source}: {exc}" if task.source else str(exc))
    except EnvironmentFault:
        raise
    except Exception as exc:
        # Our own fault, but one task's: say so, keep the trace, let the others go on.
        log.error("internal error on %s:\n%s", task.task_id, traceback.format_exc())
        return failed_result(task.task_id, f"internal error, please report: {exc!r}")


def _search(prepared: Prepared, benchmark: str, config: Config, bench: Workbench) -> TaskResult:
    with Sieve(prepared, bench.first, bench.second) as sieve:
        found = Search(prepared, sieve, config, benchmark).run()
        labels = [_labels(answer) for answer in found.pool]
        plus = [found.pool[index] for index in choose(labels, config.budget)]
        tally = sieve.tally
    surplus = len(found.pool) - len(plus)
    if surplus:
        tally.counts[Rejection.SURPLUS] += surplus
    # The only decision a clock ever takes: an emergency stop, and the record says so.
    stop = Stop.TRUNCATED if tally.counts[Rejection.REFERENCE_TIMEOUT] else found.stop
    entry: dict[str, Any] = {
        "n_base": len(prepared.base),
        "n_plus": len(plus),
        "n_tried": tally.tried,
        "rejections": {str(r): n for r, n in sorted(tally.counts.items()) if n},
        "stop": str(stop),
    }
    if prepared.notes:
        entry["notes"] = list(prepared.notes)
    return TaskResult(
        task_id=prepared.task.task_id,
        line=suite_line(record_of(prepared, plus)),
        entry=entry,
        rejected=_rejected(tally),
    )


def _labels(answer: Answer) -> list[Hashable]:
    """Return the traits of an answer.

    Inputs that come back unchanged are a class apart, so that they do not crowd out those on which
    a program has something to do.
    """
    args, outcome = own_args(answer.args), answer.value()
    labels = traits(args, outcome)
    unchanged = outcome == args or any(
        type(outcome) is type(arg) and outcome == arg for arg in args if arg
    )
    labels[0] = (labels[0], unchanged)
    return labels


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


def _start_worker() -> None:
    # Ctrl-C is the parent's to handle: it ends the workers, and their sandboxes end with them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that hold Ctrl-C back from their first instruction on.

    A worker that is still importing would answer with a traceback of its own.
    """
    resource_tracker.ensure_running()  # its start would lift the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(task: Task, benchmark: str, config: Config) -> TaskResult:
    global _bench  # noqa: PLW0603 - one pair of sandboxes a worker process
    if _bench is None:
        _bench = Workbench()
    return run_task(task, benchmark, config, _bench)


def _in_workers(tasks: Sequence[Task], benchmark: str, config: Config) -> Iterator[TaskResult]:
    pool = ProcessPoolExecutor(
        max_workers=min(config.jobs, len(tasks)),
        mp_context=get_context("spawn"),
        initializer=_start_worker,
    )
    waiting: dict[Future[TaskResult], Task] = {}
    try:
        with _deaf_children():
            for task in tasks:
                waiting[pool.submit(_work, task, benchmark, config)] = task
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                task = waiting.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    # A worker died (out of memory?): which task was to blame is unknown, so each
                    # unfinished one gets a process of its own.
                    remaining = [task, *waiting.values()]
                    waiting.clear()
                    log.warning("a worker process died; %d tasks are run again", len(remaining))
                    for lost in remaining:
                        yield _alone(lost, benchmark, config)
                    break
    finally:
        _end(pool)


def _alone(task: Task, benchmark: str, config: Config) -> TaskResult:
    pool = ProcessPoolExecutor(
        max_workers=1, mp_context=get_context("spawn"), initializer=_start_worker
    )
    try:
        with _deaf_children():
            future = pool.submit(_work, task, benchmark, config)
        return future.result()
    except BrokenProcessPool:
        return failed_result(task.task_id, "its worker process died twice (out of memory?)")
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop a pool at once; its sandboxes die with their parents."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGTERM)
    for process in processes:
        process.join()
