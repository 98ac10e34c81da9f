"""A list of pairs sorted by two keys that run in opposite directions."""
from typing import List, Tuple


def sort_by_tuple_key(entries: List[Tuple[str, int]]) -> List[Tuple[str, int]]:
    """Return the (name, points) entries of a score table in the order of the ranking.

    Most points come first. Entries with equal points are sorted by name, in ascending order as
    Python compares texts. An entry that occurs twice stays twice in the table.

    >>> sort_by_tuple_key([("Ann", 3), ("Bob", 7), ("Cid", 3)])
    [('Bob', 7), ('Ann', 3), ('Cid', 3)]
    """
    return sorted(entries, key=lambda entry: (-entry[1], entry[0]))


def reference_two_stable_sorts(entries: List[Tuple[str, int]]) -> List[Tuple[str, int]]:
    by_name = sorted(entries)
    return sorted(by_name, key=lambda entry: entry[1], reverse=True)


def reference_insertion(entries: List[Tuple[str, int]]) -> List[Tuple[str, int]]:
    table: List[Tuple[str, int]] = []
    for name, points in entries:
        before = [p > points or (p == points and n <= name) for n, p in table]
        table.insert(before.count(True), (name, points))
    return table


def contract(entries: List[Tuple[str, int]]) -> None:
    assert len(entries) <= 60
    assert all(len(name) <= 60 for name, _ in entries)


def test_examples() -> None:
    assert sort_by_tuple_key([("Ann", 3), ("Bob", 7), ("Cid", 3)]) == [
        ("Bob", 7), ("Ann", 3), ("Cid", 3)
    ]
    assert sort_by_tuple_key([("x", 1), ("y", 2)]) == [("y", 2), ("x", 1)]
    assert sort_by_tuple_key([("Eve", 0)]) == [("Eve", 0)]
    assert sort_by_tuple_key([]) == []


def wrong_ties_in_input_order(entries):
    """Sorts by points only and relies on the input for the names."""
    return sorted(entries, key=lambda entry: entry[1], reverse=True)


def wrong_ties_without_case(entries):
    """Sorts 'ann' before 'Bob', though capitals come first."""
    return sorted(entries, key=lambda entry: (-entry[1], entry[0].lower(), entry[0]))


def wrong_one_entry_a_name(entries):
    """Puts the entries into a dict, where a name has one score only."""
    return sorted(dict(entries).items(), key=lambda entry: (-entry[1], entry[0]))


def wrong_points_as_text(entries):
    """Compares the points as text: 9 comes before 10."""
    ordered = sorted(entries)
    return sorted(ordered, key=lambda entry: str(entry[1]), reverse=True)


def wrong_largest_size_first(entries):
    """Ranks by the size of the points, so that -9 comes before 5."""
    return sorted(entries, key=lambda entry: (-abs(entry[1]), entry[0]))
