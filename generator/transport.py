"""Sending one request to a server: the only home of the ``openai`` package.

It makes requests and keeps connections; that it is asked for no retries is because a limit on
spending must see every attempt. Nothing secret leaves this module.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from typing import Any

import openai
from plusforge.generator.address import check_url, is_loopback, proxies_in_force, shown_url
from plusforge.generator.completion import StatusError, seconds_to_wait
from plusforge.generator.dialect import Call
from plusforge.generator.modelcall import ModelUnavailable, ReplyFault, Request
from plusforge.oracle.errors import ConfigError

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE, URL_VARIABLE = "OPENAI_API_KEY", "OPENAI_BASE_URL"

NO_KEY = "none"
"""Sent to servers that need no key: the package insists on one."""

SECRET_LENGTH = 8
"""Shorter keys are placeholders such as ``none`` or ``ollama``, and ordinary words of replies."""

MAX_BYTES = 8_000_000
"""A longer reply is none: the longest that models write are a tenth of it."""

MAX_COMPLAINT_BYTES = 64_000
"""What is read of an error."""

TALKATIVE = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers that would write down addresses and headers, where a careless server may put the key."""

CONNECT_S = 10.0
"""Seconds for connecting, at most: longer means that nobody is there."""


class Lost(Exception):
    """No whole answer came.

    Attributes:
        timed_out: True when time was up; false when the connection broke.
        unreached: True when there never was a connection.
    """

    def __init__(self, why: str, *, timed_out: bool = False, unreached: bool = False) -> None:
        super().__init__(why)
        self.timed_out = timed_out
        self.unreached = unreached


class Transport:
    """The way to one server.

    Attributes:
        url: The server's address.
        place: The same without anything secret in it, for messages.
    """

    def __init__(self, base_url: str | None, api_key: str | None, timeout: float) -> None:
        """Prepare; nothing is sent yet. The arguments are those of ``Client``."""
        self.url = check_url(base_url or os.environ.get(URL_VARIABLE) or OPENAI_URL)
        self.place = shown_url(self.url)
        self._key = _checked_key(api_key or os.environ.get(KEY_VARIABLE), self.url)
        self._timeout = timeout
        for name in TALKATIVE:
            logging.getLogger(name).setLevel(logging.WARNING)
        self._sdk = openai.AsyncOpenAI(
            base_url=self.url,
            api_key=self._key or NO_KEY,
            max_retries=0,
            timeout=openai.Timeout(timeout, connect=min(CONNECT_S, timeout)),
            # A packed answer would be unpacked before its length is known.
            default_headers={"Accept-Encoding": "identity"},
            http_client=_http_client(self.url),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._sdk.close()

    async def send(self, request: Request, call: Call) -> str:
        """Return the body of an answer of status 200; it looks like JSON.

        Raises:
            StatusError: The server turned the request down, or sent it elsewhere.
            Lost: No whole answer came.
            ReplyFault: The answer is too long, or the question is no text.
            ModelUnavailable: The answer is not of this protocol.
        """
        create: Any = self._sdk.chat.completions.with_streaming_response.create
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        try:
            async with (
                asyncio.timeout(self._timeout),
                create(model=request.model, messages=messages, **call.fields) as response,
            ):
                kind = response.headers.get("content-type", "")
                text = self.clean(await _read(response.iter_bytes()))
        except StatusError as error:
            raise self._cleaned(error) from None
        except openai.APIConnectionError as exc:
            cause = exc.__cause__
            if isinstance(cause, StatusError):  # version 2 takes the hook's for a broken connection
                raise self._cleaned(cause) from None
            name = type(cause).__name__
            unreached = name in ("ConnectError", "ConnectTimeout", "ProxyError")
            timed_out = isinstance(exc, openai.APITimeoutError) and not unreached
            why = self._late() if timed_out else self.clean(str(cause) or name)
            raise Lost(why, timed_out=timed_out, unreached=unreached) from None
        except TimeoutError:
            raise Lost(self._late(), timed_out=True) from None
        except UnicodeEncodeError:
            raise ReplyFault(
                "body", "the question holds half a surrogate pair, which is no text: correct it"
            ) from None
        if "json" not in kind.lower() and not text.lstrip().startswith("{"):
            kind = self.clean(kind)[:80] or "something without a content type"
            raise ModelUnavailable(
                f"{self.place}: answers {kind}, not JSON; "
                "is --base-url right? it usually ends in /v1"
            )
        return text

    def _cleaned(self, error: StatusError) -> StatusError:
        error.text, error.location = self.clean(error.text), self.clean(error.location)
        return error

    def _late(self) -> str:
        return f"no whole answer within {self._timeout:g} s"

    def clean(self, text: str) -> str:
        """Return text without the key, whoever put it there."""
        if len(self._key) < SECRET_LENGTH:
            return text
        return text.replace(self._key, "[key]")


def _checked_key(key: str | None, url: str) -> str:
    key = (key or "").strip()
    if not key and url == OPENAI_URL:
        raise ConfigError(
            f"no key for {OPENAI_URL}: set {KEY_VARIABLE}, or name another server with --base-url"
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigError(
            f"{KEY_VARIABLE}: holds characters that no key has; set it again, without quotes"
        )
    return key


def _http_client(url: str) -> Any:
    """Return the package's own transport: no redirects, no proxy for this machine's servers."""
    try:
        return openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            trust_env=not is_loopback(url),
            event_hooks={"response": [_stop_at_errors]},
        )
    except (ImportError, ValueError) as exc:
        raise ModelUnavailable(
            f"{shown_url(url)}: no transport ({type(exc).__name__}){proxies_in_force(url)}"
        ) from None


async def _stop_at_errors(response: Any) -> None:
    """Read the beginning of an error, which the package would read whole; a redirect is one.

    Raises:
        StatusError: The status says that this is one.
    """
    if response.status_code < 300:
        return
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_COMPLAINT_BYTES:
            break
    raise StatusError(
        response.status_code,
        body[:MAX_COMPLAINT_BYTES].decode("utf-8", "replace"),
        retry_after=seconds_to_wait(response.headers),
        location=response.headers.get("location", ""),
    )


async def _read(chunks: AsyncIterator[bytes]) -> str:
    """Return a body as text.

    Raises:
        ReplyFault: It is too long.
        Lost: The connection broke.
    """
    body = bytearray()
    try:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BYTES:
                break
    except Exception as exc:
        # What the transport raises here the package lets through, and which library that is
        # depends on the package's version.
        raise Lost(f"{type(exc).__name__} after {len(body)} bytes") from None
    if len(body) > MAX_BYTES:
        raise ReplyFault(
            "too_large", f"the reply is longer than {MAX_BYTES:,} bytes: the rest was not read"
        )
    return body.decode("utf-8", "replace")
