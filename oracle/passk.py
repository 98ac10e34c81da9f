"""The unbiased estimator of pass@k, its average over tasks, and how sure that average is.

Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return ``1 - C(n - c, k) / C(n, k)``: the chance that k of n samples hold a right one.

    The quotient is the product of ``1 - k / i`` for ``i`` from ``n - c + 1`` to ``n``. It is
    computed with whole numbers and rounded once, so it is exact to the last bit and nothing
    overflows.

    Args:
        n: Number of samples.
        c: Number of right ones among them.
        k: Number of draws.

    Returns:
        The estimate, or None where it is not defined: ``k > n``.

    Raises:
        ValueError: Not ``0 <= c <= n`` and ``k >= 1``.
    """
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"n={n}, c={c}, k={k}: expected 0 <= c <= n and k >= 1")
    if k > n:
        return None
    if n - c < k:
        return 1.0
    k, c = sorted((k, c))  # the two may change places, and the smaller is the cheaper to draw
    return (math.comb(n, k) - math.comb(n - c, k)) / math.comb(n, k)


def mean_and_error(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the average over tasks and its standard error.

    Args:
        values: One estimate a task.

    Returns:
        The mean (None of nothing), and the sample deviation over the root of the number of tasks
        (None for fewer than two).
    """
    count = len(values)
    if count == 0:
        return None, None
    mean = math.fsum(values) / count
    if count == 1:
        return mean, None
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    return mean, math.sqrt(variance / count)
