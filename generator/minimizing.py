"""One task of a suite: which of its tests are worth keeping, and in which order they are run."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plusforge.generator.choose import choose
from plusforge.generator.cover import smallest_cover
from plusforge.generator.suitetargets import Targets, judge_samples, run_targets
from plusforge.generator.tiers import MINI_SIZE, Tiers, assign
from plusforge.generator.traits import traits
from plusforge.oracle import protocol, wire
from plusforge.oracle.answers import own_args
from plusforge.oracle.courtroom import Courtroom
from plusforge.oracle.errors import DataError, EnvironmentFault, TaskError
from plusforge.oracle.files import parse_json
from plusforge.oracle.gold import Gold
from plusforge.oracle.load_evalplus import RELEASED, load_evalplus
from plusforge.oracle.referee import whole_outcome
from plusforge.oracle.runner import Program, RunLimits
from plusforge.oracle.suite import encode_test, task_record
from plusforge.oracle.suiterecord import FULL, SuiteRecord, known_wrong
from plusforge.oracle.task import Limits
from plusforge.oracle.values import Raised, Value
from plusforge.oracle.verdict import OutcomeKind

log = logging.getLogger(__name__)

SHOWN = 20
"""Targets left out that are named."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one worker.

    Attributes:
        record: The task.
        samples: Number and code of the samples for it.
        tier: Tests to keep.
        mini: Inputs of the mini tier.
    """

    record: SuiteRecord
    samples: tuple[tuple[int, str], ...] = ()
    tier: str = FULL
    mini: int = MINI_SIZE


@dataclass(frozen=True, slots=True)
class Minimized:
    """What came of one task.

    Attributes:
        task_id: The task.
        line: Its record with tiers, as JSON natives; None when it failed.
        entry: Its entry of the manifest.
    """

    task_id: str
    line: dict[str, Any] | None
    entry: dict[str, Any]

    @property
    def failed(self) -> bool:
        """True when the task has no record."""
        return self.line is None


def failed(task_id: str, why: str) -> Minimized:
    """Return the result of a task that could not be used."""
    return Minimized(task_id, None, {"stop": "failed", "why": why})


def minimize(piece: Piece, court: Courtroom) -> Minimized:
    """Sort the tests of one task into tiers.

    Args:
        piece: The task and how.
        court: The worker's sandboxes; it must judge with ``all_tests``.

    Returns:
        The result; a task that cannot be used comes back as failed, with the reason.

    Raises:
        EnvironmentFault: The sandbox does not work here.
    """
    task_id = piece.record.task_id
    try:
        return _minimize(piece, court)
    except DataError as exc:
        return failed(task_id, str(exc))
    except EnvironmentFault:
        raise
    except Exception as exc:
        log.error("internal error on %s:\n%s", task_id, traceback.format_exc())
        return failed(task_id, f"internal error, please report: {exc!r}")


def _minimize(piece: Piece, court: Courtroom) -> Minimized:
    gold = court.gold(piece.record)
    if gold.problem:
        raise TaskError(gold.problem)
    fields: dict[str, Any] = parse_json(piece.record.line, piece.record.where)
    released = "canonical_solution" in fields
    targets = Targets()
    sampled = judge_samples(piece.record, piece.samples, gold, court, targets)
    costs = [len(args) for args in gold.args]
    steps = (
        Limits().steps if released else max(1, int(fields["limits"].get("steps", Limits().steps)))
    )
    base, plus = range(gold.n_base), range(gold.n_base, len(gold.args))
    usable = [n for n in plus if not (released and _is_long(gold, n))]
    parts = [range(len(gold.args)), usable]
    wrong = known_wrong(piece.record, fields)
    kills, settled = run_targets(
        gold, court, wrong or (), costs, parts, targets, sampled, steps=steps
    )
    optimum = smallest_cover(kills, costs)
    order = _by_novelty(gold, usable) if released else list(range(len(usable)))
    tiers = assign(
        [kills[number] for number in usable], [costs[number] for number in usable], order,
        mini=piece.mini, names=targets.names,
    )  # fmt: skip
    kept = [index for index in tiers.order if piece.tier in tiers.of(index)]
    if released:
        tests = [_encoded(gold, usable[index], RELEASED) for index in kept]
    else:
        tests = [fields["plus"][index] for index in kept]
    tests = [
        test | _label(tiers, i, n) for n, (test, i) in enumerate(zip(tests, kept, strict=True))
    ]
    killed = set[int]().union(*kills)
    entry: dict[str, Any] = {
        "n_base": len(base),
        "n_plus": len(tests),
        "n_plus_before": len(plus),
        "n_mini": len(tiers.mini),
        "n_nano": len(tiers.nano),
        "optimum": len(optimum.chosen),
        "proved": settled and optimum.proved and tiers.proved,
        "n_targets": len(targets.names) - len(targets.left_out.keys() & {*targets.names}),
        "n_killed": len(killed),
        "stop": "minimized",
    }
    if wrong is not None:
        entry["n_wrong"] = len(wrong)
    if len(usable) < len(plus):
        entry["n_too_large"] = len(plus) - len(usable)
    if targets.left_out:
        entry["n_left_out"] = len(targets.left_out)
        entry["left_out"] = dict(list(targets.left_out.items())[:SHOWN])
    notes = list(_remarks(tiers, len(usable), killed, targets))
    if notes:
        entry["notes"] = notes
    if released:
        return Minimized(
            piece.record.task_id, _released_record(piece, fields, gold, court, tests), entry
        )
    return Minimized(piece.record.task_id, fields | {"plus": tests}, entry)


def _label(tiers: Tiers, index: int, order: int) -> dict[str, Any]:
    return {"tiers": tiers.of(index), "why": list(tiers.why[index]), "order": order}


def _remarks(tiers: Tiers, n_plus: int, killed: set[int], targets: Targets) -> Iterator[str]:
    """Yield what a maintainer should know of a task."""
    if n_plus == 0:
        yield "it has no plus input to choose from"
    elif n_plus == 1:
        yield "it has a single plus input: every tier is that one"
    if not targets.names:
        yield "its reference has no mutant: nothing says which tests are worth keeping"
    elif not killed:
        yield (
            f"no input kills any of its {len(targets.names)} targets: they are equivalent, or the "
            "inputs are too few; nano is one input"
        )
    if not tiers.proved:
        yield "no proof that nano is the smallest: the limit on the search was reached"


# ---------------------------------------------------------------- tests


def _is_long(gold: Gold, number: int) -> bool:
    """Tell whether an outcome is so long that only its digest is at hand."""
    return gold.frames[number][0] == protocol.DIGEST


def _outcome(gold: Gold, number: int) -> Value | Raised:
    frame = gold.frames[number]
    payload = frame[protocol.HEADER.size :]
    return Raised(payload.decode()) if frame[0] == protocol.RAISED else wire.loads(payload)


def _encoded(gold: Gold, number: int, origin: str) -> dict[str, Any]:
    value = _outcome(gold, number)
    return encode_test(own_args(gold.args[number]), wire.without_rationals(value), origin)


def _by_novelty(gold: Gold, numbers: Sequence[int]) -> list[int]:
    """Return an order of some tests, the most novel first, as places among them."""
    facets = [traits(own_args(gold.args[n]), _outcome(gold, n)) for n in numbers]
    return choose(facets, len(facets))


def _released_record(
    piece: Piece, fields: dict[str, Any], gold: Gold, court: Courtroom,
    plus: Sequence[dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """Return the record of a released task, whose file states no outcomes."""
    task = load_evalplus(fields, piece.record.where)
    program = Program(gold.references[0].source, gold.entry_point)
    base = []
    for number in range(gold.n_base):
        if not _is_long(gold, number):
            base.append(_encoded(gold, number, "base"))
            continue
        limits = RunLimits(cpu_s=60.0, memory_mib=gold.memory_mib, output_bytes=1 << 30)
        outcome = whole_outcome(
            court.plain, program, gold.args[number], limits, observe=gold.comparison.observe
        )
        if outcome.kind is not OutcomeKind.VALUE:
            raise TaskError(f"base test {number}: the reference now comes to {outcome.kind}")
        base.append(encode_test(own_args(gold.args[number]), wire.loads(outcome.payload), "base"))
    return task_record(task, base, plus, notes=task.notes)
