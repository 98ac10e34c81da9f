"""Inside a confined child: CrossHair and z3 as we use them.

CrossHair runs a program on symbolic arguments and keeps to one path at a time; z3 says which
branches can be taken at all. Here are its bounds, which count rather than time, and what it keeps
to itself about how far it can be believed.

Only a zygote that was asked for it loads this module, before it is confined: a program could not
import the solver later. Standard library and CrossHair only.
"""

from __future__ import annotations

from math import isfinite
from types import GenericAlias
from typing import Any, Union

import crosshair.core_and_libs  # noqa: F401  (teaches CrossHair the standard library)
from crosshair import core
from crosshair.libimpl.builtinslib import RealBasedSymbolicFloat
from crosshair.statespace import StateSpace
from crosshair.util import PathTimeout

LONGEST_PATH = 100
"""Decisions of one path, at most: loops have no other end. A count, so that no clock decides."""

EFFORTS = (400_000, 2_000_000)
"""The solver's work on one question, in its own units: half a second of CPU time a million. The
larger one is for a search that leaves no path, but some of them unanswered."""

_TYPES: dict[str, Any] = {
    "none": type(None), "bool": bool, "int": int, "float": float, "str": str, "bytes": bytes,
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict,
}  # fmt: skip

_BAGS = (list, tuple, set, frozenset)


class Doubts:
    """What keeps a search that has left no path from being a proof.

    Attributes:
        reals: A float was modelled as a real number, which does not round as floats do.
        unknown: A path proves nothing, for what happened on it may be the model's fault.
        compared: Paths on which both programs came to an outcome; none prove nothing.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget them: another search begins."""
        self.reals = self.unknown = False
        self.compared = 0


DOUBTS = Doubts()
"""Those of the search that is under way."""


class Space(StateSpace):  # type: ignore[misc]  # CrossHair is not read by the type checker
    """The solver's view of one path.

    Attributes:
        question: What the solver may do to answer one question; see ``EFFORTS``.
    """

    question = EFFORTS[0]

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.smt_rlimit = self.question  # what CrossHair would read of the environment
        self.solver.set("rlimit", self.question)

    def spent(self) -> int:
        """Return the work that the solver has done in this process."""
        statistics = self.solver.statistics()
        known = "rlimit count" in statistics.keys()  # noqa: SIM118  # z3's own class
        return int(statistics.get_key_value("rlimit count")) if known else 0

    def check_timeout(self) -> None:
        """End a path that is too long; CrossHair asks before each decision."""
        if len(self.choices_made) > LONGEST_PATH:
            raise PathTimeout
        super().check_timeout()

    def cap_result_at_unknown(self) -> None:
        """Note that this path proves nothing, which CrossHair itself may lose sight of."""
        DOUBTS.unknown = True
        super().cap_result_at_unknown()


def _watch() -> None:
    """Have CrossHair use our class, and tell us when it models a float as a real number."""
    core.StateSpace = Space
    plain = RealBasedSymbolicFloat.__init__

    def note(self: Any, *args: Any, **named: Any) -> None:
        DOUBTS.reals = True
        plain(self, *args, **named)

    RealBasedSymbolicFloat.__init__ = note


_watch()


def type_of(shape: Any) -> Any:
    """Return the type that a shape stands for (see ``protocol.Exploration``)."""
    if isinstance(shape, str):
        return _TYPES[shape]
    kind, *inner = shape
    items = tuple(type_of(one) for one in inner)
    if kind == "any of":
        return Union[items]  # noqa: UP007  # ``|`` refuses None | None
    if kind == "all":  # a tuple of any length
        return GenericAlias(tuple, (items[0], ...))
    return GenericAlias(_TYPES[kind], items)


def is_within(value: Any, size: int) -> bool:
    """Tell whether no container or string in a value is larger than that, and floats are finite.

    It is run on symbolic values, so that it decides which paths there are.
    """
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, str | bytes):
        return len(value) <= size
    if isinstance(value, dict):
        return is_within([*value, *value.values()], 2 * size)
    if isinstance(value, list | tuple | set | frozenset):
        if len(value) > size:
            return False
        for item in value:  # not ``all``: what is written in C cannot be followed
            if not is_within(item, size):
                return False
    return True


def are_alike(comparison: tuple[str, float, float], expected: Any, got: Any) -> bool:
    """Tell whether the task's comparison accepts an outcome, or something close to that.

    What is accepted here, ``compare.agree`` accepts. The converse need not hold: the parent
    looks at whatever differs. Like ``is_within`` it is run on symbolic values.

    Args:
        comparison: Kind, absolute and relative tolerance.
        expected: The reference's outcome.
        got: The other one.
    """
    kind, atol, rtol = comparison
    if expected == got:
        return True
    if kind == "truthy":
        return bool(expected) == bool(got)
    if kind == "not_none":
        return (expected is None) == (got is None)
    bags = isinstance(expected, _BAGS) and isinstance(got, _BAGS)
    if kind == "set" and bags:
        return set(expected) == set(got)
    if kind == "any_order" and bags:
        return sorted(expected) == sorted(got)
    return kind == "close" and _are_close(atol, rtol, expected, got)


def _are_close(atol: float, rtol: float, a: Any, b: Any) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        if isinstance(a, list) != isinstance(b, list) or len(a) != len(b):
            return False
        differing = 0
        for one, other in zip(a, b, strict=True):
            differing += not _are_close(atol, rtol, one, other)
        return not differing
    numbers = isinstance(a, int | float) and isinstance(b, int | float)
    if numbers and not isinstance(a, bool) and not isinstance(b, bool):
        return bool(abs(a - b) <= max(atol, rtol * max(abs(a), abs(b))))
    return bool(a == b)
