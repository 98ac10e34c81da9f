"""Recursion on nested lists of anything: false values stay, and only lists are opened."""
from typing import Any, List


def flatten_nested(items: List[Any]) -> List[Any]:
    """Return all the items of a nested list in one flat list, from left to right.

    Lists are opened at every depth. Everything else stays whole, be it a text, a tuple or None.

    >>> flatten_nested([1, [2, [3]], []])
    [1, 2, 3]
    """
    flat = []
    for item in items:
        if isinstance(item, list):
            flat.extend(flatten_nested(item))
        else:
            flat.append(item)
    return flat


def reference_stack(items: List[Any]) -> List[Any]:
    flat = []
    waiting = [items]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item))
        else:
            flat.append(item)
    return flat


def contract(items: List[Any]) -> None:
    # Level by level, so that even a list that is far too deep is refused and not followed.
    total = 0
    level = [items]
    for _ in range(30):
        total += sum(map(len, level))
        assert total <= 500
        level = [item for inner in level for item in inner if isinstance(item, list)]
    assert not level


def test_examples() -> None:
    assert flatten_nested([1, [2, [3]], []]) == [1, 2, 3]
    assert flatten_nested([["ab"], "c"]) == ["ab", "c"]
    assert flatten_nested([[[4]], 5]) == [4, 5]
    assert flatten_nested([]) == []


def wrong_two_levels(items):
    """Opens lists in lists, but no deeper ones."""
    once = [x for item in items for x in (item if isinstance(item, list) else [item])]
    return [x for item in once for x in (item if isinstance(item, list) else [item])]


def wrong_opens_tuples(items):
    """Opens tuples as well."""
    flat = []
    for item in items:
        flat.extend(wrong_opens_tuples(item) if isinstance(item, (list, tuple)) else [item])
    return flat


def wrong_drops_false_values(items):
    """Tests items for truth to skip empty lists; 0, '' and None go with them."""
    flat = []
    for item in items:
        if isinstance(item, list):
            flat += wrong_drops_false_values(item)
        elif item:
            flat.append(item)
    return flat


def wrong_drops_repeats(items):
    """Keeps only the first of equal items."""
    flat = []
    for item in items:
        for x in wrong_drops_repeats(item) if isinstance(item, list) else [item]:
            if x not in flat:
                flat.append(x)
    return flat
