"""What the pre-flight and the sieve say when contract, references and tests do not fit together."""

from __future__ import annotations

import ast

from plusforge.oracle.errors import LiteralError, TaskError
from plusforge.oracle.keeper import LOADING
from plusforge.oracle.literals import dotted_name, fold
from plusforge.oracle.outcome import Outcome, Recording
from plusforge.oracle.source import parse_module
from plusforge.oracle.task import BaseTest, Task, TestScript
from plusforge.oracle.values import Args, Raised, Value, key_of
from plusforge.oracle.verdict import OutcomeKind

INFERRED = "contract inferred from types and base inputs"
"""Note of a task that declares no contract."""

BASE_STEPS = 100_000_000
"""Base inputs may cost a thousand times what a plus input may: they are given, not chosen."""


CALL_CHARS = 160
"""Length of a call in a message, at most."""


def short(value: Value | Raised, most: int = 80) -> str:
    """Return a value as text for a message.

    Args:
        value: An argument or an outcome.
        most: Number of characters, at most.
    """
    try:
        text = value.name if isinstance(value, Raised) else repr(value)
    except ValueError:  # an int beyond Python's limit for decimal text
        text = key_of(value)
    return _cut(text, most)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def told(value: Value | Raised) -> str:
    """Return what a program did, as a verb and its object."""
    return f"{'raises' if isinstance(value, Raised) else 'gives'} {short(value)}"


def unsteady(task: Task, args: Args, one: Value | Raised, other: Value | Raised) -> TaskError:
    """Return the error for a reference whose answer to an input is another one the next time."""
    call = call_text(task.entry_point, args)
    return TaskError(
        f"reference {task.references[0].name} is not deterministic: {call} {told(one)}, but "
        f"{told(other)} in a second process with another hash seed and order of calls; sort what "
        "comes out of a set, keep no state between calls, use no clock and no random numbers"
    )


def test_fault(script: TestScript, name: str, recording: Recording) -> str:
    """Say which test a reference fails, at its line of the task file when the script has those."""
    text, line = recording.message, recording.line
    remedy = "correct the reference or the test"
    if script.where and line > 0:
        text = text.removeprefix(f"line {line}: ")
        return f"reference {name} fails the test at {script.where}:{line}: {text}; {remedy}"
    where = "test script, " if line else ""
    kind = recording.outcome_kind
    return f"reference {name} fails the benchmark's own tests ({kind}): {where}{text}; {remedy}"


PLAIN = "None, bool, int, float, complex, str, bytes, list, tuple, set, frozenset and dict of them"


def no_base_input(task: Task, skipped: int) -> str:
    """Say why there is no base input.

    Args:
        task: As loaded.
        skipped: Calls of its tests whose arguments are no plain values.
    """
    if skipped:
        return f"no base input: {not_plain(task)}; let {task.entry_point} take plain values"
    return "no base input could be read: add a doctest example or an assert f(...)"


def not_plain(task: Task) -> str:
    """Say which argument in a task's tests is no plain value, and what one is."""
    script = task.script or TestScript(source="")
    odd = [
        (isinstance(argument, ast.Name), argument)
        for node in ast.walk(parse_module(script.source, script.where))
        if isinstance(node, ast.Call) and dotted_name(node.func) == task.entry_point
        for argument in node.args
        if not _is_literal(argument)
    ]
    if not odd:
        return f"the tests pass what is not a plain value ({PLAIN})"
    _, argument = min(
        odd, key=lambda item: (item[0], item[1].lineno)
    )  # a variable hides what it is
    place = f"{script.where}:{argument.lineno}: " if script.where else ""
    return f"{place}{ast.unparse(argument)} is not a plain value ({PLAIN})"


def _is_literal(node: ast.expr) -> bool:
    try:
        fold(node)
    except LiteralError:
        return False
    return True


def call_text(entry_point: str, args: Args) -> str:
    """Return a call as text for a message, at most ``CALL_CHARS`` long."""
    shown = ", ".join(short(arg, CALL_CHARS) for arg in args)
    return _cut(f"{entry_point}({shown})", CALL_CHARS)


_FAULTS: dict[OutcomeKind, tuple[str, str]] = {
    OutcomeKind.RAISED: (
        "raises an exception that is not promised",
        "correct it, drop the test, or promise the exception: RAISES = ['{}']",
    ),
    OutcomeKind.TIMEOUT: (
        "does not end in time",
        "make it faster, drop the test, or allow it more: LIMITS = {'cpu_s': ...}",
    ),
    OutcomeKind.MEMORY: (
        "runs out of memory",
        "make it smaller, or allow it more: LIMITS = {'memory_mib': ...}",
    ),
    OutcomeKind.OUTPUT_LIMIT: ("returns too much", "drop the test"),
    OutcomeKind.UNENCODABLE: (
        "returns something that is not a plain value",
        "return numbers, strings, lists, tuples, sets, dicts or None",
    ),
    OutcomeKind.CRASH: ("ends its own process", "raise an exception instead, or drop the test"),
}
"""What a reference did to a base input, and what to do about it."""


_ANY_OF_THEM = (OutcomeKind.TIMEOUT, OutcomeKind.MEMORY, OutcomeKind.CRASH)
"""What ends the process of all references together, whichever of them did it."""


def base_fault(task: Task, test: BaseTest, outcome: Outcome) -> TaskError:
    """Return the error for a base input that came to no answer."""
    where = ""
    if outcome.kind is OutcomeKind.CONTRACT and task.contract is not None:
        where = task.contract.where
    return TaskError(_base_fault(task, test, outcome), where=where)


def _base_fault(task: Task, test: BaseTest, outcome: Outcome) -> str:
    call = call_text(task.entry_point, test.args)
    if outcome.message.startswith(LOADING):
        return (
            f"contract or reference cannot be loaded: {outcome.message.removeprefix(LOADING)}; "
            "does its top level ever end? leave the work to the function"
        )
    if outcome.kind is OutcomeKind.LOAD_ERROR:
        return (
            f"contract or reference cannot be loaded: {outcome.message}; "
            "programs may import the standard library and see no files"
        )
    if outcome.kind is OutcomeKind.CONTRACT:
        return (
            f"the contract rejects base input {test.where}: {call}: {outcome.message}; "
            "loosen the contract or drop the test"
        )
    if outcome.kind is OutcomeKind.STEPS:  # the message tells whose steps
        return (
            f"the {outcome.message} takes more than {BASE_STEPS:,} steps on base input "
            f"{test.where}: {call}; does it ever end? correct it, or drop the test"
        )
    unclear = outcome.kind in _ANY_OF_THEM and len(task.references) > 1
    who = "one of the references" if unclear else "the reference"
    what, remedy = _FAULTS.get(outcome.kind, (f"comes to {outcome.kind}", "correct it"))
    detail = f" ({outcome.message})" if outcome.message else ""
    if outcome.kind is OutcomeKind.RAISED:
        remedy = remedy.format(outcome.payload.decode("utf-8", "replace"))
    return f"{who} {what} on base input {test.where}: {call}{detail}; {remedy}"
