"""What a valid input is, what the right answer is, and how programs are run to find out."""

if not __name__.startswith("plusforge."):
    raise ImportError(
        f"imported as {__name__!r}: use 'plusforge.oracle' (run 'make venv' once to install it)"
    )
