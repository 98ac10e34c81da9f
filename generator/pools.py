"""The statements of one source, found by the names they have to do with."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plusforge.generator.effects import nested_statements, root_name
from plusforge.generator.parts import Part, is_main_guard, is_stub

DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
ASSIGNMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign
TALK = frozenset({"print", "input", "exit", "quit", "help", "breakpoint"})
"""Functions whose call shows something to somebody, or asks, or ends it all."""
_IMPORTS = ast.Import | ast.ImportFrom
_PREPARATIONS = frozenset({"seed", "seterr", "filterwarnings", "simplefilter"})
"""Functions of libraries that are called for what they do to the library."""


class Pool:
    """The statements of one source; each index leads from a name to statements, in order.

    Attributes:
        parts: The statements, main guards left out.
        binders: Those that give a name its value.
        changers: Those that may change a name's value in place when they run.
        late_changers: Those with a function that does, or replaces it, when it is called.
        callers: Those that call a name when they run.
        late_callers: Those with a function that calls it.
        aliases: Names, with statements, that are set to a part of what a name is.
        heirs: Classes that inherit from a name.
        users: The root and the functions that call it, directly or through one another.
    """

    def __init__(self, parts: Sequence[Part], root: str) -> None:
        """Index the statements of a source.

        Args:
            parts: The statements.
            root: The name that everything is collected for.
        """
        self.parts = [part for part in parts if not is_main_guard(part.node)]
        self.binders = _binders(self.parts)
        self.changers: dict[str, list[Part]] = defaultdict(list)
        self.late_changers: dict[str, list[Part]] = defaultdict(list)
        self.callers: dict[str, list[Part]] = defaultdict(list)
        self.late_callers: dict[str, list[Part]] = defaultdict(list)
        self.aliases: dict[str, list[tuple[str, Part]]] = defaultdict(list)
        self.heirs: dict[str, list[Part]] = defaultdict(list)
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
            for alias, source in effects.aliases:
                self.aliases[source].append((alias, part))
            if isinstance(part.node, ast.ClassDef):
                for base in part.node.bases:
                    self.heirs[root_name(base)].append(part)
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
        if isinstance(node, ast.Expr) and part.effects.calls & TALK:
            return True
        makes = isinstance(node, ASSIGNMENTS | DEFINITIONS)
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
            return isinstance(part.node, ast.Expr) and bool(names_in(part.node) & _PREPARATIONS)
        if any(_defines(other.node, name) for other in self.binders.get(name, [])):
            return isinstance(part.node, ast.Expr | DEFINITIONS)
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
            if not isinstance(last.node, DEFINITIONS):
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
        isinstance(inner, DEFINITIONS) and inner.name == name for inner in nested_statements(node)
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


def names_in(node: ast.AST) -> set[str]:
    """Return the names and attribute names in a piece of source."""
    return {
        inner.attr if isinstance(inner, ast.Attribute) else inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute | ast.Name)
    }
