"""The Model Context Protocol over HTTP (streamable HTTP, answers as JSON), for programs of this computer alone.

Bound to 127.0.0.1. Whoever asks must know the token; a page in a browser can neither learn it nor pass the checks of
Host and Origin, whatever name it gave this computer. One vault and one thread of calls serve all clients.
"""

from __future__ import annotations

import hmac
import json
import queue
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from vaultmem.errors import CannotServe
from vaultmem.surfaces.mcp import PROTOCOLS, Json, Session, encoded
from vaultmem.surfaces.mcp_tool import Access
from vaultmem.surfaces.mcp_tools import Toolbox

PATH = "/mcp"
ADDRESS = "127.0.0.1"
PORT = 7391
#: Bytes of a request's body: a long text to keep fits; more is refused before it is read.
MOST_BYTES = 4 << 20
#: Clients remembered; the one that was silent longest is forgotten and begins anew.
_MOST_SESSIONS = 64
#: Seconds an answer may take: a model that the user named may be slow.
_PATIENCE = 600
#: Connections at once, and seconds after which a silent one is closed.
_CONNECTIONS, _SILENCE = 100, 15
_THREADS = 16

Environ = Mapping[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP response."""

    status: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def refusal(environ: Environ, *, token: str, port: int) -> Answer | None:
    """Why this request is not let in; None when it is."""
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    if environ.get("HTTP_HOST", "").lower() not in hosts:
        return _said("403 Forbidden", "Host must be this computer: 127.0.0.1 or localhost, with the port")
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and origin.lower() not in {f"http://{host}" for host in hosts}:
        return _said("403 Forbidden", "requests of web pages are refused")
    scheme, _, given = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), token.encode()):
        answer = _said("401 Unauthorized", "send 'Authorization: Bearer <token>'; 'vaultmem serve' shows the token")
        return Answer(status=answer.status, body=answer.body, headers=(("WWW-Authenticate", "Bearer"),))
    if environ.get("PATH_INFO") != PATH:
        return _said("404 Not Found", f"there is {PATH}, and nothing else")
    version = environ.get("HTTP_MCP_PROTOCOL_VERSION", PROTOCOLS[-1])
    if version not in PROTOCOLS:
        return _said("400 Bad Request", f"MCP-Protocol-Version is one of {', '.join(PROTOCOLS)}")
    return None


class Door:
    """The WSGI application: clients by the id they were given."""

    def __init__(self, session: Callable[[], Session], token: str) -> None:
        self._make = session
        self._token = token
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()
        #: where it listens; known once the socket is open
        self.port = 0

    def __call__(self, environ: Environ, start: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        answer = refusal(environ, token=self._token, port=self.port) or self._taken(environ)
        length = ("Content-Length", str(len(answer.body)))
        kind = ("Content-Type", "application/json")
        start(answer.status, [kind, length, ("Cache-Control", "no-store"), *answer.headers])
        return [answer.body]

    def _taken(self, environ: Environ) -> Answer:
        method = environ["REQUEST_METHOD"]
        if method == "DELETE":
            with self._lock:
                known = self._sessions.pop(environ.get("HTTP_MCP_SESSION_ID", ""), None)
            return _said("200 OK", "ended") if known else _said("404 Not Found", "no such session")
        if method != "POST":
            answer = _said("405 Method Not Allowed", "POST messages here")
            return Answer(status=answer.status, body=answer.body, headers=(("Allow", "POST, DELETE"),))
        if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
            return _said("415 Unsupported Media Type", "Content-Type must be application/json")
        return self._posted(environ["wsgi.input"].read(MOST_BYTES + 1), environ.get("HTTP_MCP_SESSION_ID", ""))

    def _posted(self, body: bytes, identity: str) -> Answer:
        headers: tuple[tuple[str, str], ...] = ()
        if _begins(body):
            session, identity = self._make(), secrets.token_urlsafe(24)
            self._keep(identity, session)
            headers = (("Mcp-Session-Id", identity),)
        else:
            found = self._known(identity)
            if found is None:
                status = "404 Not Found" if identity else "400 Bad Request"
                return _said(status, "no such session: send 'initialize' first")
            session = found
        answers: queue.SimpleQueue[Json | Sequence[Json]] = queue.SimpleQueue()
        if not session.take(body, answers.put):
            return Answer(status="202 Accepted", headers=headers)
        try:
            return Answer(status="200 OK", body=encoded(answers.get(timeout=_PATIENCE)), headers=headers)
        except queue.Empty:
            return _said("504 Gateway Timeout", f"no answer within {_PATIENCE} s")

    def _keep(self, identity: str, session: Session) -> None:
        with self._lock:
            self._sessions[identity] = session
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)

    def _known(self, identity: str) -> Session | None:
        with self._lock:
            if identity in self._sessions:
                self._sessions.move_to_end(identity)
            return self._sessions.get(identity)


def _begins(body: bytes) -> bool:
    """Whether this is the first message of a client."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def _said(status: str, text: str) -> Answer:
    return Answer(status=status, body=json.dumps({"error": text}).encode("ascii"))


class Server(Protocol):
    """A socket that is open."""

    effective_port: int

    def run(self) -> None:
        """Answer until stopped."""
        ...


def listening(named: str | None, access: Access, *, token: str, port: int) -> Server:
    """A server whose socket is open. Raises CannotServe, NoVault.

    `port`: 0 takes a free one.
    """
    from waitress import create_server

    from vaultmem.surfaces.mcp_vault import VaultDoor

    calls = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tools")
    vault = VaultDoor(named, access.sources)
    door = Door(lambda: Session(calls, lambda: Toolbox(lambda: vault, access), access), token)
    try:
        server: Server = create_server(
            door,
            host=ADDRESS,
            port=port,
            threads=_THREADS,
            connection_limit=_CONNECTIONS,
            channel_timeout=_SILENCE,
            cleanup_interval=5,
            max_request_body_size=MOST_BYTES,
            max_request_header_size=16 << 10,
            ident="vaultmem",
        )
    except OSError as problem:
        raise CannotServe(ADDRESS, port, problem.strerror or str(problem)) from None
    door.port = int(server.effective_port)
    return server
