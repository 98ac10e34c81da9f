"""The wheel holds one top-level name, every module, and the data; a bare import is refused."""

import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
from plusforge.oracle import conformity
from plusforge.oracle.typespec import parse_annotation

from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_packages_and_folders_agree() -> None:
    tool = PROJECT["tool"]["setuptools"]
    assert sorted(tool["packages"]) == sorted(tool["package-dir"])
    for name, folder in tool["package-dir"].items():
        assert name == f"plusforge.{folder}"
        nested = [p for p in (ROOT / folder).rglob("__init__.py") if p.parent != ROOT / folder]
        assert nested == [], "a sub-package must be listed in pyproject.toml"


def test_data_files_are_packaged() -> None:
    tool = PROJECT["tool"]["setuptools"]
    for name, patterns in tool["package-data"].items():
        folder = ROOT / tool["package-dir"][name]
        packaged = {path for pattern in patterns for path in folder.glob(pattern)}
        there = {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        data = {path for path in there if path.suffix != ".py" and path.name != "py.typed"}
        assert data <= packaged, f"{name}: not in the wheel: {sorted(data - packaged)}"


@pytest.mark.parametrize("name", ["generator", "oracle"])
def test_a_bare_import_is_refused_with_a_message(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {name}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"use 'plusforge.{name}'" in done.stderr


def test_the_design_cards_packages_are_required_and_installed() -> None:
    required = " ".join(
        PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["test"]
    )
    for name in ("hypothesis", "openai", "typeguard", "pytest"):
        assert name in required
        assert metadata.version(name)


def test_typeguard_does_real_work(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = parse_annotation("list[int]")
    assert "item 50" in str(conformity.conforms([0] * 50 + ["x"], spec))
    monkeypatch.setattr(conformity, "check_type", lambda *_, **__: None)
    # Without it the exact check still refuses, but cannot say where.
    assert "item 50" not in str(conformity.conforms([0] * 50 + ["x"], spec))


def test_hypothesis_does_real_work() -> None:
    users = [p for p in (ROOT / "tests").rglob("*.py") if "@given(" in p.read_text()]
    assert len(users) >= 3
