"""Heads of suites in the cache: what was kept comes back, and nothing else does."""

from pathlib import Path

import pytest
from plusforge.oracle import suiteheads
from plusforge.oracle.suiteheads import Head, keep_heads, kept_heads

HEADS = [
    Head(1, "toy/a", "é\u2028\x00", ["full"], tiered=False),
    Head(3, "toy/b", "", [], tiered=True),
]
DIGEST = "d" * 64


def file_in(folder: Path) -> Path:
    (path,) = (folder / "suites").iterdir()
    return path


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    keep_heads(tmp_path, DIGEST, HEADS)
    assert kept_heads(tmp_path, DIGEST, 3) == HEADS
    keep_heads(tmp_path, DIGEST, [])
    assert kept_heads(tmp_path, DIGEST, 3) == []


def test_another_suite_and_another_version_have_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_heads(tmp_path, DIGEST, HEADS)
    assert kept_heads(tmp_path, "e" * 64, 3) is None
    monkeypatch.setattr(suiteheads, "VERSION", "0.0.0")
    assert kept_heads(tmp_path, DIGEST, 3) is None


def test_a_line_that_the_suite_has_not(tmp_path: Path) -> None:
    keep_heads(tmp_path, DIGEST, HEADS)
    assert kept_heads(tmp_path, DIGEST, 2) is None
    keep_heads(tmp_path, DIGEST, [Head(0, "toy/a", "", [], tiered=False)])
    assert kept_heads(tmp_path, DIGEST, 3) is None


def test_any_damage_is_noticed(tmp_path: Path) -> None:
    keep_heads(tmp_path, DIGEST, HEADS)
    path = file_in(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert kept_heads(tmp_path, DIGEST, 3) is None, length
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert kept_heads(tmp_path, DIGEST, 3) is None, place


@pytest.mark.parametrize("body", ["[[1]]", "7", '{"a": 1}', "[[1, 2, 3, 4, 5]]", "[null]"])
def test_a_file_of_another_shape(tmp_path: Path, body: str) -> None:
    keep_heads(tmp_path, DIGEST, HEADS)
    file_in(tmp_path).write_text(f"{suiteheads.sha256_hex(body)}\n{body}", encoding="utf-8")
    assert kept_heads(tmp_path, DIGEST, 3) is None


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "suites").write_text("in the way")
    keep_heads(tmp_path, DIGEST, HEADS)
    assert kept_heads(tmp_path, DIGEST, 3) is None
