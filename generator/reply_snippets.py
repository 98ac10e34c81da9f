"""Short pieces of a reply that are almost Python: calls with remarks, inline code, table rows."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from plusforge.generator.reply_expressions import Manner
from plusforge.generator.reply_lines import Start
from plusforge.generator.reply_record import Found, kind_of
from plusforge.generator.reply_scan import Scanner, blanked, cells, remarks, salvage
from plusforge.generator.reply_statements import Statements
from plusforge.generator.reply_syntax import expression, statements
from plusforge.generator.reply_values import is_outcome_name
from plusforge.oracle.task import Param

_PROSE = re.compile(
    r"[\[(]?[A-Za-z][A-Za-z ,.;'’-]*[\])]?[:.!?]?$|\d+[ \t]+[A-Za-z]|\.\.\.|[-*_=.]{3,}$"
)
_SPAN = re.compile(r"(`+)(.+?)\1")
_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*$")
_CUT = "the reply ends inside it: it was cut off"


class Snippets(Statements):
    """Reads pieces of text whose ends are known.

    Attributes:
        code: The piece stands in a fence.
        columns: Headings of the table that is being read.
    """

    def __init__(self, entry_point: str, params: Sequence[Param], found: Found) -> None:
        """Prepare for an entry point."""
        super().__init__(entry_point, params, found)
        # Markdown has its own escapes: has\_it\(1\).
        names = "|".join(re.escape(name).replace("_", r"\\?_") for name in self.targets)
        self.called = re.compile(rf"(?<![\w.])(?:\w+(?:\(\))?\.)?(?:{names})\s*\\?\(")
        given = "|".join(re.escape(param.name) for param in params) or "(?!)"
        self.given = re.compile(rf"[*_`\"']*({given})[*_`\"']*\s*[:=](?!=)[*_]*\s*(.+)", re.DOTALL)
        self.colons = re.compile(rf"\b({given})\s*:\s*")
        self.spaced = re.compile(rf"[,;]?\s{{1,9}}(?:and\s{{1,9}})?({given})\s*[=:](?!=)\s*")
        self.code = False
        self.columns: list[str] = []

    def read(self, text: str, how: Manner, *, closed: bool, cut: bool) -> None:
        """Read a piece of text that may be an input, or several."""
        whole = statements(text) if closed else None
        if whole is not None and self.is_known(whole):
            self.run(whole, how)
            return
        if whole is None and self.called.search(blanked(text)):
            self.calls_in_text(text, how, cut=cut)
            return
        name = self.targets[0]
        for end in (len(text), *self.ends(text)) if closed else ():
            given = text[:end]
            spaced = self.spaced.sub(r", \1=", given)
            for form in (f"{name}({given})", f"{{{given}}}", f"{name}({spaced})", given):
                body = statements(form)
                if body is not None and self.is_known(body, by_name=form != given):
                    self.run(body, how)
                    return
        if whole is not None:
            self.run(whole, how)
            return
        if not closed and self.salvaged(text, how, cut=cut):
            return
        if self.called.search(text):
            self.calls_in_text(text, how, cut=cut)
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

    def given_argument(self, text: str, how: Manner) -> bool:
        """Read one argument of prose, such as ``**nums**: `[1, 2]```; tell whether it was one."""
        match = self.given.fullmatch(text)
        node = expression(match[2].strip("` ")) if match else None
        if match is None or node is None or self.piece(node).reason or self.calls(node):
            return False
        self.hold(match[1], self.piece(node), how)
        return True

    def is_known(self, body: list[ast.stmt], *, by_name: bool = False) -> bool:
        """Tell whether statements read well: calls, assignments, or an expression with a value.

        Args:
            body: The statements.
            by_name: They are a call or a dict put around arguments by name.
        """
        match body:
            case [ast.Expr(value=ast.Call(keywords=words) as call)] if by_name:
                return bool(words) and isinstance(self.row_of(call), tuple)
            case [ast.Expr(value=ast.Dict(keys=keys))] if by_name:
                names = [key.id for key in keys if isinstance(key, ast.Name)]
                return bool(names) and set(names) <= set(self.signature.names)
            case _ if by_name:
                return False
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
            if closed and call is None:
                call = expression(self.colons.sub(r"\1=", call_text))
            mention = closed and call_text.partition("(")[2].rstrip(")").strip() in ("", "...", "…")
            if isinstance(call, ast.Call):
                if self.code or not (
                    self.is_signature(call) or (mention and self.signature.required)
                ):
                    base, self.base = self.base, line - 1
                    source, self.source = self.source, call_text.split("\n")
                    self.run([ast.Expr(call)], how)
                    self.base, self.source = base, source
            elif not (mention and not self.code):
                reason = "it is no Python call" if closed else "its brackets do not match"
                self.found.refuse(
                    call_text, _CUT if cut and not scanner.mismatched else reason, line
                )

    def is_signature(self, call: ast.Call) -> bool:
        """Tell whether prose only mentions the function: ``f(nums, k)``."""
        names = [arg.id for arg in call.args if isinstance(arg, ast.Name)]
        known = self.signature.names[: len(names)]
        return len(names) == len(call.args) > 0 and names == known and names[0] not in self.names

    def salvaged(self, text: str, how: Manner, *, cut: bool) -> bool:
        """Keep the whole items of a list that was cut off; tell whether there were any."""
        kept = salvage(text)
        body = statements(kept[0]) if kept else None
        if kept is None or body is None:
            return False
        refused, known = len(self.found.unread), self.found.count
        for node in body:
            value = getattr(node, "value", None)
            if isinstance(value, ast.expr):
                several = isinstance(node, ast.Assign | ast.Return) or how.several
                self.take(self.piece(value), replace(how, several=several, cut=True))
        if self.found.count == known:
            del self.found.unread[refused:]
            return False
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
        kinds = [
            kind_of(cell) for name, cell in texts if name in ("class", "kind", "type", "category")
        ]
        how = Manner(kind=next(filter(None, kinds), None))
        named = {
            name: text for name, text in texts if name in [n.lower() for n in self.signature.names]
        }
        calls = [cell for cell in row if self.called.search(cell)]
        if calls:
            self.calls_in_text(calls[0], how, cut=False)
        elif len(named) >= max(1, self.signature.required):
            inner = ", ".join(
                f"{n}=({named[n.lower()]})" for n in self.signature.names if n.lower() in named
            )
            self.read(f"{self.targets[0]}({inner})", how, closed=True, cut=False)
        else:
            asked = [text for name, text in texts if re.search(r"input|arg|call|value", name)]
            others = [
                text
                for name, text in texts
                if not is_outcome_name(name) and name not in ("", "#", "no", "no.")
            ]
            if not self.snippets(
                asked or others or [cell.strip("`") for cell in row], how, sure=True
            ):
                self.found.refuse(line, "no cell of the row holds an input", number)
        return True
