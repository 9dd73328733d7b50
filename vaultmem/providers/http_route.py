"""The connection to a model's endpoint: straight to the host the user named, or by the proxy their environment names.

HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY are read as other programs read them. What the system's own settings say
is not: only what a person set for this program sends text another way. This machine is never reached by a proxy.
"""

from __future__ import annotations

import base64
import http.client
import os
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from vaultmem.errors import EndpointTrouble

#: Seconds a host may take to be reached at all.
CONNECT_SECONDS = 10.0
_HERE = ("localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A connection that is not open yet, and how to ask on it."""

    connection: http.client.HTTPConnection
    #: what stands in the request's first line
    target: str
    #: for the proxy
    headers: dict[str, str] = field(default_factory=dict)


def route_to(url: str, seconds: float) -> Route:
    """How to reach this URL. Raises EndpointTrouble when the environment's proxy cannot be understood."""
    parts = urlsplit(url)
    host, timeout = parts.hostname or "", min(seconds, CONNECT_SECONDS)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    proxy = _proxy_for(parts)
    if proxy is None:
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return Route(connection=kind(host, parts.port, timeout=timeout), target=path)
    headers = _credentials(proxy)
    if parts.scheme == "http":
        connection = http.client.HTTPConnection(proxy.hostname or "", proxy.port or 80, timeout=timeout)
        return Route(connection=connection, target=f"http://{parts.netloc}{path}", headers=headers)
    tunnelled = http.client.HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=timeout)
    tunnelled.set_tunnel(host, parts.port or 443, headers)
    return Route(connection=tunnelled, target=path)


def _proxy_for(parts: SplitResult) -> SplitResult | None:
    host = parts.hostname or ""
    if host in _HERE or host.startswith("127.") or not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

    named = getproxies_environment()
    address = named.get(parts.scheme) or named.get("all") or ""
    if not address or proxy_bypass_environment(parts.netloc.rpartition("@")[2], named):
        return None
    try:
        proxy = urlsplit(address if "://" in address else f"http://{address}")
        usable = proxy.scheme == "http" and proxy.hostname and proxy.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise EndpointTrouble("the proxy that the environment names is no http://host:port")
    return proxy


def _credentials(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair).decode()}"}
