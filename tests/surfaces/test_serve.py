"""The HTTP door as programs of this computer see it, and as attackers try it."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.test_mcp import HELLO, NOTE, environment
from tests.vaults import REPO, Box


@dataclass
class Server:
    port: int
    token: str

    def ask(
        self, body: object, *, method: str = "POST", path: str = "/mcp", session: str = "", **headers: str | None
    ) -> tuple[int, Mapping[str, str], Any]:
        """Status, headers and decoded body. A header given as None is left out; `_` stands for `-`."""
        sent: dict[str, str | None] = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Mcp-Session-Id": session or None,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.putrequest(method, path, skip_host="Host" in sent)
            for name, value in {**sent, "Content-Length": str(len(data))}.items():
                if value is not None:
                    line.putheader(name, value)
            line.endheaders(data)
            answer = line.getresponse()
            text = answer.read()
            return answer.status, dict(answer.getheaders()), json.loads(text) if text.startswith((b"{", b"[")) else text
        finally:
            line.close()

    def begin(self) -> str:
        status, headers, _ = self.ask({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        assert status == 200
        return headers["Mcp-Session-Id"]

    def call(self, session: str, tool: str, **arguments: object) -> Any:
        params = {"name": tool, "arguments": arguments}
        _, _, answer = self.ask({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}, session=session)
        return answer.get("result", answer)


@contextmanager
def serving(box: Box, folder: Path, *options: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "serve", "--port", "0", "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment(box, folder), cwd=REPO) as process:
        try:
            assert process.stdout
            text = ""
            while not text.endswith("}\n"):
                text += process.stdout.readline().decode()
            told = json.loads(text)
            yield Server(port=int(told["url"].split(":")[2].split("/")[0]), token=told["token"])
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("serve"))
    made.write("Lens.md", NOTE)
    made.write(
        "WhatsApp Chat with Crew.txt",
        "12/03/2026, 10:00 - Ann: The lens was cleaned on Friday.\n12/03/2026, 10:01 - Bo: It shines again.\n",
    )
    made.sync()
    return made


@pytest.fixture(scope="module")
def server(box: Box, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(box, tmp_path_factory.mktemp("serving")) as found:
        yield found


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (401, {"Authorization": None}),
        (401, {"Authorization": "Bearer wrong"}),
        (401, {"Authorization": "Basic dXNlcjpwdw=="}),
        (401, {"Authorization": "Bearer \xff"}),
        (403, {"Host": "evil.example"}),
        (403, {"Host": "evil.example:7391"}),
        (403, {"Host": "127.0.0.1.evil.example"}),
        (403, {"Host": "127.0.0.1"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (403, {"Origin": "https://127.0.0.1"}),
        (415, {"Content_Type": "text/plain"}),
        (415, {"Content_Type": None}),
        (400, {"MCP_Protocol_Version": "1999-01-01"}),
        (400, {}),
        (404, {"Mcp_Session_Id": "made-up"}),
    ],
)
def test_who_is_not_let_in(server: Server, status: int, headers: dict[str, str | None]) -> None:
    got, _, body = server.ask(PING, **headers)
    assert got == status
    assert "error" in body
    assert server.token not in json.dumps(body)


def test_a_web_page_gets_no_leave_to_ask(server: Server) -> None:
    status, headers, _ = server.ask(
        b"", method="OPTIONS", Authorization=None, Origin="http://evil.example", Access_Control_Request_Method="POST"
    )
    assert status == 403
    assert not any(name.lower().startswith("access-control-allow") for name in headers)


def test_other_paths_and_methods(server: Server) -> None:
    for path in ("/", "/mcp/", "/mcp/..", "/../mcp", "/%2e%2e/mcp", "/mcp%00", "/.vaultmem/config.yaml"):
        assert server.ask(PING, path=path)[0] in (400, 404), path
    for method in ("GET", "PUT", "PATCH"):
        status, headers, _ = server.ask(b"", method=method)
        assert (status, headers["Allow"]) == (405, "POST, DELETE")


def test_large_bodies_are_refused_before_they_are_read(server: Server) -> None:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    with line:
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {10 << 20}\r\n\r\n"
        )
        line.sendall(head.encode())
        assert line.recv(200).startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(f"POST /mcp HTTP/1.1\r\nHost: x\r\nX: {'y' * 20_000}\r\n\r\n".encode())
        assert line.recv(200).split()[1] == b"431"


def test_slow_and_broken_clients_hold_nobody_up(server: Server) -> None:
    slow = []
    for _ in range(40):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        line.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127")
        slow.append(line)
    session = server.begin()
    started = time.monotonic()
    assert server.ask(PING, session=session)[2]["result"] == {}
    assert time.monotonic() - started < 5
    for line in slow:
        line.close()
    assert server.ask(b"{", session=session)[2]["error"]["code"] == -32700
    assert server.ask(b"[" * 100_000, session=session)[2]["error"]["code"] == -32700
    assert server.ask(b"", session=session)[0] == 202
    status, _, body = server.ask({"jsonrpc": "2.0", "method": "notifications/initialized"}, session=session)
    assert (status, body) == (202, b"")


def test_paths_outside_memory_cannot_be_read(server: Server, box: Box) -> None:
    session = server.begin()
    (box.root / "Diary.md").write_text("nobody's business")
    for path in (
        "../data/secret.md",
        "wiki/../../data/x.md",
        "wiki/../.vaultmem/config.yaml",
        ".vaultmem/config.yaml",
        "Diary.md",
        "/etc/passwd",
        "wiki/%2e%2e/Diary.md",
        "wiki/..%2fDiary.md",
        "wiki/nothing.md",
        "wiki/a\0b.md",
        "",
    ):
        body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": f"vaultmem://note/{path}"}}
        answer = server.ask(body, session=session)[2]
        assert answer["error"]["code"] == -32002, path
        assert "nobody" not in json.dumps(answer)


def test_files_are_taken_in_from_the_vault_alone(server: Server, box: Box, tmp_path: Path) -> None:
    session = server.begin()
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    (box.root / "Link.txt").symlink_to(secret)
    (box.root / "Plan.md").write_text("# Plan\n\nThe harbour is dredged in autumn.\n")
    outside = ("/etc/passwd", str(secret), "../secret.txt", f"{box.root}/../data", f"{box.root}/Link.txt", "~", "a\0b",
               "\ud800", "/nowhere")  # fmt: skip
    for path in outside:
        told = server.call(session, "memory_ingest", path=path)
        assert told["isError"], path
        assert "a file inside the vault" in told["content"][0]["text"]
    assert "nobody" not in json.dumps(server.call(session, "memory_search", query="nobody's business"))
    assert not server.call(session, "memory_ingest", path=f"{box.root}/Plan.md")["isError"]
    assert "dredged" in json.dumps(server.call(session, "memory_search", query="when is the harbour dredged"))


def test_a_session_ends_when_its_client_says_so(server: Server) -> None:
    session = server.begin()
    assert server.ask(b"", method="DELETE", session=session)[0] == 200
    assert server.ask(PING, session=session)[0] == 404
    assert server.ask(b"", method="DELETE", session=session)[0] == 404


def test_many_clients_at_once_each_get_their_own_answers(server: Server) -> None:
    def ask(number: int) -> bool:
        session = server.begin()
        found = server.call(session, "memory_search", query="how heavy is the lens?", k=1 + number % 2)
        return "380 kg" in found["structuredContent"]["hits"][0]["content"]

    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(ask, range(30)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_official_client_over_http(server: Server) -> None:
    anyio = pytest.importorskip("anyio")
    pytest.importorskip("mcp", reason="the official SDK is a development dependency")
    from mcp import ClientSession
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

    async def talk() -> tuple[list[str], Any, Any, str]:
        headers = {"Authorization": f"Bearer {server.token}"}
        async with (
            create_mcp_http_client(headers=headers) as client,
            streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=client) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            found = await session.call_tool("memory_search", {"query": "lens"})
            listed = await session.list_resources()
            text = (await session.read_resource(listed.resources[0].uri)).contents[0]
            return tools, found, listed, str(text)

    tools, found, listed, text = anyio.run(talk)
    assert "memory_search" in tools
    assert found.model_dump(by_alias=True)["structuredContent"]["hits"]
    assert str(listed.resources[0].uri) == "vaultmem://note/wiki/Home.md"
    assert "Memory" in text or "Newest" in text or "#" in text


def test_read_only_offers_nothing_that_writes(box: Box, tmp_path: Path) -> None:
    with serving(box, tmp_path, "--read-only") as server:
        session = server.begin()
        listed = server.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, session=session)[2]["result"]["tools"]
        assert all(tool["annotations"]["readOnlyHint"] for tool in listed)
        modes = next(t for t in listed if t["name"] == "memory_tree")["inputSchema"]["properties"]["mode"]["enum"]
        assert "walk" in modes
        assert "ingest_document" not in modes
        before = box.notes()
        for tool, arguments in [
            ("memory_ingest", {"text": "a", "title": "b"}),
            ("memory_sync", {}),
            ("memory_tree", {"mode": "ingest_document", "title": "x", "body": "y", "source_id": "z"}),
        ]:
            answer = server.call(session, tool, **arguments)
            assert "error" in answer or answer["isError"], tool
        assert box.notes() == before
        assert not list((box.root / "inbox").glob("*.md"))


def test_some_sources_alone(box: Box, tmp_path: Path) -> None:
    with serving(box, tmp_path, "--source", "whatsapp:*") as server:
        session = server.begin()
        found = server.call(session, "memory_search", query="the lens", k=10)["structuredContent"]["hits"]
        assert found
        assert all("whatsapp" in hit["note_path"] or "Crew" in hit["source_ref"] for hit in found)
        assert not server.call(session, "memory_search", query="Fresnel 380 kg", source="doc:Lens.md")[
            "structuredContent"
        ]["hits"]
        with box.open() as memory:
            lens = memory.recall("Fresnel lens 380 kg").hits[0].node_id
        fetched = server.call(session, "memory_tree", mode="fetch_leaves", chunk_ids=[lens])
        assert not fetched["structuredContent"]["hits"]
        for mode in ("walk", "query_global", "search_entities"):
            assert server.call(session, "memory_tree", mode=mode, query="lens")["isError"], mode
        for tool in ("memory_context", "memory_recall", "memory_status", "memory_explain"):
            assert "unknown tool" in server.call(session, tool)["error"]["message"]
        body = {"jsonrpc": "2.0", "id": 1, "method": "resources/list"}
        assert server.ask(body, session=session)[2]["result"]["resources"] == []
        for path, known in [("wiki/Home.md", False), (box_path(box, "380 kg"), False), (box_path(box, "shines"), True)]:
            body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": f"vaultmem://note/{path}"}}
            assert ("result" in server.ask(body, session=session)[2]) == known, path


def box_path(box: Box, text: str) -> str:
    return next(path for path, body in box.notes().items() if text.encode() in body and path.startswith("wiki/raw/"))


def test_a_taken_port_is_one_clear_line(server: Server, box: Box, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "serve", "--port", str(server.port)],
        capture_output=True, env=environment(box, tmp_path), cwd=REPO, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.decode().count("\n") == 1
    assert "--port" in done.stderr.decode()
