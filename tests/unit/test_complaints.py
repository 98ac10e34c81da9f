"""How values and calls are written in messages."""

from typing import Any

import pytest
from plusforge.oracle.complaints import CALL_CHARS, call_text, short
from plusforge.oracle.values import Raised


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), ("a", "'a'"), (Raised("ValueError"), "ValueError"), ([1], "[1]"),
     ("x" * 200, "'" + "x" * 76 + "...")],
)  # fmt: skip
def test_values_in_messages(value: Any, text: str) -> None:
    assert short(value) == text


def test_numbers_that_python_refuses_to_write_out_can_be_named() -> None:
    assert 0 < len(short([10**5000])) <= 80
    assert call_text("f", (10**5000,)).startswith('f({"$int":"0x')


def test_calls_in_messages() -> None:
    assert call_text("f", (1, "a")) == "f(1, 'a')"
    assert len(call_text("f", ("x" * 100, "y" * 100))) == CALL_CHARS
