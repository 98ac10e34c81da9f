"""Who decides whether an outcome counts as the expected one: the task's comparison, or EvalPlus's.

Everything here works on plain values that our own decoders built. Only a task's own checker is a
program, and it runs in the sandbox, on pristine arguments, in a process of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

from plusforge.oracle import evalplus_rules, wire
from plusforge.oracle.compare import agree
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox, Trial
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Args, Raised, Value
from plusforge.oracle.verdict import OutcomeKind

RULES = ("task", "evalplus")
"""Whose rules decide: each task's own comparison, or those that EvalPlus has in its code."""

CHECKER_CPU_S, CHECKER_TOTAL_S = 10.0, 60.0
"""CPU seconds a checker may take for one outcome; and for all of a sample's, beyond some times what
it took for the reference's. A sample whose outcomes take long to check must not hold up others."""


class Referee:
    """Decides for one task.

    Attributes:
        observe: What counts as the outcome of a call; see ``task.Comparison``.
        asks_checker: The task's checker decides, and not ``accepts``, about each value that is not
            to the byte the expected one.
        checker_cpu_s: CPU seconds it has taken so far.
    """

    def __init__(
        self, entry_point: str, comparison: Comparison, *, rules: str = "task", atol: float = 0.0
    ) -> None:
        """Take a task's rules.

        Args:
            entry_point: Picks the special oracle under EvalPlus's rules.
            comparison: The task's own.
            rules: One of ``RULES``.
            atol: The task's tolerance under EvalPlus's rules.

        Raises:
            ConfigError: There are no such rules.
        """
        if rules not in RULES:
            raise ConfigError(f"--rules {rules!r}: expected one of {', '.join(RULES)}")
        self._evalplus = rules == "evalplus"
        self._entry_point = entry_point
        self._comparison = comparison
        self._atol = atol
        self.checker_cpu_s = 0.0
        self.asks_checker = comparison.kind == "checker" and not self._evalplus
        self.observe = (
            evalplus_rules.observed(entry_point) if self._evalplus else comparison.observe
        )

    def accepts(
        self, expected: Value | Raised, got: Value | Raised, args: Args, *, leaked: bool = False
    ) -> bool:
        """Tell whether an outcome counts as the expected one.

        Args:
            expected: The reference's outcome.
            got: The other outcome.
            args: The arguments, pristine.
            leaked: Under EvalPlus's rules: an earlier expected value switched the tolerance on.
        """
        if self._evalplus:
            return evalplus_rules.accepts(
                self._entry_point, expected, got, args, self._atol, leaked=leaked
            )
        return agree(self._comparison, expected, got)

    def ask_checker(
        self,
        sandbox: Sandbox,
        questions: Sequence[tuple[Value, ...]],
        memory_mib: int,
        *,
        total_cpu_s: float | None = None,
    ) -> Generator[Outcome, None, None]:
        """Ask the task's checker about outcomes. Stop early at will: each answer takes its time.

        Args:
            sandbox: Runs it.
            questions: ``(output, *args)`` for each.
            memory_mib: Address space it may have, MiB.
            total_cpu_s: CPU seconds it may have taken in all, now and before.

        Yields:
            What it came to, for each: yes if that ``is_true``, else see ``refusal``.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        if not questions:
            return
        program = Program(self._comparison.checker or "", "check", "checker")
        wired = [wire.dumps(question) for question in questions]
        left = None if total_cpu_s is None else max(total_cpu_s - self.checker_cpu_s, 0.0)
        limits = RunLimits(cpu_s=CHECKER_CPU_S, memory_mib=memory_mib, total_cpu_s=left)
        with closing(sandbox.check(program, wired, limits, bill=self._bill)) as answers:
            yield from answers

    def _bill(self, seconds: float) -> None:
        self.checker_cpu_s += seconds


def refusal(answer: Outcome) -> str:
    """Return what a checker's answer comes to that is no yes: a no, an exception, or nothing."""
    why = answer.message[:200]
    if answer.kind in (OutcomeKind.VALUE, OutcomeKind.RAISED):
        return f"the task's checker says no{why and f' ({why})'}"
    return f"the task's checker gives no answer ({answer.kind}{why and f': {why}'})"


def whole_outcome(
    sandbox: Sandbox,
    program: Program,
    args: bytes,
    limits: RunLimits,
    *,
    observe: str,
    billed: Trial | None = None,
) -> Outcome:
    """Return an outcome that a trial saw only the digest of: run it again, alone.

    Args:
        sandbox: Runs it.
        program: The program of the trial.
        args: The arguments in wire form.
        limits: What it may take.
        observe: As in the trial.
        billed: The trial, when this is to count towards its time.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    (outcome,) = sandbox.call(
        program, [args], limits, observe=observe, by_equality=True, billed=billed
    )
    return outcome
