"""The record of one task as a suite file has it: decoded when its task is judged, not before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from plusforge.oracle import wire
from plusforge.oracle.errors import DataError, TaskError, ValueCodecError
from plusforge.oracle.files import parse_json, sha256_hex
from plusforge.oracle.load_evalplus import load_evalplus, typed_inputs
from plusforge.oracle.protocol import OBSERVED
from plusforge.oracle.task import (
    COMPARISON_KINDS,
    Comparison,
    Limits,
    Reference,
    WrongProgram,
)
from plusforge.oracle.values import Raised, Value, decode_args, decode_outcome

FORMAT = 1
"""Of a record; grows when a field changes its meaning."""

FULL, MINI, NANO = TIERS = ("full", "mini", "nano")
"""Which plus tests are looked at, from the largest choice; each holds the next."""

RELEASED_MEMORY_MIB = 4096
"""Released suites hold results of hundreds of megabytes; what they were made with was allowed."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One test of a suite as its file has it.

    Attributes:
        args: The arguments in wire form.
        expected: The outcome the file states; None when it states none and the reference decides.
    """

    args: bytes
    expected: tuple[Value | Raised] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTask:
    """A task of a suite, decoded.

    Attributes:
        task_id: As in the benchmark.
        entry_point: Name of the function under test.
        references: Trusted implementations, the canonical solution first.
        comparison: How outcomes are compared.
        limits: Declared limits.
        base: Tests of the benchmark itself.
        plus: Tests added to them.
        atol: The tolerance that EvalPlus's own rules use for this task.
    """

    task_id: str
    entry_point: str
    references: tuple[Reference, ...]
    comparison: Comparison
    limits: Limits
    base: tuple[Stated, ...]
    plus: tuple[Stated, ...]
    atol: float = 0.0


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """A task of a suite as it stands in the file.

    Attributes:
        task_id: As in the benchmark.
        prompt: What a model sees; a completion goes on from it.
        tiers: The tiers that hold plus tests, from the largest.
        tiered: Whether each plus test says which tiers it is in.
        line: The record as JSON text; megabytes of inputs are decoded only when they are needed.
        where: File and line.
        digest: SHA-256 of its line and tier, its identity in caches.
        tier: The tier that is looked at: the other plus tests are left out.
    """

    task_id: str
    prompt: str
    tiers: tuple[str, ...]
    tiered: bool
    line: str
    where: str
    digest: str
    tier: str = FULL

    @property
    def has_plus(self) -> bool:
        """Whether there are plus tests in the tier."""
        return self.tier in self.tiers

    def at(self, tier: str) -> SuiteRecord:
        """Return the record with the plus tests of a tier alone; ``full`` has them all."""
        if tier == self.tier:
            return self
        digest = sha256_hex(f"{tier} {self.digest}")
        return replace(self, tier=tier, digest=digest)

    def decode(self) -> SuiteTask:
        """Return the task.

        Raises:
            DataError: The record does not hold what its form promises.
        """
        fields: dict[str, Any] = parse_json(self.line, self.where)
        return (_released if "canonical_solution" in fields else _own)(self, fields)


def tiers_of(record: Mapping[str, Any]) -> tuple[list[str], bool]:
    """Return the tiers that hold plus tests, and whether each of these says which it is in.

    Args:
        record: The fields of a record of any form.
    """
    plus = record.get("plus", record.get("plus_input"))
    if plus in (None, [], {}, "[]"):  # {} is what a release script made of no plus inputs
        return [], "references" in record
    if not isinstance(plus, list):
        return [FULL], False
    said = [test.get("tiers") if isinstance(test, dict) else None for test in plus]
    lists = [one for one in said if isinstance(one, list) and FULL in one]
    if len(lists) < len(said):
        return [FULL], False
    return [tier for tier in TIERS if any(tier in one for one in lists)], True


def known_wrong(record: SuiteRecord, fields: Mapping[str, Any]) -> tuple[WrongProgram, ...] | None:
    """Return the known-wrong programs that a record carries; no verdict rests on them.

    Args:
        record: The record.
        fields: Its fields.

    Returns:
        The programs; none for released files, which have none; None when an older version wrote
        the record, which says nothing about them then.

    Raises:
        DataError: The field does not hold what its form promises.
    """
    if "canonical_solution" in fields:
        return ()
    if "wrong" not in fields:
        return None
    return _taken(record, fields, "wrong", lambda programs: tuple(_wrong(programs)))


Wanted = TypeVar("Wanted")


def _taken(
    record: SuiteRecord, fields: Mapping[str, Any], name: str, read: Callable[[Any], Wanted]
) -> Wanted:
    """Return what a field of a record is read as."""
    try:
        return read(fields[name])
    except (KeyError, TypeError, ValueError, AttributeError, ValueCodecError) as exc:
        raise DataError(
            f"{record.where}: field {name!r} of {record.task_id} is missing or malformed "
            f"({exc!r:.120}); regenerate the suite"
        ) from exc


def _own(record: SuiteRecord, fields: Mapping[str, Any]) -> SuiteTask:
    """Decode a record that ``regenerate`` wrote."""

    def take(name: str, read: Callable[[Any], Wanted]) -> Wanted:
        return _taken(record, fields, name, read)

    return SuiteTask(
        task_id=record.task_id,
        entry_point=take("entry_point", _text),
        references=take("references", lambda texts: tuple(_references(texts))),
        comparison=take("comparison", _comparison),
        limits=take("limits", _limits),
        base=take("base", lambda tests: tuple(_tests(tests))),
        plus=take("plus", lambda tests: tuple(_tests(_within(tests, record.tier)))),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string, got {type(value).__name__}")
    return value


def _references(texts: Any) -> Iterator[Reference]:
    if not isinstance(texts, list) or not texts:
        raise ValueError("expected a list of at least one program")
    for number, text in enumerate(texts, 1):
        yield Reference(source=_text(text), name=f"reference {number}")


def _wrong(programs: Any) -> Iterator[WrongProgram]:
    if not isinstance(programs, list):
        raise TypeError(f"expected a list, got {type(programs).__name__}")
    for program in programs:
        yield WrongProgram(name=_text(program["name"]), source=_text(program["source"]))


def _typed(values: Any, like: object) -> dict[str, Any]:
    """Return the fields of a record whose types are those of another of its class."""
    if not isinstance(values, dict):
        raise TypeError(f"expected an object, got {type(values).__name__}")
    found = dict(values)
    for name, value in values.items():
        example = getattr(like, name)  # an unknown field is an AttributeError
        if isinstance(example, tuple) and isinstance(value, list):
            found[name] = tuple(_text(item) for item in value)
        elif isinstance(example, float) and type(value) is int:
            found[name] = float(value)
        elif type(value) is not type(example) and not (example is None and type(value) is str):
            raise TypeError(f"{name} is {value!r:.60}")
        elif isinstance(value, int | float) and not value >= 0:
            raise ValueError(f"{name} is {value!r}")
    return found


def _limits(values: Any) -> Limits:
    return Limits(**_typed(values, Limits()))


def _comparison(values: Any) -> Comparison:
    found = Comparison(**_typed(values, Comparison()))
    if (
        found.kind not in COMPARISON_KINDS
        or found.observe not in OBSERVED
        or found.observe == "found"
    ):
        raise ValueError(f"kind {found.kind!r}, observe {found.observe!r}")
    if (found.kind == "checker") != (found.checker is not None):
        raise ValueError("a checker goes with the kind 'checker'")
    return found


def _within(tests: Any, tier: str) -> list[Mapping[str, Any]]:
    """Return the tests of a tier."""
    return [test for test in tests if tier == FULL or tier in test["tiers"]]


def _tests(tests: Sequence[Mapping[str, Any]]) -> Iterator[Stated]:
    for test in tests:
        yield Stated(wire.dumps(decode_args(test["args"])), (decode_outcome(test["expected"]),))


def _released(record: SuiteRecord, fields: Mapping[str, Any]) -> SuiteTask:
    """Decode a record of a released EvalPlus file, which states no outcomes."""
    task = load_evalplus(fields, record.where)
    base, plus = typed_inputs(fields, record.where)
    try:
        stated = [[Stated(wire.dumps(args), None) for args in part] for part in (base, plus)]
    except ValueError as exc:
        raise TaskError(f"{record.where}: an input has no plain form ({exc})") from exc
    return SuiteTask(
        task_id=task.task_id,
        entry_point=task.entry_point,
        references=task.references,
        comparison=task.comparison,
        limits=Limits(memory_mib=RELEASED_MEMORY_MIB),
        base=tuple(stated[0]),
        plus=tuple(stated[1]),
        atol=float(fields.get("atol", 0)),
    )
