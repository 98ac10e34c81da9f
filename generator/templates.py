"""Prompt templates: data files of this package, each with a version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from plusforge.oracle.errors import ConfigError
from plusforge.oracle.files import read_text

FOLDER = Path(__file__).resolve().parent / "prompts"
"""Beside this module in the repository and in an installed wheel alike."""

_HEAD = re.compile(r"version: (\d+)\n---\n")
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A text with places for ``{names}``.

    Attributes:
        label: Name and version, such as ``sample/1``; a change of the text is a new version.
        text: The text.
    """

    label: str
    text: str

    def fill(self, **fields: str) -> str:
        """Return the text with every place filled; braces in what is filled in are left alone.

        Raises:
            ConfigError: A place has no field.
        """
        strange = [name for name in _PLACE.findall(self.text) if name not in fields]
        if strange:
            raise ConfigError(
                f"the prompt template {self.label} has a place {{{strange[0]}}}; there are "
                f"{', '.join(f'{{{name}}}' for name in fields)}"
            )
        return _PLACE.sub(lambda place: fields[place[1]], self.text)


def template(name: str) -> Template:
    """Return the template of a name.

    Raises:
        ConfigError: Its file does not begin with ``version: N`` and a line ``---``.
        DataError: There is no such file.
    """
    path = FOLDER / f"{name}.md"
    text = read_text(path)
    head = _HEAD.match(text)
    if head is None:
        raise ConfigError(f"{path}: expected 'version: N' and '---' as its first lines")
    return Template(f"{name}/{head[1]}", text[head.end() :].strip("\n") + "\n")
