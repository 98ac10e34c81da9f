"""Reading a generated suite and running programs against it, for the invariants and kill tests."""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from plusforge.oracle import wire
from plusforge.oracle.compare import agree
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Args, Raised, Value, decode_args, decode_outcome
from plusforge.oracle.verdict import OutcomeKind

LIMITS = RunLimits(cpu_s=20.0, output_bytes=20_000_000)
QUICK = RunLimits(cpu_s=0.3, output_bytes=1_000_000, total_cpu_s=5.0)
PORTION = 100


def read_suite(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "plus.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_manifest(folder: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest


def comparison_of(record: dict[str, Any]) -> Comparison:
    fields = dict(record["comparison"])
    return Comparison(**{**fields, "raises": tuple(fields["raises"])})


def args_of(tests: Sequence[dict[str, Any]]) -> list[Args]:
    return [decode_args(test["args"]) for test in tests]


def run(
    sandbox: Sandbox,
    record: dict[str, Any],
    source: str,
    inputs: Sequence[Args],
    limits: RunLimits = LIMITS,
) -> list[Outcome]:
    return sandbox.call(
        Program(source, record["entry_point"]),
        [wire.dumps(args) for args in inputs],
        limits,
        observe=record["comparison"]["observe"],
    )


def value_of(outcome: Outcome) -> Value | Raised:
    if outcome.kind is OutcomeKind.VALUE:
        return wire.loads(outcome.payload)
    name = outcome.payload.decode() if outcome.kind is OutcomeKind.RAISED else str(outcome.kind)
    return Raised(name)


def killed_by(
    sandbox: Sandbox, record: dict[str, Any], source: str, tests: Sequence[dict[str, Any]]
) -> Iterator[int]:
    """Yield the indices of the tests that tell a program from the reference.

    Time-outs and the like are not counted: a slow program is not a wrong one. Tests are run in
    portions, so that whoever wants only the first kill does not pay for the rest.
    """
    for start in range(0, len(tests), PORTION):
        portion = tests[start : start + PORTION]
        slow = 0
        for index, outcome, killed in _portion(sandbox, record, source, portion):
            slow += outcome.kind is OutcomeKind.TIMEOUT
            if killed:
                yield start + index
        if slow > PORTION // 10:
            return


def _portion(
    sandbox: Sandbox, record: dict[str, Any], source: str, tests: Sequence[dict[str, Any]]
) -> Iterator[tuple[int, Outcome, bool]]:
    comparison = comparison_of(record)
    inputs = args_of(tests)
    outcomes = run(sandbox, record, source, inputs, QUICK)
    accepted = _checked(sandbox, record, inputs, outcomes)
    for index, (test, outcome) in enumerate(zip(tests, outcomes, strict=True)):
        expected = decode_outcome(test["expected"])
        if outcome.kind not in (OutcomeKind.VALUE, OutcomeKind.RAISED):
            killed = outcome.kind in (OutcomeKind.UNENCODABLE, OutcomeKind.LOAD_ERROR)
        elif accepted is not None and not isinstance(expected, Raised):
            killed = not accepted[index]
        else:
            killed = not agree(comparison, expected, value_of(outcome))
        yield index, outcome, killed


def _checked(
    sandbox: Sandbox, record: dict[str, Any], inputs: Sequence[Args], outcomes: Sequence[Outcome]
) -> list[bool] | None:
    checker = record["comparison"]["checker"]
    if checker is None:
        return None
    triples = [
        wire.dumps((wire.loads(o.payload) if o.kind is OutcomeKind.VALUE else None, *args))
        for args, o in zip(inputs, outcomes, strict=True)
    ]
    verdicts = sandbox.call(Program(checker, "check"), triples, LIMITS)
    return [
        o.kind is OutcomeKind.VALUE
        and v.kind is OutcomeKind.VALUE
        and wire.loads(v.payload) is True
        for o, v in zip(outcomes, verdicts, strict=True)
    ]
