"""Limits hold before a request is sent, also with many under way; accounts add up."""

import asyncio
import math
from typing import Any

import pytest
from plusforge.generator.modelcall import Message, ModelUnavailable, Reply, Request
from plusforge.generator.samplereport import spent
from plusforge.generator.spending import (
    TOKENS_AROUND,
    Prices,
    Spending,
    estimated_tokens,
    most_prompt_tokens,
)
from plusforge.oracle.errors import ConfigError

ASKED = Request(messages=(Message("user", "x" * 20),), model="m", max_tokens=100)
PROMPT = 20 + 16 + TOKENS_AROUND
"""Tokens of its question, at most."""


def reply(prompt: int, completion: int, cost: float | None = None) -> Reply:
    return Reply(
        text="", finish="stop", model="m", form="text", params={}, cost=cost,
        prompt_tokens=prompt, completion_tokens=completion,
    )  # fmt: skip


def test_a_question_is_estimated_from_above() -> None:
    assert most_prompt_tokens(ASKED) == PROMPT
    greek = Request(messages=(Message("user", "λ"),) * 2, model="m", schema={"a": 1})
    assert most_prompt_tokens(greek) == 2 * (2 + 16) + len('{"a": 1}') + TOKENS_AROUND


def test_a_text_is_estimated_by_its_characters() -> None:
    assert [estimated_tokens(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_prices_are_for_a_million() -> None:
    assert math.isclose(Prices(0.5, 2.0).cost(1_000_000, 250_000), 1.0)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_cost": 1.0}, "--price-in and --price-out"),
        ({"max_cost": 0.0, "prices": Prices(1, 1)}, "--max-cost: got 0.0"),
        ({"max_cost": math.nan, "prices": Prices(1, 1)}, "--max-cost: got nan"),
        ({"max_tokens_total": 0}, "--max-tokens-total: got 0"),
        ({"prices": Prices(-1, 1)}, "--price-in, --price-out: got (-1, 1)"),
        ({"prices": Prices(1, math.inf)}, "--price-in, --price-out: got (1, inf)"),
    ],
)
def test_limits_that_make_no_sense_are_refused_up_front(limits: Any, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Spending(**limits)
    assert words in str(caught.value)


def test_a_limit_needs_a_limit_on_the_reply() -> None:
    endless = Request(messages=ASKED.messages, model="m")
    assert asyncio.run(Spending().reserve(endless)).completion_tokens == 0
    with pytest.raises(ConfigError, match="--max-tokens"):
        asyncio.run(Spending(max_tokens_total=10**6).reserve(endless))


@pytest.mark.parametrize("limits", [{"max_tokens_total": 449}, {"max_cost": 0.0349}])
def test_the_request_that_might_break_a_limit_is_not_sent(limits: dict[str, Any]) -> None:
    """Each may take 200 tokens, or 2 cents, and then takes 50 or half a cent."""

    spending = Spending(**limits, prices=Prices(100.0, 100.0))

    async def run() -> None:
        while True:
            spending.settle(await spending.reserve(ASKED), reply(30, 20, 0.005))

    with pytest.raises(ModelUnavailable, match=r"is used up: .* raise the limit"):
        asyncio.run(run())
    # 250 + 200 tokens are over the limit; so are 1.5 + 2 cents.
    assert spending.tokens == {"max_tokens_total": 250}.get(*limits, 150)
    assert spending.requests == spending.tokens // 50


def test_no_dollars_are_told_of_requests_that_came_to_nothing() -> None:
    spending = Spending()
    spending.release(asyncio.run(spending.reserve(ASKED)))
    assert spent(spending) == "1 request, 0 + 0 tokens"
    spending.settle(asyncio.run(spending.reserve(ASKED)), reply(30, 20, 0.005))
    assert spent(spending) == "2 requests, 30 + 20 tokens, 0.0050 dollars"


@pytest.mark.parametrize("limits", [{"max_tokens_total": 10}, {"max_cost": 0.0001}])
def test_a_limit_too_little_for_one_request_is_not_called_used_up(limits: dict[str, Any]) -> None:
    spending = Spending(**limits, prices=Prices(100.0, 100.0))
    with pytest.raises(ModelUnavailable, match=r"is too little for one request, .* raise the lim"):
        asyncio.run(spending.reserve(ASKED))


def test_what_is_under_way_counts_in_full_and_is_waited_for() -> None:
    async def run() -> list[str]:
        spending, seen = Spending(max_tokens_total=2 * (PROMPT + 100) + 20), []

        async def one(name: str) -> None:
            hold = await spending.reserve(ASKED)
            seen.append(f"{name} sent")
            await asyncio.sleep(0.01)
            seen.append(f"{name} done")
            spending.settle(hold, reply(10, 0))

        await asyncio.gather(*(one(name) for name in "abc"))
        return seen

    # Two fit; the third is sent when the first has turned out cheap.
    assert asyncio.run(run())[:4] == ["a sent", "b sent", "a done", "b done"]


def test_many_under_way_never_break_the_limit() -> None:
    """With replies as long as they may be, the limit is reached and not passed."""

    async def run() -> Spending:
        spending = Spending(max_tokens_total=1500)

        async def one() -> None:
            hold = await spending.reserve(ASKED)
            await asyncio.sleep(0)
            spending.settle(hold, reply(PROMPT, 100))

        results = await asyncio.gather(*(one() for _ in range(30)), return_exceptions=True)
        stopped = [result for result in results if result is not None]
        assert len(stopped) == 23
        assert all(isinstance(result, ModelUnavailable) for result in stopped)
        return spending

    assert asyncio.run(run()).tokens == 7 * 200


def test_what_was_lost_counts_as_spent() -> None:
    async def run() -> Spending:
        spending = Spending(prices=Prices(1.0, 1.0))
        spending.release(await spending.reserve(ASKED))
        spending.lose(await spending.reserve(ASKED))
        return spending

    spending = asyncio.run(run())
    assert (spending.requests, spending.tokens, spending.estimated) == (2, PROMPT + 100, 1)
    assert math.isclose(spending.cost, 200e-6)


@pytest.mark.parametrize("cost", [None, 0.5])
def test_a_cost_that_is_not_known_is_not_called_nothing(cost: float | None) -> None:
    async def run() -> Spending:
        spending = Spending()
        spending.settle(await spending.reserve(ASKED), reply(1, 1, cost))
        return spending

    spending = asyncio.run(run())
    assert (spending.cost_known, spending.cost) == (cost is not None, cost or 0.0)
