"""Interval pairs with lo <= hi: contained, touching, equal, single points, in any order."""
from typing import List, Tuple


def merge_intervals(intervals: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    """Return the union of closed intervals as few intervals, in ascending order.

    An interval (lo, hi) has lo <= hi and contains both ends. Intervals that share at least one
    point are merged into one; (1, 2) and (3, 4) share no point and stay apart.

    >>> merge_intervals([(1, 4), (3, 6), (8, 9)])
    [(1, 6), (8, 9)]
    """
    merged: List[Tuple[int, int]] = []
    for lo, hi in sorted(intervals):
        if merged and lo <= merged[-1][1]:
            lo, hi = merged[-1][0], max(merged.pop()[1], hi)
        merged.append((lo, hi))
    return merged


def reference_insert_one_by_one(intervals: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    merged: List[Tuple[int, int]] = []
    for lo, hi in intervals:
        met = [other for other in merged if other[0] <= hi and lo <= other[1]]
        merged = [other for other in merged if other not in met]
        merged.append((min([lo, *(a for a, _ in met)]), max([hi, *(b for _, b in met)])))
    return sorted(merged)


def reference_count_open(intervals: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    # At one point the starts (0) come before the ends (1), so touching intervals stay open.
    events = sorted([(lo, 0) for lo, _ in intervals] + [(hi, 1) for _, hi in intervals])
    merged = []
    depth = start = 0
    for point, is_end in events:
        if depth == 0:
            start = point
        depth += -1 if is_end else 1
        if depth == 0:
            merged.append((start, point))
    return merged


def contract(intervals: List[Tuple[int, int]]) -> None:
    assert len(intervals) <= 60
    assert all(lo <= hi for lo, hi in intervals)


def test_examples() -> None:
    assert merge_intervals([(1, 4), (3, 6), (8, 9)]) == [(1, 6), (8, 9)]
    assert merge_intervals([(1, 2), (5, 7)]) == [(1, 2), (5, 7)]
    assert merge_intervals([(0, 5)]) == [(0, 5)]
    assert merge_intervals([]) == []


def wrong_takes_order_for_granted(intervals):
    """Does not sort."""
    merged = []
    for lo, hi in intervals:
        if merged and lo <= merged[-1][1]:
            lo, hi = merged[-1][0], max(merged.pop()[1], hi)
        merged.append((lo, hi))
    return merged


def wrong_end_of_the_last(intervals):
    """Takes the end of the later interval, even when the earlier one contains it."""
    merged = []
    for lo, hi in sorted(intervals):
        if merged and lo <= merged[-1][1]:
            lo = merged.pop()[0]
        merged.append((lo, hi))
    return merged


def wrong_touching_stay_apart(intervals):
    """Compares with < and keeps intervals apart that share just one point."""
    merged = []
    for lo, hi in sorted(intervals):
        if merged and lo < merged[-1][1]:
            lo, hi = merged[-1][0], max(merged.pop()[1], hi)
        merged.append((lo, hi))
    return merged


def wrong_joins_neighbours(intervals):
    """Joins (1, 2) and (3, 4) as if only whole numbers counted."""
    merged = []
    for lo, hi in sorted(intervals):
        if merged and lo <= merged[-1][1] + 1:
            lo, hi = merged[-1][0], max(merged.pop()[1], hi)
        merged.append((lo, hi))
    return merged
