"""Replies that propose plausible wrong programs, each perhaps with an input that it fails on."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from plusforge.generator.reply_blocks import MAX_CHARACTERS, blocks, clean
from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_forms import Forms
from plusforge.generator.reply_program_text import bare_code, json_of, name_in, split_prose
from plusforge.generator.reply_record import SHOWN, Found, Unread
from plusforge.generator.reply_syntax import source_of
from plusforge.oracle.errors import TaskError
from plusforge.oracle.source import (
    find_function,
    first_line,
    join_segments,
    params_of,
    parse_module,
    segment,
)
from plusforge.oracle.task import Param
from plusforge.oracle.values import Args

MAX_STATEMENTS = 500
"""Top-level statements of a proposed program."""

_CODE_KEYS = ("code", "program", "source", "solution", "implementation", "wrong_program")
_NAME_KEYS = ("mistake", "name", "title", "bug", "description")
_INPUT_KEYS = (
    "breaking_args", "breaking_input", "input", "args", "failing_input", "counterexample",
    "failing_args",
)  # fmt: skip
_TELLS_INPUT = re.compile(r"break|fail|wrong (?:on|for)|input|counter|differs", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedProgram:
    """A proposed wrong program.

    Attributes:
        name: The mistake, in the reply's words, or None.
        source: A module that compiles and defines the entry point.
        breaking: An input that is said to show the mistake, or None.
    """

    name: str | None
    source: str
    breaking: Args | None


@dataclass(frozen=True, slots=True)
class ParsedPrograms:
    """The programs that a reply proposes, in its order.

    Attributes:
        programs: Different ones.
        unread: What was left out, with reasons.
        repeated: Number of programs that equal an earlier one.
    """

    programs: tuple[ParsedProgram, ...] = ()
    unread: tuple[Unread, ...] = ()
    repeated: int = 0


def parse_programs(text: str | None, entry_point: str) -> ParsedPrograms:
    """Return the wrong programs that a reply proposes, from fences, bare code or JSON.

    Args:
        text: The reply; None where the server sent none.
        entry_point: The function that each program must define.
    """
    reader = _Programs(entry_point)
    if text is None or not text.strip():
        reader.refuse("", "the reply is empty", 1)
    elif len(text) > MAX_CHARACTERS:
        reason = f"the reply has {len(text)} characters; at most {MAX_CHARACTERS} are read"
        reader.refuse(text, reason, 1)
    else:
        answer, problem = clean(text)
        reader.read(answer)
        if problem:
            reader.refuse(text, problem, 1)
        elif not reader.programs and not reader.unread:
            reader.refuse(answer, f"there is no program that defines {entry_point}", 1)
    return reader.result()


def programs_of(items: object, entry_point: str) -> ParsedPrograms:
    """Return the programs of decoded JSON: ``{"programs": [{"mistake", "code", "input"}]}``."""
    reader = _Programs(entry_point)
    reader.objects(items, 0)
    return reader.result()


@dataclass(slots=True)
class _Programs:
    """Collects programs.

    Attributes:
        entry_point: The function that each must define.
        programs: By source.
    """

    entry_point: str
    programs: dict[str, ParsedProgram] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    repeated: int = 0

    def result(self) -> ParsedPrograms:
        return ParsedPrograms(tuple(self.programs.values()), tuple(self.unread), self.repeated)

    def refuse(self, text: str, reason: str, line: int) -> None:
        self.unread.append(Unread(text.strip()[:SHOWN], reason, line))

    def read(self, text: str) -> None:
        """Read a cleaned reply."""
        parts = list(blocks(text))
        for part in parts:
            value = json_of(part.text, cut=part.last)
            if value is not None:
                self.objects(value[0], part.line)
                if value[1]:
                    self.refuse(value[1], "the reply ends inside it: it was cut off", part.line)
                return
        if not any(part.language is not None and "def " in part.text for part in parts):
            parts = [region for part in parts for region in bare_code(part)]
        first = parts[0].text if parts and parts[0].language is None else ""
        title = split_prose(first)[1] or first
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            if part.language is None:
                continue
            if "def " in part.text:
                told = after.text if after is not None and after.language is None else ""
                here, following = split_prose(told)
                self.code(part.text, part.line, name_in(title), [here, title])
                title = following

    # Objects

    def objects(self, value: object, line: int) -> None:
        """Read decoded JSON: an object with programs, a list of them, or one of them."""
        if isinstance(value, list):
            for item in value:
                self.objects(item, line)
            return
        if isinstance(value, str) and "def " in value:
            value = {"code": value}
        entry = (
            {str(key).lower(): item for key, item in value.items()}
            if isinstance(value, dict)
            else {}
        )
        code = next((entry[key] for key in _CODE_KEYS if isinstance(entry.get(key), str)), None)
        if isinstance(entry.get("programs"), list):
            self.objects(entry["programs"], line)
        elif code is None:
            self.refuse(
                repr(value)[:400], "an object without code; expected mistake, code, input", line
            )
        else:
            names = (entry[key] for key in _NAME_KEYS if isinstance(entry.get(key), str))
            given = next((entry[key] for key in _INPUT_KEYS if entry.get(key) is not None), None)
            fenced = [block.text for block in blocks(clean(code)[0]) if block.language is not None]
            self.code(fenced[0] if fenced else code, line, next(names, None), [given])

    # Programs

    def code(self, text: str, line: int, name: str | None, told: Sequence[object]) -> None:
        """Read a module that may define the entry point, once or several times.

        Args:
            text: Its source.
            line: Line of the reply.
            name: The mistake, where the reply names it.
            told: What may tell a breaking input, best first: prose, or a value of JSON.
        """
        if text.lstrip().startswith(">>>"):
            text = re.sub(r"^[ \t]*(?:>>>|\.\.\.) ?", "", text, flags=re.MULTILINE)
        lines = text.expandtabs(4).split("\n")
        depth = min((len(row) - len(row.lstrip()) for row in lines if row.strip()), default=0)
        if depth:
            text = "\n".join(row[depth:] for row in lines)
        try:
            tree = parse_module(text, f"line {line}")
            if len(tree.body) > MAX_STATEMENTS:
                raise TaskError(f"more than {MAX_STATEMENTS} top-level statements")
            find_function(tree, self.entry_point, f"line {line}")
            defined = [node for node in tree.body if self.defines(node)]
            ends = [*(first_line(node) for node in defined[1:]), len(lines) + 1]
            for node, end in zip(defined, ends, strict=True):
                alone = name if len(defined) == 1 else None
                self.program(text, tree, (node, end), alone, told, f"line {line}")
        except TaskError as exc:
            self.refuse(text, str(exc), line)

    def defines(self, node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
        return isinstance(node, ast.FunctionDef) and node.name == self.entry_point

    def program(
        self,
        text: str,
        tree: ast.Module,
        main: tuple[ast.FunctionDef, int],
        name: str | None,
        told: Sequence[object],
        where: str,
    ) -> None:
        """Keep one program: a definition, and what stands beside it but calls of it.

        Args:
            text: Source of the module.
            tree: Its syntax tree.
            main: The definition, and the line on which the next one begins.
            name: The mistake, or None to look in the comments above.
            told: What may tell a breaking input.
            where: Place in the reply, for messages.
        """
        node, end = main
        params = params_of(node, where)
        others = [other for other in tree.body if self.defines(other) and other is not node]
        tests = [other for other in tree.body if self.is_test(other)]
        kept = [other for other in tree.body if other not in others and other not in tests]
        source = join_segments(segment(text, tree, other) for other in kept)
        lines = text.split("\n")
        top = max((o.end_lineno or 0 for o in others if o.lineno < node.lineno), default=0)
        if name is None:
            above = [row for row in lines[top : first_line(node) - 1] if row.startswith("#")]
            name = name_in("\n".join(row for row in above if not _TELLS_INPUT.search(row)))
        own = [row for row in lines[first_line(node) - 1 : end - 1] if _TELLS_INPUT.search(row)]
        comments = [row.partition("#")[2] for row in own if "#" in row]
        tried = [source_of(o) for o in tests if node.lineno < o.lineno < end]
        places = ["\n".join(tried), "\n".join(comments), *told]
        breaking = next(filter(None, (self.input_in(place, params) for place in places)), None)
        if source in self.programs:
            self.repeated += 1
        else:
            self.programs[source] = ParsedProgram(name, source, breaking)

    def is_test(self, node: ast.stmt) -> bool:
        """Tell whether a statement only tries the program out; as part of it, it would stop it."""
        if isinstance(node, ast.If):
            return "__name__" in source_of(node.test)
        return isinstance(node, ast.Expr | ast.Assert) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )

    def input_in(self, place: object, params: Sequence[Param]) -> Args | None:
        """Return the first input in prose, in statements, or in a value of JSON."""
        found = Found()
        forms = Forms(self.entry_point, params, found)
        if isinstance(place, str):
            for block in blocks(place):
                forms.block(block)
        elif place is not None:
            forms.take_row(Piece(place), Manner(json=True), 0, strict=True)
        forms.flush()
        return next((item.args for item in found.inputs.values()), None)
