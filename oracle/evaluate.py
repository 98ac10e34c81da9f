"""Judge a file of samples against a suite.

Every distinct sample is judged once and kept as it comes, in any number of workers, with one result
whatever their number.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from plusforge.oracle.about import VERSION
from plusforge.oracle.courtroom import Courtroom, EvaluateSettings, PieceResult
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.goldcache import machine
from plusforge.oracle.isolation import Isolation
from plusforge.oracle.judged import EDITION, entry_of, no_verdict
from plusforge.oracle.samples import Sample
from plusforge.oracle.suitefile import Suite, SuiteRecord
from plusforge.oracle.verdictlog import VerdictLog
from plusforge.oracle.workers import spread

PIECE = 40
"""Samples that a worker judges before it reports."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker: some programs for one task, told apart by their keys."""

    record: SuiteRecord
    programs: tuple[tuple[str, str], ...]
    settings: EvaluateSettings
    log: Path | None


_worker: tuple[Courtroom, VerdictLog | None] | None = None
"""What a worker process judges with; lives as long as the process."""


def _work(piece: Piece) -> PieceResult:
    global _worker  # noqa: PLW0603 - one set of sandboxes a worker process
    if _worker is None:
        # Workers keep their verdicts themselves: with a report a piece, an end of the run from
        # outside would lose up to a piece of each worker.
        log = None if piece.log is None else VerdictLog(piece.log)
        _worker = Courtroom(piece.settings), log
    court, log = _worker
    return court.hear(piece.record, piece.programs, log)


def _lost(piece: Piece) -> PieceResult:
    why = "the judge's worker process died twice (out of memory?)"
    entry = entry_of(no_verdict(why, piece.settings.judge))
    return PieceResult(piece.record.task_id, "", tuple((key, entry) for key, _ in piece.programs))


# ---------------------------------------------------------------- all of them


class Evaluation:
    """One run: samples against a suite.

    Attributes:
        isolation: The isolation that the samples run in.
        problems: Why nothing can be judged, by task; complete when ``run`` has ended.
        recalled: Samples whose verdict was kept by an earlier run.
    """

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
        self._court = Courtroom(settings)
        try:
            self.isolation: Isolation = self._court.plain.report
        except BaseException:
            self._court.close()
            raise
        self.problems: dict[str, str] = {}
        self.recalled = 0
        parts = [
            VERSION, str(EDITION), json.dumps(dataclasses.asdict(settings.judge)),
            self.isolation.line(), machine(), _numpy_version(),
        ]  # fmt: skip
        self._identity = "\n".join(parts)

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
        log = None
        try:
            path = self._log_path()
            log = None if path is None else VerdictLog(path)
            known = {} if log is None else log.read(keys.keys())
            for key, entry in known.items():
                self.recalled += len(keys[key])
                yield from ((index, entry) for index in keys[key])
            todo = [samples[indices[0]] for key, indices in keys.items() if key not in known]
            for result in self._judge_all(self._pieces(todo), log):
                if result.problem:
                    self.problems[result.task_id] = result.problem
                for key, entry in result.entries:
                    yield from ((index, entry) for index in keys[key])
        finally:
            self._court.close()
            if log is not None:
                log.close()

    def kept(self, samples: Sequence[Sample]) -> int:
        """Return for how many samples another run would find a verdict.

        Raises:
            EnvironmentFault: The verdicts that are kept cannot be read.
        """
        path = self._log_path()
        if path is None:
            return 0
        keys = [self._key(sample) for sample in samples]
        with closing(VerdictLog(path)) as log:
            known = log.read(set(keys))
        return sum(key in known for key in keys)

    def _log_path(self) -> Path | None:
        cache = self._settings.cache
        if cache is None:
            return None
        name = sha256_hex(f"{self._identity}\n{self._suite.digest}")
        return cache / "verdicts" / f"{name[:32]}.log"

    def _pieces(self, samples: Sequence[Sample]) -> list[Piece]:
        """Cut the work into pieces of one task each, in the suite's order."""
        log = self._log_path()
        by_task: dict[str, list[Sample]] = {}
        for sample in samples:
            by_task.setdefault(sample.task_id, []).append(sample)
        records: Mapping[str, SuiteRecord] = self._suite.records
        return [
            Piece(
                record,
                tuple((self._key(one), one.code) for one in by_task[task_id][at : at + PIECE]),
                self._settings,
                log,
            )
            for task_id, record in records.items()
            if task_id in by_task
            for at in range(0, len(by_task[task_id]), PIECE)
        ]

    def _judge_all(self, pieces: Sequence[Piece], log: VerdictLog | None) -> Iterator[PieceResult]:
        if self._settings.jobs > 1 and len(pieces) > 1:
            self._court.close()  # each worker has its own
            yield from spread(_work, pieces, self._settings.jobs, lost=_lost)
            return
        for piece in pieces:
            for program in piece.programs:  # one at a time: each is shown as it comes
                yield self._court.hear(piece.record, [program], log)


def _numpy_version() -> str:
    try:
        return version("numpy")
    except PackageNotFoundError:
        return ""
