"""A model behind an OpenAI-compatible server, which is llama.cpp's own.

It runs inside this process, so nothing is left behind when the process ends, however it ends.
Only this module knows xllamacpp, which is optional.
"""

from __future__ import annotations

import logging
import os
import shlex
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plusforge.oracle.errors import ConfigError, EnvironmentFault

_absent: ImportError | None = None
try:
    import xllamacpp
except ImportError as exc:  # not installed, or its binary does not load on this system
    _absent = exc

LOG = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"

_ERRORS_AND_WARNINGS = 2
"""llama.cpp's log level; from 3 on it writes several lines for each request."""

_STOPS = {signal.SIGINT, signal.SIGTERM}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a model is served.

    Attributes:
        host: Name or address to listen on.
        port: 0 for one that is free.
        threads: That compute; more than the idle cores are slower by far, for they wait spinning.
        context: Tokens of prompt and answer together.
    """

    host: str = LOOPBACK
    port: int = 0
    threads: int = 1
    context: int = 4096


def require_server() -> None:
    """Find out whether models can be served at all.

    Raises:
        EnvironmentFault: xllamacpp is absent or does not load.
    """
    if _absent is not None:
        raise EnvironmentFault(
            f"a local model needs xllamacpp, which cannot be imported ({_absent}); install it with "
            f"`{shlex.quote(sys.executable)} -m pip install xllamacpp`, or use a server of your own"
        )


def serve(model: Path, settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Serve a model until SIGINT or SIGTERM, then end this process with status 0.

    Answers are a function of the request alone: requests are computed one at a time, and no
    prompt is taken from the cache of an earlier one, which would change an answer's last digits
    and with them its words.

    Args:
        model: A GGUF file.
        settings: Where and how.
        announce: Told the base URL once requests are answered.

    Raises:
        ConfigError: There is no such host.
        EnvironmentFault: xllamacpp is absent, the port is taken, or llama.cpp cannot use the file.
    """
    require_server()
    _check_port(settings)
    # Held back before llama.cpp starts its threads, which inherit that, so the signals wait for
    # sigwait: its own handlers would wait, too, namely for every client to get its answer.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        server = _start(model, settings)
        announce(_base_url(settings.host, server.listening_address))
        signal.sigwait(_STOPS)
        # An orderly end would wait for unfinished answers as well. There is nothing to save.
        os._exit(0)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(model: Path, settings: ServerSettings) -> Any:
    """Return llama.cpp's server, ready; it serves as long as the object lives."""
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {model.name.removesuffix(".gguf")}
    params.hostnames = [settings.host]
    params.port = settings.port
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings.threads
    params.n_ctx = settings.context
    params.n_parallel = 1
    params.cache_prompt = params.cache_idle_slots = False
    params.cache_ram_mib = 0
    params.cors_origins = "http://localhost"  # no page of a browser is to read what it answers
    params.ui = params.endpoint_slots = False
    params.offline = True
    params.verbosity = _ERRORS_AND_WARNINGS
    try:
        return xllamacpp.Server(params)
    except RuntimeError as exc:
        raise EnvironmentFault(
            f"{model}: llama.cpp cannot serve it; what it says of the reason stands above (a "
            "damaged file, an unknown architecture, too little memory for --context?)"
        ) from exc


def _check_port(settings: ServerSettings) -> None:
    """Try the address first: llama.cpp would not say what is wrong with it."""
    where = f"--host {settings.host} --port {settings.port}"
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as exc:
        raise ConfigError(f"{where}: no such host ({exc}); leave --host out for loopback") from exc
    with socket.socket(family, kind, proto) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen()  # two may bind to an address, only one may listen
        except OSError as exc:
            raise EnvironmentFault(
                f"{where}: cannot listen there ({exc.strerror or exc}); take another port, or "
                "leave --port out for a free one"
            ) from exc


def _base_url(host: str, listening_address: str) -> str:
    """Return the address for clients; llama.cpp knows the port that was free."""
    port = listening_address.rpartition(":")[2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"
