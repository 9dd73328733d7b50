"""The Index port on SQLite: each method is one transaction, and what it does stands in the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import RLock

import apsw

from vaultmem.answers import Around, Filters, IndexedChunk, Meaning, PassageRow
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.errors import CannotWrite, DamagedIndex, IndexTrouble
from vaultmem.grown import Named
from vaultmem.jobs import Job
from vaultmem.model import AliasRow, AuthorFact, Chunk, Entry, FileStat, RegistryNote
from vaultmem.store.index.authors import author_facts
from vaultmem.store.index.compact import compact, drop_traces
from vaultmem.store.index.company import appearances, named_beside, newest_named
from vaultmem.store.index.connection import identity, is_damage, mark_damaged, open_connection, refuses, within
from vaultmem.store.index.filters import meanings_of
from vaultmem.store.index.forest import SqliteForest
from vaultmem.store.index.held import SqliteHeld
from vaultmem.store.index.jobs import SqliteQueue, put_jobs
from vaultmem.store.index.kin import SqliteCompany
from vaultmem.store.index.naming import chunks_mentioning
from vaultmem.store.index.read import (
    chunk,
    chunks_in,
    chunks_of,
    counts,
    digest,
    documents_named,
    documents_with,
    in_place_stats,
    known_keys,
    next_seq,
    note_stats,
    source_titles,
    sources,
)
from vaultmem.store.index.shown import around, chunks_named
from vaultmem.store.index.sight import Sight
from vaultmem.store.index.spans import refresh_around
from vaultmem.store.index.trees import SqliteTrees
from vaultmem.store.index.vectors import (
    drop_orphans,
    drop_stale,
    pending,
    put,
    put_refused,
    refused_texts,
    retry_refused,
    signatures,
)
from vaultmem.store.index.views import dropped, entity_counts, ids_beginning, unregistered
from vaultmem.store.index.write import chunks_at, clear_all, put_entries, put_registry, remove_paths


class SqliteIndex(SqliteTrees):
    """An open index file, for any number of threads.

    They share one connection under one lock, held for a transaction: those of a connection cannot overlap, and a second
    one would be waited for in SQLite's busy loop. Other processes read beside it without waiting.
    """

    def __init__(self, path: Path, told: Callable[[str], None] = lambda _: None) -> None:
        self._path, self._open = path, partial(open_connection, path, told)
        opened = self._open()
        self._db = opened.connection
        # reentrant, so that a transaction opened inside another is SQLite's error and no deadlock
        self._lock = RLock()
        self._sight = Sight()
        self._file = identity(path) if opened.is_live else None
        self._is_damaged = False
        #: "ready" | "fresh" | "set aside: <cause>": anything but "ready" has to be filled by a rebuild
        self.state = opened.state

    @property
    def queue(self) -> SqliteQueue:
        """The work that follows from this index's rows."""
        return SqliteQueue(self._writing, self._reading)

    @property
    def held(self) -> SqliteHeld:
        """What exports that come again are asked against."""
        return SqliteHeld(self._reading)

    @property
    def forest(self) -> SqliteForest:
        """What questions of time ask of the source trees."""
        return SqliteForest(self._reading)

    @property
    def company(self) -> SqliteCompany:
        """What questions ask of entities: where each stands, and beside whom."""
        return SqliteCompany(self._reading, self._sight.spreads)

    def commit(self, entries: Sequence[Entry], *, removed: Collection[str] = (), jobs: Sequence[Job] = ()) -> None:
        """Replace the rows of these notes (by chunk_id and by path), drop those of the removed paths, enqueue."""
        with self._writing() as db:
            paths = [*removed, *(entry.path for entry in entries)]
            touched = {entry.chunk.chunk_id for entry in entries} | chunks_at(db, paths)
            gone = remove_paths(db, paths) | put_entries(db, entries)
            drop_orphans(db, gone)
            refresh_around(db, touched)
            put_jobs(db, jobs)

    def replace_registry(
        self, notes: Sequence[RegistryNote], aliases: Sequence[AliasRow], *, unread: Collection[str] = ()
    ) -> None:
        """The whole registry as the notes say it now, and the notes that are to be read again because of it."""
        with self._writing() as db:
            put_registry(db, notes, aliases, unread)

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value: never part of the digest."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def clear(self) -> None:
        """Forget everything."""
        with self._writing() as db:
            clear_all(db)

    def note_stats(self) -> Mapping[str, tuple[FileStat, str]]:
        """Chunk notes the index knows: path -> (stat at indexing, chunk_id)."""
        with self._reading() as db:
            return note_stats(db)

    def in_place_stats(self) -> Mapping[str, FileStat]:
        """Notes of the user's own that the index holds: path -> stat at indexing."""
        with self._reading() as db:
            return in_place_stats(db)

    def chunks_at(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of the note that stands there, in its order."""
        with self._reading() as db:
            return chunks_in(db, path)

    def known_keys(self, source_id: str, keys: Collection[str]) -> Mapping[str, str]:
        """Which of these message keys the source already holds: key -> path of the note it stands in."""
        with self._reading() as db:
            return known_keys(db, source_id, keys)

    def next_seq(self, source_id: str) -> int:
        """One more than the highest seq of the source's notes; 0 for a new one."""
        with self._reading() as db:
            return next_seq(db, source_id)

    def chunks_of(self, source_id: str) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of a source in reading order."""
        with self._reading() as db:
            return chunks_of(db, source_id)

    def sources(self) -> tuple[Mapping[str, object], ...]:
        """One row per source: source_id, source_kind, tree_scope, chunks, dropped, first_ms, last_ms."""
        with self._reading() as db:
            return sources(db)

    def source_titles(self, source_ids: Collection[str]) -> Mapping[str, str]:
        """Of each of these sources the title of its newest chunk."""
        with self._reading() as db:
            return source_titles(db, source_ids)

    def documents_with(self, own_id: str) -> tuple[str, ...]:
        """source_ids of the documents that have this id of their own: several notes may be about one web page."""
        with self._reading() as db:
            return documents_with(db, own_id)

    def documents_named(self, source_id: str) -> tuple[tuple[str, str], ...]:
        """(source_id, own_id) of the document sources of this id and of those numbered like `<id> (2)`."""
        with self._reading() as db:
            return documents_named(db, source_id)

    def chunk(self, chunk_id: str) -> tuple[str, Chunk] | None:
        """(path, chunk) or None."""
        with self._reading() as db:
            return chunk(db, chunk_id)

    def registry(self) -> tuple[RegistryNote, ...]:
        """The registry as last given."""
        with self._reading() as db:
            return self._sight.registry(db)

    def resolve_each(self, surfaces: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Folded surface -> entity ids it means (several: ambiguous); those that mean nothing are left out."""
        with self._reading() as db:
            return meanings_of(db, surfaces)

    def chunks_mentioning(self, words: Collection[str]) -> frozenset[str]:
        """chunk_ids whose text may contain one of these folded names (a superset)."""
        with self._reading() as db:
            return chunks_mentioning(db, words)

    def around(self, passages: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Around]:
        """(chunk_id, ordinal) -> what stands beside it, of those of these that there are."""
        with self._reading() as db:
            return around(db, passages)

    def chunks_named(self, chunk_ids: Collection[str]) -> Mapping[str, IndexedChunk]:
        """chunk_id -> all that is held of it, of those of these that there are."""
        with self._reading() as db:
            return chunks_named(db, chunk_ids)

    def author_facts(self, own: Collection[str]) -> tuple[AuthorFact, ...]:
        """Every surface that speaks, is written to or is linked to, with its counts."""
        with self._reading() as db:
            return author_facts(db, own)

    def candidates(
        self,
        words: Sequence[str],
        filters: Filters,
        *,
        limit: int,
        spans_ms: Sequence[tuple[int, int]] = (),
        entities: Sequence[str] = (),
        meaning: Meaning | None = None,
        weights: Weights = WEIGHTS,
    ) -> tuple[tuple[PassageRow, ...], int]:
        """Passages that match and pass all filters, in no order: see the port."""
        from vaultmem.store.index.search import find_candidates  # lazily: it brings numpy, which only a question needs

        with self._reading() as db:
            where = self._sight.map(db)
            comparison = self._sight.comparison(db, meaning, weights) if meaning else None
            return find_candidates(
                db, where, words, self._sight.allowed(db, filters), kept=self._sight.words(db),
                limit=limit, spans_ms=spans_ms, entities=entities, comparison=comparison, weights=weights,
            )  # fmt: skip

    def nearest(self, meaning: Meaning, filters: Filters, *, limit: int) -> tuple[tuple[str, int, float], ...]:
        """(chunk_id, ordinal, cosine) of the passages nearest in meaning, best first."""
        from vaultmem.store.index.search import find_nearest

        with self._reading() as db:
            where = self._sight.map(db)
            allowed = self._sight.allowed(db, filters)
            return find_nearest(db, where, self._sight.comparison(db, meaning), allowed, limit=limit)

    @property
    def vector_backend(self) -> str:
        """What compares vectors: numpy | sqlite-vec | signs; "" before the first question by meaning."""
        return self._sight.backend

    def passages_without_vector(self, signature: str, limit: int) -> tuple[tuple[bytes, str], ...]:
        """(hash, text to embed) of passages that have no vector of this signature: see the port."""
        with self._reading() as db:
            return pending(db, signature, limit)

    def put_vectors(
        self, signature: str, vectors: Mapping[bytes, Sequence[float]], *, refused: Collection[bytes] = ()
    ) -> None:
        """Store vectors by the hash of their text, and which texts have none: see the port. Raises BadVector."""
        with self._writing() as db:
            put(db, signature, vectors)
            put_refused(db, signature, refused)

    def vector_signatures(self) -> Mapping[str, int]:
        """Vectors kept of each signature."""
        with self._reading() as db:
            return signatures(db)

    def refused_texts(self, signature: str) -> int:
        """How many texts this signature's model makes nothing of."""
        with self._reading() as db:
            return refused_texts(db, signature)

    def retry_refused(self) -> int:
        """Forget which texts were refused, by any model; how many."""
        with self._writing() as db:
            return retry_refused(db)

    def likely_backend(self, count: int) -> str:
        """What compares so many vectors at a question now; "" when there are none."""
        with self._reading() as db:
            return self._sight.likely_backend(db, count)

    def vector_counts(self, signature: str) -> tuple[int, int]:
        """How many passages have a vector of this signature, and how many should."""
        with self._reading() as db:
            return self._sight.counts(db, signature)

    def drop_stale_vectors(self, signature: str) -> int:
        """Drop vectors of other signatures and of texts that stand nowhere; how many went."""
        with self._writing() as db:
            return drop_stale(db, signature)

    def entity_counts(self) -> Mapping[str, int]:
        """Entity id -> passages of chunks not dropped that name it."""
        with self._reading() as db:
            return entity_counts(db)

    def appearances(self, ids: Collection[str]) -> tuple[tuple[str, str, bool], ...]:
        """(entity id, source that names it, whether it speaks, writes or is written to there)."""
        with self._reading() as db:
            return appearances(db, ids)

    def newest_named(self, each: int) -> tuple[tuple[str, Named], ...]:
        """(entity id, passage that names it): the `each` newest of every entity, newest first."""
        with self._reading() as db:
            return newest_named(db, each)

    def named_beside(self, each: int) -> tuple[tuple[str, str], ...]:
        """(entity id, another that stands in the same passages): the `each` most frequent of every entity."""
        with self._reading() as db:
            return named_beside(db, each)

    def unregistered(self) -> tuple[tuple[str, str, str, int], ...]:
        """(kind, surface, text as written, passages) of every surface that no entity note claims."""
        with self._reading() as db:
            return unregistered(db)

    def dropped(self, limit: int) -> tuple[tuple[tuple[str, Chunk], ...], int]:
        """The newest dropped chunks with their paths, and how many there are."""
        with self._reading() as db:
            return dropped(db, limit)

    def ids_beginning(self, beginning: str) -> tuple[str, ...]:
        """The first two ids of chunks and summaries that begin so."""
        with self._reading() as db:
            return ids_beginning(db, beginning)

    def counts(self) -> Mapping[str, int]:
        """notes, admitted, dropped, pending, passages, sources, entities, mentions."""
        with self._reading() as db:
            return counts(db)

    def digest(self) -> str:
        """SHA-256 of the logical content: the same for any two indexes of the same vault."""
        with self._reading() as db:
            return digest(db)

    def get_meta(self, key: str) -> str:
        """A remembered value; "" when unset."""
        with self._reading() as db:
            return str(db.execute("SELECT value FROM meta WHERE key = ?", (key,)).get or "")

    def drop_traces(self, words: Collection[str]) -> None:
        """Forget what is remembered of these words beside the rows."""
        with self._writing() as db:
            drop_traces(db, words)

    def compact(self) -> bool:
        """Overwrite what deleted rows left in the file; False when a reader keeps its log from being emptied."""
        with self._lock, self._named_trouble():
            return compact(self._db)

    def check(self) -> str:
        """SQLite's own look at every page: "" when whole, else the first problem."""
        with self._reading() as db:
            found = str(db.execute("PRAGMA quick_check(1)").get)
            return "" if found == "ok" else found

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        """A transaction that takes the write lock at once: a reader that upgrades later could only fail."""
        with self._lock, self._named_trouble():
            self._follow()
            yield from within(self._db, "BEGIN IMMEDIATE")

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """One snapshot for all that a question reads."""
        with self._lock, self._named_trouble():
            self._follow()
            yield from within(self._db, "BEGIN")

    def _follow(self) -> None:
        """Another process may have set the file aside, or this one found it damaged: a `watch` must not go on for days
        with a file that nobody else reads.
        """
        there = identity(self._path)
        if (there in (None, self._file) and not self._is_damaged) or self._db.in_transaction:
            return
        opened = self._open()
        self._db.close()
        self._db, self.state = opened.connection, opened.state
        self._file = identity(self._path) if opened.is_live else None
        self._sight, self._is_damaged = Sight(), False

    @contextmanager
    def _named_trouble(self) -> Iterator[None]:
        """SQLite's errors by our names; damage is marked, so that the next opener starts afresh."""
        try:
            yield
        except apsw.Error as error:
            if is_damage(error):
                mark_damaged(self._path, str(error).splitlines()[0])
                self._is_damaged = True
                raise DamagedIndex(str(self._path), str(error)) from error
            raise (CannotWrite if refuses(error) else IndexTrouble)(str(self._path), str(error)) from error
