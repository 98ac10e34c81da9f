"""Landlock: a program sees the files it is shown and no others.

Rules can only add, never subtract, so a folder is allowed piece by piece where something in it must
stay hidden (``site-packages`` inside the standard library's folder).

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable

from plusforge.oracle import jail

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _RULE_PATH_BENEATH = 1, 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 2, 4, 8

_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Number of rights on files that each version of the interface knows."""

_NO_TCP, _NO_OUTSIDE_IPC = 3, 3


def version() -> int:
    """Return the kernel's Landlock version, 0 when there is none."""
    found = jail.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(found, 0)


class Ruleset:
    """What may be read. Built once in the zygote, applied by each child to itself.

    Attributes:
        version: The Landlock version in use.
        rules: Number of paths that may be read.
    """

    def __init__(self, *, files: Iterable[str], trees: Iterable[str]) -> None:
        """Build the ruleset; paths that do not exist are left out.

        Args:
            files: Files that may be read.
            trees: Folders that may be listed and read, with all that is in them.

        Raises:
            OSError: The kernel has no Landlock, or refused.
        """
        self.version = version()
        self.rules = 0
        self._fd = self._create()
        for path in files:
            self._allow(path, _READ_FILE)
        for path in trees:
            self._allow(path, _READ_FILE | _READ_DIR)
        self._allow("/dev/null", _READ_FILE | _WRITE_FILE)

    def _create(self) -> int:
        if not self.version:
            raise OSError(errno.ENOSYS, "the kernel has no Landlock")
        # RHEL 9.6 announces a version whose rights it then refuses: ask for less until it agrees.
        for known in range(self.version, 0, -1):
            attributes = struct.pack("<Q", (1 << _FILE_RIGHTS[min(known, 5)]) - 1)
            if known >= 4:
                attributes += struct.pack("<Q", _NO_TCP)
            if known >= 6:
                attributes += struct.pack("<Q", _NO_OUTSIDE_IPC)
            size = ctypes.c_size_t(len(attributes))
            fd = jail.syscall(_CREATE_RULESET, attributes, size, ctypes.c_uint32(0))
            if fd >= 0:
                self.version = known
                return fd
            if ctypes.get_errno() != errno.EINVAL:
                break
        return jail.check(fd, "landlock_create_ruleset")

    def _allow(self, path: str, rights: int) -> None:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            if not os.path.isdir(path):  # noqa: PTH112 (pathlib would be loaded for this alone)
                rights &= ~_READ_DIR
            rule = struct.pack("<Qi", rights, target)
            kind = ctypes.c_int(_RULE_PATH_BENEATH)
            args = (ctypes.c_int(self._fd), kind, rule, ctypes.c_uint32(0))
            jail.check(jail.syscall(_ADD_RULE, *args), f"landlock_add_rule {path}")
            self.rules += 1
        finally:
            os.close(target)

    def apply(self) -> None:
        """Confine the calling process, for good.

        Raises:
            OSError: The kernel refused.
        """
        args = (ctypes.c_int(self._fd), ctypes.c_uint32(0))
        jail.check(jail.syscall(_RESTRICT_SELF, *args), "landlock_restrict_self")
