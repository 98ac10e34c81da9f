"""Primes with exponents: squares of primes, a large last prime, and 1, which has none."""
import math
from typing import List, Tuple


def _count(factors):
    return [(factor, factors.count(factor)) for factor in sorted(set(factors))]


def _split(number):
    """Return the prime factors of a number, from the two divisors nearest to its root."""
    for divisor in range(math.isqrt(number), 1, -1):
        if number % divisor == 0:
            return _split(divisor) + _split(number // divisor)
    return [number]


def prime_factors(number: int) -> List[Tuple[int, int]]:
    """Return the primes that divide a number, each with its exponent, the smallest prime first.

    The product of all prime ** exponent is the number, which is from 1 to 1000000.

    >>> prime_factors(360)
    [(2, 3), (3, 2), (5, 1)]
    """
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        exponent = 0
        while number % divisor == 0:
            number //= divisor
            exponent += 1
        if exponent:
            factors.append((divisor, exponent))
        divisor += 1
    if number > 1:
        factors.append((number, 1))
    return factors


def reference_divisors_at_the_root(number: int) -> List[Tuple[int, int]]:
    return _count(_split(number)) if number > 1 else []


def contract(number: int) -> None:
    assert 1 <= number <= 1000000


def test_examples() -> None:
    assert prime_factors(360) == [(2, 3), (3, 2), (5, 1)]
    assert prime_factors(7) == [(7, 1)]
    assert prime_factors(30) == [(2, 1), (3, 1), (5, 1)]
    assert prime_factors(97) == [(97, 1)]


def wrong_stops_before_the_root(number):
    """Loops while divisor * divisor < number, so that 25 passes for a prime."""
    factors = []
    divisor = 2
    while divisor * divisor < number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return _count(factors + [number] * (number > 1))


def wrong_one_is_a_factor(number):
    """Does not see that 1 has no prime factor."""
    return _count(_split(number))


def wrong_small_primes_only(number):
    """Knows the primes below 100 and takes what is left over for a prime."""
    factors = []
    for divisor in range(2, 100):
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
    return _count(factors + [number] * (number > 1))


def wrong_half_a_wheel(number):
    """Divides by 2, 3 and every sixth number from 5 on: 7 and 13 are never tried."""
    factors = []
    for divisor in [2, 3, *range(5, 1000, 6)]:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
    return _count(factors + [number] * (number > 1))
