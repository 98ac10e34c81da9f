"""Where things end in text that is almost Python: brackets, strings, remarks behind a value.

A reply is read by the syntax tree wherever it is Python. This module looks at what is not: it
finds how far a value goes, what of a value that was cut off is whole, and where a remark begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = (
    r"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
)
STRING = re.compile(_STRING, re.DOTALL)
_TOKEN = re.compile(rf"#[^\n]*|{_STRING}|[()\[\]{{}}\n]", re.DOTALL)
_WITH_COMMAS = re.compile(rf"#[^\n]*|{_STRING}|[()\[\]{{}}\n,]", re.DOTALL)
_WITH_REMARKS = re.compile(
    rf"{_STRING}|[()\[\]{{}}]|->|=>|-->|==|[→⇒⟶➜—–;#:]|//|\s-{{1,3}}\s"
    r"|[,.]?[ \t]{0,9}\b(?i:expected|outputs?|results?|returns?|answers?|should)\b",
    re.DOTALL,
)
_LINE_COMMENT = re.compile(rf"({_STRING})|(?<!:)//[^\n]*", re.DOTALL)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PAIRS.values())

_REACH = 400
"""Characters that an open bracket is followed once the effort for a text is used up."""


class Scanner:
    """Measures the pieces of one text, in time linear in its length.

    Attributes:
        text: The text.
        mismatched: The last piece that did not close has a bracket of another kind.
        left: Characters that may still be gone over for nothing. Brackets that never close would
            otherwise be followed to the end from every line.
    """

    def __init__(self, text: str) -> None:
        """Prepare for a text."""
        self.text = text
        self.mismatched = False
        self.left = 20 * len(text) + 10_000

    def extent(self, start: int, *, line: bool = True) -> tuple[int, bool]:
        """Return where a piece ends, and whether its brackets close.

        Args:
            start: Where it begins.
            line: It ends with a line at which no bracket is open; False: with the closing bracket
                of the first one that opens.
        """
        text = self.text
        limit = len(text) if self.left > 0 else min(len(text), start + _REACH)
        stack: list[str] = []
        self.mismatched = False
        for match in _TOKEN.finditer(text, start, limit):
            first = text[match.start()]
            if first in _PAIRS:
                stack.append(_PAIRS[first])
            elif first in _CLOSING:
                if stack and stack.pop() != first:
                    self.mismatched = True
                    return self._failed(start, match.start()), False
                if not stack and not line:
                    return match.end(), True
            elif (
                first == "\n"
                and not stack
                and line
                and text[match.start() - 1 : match.start()] != "\\"
            ):
                return match.start(), True
        closed = not stack and line
        if not closed:
            self._failed(start, limit)
        return limit, closed

    def _failed(self, start: int, end: int) -> int:
        self.left -= end - start
        return end


def salvage(text: str) -> tuple[str, str] | None:
    """Return what is whole of a list that was cut off, closed again, and the piece that was cut.

    Items are those of the outermost list (of the outermost bracket where there is no list), so an
    input that was cut is never taken for a shorter one. None when no item is whole.
    """
    stack: list[tuple[str, int]] = []
    commas: list[tuple[int, int]] = []
    for match in _WITH_COMMAS.finditer(text):
        first = text[match.start()]
        if first in _PAIRS:
            stack.append((first, match.start()))
        elif first in _CLOSING:
            if not stack or _PAIRS[stack.pop()[0]] != first:
                return None
            while commas and commas[-1][0] > len(stack):
                commas.pop()
        elif first == "," and stack:
            if commas and commas[-1][0] == len(stack):
                commas.pop()
            commas.append((len(stack), match.start()))
    if not stack:
        return None
    level = next((i for i, (bracket, _) in enumerate(stack) if bracket == "["), 0)
    at = next((spot for depth, spot in commas if depth == level + 1), None)
    before = text[: stack[0][1]].rstrip()[-1:]
    if at is None or (stack[0][0] == "(" and (before.isalnum() or before == "_")):
        return None
    ends = "".join(_PAIRS[bracket] for bracket, _ in reversed(stack[: level + 1]))
    return text[:at] + ends, text[at + 1 :]


def remarks(text: str) -> Iterator[int]:
    """Yield the places, outside brackets and strings, where a remark on a value may begin."""
    depth = 0
    end_of_value = 0
    for match in _WITH_REMARKS.finditer(text):
        first = match[0][0]
        if first in _PAIRS:
            depth += 1
        elif first in _CLOSING:
            depth -= 1
            if depth == 0 and not end_of_value:
                end_of_value = match.end()
        elif depth == 0 and first not in "'\"" and text[: match.start()].strip():
            yield match.start()
    if end_of_value and text[end_of_value:].lstrip()[:1] not in ("", ","):
        yield end_of_value


def blanked(text: str) -> str:
    """Return a text with the insides of its strings blanked out."""
    return STRING.sub(lambda match: match[0][0] + " " * (len(match[0]) - 2) + match[0][-1], text)


def without_line_comments(text: str) -> str:
    """Return a text without ``//`` comments, which JSON with comments has."""
    return _LINE_COMMENT.sub(lambda match: match[1] or "", text)


def cells(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table; bars in strings and code do not count."""
    parts = [""]
    for match in re.finditer(rf"\\\||`[^`]*`|{_STRING}|\||[^|\\`'\"]+|.", line.strip(), re.DOTALL):
        piece = match[0]
        if piece == "|":
            parts.append("")
        else:
            parts[-1] += "|" if piece == "\\|" else piece.replace("\\|", "|")
    if parts and not parts[0].strip():
        del parts[0]
    if parts and not parts[-1].strip():
        del parts[-1]
    return [part.strip() for part in parts]
