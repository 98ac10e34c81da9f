"""Contracts as modules: put together from released text, or inferred where a task states none.

An inferred contract is a cautious guess, written for a person to read and correct: it keeps plus
inputs near what the base inputs show, because a strange input that a task never promised to handle
proves nothing about a sample.
"""

from __future__ import annotations

import ast
import re
import string
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plusforge.oracle.source import (
    Function,
    bare_signature,
    find_function,
    join_segments,
    needed,
    parse_module,
    segment,
)
from plusforge.oracle.task import Contract, Task
from plusforge.oracle.typespec import Fixed, Many, Mapping, OneOf, Scalar, Spec
from plusforge.oracle.values import Value, key_of

MARKER = re.compile(r"[ \t]*#[ \t]*\$_CONTRACT_\$[ \t]*$", re.MULTILINE)
"""EvalPlus ends every line of a contract with this comment."""

FEW = 3
"""An observation that fewer base inputs than this support is taken for chance."""

MANY = 6
"""Base inputs that show a habit of the task, and not only of whoever wrote its examples. Benchmarks
with three tests a task use words of small letters and positive numbers far beyond what they mean:
held against the contracts that people wrote later, such a guess refused 3 of 10 good inputs."""

_RECORD = 4
"""Longer rows of mixed types are data, not records whose fields mean something."""

_SORTED = re.compile(r"\b(sorted|ascending|increasing|ordered)\b", re.IGNORECASE)
"""Words of a prompt that make sorted base inputs more than a habit of people who write examples."""

INFERRED = "# Inferred from the types and the base inputs; the benchmark states no contract."

_NOTATIONS: tuple[tuple[str, str], ...] = (
    # Python text of each class of characters; the first that holds all base strings is taken.
    ("'01'", "01"),
    ("_string.digits", string.digits),
    ("'()[]{}<> '", "()[]{}<> "),
)
_WORDS: tuple[tuple[str, str], ...] = (
    # Classes that examples keep to for no reason; only many of them show that the task does.
    ("_string.ascii_lowercase", string.ascii_lowercase),
    ("_string.ascii_uppercase", string.ascii_uppercase),
    ("_string.ascii_lowercase + ' '", string.ascii_lowercase + " "),
    ("_string.ascii_letters", string.ascii_letters),
    ("_string.ascii_letters + ' '", string.ascii_letters + " "),
    ("_string.hexdigits", string.hexdigits),
    ("_string.digits + '+-. '", string.digits + "+-. "),
    ("_string.ascii_letters + _string.digits", string.ascii_letters + string.digits),
    ("_string.ascii_letters + _string.digits + ' '", string.ascii_letters + string.digits + " "),
)
_PRINTABLE: tuple[tuple[str, str], ...] = (
    ("map(chr, range(32, 127))", "".join(map(chr, range(32, 127)))),
    ("_string.printable", string.printable),
)

_USED = {"all", "chr", "len", "map", "range", "sorted"}
"""Builtins that inferred contracts call; a parameter of such a name hides its builtin."""


def contract_module(
    body: str, text: str, tree: ast.Module, func: Function, where: str
) -> Contract | None:
    """Return a released contract as a module of its own.

    The lines were written to stand at the top of the canonical solution. Here they get a function
    with the same parameters, beside the imports and helpers that they use and nothing else.

    Args:
        body: The contract's lines, each ending in the contract marker.
        text: Source of the canonical solution.
        tree: Its syntax tree.
        func: The entry point.
        where: File and line, for messages.

    Returns:
        The contract; None when the lines say nothing.

    Raises:
        TaskError: The lines do not compile.
    """
    clean = MARKER.sub("", body).strip("\n").rstrip()
    if not clean.strip():
        return None
    head = f"def contract({bare_signature(func)}):\n"
    function = head + textwrap.indent(textwrap.dedent(clean), "    ") + "\n    return True"
    parsed = parse_module(function, f"{where} (contract)")
    helpers = needed(tree, [parsed], skip=())
    parts = [segment(text, tree, node) for node in helpers]
    return Contract(source=join_segments([*parts, function]), declared=True)


@dataclass(frozen=True, slots=True)
class _Place:
    """A place inside the arguments that many base values stand at.

    Attributes:
        expr: Python text of one value there.
        loops: Text of the ``for`` clauses that reach it; empty for an argument itself.
        values: All the values that the base inputs have there.
        spec: Its type.
        inputs: Number of different base inputs.
    """

    expr: str
    loops: str
    values: list[Value]
    spec: Spec
    inputs: int

    def assertion(self, condition: str) -> str:
        """Return an assert of a condition on every value of the place."""
        return f"assert all({condition}{self.loops})" if self.loops else f"assert {condition}"


def infer_contract(task: Task, specs: Sequence[Spec]) -> Contract:
    """Return a contract that all base inputs of a task satisfy.

    Args:
        task: The task; its base tests are what there is to go by.
        specs: One type spec for each parameter.

    Returns:
        Lower bounds of numbers, containers that are never empty, alphabets of strings, shapes of
        matrices, sorted lists, and lengths that always agree. The fewer base inputs there are, the
        less is concluded. Types are checked elsewhere.

    Raises:
        TaskError: The canonical solution does not define the entry point.
    """
    source = task.references[0].source
    func = find_function(parse_module(source, task.source), task.entry_point, task.source)
    rows = [test.args for test in task.base]
    inputs = len({key_of(row) for row in rows})
    lines: list[str] = []
    whole: list[_Place] = []
    for index, (param, spec) in enumerate(zip(task.params, specs, strict=True)):
        values = [row[index] for row in rows if index < len(row)]
        place = _Place(param.name, "", values, spec, inputs)
        if not param.optional:
            whole.append(place)
        for part in _places(place):
            lines += _conditions(part)
        if _SORTED.search(task.prompt):
            lines += _sorted(place)
    lines += _relations(whole)
    hidden = _USED & {param.name for param in task.params}
    lines = [line for line in lines if not any(f"{name}(" in line for name in hidden)]
    alphabets = any("_string." in line for line in lines)
    body = textwrap.indent("\n".join([*dict.fromkeys(lines), "return True"]), "    ")
    function = f"def contract({bare_signature(func)}):\n    {INFERRED}\n{body}"
    return Contract(
        source=join_segments((["import string as _string"] if alphabets else []) + [function]),
        declared=False,
    )


