"""The verdict on one sample: does it agree with the reference on every input of a suite?

A sample runs in a fresh child. Inputs are sent ahead, outcomes come back as bytes and are compared
here with the expected ones; no expected value ever enters the child. A sample passes when exactly
as many outcomes as there are tests came, in order, each accepted, and the child ended properly.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import islice

from plusforge.oracle import protocol, wire
from plusforge.oracle.answers import own_args
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.expectation import Expectation
from plusforge.oracle.gold import NOTED_CPU_S, Gold
from plusforge.oracle.judged import Failure, Judged, JudgeSettings, no_verdict, with_hint
from plusforge.oracle.referee import CHECKER_TOTAL_S, Referee, refusal, whole_outcome
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox, Trial
from plusforge.oracle.values import Raised, Value
from plusforge.oracle.verdict import OutcomeKind, Verdict

SMALLEST_OUTPUT_LIMIT = 1 << 20
"""A result may always be this long, bytes; and twice as long as the longest expected one."""

CHECKED_TOGETHER, CHECKED_BYTES = 200, 1 << 20
"""Outcomes that are put to a task's checker in one go."""

SHOWN_BYTES = 4096
"""A value longer than this is left out of a failure's record; its index tells where it is."""

_OF_KIND = {
    OutcomeKind.VALUE: Verdict.WRONG,
    OutcomeKind.DIGEST: Verdict.WRONG,
    OutcomeKind.UNENCODABLE: Verdict.WRONG,
    OutcomeKind.RAISED: Verdict.EXCEPTION,
    OutcomeKind.TIMEOUT: Verdict.TIMEOUT,
    OutcomeKind.MEMORY: Verdict.MEMORY,
    OutcomeKind.OUTPUT_LIMIT: Verdict.OUTPUT_LIMIT,
    OutcomeKind.CRASH: Verdict.CRASH,
}
"""What an outcome that is not accepted comes to; a kind that no call can have is a forgery."""


def _enough(waiting: Sequence[tuple[int, bytes]]) -> bool:
    """Tell whether outcomes should be put to the checker now; decoded, they take 40 times more."""
    if not waiting:
        return False
    size = sum(len(payload) for _, payload in waiting)
    return len(waiting) >= CHECKED_TOGETHER or size >= CHECKED_BYTES


def judge(code: str, gold: Gold, sandbox: Sandbox, settings: JudgeSettings) -> Judged:
    """Judge one sample.

    Args:
        code: The sample: a module that defines the entry point.
        gold: The task's tests; without a ``problem``.
        sandbox: Runs the sample (and the checker).
        settings: Limits and rules.

    Returns:
        The verdict; ``judge_error`` when the sandbox failed twice, never a fault of the sample.
    """
    try:
        case = _Case(code, gold, sandbox, settings)
        judged = case.judged()
        if judged.ran_out_of_memory:  # perhaps beside what it had freed and could not give back
            case.limits = replace(case.limits, gives_back=True)
            judged = case.judged()
        return judged
    except SandboxError as exc:
        return no_verdict(str(exc), settings)


class _OtherwiseAloneError(Exception):
    """A long result is not the one that the same call gives in a process of its own.

    So that cannot be judged in its place: the trial is run again, and its results seen whole.
    """


