"""Words of messages that depend on a number."""

from __future__ import annotations


def plural(number: float, noun: str) -> str:
    """Return a noun as it stands after a number: ``1 task``, ``0 tasks``, ``2 tasks``.

    Args:
        number: What the message counts.
        noun: The singular; its plural ends in ``s``.
    """
    return noun if number == 1 else f"{noun}s"
