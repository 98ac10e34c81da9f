"""The statements in a text that is only partly Python: prose around code, broken ends."""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import tree_sitter
import tree_sitter_python

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
_ROUNDS = 8
"""Times the text is parsed again after lines that are no code were blanked, at most: each line
that hides others costs one, and the time stays linear."""

_BRANCHES = ("try", "else", "elif", "except", "finally", "case")
_DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a module, or None when the text is not Python."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in a model's strings are its own affair.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def fault_line(text: str) -> int:
    """Return the line, 1-based, at which a text stops being a program; 0 when it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<reply>", "exec", dont_inherit=True)
    except SyntaxError as exc:
        return exc.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 1
    return 0


def salvaged(text: str) -> str:
    """Return the text with every line blank that is no part of a whole top-level statement.

    The result parses; its lines keep their numbers. Text that parses as it is comes back unchanged.

    Args:
        text: A program, perhaps with prose around it or statements that do not compile.
    """
    if parsed(text) is not None:
        return text
    lines = text.split("\n")
    for turn in range(_ROUNDS):
        spans = _spans(lines)
        if all(span.whole for span in spans):
            break
        done = 0
        for span in spans:
            if not span.whole and span.first >= done:
                done = _blank_prose(lines, span, everywhere=turn >= _ROUNDS - 2)
    return _whole_statements(lines, text.split("\n"))


class _Span(NamedTuple):
    """Rows of something at the top level, and whether it is free of errors."""

    first: int
    last: int
    kind: str
    whole: bool


def _spans(lines: Sequence[str]) -> list[_Span]:
    tree = _PARSER.parse("\n".join(lines).encode())
    return [
        _Span(
            node.start_point.row,
            min(node.end_point.row, len(lines) - 1),
            node.type,
            not node.has_error,
        )
        for node in tree.root_node.children
    ]


def _blank_prose(lines: list[str], span: _Span, *, everywhere: bool) -> int:
    """Blank the lines of a broken span that cannot begin a statement, with what hangs on them.

    Only the first such run, unless ``everywhere``: what it hid may be sound, and then its strings
    hold lines that look like prose. Returns the row up to which the text was dealt with.
    """
    doomed = found = False
    for row in range(span.first, span.last + 1):
        line = lines[row]
        if line.strip() and not line[0].isspace():
            is_head = row == span.first and span.kind in _DEFINITIONS
            doomed = not is_head and not begins_statement(line)
            if found and not doomed and not everywhere:
                return row
            found = found or doomed
        if doomed:
            lines[row] = ""
    row = span.last + 1
    if not found:
        # A statement that is begun but broken: its head goes, so that what it swallowed is seen.
        lines[span.first] = ""
        row = span.first + 1
        while row < len(lines) and (not lines[row].strip() or lines[row][0].isspace()):
            lines[row] = ""
            row += 1
    return row


@functools.lru_cache(maxsize=10_000)
def begins_statement(line: str) -> bool:
    """Tell whether a line at the margin may be the first of a statement, or go on with one."""
    line = line.rstrip()
    word, _, rest = line.partition(" ")
    if word in ("def", "class", "async"):
        name = rest.removeprefix("def ").split("(")[0].split("[")[0].split(":")[0]
        return name.strip().isidentifier()
    if word == "from":
        return rest.split(" ")[1:2] == ["import"]
    if line[0] == "@":
        return line[1:].split("(")[0].replace(".", "").isidentifier()
    if line[0] in ")]}":
        return True
    if line.endswith(":") and word.rstrip(":") in _BRANCHES:
        return True
    if line.endswith(":") and word == "match":
        return parsed(f"while {rest} pass") is not None
    if parsed(line) is not None:
        return True
    if line.endswith(":"):
        return parsed(f"{line} pass") is not None
    opens_string = line.count('"""') % 2 or line.count("'''") % 2
    if opens_string or line.endswith(("(", "[", "{", ",", "\\")):
        return _begins_long_line(line)
    return False


def _begins_long_line(line: str) -> bool:
    """Tell whether a line that is to go on has a head as code has: ``x = [`` or ``fill(``."""
    target, sign, _ = line.partition("=")
    if sign:
        return parsed(f"{target.rstrip('+-*/|&^%')}= 0") is not None
    head = line.split("(")[0].split("[")[0].split("{")[0]
    return " " not in head.strip() and parsed(head) is not None


def _whole_statements(lines: list[str], original: list[str]) -> str:
    """Blank what still does not parse, statement by statement.

    A statement with a broken line behind it that is indented like its body has lost its end: it
    would run, and do something else. Such a one goes as a whole.
    """
    kept = [""] * len(lines)
    for span in _spans(lines):
        rows = slice(span.first, span.last + 1)
        if not span.whole or _goes_on(original, span.last + 1):
            continue
        if parsed("\n".join(lines[rows])) is not None:
            kept[rows] = lines[rows]
    text = "\n".join(kept)
    # Two statements of one line, one of them broken: rare, and then nothing can be said.
    return text if parsed(text) is not None else ""


def _goes_on(lines: Sequence[str], row: int) -> bool:
    while row < len(lines) and (not lines[row].strip() or lines[row].lstrip()[0] == "#"):
        row += 1
    return row < len(lines) and lines[row][0].isspace()
