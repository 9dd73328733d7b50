"""What the benches that ask share: filler entries, and the ways to answer that are compared."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.rank import rank, read_question
from vaultmem.core.recall.weights import WEIGHTS
from vaultmem.core.recall.words import query_words
from vaultmem.model import Chunk, Entry, Passage
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Place = tuple[str, int]
Answer = Callable[[str, Filters], list[Place]]


def entry(name: str, source: str, seq: int, when: datetime, turns: list[tuple[str, str]]) -> Entry:
    passages = tuple(
        Passage(ordinal=i, text=text, author=who, sent_at=when + timedelta(seconds=20 * i), first_line=i, last_line=i)
        for i, (who, text) in enumerate(turns)
    )
    chunk = Chunk(
        chunk_id=name, source_kind="chat", source_id=source, tree_scope=source, owner="", time_start=when,
        time_end=when + timedelta(seconds=20 * len(turns)), seq=seq, position=f"{seq:06d}", token_count=1, body="",
        source_ref="", original="private", title="", status="admitted",
    )  # fmt: skip
    return Entry(path=f"{name}.md", chunk=chunk, passages=passages, mentions=(), body_line=1)


def ours(index: SqliteIndex, vectors: dict[str, list[float]] | None = None) -> Answer:
    def answer(text: str, filters: Filters) -> list[Place]:
        question, words = read_question(text, NOW, UTC)
        times = [(s.start_ms, s.end_ms) for s in question.spans]
        meaning = Meaning(signature=MiniLm.signature, vector=vectors[text]) if vectors else None
        limit = WEIGHTS.ranked_for(10, by_meaning=meaning is not None)
        rows, _ = index.candidates(words, filters, limit=limit, spans_ms=times, meaning=meaning)
        return [(r.row.chunk_id, r.row.ordinal) for r in rank(rows, question)]

    return answer


def plain(index: SqliteIndex) -> Answer:
    """FTS5's own bm25() over the same words, best first: what the parts on top of it are worth."""
    sql = (
        "SELECT c.chunk_id, words.rowid & 4194303 FROM words JOIN chunks c ON c.id = words.rowid >> 22"
        " WHERE words MATCH ? AND (? = '' OR c.source_id = ?) ORDER BY bm25(words), c.chunk_id, words.rowid LIMIT 50"
    )

    def answer(text: str, filters: Filters) -> list[Place]:
        match = " OR ".join(f'"{word}"' for word in query_words(text))
        return list(index._db.execute(sql, (match, filters.source, filters.source))) if match else []

    return answer
