"""The footprint of an input: which ways it took the reference, and how its comparisons came out.

The reference is rewritten to note what comes of each of its decisions (``ways``). All that one call
showed is its footprint, as bits of an int. Two inputs with one footprint are alike to the
reference, whatever they look like; but for one that remembers earlier calls, which come in the
order in which they were found.

A footprint only steers which inputs are published; no answer ever rests on one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from plusforge.oracle import wire
from plusforge.oracle.answers import limits_of, reference_programs
from plusforge.oracle.outcome import Outcome, Program
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import Task
from plusforge.oracle.verdict import OutcomeKind
from plusforge.oracle.ways import ENTRY, followed

TOTAL_CPU_S = 60.0
"""Emergency stop of a task's footprints, CPU seconds; what is left has none."""


class Footprints(NamedTuple):
    """What the inputs of a task left.

    Attributes:
        prints: One for each input, in order; 0 where there is none, as for a call that its limits
            ended, or for a reference that decides nothing or cannot be rewritten.
        stopped: A clock ended a call, so that another machine may come to other footprints.
    """

    prints: list[int]
    stopped: bool = False


def footprints(task: Task, inputs: Sequence[bytes], sandbox: Sandbox) -> Footprints:
    """Return the footprint of each input in the task's first reference.

    Args:
        task: After its pre-flight.
        inputs: Valid argument tuples in wire form.
        sandbox: Where the reference runs.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    reference = reference_programs(task)[0]
    try:
        source = followed(reference.source, reference.entry_point)
    except (RecursionError, ValueError):  # nested too deeply, or Python's printer gives up
        return Footprints([0] * len(inputs))
    # A valid input is known to be cheap, so that no steps need be counted.
    limits = replace(limits_of(task, steps=None), total_cpu_s=TOTAL_CPU_S)
    with sandbox.sieve(None, [Program(source, ENTRY, "footprint")], limits) as session:
        outcomes = session.feed(inputs)
    stopped = any(outcome.kind is OutcomeKind.TIMEOUT for outcome in outcomes)
    return Footprints([_read(outcome) for outcome in outcomes], stopped)


def _read(outcome: Outcome) -> int:
    value = wire.loads(outcome.payload) if outcome.kind is OutcomeKind.VALUE else 0
    return value if type(value) is int else 0
