"""What the documents name exists: files, headings, commands, options, make targets."""

import re
from pathlib import Path

import click
import pytest
from plusforge.generator.cli import cli

ROOT = Path(__file__).parents[2]
PLACES = ("*.md", "docs/**/*.md", "outputs/*.md", "seeds/*/*.md")
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in DOCUMENTS}

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"`([^`\n]+)`|^(?:    |\$ )(.+)$", re.MULTILINE)
"""Code in a line, an indented line of code, or a prompt with a command."""
PLACE = re.compile(r"(?:oracle|generator|tests|benchmarks|docs|seeds|outputs)/[\w./-]*")
PLACEHOLDER = re.compile(r"[A-Z]{4,}|\*")


def codes(text: str) -> list[str]:
    return [one or other for one, other in CODE.findall(text)]


def commands() -> dict[str, set[str]]:
    """Return the options of each command."""
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {
        name: {option for param in command.params for option in param.opts}
        for name, command in found.items()
        if command is not None
    }


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name: str) -> None:
    for target, heading in LINK.findall(TEXTS[name]):
        path = (ROOT / name).parent / target if target else ROOT / name
        assert path.exists(), f"{name} links to {target}"
        if heading:
            titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
            assert heading in slugs, f"{name} links to {target}#{heading}"


@pytest.mark.parametrize("name", TEXTS)
def test_files_that_are_named_exist(name: str) -> None:
    places = [code for code in codes(TEXTS[name]) if PLACE.fullmatch(code)]
    gone = [place for place in places if not PLACEHOLDER.search(place)]
    assert [place for place in gone if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("name", TEXTS)
def test_commands_and_options_that_are_named_exist(name: str) -> None:
    known = commands()
    for code in codes(TEXTS[name]):
        words = re.search(r"(?:^|/)plusforge ([a-z][\w-]*)(.*)", code)
        if words is not None:
            assert words[1] in known, f"{name}: {code}"
            options = re.findall(r"(?<!\S)--[\w-]+", words[2].partition(" #")[0])
            assert set(options) <= known[words[1]], f"{name}: {code}"
        elif re.match(r"--[a-z]", code):
            assert any(code.split()[0] in options for options in known.values()), f"{name}: {code}"


def test_make_targets_that_are_named_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for text in TEXTS.values()
        for code in codes(text)
        if (line := re.match(r"make((?: [a-z-]+)+)", code))
        for target in line[1].split()
    }
    assert "regenerate-tests" in named, "the documents name no target: is the pattern right?"
    assert named <= targets, named - targets
