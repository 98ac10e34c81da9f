"""Carry one job through as many children as it takes: a hang or a crash costs one input."""

from __future__ import annotations

import marshal
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from itertools import accumulate

from plusforge.oracle import protocol
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.keeper import Keeper
from plusforge.oracle.link import Ending, Link, Script, Signal
from plusforge.oracle.outcome import Outcome
from plusforge.oracle.verdict import OutcomeKind

BATCH_COUNT, BATCH_BYTES = 1000, 1 << 20
"""Inputs and bytes in one frame to a child, at most (one input at least)."""

_END = Signal(protocol.END, "")

_NOTHING: protocol.ProgramSpec = {"source": "def f(*args): return None\n", "entry": "f"}


class Driver(Keeper):
    """Runs inputs through a job, replacing children that die."""

    def run(self, inputs: Sequence[bytes]) -> Iterator[list[Outcome]]:
        """Yield one outcome for each input, in order, some at a time.

        Args:
            inputs: Argument tuples in wire form.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        for outcomes in self.compare(inputs, ()):
            yield [outcome for outcome in outcomes if outcome is not None]

    def compare(
        self, inputs: Sequence[bytes], expected: Sequence[bytes]
    ) -> Generator[list[Outcome | None], None, None]:
        """Yield one outcome for each input, in order; None where it is the expected one.

        Args:
            inputs: Argument tuples in wire form.
            expected: The frame (``protocol.frame``) of each outcome; nothing to expect nothing.

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
                if expected and position < protocol.FIRST_INPUTS:
                    stop = min(stop, protocol.FIRST_INPUTS)
                before, first = link.given, position
                ending: Ending | None = None
                batches = list(self._batches(inputs, position, stop))
                if not link.is_silent():  # it answers what it has not been asked
                    ending = Ending(OutcomeKind.PROTOCOL, "results before their inputs")
                    batches = []
                for start, end in batches:
                    link.send(marshal.dumps(list(inputs[start:end]), 2))
                link.given += stop - position
                link.clock.restart()  # it has waited for us, not we for it
                for start, end in batches:
                    script = Script(expected[start:end]) if expected else None
                    for got in self._answers(link, start, end, script):
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

    def _batches(self, inputs: Sequence[bytes], start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield where each batch begins and ends; each is as long as may be.

        An input with an allowance of its own is one by itself: all results before it have been sent
        when it begins, so that it is waited for as long as it may take, and no other one is.
        """
        ends = [0, *accumulate(map(len, inputs[start:stop]))]
        cuts = sorted({stop, *self._slow, *(index + 1 for index in self._slow)})
        first = start
        while first < stop:
            size = ends[first - start] + BATCH_BYTES
            end = start + bisect_right(ends, size) - 1
            cut = cuts[bisect_right(cuts, first)]
            end = min(max(end, first + 1), first + BATCH_COUNT, cut)
            yield first, end
            first = end

    def _answers(
        self, link: Link, start: int, end: int, script: Script | None
    ) -> Iterator[list[Outcome | None] | Ending]:
        """Yield a batch's outcomes; the last one only when the child has said that it was."""
        while start < end:
            link.clock.cpu_s = min(self._slow.get(start, self._limits.cpu_s), self._cpu_left())
            frames: Sequence[Outcome | Signal | None] | Ending = (
                link.receive(end - start) if script is None else link.match(script)
            )
            if isinstance(frames, Ending):
                yield frames
                return
            if any(frames):
                outcomes = [frame for frame in frames if not isinstance(frame, Signal)]
            else:  # all as expected
                outcomes = [None] * len(frames)
            start += len(outcomes)
            if len(outcomes) != len(frames):
                yield outcomes[: _leading(frames)]
                yield Ending(OutcomeKind.PROTOCOL, "fewer results than inputs")
                return
            if start < end:
                yield outcomes
            elif len(outcomes) > 1:
                yield outcomes[:-1]
            if why := self.overdrawn():
                yield Ending(OutcomeKind.TIMEOUT, why)
                return
        last = link.receive(1)
        if isinstance(last, Ending):
            yield last
        elif last[0] != _END:
            yield Ending(OutcomeKind.PROTOCOL, "more results than inputs")
        else:
            yield outcomes[-1:]

    def _own_code_failed(self) -> Ending | None:
        """Judge a child that says its own code failed; None when the job is to be tried again.

        A program that shares the process can say so, too, or break that code. So the second time a
        program that does nothing is put to the same job: only when that fails is the fault ours.

        Raises:
            SandboxError: The fault is ours.
        """
        if not self._broken and self._renew is not None:
            self._broken = True
            self._renew()
            return None
        trial: protocol.Job = {**self._plain, "programs": [_NOTHING], "contract": None}
        trial["task"] = "sieve" if trial["task"] == "sieve" else "call"
        driver = Driver(self._spawn, trial, self._limits)
        (found,) = driver.run([marshal.dumps((), 2)])
        driver.close()
        if found[0].kind is OutcomeKind.CRASH:
            raise SandboxError(
                f"the sandbox's own code fails (status {protocol.HARNESS_FAILED}), even for a "
                "program that does nothing: reinstall plusforge, and report it if that is no help"
            )
        what = f"the sandbox's own code failed (status {protocol.HARNESS_FAILED}), twice"
        return Ending(OutcomeKind.CRASH, f"{what}: does the program meddle with the interpreter?")


def _leading(frames: Sequence[Outcome | Signal | None]) -> int:
    """Return how many outcomes stand before the first signal."""
    return next(i for i, frame in enumerate(frames) if isinstance(frame, Signal))
