"""Where a worker judges: its sandboxes, and the task it judged last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from plusforge.oracle.gold import Gold
from plusforge.oracle.goldcache import gold_of
from plusforge.oracle.judge import judge
from plusforge.oracle.judged import JudgeSettings, entry_of
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.suitefile import SuiteRecord
from plusforge.oracle.verdict import Verdict
from plusforge.oracle.verdictlog import VerdictLog

_USES_NUMPY = re.compile(r"\b(?:numpy|scipy|pandas)\b")
"""Any mention: there are more ways to import than a pattern knows; a needless one costs little."""


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
class PieceResult:
    """What came of a piece.

    Attributes:
        task_id: The task.
        problem: Why nothing could be judged; empty when it could.
        entries: Key and verdict, as JSON text, of each program.
    """

    task_id: str
    problem: str
    entries: tuple[tuple[str, str], ...]


class Courtroom:
    """The sandboxes a worker keeps, and the task it judged last.

    Attributes:
        plain: The sandbox without numpy; references run in it.
    """

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
            OutputError: The cache cannot be written.
            SandboxError: The sandbox itself failed, twice.
        """
        if self._gold is None or self._gold[0] != record.digest:
            folder = self._settings.cache
            found = gold_of(
                record,
                self.plain,
                rules=self._settings.judge.rules,
                folder=None if folder is None else folder / "gold",
            )
            self._gold = (record.digest, found)
        return self._gold[1]

    def hear(
        self, record: SuiteRecord, programs: Sequence[tuple[str, str]], log: VerdictLog | None
    ) -> PieceResult:
        """Judge programs.

        Args:
            record: Their task.
            programs: Key and code of each.
            log: Keeps each verdict as it comes, but no ``judge_error``: the next run may do better.

        Raises:
            OutputError: A verdict or the pre-flight cannot be kept.
            SandboxError: The pre-flight failed for the sandbox's own fault, twice.
        """
        gold = self.gold(record)
        if gold.problem:
            return PieceResult(record.task_id, gold.problem, ())
        entries = []
        for key, code in programs:
            judged = judge(code, gold, self._sandbox_for(code), self._settings.judge)
            entries.append((key, entry_of(judged)))
            if log is not None and judged.base is not Verdict.JUDGE_ERROR:
                log.add(*entries[-1])
        return PieceResult(record.task_id, "", tuple(entries))
