"""Targets in sessions of their own, as far as they must not meet.

Programs of one session share a process: one that sets the precision of ``decimal``, say, changes
what the others come to. Mutants do no such thing; what somebody else wrote may.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from plusforge.oracle.outcome import Outcome
from plusforge.oracle.targets import TargetSession


class Squad(Protocol):
    """Targets that run beside a reference, whatever is behind them; see ``TargetSession``."""

    @property
    def dropped(self) -> dict[int, Outcome]:
        """Targets that run no more, by index."""

    @property
    def steps(self) -> int:
        """Deterministic steps taken so far."""

    def feed(
        self, inputs: Sequence[bytes], alive: Sequence[int] | None = None, *, once: bool = False
    ) -> list[tuple[int, ...]]:
        """Tell for each input which targets it kills."""


class Squads:
    """Several sessions with one reference, numbered as one."""

    def __init__(self, sessions: Sequence[TargetSession], sizes: Sequence[int]) -> None:
        """Join sessions.

        Args:
            sessions: In the order of their targets' numbers.
            sizes: How many targets each has.
        """
        self._sessions = sessions
        self._parts: list[range] = []
        for size in sizes:
            start = self._parts[-1].stop if self._parts else 0
            self._parts.append(range(start, start + size))

    @property
    def dropped(self) -> dict[int, Outcome]:
        """Targets that run no more, by index, with what ended them."""
        return {
            part.start + index: outcome
            for session, part in zip(self._sessions, self._parts, strict=True)
            for index, outcome in session.dropped.items()
        }

    @property
    def steps(self) -> int:
        """Deterministic steps that references and targets took so far."""
        return sum(session.steps for session in self._sessions)

    def feed(
        self, inputs: Sequence[bytes], alive: Sequence[int] | None = None, *, once: bool = False
    ) -> list[tuple[int, ...]]:
        """Tell for each input which targets it kills; see ``TargetSession.feed``.

        Raises:
            TaskError: The reference does not load.
            SandboxError: The sandbox itself failed, twice.
        """
        found: list[tuple[int, ...]] = [()] * len(inputs)
        for session, part in zip(self._sessions, self._parts, strict=True):
            wanted: Collection[int] = part if alive is None else alive
            crew = [index - part.start for index in wanted if index in part]
            if crew:
                rows = session.feed(inputs, crew, once=once)
                found = [
                    (*before, *(part.start + index for index in row))
                    for before, row in zip(found, rows, strict=True)
                ]
        return found

    def close(self) -> None:
        """End all sessions."""
        for session in self._sessions:
            session.close()
