"""Inside a confined child: run a benchmark's own test script and note the calls it makes.

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file too.
"""

from __future__ import annotations

import inspect
import marshal
import random
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from plusforge.oracle import protocol, wire
from plusforge.oracle.child import SOLUTION, Inbox, Outbox, describe, load, load_all

SCRIPT = "<script>"
"""File name of the test script in tracebacks."""


class Recorder:
    """Stands for the entry point: notes the arguments of every call, then makes it."""

    def __init__(self, entry: Callable[..., Any], outbox: Outbox, max_calls: int) -> None:
        self._entry = entry
        self._outbox = outbox
        self._left = max_calls
        self.last: tuple[tuple[Any, ...], Any] | None = None
        self.__name__ = getattr(entry, "__name__", "entry")
        self.__doc__ = getattr(entry, "__doc__", None)
        try:
            self._signature: inspect.Signature | None = inspect.signature(entry)
        except (TypeError, ValueError):
            self._signature = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Note the arguments, then call the entry point."""
        if self._left > 0:
            self._left -= 1
            self._note(self._positional(args, kwargs) if kwargs else args)
        self.last = None
        result = self._entry(*args, **kwargs)
        self.last = (args, result)
        return result

    def last_call(self) -> str:
        """Return the last call that came to a result, and the result, for people."""
        if self.last is None:
            return ""
        args, result = self.last
        try:
            given = ", ".join(_shown(arg) for arg in args)
            return f"; {self.__name__}({given}) gave {_shown(result)}"
        except BaseException:  # a hostile __repr__ may raise anything
            return ""

    def _note(self, args: tuple[Any, ...] | None) -> None:
        # Noted before the call, which may change its arguments.
        if args is not None and wire.is_exact(args):
            self._outbox.put(protocol.VALUE, marshal.dumps(args, 2))
        else:
            self._outbox.put(protocol.UNENCODABLE)

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
        if self._signature is None:
            return None
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError:
            return None  # the call itself will raise
        if bound.kwargs:
            bound.apply_defaults()  # a default was left out before a keyword
        return None if bound.kwargs else bound.args


def run_record(job: protocol.Job, _inbox: Inbox, outbox: Outbox, begun: memoryview[int]) -> None:
    """Run the job's script after its program; its asserts are the test."""
    program = job["programs"][0]
    loaded = load_all(outbox, [lambda: load(program, SOLUTION)])
    if loaded is None:
        return
    begun[0] = 1
    namespace = vars(sys.modules[SOLUTION])
    random.seed(job["seed"])
    recorder = Recorder(loaded[0], outbox, job["max_calls"])
    scope = {**namespace, program["entry"]: recorder}
    try:
        code = compile(job["script"], SCRIPT, "exec", dont_inherit=True)
        exec(code, scope)  # noqa: S102  # allowed: this is the sandbox
        check = scope.get("check")
        if check not in (None, recorder) and check is not namespace.get("check"):
            check(recorder)
    except BaseException as exc:
        outbox.flush()
        told = recorder.last_call() if isinstance(exc, AssertionError) else ""
        message = _where(exc, job["script"]) + told
        outbox.put(protocol.RAISED, message=message, steps=_line_of(exc))
    outbox.put(protocol.END)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _line_of(error: BaseException) -> int:
    """Return the innermost line of the script that an exception passed through, or 0."""
    if isinstance(error, SyntaxError) and error.filename == SCRIPT:
        return error.lineno or 0
    line = 0
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == SCRIPT:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _where(error: BaseException, script: str) -> str:
    line = _line_of(error)
    if not line:
        return describe(error)
    lines = script.splitlines()
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return f"line {line}: {text[:160]}: {describe(error)}"
