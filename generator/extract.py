"""The program in a raw model reply: ``extract``, a function of texts alone.

Every reply has an outcome. What is not ok keeps the best text there is, which the judge refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from plusforge.generator.pieces import fault_line, parsed
from plusforge.generator.program import Standing
from plusforge.generator.reading import Found, Reading, mentions
from plusforge.generator.replytext import Answer, answer_of, plain_lines


class ExtractionOutcome(StrEnum):
    """What became of a reply; all but ``ok`` count as a wrong answer."""

    OK = "ok"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    NO_CODE = "no_code"
    NO_ENTRY_POINT = "no_entry_point"
    DOES_NOT_COMPILE = "does_not_compile"


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program of a reply.

    Attributes:
        code: A module in which the entry point is defined, when ``outcome`` is ok; otherwise the
            best text found, perhaps empty.
        outcome: What became of the reply.
        reason: Why it is not ok, and what could be done; empty when it is.
        notes: What was done to the text beyond cutting it out.
    """

    code: str
    outcome: ExtractionOutcome
    reason: str = ""
    notes: tuple[str, ...] = ()


def extract(
    raw: str, entry_point: str, prompt: str | None = None, *, alias: bool = False
) -> Extraction:
    """Return the program in a raw model reply.

    Args:
        raw: The reply; any text.
        entry_point: Name of the function asked for.
        prompt: What the model was shown. A reply that only continues it is completed with it.
        alias: Where the reply has one function, under another name, let the entry point be it.
    """
    answer = answer_of(raw)
    text = plain_lines(raw)
    if parsed(text) is not None and mentions(text, entry_point):
        # A program: what looks like a mark of a thought or a turn stands in its strings.
        answer = Answer(text, cut_off=False, notes=())
    reading = Reading(answer.text, entry_point, prompt or "")
    found = reading.best()
    if found is not None:
        return _finished(found, answer.notes)
    if answer.cut_off:
        outcome = ExtractionOutcome.TRUNCATED
        return Extraction(
            "", outcome, "the reply ends within a thought; allow more tokens", answer.notes
        )
    if not answer.text.strip():
        outcome = ExtractionOutcome.EMPTY
        return Extraction("", outcome, "the reply holds no answer", answer.notes)
    if alias:
        found = reading.renamed()
        if found is not None:
            return _finished(found, answer.notes)
    return _failure(reading, answer.notes)


def _finished(found: Found, notes: tuple[str, ...]) -> Extraction:
    """Return an extraction of code that must still prove to compile."""
    line = fault_line(found.code)
    if not line:
        return Extraction(found.code, ExtractionOutcome.OK, "", (*notes, *found.notes))
    return Extraction(
        found.code,
        ExtractionOutcome.DOES_NOT_COMPILE,
        f"line {line} of the code does not compile",
        (*notes, *found.notes),
    )


def _failure(reading: Reading, notes: tuple[str, ...]) -> Extraction:
    """Return why there is no program, with the best text there is."""
    entry = reading.entry
    broken = [
        block.text
        for block, program in reading.programs
        if mentions(block.text, entry) and not mentions(program.text, entry)
    ]
    fenced = [block.text for block in reading.blocks if block.fenced and block.text.strip()]
    code = [program.text for _, program in reading.programs if program.is_code]
    if not broken and fenced and not code:
        broken = fenced[::-1]
    if broken and reading.breaks_off:
        reason = "the reply ends within its code; allow more tokens"
        return Extraction(broken[0], ExtractionOutcome.TRUNCATED, reason, notes)
    if broken:
        reason = f"line {fault_line(broken[0])} of the code does not compile"
        return Extraction(broken[0], ExtractionOutcome.DOES_NOT_COMPILE, reason, notes)
    if not code:
        return Extraction("", ExtractionOutcome.NO_CODE, "the reply holds prose only", notes)
    return Extraction(code[0], ExtractionOutcome.NO_ENTRY_POINT, _absence(reading), notes)


def _absence(reading: Reading) -> str:
    """Return what there is in the place of the entry point."""
    entry = reading.entry
    other = reading.other_name()
    if other is not None:
        return f"defines {other[1]} where {entry} was asked for; --alias would take it"
    if any(program.standing(entry) is Standing.METHOD for _, program in reading.programs):
        return f"{entry} is a method of a class whose objects need arguments"
    if reading.prompt:
        return f"{entry} is defined nowhere"
    return f"{entry} is defined nowhere, and no prompt was given that its body could complete"
