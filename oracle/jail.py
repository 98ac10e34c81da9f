"""Linux confinement by plain system calls: privileges, namespaces, resource limits, descriptors.

Only ``ctypes`` is used: these few calls are smaller than any wrapper, and nothing else has to be
installed where programs run. Landlock and seccomp have their own modules.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import resource
import signal
import struct
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 1, 4, 24
_PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522

CLONE_NEW = {
    "user": 0x1000_0000,
    "mount": 0x0002_0000,
    "net": 0x4000_0000,
    "ipc": 0x0800_0000,
    "uts": 0x0400_0000,
    "pid": 0x2000_0000,
}
"""Namespaces by name."""

INNER_ID = 1000
"""User and group that a program sees itself run as, inside the user namespace."""

STACK_BYTES = 112 << 20
"""The kernel leaves 128 MiB below the stack free; deep recursion in C code needs them."""


MAX_TASKS = 1024
"""Threads that all programs of a process namespace may have at a time: each takes the kernel's own
memory and one of the machine's process numbers, and no other limit counts those."""

_COUNTS_BY_NAMESPACE = {"users": (5, 14), "processes": (6, 14)}
"""Kernels that count a user's processes, and process numbers, in each namespace apart. On older
ones the same limits would hold for the whole machine."""


def check(result: int, what: str) -> int:
    """Return the result of a system call, or raise its error.

    Raises:
        OSError: The result is negative.
    """
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(number: int, *args: object) -> int:
    """Make a system call; the result is negative on failure, with the reason in errno."""
    return int(_libc.syscall(ctypes.c_long(number), *args))


def prctl(option: int, first: int = 0, second: int = 0) -> None:
    """Call ``prctl``.

    Raises:
        OSError: The kernel refused.
    """
    words = [ctypes.c_ulong(word) for word in (first, second, 0, 0)]
    check(_libc.prctl(ctypes.c_int(option), *words), f"prctl {option}")


def no_new_privileges() -> None:
    """Give up setuid programs for ever; Landlock and seccomp demand it of ordinary users.

    Raises:
        OSError: The kernel refused.
    """
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def undumpable() -> None:
    """Close ``/proc/PID/mem`` and ``environ`` of this process to others of the same user.

    Raises:
        OSError: The kernel refused.
    """
    prctl(_PR_SET_DUMPABLE, 0)


def die_with_parent(signal_number: int) -> None:
    """Let the kernel send us a signal when the thread that forked us ends.

    Args:
        signal_number: Of the signal.

    Raises:
        OSError: The kernel refused.
    """
    prctl(_PR_SET_PDEATHSIG, signal_number)


def usual_signals() -> None:
    """Handle signals as a Python started from a shell does, whatever we were started by.

    Ignored signals are inherited: after ``nohup`` or in the background of a script a program that
    sends itself one would come to another end.
    """
    left = (signal.SIGPIPE, signal.SIGXFSZ)  # Python ignores these itself
    for number in signal.valid_signals():
        if number not in left and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def drop_capabilities(machine: str) -> None:
    """Give up every capability, and the means to get one back.

    Args:
        machine: The kernel's name of the processor, as ``os.uname().machine``.

    Raises:
        OSError: The kernel refused.
    """
    for capability in range(64):
        try:
            prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one, or we never had the right to drop
    number = _CAPSET.get(machine)
    if number is None:
        raise OSError(f"no system call table for {machine}")
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    check(syscall(number, header, bytes(24)), "capset")
    prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)


def unshare(*names: str) -> None:
    """Enter new namespaces.

    Args:
        names: Keys of ``CLONE_NEW``.

    Raises:
        OSError: The kernel refused.
    """
    flags = sum(CLONE_NEW[name] for name in names)
    check(_libc.unshare(ctypes.c_int(flags)), "unshare " + "+".join(names))


def enter_user_namespace() -> None:
    """Enter a user namespace and map our user into it.

    Raises:
        OSError: The kernel refused. Some systems let ``unshare`` pass and refuse the mapping, so
            only the whole of it counts.
    """
    user, group = os.geteuid(), os.getegid()
    unshare("user")
    Path("/proc/self/setgroups").write_text("deny", "ascii")
    Path("/proc/self/uid_map").write_text(f"{INNER_ID} {user} 1", "ascii")
    Path("/proc/self/gid_map").write_text(f"{INNER_ID} {group} 1", "ascii")


def _kernel() -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


def limit_process_numbers() -> None:
    """Let the process namespace that we are the first process of run out of numbers soon.

    Raises:
        OSError: The kernel has one limit for all, or refused.
    """
    if _kernel() < _COUNTS_BY_NAMESPACE["processes"]:
        raise OSError(errno.ENOSYS, "this kernel counts process numbers for the whole machine")
    Path("/proc/sys/kernel/pid_max").write_text(str(MAX_TASKS), "ascii")


def address_space() -> int:
    """Return the bytes of address space this process has mapped."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()


def limit(which: int, value: int) -> None:
    """Set the soft and hard limit of a resource to a value, or to the hard limit if lower."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def raise_stack() -> None:
    """Let the main thread's stack grow as far as the address space was laid out for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))


def limit_resources(memory_bytes: int, *, own_user: bool) -> None:
    """Limit what a program may take. The clock is not among it: the parent keeps that.

    Args:
        memory_bytes: Address space, in bytes, with what the interpreter has mapped already.
        own_user: We are in a user namespace of our own, so that a count of the user's processes
            is one of ours. (The kernel does not count those of root: ``limit_process_numbers``.)
    """
    if own_user and _kernel() >= _COUNTS_BY_NAMESPACE["users"]:
        limit(resource.RLIMIT_NPROC, MAX_TASKS)
    limit(resource.RLIMIT_AS, memory_bytes)
    limit(resource.RLIMIT_FSIZE, 0)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, 64)
    limit(resource.RLIMIT_MEMLOCK, 0)
    limit(resource.RLIMIT_MSGQUEUE, 0)


def keep_only(null: int, first: int, second: int) -> None:
    """Put ``/dev/null`` on 0, 1, 2 and two descriptors on 3 and 4; close all others.

    Args:
        null: A descriptor of ``/dev/null``.
        first: Goes to 3.
        second: Goes to 4.
    """
    # By way of high numbers: any of the three may sit where another has to go.
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (null, null, null, first, second)]
    for target, source in enumerate(high):
        os.dup2(source, target)
    os.closerange(len(high), os.sysconf("SC_OPEN_MAX"))
