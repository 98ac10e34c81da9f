"""The zygote: a clean process that imports the standard library once, then forks a child per job.

It is started by exec with a scrubbed environment and never sees a program, an input or a result:
pipes between parent and child are made by the parent and only handed through. It lives while its
parent does; when either end goes, everything below it is killed.

Stand-alone on purpose (standard library only): it runs where plusforge is not importable. The
launcher gives it a bare package of the same name, so that imports read the same on both sides.
"""

from __future__ import annotations

import gc
import importlib
import json
import mmap
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from os import _exit  # by name: a program may replace it in the module
from typing import Any

from plusforge.oracle import arenas, jail, jobs, mounts, protocol, seccomp
from plusforge.oracle.landlock import Ruleset

PRELOAD = (
    "abc ast bisect cmath collections collections.abc contextlib copy dataclasses datetime decimal "
    "enum fractions functools hashlib heapq io itertools json math numbers operator random re "
    "statistics string struct textwrap time types typing unicodedata"
).split()
"""What programs of this kind import; an import in the zygote is paid once."""

COLLECT_AFTER = (50_000, 20, 50)
"""Thresholds of the cycle collector: programs are short, their results large and rarely cyclic."""

SYMBOLIC = "plusforge.oracle.symbolic"
"""The module that knows the solver; it stands beside this one, the solver does not."""

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero")
SYSTEM_TREES = ("/usr/share/zoneinfo",)
LIBRARY_ROOTS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
PACKAGE_FOLDERS = frozenset({"site-packages", "dist-packages"})


class Zygote:
    """State of the process: how children are confined, and which are alive."""

    def __init__(self, control: socket.socket, config: dict[str, Any]) -> None:
        self.control = control
        self.off = frozenset(config["disable"])
        self.machine = os.uname().machine
        self.layers: dict[str, str] = {}
        self.ruleset: Ruleset | None = None
        self.filter: bytes | None = None
        self.base_memory = 0
        self.children: dict[int, tuple[int, int]] = {}  # pidfd -> (serial, pid)
        self.parent = os.pidfd_open(config["parent"])
        self.packages: list[str] = config["packages"]

    # ------------------------------------------------------------ layers

    def layer(self, name: str, enter: Any) -> bool:
        """Enter one layer of confinement and note how it went."""
        if name in self.off or name.partition(" ")[2] in self.off:
            self.layers[name] = "off: switched off"
            return False
        try:
            self.layers[name] = enter() or "on"
        except OSError as exc:
            self.layers[name] = f"off: {exc.strerror or exc}"
            return False
        return True

    def is_on(self, name: str) -> bool:
        """Tell whether a layer is in force."""
        return self.layers[name].startswith("on")

    def enter_namespaces(self) -> None:
        """Enter the namespaces the system lets us have, each on its own merits."""
        self.layer("user namespace", jail.enter_user_namespace)
        for name in ("net", "ipc", "uts", "pid"):
            self.layer(f"{name} namespace", lambda name=name: jail.unshare(name))
        if self.is_on("pid namespace"):
            self._become_first()

    def _become_first(self) -> None:
        """Go on as process 1 of the namespace: when it ends, the kernel kills all others in it."""
        pid = os.fork()
        if pid:
            self.control.close()
            os.waitpid(pid, 0)
            _exit(0)
        jail.die_with_parent(signal.SIGKILL)
        with suppress(OSError):
            jail.limit_process_numbers()
            self.layers["pid namespace"] = f"on: at most {jail.MAX_TASKS} threads at a time"

    def prepare(self, libraries: dict[str, str]) -> None:
        """Import, then build what children apply to themselves.

        Args:
            libraries: Further modules, and the folder that each is imported from.
        """
        for name in PRELOAD:
            importlib.import_module(name)
        for name, folder in libraries.items():
            sys.path.append(folder)
            module = importlib.import_module(name)
            sys.path.remove(folder)
            if name == SYMBOLIC:
                jobs.TASKS["symbolic"] = module.run_symbolic
        jail.raise_stack()
        self.enter_namespaces()
        self.base_memory = jail.address_space()
        if self.layer("landlock", self._build_ruleset):
            self.layers["mounts"] = "off: not needed"
        else:
            self.layer("mounts", self._hide_files)
        self.layer("seccomp", self._build_filter)
        self.layer("capabilities", lambda: jail.drop_capabilities(self.machine))
        self.layer("undumpable", jail.undumpable)
        self.layer("rlimits", lambda: None)

    def _build_ruleset(self) -> str:
        files, trees = readable_paths(self.packages)
        self.ruleset = Ruleset(files=files, trees=trees)
        return f"on: version {self.ruleset.version}, {self.ruleset.rules} paths"

    def _hide_files(self) -> None:
        files, trees = readable_paths(self.packages)
        mounts.hide_all_but(files, trees, self.machine)

    def _build_filter(self) -> str:
        self.filter = seccomp.build(self.machine)
        return f"on: {len(self.filter) // 8} instructions, refuses by default"

    # ------------------------------------------------------------ children

    def run(self) -> None:
        """Fork a child for every request until the parent goes."""
        poll = select.poll()
        for fd in (self.control.fileno(), self.parent):
            poll.register(fd, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self.parent:
                    return
                if fd == self.control.fileno():
                    packet, fds, _, _ = socket.recv_fds(self.control, 64, 3)
                    if not packet:
                        return
                    poll.register(self.start(packet, fds), select.POLLIN)
                else:
                    poll.unregister(fd)
                    self.reap(fd)

    def start(self, packet: bytes, fds: list[int]) -> int:
        """Fork a child; send its pidfd to the parent and return ours."""
        serial, memory_mib = protocol.ASK.unpack(packet)
        pid = os.fork()
        if pid == 0:
            try:
                self.become_child(memory_mib, *fds)
            finally:  # whatever happens, it must not go on as if it were us
                _exit(protocol.HARNESS_FAILED)
        for fd in fds:
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        socket.send_fds(self.control, [protocol.LENGTH.pack(serial)], [pidfd])
        self.children[pidfd] = (serial, pid)
        return pidfd

    def reap(self, pidfd: int) -> None:
        """Tell the parent how a child ended."""
        serial, pid = self.children.pop(pidfd)
        _, status, usage = os.wait4(pid, 0)
        os.close(pidfd)
        if self.filter is None:
            self.sweep(pid)
        self.control.send(
            protocol.DIED.pack(serial, status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss)
        )

    def sweep(self, pid: int) -> None:
        """End what a child started: without seccomp it could fork."""
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        if not self.children and self.is_on("pid namespace"):
            with suppress(OSError):
                os.kill(-1, signal.SIGKILL)  # all of our namespace but us
                while os.waitpid(-1, 0)[0]:
                    pass

    def kill_all(self) -> None:
        """End every child; with a process namespace the kernel would do it for us."""
        for pidfd in self.children:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)

    def become_child(self, memory_mib: int, in_fd: int, out_fd: int, page_fd: int) -> None:
        """Confine the calling process, the strictest layer last; do one job in it; end it."""
        try:
            page = mmap.mmap(page_fd, protocol.PAGE)
            # Opened anew: the flags of one description would be seen by every later child.
            null = os.open(os.devnull, os.O_RDWR)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.setsid()
            if self.ruleset is not None or self.filter is not None:
                jail.no_new_privileges()
            if self.ruleset is not None:
                self.ruleset.apply()
            self.control.detach()
            jail.keep_only(null, in_fd, out_fd)
            out_fd = protocol.OUT_FD
            jail.die_with_parent(signal.SIGKILL)
            if "rlimits" not in self.off:
                jail.limit_resources(
                    self.base_memory + (memory_mib << 20), own_user=self.is_on("user namespace")
                )
            if self.filter is not None:
                seccomp.install(self.filter, os.getpid(), self.machine)
        except BaseException as exc:
            text = f"{type(exc).__name__}: {exc}".encode()[: protocol.MAX_MESSAGE]
            os.write(out_fd, protocol.HEADER.pack(protocol.FAULT, 0, len(text), 0, 0, 0) + text)
            _exit(1)
        status = 0
        try:
            jobs.serve(protocol.IN_FD, protocol.OUT_FD, page)
        except MemoryError:
            status = protocol.OUT_OF_MEMORY
        except BaseException:
            status = protocol.HARNESS_FAILED
        _exit(status)


