"""Options of the commands that ask a language model."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import click
from plusforge.generator.llm import Client
from plusforge.generator.spending import Prices, Spending
from plusforge.generator.transport import KEY_VARIABLE, URL_VARIABLE
from plusforge.oracle.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """What the command line says about the model.

    Attributes:
        model: Its name.
        base_url: Of the server, or None for OpenAI's.
        concurrency: Requests at once.
        timeout: Seconds for one attempt.
        retries: Further attempts after a failure that may pass.
        max_cost: US dollars, at most.
        max_tokens_total: Tokens of questions and answers, at most.
        price_in: US dollars per million tokens of questions.
        price_out: US dollars per million tokens of answers.
    """

    model: str
    base_url: str | None
    concurrency: int
    timeout: float
    retries: int
    max_cost: float | None
    max_tokens_total: int | None
    price_in: float | None
    price_out: float | None

    def client(self) -> Client:
        """Return a client; the key leaves the environment, so that no child process has it.

        Raises:
            ConfigError: The options contradict each other, or there is no key for OpenAI's server.
        """
        if (self.price_in is None) != (self.price_out is None):
            raise ConfigError("--price-in and --price-out: give both or neither")
        prices = None
        if self.price_in is not None and self.price_out is not None:
            prices = Prices(self.price_in, self.price_out)
        return Client(
            base_url=self.base_url,
            api_key=os.environ.pop(KEY_VARIABLE, None),
            timeout=self.timeout,
            concurrency=self.concurrency,
            retries=self.retries,
            spending=Spending(
                max_cost=self.max_cost, max_tokens_total=self.max_tokens_total, prices=prices
            ),
        )


_OPTIONS = [
    click.option("--model", required=True, help="Name of the model, as the server knows it."),
    click.option("--base-url", metavar="URL", envvar=URL_VARIABLE,
                 help=f"Server with chat completions, e.g. http://127.0.0.1:8000/v1 [default: "
                 f"${URL_VARIABLE}, then OpenAI's]. The key is taken from ${KEY_VARIABLE}."),
    click.option("--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True,
                 help="Requests at once, at most."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=120.0,
                 show_default=True, help="Seconds for one attempt, to its last byte."),
    click.option("--retries", type=click.IntRange(0, 100), default=5, show_default=True,
                 help="Further attempts after a failure that may pass."),
    click.option("--max-cost", type=float, metavar="USD",
                 help="Stop before this is spent; needs the prices."),
    click.option("--max-tokens-total", type=click.IntRange(1), metavar="N",
                 help="Stop before questions and answers take more tokens than this."),
    click.option("--price-in", type=float, metavar="USD",
                 help="Price of a million tokens of questions."),
    click.option("--price-out", type=float, metavar="USD",
                 help="Price of a million tokens of answers."),
]  # fmt: skip


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command takes them as one ``ModelOptions``, named ``asked``."""

    @functools.wraps(command)
    def wrapped(**options: Any) -> Any:
        taken = {field.name: options.pop(field.name) for field in fields(ModelOptions)}
        return command(asked=ModelOptions(**taken), **options)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
