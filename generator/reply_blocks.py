"""A reply's text, cleaned and cut into fenced code and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

MAX_CHARACTERS = 8_000_000
"""A reply longer than this is refused whole: no model writes so much that is of use."""

_THINKING = re.compile(r"^[ \t]*<(think|thinking|thought|reasoning|reflection|scratchpad)>", re.M)
_END_OF_THINKING = re.compile(
    r"^[ \t]*</(?:think|thinking)>|</(?:think|thinking)>[ \t]*$", re.MULTILINE
)
_MARK = r"(?:<[|｜][\w▁ /]{2,40}[|｜]?>|</?s>|<(?:start|end)_of_turn>)"
_SPECIAL = re.compile(rf"^[ \t]*{_MARK}+|{_MARK}+[ \t]*$", re.MULTILINE)
"""End marks that servers leave in. Inside a line they may be part of somebody's string."""

_FENCES = MarkdownIt("zero").enable(["fence", "list"])
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_NESTED = 3


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a reply.

    Attributes:
        text: Its lines; those of fenced code without the fence and its indentation.
        language: First word after the fence, in small letters; None outside of fences.
        line: Line of the reply that it begins on, 1-based.
        last: True when the reply ends with it.
    """

    text: str
    language: str | None
    line: int
    last: bool


def clean(text: str) -> tuple[str, str | None]:
    """Return a reply without its thinking and its end marks, as many lines as before.

    Returns:
        The text, and what is wrong with it or None: thinking that never ends has no answer.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    problem = None
    parts: list[str] = []
    at = 0
    while (begin := _THINKING.search(text, at)) is not None:
        parts.append(text[at : begin.start()])
        closing = f"</{begin[1]}>"
        end = text.find(closing, begin.end())
        if end < 0:
            problem = f"the reply ends inside <{begin[1]}>: it was cut off before its answer"
            at = len(text)
            break
        at = end + len(closing)
        parts.append("\n" * text.count("\n", begin.start(), at))
    text = "".join(parts) + text[at:]
    # Some chat templates put the opening mark into the prompt, so that only the end is seen.
    ends = list(_END_OF_THINKING.finditer(text))
    if ends:
        at = ends[-1].end()
        text = "\n" * text.count("\n", 0, at) + text[at:]
    return _SPECIAL.sub("", text), problem


def blocks(text: str, line: int = 1, depth: int = 0) -> Iterator[Block]:
    """Yield the fenced and unfenced stretches of a text, in order.

    A fence inside a fence (a model that shows Markdown) is opened as well.

    Args:
        text: A cleaned reply.
        line: Line of the reply that the text begins on.
        depth: Fences around it.
    """
    lines = text.split("\n")
    at = 0
    fences = _fences(text)
    for start, end, language, content in fences:
        if start > at:
            yield Block("\n".join(lines[at:start]), None, line + at, last=False)
        last = depth == 0 and not any(part.strip() for part in lines[end:])
        shows_markdown = language in ("markdown", "md", "text", "txt", "")
        if depth < _NESTED and shows_markdown and _FENCE_LINE.search(content):
            yield from blocks(content, line + start + 1, depth + 1)
        else:
            yield Block(content, language, line + start + 1, last=last)
        at = end
    if at < len(lines):
        yield Block("\n".join(lines[at:]), None, line + at, last=depth == 0)


def _fences(text: str) -> list[tuple[int, int, str, str]]:
    """Return first line, line behind, language and content of each fence."""
    if not _FENCE_LINE.search(text):
        return []
    return [
        (token.map[0], token.map[1], (token.info.split() or [""])[0].lower(), token.content)
        for token in _FENCES.parse(text)
        if token.type == "fence" and token.map is not None
    ]
