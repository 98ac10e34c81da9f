"""Carry one job through as many children as it takes: a hang or a crash costs one input."""

from __future__ import annotations

import marshal
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from plusforge.oracle import protocol
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.launcher import Child, Death, ZygoteLost
from plusforge.oracle.link import Ending, Link, Signal
from plusforge.oracle.outcome import Outcome, RunLimits
from plusforge.oracle.verdict import OutcomeKind

BATCH_COUNT, BATCH_BYTES = 1000, 1 << 20
"""Inputs and bytes in one frame to a child, at most (one input at least)."""

_READY, _LOADED, _END = (Signal(k, "") for k in (protocol.READY, protocol.LOADED, protocol.END))
_SIGKILL = -9

_BROKE = Outcome(OutcomeKind.TIMEOUT, message="no CPU time left for this job")

START_CPU_S = 20.0
LOAD_CPU_S = 2.0
"""A program may take this long to load even when its calls may not: imports are slow."""

GRACE_SECONDS = 0.5
"""Time for a child that closed its pipe to end, so that its exit status is its own."""


class Driver:
    """Runs inputs through a job, replacing children that die."""

    def __init__(
        self,
        spawn: Callable[[int], Child],
        job: protocol.Job,
        limits: RunLimits,
        *,
        patient: bool = False,
    ) -> None:
        """Prepare a job; the first child starts when it is needed.

        Args:
            spawn: Forks a child with a memory limit in MiB.
            job: What the children are to do.
            limits: Their limits.
            patient: The time limit is for the whole job, not for each frame.
        """
        self._spawn = spawn
        plain: Any = job
        self._job = marshal.dumps(plain, 2)
        self._limits = limits
        self._patient = patient
        self._others = len(job["programs"]) - 1
        self._link: Link | None = None
        self._failed: Outcome | None = None
        self._cpu_spent = 0.0
        self._faults = 0

    def close(self) -> None:
        """End the child, if there is one."""
        if self._link is not None:
            link, self._link = self._link, None
            with suppress(ZygoteLost):  # it took the child with it
                self._cpu_spent += link.child.end().cpu_s

    # ------------------------------------------------------------ starting a child

    def open(self) -> Link | Outcome:
        """Return a child with the programs loaded, or the outcome that all inputs share.

        Raises:
            SandboxError: A child could not be confined, twice.
        """
        if self._failed is None and self._link is None and self._cpu_left() <= 0:
            self._failed = _BROKE
        if self._failed is not None:
            return self._failed
        while self._link is None:
            link = self._link = Link(
                self._spawn(self._limits.memory_mib),
                self._limits,
                others=self._others,
                patient=self._patient,
            )
            link.clock.cpu_s = START_CPU_S  # until it is ready, the time is ours
            link.send(self._job)
            answer = link.receive(1)
            if isinstance(answer, Ending) or answer[0] != _READY:
                self._fault(answer.message if isinstance(answer, Ending) else answer[0].message)
                continue
            link.clock.cpu_s = min(max(self._limits.cpu_s, LOAD_CPU_S), self._cpu_left())
            link.clock.restart()
            answer = link.receive(1)
            if isinstance(answer, Ending):
                ending = self.bury(answer)
                if ending is None:
                    continue
                self._failed = Outcome(ending.kind, message=f"while loading: {ending.message}")
            elif isinstance(answer[0], Outcome):
                self._failed = Outcome(answer[0].kind, message=answer[0].message)
            elif answer[0] != _LOADED:
                self._failed = Outcome(OutcomeKind.PROTOCOL, message="unexpected frame at loading")
            if self._failed is not None:
                self.close()
                return self._failed
            link.clock.cpu_s = min(self._limits.cpu_s, self._cpu_left())
            link.clock.restart()
        return self._link

    def _fault(self, message: str) -> None:
        """Count a failure that is ours, not the program's; the second is too many.

        Raises:
            SandboxError: It is the second.
        """
        self.close()
        self._faults += 1
        if self._faults > 1:
            raise SandboxError(
                f"a sandbox child failed twice before the program started: {message}; "
                "run `plusforge doctor` to see what this machine allows"
            )

    def bury(self, ending: Ending) -> Ending | None:
        """End a child and return why, as exactly as can be told; None when it was our fault."""
        link, self._link = self._link, None
        if link is None:
            return ending
        try:
            crashed = ending.kind is OutcomeKind.CRASH
            death = link.child.end(grace=GRACE_SECONDS if crashed else 0.0)
        except ZygoteLost as exc:
            self._fault(str(exc))
            return None
        self._cpu_spent += death.cpu_s
        return self._explain(death) if crashed else ending

    def _explain(self, death: Death) -> Ending:
        if death.status == protocol.OUT_OF_MEMORY:
            return Ending(OutcomeKind.MEMORY, "out of memory")
        if death.status >= 0:
            return Ending(OutcomeKind.CRASH, f"the process ended itself (status {death.status})")
        if death.status == _SIGKILL and death.peak_kib > self._limits.memory_mib * 512:
            return Ending(OutcomeKind.MEMORY, "killed by the kernel, most likely for its memory")
        return Ending(OutcomeKind.CRASH, f"killed by signal {-death.status}")

    # ------------------------------------------------------------ running inputs

    def run(self, inputs: Sequence[bytes]) -> Iterator[list[Outcome]]:
        """Yield one outcome for each input, in order, some at a time.

        Args:
            inputs: Argument tuples in wire form.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        blamed: dict[int, Outcome] = {}
        position, cleared = 0, 0
        try:
            while position < len(inputs):
                if position in blamed:
                    yield [blamed.pop(position)]
                    position += 1
                    continue
                link = self.open()
                if isinstance(link, Outcome):
                    yield [link] * (len(inputs) - position)
                    return
                stop = min(blamed, default=len(inputs))
                before, first = link.given, position
                ending: Ending | None = None
                batches = _batches(inputs[position:stop])
                for batch in batches:
                    link.send(marshal.dumps(batch, 2))
                    link.given += len(batch)
                link.clock.restart()  # it has waited for us, not we for it
                for batch in batches:
                    for got in self._answers(link, len(batch)):
                        if isinstance(got, Ending):
                            ending = got
                        elif got:
                            position += len(got)
                            yield got
                    if ending is not None:
                        break
                if ending is None:
                    continue
                # The page tells which input was begun last. It is the child's word, so it is
                # taken once: what it cleared and still hangs is blamed where it hangs.
                index = first + link.child.begun() - before - 1
                if position < cleared or ending.kind is OutcomeKind.PROTOCOL:
                    index = position
                index = min(max(index, position), stop - 1)
                final = self.bury(ending)
                if final is not None:
                    blamed[index] = Outcome(final.kind, message=final.message)
                    cleared = index
        except BaseException:
            self.close()
            raise

    def _answers(self, link: Link, count: int) -> Iterator[list[Outcome] | Ending]:
        """Yield a batch's outcomes; the last one only when the child has said that it was."""
        left, held = count, list[Outcome]()
        while left:
            frames = link.receive(left)
            if isinstance(frames, Ending):
                yield frames
                return
            outcomes = [frame for frame in frames if isinstance(frame, Outcome)]
            if len(outcomes) != len(frames):
                yield held + outcomes[: _leading(frames)]
                yield Ending(OutcomeKind.PROTOCOL, "fewer results than inputs")
                return
            left -= len(outcomes)
            yield held
            held = outcomes
            if self._limits.total_cpu_s is not None and link.clock.cpu() > self._cpu_left():
                yield Ending(_BROKE.kind, _BROKE.message)
                return
        yield held[:-1]
        frames = link.receive(1)
        if isinstance(frames, Ending):
            yield frames
        elif frames[0] != _END:
            yield Ending(OutcomeKind.PROTOCOL, "more results than inputs")
        else:
            yield held[-1:]

    def _cpu_left(self) -> float:
        """Return the CPU seconds that the children to come may use, the living one included."""
        total = self._limits.total_cpu_s
        return math.inf if total is None else total - self._cpu_spent


def _batches(inputs: Sequence[bytes]) -> list[list[bytes]]:
    """Cut inputs into batches, each as long as may be."""
    ends = [0, *accumulate(map(len, inputs))]
    batches = []
    start = 0
    while start < len(inputs):
        stop = bisect_right(ends, ends[start] + BATCH_BYTES) - 1
        stop = min(max(stop, start + 1), start + BATCH_COUNT)
        batches.append(list(inputs[start:stop]))
        start = stop
    return batches


def _leading(frames: Sequence[Outcome | Signal]) -> int:
    """Return how many outcomes stand before the first signal."""
    return next(i for i, frame in enumerate(frames) if isinstance(frame, Signal))
