"""Reading base tests off the ``>>>`` examples of a docstring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plusforge.oracle.conditions import Calls, Check
from plusforge.oracle.errors import LiteralError
from plusforge.oracle.literals import fold_text, parse_expression
from plusforge.oracle.source import doctest_examples
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.values import Raised

TRACEBACK = "Traceback (most recent call last):"


def read_examples(
    docstring: str, targets: frozenset[str], params: Sequence[Param], where: str
) -> list[Check]:
    """Read the literal ``>>> f(x)`` examples of a docstring; what is not literal is passed over."""
    found: list[Check] = []
    calls = Calls(targets, params)
    for number, example in enumerate(doctest_examples(docstring), start=1):
        try:
            node = parse_expression(example.source)
        except LiteralError:
            continue
        call = calls.as_call(node)
        args = calls.bind(call) if call else None
        if args is None or not example.want:
            continue
        test = BaseTest(args=args, example=True, where=f"{where} example {number}")
        if example.want.startswith(TRACEBACK):
            name = example.want.rpartition("\n")[2].partition(":")[0].strip()
            raised = Raised(name.rpartition(".")[2])
            found.append(Check(test=replace(test, expected=raised, stated=True), kind="raises"))
            continue
        try:
            expected = fold_text(example.want)
        except LiteralError:
            continue
        found.append(Check(test=replace(test, expected=expected, stated=True)))
    return found
