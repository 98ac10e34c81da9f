"""No command writes over what it reads, nor over a file of another kind than it writes."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from plusforge.generator.outputs import RECORDINGS, check_output
from plusforge.generator.publish import MANIFEST, REJECTED, SUITE
from plusforge.oracle.benchmarks import SEEDS_FOLDER
from plusforge.oracle.errors import ConfigError

from tests.integration.test_bad_input import GOOD, bench, files_of
from tests.integration.test_tiers import Ran, run
from tests.judging import ADD, jsonl, record
from tests.support import ROOT

OWN = "def longest_rise(values):\n    return 0"
"""A user's file; its last line does not end."""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    line = json.dumps(record(wrong=[]), separators=(",", ":"))
    (folder / SUITE).write_bytes(gzip.compress(line.encode() + b"\n"))
    (folder / MANIFEST).write_text('{\n "format": 1,\n "benchmark": "t",\n "tool_version": "0"}\n')
    return folder


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    return jsonl(tmp_path / "samples.jsonl", [{"task_id": "t/add", "solution": ADD}])


def refused(ran: Ran, path: Path, before: bytes, *words: str) -> None:
    assert ran.status == 2, ran.stderr
    (line,) = ran.stderr.splitlines()
    assert all(word in line for word in (*words, "would be lost", "name another place with --"))
    assert path.read_bytes() == before


def linked(path: Path, name: str, make: Callable[[Path, Path], None]) -> Path:
    link = path.parent / name
    make(path, link)
    return link


def test_evaluate_keeps_samples_suites_and_other_files(
    suite: Path, samples: Path, tmp_path: Path
) -> None:
    own = tmp_path / "longest_rise.py"
    own.write_text(OWN)
    soft = linked(samples, "soft", lambda old, new: new.symlink_to(old))
    hard = linked(samples, "hard", lambda old, new: new.hardlink_to(old))
    for out in (samples, soft, hard):
        before = samples.read_bytes()
        ran = run("evaluate", suite, samples, "--out", out)
        refused(ran, samples, before, "which this command reads")
        assert out.samefile(samples)
    for out, begin in ((own, "def longest_rise"), (suite / SUITE, '{"format":1'),
                       (suite / MANIFEST, "format")):  # fmt: skip
        ran = run("evaluate", suite, samples, "--out", out)
        refused(ran, out, out.read_bytes(), "is not a result document", begin)


def test_evaluate_writes_anew_what_it_wrote_and_where_nothing_is(
    suite: Path, samples: Path, tmp_path: Path
) -> None:
    out, empty = suite / "results.json", tmp_path / "empty"
    empty.touch()
    link = linked(out, "link", lambda old, new: new.symlink_to(old))
    for target in (out, out, link, empty, "/dev/null"):
        ran = run("evaluate", suite, samples, "--quiet", "--out", target)
        assert (ran.status, ran.stderr) == (0, "")
    assert out.read_bytes() == empty.read_bytes() != b""
    out.write_text(json.dumps(json.loads(out.read_text()), indent=4))
    assert run("evaluate", suite, samples, "--quiet", "--out", out).status == 0


def test_extract_keeps_replies_and_other_files(tmp_path: Path) -> None:
    rows = [{"task_id": "t/add", "raw": f"```\n{ADD}```", "entry_point": "add"}]
    replies = jsonl(tmp_path / "r.jsonl", rows)
    before = replies.read_bytes()
    soft = linked(replies, "soft.jsonl", lambda old, new: new.symlink_to(old))
    for out in (replies, soft):
        refused(run("extract", replies, "--out", out), replies, before, "this command reads")
    other = jsonl(tmp_path / "other.jsonl", [{"task_id": "t/add", "raw": "paid for"}])
    kept = other.read_bytes()
    refused(run("extract", replies, "--out", other), other, kept, "is not a file of programs")
    for name in ("s.jsonl", "s.jsonl.gz"):
        for _ in range(2):
            assert run("extract", replies, "--out", tmp_path / name, "--quiet").status == 0


@pytest.mark.parametrize("name", [MANIFEST, SUITE, REJECTED])
def test_a_suite_goes_where_no_file_of_others_is(name: str, suite: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    own = folder / name
    text = b'{"name": "my extension", "version": "1.0"}\n'
    own.write_bytes(gzip.compress(text) if name == SUITE else text)
    before = own.read_bytes()
    ran = run("regenerate", bench(tmp_path), "--budget", 5, "--out", folder)
    refused(ran, own, before, "of plusforge", "my extension")
    if name != REJECTED:  # which minimize does not write
        refused(run("minimize", suite, "--out", folder), own, before, "of plusforge")
    assert list(folder.iterdir()) == [own]


def test_suites_are_made_anew_in_their_folders(suite: Path, tmp_path: Path) -> None:
    folder, path = tmp_path / "made", bench(tmp_path)
    words = ["regenerate", path, "--budget", 5, "--quiet", "--out", folder]
    assert run(*words).status == 0
    before = files_of(folder)
    assert run(*words).status == 0
    assert files_of(folder) == before
    for _ in range(2):
        assert run("minimize", suite, "--quiet", "--out", tmp_path / "tiers").status == 0
    # damaged or of another run, it is still a suite's folder
    (folder / SUITE).write_bytes(before[SUITE][:200])
    (folder / REJECTED).write_text("{}")
    assert run(*words).status == 0
    assert files_of(folder) == before
    assert run("minimize", suite, "--quiet", "--out", folder).status == 0


def test_minimize_keeps_a_suite_that_the_new_one_is_linked_to(suite: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / SUITE).symlink_to(suite / SUITE)
    before = (suite / SUITE).read_bytes()
    refused(run("minimize", suite, "--out", folder), suite / SUITE, before, "this command reads")


def test_import_seeds_keeps_its_file_and_others(tmp_path: Path) -> None:
    path, recordings = bench(tmp_path), tmp_path / "seeds"
    recordings.mkdir()
    own = jsonl(recordings / "imported.jsonl", [{"task_id": f"bench/{GOOD}", "inputs": ["([1],)"]}])
    before = own.read_bytes()
    words = ["--origin", "me", "--recordings", recordings]
    refused(run("import-seeds", path, own, *words), own, before, "this command reads")
    source = tmp_path / "source.jsonl"
    source.write_bytes(before)
    refused(run("import-seeds", path, source, *words), own, before, "is not a file of recordings")
    own.unlink()
    for _ in range(2):
        assert run("import-seeds", path, source, *words).status == 0


@pytest.mark.parametrize(
    ("command", "option", "name"),
    [("sample", "--out", "notes.py"), ("seed", "--recordings", "replies.jsonl")],
)
def test_no_line_of_a_file_of_others_is_taken_away(
    command: str, option: str, name: str, tmp_path: Path
) -> None:
    own = tmp_path / name
    own.write_text(OWN)
    place = own if command == "sample" else tmp_path
    words = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", option, place]
    refused(run(command, bench(tmp_path), *words), own, OWN.encode(), "longest_rise")


def test_recordings_that_come_with_plusforge_are_told_as_such() -> None:
    for path in (SEEDS_FOLDER / "starter").glob("replies.jsonl"):
        check_output(path, RECORDINGS)
    with pytest.raises(ConfigError, match="is not a file of recordings"):
        check_output(ROOT / "README.md", RECORDINGS)
