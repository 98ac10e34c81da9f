"""Reading samples: JSONL with one answer a line, or a folder with ``TASK_ID/N.py``.

What cannot be used is named, line by line, and the rest is judged.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from plusforge.oracle.errors import ConfigError, DataError
from plusforge.oracle.files import decode_text, parse_json, read_bytes, read_text, sha256_hex

_DATASET_FIELDS = frozenset(
    {"canonical_solution", "references", "test_list", "base_input", "plus_input", "code", "base"}
)
BYTE_ORDER_MARK = "\ufeff"
"""What some editors begin a file of UTF-8 with."""

_CODE_FIELDS = ("solution", "completion")

_REPLY_FIELDS = ("raw", "reply")
"""Where the text of a model stands before a program is taken out of it."""


class Prompted(Protocol):
    """What is known of a task here: a completion goes on from its prompt."""

    @property
    def prompt(self) -> str:
        """What a model sees."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One model answer.

    Attributes:
        task_id: The task it answers.
        number: 0-based index among the task's samples.
        code: The module to judge; a completion comes after its task's prompt.
    """

    task_id: str
    number: int
    code: str


@dataclass(frozen=True, slots=True)
class Samples:
    """What was read of a sample file.

    Attributes:
        samples: The usable ones, in file order.
        problems: What is wrong with each of the others, where, and what to do.
    """

    samples: tuple[Sample, ...]
    problems: tuple[str, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the usable samples, whatever their file looks like; empty for none."""
        if not self.samples:
            return ""
        return sha256_hex(json.dumps([list(dataclasses.astuple(one)) for one in self.samples]))


def read_samples(
    path: Path, records: Mapping[str, Prompted], *, wanted: Mapping[str, object] | None = None
) -> Samples:
    """Read samples.

    Args:
        path: JSONL of ``{"task_id", "solution"}`` or ``{"task_id", "completion"}``, also gzipped;
            or a folder with ``TASK_ID/N.py``, where ``/`` in ids is a folder of its own or ``_``.
        records: The tasks of the suite or benchmark, by id.
        wanted: Ids to keep, when only some of the suite's tasks are to be judged; samples of the
            others are passed over in silence.

    Raises:
        ConfigError: There is no such file.
        DataError: It holds nothing that could be a sample.
    """
    if not path.exists():
        raise ConfigError(f"samples {str(path)!r} do not exist; give a JSONL file or a folder")
    if path.suffix == ".py" and path.is_file():
        raise ConfigError(
            f"samples {str(path)!r} is a Python file: give a JSONL file of "
            '{"task_id", "solution"}, or ' + _layout("FOLDER", records)
        )
    problems: list[str] = []
    found = list(_folder(path, records, problems) if path.is_dir() else _lines(path, problems))
    counts: dict[str, int] = {}
    samples = []
    for where, task_id, code, completes in found:
        record = records.get(task_id)
        if record is None:
            problems.append(
                f"{where}: task {task_id!r:.80} is not in the suite ({_example(records)}); "
                "correct the id or choose the suite that has it"
            )
            continue
        number = counts.get(task_id, 0)
        counts[task_id] = number + 1
        if wanted is not None and task_id not in wanted:
            continue
        code = code.removeprefix(BYTE_ORDER_MARK)  # Python takes it in a file, not in a text
        samples.append(Sample(task_id, number, record.prompt + code if completes else code))
    if not found:
        remedy = f"expected {_layout(path, records)}" if path.is_dir() else "is the file complete?"
        raise DataError(
            f"{path}: holds no sample" + (f" ({problems[0]})" if problems else f"; {remedy}")
        )
    return Samples(tuple(samples), tuple(problems))


def _layout(folder: object, records: Mapping[str, Prompted]) -> str:
    """Say how a folder of samples is laid out."""
    task_id = next(iter(records), "TASK_ID")
    flat = task_id.replace("/", "_")
    other = f" (or {folder}/{flat}/0.py)" if flat != task_id else ""
    return f"a folder with TASK_ID/N.py, such as {folder}/{task_id}/0.py{other}"


