"""From verdicts to scores: pass@k over tasks, what is missing, what cannot count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plusforge.oracle.errors import ConfigError
from plusforge.oracle.passk import mean_and_error, pass_at_k
from plusforge.oracle.verdict import Verdict


@dataclass(slots=True)
class TaskCount:
    """What came of a task's samples.

    Attributes:
        n: Samples with a verdict; those with ``judge_error`` have none.
        base: Samples that pass the base tests.
        plus: Samples that pass base and plus tests.
        has_plus: The task has plus tests, and they were to be run.
    """

    n: int = 0
    base: int = 0
    plus: int = 0
    has_plus: bool = True


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one run.

    Attributes:
        pass_at_k: By part (``base``, ``plus``) and k; None where undefined.
        stderr: The standard error of each, over tasks; None where undefined.
        n_tasks: Tasks that the base score is an average of.
    """

    pass_at_k: dict[str, dict[str, float | None]]
    stderr: dict[str, dict[str, float | None]]
    n_tasks: int


@dataclass(slots=True)
class Board:
    """Adds verdicts up as they come.

    Attributes:
        counts: By task id.
        verdicts: How often each verdict came, by part.
        judge_errors: Samples without a verdict, for our own fault.
    """

    counts: dict[str, TaskCount] = field(default_factory=dict)
    verdicts: dict[str, Counter[str]] = field(
        default_factory=lambda: {"base": Counter(), "plus": Counter()}
    )
    judge_errors: int = 0

    def add(self, task_id: str, base: str, plus: str | None, *, has_plus: bool) -> None:
        """Count one sample.

        Args:
            task_id: Its task.
            base: Its verdict on the base tests.
            plus: Its verdict on the plus tests; None when they were not run.
            has_plus: The task has plus tests, and they were to be run.
        """
        count = self.counts.setdefault(task_id, TaskCount())
        count.has_plus = has_plus
        self.verdicts["base"][base] += 1
        if plus is not None:
            self.verdicts["plus"][plus] += 1
        if Verdict.JUDGE_ERROR in (base, plus):
            self.judge_errors += 1
            return
        count.n += 1
        if base == Verdict.PASS:
            count.base += 1
            count.plus += plus == Verdict.PASS

    def scores(self, ks: Sequence[int], *, zeros: Mapping[str, int]) -> Scores:
        """Return the scores.

        Args:
            ks: The k of pass@k.
            zeros: By part, how many tasks without a sample count as 0, whatever k.
        """
        judged = [count for count in self.counts.values() if count.n]
        scored: Mapping[str, list[tuple[int, int]]] = {
            "base": [(count.n, count.base) for count in judged],
            "plus": [(count.n, count.plus) for count in judged if count.has_plus],
        }
        pass_at: dict[str, dict[str, float | None]] = {}
        errors: dict[str, dict[str, float | None]] = {}
        for part, pairs in scored.items():
            pass_at[part], errors[part] = {}, {}
            for k in ks:
                found = [pass_at_k(n, c, k) for n, c in pairs]
                values = [value for value in found if value is not None]
                mean, error = mean_and_error(values + [0.0] * zeros[part])
                if len(values) < len(found) or not (pairs or zeros[part]):
                    mean = error = None  # undefined for a task, so undefined as an average
                pass_at[part][str(k)], errors[part][str(k)] = mean, error
        return Scores(pass_at, errors, len(judged) + zeros["base"])


def parse_ks(text: str) -> tuple[int, ...]:
    """Return the ks of ``1,10,100``.

    Raises:
        ConfigError: It is no list of whole numbers from 1 up.
    """
    try:
        ks = [int(part) for part in text.split(",")]
    except ValueError:
        ks = [0]
    if min(ks) < 1 or not text.isascii():
        raise ConfigError(f"--k {text!r}: expected whole numbers from 1 up, such as 1,10,100")
    return tuple(dict.fromkeys(ks))
