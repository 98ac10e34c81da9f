"""A key given by the environment is sent to the server and shows nowhere else."""

import asyncio
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from plusforge.generator.cli_model import ModelOptions
from plusforge.generator.llm import Client
from plusforge.generator.modelcall import Message, ModelUnavailable, ReplyFault, Request

from tests.fakemodel import Answer, Body, FakeModel, completion, error, serving

KEY = "sk-proj-THEKEY-0123456789"
ASKED = Request(messages=(Message("user", "?"),), model="m", max_tokens=9)


@pytest.fixture
def server() -> Iterator[FakeModel]:
    with serving() as model:
        yield model


def echoing(_body: Body, number: int) -> Answer:
    """Give the key back in every way a careless server might."""
    return [
        completion(f"your key is {KEY}"),
        completion(None, refusal=f"not for {KEY}"),
        error(400, f"temperature is not supported for {KEY}"),
        error(400, f"bad {KEY}", param=KEY),
        Answer(body=f"<{KEY}>", headers={"X-Key": KEY}),
        error(401, f"Incorrect API key provided: {KEY}", headers={"X-Key": KEY}),
        Answer(status=302, headers={"Location": f"http://{KEY}:{KEY}@x/{KEY}?key={KEY}"}),
    ][min(number, 6)]


def test_no_file_no_message_and_no_log_has_it(server: FakeModel, tmp_path: Path) -> None:
    server.script = echoing
    program = (
        "import logging, sys; logging.basicConfig(level=logging.DEBUG)\n"
        "from plusforge.generator.cli import main; main(sys.argv[1:])"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    done = subprocess.run(
        [sys.executable, "-c", program, "sample", "starter", "--model", "m", "--json",
         "--base-url", server.url, "--out", "s.jsonl", "--concurrency", "1", "--temperature", "1"],
        cwd=tmp_path, env={**clean, "OPENAI_LOG": "debug", "OPENAI_API_KEY": KEY},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 4
    assert "refuses the key (401): Incorrect API key provided: [key]" in done.stderr
    assert "DEBUG:" in done.stderr, "nothing was logged: is this test still one?"
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "your key is [key]" in written
    assert KEY not in done.stdout + done.stderr + written
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_no_object_shows_it(server: FakeModel, caplog: pytest.LogCaptureFixture) -> None:
    server.script = echoing
    caplog.set_level(logging.DEBUG)
    shown = []

    async def run() -> None:
        async with Client(base_url=server.url, api_key=KEY, retries=0) as client:
            shown.append(repr(client) + str(client))
            for _ in range(7):
                try:
                    shown.append(repr(await client.ask(ASKED)))
                except (ReplyFault, ModelUnavailable) as exc:
                    shown.append("".join(traceback.format_exception(exc)) + repr(exc.__dict__))
            shown.append(repr(client.remarks))

    asyncio.run(run())
    assert len(shown) == 9
    assert "[key]" in "".join(shown)
    assert KEY not in "".join(shown) + caplog.text


def test_child_processes_do_not_inherit_it(
    server: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    options = ModelOptions(
        model="m", base_url=server.url, concurrency=1, timeout=5.0, retries=0,
        max_cost=None, max_tokens_total=None, price_in=None, price_out=None,
    )  # fmt: skip

    async def run() -> str:
        async with options.client() as client:
            child = subprocess.run(["env"], capture_output=True, text=True, check=True)
            await client.ask(ASKED)
            return child.stdout

    assert KEY not in asyncio.run(run())
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_another_host_does_not_get_it(server: FakeModel) -> None:
    """A redirect is told, not followed."""
    with serving() as other:
        target = other.url + "/chat/completions"
        server.always(Answer(status=307, headers={"Location": target}))

        async def run() -> None:
            async with Client(base_url=server.url, api_key=KEY) as client:
                await client.ask(ASKED)

        with pytest.raises(ModelUnavailable, match="give that address as --base-url"):
            asyncio.run(run())
        assert other.bodies == []
