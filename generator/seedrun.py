"""Asking a model for seeds, wrong programs and contracts; every reply is recorded as it comes."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from plusforge.generator.asking import ask_all
from plusforge.generator.llm import Client
from plusforge.generator.modelcall import Reply, ReplyFault, Request
from plusforge.generator.prompting import messages_for, prompt_digest, request_for
from plusforge.generator.recordings import (
    CONTRACT,
    PURPOSES,
    Key,
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
    key: Key


@dataclass(slots=True)
class SeedRun:
    """What came of a run.

    Attributes:
        records: The replies, as they came.
        faults: Requests that came to nothing: task, purpose and reason.
        asked: Requests by purpose.
        known: Requests that recordings answer, so that they were not sent.
        cut: Replies that ended at the token limit.
        empty: Replies without text, refusals among them.
    """

    records: list[ReplyRecord] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    known: int = 0
    cut: int = 0
    empty: int = 0


def keys_of(tasks: Sequence[Task], settings: SeedSettings) -> Iterator[tuple[Task, str, Key]]:
    """Yield what is asked: tasks, purposes, and the keys of the replies.

    Args:
        tasks: As loaded.
        settings: What to ask.
    """
    for task in tasks:
        digest = task_digest(task)
        for purpose in settings.purposes:
            if purpose == CONTRACT and task.contract is not None and task.contract.declared:
                continue
            prompt = prompt_digest(messages_for(task, purpose))
            for number in range(settings.answers):
                yield task, purpose, Key(task.task_id, digest, prompt, settings.model, number)


def questions(
    tasks: Sequence[Task], settings: SeedSettings, known: Collection[Key]
) -> Iterator[Request]:
    """Yield the requests that no recording answers yet.

    Args:
        tasks: As loaded.
        settings: What to ask.
        known: Keys of the recordings that are there.
    """
    for task, purpose, key in keys_of(tasks, settings):
        if key not in known:
            yield request_for(
                task,
                purpose,
                model=settings.model,
                max_tokens=settings.max_tokens,
                temperature=settings.temperature,
                seed=settings.seed + key.number,
                tag=Question(task, purpose, key),
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
    async with client, aclosing(ask_all(client, requests)) as came:
        async for request, answer in came:
            question: Question = request.tag
            run.asked[question.purpose] += 1
            # A refusal is an answer, too: to ask again costs as much and brings the same.
            reply = answer.reply if isinstance(answer, ReplyFault) else answer
            if reply is None:
                run.faults.append(f"{question.task.task_id} ({question.purpose}): {answer}")
            else:
                record = _record(question, request, reply, client.place)
                log.add(record_line(record))
                run.records.append(record)
                run.cut += reply.finish == "length"
                run.empty += not reply.text.strip()
            on_answer()


def _record(question: Question, request: Request, reply: Reply, server: str) -> ReplyRecord:
    return ReplyRecord(
        task_id=question.key.task_id,
        task_sha256=question.key.task_sha256,
        purpose=question.purpose,
        template=template(question.purpose).label,
        prompt_sha256=question.key.prompt_sha256,
        number=question.key.number,
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
