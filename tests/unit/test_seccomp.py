"""The system call filter, run by a small interpreter: both machines, whatever we run on."""

import struct

import pytest
from plusforge.oracle import seccomp

ALLOW, ERRNO, KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
EPERM, EACCES, ENOSYS, ENOTTY = 1, 13, 38, 25
ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
PID = 4711
O_WRONLY, O_RDWR, O_CREAT, O_CLOEXEC = 1, 2, 0o100, 0o2000000
NUMBERS = {
    "x86_64": {"read": 0, "mmap": 9, "openat": 257, "kill": 62, "tgkill": 234, "clone": 56,
               "clone3": 435, "fcntl": 72, "ioctl": 16, "socketpair": 53, "prctl": 157,
               "prlimit64": 302, "socket": 41, "connect": 42, "execve": 59, "execveat": 322,
               "ptrace": 101, "unlinkat": 263, "unshare": 272, "io_uring_setup": 425,
               "memfd_create": 319, "mount": 165, "bpf": 321, "seccomp": 317, "setuid": 105,
               "exit_group": 231, "futex": 202, "getrandom": 318, "pidfd_open": 434,
               "process_vm_readv": 310, "openat2": 437, "ftruncate": 77, "keyctl": 250,
               "setsockopt": 54},
    "aarch64": {"read": 63, "mmap": 222, "openat": 56, "kill": 129, "tgkill": 131, "clone": 220,
                "clone3": 435, "fcntl": 25, "ioctl": 29, "socketpair": 199, "prctl": 167,
                "prlimit64": 261, "socket": 198, "connect": 203, "execve": 221, "execveat": 281,
                "ptrace": 117, "unlinkat": 35, "unshare": 97, "io_uring_setup": 425,
                "memfd_create": 279, "mount": 40, "bpf": 280, "seccomp": 277, "setuid": 146,
                "exit_group": 94, "futex": 98, "getrandom": 278, "pidfd_open": 434,
                "process_vm_readv": 270, "openat2": 437, "ftruncate": 46, "keyctl": 219,
                "setsockopt": 208},
}  # fmt: skip
FREE = ("read", "mmap", "exit_group", "futex", "getrandom")
SHUT = ("socket", "connect", "execve", "execveat", "ptrace", "unlinkat", "unshare", "mount", "bpf",
        "io_uring_setup", "memfd_create", "seccomp", "setuid", "pidfd_open", "process_vm_readv",
        "openat2", "ftruncate", "keyctl", "setsockopt")  # fmt: skip


def verdict(machine, number, *args, arch=None):
    """Run the filter on one call; return what the kernel would do."""
    program = seccomp.for_process(seccomp.build(machine), PID)
    words = [*args, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, arch or ARCH[machine], 0, *words)
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator, at = 0, 0
    while True:
        code, yes, no, value = instructions[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x06:
            return value
        else:
            test = {0x15: accumulator == value, 0x35: accumulator >= value,
                    0x45: accumulator & value != 0}[code]  # fmt: skip
            at += yes if test else no


machines = pytest.mark.parametrize("machine", sorted(ARCH))


@machines
def test_what_computations_need_is_allowed(machine):
    for name in FREE:
        assert verdict(machine, NUMBERS[machine][name]) == ALLOW, name


@machines
def test_what_reaches_outside_is_refused(machine):
    for name in SHUT:
        assert verdict(machine, NUMBERS[machine][name]) == ERRNO | EPERM, name


@machines
def test_calls_of_the_future_are_refused(machine):
    for number in (463, 500, 1000, 100_000):
        assert verdict(machine, number) == ERRNO | EPERM


@machines
def test_other_calling_conventions_are_killed(machine):
    other = ARCH["aarch64" if machine == "x86_64" else "x86_64"]
    assert verdict(machine, 0, arch=other) == KILL
    assert verdict(machine, 3, arch=0x4000_0003) == KILL  # i386


def test_the_x32_convention_is_refused():
    assert verdict("x86_64", 0x4000_0000) == ERRNO | EPERM


@machines
@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("openat", (0, 0, O_CLOEXEC), ALLOW),
        ("openat", (0, 0, O_WRONLY), ERRNO | EACCES),
        ("openat", (0, 0, O_RDWR), ERRNO | EACCES),
        ("openat", (0, 0, O_CREAT), ERRNO | EACCES),
        ("kill", (PID, 9), ALLOW),
        ("kill", (1, 9), ERRNO | EPERM),
        ("kill", (0, 9), ERRNO | EPERM),
        ("kill", (2**64 - 1, 9), ERRNO | EPERM),
        ("tgkill", (PID, PID, 9), ALLOW),
        ("tgkill", (1, 1, 9), ERRNO | EPERM),
        ("clone", (0x3D0F00,), ALLOW),  # what pthread_create asks for
        ("clone", (17,), ERRNO | EPERM),  # what fork asks for
        ("clone", (0x3D0F00 | 0x1000_0000,), ERRNO | EPERM),  # a thread in a user namespace
        ("clone3", (), ERRNO | ENOSYS),
        ("fcntl", (3, 3), ALLOW),
        ("fcntl", (3, 8, 1), ERRNO | EPERM),  # F_SETOWN
        ("fcntl", (3, 6), ERRNO | EPERM),  # F_SETLK
        ("ioctl", (1, 0x5401), ALLOW),
        ("ioctl", (1, 0x5412), ERRNO | ENOTTY),  # TIOCSTI types into the terminal
        ("socketpair", (1, 1), ALLOW),
        ("socketpair", (1, 1 | O_CLOEXEC | 0o4000), ALLOW),
        ("socketpair", (1, 2), ERRNO | EPERM),  # datagrams: could be sent to any socket file
        ("socketpair", (1, 2 | O_CLOEXEC), ERRNO | EPERM),
        ("socketpair", (2, 1), ERRNO | EPERM),
        ("prctl", (15,), ALLOW),
        ("prctl", (4, 1), ERRNO | EPERM),  # dumpable again
        ("prlimit64", (0,), ALLOW),
        ("prlimit64", (PID,), ALLOW),
        ("prlimit64", (1,), ERRNO | EPERM),
    ],
)
def test_some_calls_depend_on_their_arguments(machine, name, args, expected):
    assert verdict(machine, NUMBERS[machine][name], *args) == expected


def test_an_unknown_machine_has_no_filter():
    with pytest.raises(OSError, match="riscv64"):
        seccomp.build("riscv64")
