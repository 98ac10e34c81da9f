"""Inside a confined child: where does a program differ from its reference, asked of a solver.

CrossHair runs both on symbolic arguments and keeps to one path at a time; z3 says which branches
can be taken at all. What it proposes is only a candidate: floats are reals to it, and parts of the
standard library are models. The parent puts every candidate to the real programs.

Only a zygote that was asked for it loads this module, and it does so before it is confined: a
program could not import the solver later. Standard library and CrossHair only.
"""

from __future__ import annotations

import inspect
import marshal
from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from types import GenericAlias
from typing import Any, Union

import crosshair.core_and_libs  # noqa: F401  (teaches CrossHair the standard library)
from crosshair import core, options
from crosshair.copyext import CopyMode, deepcopyext
from crosshair.libimpl.builtinslib import RealBasedSymbolicFloat
from crosshair.statespace import CallAnalysis, RootNode, StateSpace, VerificationStatus
from crosshair.tracers import ResumedTracing
from crosshair.util import CrosshairUnsupported, IgnoreAttempt, PathTimeout
from plusforge.oracle import protocol, wire
from plusforge.oracle.child import SOLUTION, Inbox, Outbox, load, load_all
from plusforge.oracle.crew import Observer
from plusforge.oracle.jobs import OBSERVERS

TARGET, CONTRACT = "__target__", "__contract__"

_TYPES: dict[str, Any] = {
    "none": type(None), "bool": bool, "int": int, "float": float, "str": str, "bytes": bytes,
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict,
}  # fmt: skip


LONGEST_PATH = 100
"""Decisions of one path, at most: loops have no other end. A count, so that no clock decides."""


EFFORTS = (400_000, 2_000_000)
"""The solver's work on one question, in its own units (about a microsecond each): the larger one
for a search that leaves no path but some unanswered."""


class _Doubts:
    """What keeps an exhausted search from being a proof."""

    def __init__(self) -> None:
        self.reals = False
        self.unknown = False


_doubts = _Doubts()


class _Space(StateSpace):
    """The solver's view of one path, of which we want to know a little more."""

    question = EFFORTS[0]

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.smt_rlimit = self.question  # what CrossHair would read of the environment
        self.solver.set("rlimit", self.question)

    def spent(self) -> int:
        """Return the work that the solver has done in this process."""
        statistics = self.solver.statistics()
        known = "rlimit count" in statistics.keys()  # noqa: SIM118
        return int(statistics.get_key_value("rlimit count")) if known else 0

    def check_timeout(self) -> None:
        """End a path that is too long; CrossHair asks before each decision."""
        if len(self.choices_made) > LONGEST_PATH:
            raise PathTimeout
        super().check_timeout()

    def cap_result_at_unknown(self) -> None:
        """Note that this path proves nothing, which CrossHair itself may lose sight of."""
        _doubts.unknown = True
        super().cap_result_at_unknown()


def _watch() -> None:
    """Have CrossHair tell us what it keeps to itself."""
    core.StateSpace = _Space
    plain = RealBasedSymbolicFloat.__init__

    def note(self: Any, *args: Any, **named: Any) -> None:
        _doubts.reals = True  # a real number does not round as a float does
        plain(self, *args, **named)

    RealBasedSymbolicFloat.__init__ = note


_watch()


def run_symbolic(
    job: protocol.Job, inbox: Inbox, outbox: Outbox, _begun: memoryview[int]
) -> None:
    """Look for arguments on which the second program differs from the first.

    Each order is answered by a value for every candidate, as it is found, and ``END`` with how
    the search ended.
    """
    loaders = [
        partial(load, job["programs"][0], SOLUTION),
        partial(load, job["programs"][1], TARGET),
    ]
    if job["contract"] is not None:
        loaders.append(partial(load, job["contract"], CONTRACT))
    loaded = load_all(outbox, loaders)  # type: ignore[arg-type]
    if loaded is None:
        return
    contract = loaded[2] if len(loaded) > 2 else None
    for fields in inbox.batches():
        order = protocol.Exploration(*fields)
        search = _Search(loaded[0], loaded[1], contract, OBSERVERS[job["observe"]], order)
        for candidate in search.run():
            outbox.put(protocol.VALUE, candidate)
            outbox.flush()
        outbox.put(protocol.END, message=search.ending)
        outbox.flush()


def type_of(shape: Any) -> Any:
    """Return the type that a shape stands for (see ``protocol.Exploration``)."""
    if isinstance(shape, str):
        return _TYPES[shape]
    kind, *inner = shape
    items = tuple(type_of(one) for one in inner)
    if kind == "any of":
        return Union[items]  # noqa: UP007  (``|`` refuses None | None)
    if kind == "all":  # a tuple of any length
        return GenericAlias(tuple, (items[0], ...))
    return GenericAlias(_TYPES[kind], items)


