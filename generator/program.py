"""A piece of a reply read as a module: how it defines the entry point, and the module it makes."""

from __future__ import annotations

import ast
import html
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from plusforge.generator.continuation import plain_source, session_source, undented
from plusforge.generator.effects import nested_statements
from plusforge.generator.parts import Part, is_main_guard, is_stub, parts_of
from plusforge.generator.pieces import parsed, salvaged
from plusforge.generator.reach import reached
from plusforge.generator.replytext import plain_lines
from plusforge.generator.typography import straightened
from plusforge.oracle.source import join_segments

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class Standing(IntEnum):
    """How a module has the entry point; the higher, the better."""

    ABSENT = 0
    STUB = 1
    VALUE = 2  # assigned; perhaps a function, perhaps a variable of the same name
    METHOD = 3
    WHOLE = 4


class Program:
    """Text read as a module; what is no statement of Python is left out.

    Attributes:
        text: The source, which parses.
    """

    def __init__(self, text: str) -> None:
        """Read text.

        Args:
            text: Code, perhaps with prose around it.
        """
        self.text = text if parsed(text) is not None else salvaged(text)

    @cached_property
    def parts(self) -> list[Part]:
        """The top-level statements."""
        tree = parsed(self.text)
        return parts_of(self.text, tree) if tree is not None else []

    def standing(self, name: str) -> Standing:
        """Return how the module defines a name."""
        best = Standing.ABSENT
        for part in self.parts:
            if is_main_guard(part.node):
                continue
            if name in part.effects.binds:
                best = max(best, _standing(part.node, name))
            elif self.method_holder(part, name):
                best = max(best, Standing.METHOD)
        return best

    def method_holder(self, part: Part, name: str) -> bool:
        """Tell whether a statement is a class with a method of a name."""
        return isinstance(part.node, ast.ClassDef) and any(
            isinstance(inner, _FUNCTIONS) and inner.name == name and not is_stub(inner)
            for inner in part.node.body
        )

    @property
    def is_code(self) -> bool:
        """Whether there is more than words and values standing alone."""
        return any(not isinstance(part.node, ast.Expr | ast.Pass) for part in self.parts)

    def first_only(self, name: str) -> None:
        """Drop definitions of a name after the first whole one: a model that runs on."""
        seen = False
        kept = []
        for part in self.parts:
            defines = name in part.effects.binds
            if not (defines and seen):
                kept.append(part)
            seen = seen or (defines and _standing(part.node, name) is Standing.WHOLE)
        self.parts = kept

    def lone_function(self) -> str:
        """Return the one function that nothing else here calls; empty when there are others."""
        functions = [
            part
            for part in self.parts
            if isinstance(part.node, _FUNCTIONS) and not is_stub(part.node)
        ]
        called: set[str] = set()
        for part in functions:
            called |= part.effects.later_calls - part.effects.binds
        names = {name for part in functions for name in part.effects.binds} - called
        names = {name for name in names if not name.startswith(("_", "test")) and name != "main"}
        return names.pop() if len(names) == 1 else ""


def _standing(node: ast.stmt, name: str) -> Standing:
    """Return how one statement that binds a name defines it."""
    best = Standing.ABSENT
    for inner in nested_statements(node):
        if isinstance(inner, _FUNCTIONS) and inner.name == name:
            best = max(best, Standing.STUB if is_stub(inner) else Standing.WHOLE)
        elif isinstance(inner, ast.ClassDef) and inner.name == name:
            best = Standing.WHOLE
        elif isinstance(inner, ast.Assign | ast.AnnAssign):
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                best = max(best, _standing_of_value(inner.value, name))
            elif any(_sets(target, name) for target in targets):
                best = max(best, Standing.VALUE)  # one of several
        elif isinstance(inner, ast.ImportFrom) and any(
            (alias.asname or alias.name) == name for alias in inner.names
        ):
            known = inner.module in sys.stdlib_module_names
            best = max(best, Standing.VALUE if known else Standing.ABSENT)
    return best


def _sets(target: ast.expr, name: str) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
        for part in ast.walk(target)
    )


def _standing_of_value(value: ast.expr | None, name: str) -> Standing:
    is_method = isinstance(value, ast.Attribute) and value.attr == name
    if isinstance(value, ast.Lambda) or is_method:
        return Standing.WHOLE
    callables = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.IfExp
    return Standing.VALUE if isinstance(value, callables) else Standing.ABSENT


def programs_of(text: str) -> list[Program]:
    """Return what a piece of a reply may mean as a program, the likeliest first.

    Args:
        text: One block of a reply.
    """
    if parsed(text) is None:
        text = undented(straightened(text))
    readings = [text, session_source(text), plain_source(text)]
    if "&" in text and parsed(text) is None:
        readings.append(plain_lines(html.unescape(text)))
    return [Program(reading) for reading in dict.fromkeys(readings) if reading or not text]


@dataclass(frozen=True, slots=True)
class Module:
    """What the entry point of a program needs, as one module.

    Attributes:
        code: The source.
        notes: What was brought in from elsewhere, and what is nowhere.
    """

    code: str
    notes: tuple[str, ...]


def module_of(
    program: Program,
    name: str,
    others: Callable[[Program], Sequence[Program]],
    last: str = "",
) -> Module:
    """Return the module in which a name of a program works.

    Args:
        program: Where the name is defined.
        name: The name.
        others: Says, if asked, where else names are looked for that the program lacks.
        last: Text to put at the end.
    """
    found = reached([program.parts], name)
    if found.missing:
        pools = [program.parts, *(other.parts for other in others(program))]
        found = reached(pools, name)
    notes = []
    if found.borrowed:
        notes.append(f"taken from another block or the prompt: {', '.join(found.borrowed)}")
    if found.missing:
        notes.append(f"defined nowhere: {', '.join(found.missing)}")
    return Module(join_segments([*(part.text for part in found.parts), last]), tuple(notes))


def method_call(program: Program, name: str) -> tuple[str, str]:
    """Return the class that has a method, and a line that makes the method a function.

    A class that sets up objects of its own gives each call a fresh one, so that no call sees what
    another left behind. The line is empty when objects of the class need arguments.

    Args:
        program: Where the class is.
        name: The method's name.
    """
    holders = [part.node for part in program.parts if program.method_holder(part, name)]
    holder = holders[-1]
    if not isinstance(holder, ast.ClassDef):
        return "", ""
    setup = next(
        (node for node in holder.body if isinstance(node, _FUNCTIONS) and node.name == "__init__"),
        None,
    )
    if setup is None and not holder.decorator_list:
        return holder.name, f"{name} = {holder.name}().{name}"
    if setup is not None:
        args = setup.args
        wanted = len(args.posonlyargs) + len(args.args) - len(args.defaults) - 1
        if wanted > 0 or any(default is None for default in args.kw_defaults):
            return holder.name, ""
    call = f"    return {holder.name}().{name}(*args, **kwargs)"
    return holder.name, f"def {name}(*args, **kwargs):\n{call}"
