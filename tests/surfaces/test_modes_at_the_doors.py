"""The modes of the tree as the command line and agents see them: arguments, JSON, exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.surfaces.test_mcp import environment, server
from tests.vaults import Box
from vaultmem.errors import BadQuery
from vaultmem.queries import MOST_QUESTION, TREE_MODES
from vaultmem.store.data import data_folder
from vaultmem.store.lock import writer_lock
from vaultmem.surfaces.cli import cli
from vaultmem.surfaces.mcp_tool import Access
from vaultmem.surfaces.mcp_tools import tool_list

CHAT = "".join(
    f"{day:02}/05/2026, 10:00 - Alice Smith: The boiler of house {day} was repaired by Kwikfix for {day}00 euros\n"
    f"{day:02}/05/2026, 10:05 - Bob Jones: I paid invoice INV-{day:03} to them on day {day}\n"
    for day in range(1, 29)
)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("doors"))
    made.write("WhatsApp Chat with House.txt", CHAT)
    made.sync()
    return made


def run(box: Box, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))


def test_people_read_text(box: Box, tmp_path: Path) -> None:
    for arguments, said in [
        (("tree", "query_source", "source=whatsapp:"), "summary of level 1"),
        (("tree", "query_topic", "entity=bob jones", "limit=2"), "2 of "),
        (("tree", "query_global", "window=10d"), "summary of level 0"),
        (("tree", "cover_window", "since=2026-05-02", "limit=1"), "left out: "),
        (("tree", "walk", "query=Alice Smith and Bob Jones"), "route: local: person:alice-smith - person:bob-jones"),
        (("tree", "sync_status_list"), "recent 2026-05-28 whatsapp:House"),
        (("digest",), "Thursday, 28 May 2026 (2026-05-28)"),
        (("digest", "2026-W20"), "Week 20 of 2026"),
        (("digest", "2020"), "nothing is known of this time"),
        (("topics",), "mentions "),
        (("graph", "bob jones", "--canvas", str(tmp_path / "b.canvas")), "28 chunks with person:bob-jones"),
    ]:
        result = run(box, *arguments)
        assert result.exit_code == 0, result.output
        assert said in result.output, (arguments, result.output)
    assert json.loads((tmp_path / "b.canvas").read_text())["nodes"]
    again = run(box, "graph", "bob jones", "--canvas", str(tmp_path / "b.canvas"))
    assert isinstance(again.exception, BadQuery)
    assert run(box, "graph", "bob jones", "--canvas", str(tmp_path / "b.canvas"), "--force").exit_code == 0


def test_a_question_as_long_as_a_file_is_refused_by_every_door(box: Box) -> None:
    long = "roof " * (MOST_QUESTION // 5) + "roof"
    said = f"a question of 100,000 characters at most; it has {len(long):,}"
    with box.open() as memory:
        chunk = memory.recall("invoice").hits[0].node_id
        asking: list[Callable[[], object]] = [
            lambda: memory.recall(long),
            lambda: memory.context(long),
            lambda: memory.ask(long),
            lambda: memory.facts(query=long),
            lambda: memory.explain(chunk, query=long),
            *(
                partial(memory.tree, name, **{p.name: chunk for p in mode.parameters if p.required} | {"query": long})
                for name, mode in TREE_MODES.items()
                if any(p.name == "query" for p in mode.parameters)
            ),
        ]
        for ask in asking:
            with pytest.raises(BadQuery, match=re.escape(said)) as refused:
                ask()
            assert len(str(refused.value)) < 250, str(refused.value)
        assert memory.recall(long[:MOST_QUESTION]).total >= 0
    assert said in str(run(box, "recall", long).exception)
    bounded = {
        (tool["name"], name)
        for tool in tool_list(Access())
        for name, schema in tool["inputSchema"]["properties"].items()
        if schema.get("maxLength") == MOST_QUESTION
    }
    assert bounded == {
        ("memory_search", "query"), ("memory_tree", "query"), ("memory_recall", "query"), ("memory_context", "text"),
        ("memory_ask", "query"), ("memory_explain", "query"),
    }  # fmt: skip


def test_programs_read_one_document(box: Box) -> None:
    response = {"hits", "total", "truncated", "degraded"}
    for arguments, keys in [
        (("tree", "query_source"), response),
        (("tree", "query_topic", "entity=bob jones"), response),
        (("tree", "query_global"), response),
        (("tree", "cover_window", "window=30d"), response | {"omitted"}),
        (("tree", "smart_walk", "query=invoice"), response | {"route"}),
        (("tree", "sync_status_list"), response | {"states"}),
        (("digest", "2026-05"), {"period", "level", "title", "note_path", "sections", "content", "degraded"}),
        (("topics",), {"topics"}),
        (("graph", "bob jones"), {"entity", "nodes", "edges"}),
    ]:
        found = json.loads(run(box, *arguments, "--json").stdout)
        assert keys <= set(found), arguments


def test_a_document_written_again_replaces_itself(tmp_path: Path) -> None:
    box = Box(tmp_path)
    page = "# Lens\n\nThe Fresnel lens weighs {n} kg without its frame, as the museum says.\n"
    first = run(
        box, "tree", "ingest_document", "source_id=https://x.example/lens", f"content={page.format(n=380)}", "--json"
    )
    hits = json.loads(first.stdout)["hits"]
    assert ["380 kg" in hit["content"] for hit in hits] == [True], first.output
    other = run(
        box,
        "tree",
        "ingest_document",
        "source_id=7",
        "title=Lens",
        "content=Quite another lens is kept in Oslo.",
        "--json",
    )
    assert len(json.loads(other.stdout)["hits"]) == 1
    entirely = "# Lens\n\nIt was sold to a collector in Rome, and nothing more is known of where it stands.\n"
    again = json.loads(
        run(box, "tree", "ingest_document", "source_id=https://x.example/lens", f"content={entirely}", "--json").stdout
    )
    assert ["Rome" in hit["content"] for hit in again["hits"]] == [True]
    with box.open() as memory:
        assert not any("380 kg" in hit.content for hit in memory.recall("lens weighs kg").hits)
        assert any("Oslo" in hit.content for hit in memory.recall("another lens Oslo").hits)
        told = memory.tree("query_source", source="https://x.example/lens")
        assert [hit.node_id for hit in told.hits] == [hit["node_id"] for hit in again["hits"]]
        assert memory.status().counts["notes"] == 2
    tricky = (
        "---\nid: evil-twin\n---\n\nA text with a head of its own, that says where the second lens stands: in Bergen."
    )
    found = json.loads(
        run(box, "tree", "ingest_document", "source_id=https://x.example/lens", f"content={tricky}", "--json").stdout
    )
    assert ["Bergen" in hit["content"] for hit in found["hits"]] == [True]
    missing = run(box, "tree", "ingest_document", "source_id=a")
    assert isinstance(missing.exception, BadQuery)


def test_agents_see_every_mode_and_argument() -> None:
    tool = next(tool for tool in tool_list(Access()) if tool["name"] == "memory_tree")
    schema = json.loads(json.dumps(tool["inputSchema"]))
    assert schema["properties"]["mode"]["enum"] == list(TREE_MODES)
    for mode in TREE_MODES.values():
        for parameter in mode.parameters:
            shown = schema["properties"][parameter.name]
            if parameter.kind == "number":
                assert shown["minimum"] <= parameter.least <= parameter.most <= shown["maximum"]
            assert parameter.about in shown["description"]
    assert len(json.dumps(tool)) < 9000, "every agent reads it with every session"


def test_an_agent_writes_a_document_and_asks(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("Lens.md", "# Lens\n\nThe Fresnel lens weighs 380 kg without its frame.\n")
    box.sync()
    with server(box.root, environment(box, tmp_path)) as client:
        text = "# Oslo\n\nThe lamp of the lighthouse in Oslo was lit on 3 May 1854 for the first time."
        written = client.call("memory_tree", mode="ingest_document", source_id="oslo", content=text)
        assert "1854" in written["structuredContent"]["hits"][0]["content"], written
        walked = client.call("memory_tree", mode="walk", query="when was the lamp lit?")
        assert walked["structuredContent"]["route"].startswith("global")
        assert "Route: global" in walked["content"][0]["text"]
        covered = client.call("memory_tree", mode="cover_window", window="3y", limit=1)
        assert covered["structuredContent"]["omitted"] or covered["structuredContent"]["total"] == 1
        listed = client.call("memory_tree", mode="sync_status_list")
        assert len(listed["structuredContent"]["hits"]) == 2
        data = data_folder(box.root, environ=box.environ)
        with writer_lock(data, holder="watch", timeout=5):
            for source_id, title, until_then in (("rome", "Rome", ""), ("oslo", "Oslo", "1854")):
                waits = client.call(
                    "memory_tree", mode="ingest_document", source_id=source_id, title=title, content="It is lit again."
                )
                said = waits["content"][0]["text"]
                assert said.startswith(f"In the inbox as {title}.md. The running 'vaultmem watch' files it."), said
                assert until_then in said
                assert "Nothing found" not in said
            typed = run(box, "tree", "ingest_document", "source_id=kiel", "content=It is dark.").stdout.splitlines()
            assert typed == [
                "nothing of it is in memory yet", "(handed to the running 'vaultmem watch' through the inbox)"
            ]  # fmt: skip
