"""The log of verdicts survives whatever happens to its file, and fails with a remedy."""

import json
from pathlib import Path

import pytest
from plusforge.oracle.errors import OutputError
from plusforge.oracle.verdictlog import VerdictLog

PASS = json.dumps({"base": "pass", "plus": "pass", "first_failure": None})
WRONG = json.dumps({"base": "wrong", "plus": None, "first_failure": {"error": "é\n\r\u2028"}})
KEYS = {"a" * 64, "b" * 64, "c" * 64}
A, B, C = sorted(KEYS)


def written(path: Path, *entries: tuple[str, str]) -> None:
    log = VerdictLog(path)
    for entry in entries:
        log.add(*entry)
    log.close()


def kept(path: Path) -> dict[str, str]:
    log = VerdictLog(path)
    try:
        return log.read(KEYS)
    finally:
        log.close()


def test_what_was_added_is_read_in_a_later_run(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folders" / "x.log"
    written(path, (A, PASS), (B, WRONG))
    assert kept(path) == {A: PASS, B: WRONG}
    written(path, (C, PASS))
    assert kept(path) == {A: PASS, B: WRONG, C: PASS}


def test_only_wanted_keys_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    written(path, (A, PASS), ("d" * 64, PASS))
    log = VerdictLog(path)
    assert log.read({A}) == {A: PASS}
    assert log.read(set()) == {}
    log.close()


def test_every_way_of_cutting_short_costs_one_entry_at_most(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    written(path, (A, PASS), (B, WRONG))
    whole = path.read_bytes()
    end_of_first = whole.index(b"\n") + 1
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        left = kept(path)
        # A line that lacks only its line end is whole.
        sure = {A} if length >= end_of_first - 1 else set()
        sure |= {B} if length >= len(whole) - 1 else set()
        assert set(left) == sure, length
        written(path, (C, PASS))  # and what is added next does not grow onto the stump
        assert kept(path) == {**left, C: PASS}, length


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\x00" * 50,
        b"\xff\xfe garbage \x80",
        A.encode(),
        A.encode() + b" ",
        A.encode() + b" seven {}",
        A.encode() + b" [1]",
        A.encode() + b' "text"',
        A.encode() + b" {",
        A.encode() + b" " + PASS.encode() + b"}",
        b" " + PASS.encode(),
    ],
)
def test_damaged_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(line + b"\n")
    written(path, (B, PASS))
    assert kept(path) == {B: PASS}


def test_no_changed_byte_changes_a_verdict(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    written(path, (A, PASS), (B, WRONG))
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert {A: PASS, B: WRONG}.items() >= kept(path).items(), place


def test_the_last_entry_of_a_key_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    written(path, (A, PASS), (A, WRONG))
    assert kept(path) == {A: WRONG}


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    one, two = VerdictLog(path), VerdictLog(path)
    one.add(A, PASS)
    two.add(B, WRONG)
    one.add(C, PASS)
    assert one.read(KEYS) == two.read(KEYS) == {A: PASS, B: WRONG, C: PASS}
    one.close()
    two.close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"verdicts cannot be kept \(.*\).*XDG_CACHE_HOME.*--no-"):
        VerdictLog(tmp_path / "file" / "x.log")
    with pytest.raises(OutputError, match="verdicts cannot be kept"):
        VerdictLog(tmp_path)


def test_a_full_disk(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full, which only Linux has")
    path = tmp_path / "x.log"
    path.symlink_to("/dev/full")
    log = VerdictLog(path)
    with pytest.raises(OutputError, match=r"cannot be kept \(No space left on device\)"):
        log.add(A, PASS)
    log.close()