class _Search:
    """One search over the paths of two programs.

    Attributes:
        ending: How it ended; one of ``protocol.ENDINGS``.
    """

    def __init__(
        self,
        reference: Callable[..., Any],
        target: Callable[..., Any],
        contract: Callable[..., Any] | None,
        seen: Observer,
        order: protocol.Exploration,
    ) -> None:
        self._reference = reference
        self._target = target
        self._contract = contract
        self._seen = seen
        self._order = order
        self._found: list[bytes] = []
        self._sent: set[bytes] = set()
        self._paths = self._work = 0
        self.ending = protocol.BOUNDS

    def run(self) -> Iterator[bytes]:
        """Yield candidates in wire form, none twice."""
        order = self._order
        positional = inspect.Parameter.POSITIONAL_ONLY
        signature = inspect.Signature([
            inspect.Parameter(f"a{number}", positional, annotation=type_of(shape))
            for number, shape in enumerate(order.shapes)
        ])  # fmt: skip
        bounds = options.DEFAULT_OPTIONS.overlay(
            max_iterations=1,
            per_path_timeout=order.path_s,
            per_condition_timeout=float("inf"),
            max_uninteresting_iterations=0,  # no such bound
        )
        for _Space.question in EFFORTS:
            yield from self._search(RootNode(), signature, bounds)
            if self.ending != protocol.UNSURE:
                return

    def _search(
        self, root: RootNode, signature: inspect.Signature, bounds: Any
    ) -> Iterator[bytes]:
        """Follow one path after another, until none or no work is left."""
        self.ending = protocol.BOUNDS
        _doubts.unknown = _doubts.reals = False
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
                status = result.top_analysis and result.top_analysis.verification_status
                sure = status is VerificationStatus.CONFIRMED and not _doubts.unknown
                self.ending = protocol.EXHAUSTED if sure else protocol.UNSURE
                if sure and _doubts.reals:
                    self.ending = protocol.REALS
                return

    def _path(self, signature: inspect.Signature, space: _Space) -> Any:
        """Follow one path."""
        pristine = core.gen_args(signature)
        copies = [deepcopyext(pristine, CopyMode.REGULAR, {}) for _ in range(3)]
        try:
            return self._compare(space, pristine.args, *(copy.args for copy in copies))
        finally:
            self._work = max(self._work, space.spent())

    def _compare(
        self, space: StateSpace, pristine: Any, first: Any, second: Any, third: Any
    ) -> Any:
        with core.ExceptionFilter() as checks, ResumedTracing():
            for arg in third:
                if not _within(arg, self._order.size):
                    raise IgnoreAttempt("out of bounds")
            if self._contract is not None:
                allowed = self._contract(*third)
                if isinstance(allowed, bool) and not allowed:
                    raise IgnoreAttempt("refused")
        if checks.user_exc or checks.ignore:
            return _done()  # the contract has refused the input
        value, name = self._call(self._reference, first)
        if name is not None and name not in self._order.raises:
            return _done()  # no input that may be asked about
        other, other_name = self._call(self._target, second)
        differs = name != other_name
        if not differs and name is None:
            with core.ExceptionFilter() as looks, ResumedTracing():
                differs = bool(value != other)
            if looks.ignore:
                return _done()
            differs = differs or looks.user_exc is not None
        with ResumedTracing():
            space.detach_path()
        if differs:
            self._keep(pristine)
        return _done()

    def _call(self, entry: Callable[..., Any], args: Any) -> tuple[Any, str | None]:
        """Return the outcome of a program, or the name of what it raised."""
        with core.ExceptionFilter() as outcome, ResumedTracing():
            return self._seen(entry(*args), args), None
        if outcome.user_exc is None:
            raise IgnoreAttempt("nothing to compare")
        return None, type(outcome.user_exc[0]).__name__

    def _keep(self, pristine: Any) -> None:
        with ResumedTracing():
            args = core.deep_realize(tuple(pristine))
        if type(args) is not tuple or not wire.is_exact(args):
            raise CrosshairUnsupported("arguments without a plain form")
        data = marshal.dumps(args, 2)
        if data not in self._sent:
            self._sent.add(data)
            self._found.append(data)


def _done() -> Any:
    return core.PathOutcome(CallAnalysis(VerificationStatus.CONFIRMED))


def _within(value: Any, size: int) -> bool:
    """Tell whether no container or string in a value is larger than that, and floats are finite."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, str | bytes):
        return len(value) <= size
    if isinstance(value, dict):
        return _within([*value, *value.values()], 2 * size)
    if isinstance(value, list | tuple | set | frozenset):
        if len(value) > size:
            return False
        for item in value:
            if not _within(item, size):
                return False
    return True
