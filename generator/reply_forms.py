"""The text of a reply to inputs, line by line: code, lists, tables, JSON, and prose around them.

A line says where a value begins, its brackets say where it ends; then the syntax tree is asked.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from plusforge.generator.reply_blocks import Block
from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_lines import Start, heading_of, start_of
from plusforge.generator.reply_record import Found, kind_of
from plusforge.generator.reply_scan import Scanner, cells, remarks, salvage
from plusforge.generator.reply_statements import Statements
from plusforge.generator.reply_syntax import expression, module, statements
from plusforge.generator.reply_values import is_list_name, is_outcome_name, is_row_name
from plusforge.oracle.task import Param

_VALUE = re.compile(
    r"""[\[({'"“‘\d.−+-]|(?:None|True|False|null|true|false|nan|NaN|inf|Infinity)\b"""
    r"""|(?:float|set|frozenset|list|tuple|dict|range|bytes|str|int|math\.|sys\.|sorted|complex)[(\w]"""
    r"""|[bBrRuU]{1,2}['"]|assert\b|print\(|return\b|yield\b|@pytest|for\b|\w+\.(?:append|extend|add)\("""
    r"""|\w+(?:[ \t]*,[ \t]*\w+)*[ \t]*(?::[^=\n]*)?\+?=(?!=)"""
)
_PROSE = re.compile(r"[\[(]?[A-Za-z][A-Za-z ,.;'’-]*[\])]?[:.!?]?$|\d+[ \t]+[A-Za-z]|\.\.\.|[-*_=.]{3,}$")
_SPAN = re.compile(r"(`+)(.+?)\1")
_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*$")
_RESUME = r"^[ \t]*(?:[-*•][ \t]|\d+[.)][ \t]|>>>|assert\b|print\(|#|```|\*\*|(?:{names})[ \t]*\(|\w+[ \t]*=(?!=))"
_JSON = ("json", "jsonl", "json5", "jsonc", "ndjson")
_CUT = "the reply ends inside it: it was cut off"


class Forms(Statements):
    """Reads the blocks of one reply.

    Attributes:
        marks: Lines of headings and the class that each begins.
    """

    def __init__(self, entry_point: str, params: Sequence[Param], found: Found) -> None:
        """Prepare for an entry point."""
        super().__init__(entry_point, params, found)
        names = "|".join(map(re.escape, self.targets))
        self.called = re.compile(rf"(?<![\w.])(?:\w+(?:\(\))?\.)?(?:{names})\s*\(")
        self.defined = re.compile(rf"[ \t]*(?:async[ \t]+)?def[ \t]+(?:{names})[ \t]*\(")
        self.resume = re.compile(_RESUME.format(names=names), re.MULTILINE)
        self.marks: list[tuple[int, str | None]] = []
        self.skipping = False
        self.columns: list[str] = []
        self.code = False
        self.last = False

    def heading(self, line: int) -> str | None:
        """Return the class of inputs that the headings above a line speak of."""
        at = bisect_right(self.marks, line, key=lambda mark: mark[0])
        return self.marks[at - 1][1] if at else None

    def block(self, block: Block) -> None:
        """Read one block."""
        self.code, self.last = block.language is not None, block.last
        if self.code and self.skipping:
            # The fence under "Output:".
            self.skipping = False
            return
        if self.whole_json(block):
            return
        lines = block.text.split("\n")
        for number, line in enumerate(lines, block.line):
            is_heading, kind = heading_of(line, code=self.code)
            if is_heading:
                self.marks.append((number, kind))
        scanner = Scanner(block.text)
        at, number, until = 0, 0, 0
        wanted = False
        indent: int | None = None
        for index, line in enumerate(lines):
            here, at = at, at + len(line) + 1
            if here < until:
                continue
            number = block.line + index
            depth = len(line) - len(line.lstrip())
            if not line.strip():
                wanted = False
                continue
            if indent is not None and depth > indent:
                continue
            indent = None
            if self.defined.match(line):
                self.found.refuse(line, "a definition of the function, not an input", number)
                indent = depth
                continue
            if wanted and ">>>" not in line:
                continue
            if not self.code and self.table_row(line, lines[index + 1 : index + 2], number):
                continue
            start = start_of(line, code=self.code, names=self.signature.names)
            wanted = start.prompt
            if self.is_loop(line, start):
                until = self.loop_block(lines, index, here, number)
            elif self.interesting(line, start):
                until = self.chunk(scanner, here, start, number)
        self.flush_row()

    # Whole blocks

    def whole_json(self, block: Block) -> bool:
        """Read a block that is one JSON text; tell whether it was one."""
        text = block.text.strip()
        if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
            return False
        marked = (block.language or "") in _JSON
        if text[0] == "[" and not marked and block.language is not None:
            return False
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return False
        how = Manner(several=True if isinstance(value, list) else None, json=True)
        plain_list = isinstance(value, list) and not marked
        if plain_list and not any(isinstance(item, dict | str) for item in value):
            return False
        self.take(Piece(value, "", None, block.line - 1), how)
        return True

    def is_loop(self, line: str, start: Start) -> bool:
        """Tell whether a line begins a ``for`` statement."""
        return line.startswith("for ", start.at) and line.rstrip().endswith(":")

    def loop_block(self, lines: list[str], index: int, here: int, number: int) -> int:
        """Read a loop with the lines that belong to it; return where they end in the block."""
        first = lines[index]
        depth = len(first) - len(first.lstrip())
        end = index + 1
        while end < len(lines) and (
            not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth
        ):
            end += 1
        tree = module("\n".join(line[depth:] for line in lines[index:end]))
        if tree is None:
            return here
        self.base, self.source = number - 1, [line[depth:] for line in lines[index:end]]
        self.run(tree.body, Manner())
        return here + sum(len(line) + 1 for line in lines[index:end])

    # Lines

    def interesting(self, line: str, start: Start) -> bool:
        """Tell whether something on a line may be an input; note a label that says it is none."""
        if self.called.search(line, start.at):
            self.skipping = False
            return True
        if start.outcome:
            self.skipping = start.at >= len(line.rstrip())
            return False
        if self.skipping:
            self.skipping = False
            return False
        if not self.code and "`" in line:
            return True
        return _VALUE.match(line, start.at) is not None or (
            line[start.at :].partition(":")[0].strip(" *`") in self.signature.names
        )

    def chunk(self, scanner: Scanner, here: int, start: Start, number: int) -> int:
        """Read what begins on a line, over as many lines as its brackets hold; return its end."""
        begin = here + start.at
        end, closed = scanner.extent(begin)
        if not closed:
            line_end = scanner.text.find("\n", begin)
            again = self.resume.search(scanner.text, line_end + 1) if line_end >= 0 else None
            end = again.start() if again else len(scanner.text)
        text = scanner.text[begin:end].removeprefix("@")
        if start.prompt:
            text = re.sub(r"\n[ \t]*\.\.\. ?", "\n", text)
        self.base, self.source = number - 1, text.split("\n")
        how = Manner(kind=start.kind)
        if is_list_name(start.label) or is_row_name(start.label):
            how = replace(how, several=is_list_name(start.label) or None)
        if not self.code and "`" in text and not self.called.search(text):
            if self.spans(text, start, how):
                return end
        self.read(text, how, closed=closed, cut=not closed and self.last and end == len(scanner.text))
        return end

    def read(self, text: str, how: Manner, *, closed: bool, cut: bool) -> None:
        """Read a piece of text that may be an input, or several."""
        whole = statements(text) if closed else None
        if whole is not None and self.is_known(whole):
            self.run(whole, how)
            return
        if whole is None and self.called.search(text):
            self.calls_in_text(text, how, cut=cut)
            return
        for end in (len(text), *self.ends(text)) if closed else ():
            call = expression(f"{self.targets[0]}({text[:end]})")
            if isinstance(call, ast.Call) and call.keywords and isinstance(self.row_of(call), tuple):
                self.run([ast.Expr(call)], how)
                return
            body = statements(text[:end])
            if body is not None and self.is_known(body):
                self.run(body, how)
                return
        if whole is not None:
            self.run(whole, how)
            return
        if not closed and self.salvaged(text, how, cut=cut):
            return
        if self.code or not _PROSE.match(text.strip()):
            reason = _CUT if cut else "its brackets do not match" if not closed else ""
            self.found.refuse(text, reason or "it is neither Python nor JSON", self.base + 1)

    def ends(self, text: str) -> list[int]:
        """Return where a value on a line may end because a remark begins."""
        found: list[int] = []
        for at in remarks(text):
            found.append(at)
            if len(found) == 4:
                break
        return found

    def is_known(self, body: list[ast.stmt]) -> bool:
        """Tell whether statements read well: calls, assignments, or an expression with a value."""
        match body:
            case [ast.Expr(value=ast.Name() | ast.Attribute())]:
                return False
            case [ast.Expr(value=value)]:
                if isinstance(value, ast.Compare):
                    value = value.left
                display = isinstance(value, ast.List | ast.Dict | ast.Set)
                return display or bool(self.calls(value)) or not self.piece(value).reason
            case [ast.AnnAssign(target=ast.Name(id=name), value=None, annotation=value)]:
                return name in self.signature.names and not self.piece(value).reason
            case _:
                return bool(body)

    def calls_in_text(self, text: str, how: Manner, *, cut: bool) -> None:
        """Read the calls in text that is no Python, such as ``f(1) -> True``."""
        scanner, at = Scanner(text), 0
        while (match := self.called.search(text, at)) is not None:
            end, closed = scanner.extent(match.end() - 1, line=False)
            call_text = text[match.start() : end]
            line = self.base + 1 + text.count("\n", 0, match.start())
            at = max(end, match.end()) if closed else match.end()
            call = expression(call_text) if closed else None
            mention = re.fullmatch(r"[^(]*\(\s*(?:\.\.\.|…)?\s*\)", call_text)
            if isinstance(call, ast.Call):
                if self.code or not (self.is_signature(call) or (mention and self.signature.required)):
                    base, self.base = self.base, line - 1
                    source, self.source = self.source, call_text.split("\n")
                    self.run([ast.Expr(call)], how)
                    self.base, self.source = base, source
            elif not (mention and not self.code):
                reason = "it is no Python call" if closed else "its brackets do not match"
                self.found.refuse(call_text, _CUT if cut and not closed else reason, line)

    def is_signature(self, call: ast.Call) -> bool:
        """Tell whether prose only mentions the function: ``f(nums, k)``."""
        names = [arg.id for arg in call.args if isinstance(arg, ast.Name)]
        return len(names) == len(call.args) > 0 and not any(name in self.names for name in names)

    def salvaged(self, text: str, how: Manner, *, cut: bool) -> bool:
        """Keep the whole items of a list that was cut off; tell whether there were any."""
        kept = salvage(text)
        body = statements(kept[0]) if kept else None
        if kept is None or body is None:
            return False
        for node in body:
            value = getattr(node, "value", None)
            if isinstance(value, ast.expr):
                several = isinstance(node, ast.Assign | ast.Return) or how.several
                self.take(self.piece(value), replace(how, several=several, cut=True))
        line = self.base + 1 + text.count("\n", 0, len(text) - len(kept[1]))
        self.found.refuse(kept[1], _CUT if cut else "its brackets do not match", line)
        return True

    # Prose

    def spans(self, text: str, start: Start, how: Manner) -> bool:
        """Read inline code of a line of prose; tell whether there was an input in it."""
        spans = [match[2].strip() for match in _SPAN.finditer(text)]
        around = _SPAN.sub("", text)
        sentence = not start.item and not start.label and len(around.split()) > 6
        return self.snippets(spans, how, sure=not sentence)

    def snippets(self, texts: list[str], how: Manner, *, sure: bool) -> bool:
        """Read short pieces: each an input, or together the arguments of one.

        Args:
            texts: Contents of code marks or of table cells.
            how: How values are read.
            sure: A value alone is an input; in a sentence it is not.
        """
        bodies = [(text, statements(text)) for text in texts]
        known = [(t, b) for t, b in bodies if b is not None and self.is_known(b)]
        values = [b[0].value for _, b in known if len(b) == 1 and isinstance(b[0], ast.Expr)]
        names = self.signature.names
        if sure and len(names) > 1 and len(values) == len(known):
            pieces = [self.piece(value) for value in values]
            alone = any(isinstance(self.signature.single(p.value), tuple) for p in pieces)
            if len(pieces) >= self.signature.required and not alone:
                row = tuple(piece.value for piece in pieces[: len(names)])
                self.add(row, pieces[0], how)
                return True
        found = False
        for text, body in known:
            value = body[0].value if isinstance(body[0], ast.Expr) else None
            if value is None or sure or isinstance(value, ast.Tuple):
                self.source = text.split("\n")
                self.run(body, how)
                found = True
        return found

    def table_row(self, line: str, below: list[str], number: int) -> bool:
        """Read a row of a Markdown table; tell whether it was one."""
        if not line.lstrip().startswith("|"):
            self.columns = []
            return False
        row = cells(line)
        if below and _RULE.match(below[0]) and "|" in below[0]:
            self.columns = [cell.strip("*` ").lower() for cell in row]
            return True
        if _RULE.match(line):
            return True
        self.base, self.source = number - 1, [line]
        texts = [(name, cell.strip("`")) for name, cell in zip(self.columns, row, strict=False)]
        kinds = [kind_of(cell) for name, cell in texts if name in ("class", "kind", "type", "category")]
        how = Manner(kind=next(filter(None, kinds), None))
        named = {name: text for name, text in texts if name in [n.lower() for n in self.signature.names]}
        calls = [cell for cell in row if self.called.search(cell)]
        if calls:
            self.calls_in_text(calls[0], how, cut=False)
        elif len(named) >= max(1, self.signature.required):
            inner = ", ".join(f"{n}=({named[n.lower()]})" for n in self.signature.names if n.lower() in named)
            self.read(f"{self.targets[0]}({inner})", how, closed=True, cut=False)
        else:
            asked = [text for name, text in texts if re.search(r"input|arg|call|value", name)]
            others = [text for name, text in texts if not is_outcome_name(name) and name not in ("", "#", "no", "no.")]
            if not self.snippets(asked or others or [cell.strip("`") for cell in row], how, sure=True):
                self.found.refuse(line, "no cell of the row holds an input", number)
        return True
