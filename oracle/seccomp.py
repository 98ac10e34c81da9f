"""seccomp: a program may make the system calls a computation needs and no others.

An allow-list, because kernels grow: what is not named is refused with EPERM. The filter forbids
new processes, sockets, writing opens, signals to others and everything exotic. It is built once
with a placeholder for the process number, which each child patches with its own.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from plusforge.oracle import jail

# Names, then numbers for x86_64 and aarch64; None where the machine has no such call.
_ALLOWED = """
read 0 63, write 1 64, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, poll 7 -, lseek 8 62,
mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, rt_sigaction 13 134, rt_sigprocmask 14 135,
rt_sigreturn 15 139, pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66, access 21 -,
pipe 22 -, select 23 -, sched_yield 24 124, mremap 25 216, msync 26 227, mincore 27 232,
madvise 28 233, dup 32 23, dup2 33 -, pause 34 -, nanosleep 35 101, getitimer 36 102, alarm 37 -,
setitimer 38 103, getpid 39 172, sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212,
shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209,
exit 60 93, uname 63 160, fsync 74 82, getdents 78 -, getcwd 79 17, chdir 80 49, readlink 89 -,
umask 95 166, gettimeofday 96 169, getrlimit 97 163, getrusage 98 165, sysinfo 99 179,
times 100 153, getuid 102 174, getgid 104 176, geteuid 107 175, getegid 108 177, getppid 110 173,
getpgrp 111 -, getgroups 115 158, getpgid 121 155, getsid 124 156, rt_sigpending 127 136,
rt_sigtimedwait 128 137, sigaltstack 131 132, sched_getparam 143 121, sched_getscheduler 145 120,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, arch_prctl 158 -, setrlimit 160 164,
gettid 186 178, time 201 -, futex 202 98, sched_getaffinity 204 123, getdents64 217 61,
set_tid_address 218 96, restart_syscall 219 128, fadvise64 221 223, timer_create 222 107,
timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111,
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, exit_group 231 94,
epoll_wait 232 -, epoll_ctl 233 21, newfstatat 262 79, readlinkat 267 78, faccessat 269 48,
pselect6 270 72, ppoll 271 73, set_robust_list 273 99, get_robust_list 274 100, epoll_pwait 281 22,
eventfd2 290 19, epoll_create1 291 20, dup3 292 24, pipe2 293 59, getcpu 309 168,
getrandom 318 278, membarrier 324 283, statx 332 291, rseq 334 293, close_range 436 436,
faccessat2 439 439
"""

_CONDITIONAL = """
open 2 -, openat 257 56, ioctl 16 29, fcntl 72 25, socketpair 53 199, clone 56 220, kill 62 129,
tgkill 234 131, prctl 157 167, prlimit64 302 261, clone3 435 435
"""

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32_BIT = 0x4000_0000
_SET_MODE_FILTER = 1

_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_ARG = (16, 24, 32)
"""Offsets of the low words of the first three arguments; the kernel looks at no more of them."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CLONE_THREAD, _CLONE_NEW_ANY = 0x0001_0000, 0x7E02_0000
_AF_UNIX = 1
_STREAMS = (0x1, 0x801, 0x8_0001, 0x8_0801)
"""Connected pairs only, non-blocking or close-on-exec at will: a datagram socket could send to any
socket file of the machine (the system log, for one), and no file rule keeps it from that."""
_PRCTL_NAMES = (15, 16, 0x5356_4D41)
"""Set and get the thread's name; name an anonymous mapping."""
_FCNTL_HARMLESS = (0, 1, 2, 3, 4, 1030, 1032)
"""Duplicate, flags, pipe size. Not F_SETOWN: it sends signals; not locks: they reach others."""
_IOCTL_HARMLESS = (0x5401, 0x5421, 0x5450, 0x5451)
"""Is it a terminal; non-blocking; close on exec."""

_PLACEHOLDER = 0x007A_11ED
"""Stands for the child's process number; larger than any a kernel gives (2**22)."""

_Instruction = tuple[int, int, int, int]


