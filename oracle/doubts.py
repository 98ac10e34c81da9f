"""What each input kills: gathers what a child is sure of, and settles what it is not.

Tolerances, orders that do not matter, NaN and exact rationals are compared here, by the same rules
as everywhere; a task's own checker is asked about all that is open at once.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from plusforge.oracle import wire
from plusforge.oracle.compare import agree
from plusforge.oracle.outcome import Outcome, Program, RunLimits
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Value
from plusforge.oracle.verdict import OutcomeKind

Check: TypeAlias = Callable[[Program, Sequence[bytes], RunLimits], list[Outcome]]
"""Calls a program on inputs, within limits."""

_INDEX_BYTES = 4


def is_readable(frame: Outcome) -> bool:
    """Tell whether a frame holds what ``Kills.take`` looks for, so that it may be honest."""
    if not frame.others:
        return True
    try:
        wire.loads(frame.others[0][1])
    except wire.BadFrame:
        return False
    return all(len(data) > _INDEX_BYTES for _, data in frame.others[1:])


class Kills:
    """Gathers what each input kills; decides where the child could not."""

    def __init__(self, comparison: Comparison, check: Check, inputs: Sequence[bytes]) -> None:
        """Start with the inputs of one feed.

        Args:
            comparison: The task's.
            check: Runs the task's own checker.
            inputs: All inputs, in order.
        """
        self._comparison = comparison
        self._check = check
        self._inputs = inputs
        self._kills: list[set[int]] = []
        self._questions: list[tuple[int, int, bytes]] = []

    @property
    def count(self) -> int:
        """Inputs that are done with."""
        return len(self._kills)

    def skip(self) -> None:
        """Note that the next input kills nothing."""
        self._kills.append(set())

    def take(self, frames: Sequence[Outcome], crew: Sequence[int]) -> set[int]:
        """Note what the next inputs came to; return the targets that they surely kill.

        Args:
            frames: One for each of the inputs; readable ones.
            crew: The targets that were run.
        """
        members, first = set(crew), len(self._kills)
        for frame in frames:
            kills: set[int] = set()
            if frame.kind is OutcomeKind.VALUE:
                size = len(frame.payload) // _INDEX_BYTES
                kills.update(struct.unpack_from(f"<{size}I", frame.payload))
                kills.update(self._doubted(frame, members))
            self._kills.append(kills & members)
        return set().union(*self._kills[first:])

    def _doubted(self, frame: Outcome, members: set[int]) -> Iterator[int]:
        """Yield the targets whose outcome the task's comparison does not accept."""
        if not frame.others:
            return
        number = len(self._kills)
        expected: Value = wire.loads(frame.others[0][1])
        for _, data in frame.others[1:]:
            index = int.from_bytes(data[:_INDEX_BYTES], "little")
            if index not in members:
                continue
            try:
                got: Value = wire.loads(data[_INDEX_BYTES:])
            except wire.BadFrame:
                yield index
                continue
            if self._comparison.kind == "checker":  # it says what is right, and no equality
                args = marshal.loads(self._inputs[number])  # our own bytes
                question = wire.dumps((wire.without_rationals(got), *args))
                self._questions.append((number, index, question))
            elif not agree(self._comparison, expected, got):
                yield index

    def settled(self, *, once: bool) -> list[tuple[int, ...]]:
        """Ask the task's checker what is still open; return what each input kills."""
        if self._questions:
            checker = Program(self._comparison.checker or "", "check", "checker")
            asked = [question for _, _, question in self._questions]
            answers = self._check(checker, asked, RunLimits())
            for (number, index, _), answer in zip(self._questions, answers, strict=True):
                if not answer.is_true:
                    self._kills[number].add(index)
        if not once:
            return [tuple(sorted(kills)) for kills in self._kills]
        gone: set[int] = set()
        first: list[tuple[int, ...]] = []
        for kills in self._kills:
            first.append(tuple(sorted(kills - gone)))
            gone |= kills
        return first
