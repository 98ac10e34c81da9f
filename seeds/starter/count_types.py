"""A list of anything: True is no number, None is a value and bytes are no text."""
from typing import Any, List, Tuple


def count_types(items: List[Any]) -> Tuple[int, int, int, int]:
    """Return how many items are numbers, texts, truth values and anything else, in this order.

    Numbers are int, float and complex; texts are str; truth values are True and False, which are
    not counted as numbers. Everything else is None, bytes and containers; a container counts as
    one item and is not looked into.

    >>> count_types([2, "a", True, 2.5])
    (2, 1, 1, 0)
    """
    counts = [0, 0, 0, 0]
    for item in items:
        if isinstance(item, bool):
            counts[2] += 1
        elif isinstance(item, (int, float, complex)):
            counts[0] += 1
        elif isinstance(item, str):
            counts[1] += 1
        else:
            counts[3] += 1
    return tuple(counts)


def reference_by_type(items: List[Any]) -> Tuple[int, int, int, int]:
    types = [type(item) for item in items]
    numbers = types.count(int) + types.count(float) + types.count(complex)
    texts, truths = types.count(str), types.count(bool)
    return numbers, texts, truths, len(types) - numbers - texts - truths


def contract(items: List[Any]) -> None:
    assert len(items) <= 100


def test_examples() -> None:
    assert count_types([2, "a", True, 2.5]) == (2, 1, 1, 0)
    assert count_types([[7, 8]]) == (0, 0, 0, 1)
    assert count_types(["x", "y", "z"]) == (0, 3, 0, 0)
    assert count_types([]) == (0, 0, 0, 0)


def _sort_out(items, numbers, texts):
    kinds = [type(item) for item in items]
    counts = [sum(kind in family for kind in kinds) for family in (numbers, texts, [bool])]
    return (*counts, len(kinds) - sum(counts))


def wrong_skips_none(items):
    """Leaves None out as if it were no item."""
    found = [item for item in items if item is not None]
    return _sort_out(found, [int, float, complex], [str])


def wrong_skips_false_values(items):
    """Tests the items for truth: 0, '' and False are lost."""
    return _sort_out([item for item in items if item], [int, float, complex], [str])


def wrong_bytes_are_texts(items):
    """Counts bytes with the texts."""
    return _sort_out(items, [int, float, complex], [str, bytes])


def wrong_complex_is_something_else(items):
    """Knows two types of numbers only."""
    return _sort_out(items, [int, float], [str])


def wrong_drops_repeats(items):
    """Drops repeated items first, and True == 1 == 1.0 is such a repeat."""
    found = [item for index, item in enumerate(items) if item not in items[:index]]
    return _sort_out(found, [int, float, complex], [str])


def wrong_false_is_no_truth_value(items):
    """Finds truth values with 'is True', so that False is counted among the rest."""
    numbers, texts, truths, others = _sort_out(items, [int, float, complex], [str])
    false = sum(item is False for item in items)
    return numbers, texts, truths - false, others + false