def _table(text: str, machine: str) -> dict[str, int]:
    column = {"x86_64": 1, "aarch64": 2}[machine]
    rows = (entry.split() for entry in text.split(","))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def _refuse(code: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERRNO | code)


_PASS: _Instruction = (_RETURN, 0, 0, _ALLOW)


def _only(argument: int, allowed: Iterable[int], code: int) -> list[_Instruction]:
    """Allow the call when an argument is one of these values."""
    body: list[_Instruction] = [(_LOAD, 0, 0, _ARG[argument])]
    for value in allowed:
        body += [(_EQUAL, 0, 1, value), _PASS]
    return [*body, _refuse(code)]


def _without(argument: int, bits: int, code: int) -> list[_Instruction]:
    """Allow the call when an argument has none of these bits."""
    return [(_LOAD, 0, 0, _ARG[argument]), (_ANY_BIT, 0, 1, bits), _refuse(code), _PASS]


_CONDITIONS: dict[str, list[_Instruction]] = {
    "open": _without(1, _WRITING, errno.EACCES),
    "openat": _without(2, _WRITING, errno.EACCES),
    "ioctl": _only(1, _IOCTL_HARMLESS, errno.ENOTTY),
    "fcntl": _only(1, _FCNTL_HARMLESS, errno.EPERM),
    "socketpair": [
        (_LOAD, 0, 0, _ARG[0]),
        (_EQUAL, 1, 0, _AF_UNIX),
        _refuse(errno.EPERM),
        *_only(1, _STREAMS, errno.EPERM),
    ],
    "kill": _only(0, (_PLACEHOLDER,), errno.EPERM),
    "tgkill": _only(0, (_PLACEHOLDER,), errno.EPERM),
    "prctl": _only(0, _PRCTL_NAMES, errno.EPERM),
    "prlimit64": _only(0, (0, _PLACEHOLDER), errno.EPERM),
    # Threads, not processes. glibc tries clone3 first and falls back; BPF cannot see its flags.
    "clone": [
        (_LOAD, 0, 0, _ARG[0]),
        (_ANY_BIT, 0, 1, _CLONE_NEW_ANY),
        _refuse(errno.EPERM),
        (_ANY_BIT, 0, 1, _CLONE_THREAD),
        _PASS,
        _refuse(errno.EPERM),
    ],
    "clone3": [_refuse(errno.ENOSYS)],
}


def _ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive numbers as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def build(machine: str) -> bytes:
    """Return the filter program for a machine, with a placeholder for the process number.

    Args:
        machine: The kernel's name of the processor, as ``os.uname().machine``.

    Raises:
        OSError: There is no system call table for this machine.
    """
    if machine not in _SECCOMP:
        raise OSError(f"no system call table for {machine}")
    # A filter that looked at numbers alone could be passed by another calling convention.
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32_BIT), _refuse(errno.EPERM)]
    for first, last in _ranges(_table(_ALLOWED, machine).values()):
        if first == last:
            program += [(_EQUAL, 0, 1, first), _PASS]
        else:
            program += [(_AT_LEAST, 0, 2, first), (_AT_LEAST, 1, 0, last + 1), _PASS]
    for name, number in _table(_CONDITIONAL, machine).items():
        body = _CONDITIONS[name]
        program += [(_EQUAL, 0, len(body), number), *body]
    program.append(_refuse(errno.EPERM))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


def for_process(program: bytes, pid: int) -> bytes:
    """Return the filter for one process: the signals it allows are those to itself."""
    return program.replace(struct.pack("<I", _PLACEHOLDER), struct.pack("<I", pid))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def install(program: bytes, pid: int, machine: str) -> None:
    """Confine the calling process and its threads, for good.

    Args:
        program: What ``build`` returned.
        pid: Process number of the caller, as it sees it itself.
        machine: As for ``build``.

    Raises:
        OSError: The kernel refused.
    """
    patched = for_process(program, pid)
    buffer = ctypes.create_string_buffer(patched, len(patched))
    header = _Program(len(patched) // 8, ctypes.addressof(buffer))
    arguments = (ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(0), ctypes.byref(header))
    jail.check(jail.syscall(_SECCOMP[machine], *arguments), "seccomp")
