"""What is asked of the index outside recall: plain questions, plain answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping

import apsw

import vaultmem.store.index.nodes as nodes  # noqa: PLR0402 - no edge to the package itself
from vaultmem.model import Chunk, FileStat, RegistryNote
from vaultmem.store.index.rows import IN_PLACE, as_json, load_chunk, load_entity, storable
from vaultmem.store.index.tallies import total


def note_stats(db: apsw.Connection) -> Mapping[str, tuple[FileStat, str]]:
    """Path -> (stat at indexing, chunk_id)."""
    rows = db.execute(f"SELECT path, size, mtime_ns, chunk_id FROM chunks WHERE NOT ({IN_PLACE}) ORDER BY path")  # noqa: S608
    return {path: (FileStat(path=path, size=size, mtime_ns=mtime), key) for path, size, mtime, key in rows}


def in_place_stats(db: apsw.Connection) -> Mapping[str, FileStat]:
    """Notes of the user's own: path -> stat at indexing."""
    rows = db.execute(f"SELECT DISTINCT path, size, mtime_ns FROM chunks WHERE {IN_PLACE} ORDER BY path")  # noqa: S608
    return {path: FileStat(path=path, size=size, mtime_ns=mtime) for path, size, mtime in rows}


def chunks_in(db: apsw.Connection, path: str) -> tuple[Chunk, ...]:
    """The chunks of the note that stands there, in its order."""
    return tuple(load_chunk(value) for _, value in db.execute(f"{_CHUNKS} WHERE c.path = ? ORDER BY c.seq", (path,)))


def known_keys(db: apsw.Connection, source_id: str, keys: Collection[str]) -> dict[str, str]:
    """Which of these message keys the source holds: key -> path of the note it stands in."""
    rows = db.execute(
        "SELECT substr(p.block, 3), c.path FROM passages p JOIN chunks c ON c.id = p.id >> 22"
        " WHERE p.block <> '' AND p.block IN (SELECT 'm-' || value FROM json_each(?)) AND c.source_id = ?",
        (as_json(keys), source_id),
    )
    return dict(rows)


def next_seq(db: apsw.Connection, source_id: str) -> int:
    """One more than the highest seq present, so that an index rebuilt from the notes says the same."""
    return int(db.execute("SELECT coalesce(max(seq) + 1, 0) FROM chunks WHERE source_id = ?", (source_id,)).get)


def chunks_of(db: apsw.Connection, source_id: str) -> tuple[tuple[str, Chunk], ...]:
    """(path, chunk) in reading order."""
    rows = db.execute(f"{_CHUNKS} WHERE c.source_id = ? ORDER BY c.position, c.seq, c.chunk_id", (source_id,))
    return tuple((path, load_chunk(value)) for path, value in rows)


def chunk(db: apsw.Connection, chunk_id: str) -> tuple[str, Chunk] | None:
    """(path, chunk) or None."""
    row = db.execute(f"{_CHUNKS} WHERE c.chunk_id = ?", (chunk_id,)).fetchone()
    return None if row is None else (row[0], load_chunk(row[1]))


_CHUNKS = "SELECT c.path, v.value FROM chunks c JOIN chunk_values v ON v.chunk = c.id"


