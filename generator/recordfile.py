"""Files of recordings: read whole and checked line by line, written whole and in one order."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from plusforge.generator.recordings import (
    FORMAT,
    LISTS,
    PROPOSALS,
    PURPOSES,
    Key,
    ProposalRecord,
    Record,
    Recordings,
    ReplyRecord,
    record_line,
)
from plusforge.oracle.errors import DataError
from plusforge.oracle.files import read_jsonl
from plusforge.oracle.writing import write_bytes

REPLIES = "replies.jsonl"
"""The file that ``plusforge seed`` writes; every other ``*.jsonl`` beside it is read as well."""

IMPORTED = "imported.jsonl"
"""The file that ``plusforge import-seeds`` writes."""

FOUND = "symbolic.jsonl"
"""The file that ``plusforge close`` writes."""

NOT_RECORDINGS = ".seeds.jsonl"
"""How the seed files of task files end; they come with their task."""


def read_recordings(folders: Sequence[Path]) -> Recordings:
    """Read the recordings in folders, files in the order of their names.

    Args:
        folders: Those that do not exist hold none.

    Raises:
        DataError: A line is no recording; the message names file and line.
    """
    records = [record for path in recording_files(folders) for record in read_records(path)]
    replies = {one.key: one for one in records if isinstance(one, ReplyRecord)}
    proposals = tuple(one for one in records if isinstance(one, ProposalRecord))
    return Recordings(tuple(replies.values()), proposals)


def read_records(path: Path) -> list[Record]:
    """Read the recordings of one file.

    Raises:
        DataError: The file cannot be read, or a line is no recording; the message names it.
    """
    return [_record(row, f"{path}:{number}") for number, row in read_jsonl(path)]


def recording_files(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of recordings in some folders, no file twice."""
    seen: set[Path] = set()
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
            if not path.name.endswith(NOT_RECORDINGS) and path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write a file of recordings anew, whole or not at all.

    Raises:
        OutputError: The file cannot be written.
    """
    write_bytes(path, "".join(map(record_line, records)).encode(), option="--recordings")


def arranged(records: Iterable[Record], current: Collection[Key] = ()) -> list[Record]:
    """Return recordings in an order that does not depend on when which of them was made.

    Args:
        records: Of several replies with one key the last counts.
        current: Keys of replies to tasks and prompts as they are. They take the places of replies
            to earlier ones.

    Returns:
        Proposals as they were, then replies by task, purpose, model and number.
    """
    kept: dict[Key, ReplyRecord] = {}
    proposals: list[Record] = []
    for one in records:
        if isinstance(one, ReplyRecord):
            kept[one.key] = one
        else:
            proposals.append(one)
    taken = {one.slot for key, one in kept.items() if key in current}
    replies = [one for key, one in kept.items() if key in current or one.slot not in taken]
    return [*proposals, *sorted(replies, key=_rank)]


def _rank(record: ReplyRecord) -> tuple[object, ...]:
    """Return what replies are sorted by: ids that end in numbers in the order of the numbers."""
    purposes = [*PURPOSES, record.purpose]
    parts = re.split(r"0*([0-9]+)", record.task_id)  # text, digits, text, digits, ...
    numbers = [(len(part) * (place % 2), part) for place, part in enumerate(parts)]
    return numbers, purposes.index(record.purpose), *record.slot, *record.key


def _record(row: Mapping[str, Any], where: str) -> Record:
    fields = dict(row)
    version, kind = fields.pop("format", None), fields.pop("kind", None)
    if version != FORMAT or kind not in ("reply", *PROPOSALS):
        raise DataError(
            f"{where}: format {version!r:.40}, kind {kind!r:.40}: expected format {FORMAT} and a "
            "kind out of reply, imported, manual and symbolic, as `plusforge seed` and `plusforge "
            "close` write them"
        )
    try:
        if kind == "reply":
            record = _checked(ReplyRecord(**fields))
            record_line(record)  # JSON takes things in that it does not give out again
            return record
        for name in LISTS:
            if not isinstance(fields.setdefault(name, []), list):
                raise TypeError(f"{name} is {fields[name]!r:.60}, expected a list of strings")
            fields[name] = tuple(fields[name])
        return _checked(ProposalRecord(kind=kind, **fields))
    except (TypeError, ValueError, RecursionError) as exc:
        why = (
            str(exc).replace("ReplyRecord.__init__()", "").replace("ProposalRecord.__init__()", "")
        )
        raise DataError(
            f"{where}: not a recording of the kind {kind}: {why.strip()}; correct the line, or "
            "delete it"
        ) from exc


Checked = TypeVar("Checked", ReplyRecord, ProposalRecord)


def _checked(record: Checked) -> Checked:
    """Return a record whose fields have the types they should have.

    Raises:
        TypeError: One has not.
    """
    for one in dataclasses.fields(record):
        value: Any = getattr(record, one.name)
        kind: type = {"int": int, "str": str, "Mapping[str, Any]": dict}.get(str(one.type), tuple)
        items = value if type(value) is tuple else ()
        if type(value) is not kind or not all(isinstance(item, str) for item in items):
            raise TypeError(f"{one.name} is {value!r:.60}")
    return record
