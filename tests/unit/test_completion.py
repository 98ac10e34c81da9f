"""What servers answer is read as what it is: a reply, a refusal, an error, or nothing of use."""

import json
import math
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plusforge.generator.completion import (
    SHOWN,
    StatusError,
    complaint,
    read_completion,
    seconds_to_wait,
)
from plusforge.generator.modelcall import Message, Reply, ReplyFault, Request
from plusforge.generator.spending import Prices

ASKED = Request(messages=(Message("user", "12345678"),), model="asked")


def body(content: Any = "four", *, finish: Any = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"model": "m-1", "choices": [{"message": message, "finish_reason": finish}], **more}


def read(document: Any, prices: Prices | None = None) -> Reply:
    text = document if isinstance(document, str) else json.dumps(document)
    return read_completion(text, ASKED, "text", {"seed": 1}, prices)


def fault(document: Any) -> ReplyFault:
    with pytest.raises(ReplyFault) as caught:
        read(document)
    return caught.value


def test_a_whole_reply() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    assert read(body(usage=usage)) == Reply(
        text="four",
        finish="stop",
        model="m-1",
        form="text",
        params={"seed": 1},
        prompt_tokens=7,
        completion_tokens=2,
    )


def test_a_bare_reply_is_counted_by_characters() -> None:
    reply = read({"choices": [{"message": {"content": "12345"}}]})
    assert (reply.text, reply.finish, reply.model) == ("12345", "stop", "asked")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.estimated) == (2, 2, True)


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"prompt_tokens": 7}, {"prompt_tokens": "7", "completion_tokens": -1}]
)
def test_usage_that_says_nothing_is_estimated(usage: Any) -> None:
    assert read(body(usage=usage)).estimated


@pytest.mark.parametrize(
    ("usage", "prices", "cost"),
    [
        ({}, None, None),
        ({"cost": 0.25}, None, 0.25),
        ({"cost": 0.25}, Prices(1e6, 1e6), 0.25),
        ({"cost": "free"}, Prices(1.0, 10.0), 27e-6),
        ({"cost": -1}, Prices(1.0, 10.0), 27e-6),
        ({}, Prices(1.0, 10.0), 27e-6),
    ],
)
def test_cost_is_the_servers_then_by_the_prices(
    usage: dict[str, Any], prices: Prices | None, cost: float | None
) -> None:
    counted = {"prompt_tokens": 7, "completion_tokens": 2, **usage}
    got = read(body(usage=counted), prices).cost
    assert got is None if cost is None else math.isclose(got or 0, cost)


def test_content_in_parts_is_put_together() -> None:
    parts = [{"type": "text", "text": "fo"}, {"type": "image"}, {"type": "text", "text": "ur"}]
    assert read(body(parts)).text == "four"


def test_a_cut_reply_is_a_reply() -> None:
    assert read(body("fou", finish="length")).finish == "length"


def test_a_refusal_is_a_fault_with_what_it_cost() -> None:
    document = body(None, usage={"prompt_tokens": 7, "completion_tokens": 2})
    document["choices"][0]["message"]["refusal"] = "I will not"
    found = fault(document)
    assert (found.kind, str(found)) == ("refusal", "the model refused: I will not")
    assert found.reply is not None
    assert (found.reply.text, found.reply.finish) == ("", "refusal")
    assert (found.reply.refusal, found.reply.prompt_tokens) == ("I will not", 7)


@pytest.mark.parametrize(
    ("content", "finish", "kind", "words"),
    [
        ("", "stop", "empty", "the reply is empty (finish 'stop')"),
        (" \n", None, "empty", "the reply is empty (finish 'stop')"),
        (None, "tool_calls", "empty", "the reply is empty (finish 'tool_calls')"),
        (None, "length", "empty", "spent before any text; raise --max-tokens"),
        (None, "content_filter", "refusal", "content filter withheld"),
    ],
)
def test_a_reply_without_text_is_a_fault(
    content: str | None, finish: str | None, kind: str, words: str
) -> None:
    found = fault(body(content, finish=finish))
    assert found.kind == kind
    assert words in str(found)
    assert found.reply is not None
    assert found.reply.finish == (finish or "stop")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ('{"choices": [', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5000, "not JSON"),
        ("[]", "a JSON list, not an object"),
        ("{}", "holds no message: {}"),
        ('{"choices": []}', "holds no message"),
        ('{"choices": [null]}', "holds no message"),
        ('{"choices": [{"message": "four"}]}', "holds no message"),
    ],
)
def test_an_answer_of_no_use_is_a_fault(text: str, words: str) -> None:
    found = fault(text)
    assert (found.kind, found.reply) == ("body", None)
    assert words in str(found)
    assert len(str(found)) < SHOWN + 200


@pytest.mark.parametrize(
    ("error", "status"),
    [({"message": "slow", "code": 429}, 429), ({"code": "oops"}, 400), ("bad", 400)],
)
def test_an_error_of_status_200_is_an_error(error: Any, status: int) -> None:
    for document in ({"error": error}, {"choices": [{"error": error, "message": {}}]}):
        with pytest.raises(StatusError) as caught:
            read(document)
        assert caught.value.status == status


@given(st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "stop"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "error", "usage", "refusal", "model",
                         "prompt_tokens", "completion_tokens", "cost", "finish_reason", "text"]),
        inner, max_size=4),
    max_leaves=12,
))  # fmt: skip
def test_whatever_comes_is_a_reply_or_a_fault(document: Any) -> None:
    try:
        assert isinstance(read({"choices": [document]}), Reply)
        assert isinstance(read(document), Reply)
    except (ReplyFault, StatusError):
        pass


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"error": {"message": "Bad key", "code": "wrong_key"}}', "Bad key (wrong_key)"),
        ('{"error": {"message": "no seed", "param": "seed"}}', "no seed"),
        ('{"error": "model not found"}', "model not found"),
        ('{"message": "no"}', "no"),
        ('{"detail": "Not Found"}', "Not Found"),
        (
            '{"detail": [{"loc": ["body", "a"], "msg": "Extra", "type": "t", "input": "all"}]}',
            "body.a: Extra (t)",
        ),
        ("<h1>Bad\ngateway</h1>", "<h1>Bad gateway</h1>"),
        ("a\x1b[31mb", "a [31mb"),
        ("", "no explanation"),
        ("x" * 1000, "x" * SHOWN + "..."),
    ],
)  # fmt: skip
def test_complaints_of_all_kinds(text: str, said: str) -> None:
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "1e999"}, math.inf),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 01 Jan 1990 00:00:00 GMT"}, 0.0),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], wait: float | None) -> None:
    assert seconds_to_wait(headers) == wait


def test_a_date_to_wait_for() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    wait = seconds_to_wait({"retry-after": date})
    assert wait is not None
    assert 3500 < wait <= 3600
