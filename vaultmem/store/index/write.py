"""Rows in and out: what one transaction changes. The caller opens and settles it."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache

import apsw

from vaultmem.core.notes.entry import times_of
from vaultmem.core.notes.ids import body_sha256, entity_id, fold
from vaultmem.core.recall.words import index_words
from vaultmem.model import AliasRow, Entry, Mention, Passage, RegistryNote
from vaultmem.store.index.days import drop_moments, put_moments
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, dump_chunk, dump_entity, storable, to_us
from vaultmem.store.index.spans import parent_of_leaf
from vaultmem.store.index.vectors import passage_hash

_CHUNK_COLUMNS = (
    "chunk_id, path, source_kind, source_id, tree_scope, seq, position, start_us, end_us, status, source_ref, own_id,"
    " title, body_line, size, mtime_ns, tokens, parent, listed, says"
)


def put_entry(db: apsw.Connection, entry: Entry) -> frozenset[bytes]:
    """Replace whatever stood under this chunk_id by the entry's rows. What stood at its path is gone already.

    Returns the hashes of the texts taken away: some may stand nowhere any more.
    """
    gone = _delete(db, "SELECT id FROM chunks WHERE chunk_id = ?", (entry.chunk.chunk_id,))
    number = _put_chunk(db, entry)
    # A note whose words alone are known (size -1) gets its vectors when it is read in full.
    hashes = [passage_hash(entry.chunk, p) if entry.size >= 0 else None for p in entry.passages]
    counts = [_put_passage(db, number, p, key) for p, key in zip(entry.passages, hashes, strict=True)]
    cover = index_words(" ".join([entry.chunk.title, *entry.chunk.tags]))
    _put_words(db, _passage_id(number, COVER), cover)
    times = [to_us(p.sent_at or entry.chunk.time_start) for p in entry.passages]
    db.execute(
        "INSERT INTO layout VALUES (?, ?, ?, ?)",
        (number, len(cover), struct.pack(f"<{len(counts)}I", *counts), struct.pack(f"<{len(times)}q", *times)),
    )
    put_moments(db, number, map(to_us, times_of(entry.chunk, entry.passages)))
    _put_mentions(db, number, entry.mentions)
    return gone


def remove_path(db: apsw.Connection, path: str) -> frozenset[bytes]:
    """Drop the rows of the note at `path`, if there are any. Returns the hashes of its texts."""
    return _delete(db, "SELECT id FROM chunks WHERE path = ?", (path,))


def chunks_at(db: apsw.Connection, paths: Sequence[str]) -> frozenset[str]:
    """The chunks whose notes stand at these paths."""
    rows = db.execute("SELECT chunk_id FROM chunks WHERE path IN (SELECT value FROM json_each(?))", (as_json(paths),))
    return frozenset(row[0] for row in rows)


def put_registry(db: apsw.Connection, notes: Sequence[RegistryNote], aliases: Iterable[AliasRow]) -> None:
    """The whole registry anew."""
    db.execute("DELETE FROM registry")
    db.execute("DELETE FROM aliases")
    db.executemany(
        "INSERT INTO registry (value, size, mtime_ns) VALUES (?, ?, ?)",
        [(dump_entity(n.entity), n.size, n.mtime_ns) for n in notes],
    )
    db.executemany(
        "INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)",
        [(storable(a.surface), a.entity_id, a.origin) for a in aliases],
    )


def clear_all(db: apsw.Connection) -> None:
    """Every row of every table but the vectors, which cost the most and find their texts again, and the account of
    what a language model was asked, which stands nowhere else.
    """
    tables = (
        "chunks", "chunk_values", "layout", "tags", "passages", "mentions", "surfaces", "registry", "aliases", "nodes",
        "node_children", "spans", "jobs", "moments", "touched_days",
    )  # fmt: skip
    for table in tables:
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above
    db.execute(r"DELETE FROM meta WHERE key NOT LIKE 'llm\_%' ESCAPE '\'")
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")


def _put_chunk(db: apsw.Connection, entry: Entry) -> int:
    c = entry.chunk
    # Read in full it is asked again.
    parent = parent_of_leaf(db, c.chunk_id, storable(c.tree_scope)) if entry.size >= 0 else ""
    values = (
        c.chunk_id, entry.path, c.source_kind, storable(c.source_id), storable(c.tree_scope), c.seq, c.position,
        to_us(c.time_start), to_us(c.time_end), c.status, storable(c.source_ref), storable(c.own_id),
        storable(c.title), entry.body_line, entry.size, entry.mtime_ns, c.token_count, parent, bool(parent),
        c.body_sha256 if not c.edited and c.body_sha256 else body_sha256(storable(c.body)),
    )  # fmt: skip
    marks = ", ".join("?" * len(values))
    db.execute(f"INSERT INTO chunks ({_CHUNK_COLUMNS}) VALUES ({marks})", values)  # noqa: S608 - constant names
    number = db.last_insert_rowid()
    db.execute("INSERT INTO chunk_values VALUES (?, ?)", (number, dump_chunk(c)))
    tags = {fold(tag) for tag in c.tags}
    db.executemany("INSERT INTO tags VALUES (?, ?)", [(storable(tag), number) for tag in sorted(tags)])
    return number


def _put_passage(db: apsw.Connection, number: int, passage: Passage, text_hash: bytes | None) -> int:
    """The passage's row and words; returns how many words it has."""
    words = index_words("\n".join([passage.author, passage.addressed, passage.heading, passage.text]))
    key = _passage_id(number, passage.ordinal)
    db.execute(
        "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key, storable(passage.text), storable(passage.author), storable(passage.addressed),
            None if passage.sent_at is None else to_us(passage.sent_at), passage.block, storable(passage.heading),
            passage.first_line, passage.last_line, text_hash,
        ),
    )  # fmt: skip
    _put_words(db, key, words)
    return len(words)


