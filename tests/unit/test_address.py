"""Addresses: only those of web servers, and nothing secret of them is shown."""

import pytest
from plusforge.generator.address import check_url, is_loopback, proxies_in_force, shown_url
from plusforge.oracle.errors import ConfigError


def test_a_slash_at_the_end_makes_no_difference() -> None:
    assert check_url("http://127.0.0.1:8000/v1/") == "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://host/v1", "http://", "http://host:port/v1", "http://[::1"]
)
def test_what_is_no_address_of_a_web_server(url: str) -> None:
    with pytest.raises(ConfigError, match="expected an address such as"):
        check_url(url)


def test_a_password_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError) as caught:
        check_url("https://me:hunter2@host/v1")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://host:8/v1", "https://host:8/v1"),
        ("https://me:hunter2@host/v1?key=hunter2#hunter2", "https://host/v1"),
        ("http://[::1", "an address that cannot be read"),
    ],
)
def test_what_is_shown(url: str, shown: str) -> None:
    assert shown_url(url) == shown


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("[::1]", True),
        ("localhost", True),
        ("a.localhost", True),
        ("localhost.example.com", False),
        ("10.0.0.1", False),
    ],
)
def test_this_machine(host: str, *, here: bool) -> None:
    assert is_loopback(f"http://{host}:80/v1") is here


@pytest.mark.parametrize(
    ("url", "named"),
    [("https://host/v1", True), ("http://host/v1", False), ("https://127.0.0.1/v1", False),
     ("https://free.example/v1", False)],
)  # fmt: skip
def test_a_proxy_is_named_but_not_shown(
    url: str, monkeypatch: pytest.MonkeyPatch, *, named: bool
) -> None:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://me:hunter2@proxy")
    monkeypatch.setenv("no_proxy", "free.example")
    remark = proxies_in_force(url)
    assert ("https_proxy" in remark) is named
    assert "hunter2" not in remark
