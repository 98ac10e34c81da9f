"""One task of a suite: what the suite leaves alive is put to a solver.

Each target that survives all tests is killed by a new input, or found equivalent within bounds, or
stays unknown, with the reason. A kill counts when our own sandbox confirms it on an input that
passed the sieve; what the solver says is never more than a proposal.
"""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Self

from plusforge.generator.kills import Hunt, Target
from plusforge.generator.pipeline import Workbench
from plusforge.oracle import protocol, wire
from plusforge.oracle.answers import (
    Answer,
    contract_program,
    has_non_finite,
    own_args,
    reference_programs,
)
from plusforge.oracle.errors import DataError, EnvironmentFault, TaskError
from plusforge.oracle.explorer import shapes_of
from plusforge.oracle.reference import Prepared, prepare
from plusforge.oracle.runner import RunLimits, Sandbox
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.suiterecord import SuiteRecord
from plusforge.oracle.task import Task
from plusforge.oracle.values import Args, Value, encode_args

log = logging.getLogger(__name__)

KILLED, EQUIVALENT, UNKNOWN = RESULTS = ("killed", "equivalent", "unknown")

ORIGIN = "symbolic"
"""Provenance of the inputs that are found."""

MEMORY_MIB = 2048
"""Address space of a search, beyond what the solver's libraries have mapped, MiB."""

MOST_PROPOSALS = 50
"""Inputs proposed for a target, none of which kills it, after which its search is given up."""

LONGEST = 1 << 20
"""Bytes of a proposal that are read, at most."""

