"""Reading suites: a folder that ``regenerate`` wrote, its ``plus.jsonl``, or a released file.

A record is kept as it stands until its task is judged, so that opening a suite costs one pass of
JSON, and a worker decodes only what it works on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from plusforge.oracle import wire
from plusforge.oracle.errors import ConfigError, DataError, TaskError, ValueCodecError
from plusforge.oracle.files import decode_text, parse_json, parse_jsonl, read_bytes, sha256_hex
from plusforge.oracle.load_evalplus import load_evalplus, typed_inputs
from plusforge.oracle.protocol import OBSERVED
from plusforge.oracle.suite import FORMAT
from plusforge.oracle.suiteheads import Head, keep_heads, kept_heads
from plusforge.oracle.task import COMPARISON_KINDS, Comparison, Limits, Reference
from plusforge.oracle.values import Raised, Value, decode_args, decode_outcome

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
        has_plus: Whether there are plus tests.
        line: The record as JSON text; megabytes of inputs are decoded only when they are needed.
        where: File and line.
        digest: SHA-256 of its line, its identity in caches.
    """

    task_id: str
    prompt: str
    has_plus: bool
    line: str
    where: str
    digest: str

    def decode(self) -> SuiteTask:
        """Return the task.

        Raises:
            DataError: The record does not hold what its form promises.
        """
        fields: dict[str, Any] = parse_json(self.line, self.where)
        return (_released if "canonical_solution" in fields else _own)(self, fields)


@dataclass(frozen=True, slots=True)
class Suite:
    """What was read of a suite file.

    Attributes:
        path: The file.
        records: Its tasks, in file order, told apart by their ids.
        digest: SHA-256 of the uncompressed content.
    """

    path: Path
    records: Mapping[str, SuiteRecord]
    digest: str

    def only(self, tasks_glob: str) -> Suite:
        """Return the suite with those tasks alone whose id matches a shell pattern.

        Raises:
            ConfigError: None does.
        """
        found = {t: r for t, r in self.records.items() if fnmatchcase(t, tasks_glob)}
        if not found:
            raise ConfigError(
                f"--tasks {tasks_glob!r} matches none of the task ids "
                f"({', '.join(islice(self.records, 3))}, ...); "
                "quote the pattern and write ids in full"
            )
        return replace(self, records=found)


def read_suite(path: Path, cache: Path | None = None) -> Suite:
    """Read a suite.

    Args:
        path: A folder with ``plus.jsonl[.gz]``, such a file, or a released EvalPlus file.
        cache: Folder to keep the heads of its records in, so that the next run need not decode
            the whole file; None for none.

    Raises:
        ConfigError: There is no such suite.
        DataError: The file is no suite.
    """
    file = _suite_file(path)
    content = read_bytes(file)
    digest = sha256_hex(content)
    lines = decode_text(content, str(file)).split("\n")
    heads = None if cache is None else kept_heads(cache, digest, len(lines))
    if heads is None:
        heads = list(_heads(lines, str(file)))
        if cache is not None:
            keep_heads(cache, digest, heads)
    records: dict[str, SuiteRecord] = {}
    for number, task_id, prompt, has_plus in heads:
        line, where = lines[number - 1], f"{file}:{number}"
        if task_id in records:
            raise DataError(f"{where}: task {task_id} stands twice in this suite; remove one")
        identity = sha256_hex(line.encode("utf-8", "surrogatepass"))
        records[task_id] = SuiteRecord(task_id, prompt, has_plus, line, where, identity)
    if not records:
        raise DataError(f"{file}: holds no task; is it the right file?")
    return Suite(file, records, digest)


def _heads(lines: Sequence[str], file: str) -> Iterator[Head]:
    for number, record in parse_jsonl("\n".join(lines), file):
        where = f"{file}:{number}"
        task_id, prompt = record.get("task_id"), record.get("prompt")
        known = {"canonical_solution", "base_input"} <= record.keys() or "references" in record
        if not isinstance(task_id, str) or not isinstance(prompt, str) or not known:
            raise DataError(
                f"{where}: a record with the fields {sorted(record)[:12]} belongs to no suite; "
                "expected plus.jsonl as `plusforge regenerate` writes it, or a released "
                "HumanEvalPlus.jsonl or MbppPlus.jsonl"
            )
        if record.get("format", FORMAT) != FORMAT:
            raise DataError(
                f"{where}: suite format {record['format']!r}, this version reads {FORMAT}; "
                "regenerate the suite or install the version that wrote it"
            )
        plus = record.get("plus", record.get("plus_input"))
        # {} is what a release script made of no plus inputs.
        yield Head(number, task_id, prompt, has_plus=plus not in (None, [], {}, "[]"))


def _suite_file(path: Path) -> Path:
    if not path.exists():
        raise ConfigError(
            f"suite {str(path)!r} does not exist; give a folder written by "
            "`plusforge regenerate`, a plus.jsonl[.gz], or a released EvalPlus file"
        )
    if not path.is_dir():
        return path
    for name in ("plus.jsonl.gz", "plus.jsonl"):
        if (path / name).is_file():
            return path / name
    raise ConfigError(
        f"{path}: no plus.jsonl or plus.jsonl.gz in this folder; is it a suite? "
        "`plusforge regenerate BENCH` makes one"
    )


Wanted = TypeVar("Wanted")


def _own(record: SuiteRecord, fields: Mapping[str, Any]) -> SuiteTask:
    """Decode a record that ``regenerate`` wrote."""

    def take(name: str, read: Callable[[Any], Wanted]) -> Wanted:
        try:
            return read(fields[name])
        except (KeyError, TypeError, ValueError, AttributeError, ValueCodecError) as exc:
            raise DataError(
                f"{record.where}: field {name!r} of {record.task_id} is missing or malformed "
                f"({exc!r:.120}); regenerate the suite"
            ) from exc

    return SuiteTask(
        task_id=record.task_id,
        entry_point=take("entry_point", _text),
        references=take("references", lambda texts: tuple(_references(texts))),
        comparison=take("comparison", _comparison),
        limits=take("limits", _limits),
        base=take("base", lambda tests: tuple(_tests(tests))),
        plus=take("plus", lambda tests: tuple(_tests(tests))),
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
