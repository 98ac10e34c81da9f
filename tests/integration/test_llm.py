"""The client against a server that misbehaves: what comes of it, what is said, what is sent."""

import asyncio
import json
import resource
import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
from plusforge.generator.asking import ask_all
from plusforge.generator.llm import GIVE_UP_AFTER, Client
from plusforge.generator.modelcall import Message, ModelUnavailable, Reply, ReplyFault, Request
from plusforge.generator.spending import Prices, Spending
from plusforge.generator.transport import MAX_BYTES, OPENAI_URL
from plusforge.oracle.errors import ConfigError

from tests.fakemodel import Answer, Body, FakeModel, completion, error, serving

KEY = "sk-test-0123456789abcdef"
ASKED = Request(
    messages=(Message("system", "Be brief."), Message("user", "2 + 2?")), model="m",
    max_tokens=50, temperature=0.5, seed=7,
)  # fmt: skip
SHAPED = replace(ASKED, schema={"type": "object", "properties": {}}, schema_name="shape")
PAGE = Answer(body="<html>", headers={"Content-Type": "text/html"})
FAILS = error(500, "boom")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with serving() as model:
        yield model


def client(server: FakeModel, **options: Any) -> Client:
    usual: dict[str, Any] = {"timeout": 5.0, "retries": 2, "backoff": 0.01, "api_key": KEY}
    return Client(base_url=server.url, **(usual | options))


def ask(server: FakeModel, request: Request = ASKED, **options: Any) -> Reply:
    async def run() -> Reply:
        async with client(server, **options) as asking:
            return await asking.ask(request)

    return asyncio.run(run())


def collect(
    server: FakeModel, requests: list[Request], **options: Any
) -> tuple[list[Reply | ReplyFault], str]:
    """Return what all requests came to, and why they ended early."""

    async def run() -> tuple[list[Reply | ReplyFault], str]:
        found = []
        async with client(server, **options) as asking:
            try:
                async for _, result in ask_all(asking, requests):
                    found.append(result)
            except ModelUnavailable as exc:
                return found, str(exc)
        return found, ""

    return asyncio.run(run())


# --- what goes well ----------------------------------------------------------------------------


def test_what_is_sent_and_what_comes_back(server: FakeModel) -> None:
    reply = ask(server)
    assert server.bodies == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "2 + 2?"},
            ],
            "max_tokens": 50,
            "temperature": 0.5,
            "seed": 7,
        }
    ]
    assert reply == Reply(
        text="four", finish="stop", model="fake-1", form="text",
        params={"max_tokens": 50, "temperature": 0.5, "seed": 7},
        prompt_tokens=3, completion_tokens=5,
    )  # fmt: skip
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_nothing_is_sent_that_was_not_asked_for(server: FakeModel) -> None:
    ask(server, Request(messages=ASKED.messages, model="m"))
    assert server.bodies[0].keys() == {"model", "messages"}


def test_a_local_server_needs_no_key_and_hears_of_no_proxy(
    server: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask(server, api_key=None).text == "four"
    assert server.headers[0]["authorization"] == "Bearer none"


def test_key_and_address_come_from_the_environment(
    server: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")

    async def run() -> Reply:
        async with Client() as asking:
            return await asking.ask(ASKED)

    assert asyncio.run(run()).text == "four"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="set OPENAI_API_KEY, or name another server"):
        Client(base_url=OPENAI_URL)


@pytest.mark.parametrize("key", ["sk-secret\nInjected: header", "sk-sécret", "sk-secret two"])
def test_a_key_that_no_header_can_hold(key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Client(base_url="http://127.0.0.1:9/v1", api_key=key)
    assert "OPENAI_API_KEY" in str(caught.value)
    assert "cret" not in str(caught.value)


def test_a_question_that_is_no_text(server: FakeModel) -> None:
    with pytest.raises(ReplyFault, match="half a surrogate pair"):
        ask(server, replace(ASKED, messages=(Message("user", "\ud800"),)))
    assert server.bodies == []


# --- what passes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        error(408, "late"),
        error(409, "locked"),
        error(429, "slow down"),
        error(500, "boom"),
        error(503, "x" * 1_000_000),
        Answer(status=502, body="<html>Bad gateway</html>", headers={"Content-Type": "text/html"}),
        Answer(body=json.dumps({"error": {"code": 502, "message": "upstream"}})),
        replace(completion(), manner="cut"),
        Answer(status=500, body="{", manner="cut"),
    ],
    ids=["408", "409", "429", "500", "503", "502", "502 in 200", "cut", "cut error"],
)
def test_a_failure_that_passes_is_tried_again(server: FakeModel, answer: Answer) -> None:
    server.say(answer, answer)
    assert ask(server).text == "four"
    assert len(server.bodies) == 3
    assert server.bodies[0] == server.bodies[2]


