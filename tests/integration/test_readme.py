"""The sessions that README and docs/task-files.md show print what is shown, the results that README
shows are theirs, and the program of docs/judging.md runs."""

import io
import json
import re
import shlex
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from plusforge.generator.cli import main

from tests.suites import read_suite
from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
TASK_FILES = (ROOT / "docs" / "task-files.md").read_text(encoding="utf-8")
MACHINE = "isolation: "
"""Begins a line that another machine prints otherwise."""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


SESSIONS = [*blocks("console"), *blocks("console", TASK_FILES)]


def session(block: str) -> list[tuple[str, list[str]]]:
    """Return commands and what each of them prints."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def printed(command: str) -> list[str]:
    """Run a command line here; return all that it prints."""
    program, *arguments = shlex.split(command, comments=True)
    assert program == "plusforge"
    shown, before = io.StringIO(), signal.getsignal(signal.SIGTERM)
    with redirect_stdout(shown), redirect_stderr(shown):
        try:
            main(arguments)
        except SystemExit:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
    return shown.getvalue().splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with what the sessions presuppose, and go there."""
    (module,) = blocks("python")
    (tmp_path / "mybench").mkdir()
    (tmp_path / "mybench" / "longest_rise.py").write_text(module, encoding="utf-8")
    (tmp_path / "outputs").mkdir()
    (tmp_path / "outputs" / "starter").symlink_to(ROOT / "outputs" / "starter")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_a_session(folder: Path, number: int) -> None:
    for command, shown in session(SESSIONS[number]):
        if command.startswith("cat "):
            (folder / command[4:]).write_text("\n".join(shown) + "\n", encoding="utf-8")
            continue
        if edit := re.search(r'# with "(.+)" in the contract', command):
            task = folder / "mybench" / "longest_rise.py"
            text = task.read_text(encoding="utf-8")
            task.write_text(text.replace("len(values) <= 50", edit[1]), encoding="utf-8")
        got = printed(command.replace("/tmp/x", "made"))
        patterns = [re.sub(r"\.\.\.", "*", line.replace("/tmp/x", "made")) for line in shown]
        patterns = [re.sub(r"\[", "[[]", pattern) for pattern in patterns]
        assert len(got) == len(patterns), got
        for line, pattern in zip(got, patterns, strict=True):
            if not pattern.startswith(MACHINE):
                assert fnmatchcase(line.rstrip(), pattern.rstrip()), f"{line}\nis not\n{pattern}"
    if (folder / "results.json").exists():
        results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        assert json.loads(blocks("json")[1]) in results["samples"]


def test_the_inputs_that_are_shown_are_in_the_suite() -> None:
    shown, _ = blocks("json")
    records = {record["task_id"]: record for record in read_suite(ROOT / "outputs" / "starter")}
    plus = records["starter/balanced_depth"]["plus"]
    assert [row for row in map(json.loads, shown.splitlines()) if row not in plus] == []


def test_the_program_of_judging_runs() -> None:
    text = (ROOT / "docs" / "judging.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, *_, args, outcomes = done.stdout.splitlines()
    assert (first, args) == ("wrong", "args ([3, 8, 7, 4, 5],)")
    assert outcomes.startswith("expected (12,) got (0,)")
