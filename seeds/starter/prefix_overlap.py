"""Two related texts: the end of one is the beginning of the other."""


def prefix_overlap(left: str, right: str) -> str:
    """Return the longest text that left ends with and right begins with.

    It may be the whole of left or right, or empty. Upper and lower case differ.

    >>> prefix_overlap("abcd", "cdef")
    'cd'
    >>> prefix_overlap("abc", "xyz")
    ''
    """
    for length in range(min(len(left), len(right)), 0, -1):
        if left.endswith(right[:length]):
            return right[:length]
    return ""


def reference_failure_table(left: str, right: str) -> str:
    # Knuth, Morris, Pratt: border of right + left, where None keeps the two apart.
    chars = [*right, None, *left]
    border = [0] * len(chars)
    for index in range(1, len(chars)):
        length = border[index - 1]
        while length and chars[index] != chars[length]:
            length = border[length - 1]
        border[index] = length + (chars[index] == chars[length])
    return right[: border[-1]]


def contract(left: str, right: str) -> None:
    assert len(left) <= 200 and len(right) <= 200


def test_examples() -> None:
    assert prefix_overlap("abcd", "cdef") == "cd"
    assert prefix_overlap("abc", "xyz") == ""
    assert prefix_overlap("green tea", "tea time") == "tea"
    assert prefix_overlap("", "a") == ""


def wrong_shortest(left, right):
    """Grows the overlap from one character on and returns the first that fits."""
    for length in range(1, min(len(left), len(right)) + 1):
        if left.endswith(right[:length]):
            return right[:length]
    return ""


def wrong_never_the_whole(left, right):
    """Begins one too short: an overlap of a whole text is missed."""
    for length in range(min(len(left), len(right)) - 1, 0, -1):
        if left.endswith(right[:length]):
            return right[:length]
    return ""


def wrong_anywhere_in_left(left, right):
    """Looks for the beginning of right anywhere in left."""
    for length in range(len(right), 0, -1):
        if right[:length] in left:
            return right[:length]
    return ""


def wrong_ignores_case(left, right):
    """Compares in lower case."""
    for length in range(min(len(left), len(right)), 0, -1):
        if left.lower().endswith(right[:length].lower()):
            return right[:length]
    return ""


def wrong_first_place_of_the_first_character(left, right):
    """Tries only the first place where the first character of right stands in left."""
    start = left.find(right[:1])
    return left[start:] if start >= 0 and right.startswith(left[start:]) else ""
