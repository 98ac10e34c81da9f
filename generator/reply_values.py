"""Values of a reply to inputs: rows, lists of rows, objects by name, text that holds Python.

A list of inputs is read item by item, so that one that cannot be read costs only itself.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from plusforge.generator.reply_args import LOOKED_AT, fits
from plusforge.generator.reply_expressions import Expressions, Manner, Piece
from plusforge.generator.reply_record import kind_of
from plusforge.generator.reply_syntax import expression
from plusforge.oracle.values import Args, Value

_LISTS = re.compile(
    r"(?:test|sample|example)?_?(?:inputs|cases|tests|testcases|examples|candidates|samples|data)"
    r"|tests?_?(?:set|suite|data)|test_?inputs?_?list|args_?list|\w*_(?:inputs|cases|tests|examples)"
)
_ROWS = re.compile(r"(?:test_?)?(?:args|arguments|input|params|parameters|kwargs|call|values)_?\d*")
_IGNORED = re.compile(
    r"(?:expected|output|result|answer|return|desc|explan|reason|rationale|note|comment|name|id$|"
    r"title|label|mistake|function|entry|task|class|kind|category|type|programs?$|why|purpose).*"
)
_ENVELOPES = ("inputs", "args", "test_cases", "test_inputs")
"""Keys that are read as ours even where a dict is a possible argument."""
_KIND_KEYS = ("class", "kind", "category", "type")
_DEEP = 8


def is_list_name(name: str) -> bool:
    """Tell whether a name or key promises several inputs."""
    return _LISTS.fullmatch(name.lower().replace(" ", "_")) is not None


def is_case_name(name: str) -> bool:
    """Tell whether a name promises test cases, which may say their outcomes as well."""
    return re.search("case|test|example", name.lower()) is not None and "input" not in name.lower()


def is_row_name(name: str) -> bool:
    """Tell whether a name or key promises one row of arguments."""
    return _ROWS.fullmatch(name.lower().replace(" ", "_")) is not None


def is_outcome_name(name: str) -> bool:
    """Tell whether a name or key promises something else than an input."""
    return _IGNORED.match(name.lower().lstrip("_")) is not None


class Values(Expressions):
    """Decides what values of a reply are: inputs, lists of inputs, or neither."""

    def take(self, piece: Piece, how: Manner, depth: int = 0) -> None:
        """Read a value as an input or as several."""
        node, value = piece.node, None if piece.reason else piece.value
        if depth > _DEEP:
            self.refuse(piece, f"objects and lists within each other, more than {_DEEP} deep")
        elif isinstance(value, str):
            self.take_text(value, piece, how)
        elif isinstance(node, ast.Dict) or isinstance(value, dict):
            self.take_dict(piece, how, depth)
        elif isinstance(node, ast.List | ast.Tuple | ast.Set) or isinstance(value, list | tuple):
            self.take_list(piece, how, depth)
        else:
            self.take_single(piece, how)

    def take_single(self, piece: Piece, how: Manner, *, rows: bool = False) -> None:
        """Read a value as one input."""
        args = piece.reason or self.signature.single(piece.value, rows=rows)
        if isinstance(args, str):
            self.refuse(piece, args)
        else:
            self.add(args, piece, how)

    def take_list(self, piece: Piece, how: Manner, depth: int) -> None:
        """Read a list as one input or as a list of inputs, whichever fits better."""
        items = self.parts(piece)
        untyped = self.signature.one_untyped
        rows = how.json and all(isinstance(p.value, list) and len(p.value) == 1 for p in items)
        one = 1.0 if piece.reason else self.signature.doubt(piece.value)
        one = 1.1 if how.cut else one
        some = items[:LOOKED_AT]
        many = sum(self.doubt(item, rows=rows) for item in some) / len(some) if some else one
        several = how.several
        if several is None:
            rowlike = all(isinstance(item.value, tuple | dict) for item in items)
            several = how.json or (bool(items) and rowlike and not isinstance(piece.value, tuple))
        if how.cut and (many >= 1 or (untyped and how.several is None)):
            self.refuse(piece, "the reply ends inside it")
        elif items and (how.cases or (several and many >= 1)) and self.take_pairs(items, how, many):
            return
        elif many < one or (many == one and several):
            for item in items:
                if isinstance(item.node, ast.Dict) or isinstance(item.value, dict | str):
                    self.take(item, replace(how, several=False, cut=False), depth + 1)
                else:
                    self.take_single(item, how, rows=rows)
        else:
            self.take_single(piece, how)

    def doubt(self, piece: Piece, *, rows: bool) -> float:
        """Return how badly an item reads as one input."""
        if piece.reason:
            return 0.5
        if isinstance(piece.value, str) and not self.signature.one_untyped:
            code = re.match(r"\s*(?:[(\[{'\"-]|\w+\s*[=(])", piece.value)
            return 0.0 if code or self.signature.one_string else 1.0
        if isinstance(piece.value, dict) and any(
            is_row_name(key) for key, _ in self.entries(piece)
        ):
            return 0.0
        return self.signature.doubt(piece.value, rows=rows)

    def take_pairs(self, items: list[Piece], how: Manner, doubt: float) -> bool:
        """Read items as pairs of an input and its outcome; tell whether they are such."""
        count = len(self.signature.names)
        if doubt == 0 and not (how.cases and self.signature.untyped):
            return False
        inputs: list[Args] = []
        outcomes: list[Value] = []
        for item in items:
            row = item.value
            if item.reason or not isinstance(row, tuple | list) or len(row) < 2:
                return False
            whole = count > 1 and len(row) == count + 1
            if not whole and (
                len(row) != 2 or (count > 1 and not isinstance(row[0], tuple | list))
            ):
                return False
            args = self.signature.single(tuple(row[:-1]) if whole else row[0])
            if isinstance(args, str) or self.signature.misfits(args):
                return False
            inputs.append(args)
            outcomes.append(row[-1])
        if doubt == 0 and count > 1 and all(isinstance(outcome, tuple) for outcome in outcomes):
            return False
        for item, args in zip(items, inputs, strict=True):
            self.add(args, item, how)
        return True

    # Objects

    def take_dict(self, piece: Piece, how: Manner, depth: int) -> None:
        """Read an object: arguments by name, or an envelope around inputs."""
        entries = self.entries(piece)
        words = [str(p.value) for key, p in entries if key.lower() in _KIND_KEYS and p.value]
        kind = next(filter(None, map(kind_of, words)), how.kind)
        how = replace(how, kind=kind, json=True)
        signature = self.signature
        whole = None if piece.reason else signature.single(piece.value)
        envelope = any(key in _ENVELOPES for key, _ in entries) and not depth > 2
        fit = isinstance(whole, tuple) and not signature.misfits(whole)
        if isinstance(whole, tuple) and fit and not signature.one_untyped and not envelope:
            self.add(whole, piece, how)
            return
        named = {key: part for key, part in entries if key in signature.names}
        rows = [part for key, part in entries if is_row_name(key) and key not in named]
        lists = [(key, part) for key, part in entries if is_list_name(key) and key not in named]
        if named and all(name in named for name in signature.names[: signature.required]):
            self.take_named(named, piece, how)
        elif rows or lists:
            strict = any(key.lower() in _KIND_KEYS for key, _ in entries)
            for part in rows:
                self.take_row(part, how, depth, strict=strict)
            for key, part in lists:
                cases = is_case_name(key)
                self.take(part, replace(how, several=True, cases=cases), depth + 1)
        else:
            self.take_groups(piece, entries, how, depth, whole)

    def take_named(self, named: dict[str, Piece], piece: Piece, how: Manner) -> None:
        """Read arguments given by parameter name; texts may stand for other values.

        Not where an input is meant to be wrong: a text may be the very mistake.
        """
        texts = how.json and how.kind != "near_valid"
        for name, spec in zip(self.signature.names, self.signature.specs, strict=True):
            part = named.get(name)
            if texts and part is not None and isinstance(part.value, str):
                node = None if fits(part.value, spec) is not False else expression(part.value)
                literal = part if node is None else self.piece(node)
                named[name] = part if literal.reason else literal
        bad = next((part for part in named.values() if part.reason), None)
        args = bad.reason if bad else self.signature.by_name({k: p.value for k, p in named.items()})
        if isinstance(args, str):
            self.refuse(piece, args)
        else:
            self.add(args, piece, how)

    def take_groups(
        self,
        piece: Piece,
        entries: list[tuple[str, Piece]],
        how: Manner,
        depth: int,
        whole: Args | str | None,
    ) -> None:
        """Read an object whose keys are headings, such as ``typical`` or ``case 1``."""
        groups = [(key, part) for key, part in entries if not is_outcome_name(key)]
        groups += [(key, part) for key, part in entries if is_outcome_name(key) and kind_of(key)]
        inner = all(
            isinstance(part.value, list | tuple | dict | str) or part.reason for _, part in groups
        )
        headed = all(kind_of(key) or re.match(r"(?i)(?:test|case|ex)", key) for key, _ in groups)
        if isinstance(whole, tuple) and not (groups and headed):
            self.add(whole, piece, how)
        elif groups and inner:
            for key, part in groups:
                several = True if kind_of(key) and isinstance(part.value, list) else None
                kind = kind_of(key) or how.kind
                self.take(part, replace(how, kind=kind, several=several), depth + 1)
        elif len(groups) or not entries:
            keys = ", ".join(key for key, _ in entries[:4]) or "none"
            self.refuse(piece, f"an object with the keys {keys}; expected args or the parameters")

    def take_row(self, piece: Piece, how: Manner, depth: int, *, strict: bool) -> None:
        """Read what stands under ``args``: a row, arguments by name, a call, or texts of them."""
        value = piece.value
        texts = isinstance(value, list) and value and all(isinstance(part, str) for part in value)
        if texts and not self.signature.wrong_count(len(value)):
            self.take_texts(value, piece, how, strict=strict)
        elif isinstance(value, list) and not piece.reason:
            self.take_single(piece, how, rows=True)
        elif isinstance(value, str | dict) or isinstance(piece.node, ast.Dict):
            self.take(piece, replace(how, several=False), depth + 1)
        else:
            self.take_single(piece, how)

    def take_texts(self, texts: list[str], piece: Piece, how: Manner, *, strict: bool) -> None:
        """Read arguments of which each is the text of a literal, or simply text.

        Args:
            texts: One for each argument.
            piece: Where they stand.
            how: How values are read.
            strict: They were asked for as literals, so ``"12"`` is a number even where a string
                is expected; only what is no literal may be the string itself.
        """
        row: list[Value] = []
        for text, name, spec in zip(
            texts, self.signature.names, self.signature.specs, strict=False
        ):
            node = expression(re.sub(rf"^\s*{re.escape(name)}\s*[=:](?!=)\s*", "", text))
            part = self.piece(node) if node else Piece(None, f"{text[:60]!r} is no Python literal")
            stringlike = fits(text, spec)
            unasked = not strict and not part.reason and fits(part.value, spec) is False
            if stringlike and (part.reason or unasked):
                part = Piece(text)
            if part.reason and stringlike is None and _is_word(text):
                part = Piece(text)
            if part.reason:
                self.refuse(piece, part.reason)
                return
            row.append(part.value)
        # Literals say their types; nothing is lost that an annotation would have to bring back.
        self.add(tuple(row), piece, replace(how, json=False))

    # Text inside strings

    def take_text(self, text: str, piece: Piece, how: Manner) -> None:
        """Read a string that stands where an input is expected: a call, a literal, or itself."""
        node = expression(text)
        calls = self.calls(node) if node is not None else []
        if self.signature.one_string:
            # The text "f(1)" is no call when the argument of a call would have to be a string.
            rows = ((call, self.row_of(call)) for call in calls)
            calls = [c for c, row in rows if row and not self.signature.misfits(tuple(row))]
        for call in calls:
            self.bind(call, how.kind)
        if calls:
            return
        inner = self.piece(node) if node is not None else Piece(None, "it is no Python literal")
        if isinstance(inner.value, dict) and not self.signature.one_string:
            self.take_dict(inner, how, _DEEP - 1)
            return
        if not inner.reason and not isinstance(inner.value, dict):
            args = self.signature.single(inner.value)
            if isinstance(args, tuple) and not (
                self.signature.one_string and self.signature.misfits(args)
            ):
                self.add(args, piece, replace(how, json=False))
                return
        as_call = expression(f"{self.targets[0]}({text})")
        row = self.row_of(as_call) if isinstance(as_call, ast.Call) else ""
        if isinstance(row, tuple) and not (
            self.signature.one_string and self.signature.misfits(row)
        ):
            self.add(row, piece, replace(how, json=False))
        elif self.signature.one_string or (self.signature.one_untyped and _is_word(text)):
            self.add((text,), piece, replace(how, json=False))
        else:
            self.refuse(piece, inner.reason or self.signature.wrong_count(1) or "no input")


def _is_word(text: str) -> bool:
    """Tell whether text is too plain to be meant as Python."""
    return re.search(r"""[()\[\]{}"'=]|^\s*$""", text) is None
