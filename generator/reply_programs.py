"""Replies that propose plausible wrong programs, each perhaps with an input that it fails on."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from plusforge.generator.reply_blocks import MAX_CHARACTERS, Block, blocks, clean
from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_forms import Forms
from plusforge.generator.reply_record import SHOWN, Found, Unread
from plusforge.generator.reply_scan import salvage
from plusforge.generator.reply_syntax import module
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
_TITLE = re.compile(
    r"[ \t]*(?:#{1,6} |\*\*|\d+[.)] |(?:wrong |buggy |incorrect )?"
    r"(?:program|mistake|bug|version|variant|solution|implementation)\b)",
    re.IGNORECASE,
)
_TELLS_INPUT = re.compile(r"break|fail|wrong (?:on|for)|input|counter|differs", re.IGNORECASE)
_CODE_LINE = re.compile(r"(?:def|class|import|from|async def)\s|@\w|[A-Za-z_]\w*\s*=[^=]|[)\]}#]")


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
            value = _json_of(part.text, cut=part.last)
            if value is not None:
                self.objects(value[0], part.line)
                if value[1]:
                    self.refuse(value[1], "the reply ends inside it: it was cut off", part.line)
                return
        if not any(part.language is not None and "def " in part.text for part in parts):
            parts = [region for part in parts for region in _bare_code(part)]
        for index, part in enumerate(parts):
            if part.language is None or "def " not in part.text:
                continue
            before = parts[index - 1] if index else None
            after = parts[index + 1] if index + 1 < len(parts) else None
            title = _lower(before.text) if before and before.language is None else ""
            told = _upper(after.text) if after and after.language is None else ""
            self.code(part.text, part.line, _name_in(title), [told, title])

    # Objects

    def objects(self, value: object, line: int) -> None:
        """Read decoded JSON: an object with programs, a list of them, or one of them."""
        if isinstance(value, list):
            for item in value:
                self.objects(item, line)
            return
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
            for node in defined:
                params = params_of(node, f"line {line}")
                self.program(text, tree, node, name if len(defined) == 1 else None, told, params)
        except TaskError as exc:
            self.refuse(text, str(exc), line)

    def defines(self, node: ast.stmt) -> bool:
        return isinstance(node, ast.FunctionDef) and node.name == self.entry_point

    def program(
        self,
        text: str,
        tree: ast.Module,
        main: ast.stmt,
        name: str | None,
        told: Sequence[object],
        params: Sequence[Param],
    ) -> None:
        """Keep one program: the definition, and what stands beside it but calls of it."""
        beside = [node for node in tree.body if not self.defines(node)]
        tests = [node for node in beside if self.is_test(node)]
        kept = [
            node for node in tree.body if node is main or (node in beside and node not in tests)
        ]
        source = join_segments(segment(text, tree, node) for node in kept)
        lines = text.split("\n")
        comments = [row.strip() for row in lines if row.strip().startswith("#")]
        own = [row for row in comments if _TELLS_INPUT.search(row)] if len(told) else []
        if name is None:
            above = lines[: first_line(main) - 1]
            name = _name_in("\n".join(row.lstrip("# ") for row in above if row.startswith("#")))
        places = ["\n".join(ast.unparse(node) for node in tests), "\n".join(own), *told]
        breaking = next(filter(None, (self.input_in(place, params) for place in places)), None)
        if source in self.programs:
            self.repeated += 1
        else:
            self.programs[source] = ParsedProgram(name, source, breaking)

    def is_test(self, node: ast.stmt) -> bool:
        """Tell whether a statement only tries the program out; as part of it, it would stop it."""
        if isinstance(node, ast.If):
            return "__name__" in ast.unparse(node.test)
        return isinstance(node, ast.Expr | ast.Assert) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )

    def input_in(self, place: object, params: Sequence[Param]) -> Args | None:
        """Return the first input in prose, in statements, or in a value of JSON."""
        found = Found()
        forms = Forms(self.entry_point, params, found)
        if isinstance(place, str):
            text = "\n".join(re.sub(r"^[ \t]*#+[ \t]?", "", row) for row in place.split("\n"))
            for block in blocks(text):
                forms.block(block)
        elif place is not None:
            forms.take_row(Piece(place), Manner(json=True), 0, strict=True)
        forms.flush()
        return next((item.args for item in found.inputs.values()), None)


def _json_of(text: str, *, cut: bool) -> tuple[object, str] | None:
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
        if isinstance(value, dict) or (
            isinstance(value, list) and all(isinstance(v, dict) for v in value)
        ):
            return value, rest
    return None


def _bare_code(block: Block) -> Iterator[Block]:
    """Yield the stretches of an unfenced text that look like code, and the prose between them."""
    code: list[str] = []
    prose: list[str] = []
    for line in [*block.text.split("\n"), ""]:
        goes_on = code and (not line.strip() or line[0] in " \t")
        if goes_on or _CODE_LINE.match(line):
            if prose:
                yield Block("\n".join(prose), None, block.line, last=False)
                prose = []
            code.append(line)
        else:
            if code:
                yield Block("\n".join(code), "", block.line, last=False)
                code = []
            prose.append(line)
    if code:
        yield Block("\n".join(code), "", block.line, last=block.last)
    if prose:
        yield Block("\n".join(prose), None, block.line, last=block.last)


def _split(prose: str) -> int:
    """Return the line of prose between two programs at which the second one's title begins."""
    lines = prose.split("\n")
    titles = [index for index, line in enumerate(lines) if _TITLE.match(line)]
    return titles[-1] if titles else len(lines)


def _upper(prose: str) -> str:
    return "\n".join(prose.split("\n")[: _split(prose)])


def _lower(prose: str) -> str:
    lines = prose.split("\n")
    at = _split(prose)
    return "\n".join(lines[at:] if at < len(lines) else lines[-3:])


def _name_in(prose: str) -> str | None:
    """Return the words that name a mistake: the first line of a title, without its marks."""
    for line in prose.split("\n"):
        words = re.sub(r"^[\s#>*\d.)-]+|[*:`\s]+$", "", line).replace("**", "")
        words = re.sub(r"^(?:wrong |buggy )?(?:program|mistake|bug|version|variant)\s*\d*\s*[:.-]\s*", "",
                       words, flags=re.IGNORECASE)  # fmt: skip
        if words:
            return words[:SHOWN]
    return None
