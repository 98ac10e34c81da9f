"""The smallest set of inputs that kills all that any input kills: exact minimum-cost set cover.

What is plainly settled is settled first: inputs that another one can stand in for, targets that are
killed whenever another one is, the only killer of a target, groups that share nothing. Kill
matrices of real tasks mostly melt away under that. What is left goes to HiGHS, an exact solver of
integer programs, bounded by counts and never by the clock, so that the answer is the same
everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import highspy

MOST_NODES = 2_000
"""Nodes of the search tree for one question to the solver; beyond that nothing is proved."""

LARGEST = 1_000_000
"""Ones in a matrix that the solver is asked about; beyond that the greedy answer stands."""

_SETTINGS: Mapping[str, bool | int | float | str] = {
    "output_flag": False,
    "presolve": "off",  # ours is done; HiGHS's has open reports of wrong optima
    "threads": 1,
    "parallel": "off",
    "random_seed": 0,
    "mip_max_nodes": MOST_NODES,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.5,  # all values are whole numbers
}

_SLACK = 1e-6
"""How far a bound may be off for want of precision."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A set of inputs that kills every target that can be killed.

    Attributes:
        chosen: Their indices, ascending.
        proved: No cover has fewer inputs, and none as small costs less.
        bound: No cover has fewer inputs than this.
    """

    chosen: tuple[int, ...]
    proved: bool
    bound: int


def smallest_cover(kills: Sequence[Collection[int]], costs: Sequence[int]) -> Cover:
    """Find the smallest cover: fewest inputs, then least total cost, then the least sum of ranks.

    Args:
        kills: The targets that each input kills, as numbers from 0.
        costs: Of each input, not negative.

    Returns:
        The cover, the same on every machine. When it could not be proved to be the smallest, the
        best one that was found.

    Raises:
        ValueError: Not one cost for each input, or a negative one.
    """
    if len(costs) != len(kills) or min(costs, default=0) < 0:
        raise ValueError(f"{len(kills)} inputs, costs {list(costs)[:20]}: give each one from 0 up")
    core = _Core(kills, costs)
    chosen = core.reduce()
    proved, bound = True, len(chosen)
    for columns in core.components():
        part = _solve(columns, costs)
        chosen += part.chosen
        proved = proved and part.proved
        bound += part.bound
    return Cover(tuple(sorted(chosen)), proved, bound)


def greedy_cover(columns: Mapping[int, int], costs: Sequence[int]) -> list[int]:
    """Cover greedily: the input that kills most of what is left, then the cheaper, then the first.

    Args:
        columns: What each input kills, as a bit mask.
        costs: Of all inputs.

    Returns:
        The inputs in the order they were taken.
    """
    left = 0
    for mask in columns.values():
        left |= mask
    chosen: list[int] = []
    while left:
        now = left
        best = min(columns, key=lambda i: (-(columns[i] & now).bit_count(), costs[i], i))
        chosen.append(best)
        left &= ~columns[best]
    return _without_needless(chosen, columns)


def _without_needless(chosen: list[int], columns: Mapping[int, int]) -> list[int]:
    """Return a cover without those inputs, the last ones first, that the others make needless."""
    kept = chosen
    for one in reversed(chosen):
        others = 0
        for i in kept:
            others |= columns[i] if i != one else 0
        if not columns[one] & ~others:
            kept = [i for i in kept if i != one]
    return kept


# ---------------------------------------------------------------- what is plainly settled


class _Core:
    """A kill matrix that shrinks; columns are inputs, rows are targets, both as bit masks."""

    def __init__(self, kills: Sequence[Collection[int]], costs: Sequence[int]) -> None:
        self._costs = costs
        self._columns = {i: sum(1 << t for t in set(kill)) for i, kill in enumerate(kills) if kill}

    def reduce(self) -> list[int]:
        """Shrink the matrix as far as rules can; return the inputs that every best cover has."""
        essential: list[int] = []
        while True:
            before = len(self._columns)
            self._drop_columns()
            rows = self._drop_rows()
            only = sorted({mask.bit_length() - 1 for mask in rows.values() if _is_single(mask)})
            covered = 0
            for i in only:
                covered |= self._columns.pop(i)
            essential += only
            for i in self._columns:
                self._columns[i] &= ~covered
            if not only and len(self._columns) == before:
                return essential

    def _drop_columns(self) -> None:
        """Drop inputs that another one can stand in for: it kills as much and costs no more."""
        ranked = sorted(
            (i for i, mask in self._columns.items() if mask),
            key=lambda i: (-self._columns[i].bit_count(), self._costs[i], i),
        )
        kept: list[int] = []
        for i in ranked:
            mask, price = self._columns[i], (self._costs[i], i)
            if not any(not mask & ~self._columns[j] and (self._costs[j], j) <= price for j in kept):
                kept.append(i)
        self._columns = {i: self._columns[i] for i in sorted(kept)}

    def _drop_rows(self) -> dict[int, int]:
        """Drop targets that are killed whenever another one is; return the others.

        Returns:
            For each target the inputs that kill it.
        """
        rows: dict[int, int] = {}
        for i, column in self._columns.items():
            for target in _bits(column):
                rows[target] = rows.get(target, 0) | 1 << i
        kept: dict[int, int] = {}
        for target, row in sorted(rows.items(), key=lambda item: (item[1].bit_count(), item[0])):
            if not any(not other & ~row for other in kept.values()):
                kept[target] = row
        wanted = sum(1 << target for target in kept)
        for i in self._columns:
            self._columns[i] &= wanted
        return kept

    def components(self) -> Iterator[dict[int, int]]:
        """Yield groups of inputs that share no target with any other group."""
        groups: list[tuple[int, list[int]]] = []
        for i, mask in self._columns.items():
            touched = [group for group in groups if group[0] & mask]
            groups = [group for group in groups if not group[0] & mask]
            for group in touched:
                mask |= group[0]
            groups.append((mask, sorted([i, *(j for _, members in touched for j in members)])))
        for _, members in sorted(groups, key=lambda group: group[1]):
            yield {i: self._columns[i] for i in members}


def _is_single(mask: int) -> bool:
    return mask & (mask - 1) == 0


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ---------------------------------------------------------------- what is left


def _solve(columns: Mapping[int, int], costs: Sequence[int]) -> Cover:
    """Solve one component: the number of inputs, then their cost, then the sum of their indices."""
    chosen = sorted(greedy_cover(columns, costs))
    if sum(mask.bit_count() for mask in columns.values()) > LARGEST:
        return Cover(tuple(chosen), proved=False, bound=1)
    program = _Program(columns)
    ranks = {i: rank for rank, i in enumerate(columns)}
    bound, proved = 1, True
    aims: tuple[Callable[[int], int], ...] = (lambda _: 1, costs.__getitem__, ranks.__getitem__)
    for aim in aims:
        chosen, least = program.minimise(aim, chosen)
        value = sum(map(aim, chosen))
        if aim is aims[0]:
            bound = least
        if value > least:
            proved = aim is aims[-1]
            break
        program.require(aim, value)
    return Cover(tuple(chosen), proved, bound)


class _Solver(highspy.Highs):
    """HiGHS, silent from the start: its constructor would print a banner to standard output."""

    def __init__(self) -> None:
        """Make a solver without a model."""
        super().__init__()  # type: ignore[no-untyped-call]

    def enableCallbacks(self) -> None:
        """Switch all output off; called by the constructor, before the banner."""
        self.silent()
        super().enableCallbacks()  # type: ignore[no-untyped-call]


class _Program:
    """The integer program of one component: each target is killed by one chosen input or more."""

    def __init__(self, columns: Mapping[int, int]) -> None:
        self._inputs = list(columns)
        self._columns = columns
        self._solver = solver = _Solver()
        for name, value in _SETTINGS.items():
            solver.setOptionValue(name, value)
        for place in range(len(self._inputs)):
            solver.addVar(0.0, 1.0)
            solver.changeColIntegrality(place, highspy.HighsVarType.kInteger)
        every = 0
        for mask in columns.values():
            every |= mask
        for target in _bits(every):
            self._add(1.0, {p: 1 for p, i in enumerate(self._inputs) if columns[i] >> target & 1})

    def _add(self, low: float, row: Mapping[int, int], high: float = highspy.kHighsInf) -> None:
        self._solver.addRow(low, high, len(row), list(row), [float(v) for v in row.values()])

    def require(self, aim: Callable[[int], int], value: int) -> None:
        """Allow only covers that are as good as one that was found."""
        row = {place: aim(i) for place, i in enumerate(self._inputs) if aim(i)}
        self._add(0.0, row, float(value))

    def minimise(self, aim: Callable[[int], int], start: Sequence[int]) -> tuple[list[int], int]:
        """Find the cover with the smallest sum.

        Args:
            aim: What each input adds.
            start: A cover to better.

        Returns:
            The best cover known, and a sum below which there is none.
        """
        solver = self._solver
        for place, i in enumerate(self._inputs):
            solver.changeColCost(place, float(aim(i)))
        known = highspy.HighsSolution()
        known.col_value = [float(i in start) for i in self._inputs]
        solver.setSolution(known)
        solver.run()
        if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            least = round(solver.getInfo().objective_function_value)
        else:
            dual = solver.getInfo().mip_dual_bound
            least = math.ceil(dual - _SLACK) if math.isfinite(dual) else 0
        values = solver.getSolution().col_value
        found = [i for i, value in zip(self._inputs, values, strict=False) if value > 0.5]
        if not self._covers(found) or sum(map(aim, found)) > sum(map(aim, start)):
            found = list(start)
        return found, least

    def _covers(self, chosen: Sequence[int]) -> bool:
        killed = every = 0
        for mask in self._columns.values():
            every |= mask
        for i in chosen:
            killed |= self._columns[i]
        return killed == every
