"""Recordings: what a model, a person or a solver once proposed for a task, kept as diffable JSONL.

``seeds/<benchmark>/*.jsonl`` holds one record a line, of four kinds:

- ``reply``: a model's answer, word for word, with all that was asked of it, by hash;
- ``imported``: proposals from elsewhere, of which only the parsed form is kept;
- ``manual``: written by a person;
- ``symbolic``: found by ``plusforge close``.

No record holds a key, a header or the prompt: the prompt is made again from the task and the
template that is named. The date is for people and enters no hash.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from plusforge.oracle.files import sha256_hex
from plusforge.oracle.task import Task

FORMAT = 1
INPUTS, WRONG, CONTRACT = "inputs", "wrong", "contract"
PURPOSES = (INPUTS, WRONG, CONTRACT)
"""What is asked of a model for a task; also the names of the templates."""

SYMBOLIC = "symbolic"
PROPOSALS = ("imported", "manual", SYMBOLIC)
"""Kinds of records that are no replies."""

LISTS = ("inputs", "near_invalid", "wrong_programs")
"""Their fields that hold what is proposed."""


class Key(NamedTuple):
    """What a reply is found again by."""

    task_id: str
    task_sha256: str
    prompt_sha256: str
    model: str
    number: int


class Slot(NamedTuple):
    """What a reply is the answer to, whatever the prompt was."""

    task_id: str
    purpose: str
    model: str
    number: int


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
        text: The reply, word for word; empty when the model refused.
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
    def key(self) -> Key:
        """What a live run looks for before it asks again."""
        return Key(self.task_id, self.task_sha256, self.prompt_sha256, self.model, self.number)

    @property
    def slot(self) -> Slot:
        """Where it stands: of the replies in one slot, one is about task and prompt as they are."""
        return Slot(self.task_id, self.purpose, self.model, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRecord:
    """Proposals that did not come as a reply to a recorded request.

    Attributes:
        kind: ``imported``, ``manual`` or ``symbolic``.
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
        replies: In the order of files and lines; of several with one key the last.
        proposals: In that order, too.
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
    fields = {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}
    if isinstance(record, ReplyRecord):
        fields |= {"kind": "reply", "params": dict(record.params)}
    if not dated:
        fields.pop("date", None)
    kept = {"format": FORMAT} | {name: value for name, value in fields.items() if value != ()}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"
