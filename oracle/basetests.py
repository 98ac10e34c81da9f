"""Base tests gathered from several places of one record: repeats merged, contradictions kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plusforge.oracle.compare import agree
from plusforge.oracle.task import BaseTest, Comparison
from plusforge.oracle.values import Raised, Value, encode_outcome, key_of, text_of


def as_example(test: BaseTest) -> BaseTest:
    """Return a test marked as one that the prompt shows."""
    return replace(test, example=True)


def merge_tests(tests: Iterable[BaseTest], *, kind: str = "exact") -> tuple[BaseTest, ...]:
    """Return tests without repeats, in order of first appearance.

    One input may stay twice: when two places state different outcomes for it. That is a defect of
    the benchmark and must stay visible.

    Args:
        tests: The tests.
        kind: Of the task's comparison: ``set`` and ``any_order`` make outcomes equal that differ
            only in order, repeats or the container's type.
    """
    kept: dict[str, list[BaseTest]] = {}
    order: list[tuple[str, int]] = []
    for test in tests:
        key = key_of(test.args)
        group = kept.setdefault(key, [])
        for index, other in enumerate(group):
            if not test.stated or not other.stated or _same(test.expected, other.expected, kind):
                first = other if other.stated or not test.stated else test
                group[index] = replace(
                    first, where=other.where, example=test.example or other.example
                )
                break
        else:
            order.append((key, len(group)))
            group.append(test)
    return tuple(kept[key][index] for key, index in order)


def _same(one: Value | Raised, other: Value | Raised, kind: str) -> bool:
    if kind in ("set", "any_order") and agree(Comparison(kind=kind), one, other):
        return True
    return bool(one == other) or text_of(encode_outcome(one)) == text_of(encode_outcome(other))
