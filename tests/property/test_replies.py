"""Replies in every usual style parse back to exactly the inputs they were written from."""

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator.replies import parse_contract, parse_inputs, parse_programs
from plusforge.oracle.task import Param
from plusforge.oracle.values import Args, key_of

_text = st.text(max_size=6) | st.sampled_from(
    ["#", "a # b", "->", "f(1) -> 2", "it's", '"', "```", "\n", "\\", "|", "a | b", "`x`",
     "1. f(2)", "x = 3", "</think>", "“q”", "//", "**b**", "Output: 3", "[", ")", "true",
     "inputs"]
)  # fmt: skip
_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False)
    | st.just(math.nan)
    | st.just(math.inf)
    | _text
    | st.binary(max_size=4)
)
_keys = st.recursive(
    _scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=2), max_leaves=3
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(_keys, inner, max_size=2)
        | st.sets(_keys, max_size=3)
        | st.frozensets(_keys, max_size=3)
    ),
    max_leaves=8,
)
_rows = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(*[_values] * n), min_size=1, max_size=4)
)


def _arguments(args: Args) -> str:
    return ", ".join(map(repr, args))


def _in_a_fence(rows: list[Args]) -> str:
    calls = "\n".join(f"f({_arguments(args)})" for args in rows)
    return f"Here are some inputs:\n\n```python\n{calls}\n```\nThey cover it's main branches."


def _numbered(rows: list[Args]) -> str:
    return "\n".join(f"{i}. f({_arguments(args)}) -> True" for i, args in enumerate(rows, 1))


def _asserts(rows: list[Args]) -> str:
    return "\n".join(f"assert f({_arguments(args)}) == {args[0]!r}  # why" for args in rows)


def _list_of_tuples(rows: list[Args]) -> str:
    return "inputs = [\n" + "".join(f"    {args!r},  # one\n" for args in rows) + "]"


def _bare_tuples(rows: list[Args]) -> str:
    return "```\n" + "".join(f"{args!r}\n" for args in rows) + "```"


def _blocks(rows: list[Args]) -> str:
    names = "abc"
    return "\n\n".join(
        "\n".join(f"{name} = {arg!r}" for name, arg in zip(names, args, strict=False))
        for args in rows
    )


def _keywords(rows: list[Args]) -> str:
    return "\n".join(
        "print(f(" + ", ".join(f"{n}={a!r}" for n, a in zip("abc", args, strict=False)) + "))"
        for args in rows
    )


def _json_texts(rows: list[Args]) -> str:
    return json.dumps({"inputs": [repr(args) for args in rows]})


def _structured(rows: list[Args]) -> str:
    items = [{"class": "typical", "args": [repr(arg) for arg in args]} for args in rows]
    return "```json\n" + json.dumps({"inputs": items}, indent=2) + "\n```"


def _doctests(rows: list[Args]) -> str:
    return "\n".join(f">>> f({_arguments(args)})\n{args[0]!r}\n" for args in rows)


def _cut_off(rows: list[Args]) -> str:
    return "inputs = [" + "".join(f"{args!r}, " for args in rows) + "([1, 2"


STYLES: list[Callable[[list[Args]], str]] = [
    _in_a_fence, _numbered, _asserts, _list_of_tuples, _bare_tuples, _blocks, _keywords,
    _json_texts, _structured, _doctests, _cut_off,
]  # fmt: skip


def _params(rows: list[Args]) -> list[Param]:
    return [Param(name=name) for name in "abc"[: len(rows[0])]]


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=60, deadline=None)
@given(rows=_rows)
def test_a_rendering_parses_back(style: Callable[[list[Args]], str], rows: list[Args]) -> None:
    reply = style(rows)
    result = parse_inputs(reply, "f", _params(rows))
    different = list(dict.fromkeys(key_of(args) for args in rows))
    assert [key_of(item.args) for item in result.inputs] == different
    assert result.repeated == len(rows) - len(different)
    assert len(result.unread) == (1 if style is _cut_off else 0)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200) | st.text("f([{'\"`#\\\n 1,:=)]}-|>*_.", max_size=60))
def test_any_text_is_survived(text: str) -> None:
    _survives(text)


@settings(max_examples=150, deadline=None)
@given(rows=_rows, style=st.sampled_from(STYLES), data=st.data())
def test_a_damaged_reply_is_survived(
    rows: list[Args], style: Callable[[list[Args]], str], data: st.DataObject
) -> None:
    reply = style(rows)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(reply)))
        end = data.draw(st.integers(start, min(len(reply), start + 5)))
        reply = (
            reply[:start] + data.draw(st.text("f([{'\"`#\\\n 1,:=)]}", max_size=3)) + reply[end:]
        )
    _survives(reply)


def _survives(reply: str) -> None:
    params = [Param(name="a"), Param(name="b", annotation="list[str]", optional=True)]
    result = parse_inputs(reply, "f", params)
    assert result.inputs or result.unread
    assert all(1 <= len(item.args) <= 2 for item in result.inputs)
    programs = parse_programs(reply, "f")
    assert programs.programs or programs.unread
    assert parse_contract(reply, "f", params)
