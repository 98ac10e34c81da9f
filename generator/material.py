"""What the operators of one task draw from: its literals, its alphabet, its tokens.

Built once per task from the reference, the contract, the prompt and the task's own inputs. Text
outside ASCII is part of it only when the task's own inputs hold such text: references differ
there for reasons no task speaks of (measured: no real fault found, many false alarms).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plusforge.generator.literals import MAX_LITERAL, Literals, of_code, of_prose
from plusforge.oracle.values import Args, Value

_NUMERIC = re.compile(r"\A[-+]?\d+(\.\d+)?\Z")
_FIELDS = re.compile(r"\d\W+\d")
_SPLIT = re.compile(r"[\s,;]+")
_PAIRS = ("()", "[]", "{}", "<>")
MAX_TOKENS = 200
"""Tokens and words that are kept; more only dilute each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Raw material of one task; every tuple is sorted, so it is the same in every process.

    Attributes:
        ints: Mined ints, each with both neighbours and its negation.
        floats: Mined floats, each with its negation and half a unit more.
        texts: String literals of code and prose.
        chars: Characters of those.
        words: Words of the prose.
        tokens: Pieces of the task's own strings between spaces and separators.
        alphabet: Characters of the task's own strings.
        separators: Characters of the alphabet that are not alphanumeric, most frequent first.
        brackets: Two-character pairs of brackets of which the alphabet holds one.
        numeric_text: True when at least half of the task's own strings are numbers.
        fields: True when at least half of them hold two numbers with a separator between, as
            dates, times and fractions do.
        unicode: True when the task's own strings hold text outside ASCII.
        mixed: True when some container of the task's own inputs holds ints and floats.
    """

    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    chars: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    alphabet: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()
    brackets: tuple[str, ...] = ()
    numeric_text: bool = False
    fields: bool = False
    unicode: bool = False
    mixed: bool = False


def build_material(sources: Sequence[str], prompt: str, values: Sequence[Args]) -> Material:
    """Gather the material of one task.

    Args:
        sources: Source text of the references and the contract.
        prompt: The text a model sees: code with a docstring, or prose.
        values: The task's own inputs, one tuple of arguments each.

    Returns:
        The material; empty where the task offers nothing.
    """
    mined = of_prose(prompt)
    for source in sources:
        mined |= of_code(source)
    own = [text for args in values for text in _strings(args)]
    letters = Counter(char for text in own for char in text)
    unicode = any(not text.isascii() for text in own)
    texts = _usable(mined.texts, unicode=unicode)
    separators = sorted((c for c in letters if not c.isalnum()), key=lambda c: (-letters[c], c))
    return Material(
        ints=_neighbours(mined),
        floats=tuple(sorted({y for x in mined.floats for y in (x, -x, x + 0.5)})),
        texts=texts,
        chars=tuple(sorted({char for text in texts for char in text})),
        words=_usable(mined.words, unicode=unicode)[:MAX_TOKENS],
        tokens=_tokens(own, separators),
        alphabet=tuple(sorted(letters)),
        separators=tuple(separators[:8]),
        brackets=tuple(pair for pair in _PAIRS if pair[0] in letters or pair[1] in letters),
        numeric_text=_at_least_half(_NUMERIC, own),
        fields=_at_least_half(_FIELDS, own),
        unicode=unicode,
        mixed=any(_is_mixed(arg) for args in values for arg in args),
    )


def _neighbours(mined: Literals) -> tuple[int, ...]:
    return tuple(sorted({y for x in mined.ints for y in (x - 1, x, x + 1, -x)}))


def _usable(texts: Sequence[str], *, unicode: bool) -> tuple[str, ...]:
    return tuple(text for text in texts if unicode or text.isascii())


def _at_least_half(pattern: re.Pattern[str], own: Sequence[str]) -> bool:
    return bool(own) and 2 * sum(1 for text in own if pattern.search(text)) >= len(own)


def _tokens(own: Sequence[str], separators: Sequence[str]) -> tuple[str, ...]:
    found = {part for text in own for part in _SPLIT.split(text)}
    marks = "".join(separators[:3])
    if marks:
        cut = re.compile(f"[{re.escape(marks)}]+")
        found |= {part for text in own for part in cut.split(text)}
    return tuple(sorted(part for part in found if 0 < len(part) <= MAX_LITERAL))[:MAX_TOKENS]


def _strings(value: Value) -> Iterator[str]:
    """Yield the strings inside a value, in any order that does not depend on the process."""
    if type(value) is str:
        yield value
    elif type(value) is dict:
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif type(value) in (set, frozenset):
        yield from sorted(text for item in value for text in _strings(item))
    elif type(value) in (list, tuple):
        for item in value:
            yield from _strings(item)


def _is_mixed(value: Value) -> bool:
    if type(value) is dict:
        return any(map(_is_mixed, value.values()))
    if type(value) not in (list, tuple, set, frozenset):
        return False
    classes = set(map(type, value))
    return (int in classes and float in classes) or any(map(_is_mixed, value))
