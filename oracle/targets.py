"""Many programs on the same inputs: which inputs tell which of them from the reference?

One child holds the reference and all targets. An endless loop is ended by a budget of steps, so
what an input kills is the same on every machine. A target that takes the child with it (a crash, a
loop in C, ``os._exit``) is dropped and named; the others go on in a new child. One that forges
answers is found by running each alone, and dropped too; one that forges only beside others may take
others with it: this is made for mutants, which are nobody's attack.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from typing import Self

from plusforge.oracle import protocol
from plusforge.oracle.doubts import Check, Kills, is_readable
from plusforge.oracle.errors import TaskError
from plusforge.oracle.keeper import Keeper
from plusforge.oracle.launcher import Child
from plusforge.oracle.link import Ending, Link, Signal
from plusforge.oracle.outcome import Outcome, Program, RunLimits
from plusforge.oracle.task import Comparison
from plusforge.oracle.verdict import OutcomeKind

STEP_FACTOR, SPARE_STEPS = 20, 10_000
"""A target may take so many steps for each of the reference's, and so many more."""

BATCH, SHRINKING_BATCH = 256, 32
"""Inputs sent at once; fewer when targets leave at their first kill."""

MOST_TARGETS = 4000
"""Targets of a session, at most: what a frame may hold is bounded by them."""


