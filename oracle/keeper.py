"""Start a job's children, watch over them, and tell whose fault their end was."""

from __future__ import annotations

import marshal
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from plusforge.oracle import protocol
from plusforge.oracle.clock import WALL_FACTOR
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.launcher import Child, Death, ZygoteLost
from plusforge.oracle.link import Ending, Link, Signal
from plusforge.oracle.outcome import Outcome, RunLimits
from plusforge.oracle.verdict import OutcomeKind

_READY, _LOADED = (Signal(kind, "") for kind in (protocol.READY, protocol.LOADED))
_SIGKILL = -9

IDLE_TOTAL_S = 30.0
"""Wall seconds that a job with a ``total_cpu_s`` may spend asleep, all its inputs together."""

START_CPU_S = 20.0
"""CPU seconds a child may take to confine itself."""

LOAD_CPU_S = 2.0
"""CPU seconds a program may take to load even when its calls may not: imports are slow."""

LOADING = "while loading: "
"""Begins the message of an ending that came before the first call."""

GRACE_SECONDS = 0.5
"""Time for a child that closed its pipe to end, so that its exit status is its own."""


class Keeper(ABC):
    """Has at most one child at a time, with the job's programs loaded.

    Attributes:
        unloaded: A child could not load its programs; all further outcomes say so.
    """

    def __init__(
        self,
        spawn: Callable[[int], Child],
        job: protocol.Job,
        limits: RunLimits,
        *,
        patient: bool = False,
        slow: Mapping[int, float] | None = None,
        renew: Callable[[], None] | None = None,
    ) -> None:
        """Prepare a job; the first child starts when it is needed.

        Args:
            spawn: Forks a child with a memory limit in MiB.
            job: What the children are to do.
            limits: Their limits.
            patient: The time limit is for the whole job, not for each frame.
            slow: CPU seconds allowed for inputs that may take longer, by index.
            renew: Starts a fresh zygote for a second try when a child's own code fails. None for
                programs that nobody trusts: such a failure is then their doing.
        """
        self._spawn = spawn
        self._renew = renew
        self._plain = job
        plain: Any = job
        self._job = marshal.dumps(plain, 2)
        self._limits = limits
        self._patient = patient
        self._slow = slow or {}
        self._others = len(job["programs"]) - 1
        self._link: Link | None = None
        self._failed: Outcome | None = None
        self.unloaded = False
        self._cpu_spent = self._idle_spent = self._untold_spent = 0.0
        self._faults = 0
        self._broken = False

    def close(self) -> None:
        """End the child, if there is one."""
        if self._link is not None:
            link, self._link = self._link, None
            self._note_waiting(link)
            with suppress(ZygoteLost):  # it took the child with it
                self._cpu_spent += link.child.end().cpu_s

    # ------------------------------------------------------------ starting a child

    def open(self) -> Link | Outcome:
        """Return a child with the programs loaded, or the outcome that all inputs share.

        Raises:
            SandboxError: A child could not be confined, twice.
        """
        if self._failed is None and self._link is None:
            why = self.overdrawn()
            self._failed = Outcome(OutcomeKind.TIMEOUT, message=why) if why else None
        if self._failed is not None:
            return self._failed
        while self._link is None:
            link = self._link = Link(
                self._spawn(self._limits.memory_mib),
                self._limits,
                others=self._others,
                patient=self._patient,
            )
            link.clock.cpu_s = START_CPU_S  # until it is ready, the time is ours
            link.send(self._job)
            answer = link.receive(1)
            if isinstance(answer, Ending) or answer[0] != _READY:
                self._fault(answer.message if isinstance(answer, Ending) else answer[0].message)
                continue
            seconds = self._limits.load_cpu_s or max(self._limits.cpu_s, LOAD_CPU_S)
            link.clock.cpu_s = min(seconds, self._cpu_left())
            link.clock.restart()
            answer = link.receive(1)
            if isinstance(answer, Ending):
                ending = self.bury(answer)
                if ending is None:
                    continue
                self._failed = Outcome(ending.kind, message=LOADING + ending.message)
            elif isinstance(answer[0], Outcome):
                self._failed = Outcome(answer[0].kind, message=answer[0].message)
            elif answer[0] != _LOADED:
                self._failed = Outcome(OutcomeKind.PROTOCOL, message="unexpected frame at loading")
            if self._failed is not None:
                self.unloaded = True
                self.close()
                return self._failed
            link.clock.cpu_s = min(self._limits.cpu_s, self._cpu_left())
            link.clock.restart()
        return self._link

    def _fault(self, message: str) -> None:
        """Count a failure that is ours, not the program's; the second is too many.

        Raises:
            SandboxError: It is the second.
        """
        self.close()
        self._faults += 1
        if self._faults > 1:
            raise SandboxError(
                f"a sandbox child failed twice before the program started: {message}; "
                "run `plusforge doctor` to see what this machine allows"
            )
        if self._renew is not None:
            self._renew()

    def bury(self, ending: Ending) -> Ending | None:
        """End a child and return why, as exactly as can be told; None when it was our fault."""
        link, self._link = self._link, None
        if link is None:
            return ending
        self._note_waiting(link)
        try:
            crashed = ending.kind is OutcomeKind.CRASH
            death = link.child.end(grace=GRACE_SECONDS if crashed else 0.0)
        except ZygoteLost as exc:
            self._fault(str(exc))
            return None
        self._cpu_spent += death.cpu_s
        if death.lingered:  # closed its end and lived on
            self._idle_spent += GRACE_SECONDS
        if crashed and death.status == protocol.HARNESS_FAILED and self._renew is not None:
            return self._own_code_failed()
        return self._explain(death) if crashed else ending

    def _note_waiting(self, link: Link) -> None:
        self._idle_spent += link.clock.idle()
        self._untold_spent += link.clock.untold()

    @abstractmethod
    def _own_code_failed(self) -> Ending | None:
        """Judge a child that says its own code failed; None when the job is to be tried again."""

    def _explain(self, death: Death) -> Ending:
        if death.status == protocol.OUT_OF_MEMORY:
            return Ending(OutcomeKind.MEMORY, "out of memory")
        if death.status >= 0:
            return Ending(OutcomeKind.CRASH, f"the process ended itself (status {death.status})")
        if death.status == _SIGKILL and death.peak_kib > self._limits.memory_mib * 512:
            return Ending(OutcomeKind.MEMORY, "killed by the kernel, most likely for its memory")
        return Ending(OutcomeKind.CRASH, f"killed by signal {-death.status}")

    def overdrawn(self) -> str:
        """Return why the job as a whole has no time left; empty when it has."""
        total = self._limits.total_cpu_s
        if total is None:
            return ""
        if self.cpu() > total:
            return "no CPU time left for this job"
        if self.idle() > IDLE_TOTAL_S:
            return f"this job slept for more than {IDLE_TOTAL_S:g} s"
        # Where the kernel does not tell who sleeps and who queues, both count.
        untold = self._untold_spent + (0.0 if self._link is None else self._link.clock.untold())
        if untold > total * WALL_FACTOR:
            return f"this job took more than {WALL_FACTOR:g} times its CPU time"
        return ""

    def cpu(self) -> float:
        """Return the CPU seconds used by the children so far, the living one included."""
        return self._cpu_spent + (0.0 if self._link is None else self._link.clock.cpu())

    def idle(self) -> float:
        """Return the seconds the children have slept while we waited for them."""
        return self._idle_spent + (0.0 if self._link is None else self._link.clock.idle())

    def charge(self, other: Keeper) -> None:
        """Count what another job took as this one's."""
        self._cpu_spent += other.cpu()
        self._idle_spent += other.idle()

    def _cpu_left(self) -> float:
        """Return the CPU seconds that the children to come may use, the living one included."""
        total = self._limits.total_cpu_s
        return math.inf if total is None else total - self._cpu_spent
