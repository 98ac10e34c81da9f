"""What a verdict is, what decides it besides the suite and the sample, and its text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.oracle.answers import own_args
from plusforge.oracle.values import Raised, Value, encode_args, encode_outcome
from plusforge.oracle.verdict import Verdict

EDITION = 6
"""Of what a verdict means and how its entry is written; grows with every change of either."""

FENCED = "holds a Markdown fence: `plusforge extract` takes programs out of replies"
"""Said of a sample that is no Python for a likely reason."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """What decides a verdict besides the suite and the sample.

    Attributes:
        rules: Whose comparison rules decide; see ``referee``.
        min_cpu_s: CPU seconds a test may always take.
        cpu_factor: ... and this many times what the reference took.
        total_cpu_s: CPU seconds a whole sample may take, beyond ``cpu_factor`` times the
            reference's total.
        memory_mib: Address space of a sample, MiB; None for what the task declares.
        base_only: Leave the plus tests out.
        all_tests: Go on after the first failure, so that every failing test is known.
    """

    rules: str = "task"
    min_cpu_s: float = 1.0
    cpu_factor: float = 4.0
    total_cpu_s: float = 60.0
    memory_mib: int | None = None
    base_only: bool = False
    all_tests: bool = False


def with_hint(error: str, code: str) -> str:
    """Return why a sample could not be loaded, with the likely reason where it is in sight."""
    return f"{error}; it {FENCED}" if _FENCE.search(code) else error


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A test that a sample does not pass.

    Attributes:
        part: ``base`` or ``plus``.
        index: Of the test in its part; None when the sample could not even be loaded.
        verdict: What it came to.
        args: The arguments in wire form, or None when they are long.
        expected: The expected outcome in one tuple, or None when it is long.
        got: The sample's in one tuple, or None when it is long or there was none.
        error: What went wrong, for people. The sample's own words: never evidence.
    """

    part: str
    index: int | None
    verdict: Verdict
    args: bytes | None = None
    expected: tuple[Value | Raised] | None = None
    got: tuple[Value | Raised] | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict on a sample.

    Attributes:
        base: On the base tests alone.
        plus: On the plus tests alone; None when they were not run.
        failure: The first test that failed.
        failed: All that failed, as ``(part, index, verdict)``; None but under ``all_tests``.
    """

    base: Verdict
    plus: Verdict | None
    failure: Failure | None = None
    failed: Sequence[tuple[str, int | None, Verdict]] | None = None

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether any test failed for want of memory."""
        verdicts = [verdict for _, _, verdict in self.failed or ()]
        return Verdict.MEMORY in (self.base, self.plus, *verdicts)


def no_verdict(why: str, settings: JudgeSettings) -> Judged:
    """Return what stands for the verdict on a sample that could not be judged.

    Args:
        why: For people.
        settings: Those it was to be judged under.
    """
    verdict = Verdict.JUDGE_ERROR
    failure = Failure(part="base", index=None, verdict=verdict, error=why)
    failed = [(failure.part, failure.index, verdict)] if settings.all_tests else None
    return Judged(base=verdict, plus=None, failure=failure, failed=failed)


def entry_of(judged: Judged) -> str:
    """Return a verdict as JSON text: ``base``, ``plus``, ``first_failure``, perhaps ``failed``."""
    entry: dict[str, object] = {"base": judged.base, "plus": judged.plus}
    failure = judged.failure
    if failure is None:
        entry["first_failure"] = None
    else:
        entry["first_failure"] = {
            "suite": failure.part,
            "index": failure.index,
            "verdict": failure.verdict,
            "args": None if failure.args is None else encode_args(own_args(failure.args)),
            "expected": None if failure.expected is None else encode_outcome(failure.expected[0]),
            "got": None if failure.got is None else encode_outcome(failure.got[0]),
            # Addresses differ from run to run, and a result must not.
            "error": _ADDRESS.sub("0x...", failure.error),
        }
    if judged.failed is not None:
        entry["failed"] = [list(one) for one in judged.failed]
    return json.dumps(entry)
