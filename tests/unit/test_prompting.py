"""What is asked about a task: the same text everywhere, whatever stands in the task."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from plusforge.generator import templates
from plusforge.generator.prompting import (
    KINDS,
    SHOWN_CHARACTERS,
    literal,
    messages_for,
    prompt_digest,
    request_for,
    schema_for,
)
from plusforge.generator.reply_record import KINDS as READ_KINDS
from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.literals import fold_text
from plusforge.oracle.task import BaseTest, Param, Reference
from plusforge.oracle.values import key_of

from tests.seeding import ADD, declared, make_task

PURPOSES = ("inputs", "wrong", "contract")


def text_for(purpose: str = "inputs", **changes: Any) -> str:
    (message,) = messages_for(make_task(**changes), purpose)
    assert message.role == "user"
    return message.content


def base(*rows: Any) -> dict[str, Any]:
    return {"base": tuple(BaseTest(args=row) for row in rows)}


def test_task_reference_inputs_and_contract_are_shown() -> None:
    contract = "def contract(a, b):\n    assert a < b"
    text = text_for(contract=declared(contract), **base((1, 2), (3, 40)))
    for part in ("Add {two} numbers.", ADD, contract, "add(1, 2)\nadd(3, 40)", "a: int, b: int"):
        assert part in text
    assert '"args": {"a": 1, "b": 2}}' in text
    assert "What inputs are allowed" not in text_for()
    wrong = text_for("wrong")
    assert "2 arguments\n(a: int, b: int)" in wrong
    assert "function `contract(a, b)`" in text_for("contract")
    assert "1 argument\n(x)" in text_for("wrong", params=(Param(name="x"),), **base((1,)))


@pytest.mark.parametrize("purpose", PURPOSES)
def test_braces_fences_and_places_in_a_task_stay_text(purpose: str) -> None:
    odd = "{prompt} {} {{x}} {reference} {0} ``` \\1 \\g<0> %s\n---\nversion: 2"
    text = text_for(purpose, prompt=odd, references=(Reference(source=f"# {odd}\n{ADD}"),))
    assert text.count(odd) == 2
    assert "{entry_point}" not in text


@pytest.mark.parametrize("purpose", PURPOSES)
def test_odd_tasks_can_be_asked_about(purpose: str) -> None:
    nothing = text_for(purpose, params=(), **base(()))
    assert "add()" in nothing or purpose == "wrong"
    assert schema_for(make_task(params=()), "inputs") is not None
    params = (
        Param(name="größe", annotation="int"),
        Param(name="x", annotation=None, optional=True),
    )
    text = text_for(purpose, entry_point="größer", params=params, **base((1,), (1, "ß")))
    assert "größer" in text
    assert "größe" in text
    assert text_for(purpose, base=()) == text_for(purpose, base=())


def test_only_some_short_inputs_are_shown() -> None:
    long = "x" * SHOWN_CHARACTERS
    text = text_for(**base((long, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)))
    assert long not in text
    assert "add(4, 4)" in text
    assert "add(5, 5)" not in text
    assert "(none)" in text_for(**base((long, 1)))


def test_the_prompt_is_one_text_under_every_hash_seed() -> None:
    program = (
        "from tests.unit.test_prompting import *\n"
        "sets = ({'b', 'a', 'cc', 'd'}, [{frozenset({'x', 'y'}): {1.5, 'z', None}}])\n"
        "for p in PURPOSES: print(prompt_digest(messages_for(make_task(**base(sets)), p)))"
    )
    root = Path(__file__).parents[2]
    found = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(found) == 1
    assert len(set(found.pop().split())) == 3


VALUES = [
    None, True, 0, -7, 10**99, 10**5000, -(10**5000), 1.5, -0.0, float("inf"), float("-inf"), 1e300,
    2 + 3j, "a'\"\n\ud800", b"\x00'", [], [1, [2]], (), (1,), (1, (2,)), set(), {1, "a", None},
    frozenset(), frozenset({(1,), "b"}), {}, {"k": {1, 2}, (1,): [set()]},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(type(value)))
def test_literals_are_read_back(value: Any) -> None:
    assert key_of(fold_text(literal(value))) == key_of(value)
    assert key_of(fold_text(literal([(value,)]))) == key_of([(value,)])


def test_literals_are_what_people_write() -> None:
    plain = [1, -2.5, "it's", (3,), {"a": [True, None]}, b"x", 2j]
    assert literal(plain) == repr(plain)
    assert literal({"b", "a"}) == "{'a', 'b'}"
    assert literal(float("nan")) == "float('nan')"


def test_the_example_is_json_with_literals_where_json_has_no_word() -> None:
    row = ({1, 2}, [(1, 2)], {"k": 1}, float("inf"), 10**5000, [1.5, None, "x"])
    params = tuple(Param(name=name) for name in "abcdef")
    text = text_for(params=params, **base(row))
    line = next(line for line in text.split("\n") if line.startswith('{"inputs": ['))
    example = json.loads(line.replace(", ...]", "]"))["inputs"][0]["args"]
    assert [example.pop(name) for name in "abcd"] == [
        "{1, 2}", "[(1, 2)]", "{'k': 1}", "float('inf')",
    ]  # fmt: skip
    assert example == {"e": hex(10**5000), "f": [1.5, None, "x"]}


def test_schemas() -> None:
    params = [
        Param(name=name, annotation=annotation)
        for name, annotation in {
            "a": "int", "b": "float", "c": "bool", "d": "str", "e": "list[list[int]]",
            "f": "List[Tuple[int, int]]", "g": "dict[str, int]", "h": "Optional[int]", "i": None,
            "j": "what ever[",
        }.items()
    ]  # fmt: skip
    schema = schema_for(make_task(params=tuple(params), base=()), "inputs")
    assert schema is not None
    json.dumps(schema)
    row = schema["properties"]["inputs"]["items"]
    assert row["properties"]["class"]["enum"] == list(KINDS) == list(READ_KINDS)
    arguments = row["properties"]["args"]
    assert arguments["required"] == list("abcdefghij")
    text, integers = {"type": "string"}, {"type": "array", "items": {"type": "integer"}}
    assert arguments["properties"] == {
        "a": {"type": "integer"}, "b": {"type": "number"}, "c": {"type": "boolean"}, "d": text,
        "e": {"type": "array", "items": integers}, "f": {"type": "array", "items": text},
        "g": text, "h": text, "i": text, "j": text,
    }  # fmt: skip
    assert schema_for(make_task(), "contract") is None
    wrong = schema_for(make_task(), "wrong")
    assert wrong is not None
    assert set(wrong["properties"]["programs"]["items"]["required"]) == {
        "mistake", "code", "breaking_args",
    }  # fmt: skip


def test_requests() -> None:
    task = make_task()
    asked = request_for(task, "wrong", model="m", max_tokens=5, temperature=0.5, seed=9, tag="t")
    assert asked.messages == messages_for(task, "wrong")
    assert (asked.model, asked.max_tokens, asked.temperature, asked.seed) == ("m", 5, 0.5, 9)
    assert (asked.schema, asked.schema_name, asked.tag) == (schema_for(task, "wrong"), "wrong", "t")


# --- templates of one's own ----------------------------------------------------------------------


def test_templates_that_do_not_fit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = prompt_digest(messages_for(make_task(), "inputs"))
    monkeypatch.setattr(templates, "FOLDER", tmp_path)
    with pytest.raises(DataError, match=r"inputs\.md: cannot be read"):
        text_for()
    (tmp_path / "inputs.md").write_text("version: 2\n---\nGive {many} for {entry_point}.\n")
    with pytest.raises(ConfigError, match=r"inputs/2 has a place \{many\}; there are \{prompt\}"):
        text_for()
    (tmp_path / "inputs.md").write_text("version: 2\n---\nBreak {entry_point}, {{}}.\n")
    assert text_for() == "Break add, {{}}.\n"
    assert prompt_digest(messages_for(make_task(), "inputs")) != before
