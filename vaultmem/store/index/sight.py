"""What questions have read of an index and the next one need not read again: what has changed since is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.model import RegistryNote
from vaultmem.store.index.changes import Changes, Stamp, changes_between, read_stamp, registry_stamp
from vaultmem.store.index.read import registry
from vaultmem.store.index.vectors import vector_counts

if TYPE_CHECKING:  # at run time only once a question is asked: they bring numpy
    from vaultmem.core.recall.bm25 import Allowed
    from vaultmem.store.index.layout import Map
    from vaultmem.store.index.nearness import Comparison, VectorMap
    from vaultmem.store.index.similarity import Similarity
    from vaultmem.store.index.wordlists import WordLists

#: Filters whose passages are kept: 1 MB each at a million.
_KEPT_FILTERS = 8


class Sight:
    """Reading order, vector map and what compares vectors. Used inside a transaction only."""

    def __init__(self) -> None:
        self._version = (-1, -1)
        #: what the index is now, and what it was when map, words and vectors were read
        self._now: Stamp | None = None
        self._read: Stamp | None = None
        self._counts: dict[str, tuple[int, int]] = {}
        self._map: Map | None = None
        self._words: WordLists | None = None
        self._allowed: dict[Filters, Allowed] = {}
        self._vectors: tuple[str, VectorMap] | None = None
        self._spreads: dict[str, int] = {}
        self._similarity: Similarity | None = None
        self._registry: tuple[str, tuple[RegistryNote, ...]] = ("", ())

    @property
    def backend(self) -> str:
        """What compares vectors; "" before the first question."""
        return self._similarity.name if self._similarity else ""

    def likely_backend(self, db: apsw.Connection, count: int) -> str:
        """What would compare so many vectors; "" for none."""
        if not count:
            return ""
        from vaultmem.store.index.similarity import choose

        return choose(db, count, first=self._similarity is None, now=self._similarity).name

    def registry(self, db: apsw.Connection) -> tuple[RegistryNote, ...]:
        """The registry as last given: a pass asks for it five times, a `watch` at each save."""
        stamp = registry_stamp(db)
        if not stamp:
            return registry(db)
        if stamp != self._registry[0]:
            self._registry = (stamp, registry(db))
        return self._registry[1]

    def map(self, db: apsw.Connection) -> Map:
        """The reading order as it is now."""
        from vaultmem.store.index.layout import read_map

        self._refresh(db)
        if self._map is not None and self._read == self._now:
            return self._map
        changes = changes_between(db, self._read, self._now) if self._read and self._now else None
        if self._map is None or changes is None:
            self._map, self._words, self._vectors = read_map(db), None, None
        else:
            self._map = self._follow(db, self._map, changes)
        self._read = self._now
        return self._map

    def _follow(self, db: apsw.Connection, before: Map, changes: Changes) -> Map:
        """The reading order as it is now, and words and vectors along with it."""
        from vaultmem.store.index.follow import followed
        from vaultmem.store.index.nearness import followed_vectors
        from vaultmem.store.index.said import read_words

        where, move = followed(db, before, changes.chunks) if changes.chunks else (before, None)
        if self._words and move:
            self._words.follow(where, move, read_words(db, changes.chunks))
        if self._vectors:
            signature, vectors = self._vectors
            self._vectors = (signature, followed_vectors(db, where, vectors, move, changes, signature))
        return where

    def words(self, db: apsw.Connection) -> WordLists:
        """The lists of words as they are now."""
        from vaultmem.store.index.wordlists import WordLists

        self.map(db)
        if self._words is None:
            self._words = WordLists()
        return self._words

    def allowed(self, db: apsw.Connection, filters: Filters) -> Allowed:
        """What these filters let through."""
        from vaultmem.store.index.search import find_allowed

        where = self.map(db)
        if filters not in self._allowed:
            if len(self._allowed) == _KEPT_FILTERS:
                self._allowed.clear()
            self._allowed[filters] = find_allowed(db, where, filters)
        return self._allowed[filters]

    def counts(self, db: apsw.Connection, signature: str) -> tuple[int, int]:
        """How many passages have a vector of this signature, and how many should."""
        self._refresh(db)
        if signature not in self._counts:
            self._counts[signature] = vector_counts(db, signature)
        return self._counts[signature]

    def spreads(self, db: apsw.Connection) -> dict[str, int]:
        """Entity -> how many chunks name it, of those that were counted."""
        self._refresh(db)
        return self._spreads

    def _refresh(self, db: apsw.Connection) -> None:
        """Look whether anybody has written since, and whether it is anything that questions read."""
        version = (int(db.pragma("data_version")), db.total_changes())
        if self._version == version:
            return
        self._version, self._counts, before = version, {}, self._now
        self._now = read_stamp(db)
        if self._now != before:
            self._allowed, self._spreads = {}, {}

    def comparison(self, db: apsw.Connection, meaning: Meaning, weights: Weights = WEIGHTS) -> Comparison:
        """The question's vector beside those of its signature."""
        from vaultmem.store.index.nearness import Compared, Comparison, read_vector_map
        from vaultmem.store.index.similarity import choose

        where = self.map(db)
        if self._vectors is None or self._vectors[0] != meaning.signature:
            self._vectors = (meaning.signature, read_vector_map(db, where, meaning.signature))
        vectors = self._vectors[1]
        first = self._similarity is None
        self._similarity = choose(db, len(vectors.ids), first=first, now=self._similarity)
        return Comparison(
            where=where, similarity=self._similarity, vectors=vectors, meaning=meaning, weights=weights,
            compared=Compared(len(vectors.ids)),
        )  # fmt: skip
