"""No warm question reads a table from end to end: every statement of every mode is served by an index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.vaults import Box

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
#: Without search_entities, which counts what every name is mentioned and so reads all mentions.
MODES = (
    ("query_source", {"source": "whatsapp:crew"}),
    ("query_topic", {"entity": "Alice Smith"}),
    ("query_global", {"window": "30d"}),
    ("cover_window", {"since": "2026-05-01", "limit": 5}),
    ("walk", {"query": "what did Alice Smith tell Bob Jones of the lens?"}),
    ("walk", {"query": "which lens was it?"}),
)


def test_warm_questions_scan_no_big_table(tmp_path: Path) -> None:
    box = Box(tmp_path, embedder="builtin")
    lines = [
        f"{day:02}/05/2026, 10:{n:02} - {who}: The lens number {day}{n} went to {other}."
        for day in range(1, 28)
        for n, (who, other) in enumerate((("Alice Smith", "Bob Jones"), ("Bob Jones", "Cleo Petrov")))
    ]
    box.write("WhatsApp Chat with Crew.txt", "\n".join(lines) + "\n")
    box.sync()
    asked: dict[str, Any] = {}

    def note(_: object, sql: str, bindings: object) -> bool:
        asked[sql] = bindings
        return True

    with box.open() as memory:
        for turn in range(2):
            if turn:
                memory._index._db.exec_trace = note  # type: ignore[attr-defined]
            for text in ("where is the lens?", "what did Bob Jones say on 5 May 2026?", "latest on lens 271"):
                assert memory.recall(text).hits
                memory.recall(text, source="whatsapp:", kind="chat", entity="Bob Jones", since="2026-05-02")
            for mode, arguments in MODES:
                memory.tree(mode, **arguments)
        memory._index._db.exec_trace = None  # type: ignore[attr-defined]
        plans = {
            (sql, str(row[3]))
            for sql, bindings in asked.items()
            if re.match(r"\s*(SELECT|WITH)", sql)
            for row in memory._index._db.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)  # type: ignore[attr-defined]
        }
    assert len(plans) > 30
    scans = sorted((step, sql) for sql, step in plans if _reads_all(step))
    assert scans == []


def _reads_all(step: str) -> bool:
    """A scan of a whole table; a partial index (`USING INDEX`) holds what is open alone."""
    found = re.match(r"SCAN (\w+)(.*)", step)
    return bool(found) and found[1] in (*BIG, *"cpnskv") and "INDEX" not in found[2]
