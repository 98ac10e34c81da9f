"""The parent's clock for a child: its CPU time, with a backstop for one that only sleeps.

A limit on wall time fails correct programs on a loaded machine (12 of 12 at load 19); a limit on
CPU time does not. No clock inside the child is used: the program could stop it.
"""

from __future__ import annotations

import time
from pathlib import Path

WALL_FACTOR = 10.0
"""Wall seconds allowed for each CPU second."""

IDLE_SECONDS = 5.0
"""Seconds a child may neither run nor wait for a processor, beyond its CPU limit."""


class Clock:
    """Time that a child takes for its next bit of progress.

    Attributes:
        cpu_s: CPU seconds it may take for the next bit of progress.
    """

    def __init__(self, pid: int, cpu_s: float) -> None:
        """Start the clock.

        Args:
            pid: Process number as this process sees it, 0 when unknown (then wall time counts).
            cpu_s: The limit, CPU seconds.
        """
        self.cpu_s = cpu_s
        self._id = (~pid << 3) | 2 if pid else 0  # the kernel's name of another's CPU clock
        self._last = 0.0
        self._offset = -time.monotonic()
        self._pid = pid
        self._waited = 0.0
        self._told = False
        self.restart()

    def restart(self) -> None:
        """Begin to wait: what the child did before, while we were busy, is not held against it."""
        self._wall = time.monotonic()
        self._cpu = self.cpu()
        self._watch: tuple[float, float, float] | None = None

    def cpu(self) -> float:
        """Return the CPU seconds the child has used so far, all threads."""
        if self._id:
            try:
                self._last = time.clock_gettime(self._id)
                return self._last
            except OSError:  # it is gone: go on from where it stopped, by the wall clock
                self._id = 0
                self._offset = self._last - time.monotonic()
        return time.monotonic() + self._offset

    def remaining(self) -> float:
        """Return the wall seconds to wait before asking again; 0 or less when time is up."""
        wall = time.monotonic() - self._wall
        if wall < self.cpu_s:
            return self.cpu_s - wall
        left = self.cpu_s - (self.cpu() - self._cpu)
        patience = self.cpu_s + IDLE_SECONDS
        idle = self._idle()
        if idle is None:  # where the kernel does not tell who sleeps and who is queued, both count
            return min(left, max(self.cpu_s * WALL_FACTOR, patience) - wall)
        return min(left, patience - idle)

    def waited(self, seconds: float) -> None:
        """Note wall seconds that we had nothing to do but wait for the child."""
        self._waited += seconds

    def idle(self) -> float:
        """Return of all the seconds we waited those in which it neither ran nor was queued.

        0 when that cannot be told. Of the time it ran while we were busy, we know nothing: it is
        counted in the child's favour.
        """
        idle = self._waited - self.cpu()
        if idle < IDLE_SECONDS:  # reading /proc is only worth it for the slow
            return 0.0
        queued = self._queued()
        return 0.0 if queued is None else max(0.0, idle - queued)

    def untold(self) -> float:
        """Return the seconds we waited, of which nobody knows whether it slept or was queued."""
        if self._waited < IDLE_SECONDS:
            return 0.0
        self._queued()  # of one that has ended nothing can be read any more
        return 0.0 if self._told else self._waited

    def verdict(self) -> str:
        """Return what to say when time is up."""
        used = self.cpu() - self._cpu
        if used >= self.cpu_s:
            return f"no result within {self.cpu_s:g} s of CPU time"
        wall = time.monotonic() - self._wall
        return f"no result within {wall:.0f} s, of which it ran {used:.1f} s"

    def _idle(self) -> float | None:
        """Return the seconds spent neither running nor queued since this was first asked.

        None when that cannot be told.
        """
        queued = self._queued()
        if queued is None:
            return None
        now, cpu = time.monotonic(), self.cpu()
        if self._watch is None:  # reading /proc is only worth it for the slow
            self._watch = (now, cpu, queued)
        since, cpu_then, queued_then = self._watch
        return now - since - (cpu - cpu_then) - max(0.0, queued - queued_then)

    def _queued(self) -> float | None:
        """Return the seconds the child's threads have waited for a processor; None: unknown."""
        try:
            tasks = Path(f"/proc/{self._pid}/task")
            texts = [(task / "schedstat").read_text("ascii") for task in tasks.iterdir()]
            queued = sum(int(text.split()[1]) for text in texts) / 1e9
        except (OSError, IndexError, ValueError):
            return None
        self._told = True
        return queued