@pytest.mark.parametrize("manner", ["hang", "drip"])
def test_no_whole_answer_in_time(server: FakeModel, manner: str) -> None:
    """A drip keeps every single read short: the limit is on the whole attempt."""
    server.say(replace(completion(), manner=manner))
    assert ask(server, timeout=1.0).text == "four"
    assert len(server.bodies) == 2


def test_the_servers_wait_is_honoured_by_all(server: FakeModel) -> None:
    """Of two requests at once one is told to wait a second; the other is answered meanwhile."""
    times: list[float] = []

    def script(_body: Body, number: int) -> Answer:
        times.append(time.monotonic())
        if number == 1:
            return error(429, "slow", headers={"Retry-After": "1"})
        time.sleep(0.5 if number == 2 else 0.0)
        return completion()

    server.script = script
    found, stopped = collect(server, [ASKED] * 6, concurrency=2, backoff=0.0)
    assert (len(found), stopped) == (6, "")
    assert len(times) == len(server.bodies) == 7
    told, *later = [times[1], *times[3:]]
    assert min(later) >= told + 0.99


def test_attempts_wait_longer_each_time(server: FakeModel) -> None:
    server.say(*[FAILS] * 3)
    begin = time.monotonic()
    ask(server, retries=3, backoff=0.1)
    assert time.monotonic() - begin >= 0.1 + 0.2 + 0.4
    assert len(server.bodies) == 4


# --- what does not -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "kind", "words", "requests"),
    [
        (FAILS, "status", "answers 500: boom", 3),
        (error(400, "context too long"), "status", "answers 400: context too long", 1),
        (error(413, "too large"), "status", "answers 413: too large", 1),
        (Answer(body="{oops"), "body", "not JSON", 1),
        (Answer(body='{"object": "list"}'), "body", "holds no message", 1),
        (completion(None, refusal="I will not"), "refusal", "refused: I will not", 1),
        (completion(""), "empty", "the reply is empty", 1),
        (Answer(manner="flood"), "too_large", f"longer than {MAX_BYTES:,} bytes", 1),
    ],
    ids=["500", "400", "413", "not JSON", "no message", "refusal", "empty", "flood"],
)
def test_one_request_comes_to_nothing(
    server: FakeModel, answer: Answer, kind: str, words: str, requests: int
) -> None:
    server.always(answer)
    with pytest.raises(ReplyFault) as caught:
        ask(server)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert len(server.bodies) == requests


@pytest.mark.parametrize(
    ("answer", "words", "requests"),
    [
        (error(401, f"wrong key {KEY}"), "refuses the key (401): wrong key [key]; set OPENAI_", 1),
        (error(403, "not yours"), "refuses (403): not yours; may this key use model 'm'?", 1),
        (error(404, "no such model"), "404 to model 'm': no such model; check --model, and", 1),
        (error(400, "no", code="model_not_found"), "400 to model 'm': no (model_not_found)", 1),
        (error(402, "pay"), "the account has no credit (402): pay", 1),
        (error(429, "pay", code="insufficient_quota"), "no credit (429): pay", 1),
        (PAGE, "answers text/html, not JSON; is --base-url right?", 1),
        (
            Answer(status=307, headers={"Location": "https://a:b@else/v1/chat/completions?c"}),
            "redirects (307) to https://else/v1: give that address as --base-url",
            1,
        ),
        (Answer(status=301, body="{}", headers={"Location": "/"}), "redirects (301)", 1),
        (
            error(429, "slow", headers={"Retry-After": "3600"}),
            "asks to wait 3600 s, and more than 120 s are not waited for",
            1,
        ),
        (replace(completion(), manner="hang"), "no whole answer within 0.3 s; raise --timeout", 3),
        (replace(completion(), manner="cut"), "the connection broke", 3),
    ],
    ids=["401", "403", "404", "model", "402", "quota", "page", "307", "301", "wait", "hang", "cut"],
)
def test_no_request_can_succeed(
    server: FakeModel, answer: Answer, words: str, requests: int
) -> None:
    server.always(answer)
    timeout = 0.3 if answer.manner == "hang" else 5.0
    found, stopped = collect(server, [ASKED] * 20, concurrency=4, timeout=timeout)
    assert found == []
    assert stopped.startswith(server.url)
    assert words in stopped
    assert KEY not in stopped
    assert len(server.bodies) == requests, "the first request goes alone"


