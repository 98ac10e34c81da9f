"""What every job inside a confined child needs: frames, programs, results.

Everything here is convenience, not trust: a hostile program can rewrite this module in memory, and
the parent believes none of its frames. What it cannot do is know a right answer without computing
it, since no expected value ever enters this process.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import builtins
import marshal
import os
import sys
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from time import perf_counter
from types import CodeType, ModuleType
from typing import Any, BinaryIO

from plusforge.oracle import instrument, protocol, wire
from plusforge.oracle.meter import Meter

PATIENCE_SECONDS = (*[0.0] * (2 + protocol.FIRST_INPUTS), 0.0003, 0.0006, 0.0012, 0.0024, 0.005)
"""How long a frame may wait for company: the first, the second... that is sent; then as the last.

That the child is ready, that the program is loaded, and the first results do not wait: most wrong
programs are told by these, and would go on for nothing, or hang for a second, until they are seen.
The parent blames hangs by the shared page, not by results."""

FLUSH_BYTES = 32_768
"""Results are sent at once when there is more of them than this."""

SHORT = 1024
"""Bytes that are sooner copied than kept apart."""

SOLUTION = "__solution__"
"""Name of the module under test."""

_SIZED = frozenset({list, tuple, set, frozenset, dict, str, bytes})

_pack, _HEAD = protocol.HEADER.pack, protocol.HEADER.size

read_value = marshal.loads
"""Reads the parent's frames: trusted bytes, and every read makes objects that share nothing."""


class Inbox:
    """The parent's frames. Several inputs come in one, so that one costs a microsecond."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def frame(self) -> Any:
        """Return the next frame's value, or None at the end."""
        read = self._stream.read
        head = read(protocol.LENGTH.size)
        if len(head) < protocol.LENGTH.size:
            return None
        return read_value(read(protocol.LENGTH.unpack(head)[0]))

    def batches(self) -> Iterator[list[Any]]:
        """Return the batches (of inputs, mostly), until the parent closes its end."""
        while (batch := self.frame()) is not None:
            yield batch


class Outbox:
    """Frames to the parent, gathered for a few milliseconds."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._write = os.write
        self._clock = perf_counter
        self._parts: list[bytes] = []
        self._size = 0
        self._patience = chain(PATIENCE_SECONDS, repeat(PATIENCE_SECONDS[-1]))
        self._due = 0.0

    def put(
        self,
        kind: int,
        payload: bytes = b"",
        message: str = "",
        steps: int = 0,
        flags: int = 0,
        others: bytes = b"",
    ) -> None:
        """Add a frame, and send what is there when enough or old enough."""
        if message or others:
            text = message.encode("utf-8", "replace")[: protocol.MAX_MESSAGE]
            head = _pack(kind, flags, len(text), steps, len(payload), len(others))
            self._parts += (head, text, payload, others)
            self._size += len(text) + len(others)
        elif len(payload) < SHORT:  # nearly always
            self._parts.append(_pack(kind, flags, 0, steps, len(payload), 0) + payload)
        else:
            self._parts += (_pack(kind, flags, 0, steps, len(payload), 0), payload)
        self._size += len(payload) + _HEAD
        if self._size > FLUSH_BYTES or self._clock() > self._due:
            self.flush()

    def flush(self) -> None:
        """Send all that waits."""
        if not self._parts:
            return
        data = memoryview(b"".join(self._parts))
        self._parts.clear()
        self._size = 0
        while data:
            data = data[self._write(self._fd, data) :]
        self._due = self._clock() + next(self._patience)


# ---------------------------------------------------------------- programs


class LoadError(Exception):
    """A program could not be loaded; the message says which one and why."""


def describe(error: BaseException) -> str:
    """Return ``Name: message`` of an exception, whatever its class overrides."""
    try:
        text = str(error)
        name = type(error).__name__
        return f"{name}: {text}" if text else str(name)
    except BaseException:  # a hostile __str__ may raise anything
        return "an exception that cannot be shown"


def class_name(error: BaseException) -> bytes:
    """Return the name of an exception's class, UTF-8."""
    return str(type(error).__name__).encode("utf-8", "replace")[:100]


