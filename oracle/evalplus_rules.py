"""EvalPlus's own comparison rules (0.3.1), so that published verdicts can be compared with ours.

Facts about another program, its faults included: a tolerance that leaks from one test to all later
ones, a task whose every answer is right, special oracles picked by the name of the entry point.
What is not copied: 0.3.1 marks every sample of its polynomial-root task as failed, right ones too;
ragged and broadcast arrays; a tolerance leaked by an expected list longer than 16 KiB.

Nothing here takes part in a verdict unless ``--rules evalplus`` asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from plusforge.oracle.values import Args, Raised, Value

ENFORCED_ATOL = 1e-6
"""Absolute tolerance where floats are expected and the task states none."""

RTOL = 1e-7
"""Relative tolerance wherever an absolute one is in force."""

Oracle = Callable[[Value, Value, Args, float], bool]
"""Takes expected, got, the arguments and the task's tolerance. May raise: that is a no."""


def _poly(xs: Sequence[Any], x: Any) -> Any:
    return sum(coefficient * math.pow(x, power) for power, coefficient in enumerate(xs))


def _pyramid(base: Any, height: Any) -> Any:
    return round(base**2 + 2 * base * math.sqrt((base / 2) ** 2 + height**2))


def _digit_distance(one: Any, two: Any) -> int:
    width = max(len(str(one)), len(str(two)))
    digits = zip(str(one).zfill(width), str(two).zfill(width), strict=True)
    return sum(abs(int(a) - int(b)) for a, b in digits)


def _as_sets(expected: Any, got: Any, _args: Args, _atol: float) -> bool:
    return bool(set(got) == set(expected))


def _found(expected: Any, got: Any, _args: Args, _atol: float) -> bool:
    return bool(expected == got)


ORACLES: dict[str, Oracle] = {
    "are_equivalent": lambda expected, got, args, atol: True,
    "sum_div": lambda expected, got, args, atol: bool(expected == got) or bool(got == 0),
    "surface_Area": lambda expected, got, args, atol: (
        bool(expected == got) or bool(abs(got - _pyramid(*args)) <= atol)
    ),
    "digit_distance_nums": lambda expected, got, args, atol: (
        bool(expected == got) or got == _digit_distance(*args)
    ),
    "find_zero": lambda expected, got, args, atol: bool(abs(_poly(args[0], got)) <= atol),
    **dict.fromkeys(
        (
            "similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly",
            "larg_nnum", "intersection_array", "find_dissimilar", "Diff",
        ),
        _as_sets,
    ),
    **dict.fromkeys(("check_str", "text_match_three", "text_starta_endb"), _found),
}  # fmt: skip
"""The special oracles by entry point."""

FINAL = frozenset({"find_zero"})
"""Oracles whose no cannot be turned by the tolerance."""


def observed(entry_point: str) -> str:
    """Return what counts as the outcome of a task under these rules."""
    return "found" if ORACLES.get(entry_point) is _found else "result"


def is_floats(value: Value | Raised) -> bool:
    """Tell whether an expected value switches the tolerance on, for itself and all later ones."""
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def accepts(
    entry_point: str, expected: Value | Raised, got: Value | Raised, args: Args, atol: float,
    *, leaked: bool,
) -> bool:  # fmt: skip
    """Tell whether EvalPlus would accept an outcome.

    Args:
        entry_point: Picks the special oracle.
        expected: The reference's outcome.
        got: The sample's.
        args: The arguments, pristine.
        atol: The task's tolerance as released.
        leaked: An earlier expected value of the same part (base or plus) was all floats.
    """
    if isinstance(expected, Raised) or isinstance(got, Raised):
        return False
    try:
        oracle = ORACLES.get(entry_point)
        exact = expected == got if oracle is None else oracle(expected, got, args, atol)
        if entry_point in FINAL:
            return bool(exact)
        if atol == 0 and (leaked or is_floats(expected)):
            atol = ENFORCED_ATOL
        if exact or atol == 0:
            return bool(exact)
        if type(expected) is not type(got):
            return False
        return _all_close(expected, got, atol)
    except (ArithmeticError, TypeError, ValueError, RecursionError):
        return False


def _all_close(expected: Any, got: Any, atol: float) -> bool:
    """Compare arrays of numbers as numpy's ``allclose`` does."""
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(expected) == len(got)
            and all(_all_close(a, b, atol) for a, b in zip(expected, got, strict=True))
        )
    if not isinstance(expected, int | float | complex) or not isinstance(
        got, int | float | complex
    ):
        return False
    if expected == got:
        return True
    return abs(expected) != math.inf and abs(got - expected) <= atol + RTOL * abs(expected)
