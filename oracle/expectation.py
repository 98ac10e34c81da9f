"""What the tests of a task expect: bytes to be compared, and values where bytes differ."""

from __future__ import annotations

from plusforge.oracle import protocol, wire
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.evalplus_rules import is_floats
from plusforge.oracle.gold import Gold
from plusforge.oracle.referee import whole_outcome
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox
from plusforge.oracle.values import Raised, Value
from plusforge.oracle.verdict import OutcomeKind


class Expectation:
    """The expected outcomes of a task's tests, by index."""

    def __init__(self, gold: Gold) -> None:
        """Take a task."""
        self._gold = gold
        self._floats: dict[int, tuple[int, int | None]] = {}  # of a part: looked at up to, first

    def frame(self, index: int) -> tuple[int, bytes]:
        """Return kind and payload of an expected outcome."""
        frame = self._gold.frames[index]
        return frame[0], frame[protocol.HEADER.size :]

    def is_same(self, index: int, outcome: Outcome) -> bool:
        """Tell whether a result, seen whole, is to the byte the one whose digest is expected."""
        kind, payload = self.frame(index)
        return (
            outcome.kind is OutcomeKind.VALUE
            and kind == protocol.DIGEST
            and protocol.digest(outcome.payload) == payload
        )

    def value(
        self, index: int, sandbox: Sandbox, limits: RunLimits, observe: str
    ) -> Value | Raised:
        """Return an expected outcome; of one that only a digest is known of, the reference's.

        Args:
            index: Of the test.
            sandbox: Runs the reference.
            limits: What it may take.
            observe: What counts as its outcome.

        Raises:
            BadFrame: It is more than the reader takes.
            SandboxError: The reference fails, which passed the pre-flight.
        """
        kind, payload = self.frame(index)
        if kind == protocol.RAISED:
            return Raised(payload.decode())
        if kind == protocol.DIGEST:
            reference = self._gold.references[0]
            program = Program(reference.source, self._gold.entry_point, reference.name)
            args = self._gold.args[index]
            again = whole_outcome(sandbox, program, args, limits, observe=observe)
            if again.kind is not OutcomeKind.VALUE:
                raise SandboxError(
                    f"{self._gold.task_id}: the reference, which passed the pre-flight, now comes "
                    f"to {again.kind} ({again.message})"
                )
            # Another Python may round its last digit otherwise: the pre-flight has accepted that.
            payload = again.payload
        return wire.loads(payload)

    def leaked(self, index: int) -> bool:
        """Tell whether an expected value before this one, of its part, was all floats."""
        start = 0 if index < self._gold.n_base else self._gold.n_base
        seen, first = self._floats.get(start, (start, None))
        while seen < index and first is None:
            first = seen if self._is_floats(seen) else None
            seen += 1
        self._floats[start] = seen, first
        return first is not None and first < index

    def _is_floats(self, index: int) -> bool:
        kind, payload = self.frame(index)
        if kind != protocol.VALUE or payload[:1] not in (b"g", b"[", b"("):
            return False
        try:
            return is_floats(wire.loads(payload))
        except wire.BadFrame:  # more than the reader takes
            return False
