"""Drawing samples for the tasks of a benchmark: which are wanted, what is asked, what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from plusforge.generator.asking import ask_all
from plusforge.generator.llm import Client
from plusforge.generator.modelcall import Message, ModelUnavailable, Reply, ReplyFault, Request
from plusforge.generator.rawsamples import Kept, Key, RawSamples, line_of
from plusforge.generator.templates import Template
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be drawn.

    Attributes:
        tasks: For which tasks.
        n: Samples for each.
        model: Name of the model.
        template: Turns a task into a question.
        temperature: None leaves it to the server.
        max_tokens: Length of a reply, at most.
        seed: Of the first sample of each task; the next ones count up. None leaves it to the
            server.
    """

    tasks: Sequence[Task]
    n: int
    model: str
    template: Template
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None

    @property
    def requested(self) -> dict[str, Any]:
        """The parameters that are asked for: samples of one file must not differ in them."""
        asked = {
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "temperature": self.temperature,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def draws(self) -> Iterator[Draw]:
        """Yield every sample wanted; all tasks get a first one before any gets a second."""
        for number in range(self.n):
            for task in self.tasks:
                prompt = task.prompt.strip("\n")
                text = self.template.fill(prompt=prompt, entry_point=task.entry_point)
                yield Draw(task, number, text, self.model)


@dataclass(frozen=True, slots=True)
class Draw:
    """One sample that is wanted.

    Attributes:
        task: Of which task.
        number: 0-based index among the task's samples.
        question: What the model is asked.
        model: Name of the model.
    """

    task: Task
    number: int
    question: str
    model: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation, as it is kept."""
        return [{"role": "user", "content": self.question}]

    @property
    def key(self) -> Key:
        """What the sample is told apart by."""
        digest = sha256_hex(line_of(self.messages))
        return Key(self.task.task_id, self.number, digest, self.model)


@dataclass(frozen=True, slots=True)
class Failure:
    """A sample that could not be drawn."""

    task_id: str
    sample: int
    kind: str
    message: str


@dataclass(slots=True)
class Tally:
    """What a run has come to.

    Attributes:
        wanted: Samples wanted.
        drawn: Drawn by this run.
        present: In the file before.
        others: Lines of the file that are of another model, question or number.
        finishes: How many of the wanted samples ended in which way.
        empty: How many of them hold no text.
        failures: Those that could not be drawn.
        stopped: Why the rest was not asked for, or None.
    """

    wanted: int
    drawn: int = 0
    present: int = 0
    others: int = 0
    finishes: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    failures: list[Failure] = field(default_factory=list)
    stopped: ModelUnavailable | None = None

    @property
    def samples(self) -> int:
        """Wanted samples that the file holds."""
        return self.drawn + self.present

    @property
    def truncated(self) -> int:
        """Samples cut by the token limit."""
        return self.finishes["length"]

    @property
    def refused(self) -> int:
        """Samples that the model or a filter of the server refused."""
        return self.finishes["refusal"] + self.finishes["content_filter"]

    def count(self, sample: Kept) -> None:
        """Count a wanted sample that the file holds."""
        self.finishes[sample.finish] += 1
        self.empty += sample.empty

    def document(self) -> dict[str, Any]:
        """Return the counts as JSON data."""
        return {
            "n_wanted": self.wanted,
            "n_samples": self.samples,
            "drawn": self.drawn,
            "present": self.present,
            "other_lines": self.others,
            "finishes": dict(sorted(self.finishes.items())),
            "truncated": self.truncated,
            "truncation_rate": self.truncated / self.samples if self.samples else None,
            "refused": self.refused,
            "empty": self.empty,
            "failures": [
                {"task_id": f.task_id, "sample": f.sample, "kind": f.kind, "message": f.message}
                for f in self.failures
            ],
            "stopped": None if self.stopped is None else str(self.stopped),
        }


def missing(plan: Plan, file: RawSamples, tally: Tally) -> list[Draw]:
    """Return the samples that a file does not hold yet, and count those that it does.

    Raises:
        ConfigError: It holds samples that were drawn with other parameters.
        DataError: It is no file of raw samples.
    """
    wanted = {draw.key: draw for draw in plan.draws()}
    requested = line_of(plan.requested)
    for key, sample in file.read():
        draw = wanted.pop(key, None)
        if draw is None:
            tally.others += 1
            continue
        if sample.requested != requested:
            raise ConfigError(
                f"{sample.where}: drawn with {sample.requested}, and this run asks for "
                f"{requested}: give the same options, or name another file with --out"
            )
        tally.present += 1
        tally.count(sample)
    return list(wanted.values())


def request_of(plan: Plan, draw: Draw) -> Request:
    """Return what is sent for a sample."""
    return Request(
        messages=tuple(Message("user", message["content"]) for message in draw.messages),
        model=plan.model,
        max_tokens=plan.max_tokens,
        temperature=plan.temperature,
        seed=None if plan.seed is None else plan.seed + draw.number,
        tag=draw,
    )


async def draw_all(
    plan: Plan, draws: Sequence[Draw], client: Client, file: RawSamples, tally: Tally
) -> AsyncGenerator[Draw, None]:
    """Draw samples, keep each as it comes, and yield it.

    Refusals and empty replies are answers, too: leaving them out would flatter the model.

    Raises:
        OutputError: The disk is full.
        ConfigError: See ``Client.ask``.
    """
    try:
        async with aclosing(ask_all(client, (request_of(plan, draw) for draw in draws))) as came:
            async for request, result in came:
                draw: Draw = request.tag
                reply = result.reply if isinstance(result, ReplyFault) else result
                if reply is not None:
                    _, sample = file.add(_record(plan, draw, reply))
                    tally.drawn += 1
                    tally.count(sample)
                elif isinstance(result, ReplyFault):
                    failure = Failure(draw.task.task_id, draw.number, result.kind, str(result))
                    tally.failures.append(failure)
                yield draw
    except ModelUnavailable as exc:
        tally.stopped = exc


def _record(plan: Plan, draw: Draw, reply: Reply) -> dict[str, Any]:
    return {
        "task_id": draw.task.task_id,
        "entry_point": draw.task.entry_point,
        "sample": draw.number,
        "prompt": draw.task.prompt,
        "messages": draw.messages,
        "template": plan.template.label,
        "raw": reply.text,
        "finish": reply.finish,
        "refusal": reply.refusal,
        "model": plan.model,
        "answered_by": reply.model,
        "params": dict(reply.params),
        "requested": plan.requested,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "estimated": reply.estimated,
        "prompt_sha256": draw.key.prompt_sha256,
    }
