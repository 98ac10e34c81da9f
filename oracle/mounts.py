"""A file system of its own: hides files where the kernel has no Landlock.

A new root is built on an in-memory file system, the readable paths are bound into it read-only,
and the old root is let go of.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from plusforge.oracle import jail

_libc = ctypes.CDLL(None, use_errno=True)

_READ_ONLY, _NO_SUID, _NO_DEV, _REMOUNT, _BIND = 1, 2, 4, 32, 4096
_RECURSIVE, _PRIVATE = 1 << 14, 1 << 18
_LOCKED = 2 | 4 | 8 | 1024 | 2048
"""Flags that a remount in a user namespace must repeat: nosuid, nodev, noexec, no(dir)atime."""

_DETACH = 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

SCAFFOLDS = ("/tmp", "/mnt", "/run", "/var")
"""Folders one of which exists; the new root is mounted over it for a moment."""


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if w is None else w.encode() for w in (source, target, kind)]
    options = None if data is None else data.encode()
    jail.check(_libc.mount(*words, ctypes.c_ulong(flags), options), f"mount {target}")


def _bind(path: str, root: str) -> None:
    source = os.path.realpath(path)
    target = Path(root + path)
    if Path(source).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif Path(source).exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    else:
        return
    _mount(source, str(target), None, _BIND | _RECURSIVE)
    if path != os.devnull:
        flags = os.statvfs(target).f_flag & _LOCKED
        _mount(source, str(target), None, _BIND | _REMOUNT | _READ_ONLY | flags)


def hide_all_but(files: Iterable[str], trees: Iterable[str], machine: str) -> None:
    """Give the calling process, in a mount namespace of its own, a root that holds only these.

    Args:
        files: Files to show.
        trees: Folders to show with all that is in them.
        machine: The kernel's name of the processor, as ``os.uname().machine``.

    Raises:
        OSError: The kernel refused; the process may be left with the old root.
    """
    if machine not in _PIVOT_ROOT:
        raise OSError(f"no system call table for {machine}")
    jail.unshare("mount")
    _mount("none", "/", None, _RECURSIVE | _PRIVATE)
    root = next((path for path in SCAFFOLDS if Path(path).is_dir()), None)
    if root is None:
        raise OSError(f"none of {', '.join(SCAFFOLDS)} is a folder to build a new root on")
    shown = sorted({*files, *trees, os.devnull})
    # What lies under the scaffold is covered once it is mounted over: open it first.
    if any(os.path.realpath(path).startswith(root + "/") for path in shown):
        raise OSError(f"the interpreter lives under {root}, which would be covered")
    _mount("tmpfs", root, "tmpfs", _NO_SUID | _NO_DEV, "mode=755,size=4m")
    for path in shown:
        _bind(path, root)
    os.chdir(root)
    here = b"."
    jail.check(jail.syscall(_PIVOT_ROOT[machine], here, here), "pivot_root")
    jail.check(_libc.umount2(here, ctypes.c_int(_DETACH)), "umount of the old root")
    os.chdir("/")
    _mount("none", "/", None, _BIND | _REMOUNT | _READ_ONLY | _NO_SUID | _NO_DEV)
