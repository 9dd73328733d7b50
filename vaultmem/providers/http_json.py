"""JSON over HTTP to a model's endpoint: one request, one bounded answer, within a time that holds whatever happens.

No redirect, and no proxy but one that the user's environment names: what is sent goes to the host the user named and to
no other. The exchange runs in a thread of its own, because neither a name lookup nor a server that drips a byte a
second can be hurried in any other way.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from urllib.parse import urlsplit

from vaultmem.errors import EndpointTrouble
from vaultmem.providers.http_route import route_to

#: An answer may have so many bytes: 64 vectors of 8,192 numbers as text, and more than any model writes.
MOST_BYTES = 32_000_000
_TOLD_CHARACTERS = 200
#: Where servers say what is wrong.
_TOLD_BY = ("error", "message", "detail")
_LONGEST_PAUSE = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """What is sent, and where."""

    method: str
    url: str
    body: bytes
    headers: Mapping[str, str]
    most_bytes: int


def post_json(url: str, body: object, *, key: str = "", seconds: float, most_bytes: int = MOST_BYTES) -> object:
    """The parsed answer to a POST. `seconds` bounds the whole exchange. Raises EndpointTrouble."""
    sent = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")  # a lone surrogate must not stop a batch
    headers = {"Content-Type": "application/json", **_headers(key)}
    return _exchange(_Request(method="POST", url=url, body=sent, headers=headers, most_bytes=most_bytes), key, seconds)


def get_json(url: str, *, key: str = "", seconds: float, most_bytes: int = MOST_BYTES) -> object:
    """The parsed answer to a GET. `seconds` bounds the whole exchange. Raises EndpointTrouble."""
    request = _Request(method="GET", url=url, body=b"", headers=_headers(key), most_bytes=most_bytes)
    return _exchange(request, key, seconds)


def endpoint_url(base: str, route: str) -> str:
    """The URL of an OpenAI-compatible route, whichever part of it the user wrote: host, `/v1`, or all of it."""
    base = base.rstrip("/")
    if base.endswith(f"/{route}"):
        return base
    return f"{base}/{route}" if urlsplit(base).path else f"{base}/v1/{route}"


def _headers(key: str) -> dict[str, str]:
    return {"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}


def _exchange(request: _Request, key: str, seconds: float) -> object:
    """Raises EndpointTrouble, in which the key is never told."""
    talk = _Talk(request, key, seconds)
    Thread(target=talk.run, name="vaultmem-http", daemon=True).start()
    if not talk.ended.wait(seconds):
        talk.abandon()
        raise EndpointTrouble(_too_late(seconds))
    if isinstance(talk.found, EndpointTrouble):
        raise talk.found
    return talk.found


class _Talk:
    """One exchange; `found` is the answer or the trouble once `ended` is set."""

    def __init__(self, request: _Request, key: str, seconds: float) -> None:
        self._route = route_to(request.url, seconds)
        self._connection = self._route.connection
        self._seconds = seconds
        #: how long the step under way may take: connecting has less than the whole
        self._patience = self._connection.timeout or seconds
        self._request = request
        self._key = key
        self.ended = Event()
        self.found: object = None

    def run(self) -> None:
        """Send, read, parse."""
        try:
            self.found = self._answer()
        except EndpointTrouble as trouble:
            self.found = trouble
        except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
            self.found = EndpointTrouble(_cause(error, self._patience))
        finally:
            self._connection.close()
            self.ended.set()

    def abandon(self) -> None:
        """Let the thread end soon: nobody waits for it any more."""
        with suppress(OSError, AttributeError):  # not connected yet, or closed meanwhile
            self._connection.sock.shutdown(socket.SHUT_RDWR)

    def _answer(self) -> object:
        request = self._request
        self._connection.connect()
        self._patience = self._seconds
        self._connection.sock.settimeout(self._patience)
        headers = {**request.headers, **self._route.headers}
        self._connection.request(request.method, self._route.target, body=request.body or None, headers=headers)
        response = self._connection.getresponse()
        content = response.read(request.most_bytes + 1)
        if len(content) > request.most_bytes:
            raise EndpointTrouble(f"the endpoint's answer is larger than {request.most_bytes / 1e6:.3g} MB")
        if (response.length or 0) > 0:  # a bounded read does not tell of an end that came too early
            raise EndpointTrouble("the endpoint's answer broke off")
        if response.status // 100 != 2:
            raise EndpointTrouble(
                f"the endpoint answered {response.status}",
                told=_told(content, self._key),
                status=response.status,
                pause=_pause(response.headers.get("Retry-After", "")),
            )
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise EndpointTrouble("the endpoint's answer is no JSON", status=response.status) from None


def _too_late(seconds: float) -> str:
    """The one word for it, whether the socket or the waiter notices first: both wait equally long."""
    return f"the endpoint did not answer within {seconds:.3g} s"


def _cause(error: BaseException, seconds: float) -> str:
    """What went wrong on the way, in a few words. `seconds`: what the step was given."""
    if isinstance(error, ConnectionRefusedError):
        return "the endpoint refused the connection"
    if isinstance(error, TimeoutError):
        return _too_late(seconds)
    if isinstance(error, socket.gaierror):
        return "the endpoint's host is not known"
    if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected | ConnectionResetError):
        return "the endpoint's answer broke off"
    if isinstance(error, OSError):
        return f"the endpoint cannot be reached ({error.strerror or type(error).__name__})"
    return f"the endpoint's answer cannot be read ({type(error).__name__})"


def _told(content: bytes, key: str) -> str:
    """What the server itself says of its refusal: on one line, short, and never the key it may repeat."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    error = next((value[name] for name in _TOLD_BY if name in value), "") if isinstance(value, dict) else ""
    text = error.get("message", "") if isinstance(error, dict) else error
    if not isinstance(text, str):
        return ""
    return " ".join((text.replace(key, "[key]") if key else text).split())[:_TOLD_CHARACTERS]


def _pause(text: str) -> float:
    """Seconds the server asks to be left alone; 0 when it does not say, or as a date."""
    return min(float(text), _LONGEST_PAUSE) if text.strip().isdecimal() else 0.0
