"""Tables for every type spec, built once per task, and the way from a value to its parts.

Lists hand an item to the table of their items, dicts a key or a value, unions a value to the
option it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from plusforge.generator import bounds
from plusforge.generator.fresh import PLAIN, fresh, hashable_part, ordered
from plusforge.generator.operation import SKIP
from plusforge.generator.tables import (
    EVERYWHERE,
    INSIDE,
    NEAR_COPY,
    REKEY,
    SWITCH,
    Shared,
    Table,
)
from plusforge.oracle.typecheck import Check, compile_check
from plusforge.oracle.typespec import (
    CONTAINERS,
    SCALARS,
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
)
from plusforge.oracle.values import Value


def _same(value: Value) -> Value:
    return value


_SCALAR_FITS: dict[str, Callable[[Any], Any]] = {
    "int": bounds.fit_int,
    "float": bounds.fit_float,
    "complex": bounds.fit_complex,
    "str": bounds.fit_text,
    "bytes": bounds.fit_bytes,
}
_MANY_FITS: dict[str, Callable[[Any], Any]] = {
    "list": bounds.fit_list,
    "tuple": bounds.fit_tuple,
    "set": bounds.fit_set,
    "frozenset": bounds.fit_frozenset,
}
_INT, _FLOAT = Scalar("int"), Scalar("float")
_NUMERIC = (_INT, _FLOAT, OneOf((_INT, _FLOAT)), OneOf((_FLOAT, _INT)))


def build(spec: Spec, shared: Shared) -> Table:
    """Return the table of a spec, with the tables of its parts.

    Args:
        spec: Any spec.
        shared: Shared with the other tables of the mutator; tables are built once per spec.
    """
    if spec in shared.values:
        return shared.values[spec]
    match spec:
        case Scalar(kind):
            table = Table(shared, spec, _SCALAR_FITS.get(kind, _same))
            table.enter_groups(kind)
        case Many("set" | "frozenset"):
            table = SetTable(shared, spec)
        case Many():
            table = ManyTable(shared, spec)
        case Fixed():
            table = FixedTable(shared, spec)
        case Mapping():
            table = MappingTable(shared, spec)
        case OneOf(options):
            table = UnionTable(shared, spec, options)
        case _:
            table = AnythingTable(shared, spec)
    shared.values[spec] = table
    table.refresh()
    return table


class ManyTable(Table):
    """Operators on a homogeneous container, and the way to its items."""

    __slots__ = ("item",)

    def __init__(self, shared: Shared, spec: Many) -> None:
        super().__init__(shared, spec, _MANY_FITS[spec.kind])
        shared.values[spec] = self
        unordered = spec.kind in ("set", "frozenset")
        part = hashable_part(spec.item) if unordered else spec.item
        if part is None:
            return
        self.spec = Many(spec.kind, part)
        self.item = build(part, shared)
        self.enter_groups(*_groups(part, unordered=unordered))
        self.enter(INSIDE, 6.0, self._inside)
        self.enter(NEAR_COPY, 1.5, self._near_copy)
        self.enter(EVERYWHERE, 0.4, self._everywhere)

    def _inside(self, value: list[Value], *_: object) -> Value:
        """Change one item."""
        if not value:
            return SKIP
        items = list(value)
        i = int(self.unit() * len(items))
        items[i] = self.item.step(items[i])
        return items

    def _near_copy(self, value: list[Value], *_: object) -> Value:
        """Insert a changed copy of one item, beside it or at the end."""
        if not value:
            return SKIP
        items = list(value)
        i = int(self.unit() * len(items))
        items.insert(i + 1 if self.unit() < 0.5 else len(items), self.item.step(items[i]))
        return items

    def _everywhere(self, value: list[Value], *_: object) -> Value:
        """Change every item on its own, or about half of them."""
        if not 1 < len(value) <= 30:
            return SKIP
        share = 1.0 if self.unit() < 0.5 else 0.5
        step = self.item.step
        mark = len(self.trace)
        result = [step(item) if self.unit() < share else item for item in value]
        # One rule was chosen here; crediting every inner one would drown the others.
        del self.trace[mark:]
        return result


class SetTable(ManyTable):
    """Operators on a set."""

    __slots__ = ()

    def attempt(self, value: Value) -> Value:
        """See ``Table.attempt``; the items are put in order first."""
        return super().attempt(ordered(value))


def _groups(item: Spec, *, unordered: bool) -> list[str]:
    if unordered:
        # Operators on numbers say for themselves whether they make sense without an order.
        return ["set"]
    groups = ["list"]
    if item in _NUMERIC or isinstance(item, Anything):
        groups.append("numbers")
    if item == Scalar("str") or isinstance(item, Anything):
        groups.append("texts")
    if isinstance(item, Many) and item.kind in ("list", "tuple"):
        groups += ["matrix", "rows"]
    if isinstance(item, Fixed):
        groups.append("rows")
    if isinstance(item, Anything):
        groups.append("nest")
    return groups


class FixedTable(Table):
    """Operators on a record, mostly on one of its fields."""

    __slots__ = ("fields",)

    def __init__(self, shared: Shared, spec: Fixed) -> None:
        super().__init__(shared, spec, CONTAINERS[spec.kind])
        shared.values[spec] = self
        self.fields = [build(item, shared) for item in spec.items]
        self.enter_groups("record")
        self.enter(INSIDE, 6.0, self._inside)

    def _inside(self, value: Sequence[Value], *_: object) -> Value:
        """Change one field."""
        if not value or len(value) != len(self.fields):
            return SKIP
        items = list(value)
        i = int(self.unit() * len(items))
        items[i] = self.fields[i].step(items[i])
        return items


class MappingTable(Table):
    """Operators on a dict, and the way to its keys and values."""

    __slots__ = ("key", "value")

    def __init__(self, shared: Shared, spec: Mapping) -> None:
        super().__init__(shared, spec, _same)
        shared.values[spec] = self
        part = hashable_part(spec.key)
        if part is None:
            return
        self.spec = Mapping(part, spec.value)
        self.key = build(part, shared)
        self.value = build(spec.value, shared)
        self.enter_groups("dict", *(["nest_dict"] if isinstance(spec.value, Anything) else []))
        self.enter(INSIDE, 4.0, self._inside)
        self.enter(REKEY, 2.0, self._rekey)

    def _inside(self, value: dict[Value, Value], *_: object) -> Value:
        """Change the value of one key."""
        if not value:
            return SKIP
        key = list(value)[int(self.unit() * len(value))]
        return {**value, key: self.value.step(value[key])}

    def _rekey(self, value: dict[Value, Value], *_: object) -> Value:
        """Change one key, or give a changed copy of it the same value."""
        if not value:
            return SKIP
        old = list(value)[int(self.unit() * len(value))]
        new = self.key.step(old)
        if self.unit() < 0.3 and len(value) < 100:
            return {**value, new: value[old]}
        return {(new if key is old else key): item for key, item in value.items()}


class UnionTable(Table):
    """A union: mostly the table of the option a value belongs to, now and then another option."""

    __slots__ = ("checks", "options")

    def __init__(self, shared: Shared, spec: Spec, options: tuple[Spec, ...]) -> None:
        super().__init__(shared, spec, _same)
        shared.values[spec] = self
        self.options: list[Table] = [build(option, shared) for option in options]
        self.checks: list[Check] = [compile_check(option) for option in options]

    def attempt(self, value: Value) -> Value:
        """Change a value within its option, or switch to another one."""
        if self.unit() < 0.12:
            return self._switch(value)
        for check, table in zip(self.checks, self.options, strict=True):
            if check(value):
                return table.attempt(value)
        return SKIP

    def _switch(self, value: Value) -> Value:
        """Turn an int into a float or back where the union has both, or draw another option."""
        self.trace.append(SWITCH)
        i = int(self.unit() * len(self.options))
        if self.checks[i](value):
            i = (i + 1) % len(self.options)
        spec = self.options[i].spec
        if self.unit() < 0.7:
            moved = self._one_level(value, i)
            if moved is not SKIP:
                return moved
            if type(value) is int and spec == _FLOAT and abs(value) < 2**53:
                return value + self.rng.choice((0.0, 0.0, 0.5))
            if type(value) is float and spec == _INT and abs(value) < 2**53:
                return int(value)
        return fresh(spec, self.material, self.rng, 1)

    def _one_level(self, value: Value, i: int) -> Value:
        """Wrap a value in a sequence, or take an item out of one, where option ``i`` is that."""
        kind = getattr(self.options[i].spec, "kind", "")
        if kind in ("list", "tuple") and self.checks[i](wrapped := CONTAINERS[kind]([value])):
            return wrapped
        if type(value) in (list, tuple) and value:
            item = self.rng.choice(value)
            return item if self.checks[i](item) else SKIP
        return SKIP


class AnythingTable(Table):
    """Any plain value: tables by class, built when a value of the class turns up."""

    __slots__ = ("by_class",)

    def __init__(self, shared: Shared, spec: Spec) -> None:
        super().__init__(shared, spec, _same)
        shared.values[spec] = self
        self.by_class: dict[type, Table] = {}

    def attempt(self, value: Value) -> Value:
        """Change a value within its class, or replace it by one of any class."""
        if self.unit() < 0.1:
            self.trace.append(SWITCH)
            return fresh(self.spec, self.material, self.rng, 1)
        cls = type(value)
        if cls not in self.by_class:
            self.by_class[cls] = build(_ANY_SPECS.get(cls, PLAIN), self.shared)
        return self.by_class[cls].attempt(value)


_ANY_SPECS: dict[type, Spec] = {
    **{cls: Scalar(kind) for kind, cls in SCALARS.items()},
    **{cls: Many(kind, Anything()) for kind, cls in CONTAINERS.items()},
    dict: Mapping(Anything(), Anything()),
}