WHY = {
    protocol.BOUNDS: "paths: more of them than were allowed",
    protocol.REALS: "floats: no path is left where floats are real numbers, which do not round",
    protocol.UNSURE: "paths: some could not be followed to their end",
    protocol.EMPTY: "bounds: no input within them is one that the contract and the reference take",
    protocol.FAILED: "solver: it failed on these programs",
    "time": "time: the emergency stop",
    "types": "types: the solver has no values of the parameters' types",
    "model": "model: none of the inputs that it proposed tells the real programs apart",
}
"""Why a target stays unknown, by the way its search ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a search may take.

    Attributes:
        size: Items of a container or string.
        paths: Paths for each target.
        work: Of the solver for each target, in its own units, about a microsecond each.
        cpu_s: CPU seconds for each target, an emergency stop.
    """

    size: int = 3
    paths: int = 500
    work: int = 10_000_000
    cpu_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker.

    Attributes:
        task: As loaded, with all that is recorded for it.
        record: Its suite.
        bounds: Of each search.
    """

    task: Task
    record: SuiteRecord
    bounds: Bounds


@dataclass(slots=True)
class Closed:
    """What came of one task.

    Attributes:
        task_id: The task.
        entry: Its entry of the report.
        inputs: The inputs that were found, in the order of discovery.
        cpu_s: CPU seconds that the searches took.
    """

    task_id: str
    entry: dict[str, Any]
    inputs: list[Args] = field(default_factory=list)
    cpu_s: float = 0.0

    @property
    def failed(self) -> bool:
        """True when the task could not be used."""
        return "failed" in self.entry


class Tools:
    """The sandboxes a worker keeps: those of a workbench, and one with the solver."""

    def __init__(self) -> None:
        """Make them; the processes start when they are first used."""
        self._stack = ExitStack()
        self.bench = self._stack.enter_context(Workbench())
        self.solver = self._stack.enter_context(Sandbox(symbolic=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def close_task(piece: Piece, tools: Tools) -> Closed:
    """Put what the suite of a task leaves alive to the solver.

    Args:
        piece: The task, its suite and the bounds.
        tools: The worker's sandboxes.

    Returns:
        What came of it; a task that cannot be used comes back as failed, with the reason.

    Raises:
        EnvironmentFault: The sandbox does not work here.
    """
    task_id = piece.task.task_id
    try:
        prepared = prepare(piece.task, tools.bench.first, tools.bench.second)
        return _Closer(piece, prepared, tools).run()
    except DataError as exc:
        return Closed(task_id, {"failed": str(exc)})
    except EnvironmentFault:
        raise
    except Exception as exc:
        log.error("internal error on %s:\n%s", task_id, traceback.format_exc())
        return Closed(task_id, {"failed": f"internal error, please report: {exc!r}"})


class _Closer:
    """One task's targets, its sieve, and what has been found of each target."""

    def __init__(self, piece: Piece, prepared: Prepared, tools: Tools) -> None:
        self._bounds = piece.bounds
        self._record = piece.record
        self._prepared = prepared
        self._task = prepared.task
        self._tools = tools
        self._shapes = shapes_of(prepared.specs)
        self._size = piece.bounds.size
        self._found: dict[int, dict[str, Any]] = {}
        self._closed = Closed(self._task.task_id, {})

    def run(self) -> Closed:
        """Look at every target that is alive."""
        suite = self._record.decode()
        if suite.references != self._task.references and [
            one.source for one in suite.references
        ] != [one.source for one in self._task.references]:
            raise TaskError(
                f"{self._record.where}: the suite was made for other references than the "
                "benchmark has now; regenerate it"
            )
        first, second = self._tools.bench.first, self._tools.bench.second
        with (
            Sieve(self._prepared, first, second) as sieve,
            Hunt(self._task, first, self._task.samples) as hunt,
        ):
            tests = [Answer(test.args, b"", None, 0) for test in (*suite.base, *suite.plus)]
            hunt.first_kills(tests)
            survivors = hunt.alive
            for index in survivors:
                if index in hunt.alive:
                    self._explore(index, sieve, hunt)
            dropped = [i for i in survivors if i not in self._found]
            for index in dropped:
                self._found[index] = {"result": UNKNOWN, "why": "it ended its process"}
            targets = hunt.targets
        counts = Counter(found["result"] for found in self._found.values())
        self._closed.entry = {
            "n_targets": len(targets),
            "n_survivors": len(survivors),
            **{result: counts[result] for result in RESULTS},
            "survivors": [_named(targets[index]) | self._found[index] for index in survivors],
        }
        return self._closed

    def _explore(self, index: int, sieve: Sieve, hunt: Hunt) -> None:
        """Search for an input that kills a target, and note what comes of it."""
        if self._shapes is None:
            self._found[index] = {"result": UNKNOWN, "why": WHY["types"]}
            return
        ending = self._search(self._shapes, index, sieve, hunt)
        if ending == protocol.EMPTY and self._size < self._least_size():
            self._size = self._least_size()
            ending = self._search(self._shapes, index, sieve, hunt)
        if index in self._found:
            return
        if ending == protocol.EXHAUSTED:
            self._found[index] = {"result": EQUIVALENT, "size": self._size}
        else:
            self._found[index] = {"result": UNKNOWN, "why": WHY.get(ending, ending)[:200]}

    def _least_size(self) -> int:
        """Return the size of the smallest base input: the contract may want dates, say."""
        return min(
            max(map(_size_of, own_args(answer.args)), default=0) for answer in self._prepared.base
        )

    def _search(self, shapes: list[Any], index: int, sieve: Sieve, hunt: Hunt) -> str:
        """Search for an input that kills a target; return how that ended."""
        task, bounds = self._task, self._bounds
        rule = task.comparison
        order = protocol.Exploration(
            shapes, list(rule.raises), (rule.kind, rule.atol, rule.rtol),
            self._size, bounds.paths, bounds.work, bounds.cpu_s,
        )  # fmt: skip
        contract = contract_program(task.contract) if task.contract else None
        programs = reference_programs(task)[0], hunt.targets[index].program
        limits = RunLimits(cpu_s=bounds.cpu_s, memory_mib=MEMORY_MIB, output_bytes=LONGEST)
        proposals = 0
        with self._tools.solver.explorer(
            contract, programs, limits, task.comparison.observe
        ) as search:
            for data in search.candidates(order):
                proposals += 1
                if self._kills(data, index, sieve, hunt) or proposals == MOST_PROPOSALS:
                    break
            self._closed.cpu_s += search.cpu()
            ending = search.ending
        if proposals and ending in ("", protocol.EXHAUSTED, protocol.REALS):
            return "model"
        return ending if ending in WHY or not search.message else f"{ending}: {search.message}"

    def _kills(self, data: bytes, index: int, sieve: Sieve, hunt: Hunt) -> bool:
        """Put a proposal to the sieve and to all living targets; tell whether one is killed.

        Returns:
            Whether the target that it was proposed for is among them.
        """
        try:
            args = wire.loads(data, max_bytes=LONGEST)
        except wire.BadFrame:
            return False
        if type(args) is not tuple:
            return False
        answers = [one for one in sieve.feed([args], ORIGIN) if one is not None]
        # Like those of the search, inputs are finite, whoever proposes them.
        finite = [one for one in answers if not has_non_finite(one._replace(outcome=one.args))]
        kept = sieve.confirm(finite)
        for answer, killed in zip(kept, hunt.first_kills(kept), strict=True):
            if killed:
                self._keep(own_args(answer.args), killed)
        return index in self._found

    def _keep(self, args: Args, killed: Sequence[int]) -> None:
        self._closed.inputs.append(args)
        for target in killed:
            self._found[target] = {"result": KILLED, "input": encode_args(args)}


def _named(target: Target) -> dict[str, Any]:
    return {"target": target.name, "kind": target.kind, "about": target.about}


def _size_of(value: Value) -> int:
    """Return the most items that a container or string has, at any depth."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner = [*value]
    else:
        return 0
    return max([len(value), *map(_size_of, inner)])
