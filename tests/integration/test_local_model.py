"""The real server with the real small model: its API, its determinism, its end."""

import concurrent.futures
import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.localserver import COMMAND, WAIT_S, local_model, need_local_model, started

pytestmark = pytest.mark.slow

ANSWER_S = 240.0
"""Far beyond the 3 to 20 s that an answer takes."""

INPUTS = {
    "type": "object",
    "properties": {
        "inputs": {
            "type": "array",
            "minItems": 6,
            "maxItems": 6,
            "items": {
                "type": "object",
                "properties": {
                    "numbers": {"type": "array", "items": {"type": "integer"}, "maxItems": 4},
                    "threshold": {"type": "integer"},
                },
                "required": ["numbers", "threshold"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["inputs"],
    "additionalProperties": False,
}


def call(base_url: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Return what the server answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base_url + path, data, {"Content-Type": "application/json"})
    with opener.open(request, timeout=ANSWER_S) as response:
        return json.load(response)


def ask(base_url: str, text: str, *, seed: int, tokens: int, schema: Any = None) -> Any:
    """Return the first choice for one message of a user."""
    body = {
        "model": "any",
        "messages": [{"role": "user", "content": text}],
        "temperature": 0.8,
        "seed": seed,
        "max_tokens": tokens,
        "ignore_eos": schema is None,  # as many tokens as are asked for: llama.cpp's own option
    }
    if schema is not None:
        named = {"name": "inputs", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return call(base_url, "/chat/completions", body)["choices"][0]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with local_model() as url:
        yield url


def test_a_schema_is_kept_and_a_seed_repeats(base_url: str) -> None:
    text = "Six inputs for closest(numbers: list[int], threshold: int) -> bool, as JSON."
    first = ask(base_url, text, seed=1, tokens=1000, schema=INPUTS)
    assert first["finish_reason"] == "stop"
    inputs = json.loads(first["message"]["content"])["inputs"]
    assert len(inputs) == 6
    for item in inputs:
        assert item.keys() == {"numbers", "threshold"}
        assert type(item["threshold"]) is int
        assert all(type(number) is int for number in item["numbers"])
    # Another request in between would leave its prompt behind if prompts were kept.
    ask(base_url, "Say hello.", seed=5, tokens=5)
    again = ask(base_url, text, seed=1, tokens=1000, schema=INPUTS)
    assert again["message"] == first["message"]


def test_requests_at_the_same_time_change_no_answer(base_url: str) -> None:
    texts = ["Name a fruit.", "Name a colour.", "Name a town."]
    alone = [ask(base_url, text, seed=3, tokens=20)["message"] for text in texts]
    with concurrent.futures.ThreadPoolExecutor(len(texts)) as pool:
        jobs = [pool.submit(ask, base_url, text, seed=3, tokens=20) for text in texts]
        together = [job.result()["message"] for job in jobs]
    assert together == alone
    assert len({message["content"] for message in alone}) > 1


def test_the_models_name_is_no_path(base_url: str) -> None:
    names = [model["id"] for model in call(base_url, "/models")["data"]]
    assert names == ["SmolLM2-135M-Instruct.Q4_1"]


def test_only_the_address_is_printed_and_only_loopback_listens(base_url: str) -> None:
    assert base_url.startswith("http://127.0.0.1:")
    assert base_url.endswith("/v1")
    port = int(base_url.removesuffix("/v1").rpartition(":")[2])
    # The name of this machine, where it has an address of its own, leads elsewhere.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(("192.0.2.1", 9))  # sends nothing: it looks the route up
        except OSError:
            pytest.skip("this machine has no network beyond loopback")
        address = route.getsockname()[0]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address, port), timeout=WAIT_S)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_the_middle_of_an_answer(stop: signal.Signals) -> None:
    need_local_model()
    with (
        started("--context", "8192") as (process, line),
        concurrent.futures.ThreadPoolExecutor(1) as pool,
    ):
        url = line.strip()
        job = pool.submit(ask, url, "Write a long story.", seed=2, tokens=8000)
        time.sleep(1.5)  # the answer takes minutes
        assert not job.done()
        process.send_signal(stop)
        assert process.wait(10.0) == 0
        with pytest.raises((OSError, urllib.error.URLError)):
            job.result()
        assert process.stdout is not None
        assert process.stdout.read() == ""


def test_a_port_in_use_and_a_damaged_file(tmp_path: Any) -> None:
    need_local_model()
    damaged = tmp_path / "model.gguf"
    damaged.write_bytes(b"GGUF" + bytes(100))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options, message in [
            (["--port", port], f"--port {port}: cannot listen there (Address already in use)"),
            (["--gguf", str(damaged)], f"{damaged}: llama.cpp cannot serve it"),
        ]:
            done = subprocess.run(
                [*COMMAND, *options], capture_output=True, text=True, timeout=WAIT_S, check=False
            )
            assert done.returncode == 4
            assert f"plusforge: {message}" in done.stderr.replace("--host 127.0.0.1 ", "")
            assert done.stdout == ""
            assert "Traceback" not in done.stderr
