"""Downloads are checked by content before they appear under their name."""

import dataclasses
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from plusforge.generator import fetch as fetching
from plusforge.generator.fetch import SOURCES, fetch
from plusforge.oracle.benchmarks import FILES
from plusforge.oracle.errors import ConfigError, DataError, EnvironmentFault, OutputError
from plusforge.oracle.files import read_bytes, sha256_hex
from plusforge.oracle.writing import gzip_bytes

CONTENT = b'{"task_id": "HumanEval/0"}\n'


class Handler(BaseHTTPRequestHandler):
    """Serves one file, plain, packed, broken or not at all, by the first part of the path."""

    def do_GET(self) -> None:
        mode = self.path.strip("/").partition("/")[0]
        body = {"packed": gzip_bytes(CONTENT), "cut": gzip_bytes(CONTENT)[:-3]}.get(mode, CONTENT)
        if mode == "other":
            body = b"something else"
        self.send_response(404 if mode == "absent" else 200)
        announced = len(body) + (10 if mode == "short" else 0)
        self.send_header("Content-Length", str(announced))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    pinned = dataclasses.replace(SOURCES["humaneval"], sha256=sha256_hex(CONTENT))
    monkeypatch.setitem(SOURCES, "humaneval", pinned)


def test_a_packed_file(server: str, tmp_path: Path) -> None:
    path = fetch("humaneval", tmp_path / "new", base_url=f"{server}/packed/")
    assert path == tmp_path / "new" / "HumanEval.jsonl.gz"
    assert read_bytes(path) == CONTENT


def test_a_mirror_may_serve_it_unpacked(server: str, tmp_path: Path) -> None:
    path = fetch("humaneval", tmp_path, base_url=f"{server}/plain")
    assert path == tmp_path / "HumanEval.jsonl"
    assert path.read_bytes() == CONTENT


def test_the_cache_is_the_default_place(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = fetch("humaneval", base_url=f"{server}/packed")
    assert path == tmp_path / "plusforge" / "HumanEval.jsonl.gz"


def test_what_is_there_is_checked_and_not_fetched_again(tmp_path: Path) -> None:
    path = tmp_path / "HumanEval.jsonl"
    path.write_bytes(CONTENT)
    assert fetch("humaneval", tmp_path, base_url="http://127.0.0.1:9/nowhere") == path
    path.write_bytes(b"altered")
    with pytest.raises(DataError, match="move the file away"):
        fetch("humaneval", tmp_path)
    assert path.read_bytes() == b"altered"


@pytest.mark.parametrize(
    ("mode", "error", "message"),
    [
        ("other", DataError, "expected .*nothing was kept"),
        ("cut", DataError, "broken gzip data"),
        ("absent", EnvironmentFault, "the server answered 404"),
        ("short", EnvironmentFault, "try again|cannot be downloaded"),
    ],
)
def test_nothing_is_kept_of_a_bad_download(
    server: str, tmp_path: Path, mode: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fetch("humaneval", tmp_path, base_url=f"{server}/{mode}")
    assert list(tmp_path.iterdir()) == []


def test_an_endless_body_is_given_up(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "MAX_BYTES", 5)
    with pytest.raises(DataError, match="longer than 5 bytes"):
        fetch("humaneval", tmp_path, base_url=f"{server}/plain")


def test_no_server(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match=r"cannot be downloaded .*--data"):
        fetch("humaneval", tmp_path, base_url="http://127.0.0.1:9")


def test_an_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to fetch for 'starter'; known: humaneval"):
        fetch("starter", tmp_path)


def test_every_upstream_name_has_a_source() -> None:
    assert SOURCES.keys() == FILES.keys()
    assert all(len(source.sha256) == 64 for source in SOURCES.values())
    assert all(source.url.startswith("https://") for source in SOURCES.values())


def test_a_folder_that_cannot_be_written_is_named_with_the_option(server: str) -> None:
    with pytest.raises(
        OutputError, match=r"cannot be written .*; choose another folder with --data"
    ):
        fetch("humaneval", Path("/proc/self/new"), base_url=f"{server}/plain/")
