"""Memory that a program gives back stays with its process, to be handed out again.

Python maps an arena for every mebibyte of small objects and unmaps it when the last of them goes. A
call with a large result then pays for every 4 KiB with a page fault, and so does the next call: a
tenth of the time that the calls of a suite take. ``malloc`` keeps what is freed when it is told to
(``launcher`` does).

The price: what lives on after a mebibyte of freed objects keeps that from the system, and a large
block may find no room beside it. ``judge`` blames no program for that: it runs it again with arenas
as they were.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import ctypes

_RAW = 0
"""``PYMEM_DOMAIN_RAW`` of Python's C API: plain ``malloc``."""


class _Allocator(ctypes.Structure):
    """``PyMemAllocatorEx`` of Python's C API."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("ctx", "malloc", "calloc", "realloc", "free")]


class _ArenaAllocator(ctypes.Structure):
    """``PyObjectArenaAllocator``; its functions may be those of an allocator.

    ``free`` is told the size, too, as a third argument: a C function that takes two ignores it.
    """

    _fields_ = [(name, ctypes.c_void_p) for name in ("ctx", "alloc", "free")]


_before = _ArenaAllocator()
"""Python's own functions, once they are no longer in use."""


def keep_memory() -> None:
    """Let all further arenas come from ``malloc``.

    Those that are there hold what the interpreter itself is made of, so that nobody frees them.
    Does nothing in a Python built without arenas.
    """
    set_arenas = getattr(ctypes.pythonapi, "PyObject_SetArenaAllocator", None)
    if set_arenas is None:
        return
    ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(_before))
    raw = _Allocator()
    ctypes.pythonapi.PyMem_GetAllocator(_RAW, ctypes.byref(raw))
    set_arenas(ctypes.byref(_ArenaAllocator(raw.ctx, raw.malloc, raw.free)))


def give_back() -> None:
    """Let all further arenas be mapped and unmapped again.

    Those from ``malloc`` are not freed by it any more: ``munmap`` refuses most of them, and of the
    others takes what is theirs alone.
    """
    if _before.alloc:
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(_before))
