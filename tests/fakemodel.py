"""A server that speaks the chat completions protocol, and misbehaves as it is told to."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class Answer:
    """What the server does with one request.

    Attributes:
        status: HTTP status.
        body: Text of the answer.
        headers: Beside or instead of the usual ones; an empty value leaves a header out.
        manner: ``whole``, ``cut`` (the connection breaks half way), ``hang`` (no answer),
            ``drip`` (a byte now and then), ``flood`` (no end).
    """

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: str = "whole"


def completion(
    text: str | None = "four", *, usage: Any = (3, 5), finish: str = "stop", **message: Any
) -> Answer:
    """Return the answer that a good server gives."""
    body: Body = {
        "id": "1",
        "object": "chat.completion",
        "model": "fake-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
    }
    if isinstance(usage, tuple):
        usage = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    if usage is not None:
        body["usage"] = usage
    return Answer(body=json.dumps(body))


def error(status: int, message: str, *, headers: Mapping[str, str] = {}, **more: Any) -> Answer:
    """Return an error in the form of OpenAI's."""
    body = {"error": {"message": message, "type": "invalid_request_error", **more}}
    return Answer(status=status, body=json.dumps(body), headers=headers)


class FakeModel:
    """A server under way.

    Attributes:
        url: For ``--base-url``.
        bodies: The requests so far, in order of arrival.
        headers: Their headers, names in lower case.
        at_once: The most requests that were under way together.
        script: Decides on a request by its body and its number from 0; by default a good answer.
    """

    def __init__(self) -> None:
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.at_once = 0
        self.script: Callable[[Body, int], Answer] = lambda _body, _number: completion()
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._now = 0
        self.url = ""

    def say(self, *answers: Answer) -> None:
        """Give these answers, then good ones."""
        self.script = lambda _body, number: [*answers[number:], completion()][0]

    def wait_for(self, requests: int) -> None:
        """Hold an answer back until so many requests have come."""
        while len(self.bodies) < requests and not self.closing.wait(0.005):
            pass

    def always(self, answer: Answer) -> None:
        self.script = lambda _body, _number: answer

    @contextlib.contextmanager
    def under_way(self, body: Body, headers: dict[str, str]) -> Iterator[int]:
        with self.lock:
            number = len(self.bodies)
            self.bodies.append(body)
            self.headers.append(headers)
            self._now += 1
            self.at_once = max(self.at_once, self._now)
        try:
            yield number
        finally:
            with self.lock:
                self._now -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: FakeModel

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == "/v1/chat/completions", self.path
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.model.under_way(json.loads(raw), headers) as number:
            answer = self.model.script(self.model.bodies[number], number)
            with contextlib.suppress(ConnectionError):
                self._give(answer)

    def _give(self, answer: Answer) -> None:
        data = answer.body.encode()
        if answer.manner == "hang":
            self.model.closing.wait()
            self.close_connection = True
            return
        length = {"cut": len(data) + 1000, "flood": 1 << 40}.get(answer.manner, len(data))
        headers = {"Content-Type": "application/json", "Content-Length": str(length)}
        self.send_response(answer.status)
        for name, value in (headers | dict(answer.headers)).items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        if answer.manner == "drip":
            for byte in data:
                if self.model.closing.wait(0.1):
                    break
                self.wfile.write(bytes([byte]))
        elif answer.manner == "flood":
            while not self.model.closing.is_set():
                self.wfile.write(b" " * 65536)
        else:
            self.wfile.write(data)
        self.close_connection = answer.manner != "whole"

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients break connections here."""


@contextlib.contextmanager
def serving() -> Iterator[FakeModel]:
    """Serve a fake model while the context lasts."""
    model = FakeModel()
    handler = type("Handler", (_Handler,), {"model": model})
    with _Server(("127.0.0.1", 0), handler) as httpd:
        model.url = f"http://127.0.0.1:{httpd.server_address[1]}/v1"
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield model
        finally:
            model.closing.set()
            httpd.shutdown()
            thread.join()
