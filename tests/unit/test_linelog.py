"""The file that grows line by line: whole after any stop, one writer at a time."""

import errno
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from plusforge.oracle import linelog
from plusforge.oracle.errors import ConfigError, OutputError
from plusforge.oracle.linelog import LineLog

ONE, TWO = '{"n":1}\n', json.dumps({"n": 2, "text": "é\u2028\n"}) + "\n"


def add(path: Path, *lines: str) -> None:
    with LineLog(path, what="replies", option="--recordings") as log:
        for line in lines:
            log.add(line)


def test_lines_are_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folders" / "x.jsonl"
    add(path, ONE)
    add(path, TWO)
    assert path.read_text("utf-8") == ONE + TWO


@pytest.mark.parametrize("tail", [3, linelog._TAIL])
def test_every_way_of_cutting_short_costs_the_last_line_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tail: int
) -> None:
    monkeypatch.setattr(linelog, "_TAIL", tail)
    path = tmp_path / "x.jsonl"
    whole = (ONE + TWO).encode()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        add(path)
        # A line that lacks only its end is whole.
        lines = (length >= len(ONE) - 1) + (length >= len(whole) - 1)
        assert path.read_text("utf-8") == "".join([ONE, TWO][:lines]), length


@pytest.mark.parametrize("rubbish", [b"\x00" * 70_000, b"\xff\xfe", b"[" * 50_000])
def test_a_last_line_that_is_no_json_is_taken_away(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(ONE.encode() + rubbish)
    add(path, TWO)
    assert path.read_text("utf-8") == ONE + TWO


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"n":0}\r\n')
    add(path, ONE)
    assert path.read_bytes() == b'{"n":0}\r\n' + ONE.encode()


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with LineLog(path, what="replies", option="--recordings") as log:
        log.add(ONE)
        message = f"--recordings {path}: another run is adding to it; wait for it"
        with pytest.raises(ConfigError) as caught:
            add(path, TWO)
        assert message in str(caught.value)
        program = (
            "import sys; from pathlib import Path; from plusforge.oracle.linelog import LineLog\n"
            "LineLog(Path(sys.argv[1]), what='replies')"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
        )
        assert "another run is adding to it" in done.stderr
    add(path, TWO)
    assert path.read_text("utf-8") == ONE + TWO


def test_a_file_that_was_replaced_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer before puts a sorted file in the place of the one that is being opened."""
    path, new = tmp_path / "x.jsonl", tmp_path / "new"
    path.write_text(TWO)
    new.write_text(ONE)
    lock = linelog.fcntl.flock
    opened = []

    def replaced_meanwhile(fd: int, how: int) -> None:
        opened.append(fd)
        if len(opened) == 1:
            new.replace(path)
        elif len(opened) == 2:
            path.unlink()  # and one that had nothing to keep takes it away
        lock(fd, how)

    monkeypatch.setattr(linelog.fcntl, "flock", replaced_meanwhile)
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else None
    add(path, TWO)
    assert len(opened) == 3
    assert path.read_text("utf-8") == TWO
    if before is not None:
        assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("name", ["x.jsonl.gz", "."])
def test_what_lines_cannot_be_added_to_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="plain file"):
        add(tmp_path / name)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"replies cannot be kept .*with --recordings"):
        add(tmp_path / "file" / "x.jsonl")


def test_a_full_disk_leaves_half_a_line_that_the_next_run_takes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.jsonl"
    write, room = os.write, [5]

    def small_disk(fd: int, data: bytes) -> int:
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, bytes(data)[: room.pop()])

    add(path, ONE)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", small_disk)
        with pytest.raises(OutputError, match="No space left on device"):
            add(path, TWO)
    assert path.read_text("utf-8") == ONE + TWO[:5]
    add(path, TWO)
    assert path.read_text("utf-8") == ONE + TWO


def _write_or_wait(path: str, number: int) -> None:
    for line in range(20):
        while True:
            try:
                add(Path(path), json.dumps([number, line]) + "\n")
            except ConfigError:
                continue
            break


def test_processes_that_take_turns_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_or_wait, args=(str(path), n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert sorted(found) == [[n, line] for n in range(3) for line in range(20)]
