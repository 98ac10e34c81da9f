"""The client of a language model: what to do when a request does not come to a reply.

Chat completions, because every compatible server has them. Decided here: what to put otherwise,
when to try again and how long to wait, and when to give the whole run up.
"""

from __future__ import annotations

import asyncio
from typing import Self

from plusforge.generator.address import proxies_in_force, shown_url
from plusforge.generator.completion import StatusError, complaint, read_completion
from plusforge.generator.dialect import Call, Dialect
from plusforge.generator.modelcall import ModelUnavailable, Reply, ReplyFault, Request
from plusforge.generator.spending import Hold, Spending
from plusforge.generator.transport import KEY_VARIABLE, Lost, Transport
from plusforge.oracle.errors import ConfigError

MAX_WAIT_S = 120.0
"""The longest wait that a server may ask for; also the longest between two attempts is 8."""

GIVE_UP_AFTER = 8
"""Requests in a row that came to nothing after which the others are not sent."""

_RETRIED = (408, 409, 429, 500, 502, 503, 504, 520, 522, 524, 529)


class Client:
    """Asks one server; several requests at once, never more than ``concurrency``.

    Until the first reply they go one at a time: what a wrong key or an unknown parameter costs is
    one request.

    Attributes:
        concurrency: Requests under way at once.
        spending: What they have cost.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        concurrency: int = 8,
        retries: int = 5,
        spending: Spending | None = None,
        backoff: float = 0.5,
    ) -> None:
        """Make a client; nothing is sent yet.

        Args:
            base_url: Of the server, usually ending in ``/v1``; by default ``$OPENAI_BASE_URL``,
                then OpenAI's.
            api_key: By default ``$OPENAI_API_KEY``; other servers than OpenAI's may need none.
            timeout: Seconds for one attempt, from connecting to the last byte.
            concurrency: Requests under way at once.
            retries: Further attempts after one that failed for a reason that may pass.
            spending: Limits and accounts; none by default.
            backoff: Seconds before the first of them; each further one waits twice as long.

        Raises:
            ConfigError: An argument makes no sense, or OpenAI's server is meant and there is no
                key.
        """
        if not timeout > 0 or concurrency < 1 or retries < 0:
            raise ConfigError(
                f"timeout {timeout}, concurrency {concurrency}, retries {retries}: expected more "
                "than 0 seconds, at least 1 request at once, and 0 or more retries"
            )
        self._transport = Transport(base_url, api_key, timeout)
        self.concurrency = concurrency
        self.spending = Spending() if spending is None else spending
        self._retries = retries
        self._backoff = backoff
        self._slots = asyncio.Semaphore(concurrency)
        self._first = asyncio.Lock()
        self._answered = False
        self._failures = 0
        self._over: ModelUnavailable | None = None
        self._quiet_until = 0.0
        self._dialects: dict[str, Dialect] = {}

    def __repr__(self) -> str:
        return f"Client({self.place!r}, concurrency={self.concurrency})"

    @property
    def place(self) -> str:
        """The server's address, without anything secret in it."""
        return self._transport.place

    @property
    def remarks(self) -> list[str]:
        """What the server did not take, and what was done instead."""
        return [line for dialect in self._dialects.values() for line in dialect.remarks]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()

    async def ask(self, request: Request) -> Reply:
        """Return a model's reply.

        Args:
            request: What to ask.

        Raises:
            ReplyFault: This request came to nothing.
            ModelUnavailable: No request can succeed, or the limit on spending is reached.
            ConfigError: There is a limit on spending and none on the reply.
        """
        async with self._slots:
            if not self._answered:
                over = self._over
                async with self._first:
                    if self._over is not None and self._over is not over:
                        raise self._over  # another request has found out meanwhile
                    if not self._answered:
                        return await self._counted(request)
            return await self._counted(request)

    async def _counted(self, request: Request) -> Reply:
        """Ask, and give up when too many requests in a row came to nothing."""
        try:
            reply = await self._persist(request)
        except ReplyFault as fault:
            if fault.reply is not None:
                self._answered, self._failures = True, 0
                raise
            self._failures += 1
            if not self._answered and fault.kind in ("timeout", "cut"):
                self._over = ModelUnavailable(str(fault))
            elif self._failures >= GIVE_UP_AFTER:
                self._over = ModelUnavailable(
                    f"given up: {self._failures} requests in a row failed; the last one: {fault}"
                )
            else:
                raise
            raise self._over from None
        except ModelUnavailable as exc:
            self._over = exc
            raise
        self._answered, self._failures = True, 0
        return reply

    async def _persist(self, request: Request) -> Reply:
        """Ask until there is a reply or no hope: in other words, again, or later."""
        dialect = self._dialects.setdefault(request.model, Dialect())
        trials = dialect.trials(request)
        form = None
        failed = 0
        while True:
            call = dialect.call(request, form)
            form = None
            try:
                reply = await self._attempt(request, call)
            except StatusError as error:
                if dialect.learn(request, call, error):
                    continue
                if error.status == 500 and trials and failed == min(1, self._retries):
                    form = trials.pop(0)  # it failed like this twice
                    continue
                fault, wait = self._judged(error, request), error.retry_after
            except Lost as lost:
                fault, wait = self._judged_lost(lost), None
            except ReplyFault as faulty:
                if faulty.reply is not None:
                    dialect.worked(request, call)
                raise
            else:
                dialect.worked(request, call)
                return reply
            await self._rest(failed, wait, fault)
            failed += 1

    async def _rest(self, failed: int, wait: float | None, fault: ReplyFault) -> None:
        """Wait before the next attempt; when the server says how long, everybody does.

        Raises:
            ReplyFault: There is no further attempt.
            ModelUnavailable: The server says too long, or the run is over.
        """
        if wait is not None and wait > MAX_WAIT_S:
            raise ModelUnavailable(
                f"{fault}; it asks to wait {wait:.0f} s, and more than {MAX_WAIT_S:.0f} s are not "
                "waited for: go on later, or lower --concurrency"
            )
        if failed == self._retries:
            raise fault
        if wait:
            now = asyncio.get_running_loop().time()
            self._quiet_until = max(self._quiet_until, now + wait)
        else:
            await asyncio.sleep(min(self._backoff * 2**failed, 8.0))
        if self._over is not None:
            raise self._over

    async def _attempt(self, request: Request, call: Call) -> Reply:
        """Send a request once and book what it cost.

        Raises:
            StatusError: The server turned it down.
            Lost: No whole answer came.
            ReplyFault: An answer came that is of no use.
        """
        await asyncio.sleep(self._quiet_until - asyncio.get_running_loop().time())
        hold = await self.spending.reserve(request)
        try:
            text = await self._transport.send(request, call)
            reply = read_completion(text, request, call.form, call.params, self.spending.prices)
        except BaseException as exc:
            self._book(hold, exc)
            raise
        self.spending.settle(hold, reply)
        return reply

    def _book(self, hold: Hold, failure: BaseException) -> None:
        """Book an attempt that failed; what may be charged counts as charged."""
        turned_down = isinstance(failure, StatusError | ModelUnavailable)
        if isinstance(failure, ReplyFault) and failure.reply is not None:
            self.spending.settle(hold, failure.reply)
        elif turned_down or (isinstance(failure, Lost) and failure.unreached):
            self.spending.release(hold)
        else:  # given up, broken or cancelled, while the server may go on writing
            self.spending.lose(hold)

    def _judged(self, error: StatusError, request: Request) -> ReplyFault:
        """Return the fault that an HTTP error is.

        Raises:
            ReplyFault: It is one that another attempt does not mend.
            ModelUnavailable: It concerns every request.
        """
        said = complaint(error.text)
        status = error.status
        if 300 <= status < 400:
            to = shown_url(error.location).removesuffix("/chat/completions")
            raise self._unavailable(
                f"it redirects ({status}) to {to}: give that address as --base-url"
            )
        if status == 401:
            raise self._unavailable(
                f"it refuses the key (401): {said}; set {KEY_VARIABLE} to one of its"
            )
        if status == 403:
            raise self._unavailable(
                f"it refuses (403): {said}; may this key use model {request.model!r}?"
            )
        if status == 404 or "model_not_found" in said:
            raise self._unavailable(
                f"it answers {status} to model {request.model!r}: {said}; check --model, and "
                "--base-url, which usually ends in /v1"
            )
        if status == 402 or "insufficient_quota" in said:
            raise self._unavailable(f"the account has no credit ({status}): {said}")
        fault = ReplyFault("status", f"{self.place} answers {status}: {said}")
        if status not in _RETRIED:
            raise fault
        return fault

    def _judged_lost(self, lost: Lost) -> ReplyFault:
        """Return the fault that a missing answer is.

        Raises:
            ModelUnavailable: The server cannot be reached, and never could.
        """
        if lost.timed_out:
            return ReplyFault("timeout", f"{self.place}: {lost}; raise --timeout")
        if not lost.unreached:
            return ReplyFault("cut", f"{self.place}: the connection broke ({lost})")
        if self._answered:
            return ReplyFault("cut", f"{self.place}: cannot be reached any more ({lost})")
        raise self._unavailable(
            f"cannot be reached ({lost}); is it running, and --base-url right?"
            f"{proxies_in_force(self._transport.url)}"
        )

    def _unavailable(self, why: str) -> ModelUnavailable:
        return ModelUnavailable(f"{self.place}: {why}")