def _places(place: _Place, depth: int = 0) -> Iterator[_Place]:
    """Yield a place and the places inside its containers."""
    yield place
    name = "xyzuvw"[depth] + "_" if depth < 6 else f"x{depth}_"
    match place.spec:
        case Many(_, item):
            inner = [part for value in place.values for part in value]
            loops = f"{place.loops} for {name} in {place.expr}"
            inside = replace(place, expr=name, loops=loops, values=inner, spec=item)
            yield from _places(inside, depth + 1)
        case Fixed(_, items) if len(items) <= _RECORD:
            for index, item in enumerate(items):
                column = [value[index] for value in place.values]
                inside = replace(place, expr=f"{place.expr}[{index}]", values=column, spec=item)
                yield from _places(inside, depth + 1)
        case Mapping(key, item):
            keys = [part for value in place.values for part in value]
            items_ = [part for value in place.values for part in value.values()]
            loops = f"{place.loops} for {name} in {place.expr}"
            inside = replace(place, expr=name, loops=loops, values=keys, spec=key)
            yield from _places(inside, depth + 1)
            inside = replace(inside, loops=f"{loops}.values()", values=items_, spec=item)
            yield from _places(inside, depth + 1)


def _conditions(place: _Place) -> list[str]:
    """Return asserts about one place."""
    if not place.values:
        return []
    match place.spec:
        case Scalar("int" | "float") | OneOf((Scalar("int" | "float"), Scalar("int" | "float"))):
            return _bounds(place)
        case Scalar("str"):
            return _nonempty(place) + _alphabet(place)
        case Many("list" | "tuple", item):
            return _nonempty(place) + _shape(place, item)
        case Many() | Mapping():
            return _nonempty(place)
    return []


def _bounds(place: _Place) -> list[str]:
    low = min(place.values)
    if not low >= 0:  # also when a NaN is among them
        return []
    inside = place.loops or not place.expr.isidentifier()
    if inside and place.inputs < MANY:
        return []
    # Examples often leave zero out for no reason, so that it stays possible.
    if place.loops or low == 0 or place.inputs < MANY:
        return [place.assertion(f"{place.expr} >= 0")]
    if any(isinstance(value, float) for value in place.values):
        return [place.assertion(f"{place.expr} > 0")]
    return [place.assertion(f"{place.expr} >= 1")]


def _nonempty(place: _Place) -> list[str]:
    if len(place.values) < FEW or not all(place.values):
        return []
    return [place.assertion(f"len({place.expr}) >= 1")]


def _alphabet(place: _Place) -> list[str]:
    used = set().union(*place.values)
    words = _WORDS if place.inputs >= MANY else ()
    for text, characters in (*_NOTATIONS, *words, *_PRINTABLE):
        if used and used <= set(characters):
            return [place.assertion(f"{{*{place.expr}}} <= {{*{text}}}")]
    return []


def _shape(place: _Place, item: Spec) -> list[str]:
    """Return asserts about a matrix: rows of one length, as many as columns."""
    matrices = [value for value in place.values if len(value) >= 2]
    if place.loops or not isinstance(item, Many) or len(matrices) < FEW:
        return []
    name = place.expr
    if all(len(row) == len(value) for value in matrices for row in value):
        return [f"assert all(len(row) == len({name}) for row in {name})"]
    if all(len(row) == len(value[0]) for value in matrices for row in value):
        return [f"assert all(len(row) == len({name}[0]) for row in {name})"]
    return []


def _sorted(place: _Place) -> list[str]:
    """Return the assert that a list is sorted, when three that could show otherwise all are."""
    match place.spec:
        case Many("list" | "tuple", Scalar("int" | "float" | "str")):
            telling = [value for value in place.values if len(set(value)) >= 3]
            if len(telling) >= FEW and all(sorted(v) == list(v) for v in place.values):
                return [f"assert [*{place.expr}] == sorted({place.expr})"]
    return []


def _relations(places: list[_Place]) -> list[str]:
    """Return asserts about two arguments."""
    lines = []
    for index, one in enumerate(places):
        for other in places[index + 1 :]:
            lines += _pair(one, other) or _pair(other, one)
    return lines


def _pair(one: _Place, other: _Place) -> list[str]:
    if len(one.values) < FEW or not isinstance(one.spec, Many):
        return []
    pairs = list(zip(one.values, other.values, strict=True))
    if isinstance(other.spec, Many) and {one.spec.kind, other.spec.kind} <= {"list", "tuple"}:
        if all(len(a) == len(b) for a, b in pairs):
            return [f"assert len({one.expr}) == len({other.expr})"]
    elif other.spec == Scalar("int") and one.spec.kind in ("list", "tuple"):
        if all(n == len(a) for a, n in pairs):
            return [f"assert {other.expr} == len({one.expr})"]
        if all(n <= len(a) for a, n in pairs):
            return [f"assert {other.expr} <= len({one.expr})"]
    return []