def test_nobody_is_there() -> None:
    with serving() as gone:
        pass
    begin = time.monotonic()
    found, stopped = collect(gone, [ASKED] * 3, retries=5, backoff=8.0)
    assert found == []
    assert time.monotonic() - begin < 20, "there was nothing to wait for"
    assert "cannot be reached" in stopped
    assert "is it running, and --base-url right?" in stopped


def test_a_flood_is_not_held_in_memory(server: FakeModel) -> None:
    ask(server)  # whatever the first request takes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    server.always(Answer(manner="flood"))
    found, _ = collect(server, [ASKED] * 3, concurrency=1)
    assert [getattr(fault, "kind", "") for fault in found] == ["too_large"] * 3
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 40_000, f"{grown} KiB"


# --- what a server does not take ---------------------------------------------------------------


def picky(**refused: str) -> Any:
    """Return a script that turns requests with some fields down, and says so."""

    def script(body: Body, _number: int) -> Answer:
        for name, message in refused.items():
            if name in body:
                return error(400, message, param=name)
        return completion()

    return script


def test_refused_parameters_are_learnt_once(server: FakeModel) -> None:
    server.script = picky(
        temperature="Unsupported value: 'temperature' does not support 0.5. Only the default.",
        max_tokens="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        seed="Unknown parameter: 'seed'.",
    )
    found, stopped = collect(server, [ASKED] * 8, concurrency=4)
    assert stopped == ""
    assert [getattr(reply, "params", None) for reply in found] == [
        {"max_completion_tokens": 50}
    ] * 8
    assert len(server.bodies) == 3 + 8


@pytest.mark.parametrize(
    ("takes", "fails", "requests"),
    [
        ("json_schema", FAILS, 1),
        ("json_object", error(400, "response_format.type must be json_object or text"), 2),
        ("text", error(422, "response_format: extra inputs are not permitted"), 3),
        ("text", error(500, "response_format not understood"), 3),
        ("json_object", FAILS, 3),
        ("text", FAILS, 4),
    ],
    ids=["schema", "400", "422", "500", "mute 500, object", "mute 500, text"],
)
def test_the_form_is_weakened_as_far_as_needed(
    server: FakeModel, takes: str, fails: Answer, requests: int
) -> None:
    """A mute 500 is first tried again: it may be what it says."""

    def script(body: Body, _number: int) -> Answer:
        form = body.get("response_format", {}).get("type", "text")
        order = ["json_schema", "json_object", "text"]
        return completion() if order.index(form) >= order.index(takes) else fails

    server.script = script
    found, stopped = collect(server, [SHAPED] * 5)
    assert stopped == ""
    assert [getattr(reply, "form", None) for reply in found] == [takes] * 5
    assert len(server.bodies) == requests + 4


def test_a_failure_that_passes_does_not_weaken_the_form(server: FakeModel) -> None:
    server.say(FAILS)
    assert ask(server, SHAPED).form == "json_schema"
    server.bodies.clear()
    server.always(FAILS)
    with pytest.raises(ReplyFault):
        ask(server, SHAPED, retries=1)
    assert [body.get("response_format", {}).get("type") for body in server.bodies] == [
        "json_schema", "json_schema", "json_object", None,
    ]  # fmt: skip


def test_models_of_one_server_are_told_apart(server: FakeModel) -> None:
    server.script = lambda body, _number: (
        error(400, "'seed' is not supported") if body["model"] == "m" and "seed" in body
        else completion()
    )  # fmt: skip
    found, _ = collect(server, [ASKED, replace(ASKED, model="other")], concurrency=1)
    assert [getattr(reply, "params", {}).get("seed") for reply in found] == [None, 7]


# --- many requests -----------------------------------------------------------------------------


