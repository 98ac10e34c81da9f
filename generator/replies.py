"""Replies of language models that propose inputs, in whatever form they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.generator.reply_blocks import MAX_CHARACTERS, blocks, clean
from plusforge.generator.reply_contract import parse_contract
from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_forms import Forms
from plusforge.generator.reply_programs import (
    ParsedProgram,
    ParsedPrograms,
    parse_programs,
    programs_of,
)
from plusforge.generator.reply_record import Found, ParsedInput, ParsedInputs, Unread
from plusforge.oracle.task import Param

__all__ = [
    "ParsedInput", "ParsedInputs", "ParsedProgram", "ParsedPrograms", "Structured", "Unread",
    "parse_contract", "parse_inputs", "parse_programs", "read_structured",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Structured:
    """What a reply holds that was asked for as JSON.

    Attributes:
        inputs: Proposed inputs, with their classes.
        programs: Proposed wrong programs.
    """

    inputs: ParsedInputs
    programs: ParsedPrograms


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


def read_structured(reply: object, entry_point: str, params: Sequence[Param]) -> Structured:
    """Return what a reply holds that was asked for under a JSON schema.

    Args:
        reply: The decoded reply: ``{"inputs": [{"class": ..., "args": [literal, ...]}]}``, and
            ``{"programs": [{"mistake": ..., "code": ..., "breaking_args": [literal, ...]}]}``.
            Each text in ``args`` is the Python literal of one argument, so that tuples, sets and
            infinities come through. Servers that do not enforce a schema send other things; what
            ``parse_inputs`` understands is understood here.
        entry_point: Name of the function under test.
        params: Its parameters.
    """
    found = Found()
    programs = ParsedPrograms()
    if not isinstance(reply, dict):
        found.refuse(type(reply).__name__, "the reply is no JSON object with inputs", 0)
        return Structured(found.result(), programs)
    rest = {key: value for key, value in reply.items() if key != "programs"}
    if rest or "programs" not in reply:
        forms = Forms(entry_point, params, found)
        forms.take(Piece(rest), Manner(json=True))
        forms.flush()
    if "programs" in reply:
        programs = programs_of(reply["programs"], entry_point)
    return Structured(found.result(), programs)
