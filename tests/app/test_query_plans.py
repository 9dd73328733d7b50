"""No warm question and no commit reads a table from end to end: every statement is served by an index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.vaults import Box
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.entry import read_entry
from vaultmem.grown import NodeEntry
from vaultmem.jobs import Job
from vaultmem.memory import Memory
from vaultmem.model import FileStat

#: Tables that grow with the vault.
BIG = (
    "chunks",
    "chunk_values",
    "passages",
    "mentions",
    "moments",
    "nodes",
    "node_children",
    "spans",
    "vectors",
    "layout",
)
MODES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_entities", {"query": "Alice"}),
    ("search_entities", {"query": "Alise Smth"}),
    ("query_source", {"source": "whatsapp:crew"}),
    ("query_source", {"source": "whatsapp:", "kind": "chat", "since": "2026-05-03", "query": "which lens?"}),
    ("query_topic", {"entity": "Alice Smith"}),
    ("query_topic", {"entity": "Bob Jones", "since": "2026-05-04", "query": "which lens?"}),
    ("query_global", {"window": "30d"}),
    ("query_global", {"since": "2026-05-02", "until": "2026-05-04", "query": "which lens?"}),
    ("cover_window", {"since": "2026-05-01", "limit": 5}),
    ("walk", {"query": "what did Alice Smith tell Bob Jones of the lens?"}),
    ("smart_walk", {"query": "what did Alice Smith tell Cleo Petrov?", "max_hops": 3}),
    ("smart_walk", {"query": "what did Alice Smith say?", "since": "2026-05-05"}),
    ("walk", {"query": "which lens was it?"}),
    ("sync_status_list", {}),
    ("sync_status_list", {"source": "whatsapp:", "kind": "chat"}),
)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    found = Box(tmp_path_factory.mktemp("plans"), embedder="builtin")
    lines = [
        f"{day:02}/05/2026, 10:{n:02} - {who}: The lens number {day}{n} went to {other}."
        for day in range(1, 28)
        for n, (who, other) in enumerate((("Alice Smith", "Bob Jones"), ("Bob Jones", "Cleo Petrov")))
    ]
    found.write("WhatsApp Chat with Crew.txt", "\n".join(lines) + "\n")
    found.sync()
    return found


def index_of(memory: Memory) -> Any:
    return memory._index


@contextmanager
def no_scan(memory: Memory, least: int) -> Iterator[None]:
    """So many statements at least are asked meanwhile, and none reads a big table from end to end."""
    asked: dict[str, Any] = {}

    def note(_: object, sql: str, bindings: object) -> bool:
        asked[sql] = bindings
        return True

    db = index_of(memory)._db
    db.exec_trace = note
    yield
    db.exec_trace = None
    asked = {sql: told for sql, told in asked.items() if re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)", sql)}
    plans = {sql: [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", told)] for sql, told in asked.items()}
    assert sum(map(len, plans.values())) > least
    assert [(step, sql) for sql, steps in plans.items() for step in _scans(steps)] == []


def _scans(steps: list[str]) -> list[str]:
    """Scans of a whole table; a partial index (`USING INDEX`) holds what is open alone, and what was made for the
    statement (a subquery) is what it chose already.
    """
    made = {found[1] for step in steps if (found := re.match(r"(?:MATERIALIZE|CO-ROUTINE) (\w+)", step))}
    scans = {step: found for step in steps if (found := re.match(r"SCAN (\w+)(.*)", step))}
    return [
        step
        for step, found in scans.items()
        if found[1] in (*BIG, *"cpnskvmtwo") and found[1] not in made and "INDEX" not in found[2]
    ]


def ask_all(memory: Memory, day: str) -> None:
    for text in ("where is the lens?", "what did Bob Jones say on 5 May 2026?", "latest on lens 271"):
        assert memory.recall(text).hits
        memory.recall(text, source="whatsapp:", kind="chat", entity="Bob Jones", since=day)
    for mode, arguments in MODES:
        memory.tree(mode, **arguments)
    digest = memory.digest("2026-W19")
    leaf = memory.recall("lens").hits[0].node_id
    memory.tree("fetch_leaves", chunk_ids=[leaf])
    for node in (digest.node_id[:8], leaf[:8]):
        memory.tree("drill_down", node_id=node, max_depth=3)
        memory.tree("drill_down", node_id=node, query="which lens?")
    assert memory.graph("Alice Smith", hops=2).nodes
    memory.context("which lens went to Bob Jones?")
    memory.explain(leaf)
    memory.dropped()


def test_warm_questions_scan_no_big_table(box: Box) -> None:
    with box.open() as memory:
        ask_all(memory, "2026-05-02")
        with no_scan(memory, 80):
            # the days are others than before: what filters let through is not known yet
            ask_all(memory, "2026-05-06")


def test_status_counts_no_rows(box: Box) -> None:
    with box.open() as memory, no_scan(memory, 8):
        index = index_of(memory)
        assert index.counts()["passages"] == 54
        index.queue.counts()
        index.queue.backlog()
        index.vector_counts("none")
        index.vector_signatures()


def test_a_commit_scans_no_big_table(box: Box) -> None:
    """One more chunk, one more summary and their vectors cost the same however many there are."""
    path, note = next((path, data) for path, data in box.notes().items() if path.startswith("wiki/raw/"))
    with box.open() as memory:
        index = index_of(memory)
        entry = read_entry(note.decode(), build_registry([]), FileStat(path=path, size=len(note), mtime_ns=1))
        digests = [index.node(row.node_id) for row in index.digests()]
        nodes = [(where, node) for where, node in digests if node.tree_level < 2]
        keys = [key for key, _ in index.passages_without_vector("other", 4)]
        with no_scan(memory, 60):
            index.commit([entry], jobs=[Job(kind="extract_chunk", subject=entry.chunk.chunk_id)])
            for where, node in nodes[:3]:
                told = NodeEntry(path=where, node=node, text=box.notes()[where].decode(), body_sha256=node.body_sha256)
                index.commit_nodes([told])
            index.put_vectors("other", {key: [1.0, 2.0] for key in keys})
