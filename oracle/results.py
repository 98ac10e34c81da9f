"""The document that ``evaluate`` writes: scores, what they rest on, and every verdict.

It holds no time and no address, so the same samples on the same machine give the same bytes,
whether the run was interrupted or not. See ``docs/judging.md`` for the fields.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plusforge.oracle.about import VERSION
from plusforge.oracle.evaluate import Evaluation
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.samples import Samples
from plusforge.oracle.scoring import Board
from plusforge.oracle.suitefile import Suite
from plusforge.oracle.verdict import Verdict

FORMAT = 1
"""Of the document; grows when a field changes its meaning."""

_UNJUDGED: dict[str, Any] = {"base": Verdict.JUDGE_ERROR, "plus": None, "first_failure": None}


@dataclass(frozen=True, slots=True)
class Results:
    """What came of a run.

    Attributes:
        document: All fields but ``samples``, as ``docs/judging.md`` has them.
        lines: One JSON object a sample, in file order.
    """

    document: Mapping[str, Any]
    lines: Sequence[str]

    def text(self) -> str:
        """Return the whole document; a field a line, a sample a line."""
        fields = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in self.document.items()]
        fields.append('"samples": [\n' + ",\n".join(self.lines) + "\n]")
        return "{\n" + ",\n".join(fields) + "\n}\n"


def results_of(
    suite: Suite,
    samples: Samples,
    entries: Mapping[int, str],
    evaluation: Evaluation,
    *,
    settings: JudgeSettings,
    ks: Sequence[int],
    missing_as_wrong: bool,
) -> Results:
    """Sum a run up.

    Args:
        suite: What was judged against.
        samples: What was judged.
        entries: The verdicts as JSON text, by index of the sample; none for samples of tasks that
            cannot be judged.
        evaluation: The finished run.
        settings: How it was judged.
        ks: The k of pass@k.
        missing_as_wrong: Count tasks without a sample as 0.
    """
    with_plus = {task_id for task_id, record in suite.records.items() if record.has_plus}
    counted = set() if settings.base_only else with_plus
    board, lines = Board(), []
    for index, sample in enumerate(samples.samples):
        entry: dict[str, Any]
        if index in entries:
            entry, has_plus = json.loads(entries[index]), sample.task_id in counted
            board.add(sample.task_id, entry["base"], entry["plus"], has_plus=has_plus)
        else:
            problem = evaluation.problems.get(sample.task_id, "not judged")
            entry = _UNJUDGED | {"error": problem}
        lines.append(json.dumps({"task_id": sample.task_id, "sample": sample.number, **entry}))
    sampled = {sample.task_id for sample in samples.samples}
    missing = [task_id for task_id in suite.records if task_id not in sampled]
    wrong = missing if missing_as_wrong else []
    scores = board.scores(ks, zeros={"base": len(wrong), "plus": len(counted.intersection(wrong))})
    unjudged = {t: evaluation.problems[t] for t in suite.records if t in evaluation.problems}
    bare = sampled - unjudged.keys() - with_plus
    isolation = evaluation.isolation
    document = {
        "format": FORMAT,
        "tool_version": VERSION,
        "suite_sha256": suite.digest,
        "settings": dataclasses.asdict(settings)
        | {"missing_as_wrong": missing_as_wrong, "tier": suite.tier},
        "isolation": dataclasses.asdict(isolation) | {"report": isolation.line()},
        "n_tasks": scores.n_tasks,
        "n_samples": len(samples.samples),
        "pass_at_k": scores.pass_at_k,
        "stderr": scores.stderr,
        "verdicts": {part: dict(sorted(counts.items())) for part, counts in board.verdicts.items()},
        "missing_tasks": missing,
        "tasks_without_plus": [task_id for task_id in suite.records if task_id in bare],
        "unjudged_tasks": unjudged,
        "judge_errors": board.judge_errors,
        "problems": list(samples.problems),
    }
    return Results(document, lines)
