"""The catalogue of operators, and weighted tables of those that fit one spec.

A table knows which operators fit its spec, chooses among them by weight, casts and bounds what
they return, and hands parts of a value to the tables of the parts. Tables of one mutator share
weights and a trace of the rules used, which is how feedback finds its way back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from plusforge.generator import (
    op_brackets,
    op_calls,
    op_characters,
    op_dicts,
    op_fields,
    op_items,
    op_likeness,
    op_nesting,
    op_numbers,
    op_relations,
    op_rows,
    op_sequences,
    op_strings,
    op_text,
)
from plusforge.generator.fresh import fresh
from plusforge.generator.material import Material
from plusforge.generator.operation import SKIP, Apply, Operator
from plusforge.generator.rng import Stream
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import (
    Spec,
)
from plusforge.oracle.values import Value

OPERATORS: tuple[Operator, ...] = (
    *op_numbers.OPERATORS,
    *op_strings.OPERATORS,
    *op_characters.OPERATORS,
    *op_brackets.OPERATORS,
    *op_text.OPERATORS,
    *op_fields.OPERATORS,
    *op_sequences.OPERATORS,
    *op_items.OPERATORS,
    *op_rows.OPERATORS,
    *op_nesting.OPERATORS,
    *op_dicts.OPERATORS,
    *op_relations.OPERATORS,
    *op_likeness.OPERATORS,
    *op_calls.OPERATORS,
)
"""The catalogue; an operator's id is its index here."""
MOVES = ("inside", "near_copy", "everywhere", "switch", "rekey", "fresh_value", "crossover")
"""What tables and the mutator do themselves; their ids follow those of the operators."""
RULES: tuple[str, ...] = (*(op.name for op in OPERATORS), *MOVES)
"""The name of every rule, by id."""
INSIDE, NEAR_COPY, EVERYWHERE, SWITCH, REKEY, FRESH, CROSSOVER = range(
    len(OPERATORS), len(OPERATORS) + len(MOVES)
)

_TRIES = 5
"""Operators tried before a value is drawn anew; most of them apply to most values."""


class Shared:
    """What all tables of one mutator share.

    Attributes:
        material: Raw material of the task.
        rng: Source of choices.
        trace: Ids of the rules used since it was last cleared.
        weights: Current weight factor of every rule.
        tables: The tables built so far, in order of building.
        values: The value tables by spec, so that recursive specs end.
    """

    __slots__ = ("material", "rng", "tables", "trace", "values", "weights")

    def __init__(self, material: Material, rng: Stream) -> None:
        self.material = material
        self.rng = rng
        self.trace: list[int] = []
        self.weights = [0.55] * len(RULES)
        self.tables: list[Table] = []
        self.values: dict[Spec, Table] = {}


class Table:
    """Operators for the values of one spec, chosen by weight."""

    __slots__ = (
        "applies", "base", "cuts", "fit", "ids", "material", "rng", "shared", "spec", "total",
        "trace", "unit",
    )  # fmt: skip

    def __init__(self, shared: Shared, spec: Any, fit: Callable[[Any], Any]) -> None:
        """Make an empty table.

        Args:
            shared: Shared with the other tables.
            spec: Passed to the operators; fits every value of the table.
            fit: Casts and bounds an operator's result; may return ``SKIP``.
        """
        self.shared = shared
        self.spec = spec
        self.fit = fit
        self.material = shared.material
        self.rng = shared.rng
        self.unit = shared.rng.unit
        self.trace = shared.trace
        self.ids: list[int] = []
        self.base: list[float] = []
        self.applies: list[Apply] = []
        self.cuts: list[float] = []
        self.total = 0.0
        shared.tables.append(self)

    def enter(self, rule: int, weight: float, apply: Apply) -> None:
        """Add one rule."""
        self.ids.append(rule)
        self.base.append(weight)
        self.applies.append(apply)

    def enter_groups(self, *groups: str) -> None:
        """Add every operator of the catalogue that is registered for one of the groups."""
        for rule, op in enumerate(OPERATORS):
            usable = op.needs is None or getattr(self.material, op.needs)
            if usable and not set(groups).isdisjoint(op.on):
                self.enter(rule, op.weight, op.apply)

    def refresh(self) -> None:
        """Recompute the choice from the shared weights."""
        weights = self.shared.weights
        sums = list(accumulate(w * weights[i] for w, i in zip(self.base, self.ids, strict=True)))
        # Without the last sum, a draw that is rounded up to the total still finds an entry.
        self.cuts = sums[:-1]
        self.total = sums[-1] if sums else 0.0

    def attempt(self, value: Value) -> Value:
        """Apply one operator, chosen by weight.

        Args:
            value: A value of the table's spec; never changed.

        Returns:
            The new value, or ``SKIP`` when a few operators in a row had nothing to do.
        """
        if not self.ids:
            return SKIP
        unit, cuts, total, spec = self.unit, self.cuts, self.total, self.spec
        for _ in range(_TRIES):
            k = bisect_right(cuts, unit() * total)
            result = self.applies[k](value, spec, self.material, self.rng)
            if result is not SKIP:
                result = self.fit(result)
                if result is not SKIP:
                    self.trace.append(self.ids[k])
                    return result
        return SKIP

    def step(self, value: Value) -> Value:
        """Return a changed value; drawn anew when no operator had anything to do."""
        result = self.attempt(value)
        if result is SKIP:
            self.trace.append(FRESH)
            return fresh(self.spec, self.material, self.rng, 1)
        return result


class PairTable(Table):
    """Relations between two arguments; what they return is checked against the specs."""

    __slots__ = ("check_x", "check_y")

    def __init__(self, shared: Shared, specs: tuple[Spec, Spec], groups: Sequence[str]) -> None:
        super().__init__(shared, specs, self._checked)
        self.check_x = compile_check(specs[0])
        self.check_y = compile_check(specs[1])
        self.enter_groups(*groups)
        self.refresh()

    def _checked(self, pair: tuple[Value, Value]) -> Value:
        x, y = pair
        return pair if self.check_x(x) and self.check_y(y) else SKIP


_PAIR_GROUPS: dict[type, str] = {
    int: "number", float: "number", str: "text", list: "list", tuple: "list", dict: "dict",
    set: "set", frozenset: "set",
}  # fmt: skip


def pair_groups(x: type, y: type) -> list[str]:
    """Return the groups of relations that apply to two values of these classes."""
    left = ("any", _PAIR_GROUPS.get(x, "any"))
    right = ("any", _PAIR_GROUPS.get(y, "any"))
    return [f"{a}~{b}" for a in left for b in right]
