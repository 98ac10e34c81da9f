"""pass@k against its definition in rational arithmetic, for every small n, c and k."""

import math
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from plusforge.oracle.passk import mean_and_error, pass_at_k

TRIPLES = [(n, c, k) for n in range(1, 61) for c in range(n + 1) for k in range(1, n + 1)]


def exact(n: int, c: int, k: int) -> Fraction:
    """``1 - C(n - c, k) / C(n, k)`` without any rounding."""
    return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))


def test_every_small_case_is_the_rounded_exact_value() -> None:
    wrong = [(n, c, k) for n, c, k in TRIPLES if pass_at_k(n, c, k) != float(exact(n, c, k))]
    assert not wrong


def test_the_formula_counts_draws() -> None:
    for n, c, k in [(5, 2, 3), (6, 1, 2), (7, 3, 1), (4, 4, 2), (4, 0, 2)]:
        draws = list(combinations(range(n), k))  # samples 0 to c - 1 are the right ones
        lucky = sum(min(draw) < c for draw in draws)
        assert pass_at_k(n, c, k) == lucky / len(draws)


@given(st.data())
def test_large_numbers_keep_the_laws(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 10**6))
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, min(n, 200)))
    score = pass_at_k(n, c, k)
    assert score is not None
    assert 0.0 <= score <= 1.0
    assert pass_at_k(n, c, 1) == c / n
    if c < n:
        more = pass_at_k(n, c + 1, k)
        assert more is not None
        assert score <= more
    if k < n:
        wider = pass_at_k(n, c, k + 1)
        assert wider is not None
        assert score <= wider


@given(st.lists(st.integers(0, 60).map(lambda c: c / 60), min_size=2, max_size=40))
def test_mean_and_error_are_the_exact_ones(values: list[float]) -> None:
    mean, error = mean_and_error(values)
    assert mean is not None
    assert error is not None
    rational = [Fraction(value) for value in values]
    middle = sum(rational) / len(rational)
    variance = sum((value - middle) ** 2 for value in rational) / (len(rational) - 1)
    assert math.isclose(mean, middle, rel_tol=1e-15, abs_tol=0)
    assert math.isclose(error, math.sqrt(variance / len(rational)), rel_tol=1e-9, abs_tol=1e-15)
