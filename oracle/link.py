"""Frames to and from one child, under the parent's clock. Believes nothing it reads."""

from __future__ import annotations

import os
import select
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

from plusforge.oracle import protocol
from plusforge.oracle.clock import Clock
from plusforge.oracle.launcher import Child
from plusforge.oracle.outcome import Outcome, RunLimits
from plusforge.oracle.verdict import OutcomeKind

CHUNK = 1 << 16
"""Bytes read from a child in one go, at most: a pipe holds no more."""

FRAME_SLACK = 4096
"""Bytes a frame may have beyond the allowed payload."""

LONGEST_WAIT_S = 3600.0
"""The kernel takes no time limit however large: then the clock is asked again."""

Frame = TypeVar("Frame")

KINDS = tuple(OutcomeKind(word) for word in protocol.KINDS)
"""By number in a frame."""


class Signal(NamedTuple):
    """A frame about the child itself.

    Attributes:
        kind: ``READY``, ``FAULT``, ``LOADED``, ``END``, or a number that means nothing.
        message: For people.
    """

    kind: int
    message: str


class Ending(NamedTuple):
    """Why no more frames come.

    Attributes:
        kind: ``timeout``, ``protocol``, or ``crash`` (the child closed its end).
        message: For people.
    """

    kind: OutcomeKind
    message: str


class Script:
    """The frames a child sends if it comes to the expected outcomes, to be compared as bytes.

    Comparing thousands of frames costs one ``memcmp``; only what differs is ever taken apart.
    """

    def __init__(self, frames: Sequence[bytes]) -> None:
        """Lay frames end to end."""
        self._text = b"".join(frames)
        self._ends = list(accumulate(map(len, frames)))
        self._index = self._at = 0

    def match(self, buffer: bytearray) -> int:
        """Take the frames at the start of a buffer that are the expected ones; return how many."""
        at, first = self._at, self._index
        whole = min(len(buffer), len(self._text) - at)
        # Frames that agree form a prefix, so the first that does not is found by halving.
        low, high = first, bisect_right(self._ends, at + whole, first)
        probe = high
        while low < high:
            size = self._ends[probe - 1] - at
            if buffer[:size] == self._text[at : at + size]:
                low = probe
            else:
                high = probe - 1
            probe = (low + high + 1) // 2
        if low > first:
            self._index, self._at = low, self._ends[low - 1]
            del buffer[: self._at - at]
        return low - first

    def skip(self) -> None:
        """Pass over one expected frame: the child has sent another in its place."""
        self._at = self._ends[self._index]
        self._index += 1


