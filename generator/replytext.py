"""The answer within a raw model reply: thoughts, chat turns and special tokens taken away.

What is left is the text that the model meant for its reader, prose included. A mark inside quotes
is part of a program (one that handles such marks, say) and stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"<\|(?P<bar>[\w /:.-]{1,40})\|>"
    r"|<\uff5c(?P<wide>[^\uff5c<>\n]{1,40})\uff5c>"
    r"|(?P<word></?s>|<(?:start|end)_of_turn>|<(?:eos|bos|pad|unk|file_sep)>|\[/?INST\]|\[DONE\])"
)
_ENDS = frozenset(
    "endoftext im_end eot_id eom_id end eot end_of_text end_of_turn return "
    "end\u2581of\u2581sentence end_of_sentence file_separator <file_sep> </s> <end_of_turn> <eos> "
    "[DONE]".split()
)
_HEADS = frozenset("im_start start_header_id start <start_of_turn>".split())
_ROLES = {
    "assistant": "assistant",
    "user": "user",
    "system": "system",
    "[INST]": "user",
    "[/INST]": "assistant",
}
_SPEAKERS = frozenset({"assistant", "model", "bot", "gpt"})
_THOUGHT_MARKS = {"begin_of_thought": "\n<think>\n", "end_of_thought": "\n</think>\n"}
_ROLE_WORD = re.compile(r"\s*(\w+)[ \t]*\n?")

_THINK = re.compile(
    r"<(?P<a>/?)(?:seed:)?(?:think|thinking|thoughts?|reasoning|scratchpad)>"
    r"|\[(?P<b>/?)THINK\]|\u25c1(?P<c>/?)think\u25b7",
    re.IGNORECASE,
)
_WRAPPERS = re.compile(
    r"</?(?:answer|code|solution|python|final|final_answer|pre|completion|response)>"
    r"|\[/?(?:PYTHON|CODE|ANSWER|BEGIN)\]"
)
_BEGUN = (
    "</s>", "<end_of_turn>", "<start_of_turn>", "<eos>", "<think>", "</think>", "<reasoning>",
    "</reasoning>", "</answer>", "</code>", "</solution>", "[/PYTHON]",
)  # fmt: skip
_NEAR = 400
"""Characters of a line looked at around a mark, to see whether it stands in quotes."""


@dataclass(frozen=True, slots=True)
class Answer:
    r"""What a reply tells its reader.

    Attributes:
        text: The answer, prose included; lines end in ``\n``.
        cut_off: The reply ends within a thought: whatever it was to say never came.
        notes: What was taken away.
    """

    text: str
    cut_off: bool
    notes: tuple[str, ...]


def answer_of(raw: str) -> Answer:
    """Return the answer within a raw reply.

    Args:
        raw: The reply as the model gave it; any text.
    """
    notes: list[str] = []
    text = plain_lines(raw).removeprefix("\ufeff")
    text, spoken = _spoken(text, notes)
    if not spoken:
        return Answer("", cut_off=True, notes=("the reply is all thought",))
    text, cut_off = _without_thoughts(text, notes)
    text = _unwrapped(text)
    return Answer(_without_begun_token(text, notes), cut_off, tuple(notes))


def plain_lines(text: str) -> str:
    """Return text whose lines end in line feeds, without halves of surrogate pairs.

    Such halves are legal in JSON, but nothing could write them.
    """
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(slots=True)
class _Turn:
    """What one speaker says; ``role`` is empty for text before any mark of a turn."""

    role: str
    channel: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


def _spoken(text: str, notes: list[str]) -> tuple[str, bool]:
    """Return the first turn of the model without special tokens, and whether it is an answer."""
    if text.startswith("analysis") and "assistantfinal" in text:
        # Channels of a reply that was decoded without its special tokens.
        return text.rpartition("assistantfinal")[2], True
    turns = [_Turn("")]
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() < at or _quoted(text, match.start(), match.end()):
            continue
        name = match["bar"] or match["wide"] or match["word"]
        low = name.strip().lower() if match["word"] is None else name
        if name in ("[INST]", "[/INST]", "[DONE]", "<s>") and not _first_on_line(text, match):
            continue
        turns[-1].parts.append(text[at : match.start()])
        at = match.end()
        if low in _THOUGHT_MARKS:
            turns[-1].parts.append(_THOUGHT_MARKS[low])
        elif low in _ENDS:
            turns.append(_Turn("after"))
        elif low in _ROLES:
            turns.append(_Turn(_ROLES[low]))
        elif low in _HEADS or low == "channel":
            word = _ROLE_WORD.match(text, at)
            called = word[1].lower() if word else ""
            at = word.end() if word else at
            turns.append(_Turn("assistant", called) if low == "channel" else _Turn(called))
    turns[-1].parts.append(text[at:])
    if len(turns) > 1:
        notes.append("special tokens removed")
    if any(turn.channel for turn in turns):
        final = [turn for turn in turns if turn.channel == "final"]
        return (final[-1].text, True) if final else ("", False)
    said = [turn for turn in turns if turn.text.strip()]
    for turn in said:
        if turn.role in _SPEAKERS or turn is turns[0]:
            return turn.text, True
    return (said[0].text if said else ""), True


def _first_on_line(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
    return not before.strip() or before.rstrip().endswith(("]", ">"))


def _quoted(text: str, start: int, end: int) -> bool:
    """Tell whether a mark stands between two like quotes of its line."""
    before = text[max(0, start - _NEAR) : start].rpartition("\n")[2]
    after = text[end : end + _NEAR].partition("\n")[0]
    before, after = before.replace("```", ""), after.replace("```", "")  # fences quote nothing
    return any(before.count(quote) % 2 == 1 and quote in after for quote in "'\"`")


def _without_thoughts(text: str, notes: list[str]) -> tuple[str, bool]:
    """Return the text outside think sections, and whether the last one never ends.

    A section opens at the start of a line. A closing mark that nothing opened ends a thought whose
    beginning stood in the prompt: all before it goes.
    """
    marks: list[tuple[int, int, str]] = []
    for match in _THINK.finditer(text):
        if _quoted(text, match.start(), match.end()):
            continue
        closes = bool(match["a"] or match["b"] or match["c"])
        kind = "close" if closes else "open" if _first_on_line(text, match) else "mention"
        marks.append((match.start(), match.end(), kind))
    kept: list[str] = []
    start = index = mentions = 0
    while index < len(marks):
        begin, end, kind = marks[index]
        if kind == "mention":
            mentions += 1
        elif kind == "close" and mentions:
            mentions -= 1
        elif kind == "close":
            kept.clear()
            start = end
        else:
            kept.append(text[start:begin])
            close = _closing(marks, index)
            if close is None:
                notes.append("a thought without an end removed")
                return "".join(kept), True
            start, index, mentions = marks[close][1], close, 0
        index += 1
    if start:
        notes.append("thoughts removed")
    return "".join([*kept, text[start:]]), False


def _closing(marks: list[tuple[int, int, str]], opened: int) -> int | None:
    """Return which mark ends a section: the one that balances it, or the last there is."""
    depth, last = 1, None
    for index in range(opened + 1, len(marks)):
        if marks[index][2] != "close":
            depth += 1
            continue
        depth -= 1
        last = index
        if depth == 0:
            break
    return last


def _unwrapped(text: str) -> str:
    """Put a line break where a tag around the answer stands at the edge of a line."""
    parts: list[str] = []
    at = 0
    for match in _WRAPPERS.finditer(text):
        start, end = match.span()
        first = start == 0 or text[start - 1] in "\n \t>]"
        last = end == len(text) or text[end] in "\n \t<[`"
        if not (first or last) or _quoted(text, start, end):
            continue
        # A tag alone on its line leaves an empty one; the code's own indentation is kept.
        parts += [text[at:start], "" if first else "\n", "" if last else "\n"]
        at = end
    return "".join([*parts, text[at:]])


def _without_begun_token(text: str, notes: list[str]) -> str:
    """Cut off the beginning of a special token at the very end."""
    tail = text.rstrip()
    edge = max(0, len(tail) - 40)
    at = max(tail.rfind("<|", edge), tail.rfind("<\uff5c", edge))
    if at >= 0 and not set(tail[at:]) & set("\n>\"'()"):
        notes.append("the beginning of a special token removed")
        return tail[:at]
    for token in _BEGUN:
        for length in range(len(token) - 1, 2, -1):
            if tail.endswith(token[:length]):
                notes.append("the beginning of a special token removed")
                return tail[:-length]
    return text
