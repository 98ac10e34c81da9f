"""Pre-flight of a suite: what the references answer here, now, and how long they take.

No sample is judged against a task whose own reference fails it on this machine. The times measured
here set the limits of the samples; they are kept in the cache and never in a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from plusforge.oracle import protocol, wire
from plusforge.oracle.answers import own_args
from plusforge.oracle.complaints import call_text, short
from plusforge.oracle.errors import TaskError
from plusforge.oracle.referee import Referee, refusal, whole_outcome
from plusforge.oracle.runner import DIGEST_ABOVE, Outcome, Program, RunLimits, Sandbox
from plusforge.oracle.suitefile import Stated, SuiteTask
from plusforge.oracle.task import Comparison, Reference
from plusforge.oracle.values import Raised, Value
from plusforge.oracle.verdict import OutcomeKind

MAX_OUTPUT_BYTES = 1 << 31
"""A reference may return this much; what is long is kept as its digest."""

REFERENCE_CPU_S = 60.0
"""CPU seconds a reference may take for one test."""

NOTED_CPU_S = 0.02
"""Times below this are not noted, and count as this much: CPU seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A task of a suite, ready to be judged against.

    Attributes:
        task_id: As in the suite.
        entry_point: Name of the function under test.
        references: Trusted implementations.
        comparison: How outcomes are compared.
        memory_mib: Address space of a program, MiB.
        atol: Tolerance under EvalPlus's rules.
        n_base: How many of the tests are base tests; they come first.
        args: Arguments of each test in wire form.
        frames: The frame (``protocol.frame``) of each expected outcome.
        longest: Length of the longest expected outcome in wire form, bytes.
        cpu_s: CPU seconds of the slow tests by index, as the slowest reference took them.
        total_cpu_s: CPU seconds of all tests together.
        checker_cpu_s: CPU seconds the task's checker took in all.
        problem: Why nothing can be judged against it; empty when it can.
    """

    task_id: str
    entry_point: str
    references: tuple[Reference, ...] = ()
    comparison: Comparison = field(default_factory=Comparison)
    memory_mib: int = 1024
    atol: float = 0.0
    n_base: int = 0
    args: Sequence[bytes] = ()
    frames: Sequence[bytes] = ()
    longest: int = 0
    cpu_s: dict[int, float] = field(default_factory=dict)
    total_cpu_s: float = 0.0
    checker_cpu_s: float = 0.0
    problem: str = ""

    @property
    def n_plus(self) -> int:
        """Number of plus tests."""
        return len(self.args) - self.n_base

    def place(self, index: int) -> tuple[str, int]:
        """Return the part (``base`` or ``plus``) that a test is in, and its index there."""
        return ("base", index) if index < self.n_base else ("plus", index - self.n_base)


def assay(task: SuiteTask, sandbox: Sandbox, *, rules: str = "task") -> Gold:
    """Run a task's references on all its tests.

    Args:
        task: The task, decoded.
        sandbox: Runs the references.
        rules: Whose comparison rules decide; see ``referee``.

    Returns:
        The task, ready to be judged against; with a ``problem`` when a reference fails here.

    Raises:
        SandboxError: The sandbox itself failed, twice.
    """
    tests = [*task.base, *task.plus]
    referee = Referee(task.entry_point, task.comparison, rules=rules, atol=task.atol)
    bench = _Assay(task, tests, referee, sandbox)
    problem = ""
    try:
        if not tests:
            raise TaskError("it has no test at all")
        for reference in task.references:
            bench.run(reference)
    except TaskError as exc:
        problem = str(exc)
    return Gold(
        task_id=task.task_id,
        entry_point=task.entry_point,
        references=task.references,
        comparison=task.comparison,
        memory_mib=task.limits.memory_mib,
        atol=task.atol,
        n_base=len(task.base),
        args=[test.args for test in tests],
        frames=[] if problem else bench.frames,
        longest=max(map(_length, bench.frames), default=0),
        cpu_s=bench.cpu_s,
        total_cpu_s=bench.total_cpu_s,
        checker_cpu_s=referee.checker_cpu_s,
        problem=problem,
    )


class _Assay:
    """Runs references one after the other; the first gives the outcomes that none states."""

    def __init__(
        self, task: SuiteTask, tests: Sequence[Stated], referee: Referee, sandbox: Sandbox
    ) -> None:
        self._task = task
        self._tests = tests
        self._referee = referee
        self._sandbox = sandbox
        self._limits = RunLimits(
            cpu_s=REFERENCE_CPU_S, memory_mib=task.limits.memory_mib, output_bytes=MAX_OUTPUT_BYTES
        )
        stated = [test.expected for test in tests]
        self.frames = [frame_of(one[0]) for one in stated if one is not None]
        if len(self.frames) != len(tests):
            self.frames = []
        self.cpu_s: dict[int, float] = {}
        self.total_cpu_s = 0.0

    def run(self, reference: Reference) -> None:
        program = Program(reference.source, self._task.entry_point, reference.name)
        inputs = [test.args for test in self._tests]
        observe = self._referee.observe
        got: list[Outcome | None] = []
        with self._sandbox.trial(program, self._limits, observe=observe) as trial:
            times = [0.0]
            for some in trial.compare(inputs, self.frames):
                times.append(trial.cpu())
                # The last result of a batch comes by itself, after the others that it came with.
                stop = min(len(got) + len(some) + 1, len(inputs))
                self._note(range(len(got), stop), times[-1] - times[-2])
                got += some
        self.total_cpu_s = max(self.total_cpu_s, times[-1])
        if self.frames:
            self._compare(program, got)
        else:
            self.frames = list(self._frames(program, got))
        if self._referee.asks_checker:
            self._ask(program, got)

    def _note(self, indices: range, seconds: float) -> None:
        # Results of a few milliseconds come together; each of them is given the time of all.
        if seconds > NOTED_CPU_S:
            for index in indices:
                self.cpu_s[index] = round(max(seconds, self.cpu_s.get(index, 0.0)), 3)

    def _frames(self, program: Program, got: Sequence[Outcome | None]) -> Iterator[bytes]:
        for index, outcome in enumerate(got):
            if outcome is None or outcome.kind not in (OutcomeKind.VALUE, OutcomeKind.DIGEST):
                raise self._fault(index, program, outcome)
            kind = protocol.DIGEST if outcome.kind is OutcomeKind.DIGEST else protocol.VALUE
            yield protocol.frame(kind, outcome.payload)

    def _compare(self, program: Program, got: Sequence[Outcome | None]) -> None:
        """Compare with what is stated; ``None`` is the same to the byte."""
        for index, outcome in enumerate(got):
            if outcome is None:
                continue
            expected = self._tests[index].expected
            promised = expected is not None and isinstance(expected[0], Raised)
            if promised or outcome.kind not in (OutcomeKind.VALUE, OutcomeKind.DIGEST):
                fine = outcome.kind is OutcomeKind.RAISED and expected == (
                    Raised(outcome.payload.decode("utf-8", "replace")),
                )
            elif self._referee.asks_checker:
                continue
            else:
                args = own_args(self._tests[index].args)
                fine = expected is not None and self._referee.accepts(
                    expected[0], self._value(index, program, outcome), args
                )
            if not fine:
                raise self._fault(index, program, outcome)

    def _ask(self, program: Program, got: Sequence[Outcome | None]) -> None:
        """Put to the task's checker what is stated, and what this reference answered instead.

        A sample whose answer is the same to the byte passes unasked, so that answer must be right.
        """
        asked: list[tuple[int, str, Value]] = []
        for index, (test, outcome) in enumerate(zip(self._tests, got, strict=True)):
            stated = test.expected if program.name == self._task.references[0].name else None
            if stated is not None and not isinstance(stated[0], Raised):
                asked.append((index, "which the suite states", stated[0]))
            if outcome is not None and outcome.kind is not OutcomeKind.RAISED:
                value = self._value(index, program, outcome)
                asked.append((index, f"the answer of {program.name}", value))
        questions = [
            (wire.without_rationals(value), *own_args(self._tests[index].args))
            for index, _, value in asked
        ]
        memory = self._limits.memory_mib
        with closing(self._referee.ask_checker(self._sandbox, questions, memory)) as answers:
            for (index, whose, value), answer in zip(asked, answers, strict=True):
                if not answer.is_true:
                    where, call = self._told(index)
                    raise TaskError(
                        f"{where}, {call}: {refusal(answer)} to {short(value)}, {whose}; "
                        "one of the two is at fault, no sample is judged by it"
                    )

    def _value(self, index: int, program: Program, outcome: Outcome) -> Value:
        """Return the value of an outcome, of which perhaps only the digest came."""
        if outcome.kind is OutcomeKind.DIGEST:
            args, observe = self._tests[index].args, self._referee.observe
            digest = outcome.payload
            outcome = whole_outcome(self._sandbox, program, args, self._limits, observe=observe)
            if outcome.kind is OutcomeKind.VALUE and protocol.digest(outcome.payload) != digest:
                test, call = self._told(index)
                raise TaskError(
                    f"{program.name} answers {test}, {call}, otherwise alone than after the calls "
                    "before it; a reference must not depend on earlier calls"
                )
        if outcome.kind is not OutcomeKind.VALUE:
            raise self._fault(index, program, outcome)
        try:
            return wire.loads(outcome.payload)
        except wire.BadFrame as exc:
            test, call = self._told(index)
            raise TaskError(
                f"{program.name} answers to {test}, {call}, what must be looked into and is too "
                f"long for that: {exc}; leave that test out"
            ) from exc

    def _told(self, index: int) -> tuple[str, str]:
        """Return which test it is, and its call, for people."""
        part = "base" if index < len(self._task.base) else "plus"
        number = index if part == "base" else index - len(self._task.base)
        args = own_args(self._tests[index].args)
        return f"{part} test {number}", call_text(self._task.entry_point, args)

    def _fault(self, index: int, program: Program, outcome: Outcome | None) -> TaskError:
        expected = self._tests[index].expected
        if outcome is None:
            came = "nothing"
        elif outcome.kind is OutcomeKind.VALUE:
            came = short(wire.loads(outcome.payload))
        else:
            came = f"{outcome.kind} ({outcome.message})"
        wanted = "" if expected is None else f", expected {short(expected[0])}"
        test, call = self._told(index)
        return TaskError(
            f"{program.name} fails {test} on this machine: {call} came to {came}{wanted}; "
            "the suite or this Python is at fault, no sample is judged by it"
        )


def frame_of(expected: object) -> bytes:
    """Return the frame of a stated outcome."""
    if isinstance(expected, Raised):
        return protocol.frame(protocol.RAISED, expected.name.encode())
    payload = wire.dumps(expected)
    if len(payload) > DIGEST_ABOVE:
        return protocol.frame(protocol.DIGEST, protocol.digest(payload))
    return protocol.frame(protocol.VALUE, payload)


def _length(frame: bytes) -> int:
    """Return the length of the outcome that a frame holds, or whose digest it holds, bytes."""
    if frame[0] == protocol.DIGEST:
        return int(protocol.SIZE.unpack(frame[-protocol.SIZE.size :])[0])
    return len(frame) - protocol.HEADER.size
