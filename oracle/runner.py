"""The sandbox: run any Python text on any inputs and learn what came of it.

References, contracts, checkers, test scripts, mutants and model-written samples all run here, and
nothing runs in the main process. Inputs and outcomes are wire bytes (see ``wire``). Expected values
stay outside: a program cannot cheat by finding them, only by computing them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from typing import Self

from plusforge.oracle.driver import Driver
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.explorer import Explorer
from plusforge.oracle.isolation import Isolation, check_layers, judge_layers, probe
from plusforge.oracle.jobspec import make_job
from plusforge.oracle.launcher import Child, ZygoteLost, ZygoteProcess
from plusforge.oracle.libraries import NUMPY, SYMBOLIC
from plusforge.oracle.outcome import Outcome, Program, Recording, RunLimits
from plusforge.oracle.session import SieveSession, Trial, record_calls
from plusforge.oracle.targets import TargetSession
from plusforge.oracle.task import Comparison

__all__ = [
    "Outcome", "Program", "Recording", "RunLimits", "Sandbox", "SieveSession", "TargetSession",
    "Trial", "probe",
]  # fmt: skip

DIGEST_ABOVE = 16_384
"""Length of a result in wire form above which a trial compares digests, bytes."""


class Sandbox:
    """A place to run programs in. Use it as a context manager; for one thread at a time."""

    def __init__(
        self,
        *,
        hash_seed: int = 0,
        numpy: bool = False,
        symbolic: bool = False,
        disable: frozenset[str] = frozenset(),
        allow_weak: bool = False,
    ) -> None:
        """Prepare a sandbox; its processes start when they are needed.

        Args:
            hash_seed: Seed of string hashes and of ``random`` in every program. Two sandboxes with
                two seeds show what depends on the order of sets.
            numpy: Let programs import numpy.
            symbolic: Have the solver ready, for ``exploration``; nothing else is run there.
            disable: Layers to switch off, for tests and the doctor (see ``Isolation.layers``;
                ``namespace`` means all of them).
            allow_weak: Go on when files cannot be hidden from programs.

        Raises:
            ValueError: The hash seed is none that Python takes, or a layer is unknown.
        """
        check_layers(disable)
        if not 0 <= hash_seed < 1 << 32:
            raise ValueError(f"hash_seed is {hash_seed}, expected 0 to 2**32 - 1")
        self._hash_seed = hash_seed
        self._library = SYMBOLIC if symbolic else NUMPY if numpy else ""
        self._disable = disable
        self._allow_weak = allow_weak
        self._zygote: ZygoteProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes of this sandbox."""
        if self._zygote is not None:
            zygote, self._zygote = self._zygote, None
            zygote.close()

    @property
    def report(self) -> Isolation:
        """The isolation in force (starts the sandbox if need be).

        Raises:
            SandboxError: It could not be started.
        """
        zygote = self._started()
        return judge_layers(zygote.report["layers"], zygote.report["python"])

    def _started(self) -> ZygoteProcess:
        if self._zygote is not None and self._zygote.owner != os.getpid():
            self.close()  # we are a forked copy: the zygote belongs to the original
        if self._zygote is None:
            zygote = self._zygote = ZygoteProcess(
                hash_seed=self._hash_seed, library=self._library, disable=self._disable
            )
            found = judge_layers(zygote.report["layers"], zygote.report["python"])
            if found.level == "weak" and not self._allow_weak:
                self.close()
                raise SandboxError(f"refusing to run programs: {found.advice[0]}")
        return self._zygote

    def _spawn(self, memory_mib: int) -> Child:
        """Fork a child; a lost zygote is replaced once."""
        try:
            return self._started().spawn(memory_mib)
        except ZygoteLost:
            self.close()
        try:
            return self._started().spawn(memory_mib)
        except ZygoteLost as exc:
            self.close()
            raise SandboxError(
                f"the sandbox was lost twice in a row ({exc}): is the machine out of memory?"
            ) from exc

    def call(
        self,
        program: Program,
        inputs: Sequence[bytes],
        limits: RunLimits,
        *,
        observe: str = "result",
        by_equality: bool = False,
        billed: Trial | None = None,
    ) -> list[Outcome]:
        """Call a program on each input.

        Args:
            program: Any program, hostile included.
            inputs: Argument tuples in wire form.
            limits: What it may take.
            observe: What counts as the outcome; see ``task.Comparison``.
            by_equality: Reduce results as a judge must; see ``wire.reduce_value``.
            billed: The trial whose time this counts as.

        Returns:
            One outcome for each input, in order.

        Raises:
            SandboxError: The sandbox itself failed, twice. Never the program's doing.
        """
        job = make_job(
            self._hash_seed, "call", [program], limits, observe=observe, by_equality=by_equality
        )
        renew = None if by_equality else self.close  # by_equality: a sample, trusted by nobody
        with Trial(Driver(self._spawn, job, limits, renew=renew)) as trial:
            found = chain.from_iterable(trial.compare(inputs, ()))
            outcomes = [outcome for outcome in found if outcome is not None]
        if billed is not None:
            billed.charge(trial)
        return outcomes

    def trial(
        self,
        program: Program,
        limits: RunLimits,
        *,
        observe: str = "result",
        slow: Mapping[int, float] | None = None,
    ) -> Trial:
        """Open a session that calls a program on inputs whose outcomes are known.

        Results longer than ``DIGEST_ABOVE`` come as their digests, unless the limits say ``whole``.
        Decimal and Fraction results come as rationals.

        Args:
            program: Any program, hostile included.
            limits: What it may take.
            observe: As for ``call``.
            slow: CPU seconds allowed for inputs that may take longer than ``limits.cpu_s``, by
                index.
        """
        job = make_job(
            self._hash_seed, "call", [program], limits,
            observe=observe, by_equality=True, digest_above=None if limits.whole else DIGEST_ABOVE,
        )  # fmt: skip
        return Trial(Driver(self._spawn, job, limits, slow=slow))

    def check(
        self,
        program: Program,
        questions: Sequence[bytes],
        limits: RunLimits,
        *,
        bill: Callable[[float], None] | None = None,
    ) -> Generator[Outcome, None, None]:
        """Ask a task's own checker ``check(output, *args)`` about outputs. Stop early at will.

        Args:
            program: A program that defines ``check``.
            questions: Wire form of ``(output, *args)`` for each question.
            limits: What it may take.
            bill: Is told, in the end, the CPU seconds it took.

        Yields:
            One outcome for each question; a value that is not the wire form of True is a no.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        checker = Program(program.source, "check", program.name)
        job = make_job(self._hash_seed, "call", [checker], limits, rationals=True)
        with Trial(Driver(self._spawn, job, limits, renew=self.close)) as trial:
            try:
                with closing(trial.compare(questions, ())) as found:
                    for outcomes in found:
                        yield from (outcome for outcome in outcomes if outcome is not None)
            finally:
                if bill is not None:
                    bill(trial.cpu())

    def sieve(
        self,
        contract: Program | None,
        references: Sequence[Program],
        limits: RunLimits,
        *,
        observe: str = "result",
    ) -> SieveSession:
        """Open a session that puts inputs to a contract and to references.

        Args:
            contract: Rejects an input by raising or by returning False; None accepts all.
            references: At least one; all are called on fresh copies of the arguments.
            limits: What they may take; with ``steps``, contract and first reference are counted.
            observe: As for ``call``.
        """
        job = make_job(
            self._hash_seed, "sieve", list(references), limits, observe=observe, contract=contract
        )
        return SieveSession(Driver(self._spawn, job, limits, renew=self.close))

    def record(
        self, program: Program, script: str, limits: RunLimits, *, seed: int = 0
    ) -> Recording:
        """Run a test script against a program and note every call of the entry point.

        Args:
            program: The program under test.
            script: Runs after it, in a copy of its namespace; its ``check``, if any, is called
                with the entry point.
            limits: ``cpu_s`` is for the whole script.
            seed: For ``random``, so that scripts that draw inputs draw the same ones again.

        Returns:
            The calls, and whether the script ran through.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        job = make_job(seed, "record", [program], limits, script=script)
        driver = Driver(self._spawn, job, limits, patient=True, renew=self.close)
        return record_calls(driver)

    def targets(
        self,
        reference: Program,
        targets: Sequence[Program],
        limits: RunLimits,
        comparison: Comparison,
    ) -> TargetSession:
        """Open a session that tells which inputs tell which targets from the reference.

        Args:
            reference: Trusted; says what is right.
            targets: Mutants of it, or any programs; what they come to may only steer a search.
            limits: For the reference, ``steps`` included, and (but for steps) for each target.
            comparison: What counts as the reference's outcome, and as the same.
        """
        job = make_job(
            self._hash_seed,
            "targets",
            [reference],
            limits,
            observe=comparison.observe,
            by_equality=True,
        )
        session = TargetSession(
            self._spawn, job, limits, comparison, check=self.call, renew=self.close
        )
        session.add(targets)
        return session

    def explorer(
        self, contract: Program | None, pair: Sequence[Program], limits: RunLimits, observe: str
    ) -> Explorer:
        """Open a symbolic search for what tells two programs apart (needs ``symbolic``).

        Args as for ``sieve``, but ``pair`` is the reference and the other program, and the
        ``cpu_s`` of the limits is for the whole search.
        """
        job = make_job(
            self._hash_seed, "symbolic", pair, limits, observe=observe, contract=contract
        )
        return Explorer(self._spawn, job, limits, patient=True, renew=self.close)
