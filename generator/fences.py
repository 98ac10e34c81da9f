"""Blocks of code in Markdown: what stands in fences, and what stands between them.

A fence's language tag decides nothing: models write ``js`` above Python, or no tag at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from markdown_it import MarkdownIt

_TICKS = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a reply that may be code.

    Attributes:
        text: Its lines, dedented as Markdown has it.
        info: What stands behind the opening fence; empty outside fences.
        first: Its first line in the reply, 0-based, the fence included.
        fenced: Whether it stands in a fence.
    """

    text: str
    info: str
    first: int
    fenced: bool

    def readings(self) -> list[str]:
        """Return the texts the block may stand for, the likeliest first.

        When the prompt already opened a fence, the answer's first line may stand where the tag
        belongs: a tag is one word, so what is more may be code.
        """
        words = self.info.split(maxsplit=1)
        if (
            len(words) < 2
            and self.info.replace("-", "").replace("+", "").replace("#", "").isalnum()
        ):
            return [self.text]
        rest = words[1] if len(words) == 2 else ""
        heads = [self.info, rest] if self.info else []
        return [self.text, *(f"{head}\n{self.text}" for head in heads if head)]


def blocks(text: str) -> list[Block]:
    """Return the blocks of a reply in order: fences, and the text between them.

    Fences nested in lists and quotations are found and dedented; one that never closes runs to
    the end.

    Args:
        text: Markdown, or something like it.
    """
    markdown = MarkdownIt("zero").enable(["fence", "code", "list", "blockquote"])
    markdown.core.ruler.enableOnly(["normalize", "block"])  # text within lines is none of ours
    lines = text.split("\n")
    found: list[Block] = []
    done = 0
    for token in markdown.parse(text):
        if token.type != "fence" or token.map is None:
            continue
        first, after = token.map
        found += _between(lines, done, first)
        found.append(Block(_unticked(token.content), token.info.strip(), first, fenced=True))
        done = max(done, after)
    return found + _between(lines, done, len(lines))


def _between(lines: list[str], first: int, after: int) -> list[Block]:
    text = "\n".join(lines[first:after])
    return [Block(_unticked(text), "", first, fenced=False)] if text.strip() else []


def _unticked(text: str) -> str:
    """Drop backticks at the very end: what is left of a closing fence."""
    tail = text.rstrip()
    return tail.rstrip("`") + "\n" if tail.endswith("`") else text


def rest_of(text: str, block: Block) -> str:
    """Return everything below a block's opening fence, for fences that close too early.

    Lines that are fences by themselves at the very end are dropped; a fence within a docstring
    stays.
    """
    lines = text.split("\n")[block.first + 1 :]
    while lines and (not lines[-1].strip() or lines[-1].strip().strip("`~") == ""):
        lines.pop()
    return "\n".join(lines) + "\n"


def loosened(text: str) -> str:
    """Return the text with every fence on a line of its own at the margin, its content dedented.

    For replies whose fences Markdown does not take for fences: behind a word, before the end of a
    line of code, or indented like code.
    """
    out: list[str] = []
    margin: str | None = None  # of the open fence
    for line in _split_at_fences(text):
        stripped = line.lstrip()
        if stripped.startswith(_TICKS):
            margin = line[: len(line) - len(stripped)] if margin is None else None
            out.append(stripped)
        elif margin:
            out.append(line.removeprefix(margin))
        else:
            out.append(line)
    return "\n".join(out)


def _split_at_fences(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        at = line.find("```", 1)
        if at < 0 or not line[:at].strip() or line[:at].strip("` \t") == "":
            lines.append(line)
            continue
        first, *others = line.split("```")
        lines += [first] if first.strip() else []
        lines += [f"```{other}" for other in others]
    return lines
