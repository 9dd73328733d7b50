"""Rows in and out: what one transaction changes. The caller opens and settles it."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

import apsw

from vaultmem.core.notes.entry import times_of
from vaultmem.core.notes.ids import body_sha256, entity_id, fold
from vaultmem.grown import REGISTRY_STAMP
from vaultmem.model import AliasRow, Entry, RegistryNote
from vaultmem.store.index.bulk import Value, insert
from vaultmem.store.index.changes import prune_changes
from vaultmem.store.index.days import drop_moments
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json, dump_chunk, dump_entity, storable, to_us
from vaultmem.store.index.said import words_of
from vaultmem.store.index.spans import parent_of_leaf
from vaultmem.store.index.tallies import add, count_in, count_out, meanings, recount_entities
from vaultmem.store.index.vectors import passage_hash

_CHUNK_COLUMNS = (
    "id, chunk_id, path, source_kind, source_id, tree_scope, seq, position, start_us, end_us, status, source_ref,"
    " own_id, title, body_line, size, mtime_ns, tokens, parent, listed, says, note_hash"
)


def put_entries(db: apsw.Connection, entries: Iterable[Entry]) -> frozenset[bytes]:
    """Replace whatever stood under these chunk_ids by the entries' rows. What stood at their paths is gone already.

    Returns the hashes of the texts taken away: some may stand nowhere any more.
    """
    last = {entry.chunk.chunk_id: entry for entry in entries}  # of one chunk that comes twice
    gone = _delete(db, "SELECT id FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))", as_json(last))
    first = int(db.execute("SELECT coalesce(max(id), 0) + 1 FROM chunks").get)
    numbered = list(enumerate(last.values(), start=first))
    insert(db, f"chunks ({_CHUNK_COLUMNS})", [_chunk_row(db, number, entry) for number, entry in numbered])
    insert(db, "chunk_values", [(number, dump_chunk(entry.chunk)) for number, entry in numbered])
    insert(db, "tags", [row for number, entry in numbered for row in _tag_rows(number, entry)])
    passages = [row for number, entry in numbered for row in _passage_rows(number, entry)]
    insert(db, "passages", passages)
    add(db, "passages", len(passages))
    add(db, "with vectors", sum(row[9] is not None for row in passages))
    words = [(number, entry, _words(entry)) for number, entry in numbered]
    insert(db, "words (rowid, body)", [row for number, entry, own in words for row in _word_rows(number, entry, own)])
    insert(db, "layout", [_layout_row(number, entry, own) for number, entry, own in words])
    # Of a note whose words alone are known (size -1) no day says anything yet.
    insert(db, "moments", [row for number, entry in numbered if entry.size >= 0 for row in _moment_rows(number, entry)])
    _put_mentions(db, numbered)
    count_in(db, [number for number, _ in numbered])
    prune_changes(db)
    return gone


def remove_paths(db: apsw.Connection, paths: Sequence[str]) -> frozenset[bytes]:
    """Drop the rows of the notes at these paths, where there are any. Returns the hashes of their texts."""
    return _delete(db, "SELECT id FROM chunks WHERE path IN (SELECT value FROM json_each(?))", as_json(paths))


def chunks_at(db: apsw.Connection, paths: Sequence[str]) -> frozenset[str]:
    """The chunks whose notes stand at these paths."""
    rows = db.execute("SELECT chunk_id FROM chunks WHERE path IN (SELECT value FROM json_each(?))", (as_json(paths),))
    return frozenset(row[0] for row in rows)


def put_registry(
    db: apsw.Connection, notes: Sequence[RegistryNote], aliases: Iterable[AliasRow], unread: Collection[str] = ()
) -> None:
    """The whole registry anew. No note has the size that the `unread` get: the next look reads them, as they are."""
    before = meanings(db)
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
    recount_entities(db, before)
    db.execute("UPDATE chunks SET size = -1 WHERE path IN (SELECT value FROM json_each(?))", (as_json(unread),))
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, hex(randomblob(16)))", (REGISTRY_STAMP,))


def clear_all(db: apsw.Connection) -> None:
    """Every row of every table but the vectors, which cost the most and find their texts again, and the account of
    what a language model was asked, which stands nowhere else.
    """
    tables = (
        "sources", "chunks", "chunk_values", "layout", "tags", "passages", "mentions", "surfaces", "registry",
        "aliases", "nodes", "node_children", "spans", "jobs", "moments", "touched_days", "totals", "name_counts",
        "name_texts", "entity_counts",
    )  # fmt: skip
    for table in tables:
        db.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above
    db.execute("UPDATE embedded SET passages = 0")
    db.execute(r"DELETE FROM meta WHERE key NOT LIKE 'llm\_%' ESCAPE '\'")
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    prune_changes(db)


def _chunk_row(db: apsw.Connection, number: int, entry: Entry) -> tuple[str | int, ...]:
    c = entry.chunk
    # Read in full it is asked again.
    parent = parent_of_leaf(db, c.chunk_id, storable(c.tree_scope)) if entry.size >= 0 else ""
    return (
        number, c.chunk_id, entry.path, c.source_kind, storable(c.source_id), storable(c.tree_scope), c.seq, c.position,
        to_us(c.time_start), to_us(c.time_end), c.status, storable(c.source_ref), storable(c.own_id),
        storable(c.title), entry.body_line, entry.size, entry.mtime_ns, c.token_count, parent, bool(parent),
        c.body_sha256 if not c.edited and c.body_sha256 else body_sha256(storable(c.body)),
        entry.note_hash,
    )  # fmt: skip


def _tag_rows(number: int, entry: Entry) -> list[tuple[str, int]]:
    return [(storable(tag), number) for tag in sorted({fold(tag) for tag in entry.chunk.tags})]


def _passage_rows(number: int, entry: Entry) -> Iterator[tuple[Value, ...]]:
    for p in entry.passages:
        # A note whose words alone are known gets its vectors when it is read in full.
        text_hash = passage_hash(entry.chunk, p) if entry.size >= 0 else None
        sent_us = None if p.sent_at is None else to_us(p.sent_at)
        yield (
            _passage_id(number, p.ordinal), storable(p.text), storable(p.author), storable(p.addressed), sent_us,
            p.block, storable(p.heading), p.first_line, p.last_line, text_hash,
        )  # fmt: skip


def _words(entry: Entry) -> list[list[str]]:
    """The words of title and tags, then of each passage."""
    said = ((p.author, p.addressed, p.heading, p.text) for p in entry.passages)
    return words_of(entry.chunk.title, entry.chunk.tags, said)


def _word_rows(number: int, entry: Entry, words: Sequence[Sequence[str]]) -> Iterator[tuple[int, str]]:
    # The cover is the last: FTS5 writes a segment out whenever a smaller number comes.
    cover, *told = words
    for passage, own in zip(entry.passages, told, strict=True):
        yield _passage_id(number, passage.ordinal), " ".join(own)
    yield _passage_id(number, COVER), " ".join(cover)


def _layout_row(number: int, entry: Entry, words: Sequence[Sequence[str]]) -> tuple[int, int, bytes, bytes]:
    cover, *counts = (len(own) for own in words)
    times = [to_us(p.sent_at or entry.chunk.time_start) for p in entry.passages]
    return number, cover, struct.pack(f"<{len(counts)}I", *counts), struct.pack(f"<{len(times)}q", *times)


def _moment_rows(number: int, entry: Entry) -> list[tuple[int, int]]:
    """When something in it was said: what a day consists of."""
    return [(at, number) for at in {*map(to_us, times_of(entry.chunk, entry.passages))}]


def _put_mentions(db: apsw.Connection, numbered: Sequence[tuple[int, Entry]]) -> None:
    rows = [
        (storable(m.surface), _passage_id(number, m.passage), m.kind, m.origin, storable(m.text))
        for number, entry in numbered
        for m in entry.mentions
    ]
    before = db.total_changes()
    insert(db, "mentions", rows, known="IGNORE")
    add(db, "mentions", db.total_changes() - before)
    named = sorted({(kind, surface) for surface, _, kind, _, _ in rows})
    insert(db, "surfaces", [(_entity_id(*each), each[1]) for each in named], known="IGNORE")


#: The same few names stand in chunk after chunk.
_entity_id = lru_cache(maxsize=8192)(entity_id)


def _delete(db: apsw.Connection, which: str, value: str) -> frozenset[bytes]:
    """Drop all rows of the chunks that `which` selects; the hashes of their texts."""
    numbers = [row[0] for row in db.execute(which, (value,))]
    if numbers:
        count_out(db, numbers)
    gone: set[bytes] = set()
    for number in numbers:
        span = (_passage_id(number, 0), _passage_id(number, COVER))
        gone |= {bytes(row[0]) for row in db.execute(_HASHES, span)}
        db.execute("DELETE FROM words WHERE rowid BETWEEN ? AND ?", span)
        db.execute("DELETE FROM mentions WHERE passage BETWEEN ? AND ?", span)
        add(db, "mentions", -db.changes())
        drop_moments(db, number)
        add(db, "with vectors", -int(db.execute(f"SELECT count(*) FROM ({_HASHES})", span).get))  # noqa: S608
        db.execute("DELETE FROM passages WHERE id BETWEEN ? AND ?", span)
        add(db, "passages", -db.changes())
        for table, column in (("tags", "chunk"), ("layout", "chunk"), ("chunk_values", "chunk"), ("chunks", "id")):
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608 - the names above
    return frozenset(gone)


_HASHES = "SELECT text_hash FROM passages WHERE id BETWEEN ? AND ? AND text_hash IS NOT NULL"


def _passage_id(number: int, ordinal: int) -> int:
    return (number << ORDINAL_BITS) | ordinal
