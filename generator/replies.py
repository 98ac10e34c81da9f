"""Replies of language models that propose inputs, in whatever form they come."""

from __future__ import annotations

from collections.abc import Sequence

from plusforge.generator.reply_blocks import MAX_CHARACTERS, blocks, clean
from plusforge.generator.reply_forms import Forms
from plusforge.generator.reply_record import Found, ParsedInput, ParsedInputs, Unread
from plusforge.oracle.task import Param

__all__ = ["ParsedInput", "ParsedInputs", "Unread", "parse_inputs"]


def parse_inputs(text: str | None, entry_point: str, params: Sequence[Param]) -> ParsedInputs:
    """Return the inputs that a reply proposes.

    Calls, asserts, assignments, tuples, lists, tables, doctests, JSON and JSON Lines are read, in
    fences or outside, among prose, and up to where the reply was cut off. Nothing is evaluated.

    Args:
        text: The reply; None where the server sent none.
        entry_point: Name of the function under test.
        params: Its parameters; annotations tell a list from a row of arguments.

    Returns:
        The inputs and whatever looked like one and could not be read, with the reason.
    """
    found = Found()
    if text is None or not text.strip():
        found.refuse("", "the reply is empty", 1)
        return found.result()
    if len(text) > MAX_CHARACTERS:
        reason = f"the reply has {len(text)} characters; at most {MAX_CHARACTERS} are read"
        found.refuse(text[:1000], reason, 1)
        return found.result()
    answer, problem = clean(text)
    forms = Forms(entry_point, params, found)
    for block in blocks(answer):
        forms.block(block)
    forms.flush()
    if problem:
        found.refuse(text[:1000], problem, 1)
    elif not found.inputs and not found.unread:
        found.refuse(answer, "there is no input in the reply", 1)
    return found.result()
