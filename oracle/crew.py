"""Inside a confined child: one reference and many programs beside it, on the same inputs.

The *targets* are programs that a set of inputs should tell from the reference: its mutants above
all, which are our own and have no reason to lie, so that the child itself may compare. Of a target
that somebody else wrote, an answer only steers a search; whatever is published about it must be
judged with no expected value in reach (``judge``).

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from plusforge.oracle import protocol, wire
from plusforge.oracle.child import (
    SOLUTION,
    Inbox,
    LoadError,
    Outbox,
    class_name,
    describe,
    load,
    load_all,
    read_value,
)
from plusforge.oracle.meter import ANY_STEPS, Meter, OutOfSteps

TARGET_LOADING_STEPS = 5_000_000
"""Budget while a target loads: a table built at import may be large, but not endless."""

CALL_STEPS = 5_000_000
"""Budget of a call of the reference where the job states none."""

MEMORY_FAULTS = 3
"""A target that runs out of memory so often is dropped."""

Observer: TypeAlias = Callable[[Any, tuple[Any, ...]], Any]

SURELY = b""
"""Stands for an outcome that no comparison accepts; no value has an empty wire form."""

_SIMPLE = frozenset({int, str, bool, type(None), bytes})
_MARK = wire.RATIONAL.encode()
_INDEX = struct.Struct("<I")


class _Member(NamedTuple):
    """A loaded program and the meter that only it reports to."""

    entry: Callable[..., Any]
    meter: Meter


class _Expected(NamedTuple):
    """What the reference came to: a plain value, or the name of an exception."""

    value: Any
    raised: bytes | None


def run_targets(
    job: protocol.Job,
    inbox: Inbox,
    outbox: Outbox,
    begun: memoryview[int],
    observers: dict[str, Observer],
) -> None:
    """Load targets and run them beside the reference, as the parent says.

    The first word of the page is the number of the input begun in this batch, the second that of
    the target, counted from 1; 0 is the reference.
    """
    steps = job["steps"] or CALL_STEPS
    meter = Meter(ANY_STEPS, job["depth"])
    loaded = load_all(outbox, [lambda: load(job["programs"][0], SOLUTION, meter)])
    if loaded is None:
        return
    meter.steps = steps
    crew = _Crew(job, _Member(loaded[0], meter), observers[job["observe"]])
    for order in inbox.batches():
        begun[0] = begun[1] = 0
        if order[0] == protocol.LOAD:
            for index, source, entry in order[1]:
                begun[1] = index + 1
                outbox.put(*crew.load(index, {"source": source, "entry": entry}))
        else:
            crew.run(protocol.TargetRun(*order[1:]), outbox, begun)
        outbox.put(protocol.END)
        outbox.flush()


class _Crew:
    """The reference and the targets."""

    def __init__(self, job: protocol.Job, reference: _Member, seen: Observer) -> None:
        self._reference = reference
        self._seen = seen
        self._limit = job["output_bytes"]
        self._depth = job["depth"]
        self._members: dict[int, _Member] = {}
        self._faults: dict[int, int] = {}

    def load(self, index: int, program: protocol.ProgramSpec) -> tuple[int, bytes, str]:
        """Load a target; return the frame that tells how it went."""
        meter = Meter(TARGET_LOADING_STEPS, self._depth)
        try:
            entry = load(program, f"__target_{index}__", meter)
        except LoadError as exc:
            return protocol.LOAD_ERROR, b"", str(exc)
        except MemoryError:
            return protocol.MEMORY, b"", "out of memory while loading"
        self._members[index] = _Member(entry, meter)
        return protocol.VALUE, b"", ""

    def run(self, order: protocol.TargetRun, outbox: Outbox, begun: memoryview[int]) -> None:
        """Put a batch of inputs to the reference and to each target; tell which differ."""
        alive = order.alive
        for number, data in enumerate(order.inputs, 1):
            begun[0] = number
            begun[1] = 0
            expected, problem = self._expect(data)
            if expected is None:
                outbox.put(protocol.STEPS, message=problem)
                continue
            used = self._reference.meter.used
            budget = order.factor * used + order.spare
            spent = used
            killed: list[int] = []
            doubts: list[tuple[int, bytes]] = []
            for index in alive:
                begun[1] = index + 1
                found = self._other(index, data, budget, expected, order)
                # One large operation may be charged more than the budget; it never ran.
                spent += min(self._members[index].meter.used, budget)
                if found:
                    doubts.append((index, found))
                elif found is not None:
                    killed.append(index)
            steps = min(spent, protocol.MAX_STEPS)
            others = self._doubtful(expected, doubts) if doubts else b""
            outbox.put(protocol.VALUE, _pack(killed), "", steps, 0, others)
            if order.once and killed:
                alive = [index for index in alive if index not in killed]

    def _expect(self, data: bytes) -> tuple[_Expected | None, str]:
        """Return what the reference comes to, or None and why it comes to nothing."""
        entry, meter = self._reference
        meter.reset()
        args = read_value(data)
        try:
            value = self._seen(entry(*args), args)
            if meter.exhausted:
                return None, "the reference is out of steps"
            plain = value if wire.is_exact(value) else wire.reduce_value(value, by_equality=True)
        except (OutOfSteps, MemoryError, wire.Unencodable) as exc:
            return None, f"the reference: {describe(exc)}"
        except BaseException as exc:
            return _Expected(None, class_name(exc)), ""
        return _Expected(plain, None), ""

    def _other(
        self, index: int, data: bytes, budget: int, expected: _Expected, order: protocol.TargetRun
    ) -> bytes | None:
        """Run a target; return None when it comes to the expected outcome.

        Returns:
            Else its outcome for the parent to look at; ``SURELY`` when that is not needed.
        """
        entry, meter = self._members[index]
        meter.steps = budget
        meter.reset()
        args = read_value(data)
        try:
            got = self._seen(entry(*args), args)
        except OutOfSteps:
            return SURELY
        except MemoryError:
            self._faults[index] = self._faults.get(index, 0) + 1
            if self._faults[index] >= MEMORY_FAULTS:
                raise  # filling the memory takes long each time: this ends it
            return SURELY
        except BaseException as exc:
            same = class_name(exc) == expected.raised and not meter.exhausted
            return None if same else SURELY
        if meter.exhausted or expected.raised is not None:
            return SURELY
        value = expected.value
        kind = type(got)
        if kind in _SIMPLE and kind is type(value):
            if got == value:
                return None
            if order.exact:
                return SURELY
        try:
            plain = got if wire.is_exact(got) else wire.reduce_value(got, by_equality=True)
            if not order.checked and plain == value:
                return None
            payload = marshal.dumps(plain, 2)
            if order.checked and payload == marshal.dumps(value, 2):
                return None
        except BaseException:  # it has no plain form, whatever its methods raise
            return SURELY
        if len(payload) > self._limit:
            return SURELY
        if order.exact and not _special(payload) and not _special(marshal.dumps(value, 2)):
            return SURELY
        return payload

    def _doubtful(self, expected: _Expected, doubts: list[tuple[int, bytes]]) -> bytes:
        """Return what the parent needs to decide: the expected outcome, then each target's."""
        parts = [marshal.dumps(expected.value, 2)]
        parts += [_INDEX.pack(index) + payload for index, payload in doubts]
        return b"".join(protocol.OTHER.pack(protocol.VALUE, len(p)) + p for p in parts)


def _special(payload: bytes) -> bool:
    """Tell whether a value may hold what ``==`` does not settle: NaN, or an exact rational."""
    return _MARK in payload or wire.maybe_non_finite(payload)


def _pack(indices: list[int]) -> bytes:
    return struct.pack(f"<{len(indices)}I", *indices)
