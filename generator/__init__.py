"""Turns seeds into candidates, asks the oracle, and publishes the suites."""

if not __name__.startswith("plusforge."):
    raise ImportError(
        f"imported as {__name__!r}: use 'plusforge.generator' (run 'make venv' once to install it)"
    )
