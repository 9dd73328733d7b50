"""Which passages mean what is asked: cosines laid over the reading order, each softened by its neighbours'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import apsw
import numpy as np

from vaultmem.answers import Meaning
from vaultmem.core.recall.bm25 import Bools, Floats, Ints
from vaultmem.core.recall.weights import Weights
from vaultmem.store.index.layout import Map
from vaultmem.store.index.similarity import Similarity

#: How many more than wanted are compared with all their neighbours.
_SPARE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMap:
    """Where the vectors of one signature stand in one state of the index."""

    #: all ids of the signature, ascending
    ids: Ints
    #: for each passage, the place of its vector in `ids`; -1 without one
    row_of: Ints


def read_vector_map(db: apsw.Connection, where: Map, signature: str) -> VectorMap:
    """Lay the vectors over the passages; equal texts share one."""
    numbers = db.execute("SELECT id FROM vectors WHERE signature = ? ORDER BY id", (signature,))
    ids = np.fromiter((row[0] for row in numbers), dtype=np.int64)
    pairs = np.fromiter(chain.from_iterable(db.execute(_PAIRS, (signature,))), dtype=np.int64).reshape(-1, 2)
    row_of = np.full(len(where.times), -1, dtype=np.int64)
    row_of[where.places(pairs[:, 0])] = np.searchsorted(ids, pairs[:, 1])
    return VectorMap(ids=ids, row_of=row_of)


_PAIRS = "SELECT p.id, v.id FROM vectors v JOIN passages p ON p.text_hash = v.text_hash WHERE v.signature = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One question's vector beside the vectors of the index, over the passages it may look at."""

    where: Map
    similarity: Similarity
    vectors: VectorMap
    meaning: Meaning
    weights: Weights

    def held(self, allowed: Bools) -> Bools:
        """Passages that are allowed and have a vector."""
        return (self.vectors.row_of >= 0) & allowed

    def cosines(self, held: Bools) -> Floats:
        """Of every held passage, as good as `Similarity.cosines`: for choosing. 0 elsewhere."""
        return self._laid(self._all(), held)

    def nearness(self, held: Bools) -> tuple[Floats, float]:
        """The cosines above the model's floor, and that floor: where unrelated texts lie for this question.

        Some models find any two texts alike (e5: 0.75); softened by neighbours such cosines would tell how many
        neighbours a passage has. Others have no floor to speak of, and their cosines stay as they are.
        """
        found = self._all()
        # the median itself is needed only where it lies so high: counting is ten times as quick
        is_floored = 2 * np.count_nonzero(found > self.weights.floored) > len(found)
        floor = round(float(np.median(found)), 2) if is_floored else 0.0
        return self._laid(_above(found, floor), held), floor

    def _all(self) -> Floats:
        asked = np.asarray(self.meaning.vector, dtype=np.float32)
        return self.similarity.cosines(self.meaning.signature, self.vectors.ids, asked)

    def _laid(self, found: Floats, held: Bools) -> Floats:
        own = np.zeros(len(held))
        own[held] = found[self.vectors.row_of[held]]
        return own

    def exact(self, places: Ints) -> Floats:
        """Of these held passages, the same on every machine: float64, 9 digits."""
        if not len(places):
            return np.zeros(0)
        rows, back = np.unique(self.vectors.row_of[places], return_inverse=True)
        found = self.similarity.vectors(self.vectors.ids[rows]) @ np.asarray(self.meaning.vector, np.float64)
        return np.asarray(np.round(found, 9)[back])

    def soften(self, own: Floats, places: Ints) -> Floats:
        """Those of `places` with their neighbours' share: an answer often stands beside what sounds like the question.

        `own` is of every passage. A passage with fewer neighbours is scaled up: it is not less near for standing alone.
        """
        chunk_of = self.where.layout.chunk_of
        share, count = np.zeros(len(places)), np.zeros(len(places))
        for step in (-1, 1):
            beside = places + step
            inside = (beside >= 0) & (beside < len(own))
            beside[~inside] = 0
            there = inside & (chunk_of[beside] == chunk_of[places]) & (self.vectors.row_of[beside] >= 0)
            share += own[beside] * there
            count += there
        near = self.weights.near
        return (own[places] + near * share) * (1 + 2 * near) / (1 + near * count)

    def narrowed(self, places: Ints, own: Floats, times: Ints, limit: int, floor: float) -> Ints:
        """Of places chosen by `own` those that stay when their own cosines are exact: fewer neighbours are read."""
        few = limit + _SPARE
        if len(places) <= few:
            return places
        scores = self.soften(own, places) - own[places] + _above(self.exact(places), floor)
        return places[np.lexsort((places, times[places], -scores))[:few]]

    def softened(self, places: Ints, allowed: Bools, floor: float) -> Mapping[int, float]:
        """Place -> its exact softened cosine above the floor, for those of `places` that have a vector."""
        held = self.held(allowed)
        around = np.unique(np.concatenate((places, places - 1, places + 1)))
        around = around[(around >= 0) & (around < len(held))]
        around = around[held[around]]
        own = np.zeros(len(held))
        own[around] = _above(self.exact(around), floor)
        there = places[held[places]]
        return dict(zip(there.tolist(), self.soften(own, there).tolist(), strict=True))


def _above(cosines: Floats, floor: float) -> Floats:
    """1 stays 1, the floor becomes 0."""
    return (cosines - floor) / (1.0 - floor) if floor else cosines
