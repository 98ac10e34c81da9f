"""What a top-level statement does to the names of its module: binds, reads, changes, calls.

Names are told apart by scope, as Python does: a parameter ``n`` is no use of a global ``n``. The
walk keeps its own stack, so that no expression is nested too deeply for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_HARMLESS = frozenset(
    "print len repr str sorted type isinstance id dir help format pprint list tuple sum min max "
    "abs any all input int float bool set dict".split()
)
"""Functions that change no argument of theirs."""


@dataclass(slots=True)
class Effects:
    """The names of the module that one top-level statement has to do with.

    Attributes:
        binds: Those it gives a value; ``*`` for a star import.
        reads: Those that it, or a function in it, looks up.
        now: Those of ``reads`` that are looked up when the statement runs.
        changes: Those whose value it may change in place when it runs.
        stores: Those of ``changes`` of which it sets an item or an attribute.
        calls: Those it calls when it runs.
        later_changes: Those whose value its functions change or replace when they are called.
        later_calls: Those its functions call.
        aliases: Pairs ``(b, a)`` of names it sets: ``b`` may be a part of what ``a`` is.
    """

    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    later_changes: set[str] = field(default_factory=set)
    later_calls: set[str] = field(default_factory=set)
    aliases: list[tuple[str, str]] = field(default_factory=list)


class _Scope:
    """A scope of names within one statement; the one without a parent is the module."""

    def __init__(self, parent: _Scope | None, *, later: bool, kind: str = "function") -> None:
        self.parent = parent
        self.kind = kind
        self.later = later
        self.bound: set[str] = set()
        self.module_names: set[str] = set()  # declared global
        self.outer_names: set[str] = set()  # declared nonlocal

    def bind(self, name: str) -> None:
        if name in self.module_names:
            if not self.later:
                self.root().bound.add(name)
        elif name not in self.outer_names:
            self.bound.add(name)

    def root(self) -> _Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def holder(self, name: str) -> _Scope:
        """Return the scope whose name a name is that is used in this one."""
        scope: _Scope = self
        while scope.parent is not None:
            if name in scope.module_names:
                return self.root()
            if name in scope.bound and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return scope


def effects_of(statement: ast.stmt) -> Effects:
    """Return what a top-level statement does to the names of its module.

    Args:
        statement: One statement of a module's body.
    """
    return _Walk(statement).result()


class _Walk:
    def __init__(self, statement: ast.stmt) -> None:
        self.module = _Scope(None, later=False, kind="module")
        self.uses: list[tuple[str, str, _Scope]] = []
        self.aliases: list[tuple[str, str, _Scope]] = []
        self.late_stores: set[str] = set()
        self.stack: list[tuple[ast.AST, _Scope]] = [(statement, self.module)]
        while self.stack:
            node, scope = self.stack.pop()
            self.visit(node, scope)

    def result(self) -> Effects:
        effects = Effects(binds=self.module.bound, later_changes=self.late_stores)
        sets = {
            ("read", False): (effects.reads, effects.now),
            ("read", True): (effects.reads,),
            ("change", False): (effects.changes,),
            ("change", True): (effects.later_changes,),
            ("store", False): (effects.changes, effects.stores),
            ("store", True): (effects.later_changes,),
            ("call", False): (effects.calls,),
            ("call", True): (effects.later_calls,),
        }
        self.spread_changes()
        for what, name, scope in self.uses:
            if scope.holder(name) is self.module:
                for names in sets[what, scope.later]:
                    names.add(name)
        effects.aliases = [
            (alias, source)
            for alias, source, scope in self.aliases
            if scope.holder(alias) is scope.holder(source) is self.module
        ]
        return effects

    def spread_changes(self) -> None:
        """Note that what changes a part of a value changes the value: ``b = a[0]; b.x = 1``."""
        sources: dict[tuple[int, str], list[tuple[str, _Scope]]] = {}
        for alias, source, scope in self.aliases:
            sources.setdefault((id(scope.holder(alias)), alias), []).append((source, scope))
        todo = [use for use in self.uses if sources and use[0] in ("change", "store")]
        while todo:
            what, name, scope = todo.pop()
            for source, where in sources.pop((id(scope.holder(name)), name), []):
                use = (what, source, where)
                self.uses.append(use)
                todo.append(use)

    def visit(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, ast.Name):
            self.name(node, scope)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            scope.bind(node.name)
            self.decorators(node.decorator_list, scope)
            outer = self.type_scope(node, scope)
            self.function(node.args, node.body, outer)
            self.push(outer, [node.returns])
        elif isinstance(node, ast.Lambda):
            self.function(node.args, [node.body], scope)
        elif isinstance(node, ast.ClassDef):
            scope.bind(node.name)
            self.decorators(node.decorator_list, scope)
            outer = self.type_scope(node, scope)
            self.push(outer, [*node.bases, *node.keywords])
            inner = _Scope(outer, later=scope.later, kind="class")
            self.push(inner, node.body)
        elif isinstance(node, _COMPREHENSIONS):
            self.comprehension(node, scope)
        elif isinstance(node, ast.NamedExpr):
            holder = scope
            while holder.kind == "comprehension" and holder.parent is not None:
                holder = holder.parent
            holder.bind(node.target.id)
            self.push(scope, [node.value])
        elif isinstance(node, ast.Global):
            scope.module_names |= set(node.names)
            self.late_stores |= set(node.names) if scope.later else set()
        elif isinstance(node, ast.Nonlocal):
            scope.outer_names |= set(node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                scope.bind((alias.asname or alias.name).partition(".")[0])
        else:
            self.other(node, scope)
            self.push(scope, ast.iter_child_nodes(node))

    def push(self, scope: _Scope, nodes: Iterable[ast.AST | None]) -> None:
        # Declarations of global names must be known before names are bound: they are walked first.
        found = [node for node in nodes if node is not None]
        self.stack += [(node, scope) for node in reversed(found)]

    def name(self, node: ast.Name, scope: _Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self.uses.append(("read", node.id, scope))
        elif isinstance(node.ctx, ast.Store) or scope.parent is not None:
            scope.bind(node.id)

    def other(self, node: ast.AST, scope: _Scope) -> None:
        """Note what statements and expressions do beyond what their parts do."""
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            self.use("store", root_name(node), scope)
        elif isinstance(node, ast.Assign):
            self.alias(node.targets, node.value, scope)
        elif isinstance(node, ast.For):
            self.alias([node.target], node.iter, scope)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.uses.append(("read", node.target.id, scope))
        elif isinstance(node, ast.Call):
            self.use("call", root_name(node.func), scope)
            if isinstance(node.func, ast.Attribute):
                self.use("change", root_name(node.func), scope)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            # A call for its effect alone may change what it is given.
            if not (isinstance(node.value.func, ast.Name) and node.value.func.id in _HARMLESS):
                for argument in node.value.args:
                    self.use("change", root_name(argument), scope)
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
            # A module's own name for an exception is gone after the handler.
            if scope.parent is not None or not isinstance(node, ast.ExceptHandler):
                scope.bind(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            scope.bind(node.rest)

    def use(self, what: str, name: str, scope: _Scope) -> None:
        if name:
            self.uses.append((what, name, scope))

    def alias(self, targets: list[ast.expr], value: ast.expr, scope: _Scope) -> None:
        source = root_name(value)
        for target in targets:
            for part in ast.walk(target) if source else ():
                if isinstance(part, ast.Name) and part.id != source:
                    self.aliases.append((part.id, source, scope))

    def decorators(self, found: list[ast.expr], scope: _Scope) -> None:
        for decorator in found:
            self.use("call", root_name(decorator), scope)
            if not isinstance(decorator, ast.Name):
                self.use("change", root_name(decorator), scope)
        self.push(scope, found)

    def type_scope(self, node: ast.AST, scope: _Scope) -> _Scope:
        """Return the scope of a definition's type parameters (Python 3.12), or the one given."""
        parameters: list[ast.AST] = getattr(node, "type_params", [])
        if not parameters:
            return scope
        inner = _Scope(scope, later=scope.later)
        inner.bound |= {str(getattr(parameter, "name", "")) for parameter in parameters}
        return inner

    def function(self, args: ast.arguments, body: Iterable[ast.AST], scope: _Scope) -> None:
        inner = _Scope(scope, later=True)
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        every += [arg for arg in (args.vararg, args.kwarg) if arg is not None]
        inner.bound |= {arg.arg for arg in every}
        self.push(scope, [*(arg.annotation for arg in every), *args.defaults, *args.kw_defaults])
        self.push(inner, body)

    def comprehension(self, node: ast.expr, scope: _Scope) -> None:
        inner = _Scope(scope, later=scope.later, kind="comprehension")
        generators: list[ast.comprehension] = getattr(node, "generators", [])
        for generator in reversed(generators):
            # The first source is looked up outside: a name it shares with a target is another.
            source = scope if generator is generators[0] else inner
            self.push(source, [generator.iter])
            self.push(inner, [generator.target, *generator.ifs])
        self.push(inner, [getattr(node, name, None) for name in ("elt", "key", "value")])


def root_name(node: ast.AST) -> str:
    """Return the name an expression starts from: ``a`` in ``a.b[0].c()``; empty when none does."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ""


def nested_statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement and those within it that belong to the same scope, in order."""
    stack = [statement]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner: list[ast.stmt] = []
        for name in ("body", "orelse", "finalbody"):
            inner += getattr(node, name, [])
        for name in ("handlers", "cases"):
            for branch in getattr(node, name, []):
                inner += branch.body
        stack += reversed(inner)
