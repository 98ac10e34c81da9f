"""One reply's answer: its candidates for the program, the likeliest first, and what each makes.

Candidates are the reply's blocks of code, the last first. One that defines the entry point is
reduced to what the entry point reaches; names it lacks come from the other blocks and the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plusforge.generator.continuation import bodies, body_margin, quoted_texts
from plusforge.generator.fences import Block, blocks, loosened, rest_of
from plusforge.generator.pieces import begins_statement, parsed
from plusforge.generator.program import (
    Program,
    Standing,
    method_call,
    module_of,
    programs_of,
)
from plusforge.generator.replytext import plain_lines

_LONGER = 3
"""Blocks, at most, that are also tried as running on past the fence that seems to close them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A module that defines the entry point.

    Attributes:
        code: Its source.
        notes: What was done to make it.
    """

    code: str
    notes: tuple[str, ...]


class Reading:
    """One reply's answer, its blocks, and what they come to.

    Attributes:
        text: The answer.
        entry: The function asked for.
        blocks: The answer's blocks, in order.
        prompt: The code of the prompt; empty when it has none.
        programs: What was tried, in the order it was tried in.
    """

    def __init__(self, text: str, entry: str, prompt: str) -> None:
        """Read an answer; candidates are made when they are asked for.

        Args:
            text: The answer within a reply.
            entry: Name of the function asked for.
            prompt: What the model was shown, or nothing.
        """
        self.text = text
        self.entry = entry
        self.blocks = blocks(text)
        self.prompt = _code_of(plain_lines(prompt), entry)
        self.programs: list[tuple[Block, Program]] = []
        self.read: dict[str, list[Program]] = {}
        """What each text was read as: reading is most of the work."""

    def best(self) -> Found | None:
        """Return the module that defines the entry point, if the reply has one."""
        if self.prompt and self.continues():
            for program in self.continuations(self.text):
                return self.module(program, ["the prompt completed"])
        methods: list[Program] = []
        others: dict[Standing, list[Program]] = {Standing.VALUE: [], Standing.STUB: []}
        for program in self.candidates():
            standing = program.standing(self.entry)
            if standing is Standing.WHOLE:
                return self.module(program, [])
            if standing is Standing.METHOD:
                methods.append(program)
            elif standing in others:
                others[standing].append(program)
        for program in methods:
            found = self.method(program)
            if found is not None:
                return found
        if self.prompt:
            for block in [*reversed(self.blocks), Block(self.text, "", 0, fenced=False)]:
                for program in self.continuations(block.text):
                    return self.module(program, ["the prompt completed"])
        for program in others[Standing.VALUE]:
            return self.module(program, [])
        for program in others[Standing.STUB]:
            return self.module(program, ["the function has no body"])
        return None

    def candidates(self) -> Iterator[Program]:
        """Yield programs, the likeliest first, as long as the caller wants more."""
        whole = Block(self.text, "", 0, fenced=False)
        if parsed(self.text) is not None:
            yield from self.tried(whole)  # a fence here stands in a string or comment
        yield from self.in_blocks(self.text, self.blocks)
        loose = loosened(self.text)
        if loose != self.text:
            yield from self.in_blocks(loose, blocks(loose))
        yield from self.tried(whole)
        yield from self.tried(self.last_definition())
        for block in [*reversed(self.blocks), whole]:
            for text in quoted_texts(block.text, self.entry):
                yield from self.in_blocks(text, blocks(text))

    def in_blocks(self, text: str, found: list[Block]) -> Iterator[Program]:
        """Yield what the blocks of a text are read as: the last first."""
        longer = 0
        for block in reversed(found):
            yield from self.tried(block)
            is_cut = block.fenced and block is not found[-1] and mentions(block.text, self.entry)
            if is_cut and longer < _LONGER:
                longer += 1
                yield from self.tried(Block(rest_of(text, block), "", block.first, fenced=True))

    def last_definition(self) -> Block:
        """Return the text from the last definition at the margin: what is above may hide it."""
        lines = self.text.split("\n")
        start = len(lines) - 1
        while start > 0 and not (lines[start][:1] == "d" and mentions(lines[start], self.entry)):
            start -= 1
        while start > 0 and lines[start - 1].startswith("@"):
            start -= 1
        return Block("\n".join(lines[start:]), "", start, fenced=False)

    def tried(self, block: Block) -> Iterator[Program]:
        """Yield what a block is read as, and remember it; what was read before is passed over."""
        for text in block.readings():
            if text in self.read:
                continue
            for program in self.programs_of(text):
                self.programs.append((block, program))
                yield program

    def programs_of(self, text: str) -> list[Program]:
        """Return what a text is read as; each text is read once."""
        if text not in self.read:
            self.read[text] = programs_of(text)
        return self.read[text]

    def continues(self) -> bool:
        """Tell whether the reply goes on where the prompt ends: indented code comes first."""
        first = next((line for line in self.text.split("\n") if line.strip()), "")
        code = first.lstrip()
        margin = first[: len(first) - len(code)] if first[:1].isspace() else ""
        if not margin or code.startswith(("```", "~~~")):
            return False
        if f"\n{margin}def {self.entry}(" in f"\n{self.text}":
            return False  # a whole module that is indented
        return code.startswith(("return", "yield", '"""', "'''", "#")) or begins_statement(code)

    def continuations(self, text: str) -> Iterator[Program]:
        """Yield what the prompt and a text behind it make, where that is a whole function."""
        for joined in bodies(text, self.prompt, self.entry):
            for program in self.programs_of(joined):
                if program.standing(self.entry) is Standing.WHOLE:
                    program.first_only(self.entry)
                    yield program

    def module(self, program: Program, notes: list[str]) -> Found:
        """Return the module that a program's entry point needs."""
        module = module_of(program, self.entry, self.others)
        if self.breaks_off:
            notes = [*notes, "the last fence is not closed"]
        return Found(module.code, (*notes, *module.notes))

    def method(self, program: Program) -> Found | None:
        """Return a module whose entry point is a method; None when its class needs arguments."""
        holder, line = method_call(program, self.entry)
        if not line:
            return None
        module = module_of(program, holder, self.others, line)
        return Found(module.code, (f"a method of class {holder}", *module.notes))

    def others(self, program: Program) -> list[Program]:
        """Return where else to look for names: the other blocks, the nearest first; the prompt."""
        mine = next((b.first for b, p in self.programs if p is program), 0)
        before = [block for block in reversed(self.blocks) if block.first < mine]
        after = [block for block in self.blocks if block.first > mine]
        texts = [block.text for block in before + after]
        texts += [block.text for block in blocks(loosened(self.text))]
        texts += [self.text, self.prompt]
        found = [self.programs_of(text)[0] for text in dict.fromkeys(texts) if text]
        return [other for other in found if other is not program]

    def renamed(self) -> Found | None:
        """Return the one function there is under another name, with an alias."""
        other = self.other_name()
        if other is None:
            return None
        program, name = other
        line = f"{self.entry} = {name}"
        module = module_of(program, name, self.others, line)
        return Found(module.code, (f"{self.entry} is an alias of {name}", *module.notes))

    def other_name(self) -> tuple[Program, str] | None:
        """Return the one function there is under another name, and where; None without just one."""
        for _, program in self.programs:
            name = program.lone_function()
            if name:
                return program, name
        return None

    @property
    def breaks_off(self) -> bool:
        """Whether the reply ends within an open fence."""
        last = self.blocks[-1] if self.blocks else None
        end = self.text.rstrip().rpartition("\n")[2].strip()
        return last is not None and last.fenced and not end.startswith(("```", "~~~"))


def mentions(text: str, name: str) -> bool:
    """Tell whether a text has the beginning of a definition of a name, that very name."""
    at = text.find(f"def {name}")
    while at >= 0:
        behind = text[at + 4 + len(name) : at + 5 + len(name)]
        if not (behind.isalnum() or behind == "_"):
            return True
        at = text.find(f"def {name}", at + 1)
    return False


def _code_of(prompt: str, entry: str) -> str:
    """Return the code of a prompt: all of it, or the block that begins the function asked for."""
    if body_margin(prompt, entry) is not None or parsed(prompt) is not None:
        return prompt
    for block in reversed(blocks(prompt)):
        if body_margin(block.text, entry) is not None:
            return block.text
    return ""
