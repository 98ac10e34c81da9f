"""Files are read with line numbers and written whole."""

import gzip
import json
from pathlib import Path

import pytest
from plusforge.oracle.errors import DataError, OutputError
from plusforge.oracle.files import (
    content_sha256,
    parse_json,
    read_bytes,
    read_jsonl,
    read_text,
    sha256_hex,
)
from plusforge.oracle.writing import (
    gzip_bytes,
    write_bytes,
)

RECORDS = [{"b": [1, 2.5], "a": "é\ud800\u2028"}, {"n": None}]


def test_jsonl_round_trip_plain_and_gzipped(tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.jsonl", tmp_path / "x.jsonl.gz"
    text = "\n".join(map(json.dumps, RECORDS))
    plain.write_bytes(text.encode())
    packed.write_bytes(gzip_bytes(text.encode()))
    assert list(read_jsonl(plain)) == list(read_jsonl(packed)) == [(1, RECORDS[0]), (2, RECORDS[1])]
    assert content_sha256(plain) == content_sha256(packed) == sha256_hex(read_bytes(packed))


def test_gzip_is_a_function_of_the_content() -> None:
    data = b"the same bytes" * 50
    packed = gzip_bytes(data)
    assert packed == gzip_bytes(data)
    assert packed[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    assert gzip.decompress(packed) == data


@pytest.mark.parametrize("keep", [5, 30, -9, -1])
def test_a_truncated_gzip_names_the_file(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip_bytes(json.dumps(list(range(100))).encode())[:keep])
    with pytest.raises(DataError, match=r"cut\.jsonl\.gz: broken gzip data"):
        read_bytes(path)


def test_damage_inside_a_gzip_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    data = bytearray(gzip_bytes(b"abcdefgh" * 20))
    data[-6] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(DataError, match="broken gzip data"):
        read_bytes(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}\n\n{"a": \n', r"x\.jsonl:3: not JSON"),
        ('{"a": 1}\n[1]\n', r"x\.jsonl:2: got list, expected one JSON object"),
        ("[" * 200_000, r"x\.jsonl:1: JSON that cannot be held"),
        ("1" * 5_000, r"x\.jsonl:1: JSON that cannot be held"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_jsonl(path))


def test_bad_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(DataError, match=r"x\.txt:2: not UTF-8"):
        read_text(path)


def test_a_json_document_error_names_its_own_line() -> None:
    with pytest.raises(DataError, match=r"x\.json:3: not JSON"):
        parse_json("[1,\n2,\n,]", "x.json")


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(path) == "a\nb\nc\n"


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_bytes(tmp_path / "nowhere")


def test_a_write_leaves_nothing_else_behind(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "x.json"
    write_bytes(path, b"one and more")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in path.parent.iterdir()] == ["x.json"]
    assert path.stat().st_mode & 0o400


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    write_bytes(path, b"old")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match=r"No space left on device.*free some space"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_folder_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(OutputError, match="cannot be written"):
        write_bytes(tmp_path / "x", b"data")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_bytes(tmp_path / "file" / "x", b"data")
