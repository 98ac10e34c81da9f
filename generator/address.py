"""Addresses of servers: what is one, what of it may be shown, what proxy stands before it."""

from __future__ import annotations

import ipaddress
import urllib.parse
import urllib.request

from plusforge.oracle.errors import ConfigError


def check_url(url: str) -> str:
    """Return an address without a slash at its end.

    Raises:
        ConfigError: It is none of a web server, or holds a password or a query.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        sound = False
    if not sound:
        raise ConfigError(
            f"--base-url {url!r:.80}: expected an address such as http://127.0.0.1:8000/v1"
        )
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"--base-url {shown_url(url)}: holds a user or password; set OPENAI_API_KEY instead"
        )
    if parts.query or parts.fragment:
        raise ConfigError(
            f"--base-url {shown_url(url)}: holds more behind its path (? or #), which no request "
            "can carry on; leave it out"
        )
    return url.rstrip("/")


def shown_url(url: str) -> str:
    """Return what of an address may stand in messages: no user, password, query or fragment."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "an address that cannot be read"
    return urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", ""))


def is_loopback(url: str) -> bool:
    """Tell whether an address is on this machine."""
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def proxies_in_force(url: str) -> str:
    """Return a remark on the proxies that the environment sets, or nothing."""
    parts = urllib.parse.urlsplit(url)
    proxies = urllib.request.getproxies_environment()
    names = [f"{kind}_proxy" for kind in (parts.scheme, "all") if kind in proxies]
    host = parts.hostname or ""
    if is_loopback(url) or not names or urllib.request.proxy_bypass(host):
        return ""
    return f" The environment sets {' and '.join(names)}; no_proxy={host} goes without"
