"""A balanced string of three kinds of brackets, which count together."""
import re

_PAIRS = {")": "(", "]": "[", "}": "{"}


def balanced_depth(text: str) -> int:
    """Return how deep the brackets of a string are nested.

    The text holds only ()[]{}; each bracket is closed by one of its own kind, properly nested.
    All kinds count alike: '[()]' has depth 2, the empty text depth 0.

    >>> balanced_depth("(())()")
    2
    >>> balanced_depth("[]")
    1
    """
    depth = deepest = 0
    for char in text:
        depth += 1 if char in "([{" else -1
        deepest = max(deepest, depth)
    return deepest


def reference_peel_innermost(text: str) -> int:
    rounds = 0
    while text:
        text = re.sub(r"\(\)|\[\]|\{\}", "", text)
        rounds += 1
    return rounds


def contract(text: str) -> None:
    assert len(text) <= 200
    waiting = []
    for char in text:
        if char in _PAIRS.values():
            waiting.append(char)
        else:
            assert waiting and waiting.pop() == _PAIRS.get(char)
    assert not waiting


def test_examples() -> None:
    assert balanced_depth("(())()") == 2
    assert balanced_depth("[]") == 1
    assert balanced_depth("{{{}}}") == 3
    assert balanced_depth("") == 0


def wrong_each_kind_alone(text):
    """Counts the kinds apart and returns the greatest depth of one kind."""
    return max(_one_kind_depth(text, pair) for pair in ("()", "[]", "{}"))


def _one_kind_depth(text, pair):
    depth = deepest = 0
    for char in text:
        depth += (char == pair[0]) - (char == pair[1])
        deepest = max(deepest, depth)
    return deepest


def wrong_longest_run_of_openings(text):
    """Measures opening brackets in a row; one that comes after a closed pair starts anew."""
    return max((len(run) for run in re.findall(r"[(\[{]+", text)), default=0)


def wrong_first_group_only(text):
    """Returns when the first outermost bracket is closed."""
    depth = deepest = 0
    for char in text:
        depth += 1 if char in "([{" else -1
        deepest = max(deepest, depth)
        if depth == 0:
            break
    return deepest
