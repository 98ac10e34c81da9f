"""The order that a child gets first: what to run, and what that may take."""

from __future__ import annotations

from collections.abc import Sequence

from plusforge.oracle import protocol
from plusforge.oracle.outcome import Program, RunLimits

MAX_CALLS = 20_000
"""Calls that a recording keeps at most."""


def make_job(
    seed: int,
    task: str,
    programs: Sequence[Program],
    limits: RunLimits,
    *,
    observe: str = "result",
    by_equality: bool = False,
    rationals: bool = False,
    contract: Program | None = None,
    script: str = "",
    digest_above: int | None = None,
) -> protocol.Job:
    """Return a job.

    Args:
        seed: Of ``random`` in the child.
        task: ``call``, ``sieve``, ``record``, ``targets`` or ``symbolic``.
        programs: The programs; what they are for depends on the task.
        limits: What they may take.
        observe: What counts as the outcome of a call; see ``task.Comparison``.
        by_equality: Reduce results as a judge must; see ``wire.reduce_value``.
        rationals: Arguments may hold rationals, which the program gets as ``Fraction``.
        contract: Rejects inputs (``sieve`` and ``symbolic`` only).
        script: Runs after the program (``record`` only).
        digest_above: Length of a result in wire form above which its digest is sent, bytes.

    Raises:
        ValueError: ``observe`` is unknown.
    """
    if observe not in protocol.OBSERVED:
        raise ValueError(f"observe is {observe!r}, expected one of {protocol.OBSERVED}")
    return {
        "task": task,
        "programs": [_spec(program) for program in programs],
        "contract": None if contract is None else _spec(contract),
        "script": script,
        "observe": observe,
        "by_equality": by_equality,
        "rationals": rationals,
        "output_bytes": limits.output_bytes,
        "digest_above": digest_above,
        "gives_back": limits.gives_back,
        "steps": limits.steps,
        "depth": limits.depth,
        "max_calls": MAX_CALLS,
        "seed": seed,
    }


def _spec(program: Program) -> protocol.ProgramSpec:
    return {"source": program.source, "entry": program.entry_point}
