"""Text with punctuation, case and apostrophes to a dict of counts."""
import re
from typing import Dict

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _counts(words):
    return {word: words.count(word) for word in words}


def word_frequencies(text: str) -> Dict[str, int]:
    """Return how often each word occurs in an English text, case ignored.

    The text is ASCII. A word is a longest possible run of letters, where an apostrophe that
    stands between two letters belongs to the word (don't). Everything else, digits included,
    only separates words. The keys are in lower case.

    >>> word_frequencies("Well, well!")
    {'well': 2}
    >>> word_frequencies("The cat saw the dog.")
    {'the': 2, 'cat': 1, 'saw': 1, 'dog': 1}
    """
    return _counts(re.findall("[a-z]+(?:'[a-z]+)*", text.lower()))


def reference_scanner(text: str) -> Dict[str, int]:
    words = [""]
    padded = f" {text.lower()} "
    for before, char, after in zip(padded, padded[1:], padded[2:]):
        if char in _LETTERS or (char == "'" and before in _LETTERS and after in _LETTERS):
            words[-1] += char
        else:
            words.append("")
    return _counts([word for word in words if word])


def contract(text: str) -> None:
    assert text.isascii() and len(text) <= 300


def test_examples() -> None:
    assert word_frequencies("Well, well!") == {"well": 2}
    assert word_frequencies("The cat saw the dog.") == {"the": 2, "cat": 1, "saw": 1, "dog": 1}
    assert word_frequencies("To be, or not to be: that is it.") == {
        "to": 2, "be": 2, "or": 1, "not": 1, "that": 1, "is": 1, "it": 1
    }
    assert word_frequencies("") == {}


def wrong_splits_at_blanks_only(text):
    """Strips punctuation from blank-separated pieces: 'one,two' stays one word."""
    pieces = [piece.strip(".,;:!?\"'()-0123456789") for piece in text.lower().split()]
    return _counts([piece for piece in pieces if piece])


def wrong_splits_at_apostrophes(text):
    """Makes two words of don't."""
    return _counts(re.findall("[a-z]+", text.lower()))


def wrong_keeps_quotes(text):
    """Takes the quotes around 'hello' for apostrophes of the word."""
    return _counts(re.findall("[a-z][a-z']*|'[a-z']*[a-z']", text.lower()))


def wrong_digits_are_letters(text):
    """Counts 2nd and 42 as words, as \\w does."""
    return _counts(re.findall("[a-z0-9_]+(?:'[a-z0-9_]+)*", text.lower()))


def wrong_lowers_capitalised_words_only(text):
    """Folds the case of words like The, but keeps THE and iPad as they are."""
    words = re.findall("[A-Za-z]+(?:'[A-Za-z]+)*", text)
    return _counts([word.lower() if word.istitle() else word for word in words])
