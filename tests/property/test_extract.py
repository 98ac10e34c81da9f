"""Extraction of any text: it never raises, ends in time, and repeats itself on its own output."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator.extract import ExtractionOutcome, extract
from plusforge.generator.pieces import fault_line

from tests.extraction_cases import CASES, FAILING, PROMPT
from tests.extraction_modules import REACHED

PIECES = sorted(
    {line for case in [*CASES, *REACHED, *FAILING] for line in case.raw.split("\n")}
    | {"", "```", "```python", "~~~", "    return a + b", "def add(a, b):", "<think>", "</think>"}
    | {'"""', "'''", "x = (", ")", "else:", "@cache", ">>> add(1, 2)", "<|im_end|>", "- item", "\\"}
)
TEXT = st.text(st.characters(exclude_categories=[]))
LINES = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=25).map("\n".join)
PROMPTS = st.sampled_from([None, PROMPT, "def add(a, b):\n", "Write add.", "def add(:"]) | TEXT


@settings(max_examples=100)
@given(TEXT | LINES, PROMPTS, st.booleans())
def test_any_text(raw: str, prompt: str | None, alias: bool) -> None:
    found = extract(raw, "add", prompt, alias=alias)
    assert found.reason if found.outcome is not ExtractionOutcome.OK else not found.reason
    if found.outcome is ExtractionOutcome.OK:
        assert fault_line(found.code) == 0
        again = extract(found.code, "add", prompt)
        assert (again.outcome, again.code) == (found.outcome, found.code)


@settings(max_examples=50)
@given(LINES, LINES)
def test_what_surrounds_a_fence_does_not_matter(before: str, after: str) -> None:
    code = "def the_entry(a, b):\n    return a + b\n"
    calm = str.maketrans("", "", "`~<>|[]\u25c1\u25b7\uff5c")  # no fences, no marks
    raw = f"{before.translate(calm).lstrip()}\n\n```python\n{code}```\n\n{after.translate(calm)}"
    found = extract(f"Here:\n\n{raw}" if raw.startswith("analysis") else raw, "the_entry")
    assert found.code == code


LONG = {
    "code": "def g{i}(x):\n    return x + {i}\n\n",
    "calls": "def g{i}(x):\n    return g{i}0(x) + add(x, 1)\n",
    "statements": "x{i} = [{i}]\nx{i}.append(x{i})\n",
    "one table": "T = {{}}\nT[{i}] = {i}\n",
    "prose": "Here's line {i}, and (as you see: it isn't \"code\".\n",
    "prose and quotes": 'It\'s """ number {i}\n',
    "open brackets": "x{i} = (\n",
    "fences": "```python\ndef add(a, b:\n    return {i}\n```\n",
    "open fences": "```python\ndef add(a, b:\n",
    "docstrings": 'def add(a, b):\n    """{i}\n```\n    """\n    return ((\n',
    "definitions": "def add(a, b):\n    return {i}\n",
    "thoughts": "<think>\n{i}\n</think>\n",
    "open thoughts": "the <think> mark\n</think>\n<think>\n",
    "tokens": "<|im_start|>user\n{i}<|im_end|>\n",
    "sessions": ">>> x = {i}\n{i}\n",
    "lists": "- item {i}\n  - ```\n",
    "quotations": "> > > {i}\n",
    "curly quotes": "x = \u201c{i}\u00a0\u2019\n",
    "body": "    a = a + {i}\n",
    "conditions": "if x:\n    def add(a, b):\n        return {i}\nelse:\n    y = [{i}\n",
    "methods": "class C{i}:\n    def add(self, a, b):\n        return (\n",
}


@pytest.mark.parametrize(
    "shape",
    [
        shape if shape in ("code", "prose") else pytest.param(shape, marks=pytest.mark.slow)
        for shape in LONG
    ],
)
def test_four_thousand_lines_take_seconds_at_most(shape: str) -> None:
    lines = "".join(LONG[shape].format(i=number) for number in range(4000)).split("\n")[:4000]
    start = time.process_time()
    extract("\n".join(lines), "add", PROMPT)
    extract("\n".join(lines) + "\n\ndef add(a, b):\n    return a + b\n", "add", PROMPT)
    # Twice the text; the bound is wide, since the machine may be slow: growth is what it finds.
    assert time.process_time() - start < 8.0
