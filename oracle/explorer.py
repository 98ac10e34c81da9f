"""A symbolic search as it looks from outside: candidates come out of a confined child, one by one.

Nothing that comes out is believed: a candidate is bytes until our own bounded reader and the sieve
have had it, and how a search says it ended is the word of a process that ran somebody's program.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from typing import Any, Self

from plusforge.oracle import protocol
from plusforge.oracle.keeper import Keeper
from plusforge.oracle.link import Ending, Signal
from plusforge.oracle.outcome import Outcome
from plusforge.oracle.typespec import Fixed, Many, Mapping, OneOf, Scalar, Spec
from plusforge.oracle.verdict import OutcomeKind

FRAMES = 64
"""Frames taken at a time."""


class Explorer(Keeper):
    """One search for inputs that tell two programs apart. Use it as a context manager.

    Attributes:
        ending: How the search ended, once it has: one of ``protocol.ENDINGS``, ``time``, or
            ``memory``, ``crash``, ``load_error`` and the like, for a process that could not go on.
        message: More about it, for people.
    """

    ending = ""
    message = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def candidates(self, order: protocol.Exploration) -> Iterator[bytes]:
        """Yield argument tuples in wire form, unchecked, as they are found. Stop early at will.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        link = self.open()
        if isinstance(link, Outcome):
            self._end(link.kind, link.message)
            return
        link.send(marshal.dumps(list(order), 2))
        while True:
            frames = link.receive(FRAMES)
            if isinstance(frames, Ending):
                final = self.bury(frames) or frames
                self._end(final.kind, final.message)
                return
            for frame in frames:
                if isinstance(frame, Signal):
                    known = frame.kind == protocol.END and frame.message in protocol.ENDINGS
                    self.ending = frame.message if known else str(OutcomeKind.PROTOCOL)
                    self.close()
                    return
                if frame.kind is OutcomeKind.VALUE:
                    yield frame.payload

    def _end(self, kind: OutcomeKind, message: str) -> None:
        self.ending = "time" if kind is OutcomeKind.TIMEOUT else str(kind)
        self.message = message

    def _own_code_failed(self) -> Ending | None:
        """Judge a child that says its own code failed: a program that meddled with it."""
        return Ending(OutcomeKind.CRASH, "the sandbox's own code failed in its process")


def shapes_of(specs: Sequence[Spec]) -> list[Any] | None:
    """Return the shapes of arguments (see ``protocol.Exploration``).

    Returns:
        None when a type is none that a solver could draw values of: any value at all, complex
        numbers, lists that are records.
    """
    shapes = [_shape(spec) for spec in specs]
    return None if any(shape is None for shape in shapes) else shapes


def _shape(spec: Spec) -> Any:
    match spec:
        case Scalar(kind) if kind != "complex":
            return kind
        case Many("tuple", item):
            return _with("all", item)
        case Many(kind, item):
            return _with(kind, item)
        case Fixed("tuple", items):
            return _with("tuple", *items)
        case Mapping(key, value):
            return _with("dict", key, value)
        case OneOf(options):
            return _with("any of", *options)
        case _:
            return None


def _with(word: str, *specs: Spec) -> list[Any] | None:
    inner = shapes_of(specs)
    return None if inner is None else [word, *inner]
