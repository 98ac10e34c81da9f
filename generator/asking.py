"""Asking many questions: answers as they come, none lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable

from plusforge.generator.llm import Client
from plusforge.generator.modelcall import Reply, ReplyFault, Request


async def ask_all(
    client: Client, requests: Iterable[Request]
) -> AsyncGenerator[tuple[Request, Reply | ReplyFault], None]:
    """Yield every request with what it came to, as the answers come.

    Requests are taken from the iterable when there is room for them, so it may be endless. When
    the model becomes unavailable, what is under way is finished and yielded first. Who leaves the
    loop early wraps the generator in ``contextlib.aclosing``, which ends what is under way.

    Raises:
        ModelUnavailable: No further request can succeed.
        ConfigError: See ``Client.ask``.
    """
    todo = iter(requests)
    came: asyncio.Queue[tuple[Request, Reply | ReplyFault] | None] = asyncio.Queue()
    stop = asyncio.Event()

    async def work() -> None:
        try:
            for request in todo:
                if stop.is_set():
                    return
                try:
                    came.put_nowait((request, await client.ask(request)))
                except ReplyFault as fault:
                    came.put_nowait((request, fault))
        except BaseException:
            stop.set()
            raise
        finally:
            came.put_nowait(None)

    workers = [asyncio.create_task(work()) for _ in range(client.concurrency)]
    try:
        for _ in workers:
            while (item := await came.get()) is not None:
                yield item
        for worker in workers:
            await worker
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
