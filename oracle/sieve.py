"""The sieve: which candidates become plus inputs, and why the others do not.

Order of the checks: arity, type, size, duplicate, then in the sandbox contract, cost, references;
then finiteness, agreement, and last, for the survivors, determinism in a second process. Nothing is
dropped in silence: every candidate ends as an ``Answer`` or under one ``Rejection``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import call
from typing import Self

from plusforge.oracle import wire
from plusforge.oracle.answers import (
    Answer,
    answer_of,
    contract_program,
    decoded,
    dispute,
    has_non_finite,
    limits_of,
    own_args,
    reference_programs,
    references_agree,
    repeat_answers,
)
from plusforge.oracle.complaints import told, unsteady
from plusforge.oracle.costguard import CostGuard
from plusforge.oracle.reference import Prepared
from plusforge.oracle.runner import Outcome, Program, Sandbox, SieveSession
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.values import Args
from plusforge.oracle.verdict import OutcomeKind, Rejection

EXAMPLES = 3
"""Rejected candidates shown for each reason."""

_REASONS = {
    OutcomeKind.CONTRACT: Rejection.CONTRACT,
    OutcomeKind.STEPS: Rejection.TOO_COSTLY,
    OutcomeKind.TIMEOUT: Rejection.REFERENCE_TIMEOUT,
    OutcomeKind.MEMORY: Rejection.TOO_COSTLY,
    OutcomeKind.OUTPUT_LIMIT: Rejection.TOO_LARGE,
    OutcomeKind.UNENCODABLE: Rejection.UNENCODABLE,
}
_ANSWERS = (OutcomeKind.VALUE, OutcomeKind.RAISED)
_COSTLY = (OutcomeKind.STEPS, OutcomeKind.TIMEOUT, OutcomeKind.OUTPUT_LIMIT, OutcomeKind.MEMORY)


_EXHAUSTED = (b"RecursionError", b"MemoryError")

HOPELESS = "not run: its largest number exceeds all that were cheap, and others did in vain"
"""Message for an input that is rejected for its size alone."""


def _exhausted(outcome: Outcome) -> bool:
    """Tell whether a call ended for lack of time, space or depth, which chance plays no part in."""
    return outcome.kind not in _ANSWERS or outcome.payload in _EXHAUSTED


@dataclass(slots=True)
class Tally:
    """Counts of what happened to the candidates of one task.

    Attributes:
        tried: Candidates offered, duplicates included.
        steps: Deterministic steps spent on them.
        counts: Rejections by reason.
        examples: The first rejected candidates of each reason, as (wire arguments, message).
    """

    tried: int = 0
    steps: int = 0
    counts: Counter[Rejection] = field(default_factory=Counter)
    examples: dict[Rejection, list[tuple[bytes, str]]] = field(default_factory=dict)

    def reject(self, reason: Rejection, args: bytes, message: str = "") -> None:
        """Count one rejection, and keep the first few to show."""
        self.counts[reason] += 1
        shown = self.examples.setdefault(reason, [])
        if len(shown) < EXAMPLES:
            shown.append((args, message))


class Sieve:
    """Filters the candidates of one prepared task. Use it as a context manager.

    Attributes:
        tally: What happened so far.
    """

    def __init__(self, prepared: Prepared, first: Sandbox, second: Sandbox) -> None:
        """Make a sieve.

        Args:
            prepared: The task after its pre-flight.
            first: Runs contract and references.
            second: Runs the survivors again; it must have another hash seed.
        """
        self.tally = Tally()
        self._prepared = prepared
        self._task = prepared.task
        self._first = first
        self._second = second
        self._checks = [compile_check(spec) for spec in prepared.specs]
        self._arities = range(self._task.required, len(prepared.specs) + 1)
        self._longest = self._task.limits.args_bytes
        self._seen = {answer.args for answer in prepared.base}
        self._guard = CostGuard()
        self._steps = self._task.limits.steps
        self._session = self._open()

    def _open(self) -> SieveSession:
        contract = self._task.contract
        return self._first.sieve(
            contract_program(contract) if contract else None,
            reference_programs(self._task),
            limits_of(self._task, steps=self._steps),
            observe=self._task.comparison.observe,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def tighten(self, steps: int) -> None:
        """Lower the cost one input may have from here on."""
        self._session.close()
        self._steps = steps
        self._session = self._open()

    def feed(self, candidates: Sequence[Args], origin: str | list[str]) -> list[Answer | None]:
        """Judge a batch of candidates.

        Args:
            candidates: Argument tuples, in the order they were made.
            origin: Provenance of the batch, or of each candidate; stored with every kept input.

        Returns:
            One entry a candidate: its answer, or None when it was rejected (see ``tally``).
        """
        tally, seen = self.tally, self._seen
        origins = [origin] * len(candidates) if isinstance(origin, str) else origin
        tally.tried += len(candidates)
        results: list[Answer | None] = [None] * len(candidates)
        fresh: list[int] = []
        inputs: list[bytes] = []
        for index, candidate in enumerate(candidates):
            try:
                args = wire.dumps(candidate)
            except ValueError as exc:
                tally.reject(Rejection.UNENCODABLE, b"", str(exc))
                continue
            if args in seen:
                tally.counts[Rejection.DUPLICATE] += 1
                continue
            seen.add(args)
            problem = self._look(candidate, args)
            if problem is None:
                fresh.append(index)
                inputs.append(args)
            else:
                tally.reject(problem[0], args, problem[1])
        if inputs:
            outcomes = self._session.feed(inputs)
            for index, args, outcome in zip(fresh, inputs, outcomes, strict=True):
                answer = self._judge(args, outcome, origins[index])
                results[index] = answer
                if answer is not None:
                    self._guard.kept(candidates[index])
                elif outcome.kind in _COSTLY:
                    self._guard.costly(candidates[index])
        return results

    def _look(self, candidate: Args, args: bytes) -> tuple[Rejection, str] | None:
        """Check what needs no process: arity, type, size."""
        if len(candidate) not in self._arities:
            return Rejection.ARITY, ""
        if not all(map(call, self._checks, candidate)):
            return Rejection.TYPE, ""
        if len(args) > self._longest:
            return (Rejection.TOO_LARGE, f"arguments of {len(args)} bytes, allowed {self._longest}")
        return (Rejection.TOO_COSTLY, HOPELESS) if self._guard.hopeless(candidate) else None

    def _judge(self, args: bytes, outcome: Outcome, origin: str) -> Answer | None:
        tally = self.tally
        tally.steps += outcome.steps
        answer = answer_of(outcome, args, self._task.comparison, origin)
        if answer is None:
            reason = _REASONS.get(outcome.kind, Rejection.REFERENCE_CRASH)
            tally.reject(reason, args, self._message(outcome)[:200])
            return None
        if self._prepared.finite and has_non_finite(answer):
            tally.reject(Rejection.NOT_FINITE, args)
            return None
        if outcome.mutated and not self._task.mutates:
            tally.reject(Rejection.ARGUMENT_MUTATED, args)
            return None
        if not references_agree(self._task.comparison, outcome):
            tally.reject(Rejection.DISAGREEMENT, args, dispute(self._task, outcome))
            return None
        return answer

    def _message(self, outcome: Outcome) -> str:
        """Say what a call came to that came to no answer."""
        limits = self._task.limits
        if outcome.kind is OutcomeKind.STEPS:  # the child tells whose steps
            allowed = f"{self._steps:,} steps or {limits.depth} nested calls"
            return f"the {outcome.message} takes more than {allowed}"
        if outcome.kind is OutcomeKind.MEMORY:
            return f"{outcome.message}: more than {limits.memory_mib} MiB"
        return outcome.message or outcome.payload.decode("utf-8", "replace")

    def confirm(self, answers: Sequence[Answer]) -> list[Answer]:
        """Run the plain references again on the survivors, in another process and order.

        Returns:
            The answers that came out again, and that the task's own checker (if any) accepts.

        Raises:
            TaskError: The reference answers an input differently the second time. Other answers may
                then stand by chance alone, so none can be trusted.
        """
        if not answers:
            return []
        programs = reference_programs(self._task)
        again = repeat_answers(self._task, programs[0], answers, self._second)
        accepted = [True] * len(answers)
        if self._task.comparison.checker is not None:
            accepted = self._accepted_by_checker(answers, programs[1:])
        kept = []
        for answer, other, fine in zip(answers, again, accepted, strict=True):
            if other is not None:
                if not _exhausted(other):
                    args = own_args(answer.args)
                    raise unsteady(self._task, args, answer.value(), decoded(other))
                why = f"without counting its steps it {told(decoded(other))}: {other.message}"
                self.tally.reject(Rejection.NONDETERMINISTIC, answer.args, why[:200])
            elif fine:
                kept.append(answer)
            else:
                self.tally.reject(Rejection.CHECKER, answer.args)
        return kept

    def _accepted_by_checker(
        self, answers: Sequence[Answer], others: Sequence[Program]
    ) -> list[bool]:
        """Tell for each input whether the task's checker accepts every reference's outcome.

        It is not asked about a promised exception: that must be every reference's.
        """
        accepted = [True] * len(answers)
        asked = [(n, answer.outcome) for n, answer in enumerate(answers) if answer.raised is None]
        inputs = [answer.args for answer in answers]
        limits, observe = limits_of(self._task, steps=None), self._task.comparison.observe
        for program in others:
            outcomes = self._second.call(program, inputs, limits, observe=observe)
            for n, (answer, outcome) in enumerate(zip(answers, outcomes, strict=True)):
                other = answer_of(outcome, answer.args, self._task.comparison)
                if other is None or other.raised != answer.raised:
                    accepted[n] = False
                elif other.raised is None:
                    asked.append((n, other.outcome))
        questions = [
            wire.dumps((wire.loads(value), *own_args(answers[n].args))) for n, value in asked
        ]
        checker = Program(self._task.comparison.checker or "", "check", "check")
        for (n, _), verdict in zip(
            asked, self._first.call(checker, questions, limits), strict=True
        ):
            accepted[n] &= verdict.is_true
        return accepted
