"""What of a module its entry point reaches: definitions, tables, settings, no demonstrations."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.generator.parts import Part
from plusforge.generator.pools import ASSIGNMENTS, DEFINITIONS, TALK, Pool, names_in

_SETTINGS = frozenset(
    {"setrecursionlimit", "set_int_max_str_digits", "getcontext", "setcontext", "stack_size"}
)
"""Calls that set up the interpreter or a library; what is computed may depend on them."""
_DYNAMIC = frozenset({"eval", "exec", "globals", "vars"})
"""Ways to reach a name that no reading of the source can see."""
_KNOWN = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__builtins__", "*"}


@dataclass(frozen=True, slots=True)
class Reached:
    """What an entry point needs.

    Attributes:
        parts: The statements, in the order they must stand in.
        missing: Names that nothing defines, sorted.
        borrowed: Names taken from a source other than the first, sorted.
    """

    parts: tuple[Part, ...]
    missing: tuple[str, ...]
    borrowed: tuple[str, ...]


def reached(pools: Sequence[Sequence[Part]], root: str) -> Reached:
    """Return the statements that a name of the first source needs.

    Args:
        pools: The statements of each source. A name that the first does not define is looked for
            in the next; in the result later sources stand first.
        root: The name.
    """
    return _Search(pools, root).result()


class _Search:
    def __init__(self, pools: Sequence[Sequence[Part]], root: str) -> None:
        self.pools = [Pool(parts, root) for parts in pools]
        self.root = root
        self.taken: set[int] = set()
        self.needed: set[str] = set()
        self.missing: set[str] = set()
        self.borrowed: set[str] = set()
        self.todo: list[str] = []
        self.writers: set[str] = set()
        self.dynamic = False
        self.families = False
        main = self.pools[0]
        for part in main.parts:
            if _is_setting(part) or _is_general(part):
                self.take(part)
        self.need(root)
        self.supply_all()
        if self.dynamic:
            self.take_definitions(main)
        if self.missing:
            self.take_hidden_definitions(main)
        self.supply_all()
        if self.missing:
            for pool in self.pools[1:]:
                for part in pool.parts:
                    if "*" in part.effects.binds:
                        self.take(part)

    def result(self) -> Reached:
        chosen = [
            part for pool in reversed(self.pools) for part in pool.parts if id(part) in self.taken
        ]
        future = [part for part in chosen if _is_future(part)]
        once = list({part.text: part for part in future}.values())
        stars = any("*" in part.effects.binds for part in chosen)
        return Reached(
            parts=(*once, *(part for part in chosen if not _is_future(part))),
            missing=() if stars else tuple(sorted(self.missing)),
            borrowed=tuple(sorted(self.borrowed)),
        )

    def supply_all(self) -> None:
        while self.todo:
            self.supply(self.todo.pop())
            if self.families and not self.todo:
                for name in sorted(self.needed):
                    for heir in self.pools[0].heirs[name]:
                        self.take(heir)

    def need(self, name: str) -> None:
        if name not in self.needed:
            self.needed.add(name)
            self.todo.append(name)

    def take(self, part: Part) -> None:
        if id(part) in self.taken:
            return
        self.taken.add(id(part))
        for name in sorted(part.effects.reads):
            self.need(name)
        self.dynamic = self.dynamic or bool(part.effects.reads & _DYNAMIC)
        self.families = self.families or _asks_for_heirs(part.node)

    def supply(self, name: str) -> None:
        """Take what gives a name its value, and what changes that value afterwards."""
        for index, pool in enumerate(self.pools):
            if pool.binders.get(name):
                for part in pool.binders[name]:
                    self.take(part)
                if index:
                    self.borrowed.add(name)
                break
        else:
            if name not in _KNOWN:
                self.missing.add(name)
            return
        for pool in self.pools:
            for part in pool.changers[name]:
                if pool.prepares(part, name):
                    self.take(part)
            for part in pool.late_changers[name]:
                self.writes(pool, part)
            for alias, part in pool.aliases[name]:
                if alias not in self.needed and pool.changers[alias]:
                    self.take(part)
                    self.need(alias)

    def writes(self, pool: Pool, part: Part) -> None:
        """Take the statements that run a function which changes something needed."""
        todo = sorted(part.effects.binds)
        while todo:
            name = todo.pop()
            if name in self.writers or name in pool.users:
                continue
            self.writers.add(name)
            for caller in pool.callers[name]:
                if not pool.is_demonstration(caller):
                    self.take(caller)
            for caller in pool.late_callers[name]:
                todo += sorted(caller.effects.binds)

    def take_definitions(self, pool: Pool) -> None:
        """Take whatever a program that looks names up by text may find."""
        for part in pool.parts:
            shown = part.effects.now & (pool.users | TALK | {"open"})
            if isinstance(part.node, DEFINITIONS | ASSIGNMENTS) and not shown:
                self.take(part)

    def take_hidden_definitions(self, pool: Pool) -> None:
        """Take statements that may define names by text, when some are defined nowhere else."""
        for part in pool.parts:
            if part.effects.now & (_DYNAMIC | {"setattr"}) and not pool.is_demonstration(part):
                self.take(part)


def _asks_for_heirs(node: ast.stmt) -> bool:
    """Tell whether a statement finds classes by what they inherit from."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr == "__subclasses__")
        or (isinstance(part, ast.FunctionDef) and part.name == "__init_subclass__")
        for part in ast.walk(node)
    )


def _is_setting(part: Part) -> bool:
    node = part.node
    if not isinstance(node, ast.Expr | ast.Assign):
        return False
    target = node.value if isinstance(node, ast.Expr) else node.targets[0]
    return bool(names_in(target) & _SETTINGS) and not part.effects.calls & TALK


def _is_general(part: Part) -> bool:
    return _is_future(part) or "*" in part.effects.binds


def _is_future(part: Part) -> bool:
    return isinstance(part.node, ast.ImportFrom) and part.node.module == "__future__"