class Link:
    """The two pipes of a child.

    Attributes:
        child: The child.
        clock: Time we have waited for its next frame; ``patient`` links start it only by hand.
        given: Inputs the child has been sent so far (kept by the owner).
    """

    def __init__(self, child: Child, limits: RunLimits, *, others: int, patient: bool) -> None:
        """Watch over a child.

        Args:
            child: A fresh child.
            limits: Its limits.
            others: Further references whose outcomes a frame may carry.
            patient: Frames are no progress: the limit is for all of them together.
        """
        self.child = child
        self.clock = Clock(child.pid, limits.cpu_s)
        self.given = 0
        self._patient = patient
        self._largest = limits.output_bytes + FRAME_SLACK
        self._largest_others = others * self._largest
        self._queue: deque[memoryview] = deque()
        self._buffer = bytearray()
        self._poll = select.poll()
        self._poll.register(child.back, select.POLLIN)
        self._writing = False

    def send(self, payload: bytes) -> None:
        """Queue a frame; it goes out while ``receive`` waits."""
        self._queue.append(memoryview(protocol.LENGTH.pack(len(payload)) + payload))
        if not self._writing:
            self._poll.register(self.child.to, select.POLLOUT)
            self._writing = True

    def is_silent(self) -> bool:
        """Tell whether the child has sent nothing beyond what was received."""
        ready = dict(self._poll.poll(0))
        return not self._buffer and not ready.get(self.child.back, 0) & select.POLLIN

    def receive(self, most: int) -> list[Outcome | Signal] | Ending:
        """Wait for frames.

        Args:
            most: Number of frames to return at most.

        Returns:
            At least one frame, or why there will be none.
        """
        return self._wait_for(lambda: self._parse(most))

    def match(self, script: Script) -> list[Outcome | Signal | None] | Ending:
        """Wait for frames that are expected; one that is as expected comes back as None."""
        return self._wait_for(lambda: self._compare(script))

    def _wait_for(self, take: Callable[[], list[Frame] | Ending]) -> list[Frame] | Ending:
        frames = take()
        if not frames and not self._patient:
            self.clock.restart()
        while not frames:
            seconds = self.clock.remaining()
            if seconds <= 0:
                return Ending(OutcomeKind.TIMEOUT, self.clock.verdict())
            before = time.monotonic()
            ready = self._poll.poll(min(seconds, LONGEST_WAIT_S) * 1000 + 1)
            self.clock.waited(time.monotonic() - before)
            for fd, _ in ready:
                if fd == self.child.to:
                    self._write()
                elif not self._fill():
                    return Ending(OutcomeKind.CRASH, "the process ended")
            frames = take()
        return frames

    def _write(self) -> None:
        try:
            while self._queue:
                sent = os.write(self.child.to, self._queue[0])
                self._queue[0] = self._queue[0][sent:]
                if not self._queue[0]:
                    self._queue.popleft()
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._queue.clear()  # it reads no more; what it wrote still counts
        self._poll.unregister(self.child.to)
        self._writing = False

    def _fill(self) -> bool:
        try:
            chunk = os.read(self.child.back, CHUNK)
        except BlockingIOError:
            return True
        self._buffer += chunk
        return bool(chunk)

    def _compare(self, script: Script) -> list[Outcome | Signal | None] | Ending:
        matched = script.match(self._buffer)
        if matched:
            return [None] * matched
        frames = self._parse(1)
        if isinstance(frames, Ending):
            return frames
        if frames:
            script.skip()
        return [*frames]

    def _parse(self, most: int) -> list[Outcome | Signal] | Ending:
        frames: list[Outcome | Signal] = []
        size, unpack = protocol.HEADER.size, protocol.HEADER.unpack_from
        largest, all_others, kinds = self._largest, self._largest_others, len(KINDS)
        at, end = 0, len(self._buffer)
        with memoryview(self._buffer) as view:
            while len(frames) < most and at + size <= end:
                kind, flags, text, steps, body, rest = unpack(view, at)
                if body > largest or rest > all_others or text > protocol.MAX_MESSAGE:
                    return Ending(OutcomeKind.PROTOCOL, "a frame larger than allowed")
                start = at + size
                middle = start + text
                last = middle + body
                if last + rest > end:
                    break
                at = last + rest
                message = str(view[start:middle], "utf-8", "replace") if text else ""
                if kind < kinds:
                    payload = bytes(view[middle:last])
                    others = _others(bytes(view[last:at])) if rest else ()
                    mutated = flags & protocol.MUTATED != 0
                    frames.append(Outcome(KINDS[kind], payload, message, steps, mutated, others))
                else:
                    frames.append(Signal(kind, message))
        del self._buffer[:at]
        return frames


def _others(data: bytes) -> tuple[tuple[OutcomeKind, bytes], ...]:
    """Return the other references' outcomes; what is malformed counts as a protocol violation."""
    found: list[tuple[OutcomeKind, bytes]] = []
    at, size = 0, protocol.OTHER.size
    while at + size <= len(data):
        kind, length = protocol.OTHER.unpack_from(data, at)
        at += size
        word = KINDS[kind] if kind < len(KINDS) else OutcomeKind.PROTOCOL
        found.append((word, data[at : at + length]))
        at += length
    return tuple(found)
