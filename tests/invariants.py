"""What must hold of every generated suite, checked from the published file alone."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from plusforge.oracle import wire
from plusforge.oracle.compare import agree
from plusforge.oracle.conformity import conforms
from plusforge.oracle.runner import Program, Sandbox
from plusforge.oracle.typespec import parse_annotation, unify
from plusforge.oracle.values import (
    Args,
    Value,
    decode_args,
    decode_outcome,
    encode_args,
    encode_outcome,
    text_of,
)
from plusforge.oracle.verdict import OutcomeKind

from tests.suites import LIMITS, args_of, comparison_of, run, value_of


def violations(sandbox: Sandbox, record: dict[str, Any]) -> list[str]:
    """Return one line for each way in which a suite record breaks its promises."""
    base, plus = record["base"], record["plus"]
    base_args, plus_args = args_of(base), args_of(plus)
    found = [
        *_types(record, base_args, plus_args),
        *_contract(sandbox, record, plus_args),
        *_distinct(base, plus),
        *_sharing(plus_args),
        *_answers(sandbox, record, [*base, *plus]),
        *_unchanged(sandbox, record, plus_args),
        *_round_trip([*base, *plus]),
    ]
    return [f"{record['task_id']}: {line}" for line in found]


def _types(record: dict[str, Any], base: Sequence[Args], plus: Sequence[Args]) -> list[str]:
    found = []
    for i, param in enumerate(record["params"]):
        spec = unify(parse_annotation(param["annotation"]), [a[i] for a in base if len(a) > i])
        for args in plus:
            problem = conforms(args[i], spec) if len(args) > i else None
            if problem:
                found.append(f"argument {param['name']}={args[i]!r:.80}: {problem}")
    required = sum(not param["optional"] for param in record["params"])
    arities = {len(args) for args in plus}
    if arities - set(range(required, len(record["params"]) + 1)):
        found.append(f"arities {sorted(arities)}")
    return found


def _contract(sandbox: Sandbox, record: dict[str, Any], plus: Sequence[Args]) -> list[str]:
    if record["contract"] is None:
        return ["no contract"]
    outcomes = sandbox.call(
        Program(record["contract"], "contract"), [wire.dumps(args) for args in plus], LIMITS
    )
    return [
        f"contract refuses {args!r:.120}: {outcome.message}"
        for args, outcome in zip(plus, outcomes, strict=True)
        if outcome.kind is not OutcomeKind.VALUE or wire.loads(outcome.payload) is False
    ]


def _distinct(base: Sequence[dict[str, Any]], plus: Sequence[dict[str, Any]]) -> list[str]:
    counts = Counter(text_of(test["args"]) for test in [*base, *plus])
    return [f"appears {n} times: {text:.120}" for text, n in counts.items() if n > 1]


def _sharing(plus: Sequence[Args]) -> list[str]:
    def mutable(value: Value) -> list[int]:
        if isinstance(value, dict):
            inner = [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            inner = list(value)
        else:
            return []
        own = [id(value)] if isinstance(value, list | dict | set) else []
        return own + [i for item in inner for i in mutable(item)]

    return [
        f"arguments share objects: {args!r:.120}"
        for args in plus
        if len(ids := mutable(args)) != len(set(ids))
    ]


def _answers(
    sandbox: Sandbox, record: dict[str, Any], tests: Sequence[dict[str, Any]]
) -> list[str]:
    comparison = comparison_of(record)
    inputs = args_of(tests)
    outcomes = run(sandbox, record, record["references"][0], inputs)
    return [
        f"{args!r:.100} gives {value_of(outcome)!r:.60}, the suite says {test['expected']!r:.60}"
        for test, args, outcome in zip(tests, inputs, outcomes, strict=True)
        if not agree(comparison, decode_outcome(test["expected"]), value_of(outcome))
    ]


def _unchanged(sandbox: Sandbox, record: dict[str, Any], plus: Sequence[Args]) -> list[str]:
    if record["mutates"]:
        return []
    inputs = [wire.dumps(args) for args in plus]
    program = Program(record["references"][0], record["entry_point"])
    outcomes = sandbox.call(program, inputs, LIMITS, observe="arguments")
    return [
        f"the reference changes {args!r:.120}"
        for args, data, outcome in zip(plus, inputs, outcomes, strict=True)
        if outcome.kind is OutcomeKind.VALUE and outcome.payload != data
    ]


def _round_trip(tests: Sequence[dict[str, Any]]) -> list[str]:
    return [
        f"round trip changes {text_of(test):.120}"
        for test in tests
        if encode_args(decode_args(test["args"])) != test["args"]
        or encode_outcome(decode_outcome(test["expected"])) != test["expected"]
    ]


def equal_share(record: dict[str, Any]) -> float | None:
    """Return the share of plus inputs whose two lists are equal; None without two lists."""
    plus = args_of(record["plus"])
    lists = [
        i
        for i in range(len(record["params"]))
        if plus and all(len(a) > i and isinstance(a[i], list | tuple) for a in plus)
    ]
    if len(lists) != 2:
        return None
    i, j = lists
    return sum(args[i] == args[j] for args in plus) / len(plus)
