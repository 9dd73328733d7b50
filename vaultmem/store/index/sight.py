"""What questions have read of an index and the next one need not read again, as long as nothing changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from vaultmem.answers import Meaning

if TYPE_CHECKING:  # at run time only once a question is asked: they bring numpy
    from vaultmem.store.index.layout import Map
    from vaultmem.store.index.nearness import Comparison, VectorMap
    from vaultmem.store.index.similarity import Similarity


class Sight:
    """Reading order, vector map and what compares vectors. Used inside a transaction only."""

    def __init__(self) -> None:
        self._version = (-1, -1)
        self._map: Map | None = None
        self._vectors: tuple[str, VectorMap] | None = None
        self._similarity: Similarity | None = None

    @property
    def backend(self) -> str:
        """What compares vectors; "" before the first question."""
        return self._similarity.name if self._similarity else ""

    def map(self, db: apsw.Connection) -> Map:
        """The reading order as it is now."""
        from vaultmem.store.index.layout import read_map

        version = (int(db.pragma("data_version")), db.total_changes())
        if self._map is None or self._version != version:
            self._map, self._vectors = read_map(db), None
            self._version = version
        return self._map

    def comparison(self, db: apsw.Connection, meaning: Meaning) -> Comparison:
        """The question's vector beside those of its signature."""
        from vaultmem.store.index.nearness import Comparison, read_vector_map
        from vaultmem.store.index.similarity import choose

        where = self.map(db)
        if self._vectors is None or self._vectors[0] != meaning.signature:
            self._vectors = (meaning.signature, read_vector_map(db, where, meaning.signature))
        vectors = self._vectors[1]
        self._similarity = choose(db, len(vectors.ids), self._similarity)
        return Comparison(where=where, similarity=self._similarity, vectors=vectors, meaning=meaning)
