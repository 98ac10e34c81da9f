"""``plusforge regenerate --live``: ``plusforge seed`` first, so that its replies are replayed."""

from __future__ import annotations

from typing import Any

import click
from plusforge.oracle.errors import ConfigError

FAULTY_DATA = 3
"""Exit status of ``seed``: a request came to nothing."""


def ask_first(bench: str, model: str | None, base_url: str | None, options: dict[str, Any]) -> None:
    """Run ``plusforge seed``; requests that come to nothing do not keep the suite from being made.

    Args:
        bench: The benchmark.
        model: Name of the model.
        base_url: The server; None for the usual one.
        options: Those of ``regenerate``.

    Raises:
        ConfigError: No model is named, or nothing shall be replayed.
        ModelUnavailable: The model cannot be asked.
    """
    if model is None:
        raise ConfigError("--live needs --model, the name of the model to ask")
    if options["blind"]:
        raise ConfigError("--blind leaves out what --live would ask for: give one of the two")
    arguments = [bench, "--model", model]
    passed = {name: options[name] for name in ("tasks", "data", "recordings")}
    for name, value in {"base-url": base_url, **passed}.items():
        arguments += [f"--{name}", str(value)] if value is not None else []
    context = click.get_current_context().find_root()
    group = context.command
    # By way of the group, which imports the client of models only now.
    seed = group.get_command(context, "seed") if isinstance(group, click.Group) else None
    if seed is None:
        raise RuntimeError("there is no command 'seed'")
    try:
        seed.main([*arguments, *(["--quiet"] if options["quiet"] else [])], standalone_mode=False)
    except SystemExit as exc:
        if exc.code != FAULTY_DATA:
            raise
