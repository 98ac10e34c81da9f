"""Recordings: what a language model or a person once proposed for a task, kept as diffable JSONL.

``seeds/<benchmark>/*.jsonl`` holds one record a line, of three kinds:

- ``reply``: a model's answer, word for word, with all that was asked of it, by hash;
- ``imported``: proposals from elsewhere, of which only the parsed form is kept;
- ``manual``: written by a person.

No record holds a key, a header or the prompt: the prompt is made again from the task and the
template that is named. The date is for people and enters no hash.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from plusforge.oracle.errors import DataError
from plusforge.oracle.files import read_jsonl, sha256_hex
from plusforge.oracle.task import Task
from plusforge.oracle.writing import write_bytes

FORMAT = 1
REPLIES = "replies.jsonl"
"""The file that ``plusforge seed`` writes; every other ``*.jsonl`` beside it is read as well."""

IMPORTED = "imported.jsonl"
"""The file that ``plusforge import-seeds`` writes."""

INPUTS, WRONG, CONTRACT = "inputs", "wrong", "contract"
PURPOSES = (INPUTS, WRONG, CONTRACT)
"""What is asked of a model for a task; also the names of the templates."""

NOT_RECORDINGS = ".seeds.jsonl"
"""How the seed files of task files end; they come with their task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRecord:
    """A model's answer.

    Attributes:
        task_id: The task.
        task_sha256: What the task was like; see ``task_digest``.
        purpose: One of ``PURPOSES``.
        template: Name and version of the prompt's template, ``inputs/1``.
        prompt_sha256: Of the messages that were sent.
        number: Which answer to the same request it is, from 0.
        model: The model that was asked for.
        answered_by: The model that the server says has answered.
        server: Its address, without user, password or query.
        params: Parameters that the server took.
        form: How the shape of the reply was asked for.
        text: The reply, word for word.
        finish: Why the model stopped.
        prompt_tokens: Tokens of the question.
        completion_tokens: Tokens of the answer.
        date: Day of the reply, ISO 8601, UTC.
    """

    task_id: str
    task_sha256: str
    purpose: str
    template: str
    prompt_sha256: str
    number: int
    model: str
    answered_by: str
    server: str
    params: Mapping[str, Any]
    form: str
    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int
    date: str

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What a live run looks for before it asks again."""
        return self.task_id, self.prompt_sha256, self.model, self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRecord:
    """Proposals that did not come as a reply to a recorded request.

    Attributes:
        kind: ``imported`` or ``manual``.
        task_id: The task.
        task_sha256: What the task was like.
        origin: Who proposed them, in a few words; it says so when a model's version is unknown.
        inputs: Argument tuples as Python literals.
        near_invalid: Argument tuples that the contract should refuse.
        wrong_programs: Complete modules with one mistake each.
    """

    kind: str
    task_id: str
    task_sha256: str
    origin: str
    inputs: tuple[str, ...] = ()
    near_invalid: tuple[str, ...] = ()
    wrong_programs: tuple[str, ...] = ()


Record: TypeAlias = ReplyRecord | ProposalRecord


@dataclass(frozen=True, slots=True)
class Recordings:
    """All recordings of a benchmark.

    Attributes:
        replies: In the order of files and lines.
        proposals: Likewise.
        digest: SHA-256 of what they say, dates left out; empty when there are none.
    """

    replies: tuple[ReplyRecord, ...] = ()
    proposals: tuple[ProposalRecord, ...] = ()
    digest: str = field(init=False, default="")

    def __post_init__(self) -> None:
        """Compute the digest."""
        records: list[Record] = [*self.replies, *self.proposals]
        lines = [record_line(one, dated=False) for one in records]
        object.__setattr__(self, "digest", sha256_hex("".join(lines)) if lines else "")


def task_digest(task: Task) -> str:
    """Return the hash of all that a proposal for a task was based on."""
    contract = task.contract.source if task.contract is not None and task.contract.declared else ""
    parts = [
        task.task_id, task.entry_point, task.prompt, contract,
        *(reference.source for reference in task.references),
        *(f"{p.name}: {p.annotation} {p.optional}" for p in task.params),
    ]  # fmt: skip
    return sha256_hex(json.dumps(parts))


def record_line(record: Record, *, dated: bool = True) -> str:
    """Return a record as its line of a file."""
    kind = "reply" if isinstance(record, ReplyRecord) else record.kind
    fields = {"format": FORMAT, "kind": kind} | dataclasses.asdict(record)
    if not dated:
        fields.pop("date", None)
    kept = {name: value for name, value in fields.items() if value != ()}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"


def read_recordings(folders: Sequence[Path]) -> Recordings:
    """Read the recordings in folders, files in the order of their names.

    Args:
        folders: Those that do not exist hold none.

    Raises:
        DataError: A line is no recording; the message names file and line.
    """
    replies: list[ReplyRecord] = []
    proposals: list[ProposalRecord] = []
    for path in recording_files(folders):
        for number, row in read_jsonl(path):
            record = _record(row, f"{path}:{number}")
            if isinstance(record, ReplyRecord):
                replies.append(record)
            else:
                proposals.append(record)
    return Recordings(tuple(replies), tuple(proposals))


def read_replies(path: Path) -> list[ReplyRecord]:
    """Read the replies of one file; none when there is no such file.

    Raises:
        DataError: A line is no recording.
    """
    if not path.is_file():
        return []
    found = [_record(row, f"{path}:{number}") for number, row in read_jsonl(path)]
    return [record for record in found if isinstance(record, ReplyRecord)]


def recording_files(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of recordings in some folders, no file twice."""
    seen: set[Path] = set()
    for folder in folders:
        for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
            if not path.name.endswith(NOT_RECORDINGS) and path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def write_replies(path: Path, records: Iterable[ReplyRecord]) -> None:
    """Write a file of replies anew, whole or not at all.

    Raises:
        OutputError: The file cannot be written.
    """
    write_bytes(path, "".join(map(record_line, records)).encode(), option="--recordings")


def _record(row: Mapping[str, Any], where: str) -> Record:
    fields = dict(row)
    version, kind = fields.pop("format", None), fields.pop("kind", None)
    if version != FORMAT or kind not in ("reply", "imported", "manual"):
        raise DataError(
            f"{where}: format {version!r}, kind {kind!r}: expected format {FORMAT} and a kind out "
            "of reply, imported and manual, as `plusforge seed` writes them"
        )
    try:
        if kind == "reply":
            return _checked(ReplyRecord(**fields))
        for name in ("inputs", "near_invalid", "wrong_programs"):
            fields[name] = tuple(fields.get(name, ()))
        return _checked(ProposalRecord(kind=kind, **fields))
    except TypeError as exc:
        raise DataError(f"{where}: not a recording of the kind {kind} ({exc})") from exc


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
