"""What stands before a value on a line of a reply: list marks, labels, prompts, headings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plusforge.generator.reply_record import kind_of
from plusforge.generator.reply_values import is_outcome_name

_QUOTED = re.compile(
    r">[ ]?(?!>>)|(?:const|let|var)[ \t]+(?=\w+[ \t]*=)|<[A-Za-z_]{1,20}>[ \t]*(?=[\[{(\w])"
)
_PROMPT = re.compile(r">>>[ ]?|In \[\d+\]:[ ]?")
_BULLET = re.compile(
    r"(?:[-*+•‣◦–][ \t]+(?:\[[ xX]\][ \t]+)?|\(?\d{1,5}[.):](?:[ \t]+|$)"
    r"|\(\d{1,5}\)[ \t]+(?=[\w\[({`'\"])|\(?[a-zA-Z][.)][ \t]+"
    r"|\[\d{1,5}\][ \t]+(?=[\w\[({`'\"])|#\d{1,5}[.:)]?[ \t]+)"
)
_CODE_BULLET = re.compile(r"(?:[-*•][ \t]+(?=[\[({A-Za-z_\"'`])|\d{1,5}[.)][ \t]+)")
_BOLD = re.compile(r"(\*\*|__)([^*_`\n]{1,80})\1[ \t]*(:?)[ \t]*")
_ITALIC = re.compile(r"(\*|_)([^*_`\n]{1,80})\1[ \t]*:[ \t]*")
_LABEL = re.compile(r"([A-Za-z][\w '’()/,.#&+-]{0,60}?)[ \t]*(?::|：)(?:[ \t]+|$)")
_DECLARED = re.compile(r"(?:const|let|var|final|val)[ \t]+(?=\w+[ \t]*=)")
_PYTHON = frozenset(
    "def for if else try with class while lambda except finally elif return assert print async "
    "match case yield import from".split()
)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.+?)[ \t#]*$")
_EMPHASIS = re.compile(
    r"[ \t]*(?:\d{1,3}[.)][ \t]+|[-*][ \t]+)?(\*\*|__)(.{1,80}?)\1[ \t]*:?[ \t]*$"
)
_TITLE = re.compile(r"[ \t]*(?:\d{1,3}[.)][ \t]+|[-*][ \t]+)?([A-Za-z][^`\[{\"=]{0,60}):[ \t]*$")
_KEY = re.compile(r"[\"']([A-Za-z_][\w ]*)[\"'][ \t]*:[ \t]*(?=[\[{(\"'\d-])")
_LETTERS = re.compile(r"[A-Z][A-Za-z -]{2,30}$")


@dataclass(slots=True)
class Start:
    """What stands before a value.

    Attributes:
        at: Where the value begins in the line.
        label: The last label, such as ``Input``; empty when there is none.
        kind: Class that a label speaks of.
        prompt: True behind ``>>>``.
        item: True behind a list mark.
        outcome: True behind a label such as ``Expected output``: no input follows.
    """

    at: int
    label: str = ""
    kind: str | None = None
    prompt: bool = False
    item: bool = False
    outcome: bool = False


def start_of(line: str, *, code: bool, names: list[str]) -> Start:
    """Return what stands before the value on a line.

    Args:
        line: The line.
        code: It stands in a fence, where ``- 1`` is a number and no list item.
        names: Parameters of the entry point: ``nums: [1]`` is no label.
    """
    start = Start(len(line) - len(line.lstrip()))
    for _ in range(6):
        before = start.at
        _step(line, start, code=code, names=names)
        if start.at == before:
            break
    return start


def _step(line: str, start: Start, *, code: bool, names: list[str]) -> None:
    """Pass over one mark."""
    if match := _PROMPT.match(line, start.at):
        start.prompt = True
    elif match := (_DECLARED if code else _QUOTED).match(line, start.at):
        pass
    elif match := (_CODE_BULLET if code else _BULLET).match(line, start.at):
        start.item = True
    elif not code and (match := _BOLD.match(line, start.at) or _ITALIC.match(line, start.at)):
        if match[2].strip(": ") in names:
            return
        _label(start, match[2])
    elif (match := _KEY.match(line, start.at)) and match[1] not in names:
        _label(start, match[1])
    elif match := _LABEL.match(line, start.at):
        word = match[1]
        if word in names or word.split()[0] in _PYTHON or re.search(r"\w\(", word):
            return
        if re.match(r"[\w\[\], .|]+=", line[match.end() :]) and not word[0].isupper():
            return
        _label(start, word)
    else:
        return
    start.at = match.end()


def _label(start: Start, words: str) -> None:
    words = words.strip(" :")
    start.label = words
    start.kind = kind_of(words) or start.kind
    start.outcome = is_outcome_name(words) and kind_of(words) is None


def heading_of(line: str, *, code: bool) -> tuple[bool, str | None]:
    """Tell whether a line is a heading, and which class of inputs it speaks of.

    A heading of another subject ends a class (``# Notes``); a comment in code, or a short line with
    a colon, only begins one.
    """
    if code:
        text = line.strip()
        kind = kind_of(text) if text.startswith(("#", "//")) and len(text) <= 80 else None
        return kind is not None, kind
    if match := _HEADING.match(line):
        return True, kind_of(match[1])
    for pattern in (_EMPHASIS, _TITLE):
        if match := pattern.match(line):
            kind = kind_of(match[match.lastindex or 0])
            return kind is not None, kind
    if _LETTERS.match(line.strip()):
        kind = kind_of(line.strip())
        return kind is not None, kind
    return False, None
