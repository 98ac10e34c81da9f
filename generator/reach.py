"""What of a module its entry point reaches: definitions, tables, settings, no demonstrations."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plusforge.generator.effects import nested_statements, root_name
from plusforge.generator.parts import Part, is_main_guard, is_stub

_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_ASSIGNMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign
_IMPORTS = ast.Import | ast.ImportFrom
_TALK = frozenset({"print", "input", "exit", "quit", "help", "breakpoint"})
_SETTINGS = frozenset(
    {"setrecursionlimit", "set_int_max_str_digits", "getcontext", "setcontext", "stack_size"}
)
"""Calls that set up the interpreter or a library; what is computed may depend on them."""
_PREPARATIONS = frozenset({"seed", "seterr", "filterwarnings", "simplefilter"})
"""Functions of libraries that are called for what they do to the library."""
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


class _Pool:
    """The statements of one source, found by the names they have to do with."""

    def __init__(self, parts: Sequence[Part], root: str) -> None:
        self.parts = [part for part in parts if not is_main_guard(part.node)]
        self.binders = _binders(self.parts)
        self.changers: dict[str, list[Part]] = defaultdict(list)
        self.late_changers: dict[str, list[Part]] = defaultdict(list)
        self.callers: dict[str, list[Part]] = defaultdict(list)
        self.late_callers: dict[str, list[Part]] = defaultdict(list)
        for part in self.parts:
            effects = part.effects
            for names, index in (
                (effects.changes, self.changers),
                (effects.later_changes, self.late_changers),
                (effects.calls, self.callers),
                (effects.later_calls, self.late_callers),
            ):
                for name in names:
                    index[name].append(part)
        self.users = self._users_of(root)

    def _users_of(self, root: str) -> set[str]:
        """Return the root and the functions that call it, directly or through one another."""
        found, todo = {root}, [root]
        while todo:
            for part in self.late_callers[todo.pop()]:
                for name in part.effects.binds - found:
                    found.add(name)
                    todo.append(name)
        return found

    def is_demonstration(self, part: Part) -> bool:
        """Tell whether a statement only shows something: it talks, asserts or runs the root."""
        node = part.node
        if isinstance(node, ast.Assert | ast.Pass | ast.Delete):
            return True
        if isinstance(node, ast.Expr) and part.effects.calls & _TALK:
            return True
        makes = isinstance(node, _ASSIGNMENTS | _DEFINITIONS)
        return not makes and bool(part.effects.now & self.users)

    def prepares(self, part: Part, name: str) -> bool:
        """Tell whether a statement that may change a name's value is there to change it.

        Data are changed by whatever touches them. Of functions, classes and libraries most calls
        change nothing: what sets an attribute does, and so does a call whose result nobody takes.
        """
        if name in part.effects.stores:
            return True
        if self.is_demonstration(part):
            return False
        if all(isinstance(other.node, _IMPORTS) for other in self.binders.get(name, [])):
            return isinstance(part.node, ast.Expr) and bool(_names(part.node) & _PREPARATIONS)
        if any(_defines(other.node, name) for other in self.binders.get(name, [])):
            return isinstance(part.node, ast.Expr | _DEFINITIONS)
        return True


def _binders(parts: Sequence[Part]) -> dict[str, list[Part]]:
    """Return which statements give each name its value.

    Of several definitions the last one that is more than a stub counts, unless something between
    them uses the earlier one. Beside a definition, a loop variable or a result of the same name
    does not count.
    """
    found: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        for name in part.effects.binds:
            found[name].append(part)
    place = {id(part): index for index, part in enumerate(parts)}
    for name, binders in found.items():
        if len(binders) > 1 and any(_defines(part.node, name) for part in binders):
            found[name] = list(_definitions(name, binders, parts, place))
    return found


def _definitions(
    name: str, binders: list[Part], parts: Sequence[Part], place: dict[int, int]
) -> Iterator[Part]:
    whole = [part for part in binders if _defines(part.node, name)]
    if not all(is_stub(part.node) for part in whole):
        whole = [part for part in whole if not is_stub(part.node)]
    last = whole[-1]
    candidates = set(map(id, whole))
    for part in binders:
        if part is last:
            yield part
        elif _defines(part.node, name):
            if id(part) not in candidates:
                continue
            if not isinstance(last.node, _DEFINITIONS):
                yield part  # the last one stands in a condition
            elif _used_before_next(name, parts, place[id(part)]):
                yield part
        elif any(_hands_over(inner, name) for inner in nested_statements(part.node)):
            yield part


def _used_before_next(name: str, parts: Sequence[Part], index: int) -> bool:
    """Tell whether a definition is used before the next one replaces it."""
    for after in range(index + 1, len(parts)):
        part = parts[after]
        if name in part.effects.now and not isinstance(part.node, ast.Expr | ast.Assert):
            return True
        if name in part.effects.binds:
            break
    return False


def _defines(node: ast.stmt, name: str) -> bool:
    return any(
        isinstance(inner, _DEFINITIONS) and inner.name == name for inner in nested_statements(node)
    )


def _hands_over(node: ast.stmt, name: str) -> bool:
    """Tell whether a statement makes a name another function: ``f = g``, ``f = cached(f)``.

    Nothing else that a function's name is set to is a function: ``f = f(3)``.
    """
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    value = node.value
    if isinstance(value, ast.Call):
        return root_name(value) != name and any(
            isinstance(part, ast.Name) and part.id == name for part in ast.walk(value)
        )
    return isinstance(value, ast.Lambda | ast.Name | ast.Attribute)


class _Search:
    def __init__(self, pools: Sequence[Sequence[Part]], root: str) -> None:
        self.pools = [_Pool(parts, root) for parts in pools]
        self.root = root
        self.taken: set[int] = set()
        self.needed: set[str] = set()
        self.missing: set[str] = set()
        self.borrowed: set[str] = set()
        self.todo: list[str] = []
        self.writers: set[str] = set()
        self.dynamic = False
        main = self.pools[0]
        for part in main.parts:
            if _is_setting(part) or _is_general(part):
                self.take(part)
        self.need(root)
        while self.todo:
            self.supply(self.todo.pop())
            if self.dynamic and not self.todo:
                self.dynamic = False
                self.take_definitions(main)
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

    def writes(self, pool: _Pool, part: Part) -> None:
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

    def take_definitions(self, pool: _Pool) -> None:
        """Take whatever a program that looks names up by text may find."""
        for part in pool.parts:
            shown = part.effects.now & (pool.users | _TALK | {"open"})
            if isinstance(part.node, _DEFINITIONS | _ASSIGNMENTS) and not shown:
                self.take(part)


def _is_setting(part: Part) -> bool:
    node = part.node
    if not isinstance(node, ast.Expr | ast.Assign):
        return False
    target = node.value if isinstance(node, ast.Expr) else node.targets[0]
    return bool(_names(target) & _SETTINGS) and not part.effects.calls & _TALK


def _names(node: ast.AST) -> set[str]:
    return {
        inner.attr if isinstance(inner, ast.Attribute) else inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute | ast.Name)
    }


def _is_general(part: Part) -> bool:
    return _is_future(part) or "*" in part.effects.binds


def _is_future(part: Part) -> bool:
    return isinstance(part.node, ast.ImportFrom) and part.node.module == "__future__"
