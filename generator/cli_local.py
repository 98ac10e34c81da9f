"""``plusforge local-model``: a model on this machine for whoever has no other."""

from __future__ import annotations

import logging
from pathlib import Path

import click
from plusforge.generator.cli_options import FilledPath
from plusforge.generator.localmodel import fetch_model, own_model
from plusforge.generator.modelserver import LOOPBACK, ServerSettings, require_server, serve
from plusforge.generator.stdout import print_result

LOG = logging.getLogger(__name__)

DEFAULTS = ServerSettings()


@click.command("local-model")
@click.option(
    "--gguf",
    type=FilledPath(path_type=Path, dir_okay=False),
    help="Model file [default: SmolLM2-135M-Instruct, fetched once].",
)
@click.option("--host", default=DEFAULTS.host, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULTS.port,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 512),
    default=DEFAULTS.threads,
    show_default=True,
    help="Threads that compute; no more than there are idle cores.",
)
@click.option(
    "--context",
    type=click.IntRange(256),
    default=DEFAULTS.context,
    show_default=True,
    help="Tokens of prompt and answer together.",
)
@click.option("--fetch-only", is_flag=True, help="Fetch the default model, print its path, end.")
def local_model(
    *, gguf: Path | None, host: str, port: int, threads: int, context: int, fetch_only: bool
) -> None:
    """Serve a GGUF model through an OpenAI-compatible API, without a key.

    Prints the base URL as one line once requests are answered; SIGINT and SIGTERM end it with
    status 0. Needs xllamacpp, which comes with the extra plusforge[local].
    """
    logging.getLogger("plusforge").setLevel(logging.INFO)
    if fetch_only:
        if gguf is not None:
            raise click.UsageError("--fetch-only is about the default model: leave --gguf out")
        print_result(f"{fetch_model()}\n")
        return
    require_server()  # before a long download
    model = fetch_model() if gguf is None else own_model(gguf)
    if host not in (LOOPBACK, "::1", "localhost"):
        LOG.warning("--host %s: whoever reaches this port may use the model", host)
    LOG.info("loading %s", model)
    settings = ServerSettings(host=host, port=port, threads=threads, context=context)
    serve(model, settings, lambda url: print_result(f"{url}\n"))
