"""The pass@k estimator where it has a definite value, and where it has none."""

import math
import time

import pytest
from plusforge.oracle.passk import mean_and_error, pass_at_k


@pytest.mark.parametrize(
    ("n", "c", "k", "score"),
    [
        (1, 0, 1, 0.0),
        (1, 1, 1, 1.0),
        (10, 3, 1, 0.3),
        (10, 3, 10, 1.0),
        (200, 0, 100, 0.0),
        (5, 2, 3, 0.9),
        (10, 1, 9, 0.9),  # fewer wrong samples than draws is not the only way to be exact
        (3, 2, 2, 1.0),
        (10**6, 0, 10**6, 0.0),
        (10**6, 1, 10**6, 1.0),
        (10**6, 1, 100, 1e-4),
        (10**6, 10**6, 1, 1.0),
    ],
)
def test_known_values(n: int, c: int, k: int, score: float) -> None:
    assert pass_at_k(n, c, k) == score


@pytest.mark.parametrize("k", [2, 10, 10**9])
def test_more_draws_than_samples_is_undefined(k: int) -> None:
    assert pass_at_k(1, 1, k) is None


def test_large_n_neither_overflows_nor_takes_long() -> None:
    start = time.process_time()
    score = pass_at_k(10**6, 10, 500_000)
    assert score is not None
    assert math.isclose(score, 1 - 2.0**-10, rel_tol=1e-5)
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (-1, 0, 1)])
def test_nonsense_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= c <= n"):
        pass_at_k(n, c, k)


def test_mean_and_error() -> None:
    assert mean_and_error([]) == (None, None)
    assert mean_and_error([0.25]) == (0.25, None)
    assert mean_and_error([1.0, 0.0]) == (0.5, 0.5)
    assert mean_and_error([0.5, 0.5, 0.5]) == (0.5, 0.0)
    assert mean_and_error([0.1] * 10)[0] == 0.1  # a running sum would give 0.09999999999999999
