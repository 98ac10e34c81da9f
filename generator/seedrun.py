"""Asking a model for seeds, wrong programs and contracts; every reply is recorded as it comes."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from plusforge.generator.asking import ask_all
from plusforge.generator.llm import Client
from plusforge.generator.modelcall import Reply, ReplyFault, Request
from plusforge.generator.prompting import messages_for, prompt_digest, request_for
from plusforge.generator.recordings import (
    CONTRACT,
    PURPOSES,
    ReplyRecord,
    record_line,
    task_digest,
)
from plusforge.generator.templates import template
from plusforge.oracle.linelog import LineLog
from plusforge.oracle.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSettings:
    """What is asked, and how.

    Attributes:
        model: Name of the model, as the server knows it.
        purposes: Out of ``PURPOSES``; contracts are asked for only where a task has none.
        answers: Replies to each request.
        max_tokens: Length of a reply at most.
        temperature: Of the sampling; None leaves it to the server.
        seed: Of the server's sampling; answer ``n`` uses ``seed + n``.
    """

    model: str
    purposes: tuple[str, ...] = PURPOSES
    answers: int = 1
    max_tokens: int | None = 2048
    temperature: float | None = 0.7
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """What a request is about: the tag it carries."""

    task: Task
    purpose: str
    number: int
    prompt_sha256: str


@dataclass(slots=True)
class SeedRun:
    """What came of a run.

    Attributes:
        records: The replies, as they came.
        faults: Requests that came to nothing: task, purpose and reason.
        asked: Requests by purpose.
        cut: Replies that ended at the token limit.
    """

    records: list[ReplyRecord] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    cut: int = 0


def questions(
    tasks: Sequence[Task], settings: SeedSettings, known: Collection[tuple[str, str, str, int]]
) -> Iterator[Request]:
    """Yield the requests that no recording answers yet.

    Args:
        tasks: As loaded.
        settings: What to ask.
        known: ``ReplyRecord.key`` of the recordings that are there.
    """
    for task in tasks:
        for purpose in settings.purposes:
            if purpose == CONTRACT and task.contract is not None and task.contract.declared:
                continue
            digest = prompt_digest(messages_for(task, purpose))
            for number in range(settings.answers):
                if (task.task_id, digest, settings.model, number) in known:
                    continue
                yield request_for(
                    task,
                    purpose,
                    model=settings.model,
                    max_tokens=settings.max_tokens,
                    temperature=settings.temperature,
                    seed=settings.seed + number,
                    tag=Question(task, purpose, number, digest),
                )


async def ask(
    client: Client,
    requests: Sequence[Request],
    log: LineLog,
    run: SeedRun,
    on_answer: Callable[[], None],
) -> None:
    """Put requests to a model; each reply is in the log before the next is looked at.

    Args:
        client: Whom to ask.
        requests: Of ``questions``.
        log: Where replies are recorded.
        run: Filled as answers come, so that it is right after an interruption, too.
        on_answer: Called after each.

    Raises:
        ModelUnavailable: No further request can succeed; what came before is recorded.
        OutputError: A reply cannot be recorded.
    """
    async with client:
        async for request, answer in ask_all(client, requests):
            question = request.tag
            if not isinstance(question, Question):
                raise TypeError("not a request of `questions`")
            run.asked[question.purpose] += 1
            if isinstance(answer, ReplyFault):
                run.faults.append(f"{question.task.task_id} ({question.purpose}): {answer}")
            else:
                record = _record(question, request, answer, client.place)
                log.add(record_line(record))
                run.records.append(record)
                run.cut += answer.finish == "length"
            on_answer()


def _record(question: Question, request: Request, reply: Reply, server: str) -> ReplyRecord:
    return ReplyRecord(
        task_id=question.task.task_id,
        task_sha256=task_digest(question.task),
        purpose=question.purpose,
        template=template(question.purpose).label,
        prompt_sha256=question.prompt_sha256,
        number=question.number,
        model=request.model,
        answered_by=reply.model,
        server=server,
        params=dict(reply.params),
        form=reply.form,
        text=reply.text,
        finish=reply.finish,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def in_order(records: Sequence[ReplyRecord], tasks: Sequence[Task]) -> list[ReplyRecord]:
    """Return recordings in the order of the tasks, so that two runs make comparable files.

    Recordings of other tasks come last, as they were; of several with one key the last counts.
    """
    place = {task.task_id: number for number, task in enumerate(tasks)}
    unique = {record.key: record for record in records}
    return sorted(
        unique.values(),
        key=lambda record: (
            place.get(record.task_id, len(place)),
            PURPOSES.index(record.purpose) if record.purpose in PURPOSES else len(PURPOSES),
            record.model,
            record.number,
        ),
    )
