"""What is asked of a language model and what comes back, as plain data.

Two kinds of failure: ``ModelUnavailable`` concerns every request and ends the run; ``ReplyFault``
concerns one request, is counted, and the others go on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from plusforge.oracle.errors import EnvironmentFault, PlusforgeError

Role = Literal["system", "user", "assistant"]

Form = Literal["json_schema", "json_object", "text"]
"""How the shape of a reply was asked for; only the first promises that it fits the schema."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model.

    Attributes:
        messages: The conversation. It must say in words what shape is wanted: not every server
            takes a schema.
        model: Name of the model, as the server knows it.
        schema: JSON schema of the reply, or None for free text.
        schema_name: Short name of the schema, letters, digits and ``_``.
        max_tokens: Length of the reply at most; None leaves it to the server.
        temperature: None leaves it to the server.
        seed: Of the server's sampling; None leaves it to the server.
        tag: Whatever the caller wants to find again beside the reply; never sent.
    """

    messages: tuple[Message, ...]
    model: str
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    tag: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of a model.

    Attributes:
        text: What the model wrote; empty when it refused.
        finish: Why it stopped: ``stop``, ``length`` (cut by the token limit), ``refusal``,
            ``content_filter`` or whatever else the server says.
        model: Name of the model, as answered.
        form: How the shape was asked for in the end.
        params: The optional parameters that the server took, by the names it took them under.
        prompt_tokens: Tokens of the question.
        completion_tokens: Tokens of the answer.
        estimated: True when the server did not count and the numbers are characters / 4.
        cost: US dollars, as the server says or by the given prices; None when neither is known.
        refusal: The model's words when it refused.
    """

    text: str
    finish: str
    model: str
    form: Form
    params: Mapping[str, Any]
    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False
    cost: float | None = None
    refusal: str | None = None


FaultKind = Literal["refusal", "empty", "body", "too_large", "cut", "timeout", "status"]
"""``body``: an answer that is no completion; ``status``: an HTTP error; ``cut``: half a reply."""


class ReplyFault(PlusforgeError):
    """One request came to nothing; the others go on.

    Attributes:
        kind: What went wrong.
        reply: What the server answered, when it did answer: a refusal or an empty text.
    """

    def __init__(self, kind: FaultKind, message: str, reply: Reply | None = None) -> None:
        """Make a fault; the message says what was got and what to do."""
        super().__init__(message)
        self.kind: FaultKind = kind
        self.reply = reply


class ModelUnavailable(EnvironmentFault):
    """No request can succeed: key, model, address, network or budget. The message says which."""
