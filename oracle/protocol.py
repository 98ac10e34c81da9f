"""The words that parent, zygote and child exchange. Nothing here can be trusted to be true.

Parent and child share two pipes and one page of memory:

* parent to child: ``u32 length | marshal`` frames: first the job (a dict), then batches of inputs
  (a list of wire bytes). The child trusts its parent.
* child to parent: frames of ``HEADER | message | payload | others``. The parent trusts none.
* the page: the number of inputs the child has begun, so that a hang can be blamed on one of them;
  with ``targets`` also which of the programs was begun.

Parent and zygote share a packet socket: ``ASK`` a child (three descriptors ride along), ``BORN``
answers with its pidfd, ``DIED`` tells how it ended.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import struct
from hashlib import sha256
from typing import Any, NamedTuple, TypedDict

HEADER = struct.Struct("<BBHIII")
"""kind, flags, message bytes, steps, payload bytes, bytes of the other references' outcomes."""

SIZE = struct.Struct("<Q")
"""Length of a payload, which stands after its SHA-256 in a ``digest``."""

OTHER = struct.Struct("<BI")
"""kind and payload bytes of another reference's outcome."""

LENGTH = struct.Struct("<I")
"""Bytes of a frame to the child, which stands before it."""

KINDS = (
    "value",
    "raised",
    "contract",
    "steps",
    "memory",
    "output_limit",
    "unencodable",
    "load_error",
    "digest",
)
"""What a child may say about a call, by number. A hang or a crash it cannot tell us."""

(
    VALUE, RAISED, CONTRACT, STEPS, MEMORY, OUTPUT_LIMIT, UNENCODABLE, LOAD_ERROR, DIGEST,
) = range(len(KINDS))  # fmt: skip

READY, FAULT, LOADED, END = 200, 201, 202, 203
"""Frames about the child itself: confined; could not be confined; program loaded; all done."""

FIRST_INPUTS = 12
"""Inputs that a program on trial gets before all others. Most wrong programs fail on one of them,
and would go on with whatever else they had until that is seen. Right ones wait once."""

MUTATED = 1
"""Flag: the call changed its arguments."""

MAX_MESSAGE = 400
"""Bytes of a message, at most."""

MAX_STEPS = 0xFFFF_FFFF
"""The largest number of steps that ``HEADER`` has room for."""

ASK = struct.Struct("<II")
"""Serial number of the child and its memory limit in MiB."""

MOST_MEMORY_MIB = 0xFFFF_FFFF
"""The largest limit that ``ASK`` has room for: as good as none."""

DIED = struct.Struct("<IiddQ")
"""Serial number, wait status, user and system CPU seconds, largest resident set in KiB."""

OUT_OF_MEMORY, HARNESS_FAILED = 71, 70
"""Exit statuses of a child whose own harness could not go on."""

IN_FD, OUT_FD = 3, 4
"""The only descriptors a child keeps besides 0, 1 and 2 (which are /dev/null)."""

PAGE = 4096
"""Bytes of the memory that parent and child share."""

OBSERVED = ("result", "arguments", "truth", "presence", "found")
"""What may count as the outcome of a call; ``found`` is a truth value or else the presence."""


class ProgramSpec(TypedDict):
    """A program as the child gets it."""

    source: str
    entry: str


class Job(TypedDict):
    """What a child is to do, in its first frame.

    Attributes:
        task: ``call``, ``sieve``, ``record``, ``targets`` or ``symbolic``.
        programs: One; for ``sieve`` the references; for ``targets`` the reference; for ``symbolic``
            reference and target.
        contract: For ``sieve`` and ``symbolic``, or None.
        script: For ``record``.
        observe: One of ``OBSERVED``.
        by_equality: Reduce results as a judge must (see ``wire.reduce_value``).
        rationals: Arguments may hold some, as they stand on the wire (``call`` only).
        output_bytes: Longest payload.
        digest_above: Longer payloads are sent as their SHA-256 and length, or None for never. A
            digest proves the value as well as the value does, and nobody has to hold it.
        gives_back: Memory that is freed does not stay with the process (see ``arenas``).
        steps: Budget of contract and first reference, or None.
        depth: Nested calls the budget allows.
        max_calls: Calls that ``record`` keeps at most.
        seed: For Python's ``random``.
    """

    task: str
    programs: list[ProgramSpec]
    contract: ProgramSpec | None
    script: str
    observe: str
    by_equality: bool
    rationals: bool
    output_bytes: int
    digest_above: int | None
    gives_back: bool
    steps: int | None
    depth: int
    max_calls: int
    seed: int


LOAD, RUN = 0, 1
"""First item of what a ``targets`` child is told: ``LOAD, [(index, source, entry), ...]`` is
answered with a frame for each; ``RUN`` and the fields of a ``TargetRun`` with one for each input.
"""


class TargetRun(NamedTuple):
    """Inputs for targets.

    Attributes:
        alive: Indices of the targets to run, all loaded.
        inputs: Argument tuples in wire form.
        factor: Steps that a target may take for each of the reference's.
        spare: Further steps that it may take.
        exact: The task compares as Python's ``==`` does, so that the child may decide.
        checked: The task's checker decides: what is equal, yet not the same, is put to it too.
        once: After the first kill a target need not run again.
    """

    alive: list[int]
    inputs: list[bytes]
    factor: int
    spare: int
    exact: bool
    checked: bool
    once: bool


class Exploration(NamedTuple):
    """The order of a ``symbolic`` child: look for where the second program differs.

    Attributes:
        shapes: Type of each argument: a word (``int``, ``none``...), or a list of a word and the
            types within: ``list``, ``set``, ``frozenset``, ``dict``, ``tuple`` (one for each item),
            ``all`` (a tuple of any length), ``any of``.
        raises: Names of the exceptions that are a promised outcome.
        comparison: What counts as the same outcome: kind, absolute and relative tolerance.
        size: Items that a container or string may have.
        paths: Paths to follow, at most.
        work: What the solver may do for all of them, in its own units.
        path_s: CPU seconds of a path, an emergency stop.
    """

    shapes: list[Any]
    raises: list[str]
    comparison: tuple[str, float, float]
    size: int
    paths: int
    work: int
    path_s: float


ENDINGS = EXHAUSTED, REALS, UNSURE, EMPTY, BOUNDS, FAILED = (
    "exhausted", "reals", "unsure", "empty", "bounds", "failed"
)  # fmt: skip
"""How a search ends: no path is left; no path is left where floats are reals; no path is left but
some could not be followed; no path is left and on none there was anything to compare; as many paths
as were allowed have been followed; the solver failed."""


def digest(payload: bytes) -> bytes:
    """Return what stands for a payload too long to be sent: its SHA-256 and its length."""
    return sha256(payload).digest() + SIZE.pack(len(payload))


def frame(kind: int, payload: bytes) -> bytes:
    """Return the frame of an outcome as a child sends it when there is nothing else to say."""
    return HEADER.pack(kind, 0, 0, 0, len(payload), 0) + payload
