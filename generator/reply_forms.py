"""The text of a reply to inputs, line by line: code, lists, tables, JSON, and prose around them.

A line says where a value begins, its brackets say where it ends; then the syntax tree is asked.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from plusforge.generator.reply_blocks import Block
from plusforge.generator.reply_expressions import Manner, Piece
from plusforge.generator.reply_lines import Start, heading_of, start_of
from plusforge.generator.reply_record import Found
from plusforge.generator.reply_scan import Scanner
from plusforge.generator.reply_snippets import Snippets
from plusforge.generator.reply_syntax import expression, module
from plusforge.generator.reply_values import is_list_name, is_row_name
from plusforge.oracle.task import Param

_VALUE = re.compile(
    r"""[\[({'"“‘\d.−+-]|(?:None|True|False|null|true|false|nan|NaN|inf|Infinity)\b"""
    r"""|(?:float|set|frozenset|list|tuple|dict|range|bytes|str|int|math\.|sys\.|sorted|complex)[(\w]"""
    r"""|[bBrRuU]{1,2}['"]|assert\b|print\(|return\b|yield\b|@pytest|for\b|\w+\.(?:append|extend|add)\("""
    r"""|\w+(?:[ \t]*,[ \t]*\w+)*[ \t]*(?::[^=\n]*)?\+?=(?!=)"""
)
_RESUME = (
    r"^[ \t]*(?:[-*•][ \t]|\d+[.)][ \t]|>>>|assert\b|print\(|#|```|\*\*|(?:{names})[ \t]*\("
    r"|\w+[ \t]*=(?!=))"
)
_CALL = re.compile(r"[A-Za-z_][\w.]*\(")
_JSON = ("json", "jsonl", "json5", "jsonc", "ndjson")


class Forms(Snippets):
    """Reads the blocks of one reply.

    Attributes:
        marks: Lines of headings and the class that each begins.
    """

    def __init__(self, entry_point: str, params: Sequence[Param], found: Found) -> None:
        """Prepare for an entry point."""
        super().__init__(entry_point, params, found)
        names = "|".join(map(re.escape, self.targets))
        self.defined = re.compile(rf"[ \t]*(?:async[ \t]+)?def[ \t]+(?:{names})[ \t]*\(")
        self.resume = re.compile(_RESUME.format(names=names), re.MULTILINE)
        self.marks: list[tuple[int, str | None]] = []
        self.skipping = False
        self.last = False
        self.json = False

    def heading(self, line: int) -> str | None:
        """Return the class of inputs that the headings above a line speak of."""
        at = bisect_right(self.marks, line, key=lambda mark: mark[0])
        return self.marks[at - 1][1] if at else None

    def block(self, block: Block) -> None:
        """Read one block."""
        self.code, self.last = block.language is not None, block.last
        self.json = block.language in _JSON
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
        above = ""
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
            documents = above.endswith(":") and above.startswith(("def ", "class "))
            above = line.strip()
            if documents and above.startswith(('"""', "'''", 'r"""')):
                until = scanner.extent(here)[0]
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

    def bare_text(self, text: str, start: Start, number: int) -> bool:
        """Read ``Input: abc`` where a string is expected; tell whether it was that."""
        bare = text.strip().strip("`")
        node = expression(bare)
        piece = self.piece(node) if node is not None else None
        literal = piece is not None and not piece.reason and isinstance(piece.value, str | tuple)
        quoted = bare[:1] in set("\"'“‘") or self.called.search(bare)
        if not self.signature.one_string or literal or quoted or not bare:
            return False
        self.found.add((bare,), start.kind or self.heading(number), number)
        return True

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
        if self.code and _CALL.match(line, start.at):
            return True
        if self.signature.one_string and is_row_name(start.label):
            return start.at < len(line.rstrip())
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
        how = Manner(kind=start.kind, json=self.json)
        if self.json and text.startswith("["):
            how = replace(how, several=True)
        if not self.code and is_row_name(start.label) and self.bare_text(text, start, number):
            return end
        if not self.code and self.given_argument(text.rstrip(), how):
            return end
        if is_list_name(start.label) or is_row_name(start.label):
            how = replace(how, several=is_list_name(start.label) or None)
        if not self.code and text.count("`") % 2:
            # The mark that ends the code was cut off.
            text = text.lstrip("`")
        inline = not self.code and "`" in text and not self.called.search(text)
        found = inline and self.spans(text, start, how)
        if not found and not (inline and not _VALUE.match(text)):
            cut = not scanner.mismatched and self.last and end == len(scanner.text)
            self.read(text, how, closed=closed, cut=cut and not closed)
        return end
