"""What a model or a person proposed about a task's inputs, put to the test.

A proposed contract counts only when it takes every base input and refuses every input that was
proposed as one it should refuse. Inputs of that kind also test the contracts that tasks declare.
"""

from __future__ import annotations

from collections.abc import Sequence

from plusforge.oracle import wire
from plusforge.oracle.answers import contract_program, generous_limits
from plusforge.oracle.complaints import call_text
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.task import Contract, Task
from plusforge.oracle.values import Args
from plusforge.oracle.verdict import OutcomeKind
from plusforge.oracle.wording import plural

SHOWN = 3
"""Inputs that a note names, at most."""

_FALSE = wire.dumps(False)  # noqa: FBT003


def takes(task: Task, contract: Contract, inputs: Sequence[Args], sandbox: Sandbox) -> list[bool]:
    """Tell which inputs a contract takes.

    Args:
        task: For its limits.
        contract: Any; it runs in the sandbox.
        inputs: Argument tuples.
        sandbox: Where.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    found = sandbox.call(
        contract_program(contract), [wire.dumps(args) for args in inputs], generous_limits(task),
        observe="result",
    )  # fmt: skip
    # What a contract returns may be anything but False; only what it raises matters otherwise.
    return [
        outcome.kind is OutcomeKind.UNENCODABLE
        or (outcome.kind is OutcomeKind.VALUE and outcome.payload != _FALSE)
        for outcome in found
    ]


def settled_contract(task: Task, sandbox: Sandbox) -> tuple[Contract | None, list[str]]:
    """Choose among the contracts that were proposed for a task which declares none.

    Args:
        task: As loaded, with its base tests.
        sandbox: Where contracts run.

    Returns:
        The first that stands the test, or None; and what a reader of the manifest should know.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    base = [test.args for test in task.base]
    wrong = [seed.args for seed in task.near_invalid]
    notes: list[str] = []
    for contract in task.proposed:
        refused = [a for a, ok in zip(base, takes(task, contract, base, sandbox), strict=True)
                   if not ok]  # fmt: skip
        taken = [a for a, ok in zip(wrong, takes(task, contract, wrong, sandbox), strict=True)
                 if ok]  # fmt: skip
        who = f"contract proposed by {contract.where}"
        if not refused and not taken:
            return contract, [*notes, f"{who}: taken, correct it if need be"]
        faults = [_fault("refuses", refused, "base", task), _fault("takes", taken, "invalid", task)]
        notes.append(f"{who}: left out, it {' and '.join(filter(None, faults))}; decide by hand")
    return None, notes


def contract_doubts(task: Task, sandbox: Sandbox) -> list[str]:
    """Return a note when a task's contract takes inputs that were proposed as invalid.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    if task.contract is None or not task.contract.declared or not task.near_invalid:
        return []
    inputs = [seed.args for seed in task.near_invalid]
    taken = [args for args, ok in zip(inputs, takes(task, task.contract, inputs, sandbox),
                                      strict=True) if ok]  # fmt: skip
    return [f"the contract {_fault('takes', taken, 'invalid', task)}"] if taken else []


def _fault(verb: str, inputs: Sequence[Args], kind: str, task: Task) -> str:
    if not inputs:
        return ""
    calls = ", ".join(call_text(task.entry_point, args) for args in inputs[:SHOWN])
    what = f"{len(inputs)} {kind} {plural(len(inputs), 'input')}"
    return f"{verb} {what}: {calls}{', ...' if len(inputs) > SHOWN else ''}"