def _example(records: Mapping[str, Prompted]) -> str:
    return f"whose ids look like {next(iter(records))!r}"


def _lines(path: Path, problems: list[str]) -> Iterator[tuple[str, str, str, bool]]:
    data = read_bytes(path).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for number, raw in enumerate(data.split(b"\n"), 1):
        where = f"{path}:{number}"
        try:
            line = decode_text(raw, str(path), first_line=number)
            if not line.strip():
                continue
            record = parse_json(line, str(path), first_line=number)
        except DataError as exc:
            problems.append(str(exc))
            continue
        problem = _fault_of(record)
        if problem:
            problems.append(f"{where}: {problem}")
            continue
        name = next(name for name in _CODE_FIELDS if name in record)
        yield where, record["task_id"], record[name], name == "completion"


def _fault_of(record: Any) -> str:
    """Return what keeps a record from being a sample; empty when nothing does."""
    if not isinstance(record, dict):
        return f"got {type(record).__name__}, expected one JSON object a line"
    if not isinstance(record.get("task_id"), str):
        return f"task_id is {record.get('task_id')!r:.80}, expected a string such as 'HumanEval/0'"
    names = [name for name in _CODE_FIELDS if name in record]
    if len(names) != 1:
        if not names and "code" in record and not {"prompt", "test", "test_list"} & record.keys():
            return "has `code`, and neither solution nor completion: call it `solution`"
        if not names and _DATASET_FIELDS & record.keys():
            return (
                f"a task, not a sample (it has {', '.join(sorted(_DATASET_FIELDS & record.keys()))}"
                "): the order is `plusforge evaluate SUITE SAMPLES`"
            )
        if not names and any(isinstance(record.get(name), str) for name in _REPLY_FIELDS):
            return (
                "a raw reply, not a sample: take the programs out of the replies first, with "
                "`plusforge extract FILE --out SAMPLES`"
            )
        return (
            f"has {' and '.join(names) or 'neither solution nor completion'}: "
            "expected exactly one of the two"
        )
    code = record[names[0]]
    if not isinstance(code, str):
        return (
            f"{names[0]} is a {type(code).__name__}, expected a string; "
            "write one line for each sample"
        )
    return ""


_NUMBER = re.compile(r"(\d+)\.py")


def _folder(
    path: Path, records: Mapping[str, Prompted], problems: list[str]
) -> Iterator[tuple[str, str, str, bool]]:
    ids = {task_id.replace("/", "_"): task_id for task_id in records}
    files: dict[str, dict[int, Path]] = {}
    for folder in _folders(path, 2 + max((task_id.count("/") for task_id in records), default=0)):
        name = folder.relative_to(path).as_posix()
        task_id = name if name in records else ids.get(name.replace("/", "_"), name)
        numbered = files.setdefault(task_id, {})
        for file in sorted(folder.iterdir()):
            match = _NUMBER.fullmatch(file.name)
            if folder == path:
                if match is not None:
                    problems.append(f"{file}: is of no task; expected {_layout(path, records)}")
                continue
            if match is None:
                if file.suffix == ".py":
                    problems.append(f"{file}: samples are named N.py, such as 0.py; rename it")
                continue
            if not file.is_file():  # a pipe would be waited for, a device read for ever
                problems.append(f"{file}: is no regular file; replace it by one")
                continue
            number = int(match[1])
            if number in numbered:
                there = numbered[number].relative_to(path)
                problems.append(f"{file}: sample {number} is there twice ({there}); remove one")
                continue
            numbered[number] = file
    for task_id, numbered in files.items():
        for _, file in sorted(numbered.items()):
            try:
                yield str(file), task_id, read_text(file), False
            except DataError as exc:
                problems.append(str(exc))


def _folders(path: Path, depth: int) -> Iterator[Path]:
    """Yield a folder and those within, by name; the depth ends circles of links."""
    yield path
    for folder in sorted(path.iterdir()) if depth else ():
        hidden = folder.name.startswith((".", "__")) or folder.suffix == ".py"
        if not hidden and folder.is_dir():
            yield from _folders(folder, depth - 1)
