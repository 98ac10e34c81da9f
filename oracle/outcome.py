"""The records that go into the sandbox and come out of it."""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import NamedTuple

from plusforge.oracle.verdict import OutcomeKind

_TRUE = marshal.dumps(True, 2)  # noqa: FBT003


@dataclass(frozen=True, slots=True)
class Program:
    """A module and the function in it that is called.

    Attributes:
        source: The module's text.
        entry_point: Name of the function.
        name: For messages.
    """

    source: str
    entry_point: str
    name: str = "solution"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What a program may take.

    Attributes:
        cpu_s: CPU seconds of one call before it is stopped.
        memory_mib: Address space beyond the interpreter's own, MiB.
        output_bytes: Size of one result in wire form, bytes.
        steps: Deterministic budget of contract and first reference (``sieve`` only), or None.
        depth: Nested calls that the budget allows.
        total_cpu_s: CPU seconds of a whole job, or None for no such limit.
        load_cpu_s: CPU seconds of loading the programs; None: as for a call, but at least 2.
        gives_back: Memory that is freed goes back to the system at once, which takes longer, but
            is never in the way of a large block (see ``arenas``).
        whole: A trial sees results as they are, however long, and not their digests.
    """

    cpu_s: float = 10.0
    memory_mib: int = 1024
    output_bytes: int = 100_000
    steps: int | None = None
    depth: int = 400
    total_cpu_s: float | None = None
    load_cpu_s: float | None = None
    gives_back: bool = False
    whole: bool = False


class Outcome(NamedTuple):
    """What one call came to. A named tuple, because thousands are made a second.

    Attributes:
        kind: The word for it.
        payload: For ``value`` the result in wire form; for ``digest`` what stands for it
            (``protocol.digest``); for ``raised`` the exception's class name, UTF-8; else empty.
        message: For people; made by the program, so never evidence.
        steps: Deterministic cost of contract and first reference (``sieve`` with a budget).
        mutated: The first reference changed its arguments (``sieve``).
        others: Kind and payload of each further reference, in order; empty when all of them came
            to the same bytes as the first (``sieve``).
    """

    kind: OutcomeKind
    payload: bytes = b""
    message: str = ""
    steps: int = 0
    mutated: bool = False
    others: tuple[tuple[OutcomeKind, bytes], ...] = ()

    @property
    def is_true(self) -> bool:
        """Whether it is the value True, which is how a checker says yes."""
        return self.kind is OutcomeKind.VALUE and self.payload == _TRUE


@dataclass(frozen=True, slots=True)
class Recording:
    """What a benchmark's own test script did.

    Attributes:
        calls: Arguments of each call of the entry point, in wire form, in order.
        outcome_kind: ``value`` when the script ran through; ``raised`` when a test failed.
        message: What failed, with the script's line.
        line: Line of the script that failed, or 0.
        skipped: Calls whose arguments have no plain form.
    """

    calls: list[bytes]
    outcome_kind: OutcomeKind
    message: str = ""
    line: int = 0
    skipped: int = 0
