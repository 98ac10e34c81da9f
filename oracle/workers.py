"""Independent pieces of work in any number of processes; a dead worker is only a delay."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

log = logging.getLogger(__name__)


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    *,
    lost: Callable[[Item], Result],
) -> Iterator[Result]:
    """Yield the result of each item, as they come.

    Args:
        work: A function of a module, called in the workers. What it needs for long it keeps in
            its module; that lives as long as the worker.
        items: What it is called with.
        jobs: Number of processes.
        lost: Makes the result of an item whose worker died twice.
    """
    pool = _pool(min(jobs, len(items)))
    waiting: dict[Future[Result], Item] = {}
    try:
        with _deaf_children():
            for item in items:
                waiting[pool.submit(work, item)] = item
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                item = waiting.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    # A worker died (out of memory?): which item was to blame is unknown, so each
                    # unfinished one gets a process of its own.
                    remaining = [item, *waiting.values()]
                    waiting.clear()
                    log.warning("a worker process died; %d pieces are run again", len(remaining))
                    for again in remaining:
                        yield _alone(work, again, lost)
                    break
    finally:
        _end(pool)


def _alone(work: Callable[[Item], Result], item: Item, lost: Callable[[Item], Result]) -> Result:
    pool = _pool(1)
    try:
        with _deaf_children():
            future = pool.submit(work, item)
        return future.result()
    except BrokenProcessPool:
        return lost(item)
    finally:
        _end(pool)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        max_workers=workers, mp_context=get_context("spawn"), initializer=_start_worker
    )


def _start_worker() -> None:
    # Ctrl-C is the parent's to handle: it ends the workers, and their sandboxes end with them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A parent that was killed cannot end its workers, and they would wait for work for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop a pool at once; its sandboxes die with their parents."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGTERM)
    for process in processes:
        process.join()