class TargetSession(Keeper):
    """A reference and its targets, to be fed with inputs. Use it as a context manager.

    Attributes:
        dropped: Targets that run no more, by index: they do not load, or ended their process.
        steps: Deterministic steps that reference and targets took for all answers so far.
    """

    def __init__(
        self,
        spawn: Callable[[int], Child],
        job: protocol.Job,
        limits: RunLimits,
        comparison: Comparison,
        *,
        check: Check,
        renew: Callable[[], None],
    ) -> None:
        """Prepare a session; ``Sandbox.targets`` makes them.

        Args:
            spawn: Forks a child with a memory limit in MiB.
            job: A ``targets`` job.
            limits: For the reference and for each target.
            comparison: Decides what counts as another outcome.
            check: Runs a task's own checker.
            renew: Starts a fresh zygote.
        """
        super().__init__(spawn, job, limits, renew=renew)
        self.dropped: dict[int, Outcome] = {}
        self.steps = 0
        self._others = MOST_TARGETS + 1
        self._comparison = comparison
        self._check = check
        self._targets: list[Program] = []
        self._loaded: set[int] = set()
        self._home: Link | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, targets: Sequence[Program]) -> range:
        """Add targets; return their indices. They are loaded when they are first run.

        Raises:
            ValueError: They are too many.
        """
        first = len(self._targets)
        if first + len(targets) > MOST_TARGETS:
            raise ValueError(f"{first + len(targets)} targets, expected {MOST_TARGETS} at most")
        self._targets += targets
        return range(first, len(self._targets))

    def feed(
        self, inputs: Sequence[bytes], alive: Sequence[int] | None = None, *, once: bool = False
    ) -> list[tuple[int, ...]]:
        """Run targets beside the reference.

        A target is killed by an input when what it comes to is not what the task's comparison
        accepts for the reference's outcome: another value, an exception, no end within its steps.
        An input that the reference has no answer for kills nothing.

        Args:
            inputs: Argument tuples in wire form.
            alive: Indices of the targets to run; None for all. Dropped ones are passed over.
            once: Tell only the first input that kills a target; it need not run again.

        Returns:
            For each input the targets it kills, in ascending order.

        Raises:
            TaskError: The reference does not load.
            SandboxError: The sandbox itself failed, twice.
        """
        crew = sorted(set(range(len(self._targets)) if alive is None else alive))
        kills = Kills(self._comparison, self._check, inputs)
        barren: set[int] = set()
        while (start := kills.count) < len(inputs):
            crew = [index for index in crew if index not in self.dropped]
            if not crew or start in barren:
                kills.skip()
                continue
            try:
                link = self._staffed(crew)
                if link is None:
                    continue
                stop = min(start + (SHRINKING_BATCH if once else BATCH), len(inputs))
                stop = min([stop, *(number for number in barren if number > start)])
                frames, failed = self._run(link, crew, inputs[start:stop], once=once)
            except BaseException:
                self.close()
                raise
            killed = kills.take(frames, crew)
            self.steps += sum(frame.steps for frame in frames)
            if failed is not None:
                barren.add(start + failed)
            if once:
                crew = [index for index in crew if index not in killed]
        return kills.settled(once=once)

    def _staffed(self, crew: Sequence[int]) -> Link | None:
        """Return a child with some targets loaded; None when one of them had to be dropped."""
        link = self.open()
        if isinstance(link, Outcome):
            raise TaskError(
                f"the reference, which passed the pre-flight, does not load now: {link.message}; "
                "is the machine short of memory or of time?"
            )
        if link is not self._home:
            self._home, self._loaded = link, set()
        missing = [index for index in crew if index not in self._loaded]
        if missing:
            programs = [self._targets[index] for index in missing]
            rows = [
                (index, program.source, program.entry_point)
                for index, program in zip(missing, programs, strict=True)
            ]
            link.send(marshal.dumps([protocol.LOAD, rows], 2))
            frames, ending = self._answers(link, len(missing))
            for index, frame in zip(missing, frames, strict=False):
                self._loaded.add(index)
                if frame.kind is not OutcomeKind.VALUE:
                    self.dropped[index] = Outcome(frame.kind, message=frame.message)
            if ending is not None:
                self._blame(link, ending, missing[len(frames) :] or missing[-1:], loading=True)
                return None
            if not self.dropped.keys().isdisjoint(missing):
                return None
        return link

    def _run(
        self, link: Link, crew: list[int], inputs: Sequence[bytes], *, once: bool
    ) -> tuple[list[Outcome], int | None]:
        """Return the frames of a batch, and which input ended the reference, if one did."""
        order = protocol.TargetRun(
            crew, list(inputs), STEP_FACTOR, SPARE_STEPS,
            exact=self._comparison.kind == "exact", checked=self._comparison.kind == "checker",
            once=once,
        )  # fmt: skip
        link.send(marshal.dumps([protocol.RUN, *order], 2))
        frames, ending = self._answers(link, len(inputs))
        if ending is None:
            return frames, None
        if ending.kind is OutcomeKind.PROTOCOL and len(crew) > 1:
            self._single_out(link, ending, crew, inputs, once=once)
            return frames, None
        number = self._blame(link, ending, crew)
        return frames, None if number is None else max(number, len(frames))

    def _single_out(
        self, link: Link, ending: Ending, crew: list[int], inputs: Sequence[bytes], *, once: bool
    ) -> None:
        """Drop the targets that forge answers: bytes in a pipe do not tell whose they are."""
        target, before = link.child.begun(1) - 1, len(self.dropped)
        if self.bury(ending) is None:
            return
        for index in crew:
            alone = self._staffed([index])
            if alone is not None:
                self._run(alone, [index], inputs, once=once)
            self.close()
        if len(self.dropped) == before:  # none does when it is alone
            guilty = target if target in crew else crew[0]
            self.dropped[guilty] = Outcome(ending.kind, message=ending.message)

    def _answers(self, link: Link, number: int) -> tuple[list[Outcome], Ending | None]:
        """Return the frames that answer an order, and why they are fewer than they should be.

        Where one is forged, none is to be trusted, so that none is returned.
        """
        frames: list[Outcome] = []
        link.clock.restart()  # it has waited for us, not we for it
        seen: tuple[int, int] | None = None
        while True:
            got = link.receive(number + 1 - len(frames))
            if isinstance(got, Ending):
                place = (link.child.begun(), link.child.begun(1))
                if got.kind is not OutcomeKind.TIMEOUT or place == seen or self.overdrawn():
                    return frames, got
                seen = place  # a frame waits for all targets: one that is new has its own time
                link.clock.restart()
                continue
            answers = [frame for frame in got if not isinstance(frame, Signal)]
            if not all(map(is_readable, answers)):
                return [], Ending(OutcomeKind.PROTOCOL, "an answer that cannot be read")
            frames += answers
            last = got[-1]
            if isinstance(last, Signal) and last.kind == protocol.END and len(frames) == number:
                return frames, None
            if len(frames) > number or any(isinstance(frame, Signal) for frame in got):
                return [], Ending(OutcomeKind.PROTOCOL, "not one answer for each question")

    def _blame(
        self, link: Link, ending: Ending, crew: Sequence[int], *, loading: bool = False
    ) -> int | None:
        """End a child and drop the target it was at.

        Returns:
            None, or which input it was at, from 0, when that was the reference's doing.
        """
        number, target = link.child.begun(), link.child.begun(1) - 1
        final = self.bury(ending)
        if final is None or not crew:
            return None
        if target < 0 and not loading and final.kind is not OutcomeKind.PROTOCOL:
            return max(number - 1, 0)
        guilty = target if target in crew else crew[0]  # the page is the child's word
        self.dropped[guilty] = Outcome(final.kind, message=final.message)
        return None

    def _own_code_failed(self) -> Ending | None:
        """Judge a child that says its own code failed: a target that meddled with it."""
        return Ending(OutcomeKind.CRASH, "the sandbox's own code failed in its process")
