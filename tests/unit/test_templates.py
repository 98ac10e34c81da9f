"""Prompt templates: versioned files of the package, filled without a second look."""

from pathlib import Path

import pytest
from plusforge.generator import templates
from plusforge.generator.templates import Template, template
from plusforge.oracle.errors import ConfigError, DataError


def test_the_template_of_samples() -> None:
    found = template("sample")
    assert found.label == "sample/1"
    text = found.fill(entry_point="f", prompt="def f(): ...")
    assert "`f`" in text
    assert "```python\ndef f(): ...\n```" in text
    assert "version" not in text


def test_braces_in_what_is_filled_in_are_left_alone() -> None:
    made = Template("t/1", "{a} {b}")
    assert made.fill(a="{b}", b="{}") == "{b} {}"


def test_a_place_without_a_field_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"t/1 has a place \{a\}; there are \{b\}"):
        Template("t/1", "{a}").fill(b="")


def test_a_template_without_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(templates, "FOLDER", tmp_path)
    (tmp_path / "t.md").write_text("text\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="expected 'version: N'"):
        template("t")
    with pytest.raises(DataError):
        template("absent")
