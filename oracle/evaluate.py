"""Judge a file of samples against a suite.

Every distinct sample is judged once and kept as it comes, in any number of workers, with one result
whatever their number.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from plusforge.oracle.answers import own_args
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.gold import Gold
from plusforge.oracle.goldcache import gold_of
from plusforge.oracle.isolation import Isolation
from plusforge.oracle.judge import Failure, Judged, JudgeSettings, judge
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.samples import Sample
from plusforge.oracle.suitefile import Suite, SuiteRecord
from plusforge.oracle.values import encode_args, encode_outcome
from plusforge.oracle.verdict import Verdict
from plusforge.oracle.verdictlog import VerdictLog
from plusforge.oracle.workers import spread

PIECE = 40
"""Samples that a worker judges before it reports."""

_USES_NUMPY = re.compile(r"^\s*(?:import|from)\s+(?:numpy|scipy|pandas)\b", re.MULTILINE)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateSettings:
    """How samples are judged.

    Attributes:
        judge: What decides a verdict.
        jobs: Worker processes.
        allow_weak: Go on when files cannot be hidden from samples.
        disable: Layers of isolation to switch off, for tests.
        cache: Folder for pre-flights and verdicts; None to keep nothing.
    """

    judge: JudgeSettings = field(default_factory=JudgeSettings)
    jobs: int = 1
    allow_weak: bool = False
    disable: frozenset[str] = frozenset()
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker: some programs for one task, told apart by their keys."""

    record: SuiteRecord
    programs: tuple[tuple[str, str], ...]
    settings: EvaluateSettings


@dataclass(frozen=True, slots=True)
class PieceResult:
    """What came of a piece.

    Attributes:
        task_id: The task.
        n_plus: Its plus tests.
        problem: Why nothing could be judged; empty when it could.
        entries: Key and verdict, as JSON text, of each program.
    """

    task_id: str
    n_plus: int
    problem: str
    entries: tuple[tuple[str, str], ...]


