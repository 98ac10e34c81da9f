"""What a job with a long-lived child looks like from outside: a sieve session, a recording."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Self

from plusforge.oracle.driver import Driver
from plusforge.oracle.link import Ending, Link, Signal
from plusforge.oracle.outcome import Outcome, Recording
from plusforge.oracle.verdict import OutcomeKind


class SieveSession:
    """Contract and references, loaded once and put to batches of inputs."""

    def __init__(self, driver: Driver) -> None:
        """Take over a driver; ``Sandbox.sieve`` makes sessions."""
        self._driver = driver

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child that serves the session."""
        self._driver.close()

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
