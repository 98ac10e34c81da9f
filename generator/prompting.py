"""What is asked of a language model about a task: the messages, and the shape of the answer.

A prompt is a function of the task and of a template, so it is never stored: its hash finds it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from plusforge.generator.modelcall import Message, Request
from plusforge.generator.recordings import CONTRACT, INPUTS, WRONG
from plusforge.generator.templates import template
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.task import Task
from plusforge.oracle.wording import plural

KINDS = ("typical", "corner", "extreme", "output_kind", "near_valid")
"""Classes of inputs that are asked for; the last are those that the contract must refuse."""

SHOWN_TESTS = 4
"""Base inputs that a prompt shows, at most."""

SHOWN_CHARACTERS = 300
"""A base input longer than this is not shown."""

_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}


def _list_of(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    item = {
        "type": "object", "properties": dict(properties), "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip
    return {
        "type": "object", "properties": {name: {"type": "array", "items": item}},
        "required": [name], "additionalProperties": False,
    }  # fmt: skip


SCHEMAS: dict[str, dict[str, Any] | None] = {
    INPUTS: _list_of(
        "inputs", {"class": {"type": "string", "enum": list(KINDS)}, "args": _STRINGS}
    ),
    WRONG: _list_of(
        "programs",
        {"mistake": {"type": "string"}, "code": {"type": "string"}, "breaking_args": _STRINGS},
    ),
    CONTRACT: None,
}
"""Shape of the reply for each purpose; JSON has no tuples and no infinities, so values are Python
literals in strings."""


def messages_for(task: Task, purpose: str) -> tuple[Message, ...]:
    """Return what is asked about a task.

    Args:
        task: As loaded.
        purpose: ``inputs``, ``wrong`` or ``contract``: also the template's name.
    """
    contract = ""
    if task.contract is not None and task.contract.declared:
        contract = (
            f"What inputs are allowed, in code:\n\n```python\n{task.contract.source}\n```\n\n"
        )
    count = len(task.params)
    text = template(purpose).fill(
        prompt=task.prompt.strip("\n"),
        reference=task.references[0].source.strip("\n"),
        contract=contract,
        examples=_examples(task),
        entry_point=task.entry_point,
        names=", ".join(param.name for param in task.params),
        parameters=", ".join(_parameter(p.name, p.annotation) for p in task.params),
        count=f"{count} {plural(count, 'argument')}",
    )
    return (Message("user", text),)


def prompt_digest(messages: tuple[Message, ...]) -> str:
    """Return the hash that a prompt is found by."""
    return sha256_hex(json.dumps([[message.role, message.content] for message in messages]))


def request_for(
    task: Task,
    purpose: str,
    *,
    model: str,
    max_tokens: int | None,
    temperature: float | None,
    seed: int | None,
    tag: object = None,
) -> Request:
    """Return the request to be sent; see ``modelcall.Request`` for the arguments."""
    return Request(
        messages=messages_for(task, purpose),
        model=model,
        schema=SCHEMAS[purpose],
        schema_name=purpose,
        max_tokens=max_tokens,
        temperature=temperature,
        seed=seed,
        tag=tag,
    )


def _parameter(name: str, annotation: str | None) -> str:
    return name if annotation is None else f"{name}: {annotation}"


def _examples(task: Task) -> str:
    shown = []
    for test in task.base:
        text = f"{task.entry_point}({', '.join(map(repr, test.args))})"
        if len(text) <= SHOWN_CHARACTERS and len(shown) < SHOWN_TESTS:
            shown.append(text)
    return "\n".join(shown) or "(none)"
