"""What a job with a long-lived child looks like from outside: sieve, trial, recording."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import chain
from typing import Self

from plusforge.oracle.driver import Driver
from plusforge.oracle.link import Ending, Link, Signal
from plusforge.oracle.outcome import Outcome, Recording
from plusforge.oracle.verdict import OutcomeKind


class _Session:
    """A driver that is closed in the end."""

    def __init__(self, driver: Driver) -> None:
        """Take over a driver; the sandbox makes sessions."""
        self._driver = driver

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child that serves the session."""
        self._driver.close()


class SieveSession(_Session):
    """Contract and references, loaded once and put to batches of inputs."""

    def feed(self, batch: Sequence[bytes]) -> list[Outcome]:
        """Put a batch of inputs to the contract and the references.

        Args:
            batch: Argument tuples in wire form.

        Returns:
            One outcome for each input, in order: the first reference's, or ``contract``,
            ``steps``... when it did not come to that.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        return list(chain.from_iterable(self._driver.run(batch)))


class Trial(_Session):
    """One program on its inputs, beside the outcomes that are expected of it."""

    def compare(
        self, inputs: Sequence[bytes], expected: Sequence[bytes]
    ) -> Generator[list[Outcome | None], None, None]:
        """Yield one outcome for each input, in order and some at a time; None for the expected one.

        The last one only comes when the child has ended its answers properly, so that a program
        has passed exactly when as many as there are inputs have come. Stop early at will.

        Args:
            inputs: Argument tuples in wire form.
            expected: ``protocol.frame`` of each expected outcome; nothing to expect nothing.

        Raises:
            SandboxError: The sandbox itself failed, twice. Never the program's doing.
        """
        return self._driver.compare(inputs, expected)

    @property
    def unloaded(self) -> bool:
        """Whether the program could not be loaded, so that no outcome is a call's."""
        return self._driver.unloaded

    def cpu(self) -> float:
        """Return the CPU seconds the program has used so far."""
        return self._driver.cpu()

    def charge(self, other: Trial) -> None:
        """Count the time of another trial of the same program as this one's."""
        self._driver.charge(other._driver)


def record_calls(driver: Driver) -> Recording:
    """Drive a recording job to its end.

    Args:
        driver: Of a ``record`` job; it is closed afterwards.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    try:
        while True:
            link = driver.open()
            if isinstance(link, Outcome):
                return Recording([], link.kind, link.message)
            recording = _record(driver, link)
            if recording is not None:
                return recording
    finally:
        driver.close()


def _record(driver: Driver, link: Link) -> Recording | None:
    """Return what one child recorded; None when it failed for a fault of ours."""
    calls: list[bytes] = []
    skipped = 0
    failure: Outcome | None = None
    while True:
        frames = link.receive(1000)
        if isinstance(frames, Ending):
            ending = driver.bury(frames)
            return ending and Recording(calls, ending.kind, ending.message, 0, skipped)
        for frame in frames:
            if isinstance(frame, Signal):
                if failure is None:
                    return Recording(calls, OutcomeKind.VALUE, skipped=skipped)
                return Recording(calls, failure.kind, failure.message, failure.steps, skipped)
            if frame.kind is OutcomeKind.VALUE:
                calls.append(frame.payload)
            elif frame.kind is OutcomeKind.UNENCODABLE:
                skipped += 1
            else:
                failure = frame
