"""The parent's handle on a zygote: start it, let it fork children, learn how they ended."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from plusforge.oracle import protocol
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.libraries import LIBRARIES, find_library

START_SECONDS = 60.0
"""Wall seconds a zygote may take to start, or to answer, on a loaded machine."""

PASSED_ON = ("LD_LIBRARY_PATH",)
"""Variables the interpreter itself may need; all others stay outside."""

# The zygote gets a bare package of our name: no site-packages, no __init__, nothing but the
# stand-alone modules it asks for.
_BOOT = """\
import sys, types
for name in ("plusforge", "plusforge.oracle"):
    sys.modules[name] = package = types.ModuleType(name)
    package.__path__ = []
package.__path__ = [sys.argv[1]]
from plusforge.oracle import zygote
zygote.main(int(sys.argv[2]))
"""


@dataclass(frozen=True, slots=True)
class Death:
    """How a child ended.

    Attributes:
        status: Exit status, or the negative number of the signal that ended it.
        cpu_s: CPU seconds it used.
        peak_kib: Largest resident set, KiB.
        lingered: It was given time to end by itself, and lived on.
    """

    status: int
    cpu_s: float
    peak_kib: int
    lingered: bool = False


class ZygoteLost(Exception):
    """The zygote went away. Never leaves the package: the sandbox starts another."""


class Child:
    """The parent's side of one child: its pipes, its shared page, and the means to kill it.

    Attributes:
        to: Write end of the pipe to the child, non-blocking.
        back: Read end of the pipe from the child, non-blocking.
        pid: Process number as this process sees it, 0 when unknown.
    """

    def __init__(
        self, to: int, back: int, page: int, pidfd: int, wait: Callable[[], Death]
    ) -> None:
        self.to = to
        self.back = back
        self._page = page
        self._pidfd = pidfd
        self._wait = wait
        self.pid = _pid_of(pidfd)
        os.set_blocking(to, False)
        os.set_blocking(back, False)

    def begun(self, word: int = 0) -> int:
        """Return the number of inputs the child says it has begun, or another word of the page."""
        # Read as a file: a mapping would send us SIGBUS if the child could shrink it.
        return int.from_bytes(os.pread(self._page, 4, 4 * word), sys.byteorder)

    def end(self, *, grace: float = 0.0) -> Death:
        """Kill the child if it lives, release all that was held for it, and tell how it ended.

        Args:
            grace: Seconds to let it end by itself, so that its own way of ending is known.

        Raises:
            ZygoteLost: Nobody can tell: the zygote is gone.
        """
        lingered = False
        try:
            if grace:
                poll = select.poll()
                poll.register(self._pidfd, select.POLLIN)
                lingered = not poll.poll(grace * 1000)
        finally:  # a Ctrl-C meanwhile must not let it live
            with suppress(ProcessLookupError):  # it has ended already
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            for fd in (self.to, self.back, self._page, self._pidfd):
                os.close(fd)
        return replace(self._wait(), lingered=lingered)


def _pid_of(pidfd: int) -> int:
    try:
        with open(f"/proc/self/fdinfo/{pidfd}", "rb") as info:  # noqa: PTH123  # once a sample
            found = [int(line.split()[1]) for line in info if line.startswith(b"Pid:")]
    except OSError:
        return 0
    return max(found[0], 0) if found else 0


class ZygoteProcess:
    """A running zygote.

    Attributes:
        report: What it says of itself: ``layers`` (name to status) and ``python`` (version).
        owner: Process that started it; a forked copy of that process must not use it.
    """

    def __init__(self, *, hash_seed: int, library: str = "", disable: frozenset[str]) -> None:
        """Start a zygote and wait until it is ready.

        Args:
            hash_seed: ``PYTHONHASHSEED`` of all its children.
            library: One of ``LIBRARIES``, to be imported in it; empty for none.
            disable: Layers to leave out.

        Raises:
            SandboxError: It could not be started.
        """
        self.owner = os.getpid()
        self._serial = 0
        self._deaths: dict[int, Death] = {}
        folder = find_library(library) if library else ""
        packages = [f"{folder}/{name}" for name in LIBRARIES[library].read] if library else []
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(START_SECONDS)
        with theirs:
            # Where ours are closed, it could have the number of one of its standard streams.
            fd = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 3)
            try:
                self._process = _start(fd, hash_seed)
            finally:
                os.close(fd)
        config = {
            "parent": self.owner,
            "disable": sorted(disable),
            "libraries": {library: folder} if library else {},
            "packages": packages,
        }
        try:
            self._control.send(json.dumps(config).encode())
            self.report: dict[str, Any] = json.loads(self._control.recv(1 << 16))
        except (OSError, ValueError) as exc:
            raise SandboxError(
                f"the sandbox did not start under {_base_python()}: {self._last_words() or exc}; "
                "`plusforge doctor` shows what this machine allows"
            ) from exc
        except BaseException:
            self.close()
            raise
        self._stderr().close()

    def spawn(self, memory_mib: int) -> Child:
        """Fork a child.

        Args:
            memory_mib: Its address space beyond the interpreter's own, MiB.

        Raises:
            ZygoteLost: The zygote is gone.
        """
        self._serial += 1
        serial = self._serial
        theirs, ours = list[int](), list[int]()
        try:
            theirs_in, to = os.pipe()
            theirs, ours = [theirs_in], [to]
            back, theirs_out = os.pipe()
            theirs, ours = [theirs_in, theirs_out], [to, back]
            page = os.memfd_create("plusforge", os.MFD_CLOEXEC)
            ours.append(page)
            os.ftruncate(page, protocol.PAGE)
            packet = protocol.ASK.pack(serial, min(memory_mib, protocol.MOST_MEMORY_MIB))
            socket.send_fds(self._control, [packet], [*theirs, page])
            pidfd = self._receive_until(serial, born=True)
        except BaseException as exc:
            for fd in ours:
                os.close(fd)
            if isinstance(exc, OSError):
                raise ZygoteLost(str(exc)) from exc
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        return Child(to, back, page, pidfd, lambda: self._death(serial))

    def _death(self, serial: int) -> Death:
        if serial not in self._deaths:
            try:
                self._receive_until(serial, born=False)
            except OSError as exc:
                raise ZygoteLost(str(exc)) from exc
        return self._deaths.pop(serial)

    def _receive_until(self, serial: int, *, born: bool) -> int:
        """Read packets until a child is born (return its pidfd) or has died (return 0)."""
        while True:
            packet, fds, _, _ = socket.recv_fds(self._control, 64, 1)
            if not packet:
                raise ZygoteLost("the sandbox's zygote ended")
            if fds:
                if born and protocol.LENGTH.unpack(packet)[0] == serial:
                    return fds[0]
                os.close(fds[0])
                continue
            number, status, user, system, peak = protocol.DIED.unpack(packet)
            self._deaths[number] = Death(os.waitstatus_to_exitcode(status), user + system, peak)
            if not born and number == serial:
                return 0

    def _stderr(self) -> IO[bytes]:
        stream = self._process.stderr
        if stream is None:
            raise SandboxError("the zygote has no error stream, though it was asked for")
        return stream

    def _last_words(self) -> str:
        """End a zygote that failed to start; return the last line it wrote."""
        self._process.kill()
        text = self._stderr().read(65_536).decode("utf-8", "replace").strip()
        self.close()
        return text.rpartition("\n")[2]

    def close(self) -> None:
        """End the zygote and every child of it."""
        self._control.close()
        self._stderr().close()
        if self.owner != os.getpid():
            self._process.returncode = 0  # not our child to wait for
            return
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _base_python() -> str:
    return getattr(sys, "_base_executable", None) or sys.executable


def _start(control_fd: int, hash_seed: int) -> subprocess.Popen[bytes]:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment |= {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": str(hash_seed),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        # Long results are copied a few times: memory that went back to the kernel in between would
        # have to be filled with zeros again, page by page.
        "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
        "MALLOC_TRIM_THRESHOLD_": str(256 << 20),
        # A heap for every thread reserves 64 MiB of address space, which is what is limited.
        "MALLOC_ARENA_MAX": "1",
    }
    # Not -I: it would ignore PYTHONHASHSEED. The environment is ours, so nothing else comes in.
    options = ["-s", "-S", "-P", *(["-B"] if sys.dont_write_bytecode else [])]
    if sys.pycache_prefix:  # byte code goes where ours does
        options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    command = [_base_python(), *options, "-c", _BOOT]
    try:
        return subprocess.Popen(
            [*command, str(Path(__file__).parent), str(control_fd)],
            pass_fds=[control_fd],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as exc:
        raise SandboxError(f"cannot start {command[0]}: {exc}; reinstall this Python") from exc
