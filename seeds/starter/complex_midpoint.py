"""Complex numbers in and out; the mean is a tempting wrong answer."""
import cmath
from typing import List

COMPARE = "close"
ATOL = 1e-6
RTOL = 1e-9


def complex_midpoint(points: List[complex]) -> complex:
    """Return the middle of the smallest upright rectangle that holds all the points.

    A complex number is a point of the plane, and the sides of the rectangle are parallel to the
    axes. There is at least one point. The result may be off by 0.000001.

    >>> complex_midpoint([1+2j, 3+8j])
    (2+5j)
    """
    reals = [point.real for point in points]
    imags = [point.imag for point in points]
    return complex(min(reals) + max(reals), min(imags) + max(imags)) / 2


def reference_grow_the_box(points: List[complex]) -> complex:
    low = high = points[0]
    for point in points[1:]:
        low = complex(min(low.real, point.real), min(low.imag, point.imag))
        high = complex(max(high.real, point.real), max(high.imag, point.imag))
    return low + (high - low) / 2


def contract(points: List[complex]) -> None:
    assert 1 <= len(points) <= 100
    assert all(cmath.isfinite(point) and abs(point) <= 1e6 for point in points)


def test_examples() -> None:
    assert complex_midpoint([1+2j, 3+8j]) == 2+5j
    assert complex_midpoint([4+1j]) == 4+1j
    assert complex_midpoint([0j, 2+0j, 2+2j, 2j]) == 1+1j
    assert complex_midpoint([-1-1j, 0j, 1+1j]) == 0


def wrong_mean(points):
    """Returns the mean of the points, which is the middle for two."""
    total = 0j
    for point in points:
        total += point
    return total / len(points)


def wrong_mean_of_distinct_points(points):
    """Returns the mean after it has dropped repeated points."""
    distinct = list(dict.fromkeys(points))
    total = 0j
    for point in distinct:
        total += point
    return total / len(distinct)


def wrong_maximum_starts_at_zero(points):
    """Starts the search for the upper right corner at 0, which is too far for negative points."""
    low, right, top = points[0], 0.0, 0.0
    for point in points:
        low = complex(min(low.real, point.real), min(low.imag, point.imag))
        right = max(right, point.real)
        top = max(top, point.imag)
    return (low + complex(right, top)) / 2


def wrong_extremes_of_sorted_pairs(points):
    """Sorts by the real part and takes the first and the last point for the corners."""
    ordered = sorted(points, key=lambda point: (point.real, point.imag))
    return (ordered[0] + ordered[-1]) / 2
