"""An agentmemory service for tests: a real HTTP server in a process of its own that speaks the REST API's part we use.

python tests/fake_agentmemory.py MODE SECRET  prints its port. Modes: `ok`, `old` (knows no pages), `stall`, `500`,
`huge`, `garbage`, `refuses` (says success: false). Like the service itself it marks a memory as out of date when a new
one is worded alike.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

SECRET = "shared" + "-word"


class FakeAgentMemory:
    """The running server, as a test sees it."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def remember(self, **body: object) -> Any:
        """What another agent does."""
        headers = {"Authorization": f"Bearer {SECRET}"}
        asked = Request(f"{self.url}/agentmemory/remember", data=json.dumps(body).encode(), headers=headers)
        with urlopen(asked, timeout=5) as answer:
            return json.load(answer)

    def clear(self) -> None:
        """It holds nothing any more: several tests may share it."""
        for memory in self.memories():
            body = json.dumps({"memoryId": memory["id"]}).encode()
            asked = Request(f"{self.url}/agentmemory/forget", body, {"Authorization": f"Bearer {SECRET}"})
            urlopen(asked, timeout=5).close()

    def memories(self) -> list[dict[str, Any]]:
        """All it holds."""
        asked = Request(f"{self.url}/agentmemory/memories", headers={"Authorization": f"Bearer {SECRET}"})
        with urlopen(asked, timeout=5) as answer:
            found: list[dict[str, Any]] = json.load(answer)["memories"]
            return found

    def environ(self, key: str = SECRET) -> dict[str, str]:
        """What names this server as the user's home of facts."""
        found = {"BACKEND": "agentmemory", "URL": self.url, "KEY": key, "TIMEOUT": "3"}
        return {f"VAULTMEM_FACTS_{name}": value for name, value in found.items()}


@contextmanager
def serving(mode: str = "ok") -> Iterator[FakeAgentMemory]:
    """The server, from its start to its end."""
    process = subprocess.Popen([sys.executable, __file__, mode, SECRET], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield FakeAgentMemory(int(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


_LOCK = threading.Lock()
_HELD: list[dict[str, Any]] = []
_MODE = ""
_SECRET = ""


class _Serve(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Silent."""

    def do_GET(self) -> None:
        self.close_connection = True
        if self.turned_away():
            return
        parts = urlsplit(self.path)
        if parts.path != "/agentmemory/memories":
            self.send(404, {"error": "no such route"})
            return
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        with _LOCK:
            held = sorted(_HELD, key=lambda memory: memory["createdAt"], reverse=True)
        if _MODE == "old" or "limit" not in asked:
            self.send(200, {"memories": held})
            return
        start = int(asked.get("offset", 0))
        page = held[start : start + int(asked["limit"])]
        self.send(200, {"memories": page, "total": len(held), "offset": start, "limit": int(asked["limit"])})

    def do_POST(self) -> None:
        self.close_connection = True
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.turned_away():
            return
        if self.path == "/agentmemory/forget" and _MODE != "refuses":
            with _LOCK:
                gone = [memory for memory in _HELD if memory["id"] == body.get("memoryId")]
                _HELD[:] = [memory for memory in _HELD if memory not in gone]
            self.send(200, {"success": True, "deleted": len(gone)})
        elif self.path != "/agentmemory/remember":
            self.send(404, {"error": "no such route"})
        elif not str(body.get("content") or "").strip():
            self.send(400, {"error": "content is required"})
        elif _MODE == "refuses":
            self.send(201, {"success": False, "error": "the disk is full"})
        else:
            self.send(201, {"success": True, "memory": keep(body)})

    def turned_away(self) -> bool:
        if _MODE == "stall":
            time.sleep(30)
        if _MODE == "garbage":
            self.wfile.write(b"\x00\xff garbage\r\n\r\n")
        elif _MODE == "huge":
            self.send(200, {"memories": ["x" * 20_000_000]})
        elif _MODE == "500":
            self.send(500, {"error": f"trouble with {self.headers['Authorization']}"})
        elif self.headers["Authorization"] != f"Bearer {_SECRET}":
            self.send(401, {"error": "unauthorized"})
        else:
            return False
        return True

    def send(self, status: int, value: object) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def keep(body: Mapping[str, Any]) -> dict[str, Any]:
    with _LOCK:
        words = set(body["content"].lower().split())
        version, supersedes = 1, []
        for other in _HELD:
            theirs = set(other["content"].lower().split())
            alike = len(words & theirs) / max(1, len(words | theirs))
            if other["isLatest"] and other.get("project") == body.get("project") and alike > 0.7:
                other["isLatest"] = False
                version, supersedes = other["version"] + 1, [other["id"]]
                break
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        memory = {
            "id": f"mem_{len(_HELD):06d}", "createdAt": now, "updatedAt": now, "type": body.get("type", "fact"),
            "title": body["content"][:80], "content": body["content"], "concepts": body.get("concepts", []),
            "files": [], "sessionIds": [], "strength": 7, "version": version, "supersedes": supersedes,
            "isLatest": True, **({"project": body["project"]} if "project" in body else {}),
        }  # fmt: skip
        _HELD.append(memory)
        return memory


if __name__ == "__main__":
    _MODE, _SECRET = sys.argv[1:]
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Serve)
    print(server.server_port, flush=True)
    server.serve_forever()
