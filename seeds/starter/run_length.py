"""Runs of equal characters in text: case, blanks, long runs and runs that come back."""
import itertools
from typing import List, Tuple


def run_length(text: str) -> List[Tuple[str, int]]:
    """Return the runs of a text as pairs (character, length), from left to right.

    A run is as many equal characters in a row as possible. Upper and lower case differ.

    >>> run_length("aaab")
    [('a', 3), ('b', 1)]
    """
    runs: List[Tuple[str, int]] = []
    for char in text:
        if runs and runs[-1][0] == char:
            runs[-1] = (char, runs[-1][1] + 1)
        else:
            runs.append((char, 1))
    return runs


def reference_groupby(text: str) -> List[Tuple[str, int]]:
    return [(char, len(list(run))) for char, run in itertools.groupby(text)]


def contract(text: str) -> None:
    assert len(text) <= 500


def test_examples() -> None:
    assert run_length("aaab") == [("a", 3), ("b", 1)]
    assert run_length("xyz") == [("x", 1), ("y", 1), ("z", 1)]
    assert run_length("...!!") == [(".", 3), ("!", 2)]
    assert run_length("") == []


def wrong_counts_the_whole_text(text):
    """Counts each character over the whole text: a run that comes back is lost."""
    return [(char, text.count(char)) for char in dict.fromkeys(text)]


def wrong_ignores_case(text):
    """Joins 'a' and 'A' into one run."""
    groups = itertools.groupby(text, key=str.lower)
    return [(char, len(list(run))) for char, run in groups]


def wrong_strips_blanks(text):
    """Strips the text, although blanks at its ends are runs too."""
    return [(char, len(list(run))) for char, run in itertools.groupby(text.strip())]


def wrong_one_digit_lengths(text):
    """Starts a new run after nine characters, as compressed text with one digit has it."""
    runs = []
    for char in text:
        if runs and runs[-1][0] == char and runs[-1][1] < 9:
            runs[-1] = (char, runs[-1][1] + 1)
        else:
            runs.append((char, 1))
    return runs
