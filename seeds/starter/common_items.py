"""The order of the result is free; repeats, case and the empty text are where programs differ."""
from typing import List

COMPARE = "any_order"


def common_items(left: List[str], right: List[str]) -> List[str]:
    """Return the items that are in both lists, each of them once, in any order.

    Items are the same only when they are equal texts; upper and lower case differ.

    >>> sorted(common_items(["pen", "cup", "key"], ["key", "map", "pen"]))
    ['key', 'pen']
    """
    return sorted(set(left) & set(right))


def reference_loop(left: List[str], right: List[str]) -> List[str]:
    common: List[str] = []
    for item in left:
        if item in right and item not in common:
            common.append(item)
    return common


def contract(left: List[str], right: List[str]) -> None:
    assert len(left) <= 100 and len(right) <= 100


def test_examples() -> None:
    assert sorted(common_items(["pen", "cup", "key"], ["key", "map", "pen"])) == ["key", "pen"]
    assert sorted(common_items(["a"], ["b", "c"])) == []
    assert sorted(common_items(["x", "y"], ["y", "x"])) == ["x", "y"]
    assert sorted(common_items([], ["a"])) == []


def wrong_keeps_repeats(left, right):
    """Keeps an item as often as the left list has it."""
    return [item for item in left if item in right]


def wrong_ignores_case(left, right):
    """Compares in lower case."""
    lowered = {item.lower() for item in right}
    return [item for item in dict.fromkeys(left) if item.lower() in lowered]


def wrong_parts_of_items(left, right):
    """Searches in the joined text and finds items that are only parts of others."""
    text = " ".join(right)
    return [item for item in dict.fromkeys(left) if item in text]


def wrong_drops_empty_text(left, right):
    """Skips the empty text, which can be a common item."""
    return [item for item in dict.fromkeys(left) if item and item in right]