def load(
    program: protocol.ProgramSpec, module_name: str, meter: Meter | None = None
) -> Callable[..., Any]:
    """Run a program's module and return its entry point.

    Args:
        program: Source and entry point.
        module_name: Its ``__name__``; a real module of that name exists, dataclasses ask for it.
        meter: Counts the program's steps when given.

    Raises:
        LoadError: The program does not compile, raises, or lacks its entry point.
    """
    module = ModuleType(module_name)
    sys.modules[module_name] = module
    namespace = module.__dict__
    namespace["__builtins__"] = builtins
    where = module_name.strip("_")
    try:
        code = compile_program(program["source"], module_name, meter, namespace)
        exec(code, namespace)  # noqa: S102  # allowed: this is the sandbox
    except MemoryError:
        raise
    except BaseException as exc:  # SystemExit at import is a failed import, too
        raise LoadError(f"{where}: {describe(exc)}") from None
    entry = namespace.get(program["entry"])
    if entry is None:
        raise LoadError(f"{where}: it defines no {program['entry']!r}")
    if module_name == SOLUTION:
        sys.modules["__main__"] = module
    function: Callable[..., Any] = entry
    return function


def compile_program(
    source: str, module_name: str, meter: Meter | None, namespace: dict[str, Any]
) -> CodeType:
    """Compile a program, counting its steps when there is a meter."""
    filename = f"<{module_name.strip('_')}>"
    if meter is None:
        return compile(source, filename, "exec", dont_inherit=True)
    meter.install(namespace)
    namespace[instrument.CODE_HOOK] = instrument.prepare_expression
    return instrument.prepare(source, filename)


def load_all(outbox: Outbox, loaders: list[Callable[[], Any]]) -> list[Any] | None:
    """Run the loaders; tell the parent how it went. None when one failed."""
    outbox.flush()
    try:
        loaded = [loader() for loader in loaders]
    except LoadError as exc:
        outbox.put(protocol.LOAD_ERROR, message=str(exc))
        return None
    except MemoryError:
        outbox.put(protocol.MEMORY, message="out of memory while loading")
        return None
    outbox.put(protocol.LOADED)
    outbox.flush()
    return loaded


# ---------------------------------------------------------------- results


class Results:
    """Turns what a call returned into the parts of a frame."""

    def __init__(self, job: protocol.Job) -> None:
        self._limit = job["output_bytes"]
        above = job["digest_above"]
        self._whole = self._limit if above is None else above
        self._by_equality = job["by_equality"]
        self._dumps = marshal.dumps

    def value(self, value: Any) -> tuple[int, bytes, str]:
        """Return kind, payload and message of a returned value."""
        kind = type(value)
        try:
            if kind in _SIZED and len(value) > self._limit:
                return protocol.OUTPUT_LIMIT, b"", f"{len(value)} items, at a byte each"
            if not wire.is_exact(value):
                value = wire.reduce_value(value, by_equality=self._by_equality)
            payload = self._dumps(value, 2)
        except wire.Unencodable as exc:
            return protocol.UNENCODABLE, b"", str(exc)
        except BaseException as exc:
            return self.error(exc)
        if len(payload) > self._limit:
            return protocol.OUTPUT_LIMIT, b"", f"{len(payload)} bytes, allowed {self._limit}"
        if len(payload) > self._whole:
            return protocol.DIGEST, protocol.digest(payload), ""
        return protocol.VALUE, payload, ""

    def error(self, error: BaseException) -> tuple[int, bytes, str]:
        """Return kind, payload and message of an exception."""
        if isinstance(error, MemoryError):
            return protocol.MEMORY, b"", "MemoryError"
        try:
            return protocol.RAISED, class_name(error), describe(error)
        except BaseException:  # a hostile metaclass may raise anything
            return protocol.RAISED, b"?", "an exception that cannot be shown"