def sources(db: apsw.Connection) -> tuple[Mapping[str, object], ...]:
    """One row per source."""
    names = ("source_id", "source_kind", "tree_scope", "chunks", "dropped", "first_ms", "last_ms")
    rows = db.execute(
        "SELECT source_id, min(source_kind), min(tree_scope), sum(chunks), sum(dropped), min(first_us), max(last_us)"
        " FROM sources GROUP BY source_id ORDER BY source_id"
    )
    return tuple(dict(zip(names, (*r[:5], r[5] // 1000, r[6] // 1000), strict=True)) for r in rows)


def source_titles(db: apsw.Connection, source_ids: Collection[str]) -> Mapping[str, str]:
    """Of each of these sources the title of its newest chunk."""
    rows = db.execute(
        "SELECT s.value, t.title FROM json_each(?) s JOIN chunks t ON t.id = (SELECT n.id FROM chunks n"
        " WHERE n.source_id = s.value ORDER BY n.end_us DESC, n.seq DESC LIMIT 1)",
        (as_json(source_ids),),
    )
    return dict(rows)


def documents_with(db: apsw.Connection, own_id: str) -> tuple[str, ...]:
    """source_ids of the documents that have this id of their own: several notes may be about one web page."""
    rows = db.execute(
        "SELECT DISTINCT source_id FROM chunks WHERE own_id = ? AND own_id <> '' AND source_kind = 'document'"
        " ORDER BY source_id",
        (storable(own_id),),
    )
    return tuple(str(source_id) for (source_id,) in rows)


def documents_named(db: apsw.Connection, source_id: str) -> tuple[tuple[str, str], ...]:
    """(source_id, own_id) of the document sources of this id and of those numbered like `<id> (2)`."""
    name = storable(source_id)
    rows = db.execute(
        "SELECT source_id, own_id FROM chunks WHERE source_kind = 'document'"
        " AND (source_id = ?1 OR (source_id >= ?1 || ' (' AND source_id < ?1 || ' )'))"
        " ORDER BY source_id, position, seq",
        (name,),
    )
    first: dict[str, str] = {}
    for found, own_id in rows:
        first.setdefault(found, own_id)
    return tuple(first.items())


def registry(db: apsw.Connection) -> tuple[RegistryNote, ...]:
    """The registry notes in the order given."""
    rows = db.execute("SELECT value, size, mtime_ns FROM registry ORDER BY id")
    return tuple(RegistryNote(entity=load_entity(v), size=size, mtime_ns=mtime) for v, size, mtime in rows)


def counts(db: apsw.Connection) -> Mapping[str, int]:
    """Rows by kind, for status."""
    kept = "SELECT coalesce(sum(chunks), 0), coalesce(sum(dropped), 0), coalesce(sum(pending), 0) FROM sources"
    notes, dropped, pending = map(int, db.execute(kept).fetchone() or (0, 0, 0))
    return {
        "notes": notes,
        "passages": total(db, "passages"),
        "sources": int(db.execute("SELECT count(DISTINCT source_id) FROM sources").get),
        "entities": int(db.execute("SELECT count(*) FROM registry").get),
        "mentions": total(db, "mentions"),
        "summaries": total(db, "summaries"),
        "admitted": notes - dropped - pending,
        "dropped": dropped,
        "pending": pending,
    }


_DIGESTED = {
    "chunks": "SELECT c.chunk_id, c.source_kind, c.source_id, c.tree_scope, c.seq, c.position, c.status, c.start_us,"
    " c.end_us, v.value ->> 'body_sha256', v.value ->> 'edited' FROM chunks c JOIN chunk_values v ON v.chunk = c.id"
    " ORDER BY c.chunk_id",
    "passages": "SELECT c.chunk_id, p.id & 4194303, p.text, p.author, p.addressed, p.sent_us, p.block, p.heading,"
    " p.first_line, p.last_line FROM passages p JOIN chunks c ON c.id = p.id >> 22 ORDER BY 1, 2",
    "mentions": "SELECT c.chunk_id, m.passage & 4194303, m.surface, m.kind, m.origin, m.text"
    " FROM mentions m JOIN chunks c ON c.id = m.passage >> 22 ORDER BY 1, 2, 3, 4, 5, 6",
    "aliases": "SELECT surface, entity_id, origin FROM aliases ORDER BY 1, 2, 3",
    "nodes": nodes.DIGESTED,
}


def digest(db: apsw.Connection) -> str:
    """SHA-256 over the logical content, in an order that no row number decides."""
    total = hashlib.sha256()
    for line in _digest_lines(db):
        total.update(line.encode("utf-8"))
    return total.hexdigest()


def _digest_lines(db: apsw.Connection) -> Iterator[str]:
    for table, query in _DIGESTED.items():
        yield f"{table}\n"
        for row in db.execute(query):
            yield json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
