"""``plusforge extract``: programs out of raw model replies, one line a sample."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from plusforge.generator.cli_options import FilledPath, data_option
from plusforge.generator.extract import Extraction, ExtractionOutcome, extract
from plusforge.generator.outputs import PROGRAMS, check_output
from plusforge.generator.rawsamples import line_of
from plusforge.generator.stdout import print_result
from plusforge.oracle.about import VERSION
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.errors import ConfigError, DataError, OutputError
from plusforge.oracle.files import decode_text, parse_json, read_bytes, sha256_hex
from plusforge.oracle.wording import plural
from plusforge.oracle.writing import check_writable, gzip_bytes, write_bytes

REPLY_FIELDS = ("raw", "reply", "completion", "solution")
"""Where a reply may stand in a line; of several fields the first is the rawest and is taken."""

_LEFT_OUT = (*REPLY_FIELDS, "prompt", "messages")
"""Fields that a sample's line does not carry on: the raw file keeps them."""

_CUT_OFF = ("length", "max_tokens")
"""What servers call the end of a reply that its limit of tokens ended."""

FINDINGS, FAULTY_DATA = 1, 3
"""Exit statuses: some replies hold no usable program; some lines are no replies."""

_SHOWN = 5
"""Replies of one outcome that are named on stderr."""


@click.command(name="extract")
@click.argument("file", type=FilledPath(path_type=Path))
@click.option(
    "--out",
    type=FilledPath(path_type=Path, dir_okay=False),
    help="JSONL[.gz] of the programs [default: stdout].",
)
@click.option("--bench", help="Benchmark that knows entry points and prompts by task_id.")
@data_option
@click.option(
    "--alias",
    is_flag=True,
    help="Take the one function of a reply under another name than was asked for.",
)
@click.option("--quiet", is_flag=True, help="No counts; faults only.")
def extract_command(
    *, file: Path, out: Path | None, bench: str | None, data: Path | None, alias: bool, quiet: bool
) -> None:
    """Take the programs out of raw model replies.

    FILE is JSONL[.gz] of {"task_id", "raw"}; the reply may also be called reply, completion or
    solution. The entry point and the prompt stand in the line, too, or come from --bench.

    Every reply gives one line {"task_id", "solution", "extraction"} for evaluate; one without a
    usable program gives what was found, which is judged as wrong. Exit status: 0 done; 1 some
    replies hold no usable program; 2 wrong use; 3 some lines are no replies (the rest is written).
    """
    if data is not None and bench is None:
        raise ConfigError("--data is where the benchmark of --bench is: give both, or neither")
    if not file.exists():
        raise ConfigError(f"replies {str(file)!r} do not exist; give a JSONL file")
    if out is not None and not _is_special(out):
        check_output(out, PROGRAMS, [file, Path(bench) if bench is not None else None])
        check_writable(out.parent)
    known = _known_tasks(bench, data) if bench is not None else None
    run = _Run(file, known, alias=alias)
    content = "".join(f"{line_of(line)}\n" for line in run.lines()).encode()
    if not run.outcomes and not run.problems:
        raise DataError(f"{file}: holds no reply; is the file complete?")
    if out is None:
        print_result(content.decode("ascii"))
    else:
        _write(out, gzip_bytes(content) if out.suffix == ".gz" else content)
    run.report(quiet=quiet)


def _is_special(out: Path) -> bool:
    """Tell whether a path is a pipe or a device: it is written into, never replaced."""
    return out.exists() and not out.is_file()


