"""The exception tree and nothing else.

A bad *candidate* is never an exception: it is a counted rejection. These are for bad data, bad
configuration and broken machines. Every message says where, what was got, what was expected and
what to do next. ``exit_code`` is the process status the command line ends with.
"""

from __future__ import annotations


class PlusforgeError(Exception):
    """Root of everything this package raises on purpose."""

    exit_code = 3


class ConfigError(PlusforgeError):
    """The caller asked for something that does not exist or does not fit. Fix the call."""

    exit_code = 2


class DataError(PlusforgeError):
    """A file does not hold what its format promises. Fix or re-fetch the file it names."""


class ValueCodecError(DataError):
    """A value has no tagged encoding, or an encoding has no value."""


class TaskError(DataError):
    """One task cannot be used; the others go on. The message becomes its ``why``.

    Attributes:
        where: File and line of the culprit, when that is not the entry point.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        """Make an error; the message says what was got, what was expected and what to do."""
        super().__init__(message)
        self.where = where


class EnvironmentFault(PlusforgeError):
    """The machine refused: no sandbox, no network, no space. The message says what to change."""

    exit_code = 4


class SandboxError(EnvironmentFault):
    """A sandbox process could not be started or was lost twice in a row."""


class OutputError(EnvironmentFault):
    """A result could not be written; whatever stood there before is untouched."""


class LiteralError(DataError):
    """A source expression is not a constant plain value (or a far too large one)."""
