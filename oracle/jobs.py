"""The jobs of a confined child: call a program, sieve inputs, record a script's calls, run targets.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ast
import marshal
import mmap
import os
import random
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from plusforge.oracle import arenas, protocol, wire
from plusforge.oracle.child import (
    SOLUTION,
    Inbox,
    Outbox,
    Results,
    describe,
    load,
    load_all,
    read_value,
)
from plusforge.oracle.crew import Observer, run_targets
from plusforge.oracle.meter import ANY_STEPS, Meter, OutOfSteps
from plusforge.oracle.recording import run_record


def serve(in_fd: int, out_fd: int, page: mmap.mmap) -> None:
    """Do one job.

    Args:
        in_fd: Where the parent's frames come from.
        out_fd: Where ours go to.
        page: Shared with the parent; its first word counts the inputs begun.
    """
    outbox = Outbox(out_fd)
    outbox.put(protocol.READY)
    with os.fdopen(in_fd, "rb", buffering=1 << 16) as stream:
        inbox = Inbox(stream)
        job: protocol.Job = inbox.frame()
        if job["gives_back"]:
            arenas.give_back()
        sys.set_int_max_str_digits(0)
        random.seed(job["seed"])
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(job["seed"])
        begun = memoryview(page).cast("I")
        TASKS[job["task"]](job, inbox, outbox, begun)
    outbox.flush()


class OutOfStepsNever(BaseException):
    """Stands for ``OutOfSteps`` where nothing is counted. Never raised."""


OBSERVERS: dict[str, Observer] = {
    "result": lambda value, args: value,
    "arguments": lambda value, args: args,
    "truth": lambda value, args: bool(value),
    "presence": lambda value, args: value is not None,
    "found": lambda value, args: value if type(value) is bool else value is not None,
}
"""What counts as the outcome of a call that returned ``value`` (see ``task.Comparison``)."""


def _outcome(
    entry: Callable[..., Any], args: tuple[Any, ...], seen: Observer | None, results: Results
) -> tuple[int, bytes, str]:
    """Call a program; return kind, payload and message of what came of it."""
    try:
        value = entry(*args)
        if seen is not None:
            value = seen(value, args)  # looking at a result may run the program's code, too
    except BaseException as exc:
        return results.error(exc)
    return results.value(value)


def _read_rationals(data: bytes) -> Any:
    return wire.with_rationals(read_value(data))


def run_call(job: protocol.Job, inbox: Inbox, outbox: Outbox, begun: memoryview[int]) -> None:
    """Call one program on every input."""
    loaded = load_all(outbox, [lambda: load(job["programs"][0], SOLUTION)])
    if loaded is None:
        return
    entry, results = loaded[0], Results(job)
    read = _read_rationals if job["rationals"] else read_value
    seen = None if job["observe"] == "result" else OBSERVERS[job["observe"]]
    put = outbox.put
    count = 0
    for batch in inbox.batches():
        for data in batch:
            count += 1
            begun[0] = count
            kind, payload, message = _outcome(entry, read(data), seen, results)
            put(kind, payload, message)
        outbox.put(protocol.END)
        outbox.flush()


def run_sieve(job: protocol.Job, inbox: Inbox, outbox: Outbox, begun: memoryview[int]) -> None:
    """Put every input to the contract, then to each reference on fresh copies."""
    steps = job["steps"]
    meter = None if steps is None else Meter(ANY_STEPS, job["depth"])
    out_of_steps = OutOfStepsNever if meter is None else OutOfSteps
    loaded = load_all(outbox, list(_loaders(job, meter)))
    if loaded is None:
        return
    if meter is not None and steps is not None:
        meter.steps = steps
    contract = None if job["contract"] is None else loaded.pop(0)
    first, others = loaded[0], loaded[1:]
    results, read, dumps = Results(job), read_value, marshal.dumps
    seen = OBSERVERS[job["observe"]]
    count = 0
    for batch in inbox.batches():
        for data in batch:
            count += 1
            begun[0] = count
            if meter is not None:
                meter.reset()
            if contract is not None:
                refusal = _refusal(contract, read(data), job["contract"], out_of_steps)
                if refusal is not None:
                    outbox.put(*refusal)
                    continue
            args = read(data)
            try:
                value = seen(first(*args), args)
            except out_of_steps:
                outbox.put(protocol.STEPS, message="reference")
                continue
            except BaseException as exc:
                kind, payload, message = results.error(exc)
            else:
                kind, payload, message = results.value(value)
            used = 0
            if meter is not None:
                if meter.exhausted:  # the program swallowed the exception
                    outbox.put(protocol.STEPS, message="reference")
                    continue
                used = min(meter.used, protocol.MAX_STEPS)
            try:
                flags = 0 if dumps(args, 2) == data else protocol.MUTATED
            except ValueError:
                flags = protocol.MUTATED
            different = b""
            if others:
                different = _others(others, data, seen, results, (kind, payload))
            outbox.put(kind, payload, message, used, flags, different)
        outbox.put(protocol.END)
        outbox.flush()


def _loaders(job: protocol.Job, meter: Meter | None) -> Iterator[Callable[[], Any]]:
    """Yield what loads each program; steps are counted of the contract and the first reference."""
    contract, references = job["contract"], job["programs"]
    if contract is not None:
        yield partial(load, contract, "__contract__", meter)
    yield partial(load, references[0], SOLUTION, meter)
    for number, program in enumerate(references[1:], 2):
        yield partial(load, program, f"__solution_{number}__")


def _refusal(
    contract: Callable[..., Any],
    args: tuple[Any, ...],
    spec: protocol.ProgramSpec | None,
    out_of_steps: type[BaseException],
) -> tuple[int, bytes, str] | None:
    """Return kind, payload and message of a contract's refusal, or None when it accepts."""
    try:
        refused = contract(*args) is False
    except out_of_steps:
        return protocol.STEPS, b"", "contract"
    except BaseException as exc:
        return protocol.CONTRACT, b"", _breach(exc, spec)
    return (protocol.CONTRACT, b"", "the contract returned False") if refused else None


def _breach(error: BaseException, contract: protocol.ProgramSpec | None) -> str:
    """Return what a contract says against an input; of a bare assert, the assert itself."""
    if type(error) is not AssertionError or error.args or contract is None:
        return describe(error)
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<contract>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return _asserts(contract["source"]).get(line) or describe(error)


@lru_cache(maxsize=4)
def _asserts(source: str) -> dict[int, str]:
    """Return the text of the assert that each line belongs to."""
    lines = source.split("\n")
    found: dict[int, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            rows = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            text = " ".join(lines[row - 1].strip() for row in rows)
            found |= dict.fromkeys(rows, text)
    return found


def _others(
    others: list[Callable[..., Any]],
    data: bytes,
    seen: Observer,
    results: Results,
    first: tuple[int, bytes],
) -> bytes:
    """Return the other references' outcomes, or nothing when all equal the first's."""
    outcomes = []
    for other in others:
        kind, payload, _ = _outcome(other, read_value(data), seen, results)
        outcomes.append((kind, payload))
    if all(outcome == first for outcome in outcomes):
        return b""
    return b"".join(protocol.OTHER.pack(kind, len(body)) + body for kind, body in outcomes)


TASKS: dict[str, Callable[[protocol.Job, Inbox, Outbox, memoryview[int]], None]] = {
    "call": run_call,
    "sieve": run_sieve,
    "record": run_record,
    "targets": partial(run_targets, observers=OBSERVERS),
}
"""What a child can do. A zygote that has loaded a solver adds ``symbolic``."""
