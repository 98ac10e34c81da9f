"""Code whose spaces, quotes and signs a typesetter has improved, as Python has them."""

from __future__ import annotations

_SPACES = dict.fromkeys([0xA0, 0x1680, 0x202F, 0x205F, 0x3000, *range(0x2000, 0x200B)], " ")
_NOTHING = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD], "")
_FULL_WIDTH = {ord(sign) + 0xFEE0: sign for sign in "()[]{},:;.=+-*/<>"}
_DASHES = dict.fromkeys([0x2010, 0x2011, 0x2012, 0x2013, 0x2212], "-")
_PLAIN = _SPACES | _NOTHING | _FULL_WIDTH | _DASHES
_DOUBLE, _SINGLE = "\u201c\u201d\u201e", "\u2018\u2019"
_CLOSING = dict.fromkeys(_DOUBLE, _DOUBLE + '"') | dict.fromkeys(_SINGLE, _SINGLE + "'")
"""What ends the text that a curly quote begins; the last is the plain quote."""
_ODD = frozenset(map(chr, _PLAIN)) | frozenset(_CLOSING)


def straightened(code: str) -> str:
    """Return code with typographic spaces, quotes and signs as Python has them.

    Text between ordinary quotes, and comments, stay as they are.

    Args:
        code: Text that may be a program.
    """
    if not _ODD & set(code):
        return code
    out: list[str] = []
    at, size = 0, len(code)
    while at < size:
        char = code[at]
        if char == "#":
            end = code.find("\n", at)
            end = size if end < 0 else end
            out.append(code[at:end])
        elif char in "'\"":
            end = _string_end(
                code, at, code[at : at + 3] if code[at : at + 3] == char * 3 else char
            )
            out.append(code[at:end])
        elif char in _CLOSING:
            end = at + 1
            while end < size and code[end] not in _CLOSING[char] + "\n":
                end += 2 if code[end] == "\\" else 1
            end = min(end, size)
            inner, plain = code[at + 1 : end], _CLOSING[char][-1]
            closed = end < size and code[end] != "\n"
            out.append(plain + (inner.replace(plain, "\\" + plain) + plain if closed else inner))
            end += closed
        else:
            out.append(_PLAIN.get(ord(char), char))
            end = at + 1
        at = end
    return "".join(out)


def _string_end(code: str, start: int, quote: str) -> int:
    """Return where a string literal ends; one that never does ends with its line."""
    at, size = start + len(quote), len(code)
    while at < size:
        if code[at] == "\\":
            at += 2
        elif code.startswith(quote, at):
            return at + len(quote)
        elif code[at] == "\n" and len(quote) == 1:
            return at
        else:
            at += 1
    if len(quote) == 1:
        return size
    end = code.find("\n", start)
    return size if end < 0 else end