def _put_words(db: apsw.Connection, key: int, words: Sequence[str]) -> None:
    db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (key, " ".join(words)))


def _put_mentions(db: apsw.Connection, number: int, mentions: Sequence[Mention]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO mentions VALUES (?, ?, ?, ?, ?)",
        [
            (storable(m.surface), _passage_id(number, m.passage), m.kind, m.origin, storable(m.text))
            for m in mentions
        ],
    )  # fmt: skip
    named = sorted({(m.kind, storable(m.surface)) for m in mentions})
    db.executemany("INSERT OR IGNORE INTO surfaces VALUES (?, ?)", [(_entity_id(*each), each[1]) for each in named])


#: The same few names stand in chunk after chunk.
_entity_id = lru_cache(maxsize=8192)(entity_id)


def _delete(db: apsw.Connection, which: str, values: Sequence[str]) -> frozenset[bytes]:
    """Drop all rows of the chunks that `which` selects; the hashes of their texts."""
    numbers = [row[0] for row in db.execute(which, values)]
    gone: set[bytes] = set()
    for number in numbers:
        span = (_passage_id(number, 0), _passage_id(number, COVER))
        gone |= {bytes(row[0]) for row in db.execute(_HASHES, span)}
        db.execute("DELETE FROM words WHERE rowid BETWEEN ? AND ?", span)
        db.execute("DELETE FROM mentions WHERE passage BETWEEN ? AND ?", span)
        drop_moments(db, number)
        db.execute("DELETE FROM passages WHERE id BETWEEN ? AND ?", span)
        for table, column in (("tags", "chunk"), ("layout", "chunk"), ("chunk_values", "chunk"), ("chunks", "id")):
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608 - the names above
    return frozenset(gone)


_HASHES = "SELECT text_hash FROM passages WHERE id BETWEEN ? AND ? AND text_hash IS NOT NULL"


def _passage_id(number: int, ordinal: int) -> int:
    return (number << ORDINAL_BITS) | ordinal


def as_json(values: Iterable[object]) -> str:
    """A list for `json_each(?)`: one bound value for any number of items."""
    return storable(json.dumps(list(values), ensure_ascii=False))