def test_requests_at_once_are_bounded(server: FakeModel) -> None:
    def script(_body: Body, number: int) -> Answer:
        if 1 <= number <= 3:
            server.wait_for(4)
            time.sleep(0.1)  # one too many would come now
        return completion()

    server.script = script
    collect(server, [ASKED] * 8, concurrency=3)
    assert server.at_once == 3


def test_answers_come_as_they_are_ready_and_keep_their_tags(server: FakeModel) -> None:
    def script(body: Body, _number: int) -> Answer:
        if body["seed"] == 1:
            server.wait_for(5)
            time.sleep(0.3)
        return completion()

    server.script = script

    async def run() -> list[int]:
        requests = [replace(ASKED, seed=number, tag=number) for number in range(5)]
        async with client(server, concurrency=2) as asking:
            return [request.tag async for request, _ in ask_all(asking, requests)]

    assert asyncio.run(run()) == [0, 2, 3, 4, 1]


def test_single_failures_do_not_stop_the_others(server: FakeModel) -> None:
    server.script = lambda _body, number: error(400, "no") if number % 3 == 1 else completion()
    found, stopped = collect(server, [ASKED] * 30, concurrency=1)
    assert stopped == ""
    assert sum(isinstance(result, ReplyFault) for result in found) == 10


def test_failures_only_end_the_run(server: FakeModel) -> None:
    server.script = lambda _body, number: completion() if number < 2 else error(400, "no")
    found, stopped = collect(server, [ASKED] * 100, concurrency=1)
    assert len(found) == 2 + GIVE_UP_AFTER - 1
    assert len(server.bodies) == 2 + GIVE_UP_AFTER
    assert f"given up: {GIVE_UP_AFTER} requests in a row failed; the last one: " in stopped


def test_what_is_under_way_at_the_end_is_not_lost(server: FakeModel) -> None:
    """Of three requests at once one is told that the key has expired."""

    def script(_body: Body, number: int) -> Answer:
        if number == 0:
            return completion()
        server.wait_for(4)
        time.sleep(0.0 if number == 2 else 0.2)
        return error(401, "expired") if number == 2 else completion()

    server.script = script
    found, stopped = collect(server, [ASKED] * 30, concurrency=3)
    assert [isinstance(result, Reply) for result in found] == [True] * 3
    assert "expired" in stopped
    assert len(server.bodies) == 4


def test_leaving_early_ends_what_is_under_way(server: FakeModel) -> None:
    async def run() -> None:
        async with client(server, concurrency=2) as asking:
            async with aclosing(ask_all(asking, iter(lambda: ASKED, None))) as came:
                async for _ in came:
                    break
            sent = len(server.bodies)
            await asyncio.sleep(0.1)
            assert len(server.bodies) == sent

    asyncio.run(run())


# --- spending ----------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [{"max_tokens_total": 1000}, {"max_cost": 0.001}])
def test_a_limit_is_never_passed(server: FakeModel, limit: dict[str, Any]) -> None:
    server.always(completion(usage=(100, 50)))
    spending = Spending(**limit, prices=Prices(1.0, 1.0))
    found, stopped = collect(server, [ASKED] * 100, spending=spending)
    # A question of 15 bytes is 111 tokens at most, its reply 50: the sixth may pass 1000.
    assert len(found) == len(server.bodies) == 6
    assert (spending.tokens, spending.cost) == (900, pytest.approx(900e-6))
    assert "is used up" in stopped


def test_usage_that_is_missing_is_estimated(server: FakeModel) -> None:
    server.always(completion("x" * 40, usage=None))
    spending = Spending()
    reply = ask(server, spending=spending)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.estimated) == (5, 10, True)
    assert (spending.estimated, spending.cost_known) == (1, False)


@pytest.mark.parametrize(
    ("answer", "spent"),
    [
        (FAILS, 0),
        (completion(None, refusal="no"), 8),
        (Answer(body="{"), 161),
        (Answer(manner="flood"), 161),
        (replace(completion(), manner="cut"), 161),
    ],
    ids=["500", "refusal", "not JSON", "flood", "cut"],
)
def test_what_may_be_charged_counts(server: FakeModel, answer: Answer, spent: int) -> None:
    server.always(answer)
    spending = Spending()
    with pytest.raises((ReplyFault, ModelUnavailable)):
        ask(server, retries=0, spending=spending)
    assert spending.tokens == spent