def _write(out: Path, content: bytes) -> None:
    if not _is_special(out):
        write_bytes(out, content)
        return
    try:
        out.write_bytes(content)
    except OSError as exc:
        raise OutputError(
            f"--out {out}: cannot be written ({exc.strerror or exc}); name a file, or keep the "
            "reader of the pipe running"
        ) from exc


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a task asks for."""

    entry_point: str
    prompt: str


def _known_tasks(bench: str, data: Path | None) -> dict[str, _Asked]:
    loaded = load_benchmark(bench, data=data)
    return {task.task_id: _Asked(task.entry_point, task.prompt) for task in loaded.tasks}


@dataclass(slots=True)
class _Run:
    """One file of replies: its programs, and what is to be said about them."""

    file: Path
    known: Mapping[str, _Asked] | None
    alias: bool = field(kw_only=True)
    outcomes: Counter[ExtractionOutcome] = field(default_factory=Counter)
    examples: dict[ExtractionOutcome, list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the record of each reply, in file order."""
        text = decode_text(read_bytes(self.file), str(self.file))
        for number, line in enumerate(text.split("\n"), 1):
            where = f"{self.file}:{number}"
            if not line.strip():
                continue
            try:
                record = parse_json(line, str(self.file), first_line=number)
                reply, asked = _reply_of(record, where), self.asked(record, where)
            except DataError as exc:
                self.problems.append(str(exc))
                continue
            found = extract(reply, asked.entry_point, asked.prompt, alias=self.alias)
            found = _as_cut_off(found, record)
            self.count(found, where, record)
            yield _sample(record, reply, found)

    def asked(self, record: Mapping[str, Any], where: str) -> _Asked:
        """Return the entry point and the prompt of a reply's task.

        Raises:
            ConfigError: Neither the line nor a benchmark says what was asked for.
            DataError: The benchmark does not know the task.
        """
        task_id = record["task_id"]
        known = self.known.get(task_id) if self.known is not None else None
        entry, prompt = record.get("entry_point"), record.get("prompt")
        if known is None and not isinstance(entry, str):
            if self.known is None:
                raise ConfigError(
                    f"{where}: no entry_point in the line; name the benchmark of {task_id!r} with "
                    "--bench, or add entry_point (and prompt) to every line"
                )
            raise DataError(
                f"{where}: task {task_id!r} is not in the benchmark, or is faulty there "
                f"(ids look like {next(iter(self.known), '')!r}); correct the id, or add "
                "entry_point to the line"
            )
        known = known or _Asked("", "")
        return _Asked(
            entry if isinstance(entry, str) else known.entry_point,
            prompt if isinstance(prompt, str) else known.prompt,
        )

    def count(self, found: Extraction, where: str, record: Mapping[str, Any]) -> None:
        self.outcomes[found.outcome] += 1
        if found.outcome is not ExtractionOutcome.OK:
            line = f"{where}: {record['task_id']}: {found.outcome}: {found.reason}"
            self.examples.setdefault(found.outcome, []).append(line)

    def report(self, *, quiet: bool) -> None:
        """Say what was found, on stderr, and end with the status that fits."""
        for problem in self.problems:
            click.echo(problem, err=True)
        failed = self.outcomes.total() - self.outcomes[ExtractionOutcome.OK]
        if not quiet:
            for lines in self.examples.values():
                for line in lines[:_SHOWN]:
                    click.echo(line, err=True)
                if len(lines) > _SHOWN:
                    click.echo(f"... and {len(lines) - _SHOWN} more of that kind", err=True)
            total = self.outcomes.total()
            counts = ", ".join(
                f"{self.outcomes[outcome]} {outcome}"
                for outcome in ExtractionOutcome
                if self.outcomes[outcome]
            )
            click.echo(f"{total} {plural(total, 'sample')}: {counts or 'none'}", err=True)
        if self.problems:
            sys.exit(FAULTY_DATA)
        if failed:
            sys.exit(FINDINGS)


def _as_cut_off(found: Extraction, record: Mapping[str, Any]) -> Extraction:
    """Return a failed extraction as truncated, where the server says that it cut the reply."""
    said = record.get("finish", record.get("finish_reason"))  # sample's name for it; servers' own
    if found.outcome is ExtractionOutcome.OK or said not in _CUT_OFF:
        return found
    reason = f"the model's tokens were used up ({found.reason}); allow more"
    return dataclasses.replace(found, outcome=ExtractionOutcome.TRUNCATED, reason=reason)


def _reply_of(record: Any, where: str) -> str:
    """Return the text of a reply; one that the model left out is empty.

    Raises:
        DataError: The line is no reply.
    """
    if not isinstance(record, dict):
        raise DataError(f"{where}: got {type(record).__name__}, expected one JSON object a line")
    if not isinstance(record.get("task_id"), str):
        got = f"{record.get('task_id')!r:.80}"
        raise DataError(f"{where}: task_id is {got}, expected a string such as 'HumanEval/0'")
    name = next((name for name in REPLY_FIELDS if name in record), None)
    if name is None:
        raise DataError(
            f"{where}: has none of {', '.join(REPLY_FIELDS)}; put the model's text into raw"
        )
    reply = record[name]
    if reply is None:
        return ""
    if not isinstance(reply, str):
        raise DataError(
            f"{where}: {name} is a {type(reply).__name__}, expected a string; "
            "write one line for each sample"
        )
    return reply


def _sample(record: Mapping[str, Any], reply: str, found: Extraction) -> dict[str, Any]:
    """Return a line for ``evaluate``: the program, and all that the reply's line said about it."""
    carried = {name: value for name, value in record.items() if name not in _LEFT_OUT}
    return {
        **carried,
        "solution": found.code,
        "extraction": {
            "outcome": found.outcome,
            "reason": found.reason,
            "notes": list(found.notes),
            "raw_sha256": sha256_hex(reply.encode("utf-8", "surrogatepass")),
            "version": VERSION,
        },
    }
