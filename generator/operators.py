"""The mutator: proposes changed arguments, and learns which rules make inputs that are kept.

A proposal is one to six steps away from its parent. It always has the parent's arity and fits
the specs; whether it fits the contract is for the sieve to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import call

from plusforge.generator.bounds import bounded
from plusforge.generator.fresh import fresh, ordered
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP
from plusforge.generator.rng import Stream
from plusforge.generator.tables import (
    CROSSOVER,
    FRESH,
    RULES,
    PairTable,
    Shared,
    Table,
    pair_groups,
)
from plusforge.generator.typed_tables import build
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import Scalar, Spec
from plusforge.oracle.values import Args, Value

MAX_STEPS = 6
REFRESH = 256
"""Proposals between two updates of the weights."""

_RELATE = 0.22
_CROSS = _RELATE + 0.08
_FRESH = _CROSS + 0.06


class Mutator:
    """Proposes candidates for one task."""

    def __init__(self, specs: Sequence[Spec], material: Material, rng: Stream) -> None:
        """Build the tables of a task.

        Args:
            specs: One for each parameter, in order; calls may give fewer arguments.
            material: Raw material of the task.
            rng: Source of choices; the mutator's alone, so that its proposals can be repeated.
        """
        self._specs = tuple(specs)
        self._shared = Shared(material, rng)
        self._tables = [build(spec, self._shared) for spec in specs]
        self._checks = [compile_check(spec) for spec in specs]
        # A lone None cannot change; steps on it would be wasted.
        self._moving = [[i for i in range(n) if specs[i] != Scalar("none")]
                        for n in range(len(specs) + 1)]  # fmt: skip
        self._pairs: dict[tuple[int, int, type, type], PairTable] = {}
        self._groups: dict[int, Table] = {}
        self._kept = [0] * len(RULES)
        self._tried = [0] * len(RULES)
        self._proposals = 0

    def propose(self, parent: Args, other: Args) -> tuple[Args, tuple[int, ...]]:
        """Return a changed copy of some arguments.

        Args:
            parent: The arguments to start from; never changed, parts may be shared.
            other: Arguments to cross with; may be the same, or of another arity.

        Returns:
            The candidate, and the ids of the rules that made it, for ``feedback``.
        """
        self._proposals += 1
        if self._proposals % REFRESH == 0:
            self._refresh()
        moving = self._moving[len(parent)]
        if not moving:
            return parent, ()
        unit, trace, tables = self._shared.rng.unit, self._shared.trace, self._tables
        trace.clear()
        args = parent
        for _ in range(MAX_STEPS):
            x = unit()
            if x < _RELATE and len(args) > 1:
                args = self._relate(args)
            elif _RELATE <= x < _CROSS:
                args = self._cross(args, other)
            else:
                i = moving[int(unit() * len(moving))]
                if _CROSS <= x < _FRESH:
                    trace.append(FRESH)
                    new = fresh(self._specs[i], self._shared.material, self._shared.rng)
                else:
                    new = tables[i].step(args[i])
                args = (*args[:i], new, *args[i + 1 :]) if len(args) > 1 else (new,)
            # A proposal that is its parent would be wasted.
            if trace and unit() < 0.5:
                break
        return args, tuple(trace)

    def feedback(self, operator_ids: Sequence[int], kept: bool) -> None:  # noqa: FBT001
        """Count a proposal's fate; weights follow every ``REFRESH`` proposals.

        Args:
            operator_ids: From ``propose``.
            kept: Whether the candidate passed the sieve.
        """
        for rule in operator_ids:
            self._tried[rule] += 1
            self._kept[rule] += kept

    def _refresh(self) -> None:
        self._shared.weights[:] = [
            (kept + 1) / (tried + 2) + 0.05
            for kept, tried in zip(self._kept, self._tried, strict=True)
        ]
        for table in self._shared.tables:
            table.refresh()

    def _relate(self, args: Args) -> Args:
        rng = self._shared.rng
        n = len(args)
        if rng.unit() < (0.1 if n == 2 else 0.25):
            return self._relate_all(args)
        i = int(rng.unit() * n)
        j = (i + 1 + int(rng.unit() * (n - 1))) % n
        x, y = args[i], args[j]
        key = (i, j, type(x), type(y))
        table = self._pairs.get(key)
        if table is None:
            specs = (self._specs[i], self._specs[j])
            table = PairTable(self._shared, specs, pair_groups(type(x), type(y)))
            self._pairs[key] = table
        result = table.attempt((x, y))
        if result is SKIP:
            return args
        new = list(args)
        new[i], new[j] = bounded(result[0]), bounded(result[1])
        return tuple(new)

    def _relate_all(self, args: Args) -> Args:
        table = self._groups.get(len(args))
        if table is None:
            table = Table(self._shared, self._specs[: len(args)], self._checked)
            table.enter_groups("args")
            table.refresh()
            self._groups[len(args)] = table
        result = table.attempt(args)
        return args if result is SKIP else tuple(map(bounded, result))

    def _checked(self, args: Args) -> Value:
        return args if all(map(call, self._checks, args)) else SKIP

    def _cross(self, args: Args, other: Args) -> Args:
        """Take over one argument of the other call, or part of one of the same type."""
        unit = self._shared.rng.unit
        shorter = min(len(args), len(other))
        if shorter == 0:
            return args
        i = int(unit() * shorter)
        x, y = args[i], other[i]
        new = y if len(args) > 1 and unit() < 0.5 else splice(x, y, self._shared.rng)
        if not self._checks[i](new):
            return args
        self._shared.trace.append(CROSSOVER)
        return (*args[:i], bounded(new), *args[i + 1 :])


def splice(x: Value, y: Value, rng: Stream) -> Value:
    """Return a value made of parts of both: a head of one and a tail of the other, or a mixture.

    Args:
        x: Any plain value.
        y: Another; returned as it is when the two have nothing to exchange.
        rng: Source of choices.
    """
    cls = type(x)
    if type(y) is not cls:
        return y
    if cls in (str, bytes, list, tuple):
        i = int(rng.unit() * (len(x) + 1))
        if rng.unit() < 0.5:
            return x[:i] + y[int(rng.unit() * (len(y) + 1)) :]
        # At one index: keeps records and equal lengths as they are.
        return x[:i] + y[i:]
    if cls is dict:
        entries = [*x.items(), *y.items()]
        return dict([entry for entry in entries if rng.unit() < 0.5])
    if cls in (set, frozenset):
        return cls([item for item in ordered(x | y) if rng.unit() < 0.5])
    return y
