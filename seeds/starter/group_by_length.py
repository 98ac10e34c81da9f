"""A dict of lists with int keys: order and repeats within the groups matter."""
import itertools
from typing import Dict, List


def group_by_length(words: List[str]) -> Dict[int, List[str]]:
    """Return the words grouped by their length.

    The keys are the lengths that occur. Each group keeps its words in the order of the input and
    as often as they occur there.

    >>> group_by_length(["be", "to", "a"])
    {2: ['be', 'to'], 1: ['a']}
    """
    groups: Dict[int, List[str]] = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    return groups


def reference_sorted_runs(words: List[str]) -> Dict[int, List[str]]:
    runs = itertools.groupby(sorted(words, key=len), key=len)
    return {length: list(run) for length, run in runs}


def contract(words: List[str]) -> None:
    assert len(words) <= 100
    assert all(len(word) <= 60 for word in words)


def test_examples() -> None:
    assert group_by_length(["be", "to", "a"]) == {2: ["be", "to"], 1: ["a"]}
    assert group_by_length(["ant", "bee", "cat"]) == {3: ["ant", "bee", "cat"]}
    assert group_by_length(["a", "of", "the"]) == {1: ["a"], 2: ["of"], 3: ["the"]}
    assert group_by_length([]) == {}


def wrong_drops_repeats(words):
    """Keeps a word once only, however often it occurs."""
    groups = {}
    for word in dict.fromkeys(words):
        groups.setdefault(len(word), []).append(word)
    return groups


def wrong_sorts_the_groups(words):
    """Sorts the words of a group."""
    groups = {}
    for word in sorted(words):
        groups.setdefault(len(word), []).append(word)
    return groups


def wrong_skips_the_empty_word(words):
    """Tests the word for truth, so that there is never a group 0."""
    groups = {}
    for word in words:
        if word:
            groups.setdefault(len(word), []).append(word)
    return groups


def wrong_groups_runs_only(words):
    """Groups without sorting first, so that the last run of a length replaces the earlier ones."""
    return {length: list(run) for length, run in itertools.groupby(words, key=len)}


def wrong_measures_without_blanks(words):
    """Strips the words before they are measured."""
    groups = {}
    for word in words:
        groups.setdefault(len(word.strip()), []).append(word)
    return groups
