"""What the references say about an input, and how that is asked and compared.

The shared vocabulary of the pre-flight (``reference``) and the sieve.
"""

from __future__ import annotations

import dataclasses
import marshal
from collections.abc import Sequence
from typing import NamedTuple

from plusforge.oracle import wire
from plusforge.oracle.compare import agree
from plusforge.oracle.complaints import told
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox
from plusforge.oracle.task import Comparison, Contract, Task
from plusforge.oracle.values import Args, Raised, Value
from plusforge.oracle.verdict import OutcomeKind

BASE_OUTPUT_BYTES = 20_000_000
"""Outcomes of base inputs may be larger than those of plus inputs: they are given, not chosen."""

SLOW_CPU_S = 60.0
"""Emergency stop where nothing is chosen, only checked, CPU seconds a call: for what counts its
steps anyway, and for the forms of benchmark that cannot declare a limit of their own."""


class Answer(NamedTuple):
    """What the references say about one input. A named tuple, for there are thousands.

    Attributes:
        args: The arguments in wire form, pristine.
        outcome: The outcome in wire form; empty when it is an exception.
        raised: Name of the promised exception, or None.
        steps: Deterministic cost of contract and first reference.
        origin: Where the input came from.
    """

    args: bytes
    outcome: bytes
    raised: str | None
    steps: int
    origin: str = "base"

    def value(self) -> Value | Raised:
        """Return the outcome, decoded."""
        return Raised(self.raised) if self.raised is not None else wire.loads(self.outcome)


def contract_program(contract: Contract) -> Program:
    """Return the program of a contract."""
    return Program(source=contract.source, entry_point="contract", name="contract")


def reference_programs(task: Task) -> list[Program]:
    """Return the programs of a task's references, the canonical solution first."""
    return [Program(source=r.source, entry_point=task.entry_point, name=r.name)
            for r in task.references]  # fmt: skip


def limits_of(task: Task, *, steps: int | None) -> RunLimits:
    """Return the run limits of a task's declared limits."""
    return RunLimits(
        cpu_s=task.limits.cpu_s,
        memory_mib=task.limits.memory_mib,
        output_bytes=task.limits.output_bytes,
        steps=steps,
        depth=task.limits.depth,
    )


def generous_limits(task: Task, *, steps: int | None = None) -> RunLimits:
    """Return the limits for inputs that are given rather than chosen."""
    limits = limits_of(task, steps=steps)
    # Steps end an endless loop of the contract and the first reference, the clock that of any
    # other program; a task file whose programs need longer says so.
    counted = steps is not None and len(task.references) == 1
    declared = task.mutates is not None
    return dataclasses.replace(
        limits,
        output_bytes=BASE_OUTPUT_BYTES,
        cpu_s=limits.cpu_s if declared and not counted else max(limits.cpu_s, SLOW_CPU_S),
        load_cpu_s=limits.cpu_s,
    )


def answer_of(
    outcome: Outcome, args: bytes, comparison: Comparison, origin: str = "base"
) -> Answer | None:
    """Return the answer an outcome holds, or None when the call came to no answer."""
    if outcome.kind is OutcomeKind.VALUE:
        return Answer(args, outcome.payload, None, outcome.steps, origin)
    if outcome.kind is OutcomeKind.RAISED:
        name = outcome.payload.decode()
        if name in comparison.raises:
            return Answer(args, b"", name, outcome.steps, origin)
    return None


def references_agree(comparison: Comparison, outcome: Outcome) -> bool:
    """Tell whether the further references came to the same outcome as the first.

    With a checker, each reference's value is judged by it, not by the first's. What is no value it
    never sees.
    """
    if not outcome.others:
        return True
    if comparison.kind == "checker":
        ours = (outcome.kind, outcome.payload)
        return all(
            other == ours or other[0] is outcome.kind is OutcomeKind.VALUE
            for other in outcome.others
        )
    expected = decoded(outcome)
    return all(agree(comparison, expected, _decoded(*other)) for other in outcome.others)


def decoded(outcome: Outcome) -> Value | Raised:
    """Return an outcome's value; what is none is told as if it had been raised under its name."""
    return _decoded(outcome.kind, outcome.payload)


def _decoded(kind: OutcomeKind, payload: bytes) -> Value | Raised:
    if kind is OutcomeKind.VALUE:
        return wire.loads(payload)
    return Raised(payload.decode("utf-8", "replace") if kind is OutcomeKind.RAISED else str(kind))


def dispute(task: Task, outcome: Outcome) -> str:
    """Return what each reference did that divided them."""
    whole = [decoded(outcome), *(_decoded(*other) for other in outcome.others)]
    return ", ".join(
        f"{reference.name} {told(value)}"
        for reference, value in zip(task.references, whole, strict=True)
    )


def own_args(data: bytes) -> Args:
    """Return the arguments that this process itself wrote with ``wire.dumps``; always new objects.

    Never for bytes that came out of a sandbox: those are read by the bounded ``wire.loads``.
    """
    args: Args = marshal.loads(data)
    return args


def has_non_finite(answer: Answer) -> bool:
    """Tell whether an outcome holds NaN or infinity anywhere."""
    return wire.maybe_non_finite(answer.outcome) and _non_finite(wire.loads(answer.outcome))


def _non_finite(value: Value) -> bool:
    if isinstance(value, float):
        return value - value != 0.0
    if isinstance(value, complex):
        return _non_finite(value.real) or _non_finite(value.imag)
    if isinstance(value, dict):
        return any(map(_non_finite, value)) or any(map(_non_finite, value.values()))
    return isinstance(value, list | tuple | set | frozenset) and any(map(_non_finite, value))


def repeat_answers(
    task: Task, program: Program, answers: Sequence[Answer], sandbox: Sandbox,
    *, by_equality: bool = False,
) -> list[Outcome | None]:  # fmt: skip
    """Ask the plain program again, in a fresh process.

    The calls are made in reverse order, so that state kept between calls shows too.

    Args:
        task: The task.
        program: One of its references.
        answers: What they came to.
        sandbox: Runs it.
        by_equality: What a judge would refuse is not the same; see ``wire.reduce_value``.

    Returns:
        For each answer None when it came again, else what came in its place.
    """
    limits = generous_limits(task)
    inputs = [answer.args for answer in reversed(answers)]
    outcomes = sandbox.call(
        program, inputs, limits, observe=task.comparison.observe, by_equality=by_equality
    )
    return [
        None if _same(task.comparison, answer, outcome) else outcome
        for answer, outcome in zip(answers, reversed(outcomes), strict=True)
    ]


def _same(comparison: Comparison, answer: Answer, outcome: Outcome) -> bool:
    if answer.raised is not None:
        return outcome.kind is OutcomeKind.RAISED and outcome.payload.decode() == answer.raised
    if outcome.kind is not OutcomeKind.VALUE:
        return False
    return outcome.payload == answer.outcome or agree(
        comparison, answer.value(), wire.loads(outcome.payload)
    )
