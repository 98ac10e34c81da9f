"""What is asked of a language model about a task: the messages, and the shape of the answer.

A prompt is a function of the task and of a template, so it is never stored: its hash finds it.
"""

from __future__ import annotations

import cmath
import json
import math
from collections.abc import Mapping
from typing import Any

from plusforge.generator.modelcall import Message, Request
from plusforge.generator.recordings import INPUTS, WRONG
from plusforge.generator.templates import template
from plusforge.oracle.files import sha256_hex
from plusforge.oracle.task import Task
from plusforge.oracle.typespec import Many, Scalar, Spec, parse_annotation, unify
from plusforge.oracle.values import Value, key_of
from plusforge.oracle.wording import plural

KINDS = ("typical", "corner", "extreme", "output_kind", "near_valid")
"""Classes of inputs that are asked for; the last are those that the contract must refuse."""

LEAST_INPUTS = 6
"""Small models stop after one input where they may."""

SHOWN_TESTS = 4
"""Base inputs that a prompt shows, at most."""

SHOWN_CHARACTERS = 300
"""A base input longer than this is not shown."""

LARGE = 10**100
"""Ints from here on are written in hexadecimal: Python limits how many digits decimal text has."""

_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_SCALARS = {"int": "integer", "float": "number", "bool": "boolean", "str": "string", "none": "null"}


def schema_for(task: Task, purpose: str) -> dict[str, Any] | None:
    """Return the shape that a reply shall have; None for free text.

    Arguments have JSON types where JSON has them: small models keep to a type that is enforced and
    to nothing that is only described. Others are strings that hold a Python literal.

    Args:
        task: As loaded.
        purpose: ``inputs``, ``wrong`` or ``contract``.
    """
    if purpose == INPUTS:
        names = (param.name for param in task.params)
        pairs = zip(names, specs_of(task), strict=True)
        arguments = _object({name: _json_type(spec) for name, spec in pairs})
        kinds = {"type": "string", "enum": list(KINDS)}
        return _list_of("inputs", {"class": kinds, "args": arguments}, least=LEAST_INPUTS)
    if purpose == WRONG:
        text = {"type": "string"}
        fields = {"mistake": text, "code": text, "breaking_args": _STRINGS}
        return _list_of("programs", fields, least=1)
    return None


def specs_of(task: Task) -> list[Spec]:
    """Return the types of a task's parameters: as annotated, or else as its base inputs have them.

    Args:
        task: As loaded.
    """
    rows = [test.args for test in task.base]
    return [
        unify(parse_annotation(param.annotation), [row[place] for row in rows if len(row) > place])
        for place, param in enumerate(task.params)
    ]


def is_json(spec: Spec) -> bool:
    """Tell whether JSON has a type for a spec; where it has not, a literal in a string is wanted.

    Args:
        spec: Of an argument, or of an item.
    """
    return isinstance(spec, Scalar) and spec.kind in _SCALARS


def _json_type(spec: Spec) -> dict[str, Any]:
    if isinstance(spec, Scalar) and is_json(spec):
        return {"type": _SCALARS[spec.kind]}
    if isinstance(spec, Many) and spec.kind == "list":
        return {"type": "array", "items": _json_type(spec.item)}
    return {"type": "string"}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties),
        "additionalProperties": False,
    }  # fmt: skip


def _list_of(name: str, properties: Mapping[str, Any], *, least: int) -> dict[str, Any]:
    return _object({name: {"type": "array", "items": _object(properties), "minItems": least}})


def messages_for(task: Task, purpose: str) -> tuple[Message, ...]:
    """Return what is asked about a task.

    Args:
        task: As loaded.
        purpose: ``inputs``, ``wrong`` or ``contract``: also the template's name.
    """
    contract = ""
    if task.contract is not None and task.contract.declared:
        contract = (
            f"What inputs are allowed, in code:\n\n```python\n{task.contract.source}\n```\n\n"
        )
    count = len(task.params)
    text = template(purpose).fill(
        prompt=task.prompt.strip("\n"),
        reference=task.references[0].source.strip("\n"),
        contract=contract,
        examples=_examples(task),
        example=_example(task),
        entry_point=task.entry_point,
        names=", ".join(param.name for param in task.params),
        parameters=", ".join(_parameter(p.name, p.annotation) for p in task.params),
        count=f"{count} {plural(count, 'argument')}",
    )
    return (Message("user", text),)


def prompt_digest(messages: tuple[Message, ...]) -> str:
    """Return the hash that a prompt is found by."""
    return sha256_hex(json.dumps([[message.role, message.content] for message in messages]))


def request_for(
    task: Task,
    purpose: str,
    *,
    model: str,
    max_tokens: int | None,
    temperature: float | None,
    seed: int | None,
    tag: object = None,
) -> Request:
    """Return the request to be sent; see ``modelcall.Request`` for the arguments."""
    return Request(
        messages=messages_for(task, purpose),
        model=model,
        schema=schema_for(task, purpose),
        schema_name=purpose,
        max_tokens=max_tokens,
        temperature=temperature,
        seed=seed,
        tag=tag,
    )


def _parameter(name: str, annotation: str | None) -> str:
    return name if annotation is None else f"{name}: {annotation}"


def _examples(task: Task) -> str:
    shown: list[str] = []
    for test in task.base:
        text = f"{task.entry_point}({', '.join(map(literal, test.args))})"
        if len(text) <= SHOWN_CHARACTERS and len(shown) < SHOWN_TESTS:
            shown.append(text)
    return "\n".join(shown) or "(none)"


def _example(task: Task) -> str:
    """Return the arguments of the shortest base input as the JSON object that is asked for."""
    texts = []
    for test in task.base:
        named = zip((param.name for param in task.params), test.args, strict=False)
        texts.append(json.dumps({name: _in_json(value) for name, value in named}))
    return min(texts, key=len, default='{"...": "..."}')


def _in_json(value: Value) -> Any:
    """Return a value as it is to be written in JSON, or the string of its literal."""
    if value is None or type(value) in (bool, str):
        return value
    if type(value) is int and abs(value) < LARGE:
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is list:
        items = [_in_json(item) for item in value]
        plain = all(type(a) is type(b) for a, b in zip(items, value, strict=True))
        return items if plain else literal(value)
    return literal(value)


def literal(value: Value) -> str:
    """Return a value as a Python literal: one text in every process, unlike ``repr`` of a set."""
    match value:
        case set() | frozenset():
            items = ", ".join(literal(item) for item in sorted(value, key=key_of))
            if isinstance(value, frozenset):
                return f"frozenset({{{items}}})" if items else "frozenset()"
            return f"{{{items}}}" if items else "set()"
        case dict():
            return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case tuple():
            return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
        case float() if not math.isfinite(value):
            return f"float('{value}')"
        case complex() if not cmath.isfinite(value):
            return f"complex({literal(value.real)}, {literal(value.imag)})"
        case int() if abs(value) >= LARGE:
            return hex(value)
        case _:
            return repr(value)
