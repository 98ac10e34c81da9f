"""Text that is almost Python to syntax trees: quotes of word processors, escapes, loose ends."""

from __future__ import annotations

import ast
import html
import re
import warnings
from collections.abc import Iterator

from plusforge.generator.reply_scan import without_line_comments

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "−": "-", "\u00a0": " "})
_ESCAPED = re.compile(r"\\([_*()\[\]<>~#`])")
_LOOSE_ENDS = " \t\n\f\v,;"
_UNQUOTED_KEY = re.compile(r"([{,]\s*)(\w+)(\s*:)")


def module(text: str) -> ast.Module | None:
    """Return the syntax tree of a module, or None when the text does not compile."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in somebody's string are theirs; the value is still well defined.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def statements(text: str) -> list[ast.stmt] | None:
    """Return the statements of a piece of a reply, mended where that is safe; None: no Python."""
    for variant in _variants(text.lstrip().rstrip(_LOOSE_ENDS)):
        tree = module(variant)
        if tree is not None:
            return tree.body
    return None


def expression(text: str) -> ast.expr | None:
    """Return the expression that a piece of a reply is, mended where that is safe."""
    body = statements(text)
    if body is not None and len(body) == 1 and isinstance(body[0], ast.Expr):
        return body[0].value
    return None


def source_of(node: ast.AST) -> str:
    """Return the source of a piece of syntax, for messages; its class where it has none."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        # Integers of more digits than Python prints, and what is nested too deeply.
        return type(node).__name__


def _variants(text: str) -> Iterator[str]:
    """Yield the text, then mended forms of it. Each is tried only if the one before failed."""
    yield text
    straight = text.translate(_QUOTES)
    if straight != text:
        yield straight
    plain = _ESCAPED.sub(r"\1", straight)
    if plain != straight:
        yield plain
    if "&" in text and ";" in text:
        yield html.unescape(straight)
    if "//" in text:
        yield without_line_comments(straight)
