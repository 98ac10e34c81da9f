"""Replies that are no module yet: the rest of a prompt, an interpreter session, indented code."""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Iterator

from plusforge.generator.pieces import begins_statement, parsed, salvaged
from plusforge.generator.replytext import plain_lines
from plusforge.oracle.source import doctest_examples

_USUAL = "    "
_SESSION = (">>>", "In [")


def undented(text: str) -> str:
    """Return text whose first line of code is at the margin, as far as whole lines allow.

    Args:
        text: Code, perhaps indented as a whole.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first[:1].isspace():
        return text
    level = textwrap.dedent(text)
    if not level.lstrip("\n")[:1].isspace():
        return level
    # Text at the margin follows (prose, most often): the indented beginning counts alone.
    margin = first[: len(first) - len(first.lstrip())]
    lines = [line.removeprefix(margin) for line in text.split("\n")]
    return "\n".join(lines)


def quoted_texts(text: str, name: str) -> list[str]:
    """Return programs that stand quoted in a text: in strings of JSON, in code within lines.

    Args:
        text: Any text, such as a reply that was to be JSON.
        name: What such a program defines; quotations without it are left out.
    """
    found = _json_strings(text)
    for line in text.split("\n"):
        found += line.split("`")[1::2]
    return [plain_lines(each) for each in found if name in each and each != text]


def _json_strings(text: str) -> list[str]:
    first, last = text.find("{"), text.rfind("}")
    stripped = text.strip()
    sources = [text[first : last + 1], stripped]
    if "\n" not in stripped and "\\n" in stripped:
        sources.append(f'"{stripped}"')  # a string that lost its quotes
    found = []
    for source in sources:
        try:
            todo: list[object] = [json.loads(source)]
        except (ValueError, RecursionError):
            continue
        while todo:
            value = todo.pop()
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, dict | list):
                todo += value.values() if isinstance(value, dict) else value
    return found


def plain_source(text: str) -> str:
    """Return code without what a display put before each line; an empty text if nothing did.

    Args:
        text: Perhaps a listing with line numbers, or a difference of two versions.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return ""
    if all(line[0] in "+- @" for line in lines) and any(line[0] == "+" for line in lines):
        return "\n".join(line[1:] for line in lines if line[0] in "+ " and line[:3] != "+++")
    bare = [line.lstrip() for line in lines]
    digits = [len(line) - len(line.lstrip("0123456789")) for line in bare]
    if not all(digits):
        return ""
    rests = [line[count:] for line, count in zip(bare, digits, strict=True)]
    if all(rest[:1] in (".", ":", "|", ")") for rest in rests):
        rests = [rest[1:] for rest in rests]
    return textwrap.dedent("\n".join(rests))


def session_source(text: str) -> str:
    """Return what was typed in a transcript of an interpreter session, or an empty text.

    Args:
        text: Any text; prompts are ``>>>`` and ``...``, or ``In [1]:`` and ``...:``.
    """
    lines = text.split("\n")
    if not any(line.lstrip().startswith(_SESSION) for line in lines):
        return ""
    plain = []
    typing = False
    for line in lines:
        stripped = line.lstrip()
        number, colon, code = stripped.partition("]:")
        if stripped.startswith("In [") and colon and number[4:].isdecimal():
            typing = True
            plain.append(f">>>{code}")
        elif typing and stripped.startswith("...:"):
            plain.append(f"...{stripped[4:]}")
        else:
            plain.append(line)
    return "\n".join(example.source for example in doctest_examples("\n".join(plain))) + "\n"


def bodies(text: str, prompt: str, entry_point: str) -> Iterator[str]:
    """Yield modules that a text makes when it continues the prompt, the likeliest first.

    Args:
        text: A function's body, perhaps indented otherwise or with its first line stripped.
        prompt: Code that ends in the entry point's signature and docstring.
        entry_point: Its name.
    """
    if not prompt.endswith("\n") and parsed(prompt + text) is not None:
        yield prompt + text
    margin = body_margin(prompt, entry_point)
    if margin is None:
        return
    head = prompt.rstrip() + "\n"
    lines = text.split("\n")
    start = 0
    while start < len(lines) and (not lines[start].strip() or _is_prose(lines[start])):
        start += 1
    lines = lines[start:]
    if not lines:
        return
    first = lines[0]
    own = first[: len(first) - len(first.lstrip())]
    if own:
        moved = (
            margin + line.removeprefix(own) if line.startswith(own) else line for line in lines
        )
        yield head + "\n".join(lines if own == margin else moved)
        return
    level = salvaged("\n".join(lines))
    if ends_a_function(level):
        yield head + _indented(level, margin)
    others = [line for line in lines[1:] if line.strip()]
    if others and others[0][0].isspace():
        # The first line lost its indentation when the reply was stripped.
        yield head + "\n".join([margin + first, *lines[1:]])


def _is_prose(line: str) -> bool:
    return not line[0].isspace() and not begins_statement(line) and not _is_return(line)


def _is_return(line: str) -> bool:
    return line.split(" ")[0] in ("return", "yield", "raise")


def body_margin(prompt: str, entry_point: str) -> str | None:
    """Return the indentation of the body that a prompt asks for; None when it asks for none.

    Args:
        prompt: What the model was shown.
        entry_point: The function it is to write.
    """
    head = prompt.rstrip() + "\n"
    for text in (head, f"{head}{_USUAL}pass\n"):
        tree = parsed(text)
        if tree is None or not tree.body:
            continue
        last = tree.body[-1]
        if isinstance(last, ast.FunctionDef | ast.AsyncFunctionDef) and last.name == entry_point:
            line = text.split("\n")[last.body[0].lineno - 1]
            indent = line[: len(line) - len(line.lstrip())]
            return indent or _USUAL
    return None


def ends_a_function(text: str) -> bool:
    """Tell whether statements stand outside any function that only a function may have."""
    tree = parsed(text)
    todo: list[ast.AST] = [tree] if tree is not None else []
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(node)
    return False


def _indented(text: str, margin: str) -> str:
    """Indent lines, but none that goes on with a string of several lines."""
    tree = parsed(text)
    inside: set[int] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            inside |= set(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return "\n".join(
        line if number in inside or not line.strip() else margin + line
        for number, line in enumerate(text.split("\n"), 1)
    )