def readable_paths(packages: list[str]) -> tuple[list[str], list[str]]:
    """Return what programs may read: files, and folders with all that is in them.

    The standard library's own folder is not among them, only what is in it. Python knows its list
    of modules from before, so that imports work; packages installed there cannot even be listed.

    Args:
        packages: Further folders.
    """
    library = os.path.dirname(os.__file__)  # noqa: PTH120
    files, trees = list(SYSTEM_FILES), list(SYSTEM_TREES)
    with os.scandir(library) as entries:
        for entry in entries:
            if entry.name not in PACKAGE_FOLDERS:
                (trees if entry.is_dir() else files).append(entry.path)
    # Shared libraries, but not the folders of packages that stand beside them.
    triplet = getattr(sys.implementation, "_multiarch", "")
    for root in LIBRARY_ROOTS:
        if triplet:
            trees.append(f"{root}/{triplet}")
        if os.path.isdir(root):  # noqa: PTH112
            with os.scandir(root) as entries:
                files += [e.path for e in entries if ".so" in e.name and not e.is_dir()]
    trees += packages
    return sorted(files), sorted(trees)


def main(control_fd: int) -> None:
    """Run the zygote.

    Args:
        control_fd: The packet socket to the parent; the first packet is the configuration.
    """
    control = socket.socket(fileno=control_fd)
    jail.usual_signals()
    config = json.loads(control.recv(1 << 16))
    arenas.keep_memory()
    zygote = Zygote(control, config)
    if os.getppid() != config["parent"]:
        return  # the parent was gone before we could watch it
    zygote.prepare(config["libraries"])
    sys.dont_write_bytecode = True  # ours is written by now; programs may write nothing
    for name in [name for name in sys.modules if name.partition(".")[0] == "plusforge"]:
        del sys.modules[name]  # programs have no business with it
    sys.argv[:] = sys.orig_argv[:] = ["solution"]
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    report = {"layers": zygote.layers, "python": sys.version.split()[0]}
    control.send(json.dumps(report).encode())
    try:
        zygote.run()
    finally:
        zygote.kill_all()
        _exit(0)
