"""Programs out of raw replies: each does what the reply meant, or the outcome says why not."""

from collections.abc import Iterator

import pytest
from plusforge.generator.extract import ExtractionOutcome, extract
from plusforge.oracle import wire
from plusforge.oracle.runner import Program, RunLimits, Sandbox
from plusforge.oracle.verdict import OutcomeKind

from tests.extraction_cases import CASES, FAILING, Case, Failing
from tests.extraction_modules import REACHED

EVERY = [*CASES, *REACHED]

LIMITS = RunLimits(cpu_s=5.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        if shared.report.level != "strong":
            pytest.skip("this machine cannot isolate fully: " + shared.report.line())
        yield shared


@pytest.mark.parametrize("case", EVERY, ids=[case.name for case in EVERY])
def test_the_program_does_what_was_meant(case: Case, sandbox: Sandbox) -> None:
    found = extract(case.raw, case.entry, case.prompt)
    assert found.outcome is ExtractionOutcome.OK, f"{found.outcome}: {found.reason}"
    inputs = [wire.dumps(args) for args, _ in case.calls]
    outcomes = sandbox.call(Program(found.code, case.entry), inputs, LIMITS)
    for outcome, (args, expected) in zip(outcomes, case.calls, strict=True):
        assert outcome.kind is OutcomeKind.VALUE, f"{outcome.kind} {outcome.message}\n{found.code}"
        assert wire.loads(outcome.payload) == expected, f"{args}\n{found.code}"
    for text in case.lacks:
        assert text not in found.code
    for text in case.holds:
        assert text in found.code
    again = extract(found.code, case.entry, case.prompt)
    assert again.code == found.code, "a second extraction changes nothing"


@pytest.mark.parametrize("case", FAILING, ids=[case.name for case in FAILING])
def test_what_fails_says_why(case: Failing) -> None:
    found = extract(case.raw, case.entry, case.prompt)
    assert found.outcome == case.outcome, found.reason
    assert case.reason in found.reason
    assert case.code is None or found.code == case.code
