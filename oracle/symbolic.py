"""Inside a confined child: on which arguments does a program differ from its reference?

What the solver proposes is only a candidate: to it floats are reals, and parts of the standard
library are models. The parent puts every candidate to the real programs. That a search has left no
path is said of the model, too, with what speaks against it (``solver.Doubts``).

Only a zygote that was asked for it loads this module. Standard library and CrossHair only.
"""

from __future__ import annotations

import inspect
import marshal
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any

from crosshair import core, options
from crosshair.copyext import CopyMode, deepcopyext
from crosshair.statespace import CallAnalysis, RootNode, VerificationStatus
from crosshair.tracers import ResumedTracing
from crosshair.util import CrosshairUnsupported, IgnoreAttempt
from plusforge.oracle import protocol, wire
from plusforge.oracle.child import SOLUTION, Inbox, Outbox, load, load_all
from plusforge.oracle.crew import Observer
from plusforge.oracle.jobs import OBSERVERS
from plusforge.oracle.solver import DOUBTS, EFFORTS, Space, are_alike, is_within, type_of

TARGET, CONTRACT = "__target__", "__contract__"

_GAPS = (TypeError, AttributeError, NotImplementedError)
"""What a symbolic value raises where the model of Python has a gap."""


def run_symbolic(job: protocol.Job, inbox: Inbox, outbox: Outbox, _begun: memoryview[int]) -> None:
    """Look for arguments on which the second program differs from the first.

    An order is answered by a value for every candidate, as it is found, and by ``END`` with how
    the search ended.
    """
    reference, target = job["programs"]
    loaders: list[Callable[[], Any]] = [
        partial(load, reference, SOLUTION),
        partial(load, target, TARGET),
    ]
    if job["contract"] is not None:
        loaders.append(partial(load, job["contract"], CONTRACT))
    loaded = load_all(outbox, loaders)
    if loaded is None:
        return
    for fields in inbox.batches():
        search = _Search(loaded, OBSERVERS[job["observe"]], protocol.Exploration(*fields))
        for candidate in search.run():
            outbox.put(protocol.VALUE, candidate)
            outbox.flush()
        outbox.put(protocol.END, message=search.ending)
        outbox.flush()


class _Search:
    """A search over the paths of two programs.

    Attributes:
        ending: How it ended; one of ``protocol.ENDINGS``.
    """

    def __init__(
        self, loaded: list[Callable[..., Any]], seen: Observer, order: protocol.Exploration
    ) -> None:
        """Prepare a search.

        Args:
            loaded: Reference, target and, if there is one, contract.
            seen: What of a call counts.
            order: What to look for, and how far.
        """
        self._reference, self._target = loaded[:2]
        self._contract = loaded[2] if len(loaded) > 2 else None
        self._seen = seen
        self._order = order
        self._found: list[bytes] = []
        self._sent: set[bytes] = set()
        self._paths = self._work = 0
        self.ending = protocol.BOUNDS

    def run(self) -> Iterator[bytes]:
        """Yield candidates in wire form, none twice."""
        positional = inspect.Parameter.POSITIONAL_ONLY
        signature = inspect.Signature(
            [
                inspect.Parameter(f"a{number}", positional, annotation=type_of(shape))
                for number, shape in enumerate(self._order.shapes)
            ]
        )
        for effort in EFFORTS:
            Space.question = effort
            yield from self._follow(RootNode(), signature)
            if self.ending != protocol.UNSURE:
                return

    def _follow(self, root: RootNode, signature: inspect.Signature) -> Iterator[bytes]:
        """Follow one path after another, until none or no work is left."""
        self.ending = protocol.BOUNDS
        DOUBTS.clear()
        bounds = options.DEFAULT_OPTIONS.overlay(
            max_iterations=1,
            per_path_timeout=self._order.path_s,
            per_condition_timeout=inf,
            max_uninteresting_iterations=0,  # no such bound
        )
        while self._paths < self._order.paths and self._work < self._order.work:
            self._paths += 1
            try:
                result = core.explore_loop(bounds, root, partial(self._path, signature))
            except MemoryError:
                raise
            except BaseException:  # CrossHair's own, or a program that ends its process
                self.ending = protocol.FAILED
                return
            yield from self._found
            self._found.clear()
            if result.exhausted:
                self.ending = _judged(result.top_analysis)
                return

    def _path(self, signature: inspect.Signature, space: Space) -> Any:
        """Follow one path; what it raises of CrossHair's own, ``explore_loop`` understands."""
        pristine = core.gen_args(signature)
        copies = [deepcopyext(pristine, CopyMode.REGULAR, {}).args for _ in range(3)]
        try:
            if self._is_valid(copies[0]):
                self._compare(space, pristine.args, *copies[1:])
        finally:
            self._work = max(self._work, space.spent())
        return core.PathOutcome(CallAnalysis(VerificationStatus.CONFIRMED))

    def _is_valid(self, args: Any) -> bool:
        """Tell whether an input is within bounds and accepted by the contract."""
        valid = False
        with core.ExceptionFilter() as checks, ResumedTracing():
            valid = True
            for arg in args:
                valid = valid and is_within(arg, self._order.size)
            if valid and self._contract is not None:
                answer = self._contract(*args)
                if isinstance(answer, bool) and not answer:
                    valid = False
        if checks.ignore:
            raise IgnoreAttempt
        if checks.user_exc is not None:
            DOUBTS.unknown |= isinstance(checks.user_exc[0], _GAPS)
            return False
        return valid

    def _compare(self, space: Space, pristine: Any, first: Any, second: Any) -> None:
        """Run both programs; keep the input when they differ."""
        value, error = self._call(self._reference, first)
        if error is not None and type(error).__name__ not in self._order.raises:
            DOUBTS.unknown |= isinstance(error, _GAPS)
            return  # no input that may be asked about
        other, fault = self._call(self._target, second)
        differs = type(error) is not type(fault)
        if error is None and fault is None:
            with core.ExceptionFilter() as looks, ResumedTracing():
                differs = not are_alike(self._order.comparison, value, other)
            if looks.ignore:
                raise IgnoreAttempt
            differs = differs or looks.user_exc is not None
        DOUBTS.compared += 1
        with ResumedTracing():
            space.detach_path()
        if differs:
            self._keep(pristine)

    def _call(self, entry: Callable[..., Any], args: Any) -> tuple[Any, BaseException | None]:
        """Return the outcome of a program, or what it raised."""
        value: Any = None
        with core.ExceptionFilter() as outcome, ResumedTracing():
            value = self._seen(entry(*args), args)
        if outcome.ignore:
            raise IgnoreAttempt
        return value, outcome.user_exc and outcome.user_exc[0]

    def _keep(self, pristine: Any) -> None:
        with ResumedTracing():
            args = core.deep_realize(tuple(pristine))
        if type(args) is not tuple or not wire.is_exact(args):
            raise CrosshairUnsupported
        data = marshal.dumps(args, 2)
        if data not in self._sent:
            self._sent.add(data)
            self._found.append(data)


def _judged(analysis: Any) -> str:
    """Return what it means that no path is left."""
    status = analysis and analysis.verification_status
    if status is not VerificationStatus.CONFIRMED or DOUBTS.unknown:
        return protocol.UNSURE
    if not DOUBTS.compared:
        return protocol.EMPTY
    return protocol.REALS if DOUBTS.reals else protocol.EXHAUSTED
