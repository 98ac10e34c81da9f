"""What a run may spend on a model, and what it has spent.

Before a request is sent, the most it can cost is set aside; what it did cost takes the place of
that afterwards. So the limits hold also with many requests under way.
"""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass

from plusforge.generator.modelcall import ModelUnavailable, Reply, Request
from plusforge.oracle.errors import ConfigError

CHARACTERS_PER_TOKEN = 4
"""Of English text and code, on average; for servers that do not count."""

TOKENS_AROUND = 64
"""What a chat template may put around the messages, beyond 16 for each of them."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return US dollars."""
        return (self.input * prompt_tokens + self.output * completion_tokens) / 1e6


@dataclass(frozen=True, slots=True)
class Hold:
    """What is set aside for a request under way, at most."""

    prompt_tokens: int
    completion_tokens: int
    cost: float


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text is."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def most_prompt_tokens(request: Request) -> int:
    """Return how many tokens the question is at most: a token stands for a byte or more."""
    size = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    if request.schema is not None:
        size += len(json.dumps(request.schema))
    return size + 16 * len(request.messages) + TOKENS_AROUND


class Spending:
    """Limits and accounts of one run."""

    def __init__(
        self,
        *,
        max_cost: float | None = None,
        max_tokens_total: int | None = None,
        prices: Prices | None = None,
    ) -> None:
        """Make the accounts.

        Args:
            max_cost: US dollars, at most.
            max_tokens_total: Tokens of questions and answers together, at most.
            prices: What a token costs.

        Raises:
            ConfigError: A limit is no positive number, or there is one on cost without prices.
        """
        rates = () if prices is None else (prices.input, prices.output)
        if not all(math.isfinite(rate) and rate >= 0 for rate in rates):
            raise ConfigError(f"--price-in, --price-out: got {rates}, expected dollars from 0 up")
        if max_cost is not None and not (math.isfinite(max_cost) and max_cost > 0):
            raise ConfigError(f"--max-cost: got {max_cost}, expected more than 0 dollars")
        if max_tokens_total is not None and max_tokens_total < 1:
            raise ConfigError(f"--max-tokens-total: got {max_tokens_total}, expected 1 or more")
        if max_cost is not None and prices is None:
            raise ConfigError(
                "--max-cost: what a request costs cannot be known before it is sent; give the "
                "model's prices, US dollars per million tokens, with --price-in and --price-out"
            )
        self.max_cost = max_cost
        self.max_tokens_total = max_tokens_total
        self.prices = prices
        self.requests = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cost = 0.0
        self.cost_known = True
        self.estimated = 0  # requests, of those, that the server did not count
        self._holds: list[Hold] = []
        self._settled = asyncio.Event()

    @property
    def tokens(self) -> int:
        """Tokens of questions and answers so far."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.max_cost is not None or self.max_tokens_total is not None

    async def reserve(self, request: Request) -> Hold:
        """Set aside what a request may cost; wait while others under way may leave enough.

        Raises:
            ConfigError: There is a limit, and the request has no ``max_tokens``.
            ModelUnavailable: What is left is not enough.
        """
        hold = self._most(request)
        while problem := self._beyond(hold):
            if not self._holds:
                raise ModelUnavailable(problem)
            self._settled.clear()
            await self._settled.wait()
        self._holds.append(hold)
        self.requests += 1
        return hold

    def settle(self, hold: Hold, reply: Reply) -> None:
        """Book what a reply did cost."""
        self._book(hold, reply.prompt_tokens, reply.completion_tokens, reply.cost)
        self.estimated += reply.estimated

    def lose(self, hold: Hold) -> None:
        """Book all that was set aside: no answer came that tells, but it may be charged."""
        cost = None if self.prices is None else hold.cost
        self._book(hold, hold.prompt_tokens, hold.completion_tokens, cost)
        self.estimated += 1

    def _book(self, hold: Hold, prompt: int, completion: int, cost: float | None) -> None:
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.cost += cost or 0.0
        self.cost_known &= cost is not None
        self.release(hold)

    def release(self, hold: Hold) -> None:
        """Give back what was set aside for a request that the server turned away."""
        self._holds.remove(hold)
        self._settled.set()

    def _most(self, request: Request) -> Hold:
        if request.max_tokens is None and self.limited:
            raise ConfigError(
                "a limit on cost or tokens needs one on the length of each reply: "
                "give max_tokens (--max-tokens)"
            )
        prompt, completion = most_prompt_tokens(request), request.max_tokens or 0
        cost = 0.0 if self.prices is None else self.prices.cost(prompt, completion)
        return Hold(prompt, completion, cost)

    def _beyond(self, hold: Hold) -> str:
        """Return which limit a request might break, or nothing."""
        held = [*self._holds, hold]
        most = hold.prompt_tokens + hold.completion_tokens
        tokens = self.tokens + sum(h.prompt_tokens + h.completion_tokens for h in held)
        if self.max_tokens_total is not None and tokens > self.max_tokens_total:
            if not self.tokens:
                return (
                    f"--max-tokens-total {self.max_tokens_total:,} is too little for one request, "
                    f"which may take {most:,}: raise the limit"
                )
            return (
                f"--max-tokens-total {self.max_tokens_total:,} is used up: {self.tokens:,} spent, "
                f"and the next request may take {most:,}; what came is kept: raise the limit to "
                "go on"
            )
        cost = self.cost + math.fsum(h.cost for h in held)
        if self.max_cost is not None and cost > self.max_cost:
            if not self.cost:
                return (
                    f"--max-cost {self.max_cost:g} is too little for one request, which may cost "
                    f"{hold.cost:.4f} dollars: raise the limit"
                )
            return (
                f"--max-cost {self.max_cost:g} is used up: {self.cost:.4f} dollars spent, and the "
                f"next request may cost {hold.cost:.4f}; what came is kept: raise the limit to go "
                "on"
            )
        return ""
