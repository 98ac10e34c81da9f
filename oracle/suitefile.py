"""Reading suites: a folder that ``regenerate`` wrote, its ``plus.jsonl``, or a released file.

A record is kept as it stands until its task is judged, so that opening a suite costs one pass of
JSON, and a worker decodes only what it works on.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import decode_text, parse_jsonl, read_bytes, sha256_hex
from plusforge.oracle.suiteheads import Head, keep_heads, kept_heads
from plusforge.oracle.suiterecord import (
    FORMAT,
    FULL,
    RELEASED_MEMORY_MIB,
    TIERS,
    Stated,
    SuiteRecord,
    SuiteTask,
    tiers_of,
)

__all__ = [
    "FULL",
    "RELEASED_MEMORY_MIB",
    "TIERS",
    "Stated",
    "Suite",
    "SuiteRecord",
    "SuiteTask",
    "read_suite",
]


@dataclass(frozen=True, slots=True)
class Suite:
    """What was read of a suite file.

    Attributes:
        path: The file.
        records: Its tasks, in file order, told apart by their ids.
        digest: SHA-256 of the uncompressed content.
        tier: The tier that is looked at.
    """

    path: Path
    records: Mapping[str, SuiteRecord]
    digest: str
    tier: str = FULL

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

    def at(self, tier: str) -> Suite:
        """Return the suite with the plus tests of one tier alone.

        Args:
            tier: One of ``TIERS``.

        Raises:
            ConfigError: The suite has no tiers.
        """
        if tier == self.tier:
            return self
        for record in self.records.values():
            if not record.tiered:
                raise ConfigError(
                    f"{record.where}: --tier {tier}: the plus tests of {record.task_id} are in no "
                    "tiers; make a suite with tiers by `plusforge minimize`, or leave --tier out"
                )
        found = {task_id: record.at(tier) for task_id, record in self.records.items()}
        return replace(self, records=found, tier=tier)


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
    for number, task_id, prompt, tiers, tiered in heads:
        line, where = lines[number - 1], f"{file}:{number}"
        if task_id in records:
            raise DataError(f"{where}: task {task_id} stands twice in this suite; remove one")
        identity = sha256_hex(line.encode("utf-8", "surrogatepass"))
        records[task_id] = SuiteRecord(task_id, prompt, tuple(tiers), tiered, line, where, identity)
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
        yield Head(number, task_id, prompt, *tiers_of(record))


def _suite_file(path: Path) -> Path:
    if not path.exists():
        raise ConfigError(
            f"suite {str(path)!r} does not exist; give a folder written by "
            "`plusforge regenerate`, a plus.jsonl[.gz], or a released EvalPlus file"
        )
    if not path.is_dir() and path.suffix != ".py":
        return path
    for name in ("plus.jsonl.gz", "plus.jsonl"):
        if (path / name).is_file():
            return path / name
    folder = path if path.is_dir() else path.parent
    if folder != path or any(path.glob("*.py")):
        raise ConfigError(
            f"{path}: task files, not a suite; `plusforge regenerate {shlex.quote(str(folder))}` "
            "makes the suite, and says where it is"
        )
    raise ConfigError(
        f"{path}: no plus.jsonl or plus.jsonl.gz in this folder; is it a suite? "
        "`plusforge regenerate BENCH` makes one"
    )