class Courtroom:
    """The sandboxes a worker keeps, and the task it judged last."""

    def __init__(self, settings: EvaluateSettings) -> None:
        """Make the sandboxes; their processes start when they are first used."""
        self._settings = settings
        self._stack = ExitStack()
        self.plain = self._sandbox(numpy=False)
        self._numpy: Sandbox | None = None
        self._gold: tuple[str, Gold] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes."""
        self._stack.close()

    def _sandbox(self, *, numpy: bool) -> Sandbox:
        return self._stack.enter_context(
            Sandbox(
                numpy=numpy, allow_weak=self._settings.allow_weak, disable=self._settings.disable
            )
        )

    def _sandbox_for(self, code: str) -> Sandbox:
        """Return a sandbox that has imported what the program will: that costs 100 ms a time."""
        if not _USES_NUMPY.search(code) or find_spec("numpy") is None:
            return self.plain
        if self._numpy is None:
            self._numpy = self._sandbox(numpy=True)
        return self._numpy

    def gold(self, record: SuiteRecord) -> Gold:
        """Return a task ready to be judged against.

        Raises:
            SandboxError: The sandbox itself failed, twice.
        """
        if self._gold is None or self._gold[0] != record.digest:
            folder = self._settings.cache
            found, _ = gold_of(
                record,
                self.plain,
                rules=self._settings.judge.rules,
                folder=None if folder is None else folder / "gold",
            )
            self._gold = (record.digest, found)
        return self._gold[1]

    def hear(self, record: SuiteRecord, programs: Sequence[tuple[str, str]]) -> PieceResult:
        """Judge programs.

        Args:
            record: Their task.
            programs: Key and code of each.

        Raises:
            SandboxError: The pre-flight failed for the sandbox's own fault, twice.
        """
        gold = self.gold(record)
        if gold.problem:
            return PieceResult(record.task_id, gold.n_plus, gold.problem, ())
        entries = [
            (key, entry_of(judge(code, gold, self._sandbox_for(code), self._settings.judge)))
            for key, code in programs
        ]
        return PieceResult(record.task_id, gold.n_plus, "", tuple(entries))


_court: Courtroom | None = None
"""The courtroom of a worker process; lives as long as the process."""


def _work(piece: Piece) -> PieceResult:
    global _court  # noqa: PLW0603 - one set of sandboxes a worker process
    if _court is None:
        _court = Courtroom(piece.settings)
    return _court.hear(piece.record, piece.programs)


def _lost(piece: Piece) -> PieceResult:
    failure = Failure(
        part="base", index=None, verdict=Verdict.JUDGE_ERROR,
        error="the judge's worker process died twice (out of memory?)",
    )  # fmt: skip
    entry = entry_of(Judged(base=Verdict.JUDGE_ERROR, plus=None, failure=failure))
    return PieceResult(
        piece.record.task_id, 0, "", tuple((key, entry) for key, _ in piece.programs)
    )


# ---------------------------------------------------------------- one verdict as text


def entry_of(judged: Judged) -> str:
    """Return a verdict as JSON text: ``base``, ``plus``, ``first_failure`` and ``failed``."""
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
    if len(judged.failed) > 1:
        entry["failed"] = [list(one) for one in judged.failed]
    return json.dumps(entry)


# ---------------------------------------------------------------- all of them


class Evaluation:
    """One run: samples against a suite."""

    def __init__(self, suite: Suite, settings: EvaluateSettings) -> None:
        """Prepare a run.

        Args:
            suite: What is judged against.
            settings: How.

        Raises:
            SandboxError: The sandbox does not work here, or does not hide files and may not.
        """
        self._suite = suite
        self._settings = settings
        with Courtroom(settings) as court:
            self.isolation: Isolation = court.plain.report
        self.problems: dict[str, str] = {}
        self.n_plus: dict[str, int] = {}
        rules = dataclasses.asdict(settings.judge)
        self._identity = "\n".join(
            [version("plusforge"), json.dumps(rules), self.isolation.line(), _numpy_version()]
        )

    def _key(self, sample: Sample) -> str:
        digest = self._suite.records[sample.task_id].digest
        text = "\n".join([self._identity, digest, sample.code])
        return sha256_hex(text.encode("utf-8", "surrogatepass"))  # JSON may hold half a pair

    def run(self, samples: Sequence[Sample]) -> Iterator[tuple[int, str]]:
        """Judge samples.

        Args:
            samples: Of tasks that the suite has.

        Yields:
            Index among the samples and verdict as JSON text, in any order; none for samples of
            tasks in ``problems``.

        Raises:
            EnvironmentFault: The sandbox does not work here, or verdicts cannot be kept.
        """
        keys: dict[str, list[int]] = {}
        for index, sample in enumerate(samples):
            keys.setdefault(self._key(sample), []).append(index)
        cache = self._settings.cache
        log = None
        if cache is not None:
            name = sha256_hex(f"{self._identity}\n{self._suite.digest}")
            log = VerdictLog(cache / "verdicts" / f"{name[:32]}.log")
        try:
            known = {} if log is None else log.read(keys.keys())
            for key, (n_plus, entry) in known.items():
                self.n_plus[samples[keys[key][0]].task_id] = n_plus
                yield from ((index, entry) for index in keys[key])
            todo = [samples[indices[0]] for key, indices in keys.items() if key not in known]
            for result in self._judge_all(self._pieces(todo)):
                self.n_plus[result.task_id] = result.n_plus
                if result.problem:
                    self.problems[result.task_id] = result.problem
                for key, entry in result.entries:
                    if log is not None and not entry.startswith(_JUDGE_ERROR):
                        log.add(key, result.n_plus, entry)
                    yield from ((index, entry) for index in keys[key])
        finally:
            if log is not None:
                log.close()

    def _pieces(self, samples: Sequence[Sample]) -> list[Piece]:
        """Cut the work into pieces of one task each, in the suite's order."""
        by_task: dict[str, list[Sample]] = {}
        for sample in samples:
            by_task.setdefault(sample.task_id, []).append(sample)
        records: Mapping[str, SuiteRecord] = self._suite.records
        return [
            Piece(
                record,
                tuple((self._key(one), one.code) for one in by_task[task_id][at : at + PIECE]),
                self._settings,
            )
            for task_id, record in records.items()
            if task_id in by_task
            for at in range(0, len(by_task[task_id]), PIECE)
        ]

    def _judge_all(self, pieces: Sequence[Piece]) -> Iterator[PieceResult]:
        if self._settings.jobs > 1 and len(pieces) > 1:
            yield from spread(_work, pieces, self._settings.jobs, lost=_lost)
            return
        with Courtroom(self._settings) as court:
            for piece in pieces:
                for program in piece.programs:  # one at a time: each is kept as it comes
                    yield court.hear(piece.record, [program])


_JUDGE_ERROR = json.dumps({"base": Verdict.JUDGE_ERROR})[:-1]


def _numpy_version() -> str:
    try:
        return version("numpy")
    except PackageNotFoundError:
        return ""
