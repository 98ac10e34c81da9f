"""The settings of one run: what the command line can change, and the constants it cannot."""

from __future__ import annotations

from dataclasses import dataclass

from plusforge.oracle.errors import ConfigError

DEFAULT_BUDGET = 1000
POOL_FACTOR = 2
"""Inputs that pass the sieve for each one published: the best ones are chosen among them."""

TRIES_PER_INPUT = 40
"""Attempts allowed for each input of the pool; a task that needs more is as good as saturated."""

BATCH = 250
"""Candidates judged at once. Part of the result: parents are chosen between batches."""

SMALL_SCOPE = 500
"""Small-scope candidates tried before mutation starts."""

NEAR_MISSES = 400
"""Near misses of valid strings tried where exceptions are promised."""

CORNERS = 600
"""Corners of dates, times and carries tried, where strings of base inputs hold several numbers."""

KILLERS_SHARE = 0.25
"""Share of the candidates that are made from inputs which killed something first."""

CALM = 4
"""The search ends with a full pool once the last one in so many parts of it killed nothing new."""

QUIET_TRIES = 6000
"""Attempts in a row without anything new after which a small domain counts as saturated."""

STEP_BUDGET = 10_000_000
"""Deterministic steps a task may spend in the sieve: a few CPU seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings of one run.

    Attributes:
        budget: Plus inputs kept for a task, at most.
        seed: Root of every random stream.
        jobs: Worker processes. Never changes the result.
        blind: True to start from the base inputs alone, without recorded seeds.
        released_inputs: True when the tasks' seeds hold released plus inputs.
        tries_factor: Multiplies every limit on attempts (used to study saturation).
    """

    budget: int = DEFAULT_BUDGET
    seed: int = 0
    jobs: int = 1
    blind: bool = False
    released_inputs: bool = False
    tries_factor: int = 1

    def __post_init__(self) -> None:
        """Refuse settings that make no sense."""
        for name in ("budget", "jobs", "tries_factor"):
            if getattr(self, name) < 1:
                raise ConfigError(
                    f"--{name.replace('_', '-')} is {getattr(self, name)}: give 1 or more"
                )

        if self.blind and self.released_inputs:
            raise ConfigError(
                "--blind leaves out all seeds, --released-inputs adds some: give one of the two"
            )

    @property
    def pool(self) -> int:
        """Inputs that shall pass the sieve before the search stops."""
        return self.budget * POOL_FACTOR
