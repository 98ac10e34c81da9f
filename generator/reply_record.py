"""What is found in a reply of a language model: inputs, and everything that could not be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plusforge.oracle.errors import ValueCodecError
from plusforge.oracle.values import Args, key_of

KINDS = ("typical", "corner", "extreme", "output_kind", "near_valid")
"""Classes of proposed inputs; ``near_valid`` ones are meant to break the contract."""

_WORDS: dict[str, str] = {
    "near_valid": "near[ _-]?valid|invalid|not valid|malformed|illegal|errors?|exceptions?"
    r"|wrong[ _-]types?|contract violat\w*|violat\w* the contract",
    "output_kind": "output[ _-]?kinds?|(?:kinds?|types?) of (?:outputs?|results?|outcomes?)"
    "|(?:each|every|all|different|distinct|possible) (?:possible )?"
    "(?:outputs?|results?|outcomes?|branch(?:es)?)",
    "extreme": "extremes?|large|larger|stress|performance|big|huge|scale|maximum|very long",
    "corner": "corners?|edges?|boundar(?:y|ies)|special|empty|degenerate|minimal|minimum|tricky"
    "|unusual",
    "typical": "typical|normal|basic|common|simple|regular|happy path|general|standard",
}
_KIND_PATTERNS = {
    kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in _WORDS.items()
}

SHOWN = 200
"""Characters of an unread text that are kept."""


def kind_of(words: str) -> str | None:
    """Return the class of inputs that a heading, label or key speaks of, or None.

    Words of two classes say nothing, but whatever is called invalid is near-valid.
    """
    text = words.strip().replace("_", " ")
    found = [kind for kind, pattern in _KIND_PATTERNS.items() if pattern.search(text)]
    if words.strip() in KINDS:
        return words.strip()
    return found[0] if len(found) == 1 or "near_valid" in found else None


@dataclass(frozen=True, slots=True)
class ParsedInput:
    """One proposed input.

    Attributes:
        args: Positional arguments.
        kind: Its class, one of ``KINDS``, or None where the reply names none.
    """

    args: Args
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """Something in a reply that looks like an answer and could not be used.

    Attributes:
        text: Its beginning, at most ``SHOWN`` characters.
        reason: Why, in words for a person.
        line: Line of the reply, 1-based; 0 where the reply is no text.
    """

    text: str
    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class ParsedInputs:
    """The inputs that a reply proposes, in its order.

    Attributes:
        inputs: Different ones; of equal ones the first.
        unread: What was left out, with reasons.
        repeated: Number of inputs that equal an earlier one.
    """

    inputs: tuple[ParsedInput, ...] = ()
    unread: tuple[Unread, ...] = ()
    repeated: int = 0

    @property
    def valid(self) -> tuple[Args, ...]:
        """Inputs that are meant to keep to the contract, or of which nothing is said."""
        return tuple(item.args for item in self.inputs if item.kind != "near_valid")

    @property
    def near_valid(self) -> tuple[Args, ...]:
        """Inputs that are meant to break the contract."""
        return tuple(item.args for item in self.inputs if item.kind == "near_valid")


@dataclass(slots=True)
class Found:
    """Collects what is found; the reader of a reply fills it.

    Attributes:
        inputs: By identity, in order of appearance.
        unread: What could not be used.
        repeated: Number of inputs that were already there.
    """

    inputs: dict[str, ParsedInput] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    repeated: int = 0

    @property
    def count(self) -> int:
        """Number of inputs that were found, repeated ones included."""
        return len(self.inputs) + self.repeated

    def add(self, args: Args, kind: str | None, line: int) -> None:
        """Keep an input, unless it is there already or no plain value."""
        try:
            key = key_of(args)
        except ValueCodecError as exc:
            self.refuse(type(args).__name__, str(exc), line)
            return
        if key in self.inputs:
            self.repeated += 1
            if self.inputs[key].kind is None:
                self.inputs[key] = ParsedInput(args, kind)
        else:
            self.inputs[key] = ParsedInput(args, kind)

    def refuse(self, text: str, reason: str, line: int) -> None:
        """Record what could not be used."""
        text = text.strip()
        self.unread.append(Unread(text if len(text) <= SHOWN else text[:SHOWN], reason, line))

    def result(self) -> ParsedInputs:
        """Return everything that was found."""
        return ParsedInputs(tuple(self.inputs.values()), tuple(self.unread), self.repeated)