class _Case:
    def __init__(self, code: str, gold: Gold, sandbox: Sandbox, settings: JudgeSettings) -> None:
        self._program = Program(code, gold.entry_point)
        self._gold = gold
        self._sandbox = sandbox
        self._settings = settings
        self._referee = Referee(
            gold.entry_point, gold.comparison, rules=settings.rules, atol=gold.atol
        )
        self._expected = Expectation(gold)
        factor = settings.cpu_factor
        # A reference whose time was too short to be noted counts as having taken that long.
        floor = max(settings.min_cpu_s, factor * NOTED_CPU_S)
        self.limits = RunLimits(
            cpu_s=floor,
            memory_mib=settings.memory_mib or gold.memory_mib,
            output_bytes=max(SMALLEST_OUTPUT_LIMIT, 2 * gold.longest),
            total_cpu_s=settings.total_cpu_s + factor * gold.total_cpu_s,
        )
        self._checker_cpu_s = CHECKER_TOTAL_S + factor * gold.checker_cpu_s
        self._slow = {
            index: factor * seconds
            for index, seconds in gold.cpu_s.items()
            if factor * seconds > floor
        }

    def judged(self) -> Judged:
        """Run the tests and sum up."""
        try:
            return self._judged()
        except _OtherwiseAloneError:
            self.limits = replace(self.limits, whole=True)
            return self._judged()

    def _judged(self) -> Judged:
        with closing(self._failures()) as found:
            failures = list(found if self._settings.all_tests else islice(found, 1))
        first = next(iter(failures), None)
        failed = None
        if self._settings.all_tests:
            failed = [(failure.part, failure.index, failure.verdict) for failure in failures]
        base = next((f.verdict for f in failures if f.part == "base"), Verdict.PASS)
        plus = next((f.verdict for f in failures if f.part == "plus"), Verdict.PASS)
        unloaded = first is not None and first.index is None
        ran_plus = self._gold.n_plus and not self._settings.base_only and not unloaded
        if not ran_plus or (base is not Verdict.PASS and not self._settings.all_tests):
            return Judged(base=base, plus=None, failure=first, failed=failed)
        return Judged(base=base, plus=plus, failure=first, failed=failed)

    def _failures(self) -> Generator[Failure, None, None]:
        """Yield the tests that fail: all of them in order, or the first."""
        gold, waiting = self._gold, list[tuple[int, bytes]]()
        stop = gold.n_base if self._settings.base_only else len(gold.args)
        inputs, frames = gold.args[:stop], gold.frames[:stop]
        index = 0
        with (
            self._sandbox.trial(
                self._program, self.limits, observe=self._referee.observe, slow=self._slow
            ) as trial,
            # Left to the garbage collector, it would swallow a Ctrl-C that comes as it ends.
            closing(trial.compare(inputs, frames)) as found,
        ):
            for outcomes in found:
                if not any(outcomes):  # all as expected
                    index += len(outcomes)
                    continue
                for outcome in outcomes:
                    failure = None
                    if outcome is not None and trial.unloaded:
                        failure = self._unloaded(index, outcome)
                        if failure.index is None:
                            yield failure
                            return
                    elif outcome is not None:
                        failure = self._look(index, outcome, waiting, trial)
                    index += 1
                    if failure is None and not _enough(waiting):
                        continue
                    yield from self._settle(waiting)
                    if failure is not None:
                        yield failure
        yield from self._settle(waiting)

    def _unloaded(self, index: int, outcome: Outcome) -> Failure:
        """Return the failure of a test whose child could not load the sample."""
        if outcome.kind is OutcomeKind.LOAD_ERROR:
            verdict = Verdict.LOAD_ERROR
            error = with_hint(outcome.message, self._program.source)
        else:
            verdict = _OF_KIND.get(outcome.kind, Verdict.PROTOCOL)
            error = outcome.message
        if index:  # it could before, so that this is but the end of what it may take
            return self._failure(index, outcome, verdict, error)
        return Failure(part="base", index=None, verdict=verdict, error=error)

    def _look(
        self, index: int, outcome: Outcome, waiting: list[tuple[int, bytes]], trial: Trial
    ) -> Failure | None:
        """Return the failure that an unexpected outcome is, or None when it is none (yet)."""
        kind, payload = self._expected.frame(index)
        if outcome.kind is OutcomeKind.RAISED and kind == protocol.RAISED:
            if outcome.payload == payload:
                return None
            return self._failure(index, outcome, Verdict.EXCEPTION)
        if outcome.kind is OutcomeKind.DIGEST and self.limits.whole:
            return self._failure(index, outcome, Verdict.PROTOCOL, "a digest nobody asked for")
        if outcome.kind not in (OutcomeKind.VALUE, OutcomeKind.DIGEST) or kind == protocol.RAISED:
            return self._failure(index, outcome, _OF_KIND.get(outcome.kind, Verdict.PROTOCOL))
        if self._expected.is_same(index, outcome):
            return None
        return self._weigh(index, outcome, waiting, trial)

    def _weigh(
        self, index: int, outcome: Outcome, waiting: list[tuple[int, bytes]], trial: Trial
    ) -> Failure | None:
        """Compare two values whose bytes differ."""
        args = self._gold.args[index]
        observe = self._referee.observe
        if outcome.kind is OutcomeKind.DIGEST:
            digest = outcome.payload
            outcome = whole_outcome(
                self._sandbox, self._program, args, self._patient(index),
                observe=observe, billed=trial,
            )  # fmt: skip
            if outcome.kind is not OutcomeKind.VALUE or protocol.digest(outcome.payload) != digest:
                raise _OtherwiseAloneError
        try:
            got = wire.loads(outcome.payload)
        except wire.BadFrame as exc:
            return self._failure(index, outcome, Verdict.PROTOCOL, f"no plain value: {exc}")
        if self._referee.asks_checker:  # the checker, and no equality, says what is right
            waiting.append((index, outcome.payload))
            return None
        try:
            expected = self._expected.value(index, self._sandbox, self._patient(index), observe)
        except wire.BadFrame as exc:  # longer than the reader takes: equal bytes or nothing
            error = f"differs from an expected outcome too long to be looked into: {exc}"
            return self._failure(index, outcome, Verdict.WRONG, error)
        evalplus = self._settings.rules == "evalplus" and not self._gold.atol
        leaked = evalplus and self._expected.leaked(index)
        if self._referee.accepts(expected, got, own_args(args), leaked=leaked):
            return None
        return self._failure(index, outcome, Verdict.WRONG)

    def _settle(self, waiting: list[tuple[int, bytes]]) -> Generator[Failure, None, None]:
        """Put outcomes to the task's checker."""
        asked = list(waiting)
        waiting.clear()
        questions = [
            (wire.without_rationals(wire.loads(got)), *own_args(self._gold.args[index]))
            for index, got in asked
        ]
        memory, total = self.limits.memory_mib, self._checker_cpu_s
        asking = self._referee.ask_checker(self._sandbox, questions, memory, total_cpu_s=total)
        with closing(asking) as answers:
            for (index, got), answer in zip(asked, answers, strict=True):
                if not answer.is_true:
                    yield self._failure(
                        index, Outcome(OutcomeKind.VALUE, got), Verdict.WRONG, refusal(answer)
                    )

    def _patient(self, index: int) -> RunLimits:
        """Return the limits of one test, run alone."""
        return replace(self.limits, cpu_s=self._slow.get(index, self.limits.cpu_s))

    def _failure(self, index: int, outcome: Outcome, verdict: Verdict, error: str = "") -> Failure:
        part, number = self._gold.place(index)
        args = self._gold.args[index]
        kind, payload = self._expected.frame(index)
        expected: tuple[Value | Raised] | None = None
        if kind == protocol.RAISED:
            expected = (Raised(payload.decode()),)
        elif kind == protocol.VALUE and len(payload) <= SHOWN_BYTES:
            with suppress(wire.BadFrame):  # the bytes are all that is known of it
                expected = (wire.loads(payload),)
        got: tuple[Value | Raised] | None = None
        if outcome.kind is OutcomeKind.VALUE and len(outcome.payload) <= SHOWN_BYTES:
            try:
                got = (wire.without_rationals(wire.loads(outcome.payload), as_text=True),)
            except wire.BadFrame as exc:
                error = error or str(exc)
        elif outcome.kind is OutcomeKind.RAISED and len(outcome.payload) <= SHOWN_BYTES:
            got = (Raised(outcome.payload.decode("utf-8", "replace")),)
        return Failure(
            part=part,
            index=number,
            verdict=verdict,
            args=args if len(args) <= SHOWN_BYTES else None,
            expected=expected,
            got=got,
            error=error or outcome.message,
        )
