"""Dict to dict: str keys become items, the ints of the lists become keys."""
from typing import Dict, List


def invert_index(index: Dict[str, List[int]]) -> Dict[int, List[str]]:
    """Return for each page of a book the words on it, from the index of the book.

    The index maps each word to the pages where it stands: numbers from 0, in any order, and a
    page may be listed more than once for a word. The result maps every page that is listed to
    its words, each once, sorted as Python sorts text.

    >>> invert_index({"ape": [1, 2], "bee": [2]})
    {1: ['ape'], 2: ['ape', 'bee']}
    """
    pages: Dict[int, List[str]] = {}
    for word in sorted(index):
        for page in dict.fromkeys(index[word]):
            pages.setdefault(page, []).append(word)
    return pages


def reference_page_by_page(index: Dict[str, List[int]]) -> Dict[int, List[str]]:
    listed = {page for pages in index.values() for page in pages}
    return {
        page: sorted(word for word in index if page in index[word]) for page in sorted(listed)
    }


def contract(index: Dict[str, List[int]]) -> None:
    assert len(index) <= 40
    assert sum(map(len, index.values())) <= 120
    assert all(page >= 0 for pages in index.values() for page in pages)


def test_examples() -> None:
    assert invert_index({"ape": [1, 2], "bee": [2]}) == {1: ["ape"], 2: ["ape", "bee"]}
    assert invert_index({"fox": [7, 3]}) == {7: ["fox"], 3: ["fox"]}
    assert invert_index({"a": [5], "b": [5], "c": [4, 5]}) == {5: ["a", "b", "c"], 4: ["c"]}
    assert invert_index({}) == {}


def wrong_keeps_the_order_of_the_index(index):
    """Takes for granted that the index is sorted."""
    pages = {}
    for word in index:
        for page in dict.fromkeys(index[word]):
            pages.setdefault(page, []).append(word)
    return pages


def wrong_repeats_words(index):
    """Writes a word twice on a page that is listed twice."""
    pages = {}
    for word in sorted(index):
        for page in index[word]:
            pages.setdefault(page, []).append(word)
    return pages


def wrong_sorts_without_case(index):
    """Sorts 'ape' before 'Zoo', though capitals come first in Python."""
    pages = {}
    for word in sorted(index, key=lambda word: (word.lower(), word)):
        for page in dict.fromkeys(index[word]):
            pages.setdefault(page, []).append(word)
    return pages


def wrong_no_page_zero(index):
    """Tests the page number for truth."""
    pages = {}
    for word in sorted(index):
        for page in dict.fromkeys(index[word]):
            if page:
                pages.setdefault(page, []).append(word)
    return pages
