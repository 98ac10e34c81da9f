"""Where the programs of a reply stand, and what the prose between them says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from plusforge.generator.reply_blocks import Block
from plusforge.generator.reply_record import SHOWN
from plusforge.generator.reply_scan import salvage

_TITLE = re.compile(
    r"[ \t]*(?:#{1,6} |\*\*|\d+[.)] |(?:wrong |buggy |incorrect )?"
    r"(?:program|mistake|bug|version|variant|solution|implementation)\b)",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(r"(?:def|class|import|from|async def)\s|@\w|[A-Za-z_]\w*\s*=[^=]|[)\]}#]")
_NUMBERED = re.compile(
    r"(?:wrong |buggy |incorrect )?(?:program|mistake|bug|version|variant)\s*\d*\s*[:.-]\s*",
    re.IGNORECASE,
)


def json_of(text: str, *, cut: bool) -> tuple[object, str] | None:
    """Return a text that is JSON of objects, decoded, and what of it was cut off."""
    start = re.search(r"[\[{]\s*(?:\{\s*)?\"", text)
    if start is None:
        return None
    body = text[start.start() :].strip()
    kept = salvage(body) if cut else None
    for form, rest in ((body, ""), *([kept] if kept else [])):
        try:
            # Models put bare newlines into strings of code; strict=False lets them.
            value, _ = json.JSONDecoder(strict=False).raw_decode(form)
        except (ValueError, RecursionError):
            continue
        items = value if isinstance(value, list) else [value]
        if all(isinstance(item, dict) for item in items):
            return value, rest
    return None


def bare_code(block: Block) -> Iterator[Block]:
    """Yield the stretches of an unfenced text that look like code, and the prose between them."""
    stretch: list[str] = []
    was_code = False
    begins = block.line
    for number, line in enumerate(block.text.split("\n"), block.line):
        goes_on = was_code and (not line.strip() or line[0] in " \t")
        is_code = bool(goes_on or _CODE_LINE.match(line))
        if is_code != was_code and stretch:
            yield Block("\n".join(stretch), "" if was_code else None, begins, last=False)
            stretch, begins = [], number
        was_code = is_code
        stretch.append(line)
    yield Block("\n".join(stretch), "" if was_code else None, begins, last=block.last)


def split_prose(prose: str) -> tuple[str, str]:
    """Return what prose between two programs says of the first, and the title of the second."""
    lines = prose.split("\n")
    titles = [index for index, line in enumerate(lines) if _TITLE.match(line)]
    last = max((index for index, line in enumerate(lines) if line.strip()), default=0)
    if titles:
        at = titles[-1]
    else:
        at = last if lines[last].rstrip().endswith(":") else len(lines)
    return "\n".join(lines[:at]), "\n".join(lines[at:])


def name_in(prose: str) -> str | None:
    """Return the words that name a mistake: the first line of a title, without its marks."""
    for line in prose.split("\n"):
        words = re.sub(r"^[\s#>*\d.)-]+|[*:`\s]+$", "", line).replace("**", "")
        words = _NUMBERED.sub("", words)
        if words:
            return words[:SHOWN]
    return None
