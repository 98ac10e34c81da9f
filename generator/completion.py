"""Reading what a server answers to a chat completion: a reply, or a complaint.

Servers that call themselves compatible leave fields out, add others, count or do not count tokens,
and put errors into answers of status 200. Whatever is needed is looked for; nothing is trusted.
"""

from __future__ import annotations

import email.utils
import json
import math
import time
from collections.abc import Mapping
from typing import Any

from plusforge.generator.modelcall import FaultKind, Form, Reply, ReplyFault, Request
from plusforge.generator.spending import Prices, estimated_tokens

SHOWN = 300
"""Characters of a server's words that a message quotes, at most."""


class StatusError(Exception):
    """An HTTP error, or an answer of status 200 that says it is one.

    Attributes:
        status: The HTTP status.
        text: The body, as far as it was read.
        retry_after: Seconds the server asks to wait, or None.
        location: Where it redirects to, or nothing.
    """

    def __init__(
        self, status: int, text: str, *, retry_after: float | None = None, location: str = ""
    ) -> None:
        """Make an error."""
        super().__init__(f"HTTP status {status}")
        self.status = status
        self.text = text
        self.retry_after = retry_after
        self.location = location


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return how long a server asks to wait: milliseconds, seconds or a date; None if it does not.

    Args:
        headers: Of the answer, by lower-case name.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return None if math.isnan(wait) else max(0.0, wait)
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None


def complaint(text: str) -> str:
    """Return what a server says is wrong, without what it echoes of the request.

    Args:
        text: The body of an error; JSON in one of the usual shapes, or anything.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return _shown(text)
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict) and not error.keys() & {"message", "detail"}:
        error = body
    if isinstance(error, dict):
        said = error.get("message", error.get("detail", error.get("error")))
        extras = [error[key] for key in ("code", "param") if isinstance(error.get(key), str)]
        said = said if isinstance(said, str) else _listed(said)
        extras = [extra for extra in extras if extra not in said]
        return _shown(" ".join([said, *(f"({extra})" for extra in extras)]))
    return _shown(error if isinstance(error, str) else text)


def _listed(details: Any) -> str:
    """Return a list of validation errors as text: places and messages only."""
    if not isinstance(details, list):
        return json.dumps(details)
    parts = []
    for detail in details:
        if isinstance(detail, dict):
            place = detail.get("loc", "")
            place = ".".join(map(str, place)) if isinstance(place, list) else str(place)
            parts.append(f"{place}: {detail.get('msg', '')} ({detail.get('type', '')})")
        else:
            parts.append(str(detail))
    return "; ".join(parts)


def _shown(text: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return (line[:SHOWN] + "...") if len(line) > SHOWN else (line or "no explanation")


def read_completion(
    text: str, request: Request, form: Form, params: Mapping[str, Any], prices: Prices | None
) -> Reply:
    """Return the reply that a body holds.

    Args:
        text: The body of an answer of status 200.
        request: What was asked.
        form: How the shape was asked for.
        params: The optional parameters that were sent.
        prices: What a token costs, when the server does not say.

    Raises:
        ReplyFault: It holds none, or a refusal, or an empty one.
        StatusError: It holds an error.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise ReplyFault("body", f"the answer is not JSON ({exc}): {_shown(text)}") from None
    if not isinstance(body, dict):
        raise ReplyFault("body", f"the answer is a JSON {type(body).__name__}, not an object")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    for place in (body, choice):
        if isinstance(place, dict) and place.get("error"):
            raise _as_status(place["error"], text)
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ReplyFault("body", f"the answer holds no message: {_shown(text)}")
    answer = _text_of(message.get("content"))
    refusal = message.get("refusal")
    refusal = refusal if isinstance(refusal, str) and refusal else None
    finish = "refusal" if refusal else str(choice.get("finish_reason") or "stop")
    prompt, completion, estimated = _usage(body.get("usage"), request, answer or refusal or "")
    cost = _cost(body.get("usage"))
    if cost is None and prices is not None:
        cost = prices.cost(prompt, completion)
    reply = Reply(
        text="" if refusal else answer,
        finish=finish,
        model=body["model"] if isinstance(body.get("model"), str) else request.model,
        form=form,
        params=dict(params),
        prompt_tokens=prompt,
        completion_tokens=completion,
        estimated=estimated,
        cost=cost,
        refusal=refusal,
    )
    _demand_text(reply)
    return reply


def _demand_text(reply: Reply) -> None:
    kind: FaultKind = "empty"
    if reply.refusal:
        kind, why = "refusal", f"the model refused: {_shown(reply.refusal)}"
    elif reply.text.strip():
        return
    elif reply.finish == "content_filter":
        kind, why = "refusal", "the server's content filter withheld the reply"
    elif reply.finish == "length":
        why = "the reply is empty: the token limit was spent before any text; raise --max-tokens"
    else:
        why = f"the reply is empty (finish {reply.finish!r})"
    raise ReplyFault(kind, why, reply)


def _as_status(error: Any, text: str) -> StatusError:
    """Return the error inside an answer of status 200, under the status it names."""
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 400
    return StatusError(status, text)


def _text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or a list of parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _usage(usage: Any, request: Request, answer: str) -> tuple[int, int, bool]:
    """Return tokens of question and answer, and whether they are estimates."""
    if isinstance(usage, dict):
        counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
        prompt, completion = (
            count if isinstance(count, int) and count >= 0 else None for count in counts
        )
        if prompt is not None and completion is not None:
            return prompt, completion, False
    question = sum(estimated_tokens(message.content) for message in request.messages)
    return question, estimated_tokens(answer), True


def _cost(usage: Any) -> float | None:
    cost = usage.get("cost") if isinstance(usage, dict) else None
    if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0:
        return float(cost)
    return None
