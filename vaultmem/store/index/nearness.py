"""Which passages mean what is asked: cosines laid over the reading order, each softened by its neighbours'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain

import apsw
import numpy as np
from numpy.typing import NDArray

from vaultmem.answers import Meaning
from vaultmem.core.recall.bm25 import Bools, Floats, Ints, starts_of_runs
from vaultmem.core.recall.weights import Weights
from vaultmem.store.index.changes import Changes
from vaultmem.store.index.follow import Move, within
from vaultmem.store.index.layout import Map
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json
from vaultmem.store.index.similarity import Cosines, Similarity

#: Above it nothing would be left to tell by: of texts that all say the same.
_HIGHEST_FLOOR = 0.99
#: How many more than wanted are compared with all their neighbours.
_SPARE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMap:
    """Where the vectors of one signature stand in one state of the index."""

    #: all ids of the signature, ascending
    ids: Ints
    #: for each passage, the place of its vector in `ids`; -1 without one
    row_of: NDArray[np.int32]


def read_vector_map(db: apsw.Connection, where: Map, signature: str) -> VectorMap:
    """Lay the vectors over the passages; equal texts share one."""
    told: str | None = db.execute(_IDS, (signature,)).get
    ids = np.fromstring(told or "", dtype=np.int64, sep=",")
    pairs = np.fromiter(chain.from_iterable(db.execute(_PAIRS, (signature,))), dtype=np.int64).reshape(-1, 2)
    row_of = np.full(len(where.times), -1, dtype=np.int32)
    row_of[where.places(pairs[:, 0])] = np.searchsorted(ids, pairs[:, 1])
    return VectorMap(ids=ids, row_of=row_of)


_IDS = "SELECT group_concat(id) FROM (SELECT id FROM vectors WHERE signature = ? ORDER BY id)"
_PAIRS = "SELECT p.id, v.id FROM vectors v JOIN passages p ON p.text_hash = v.text_hash WHERE v.signature = ?"


def followed_vectors(
    db: apsw.Connection, where: Map, old: VectorMap, move: Move | None, changes: Changes, signature: str
) -> VectorMap:
    """The vector map as it is now, when this much changed since `old` was read; `move`: None where no chunk did."""
    newest = int(old.ids[-1]) if len(old.ids) else 0
    told: str | None = db.execute(_NEW_IDS, (signature, newest)).get
    came = np.fromstring(told or "", dtype=np.int64, sep=",")
    lost = within(old.ids, np.array(sorted(changes.vectors), dtype=np.int64))
    ids = np.concatenate((old.ids[~lost], came))
    row_of = old.row_of.copy() if move is None else move.passages.applied(old.row_of, np.array([-1], dtype=np.int32))
    if lost.any():
        # place of each older id among those left; -1 for those that went, and for passages without a vector
        left = np.append(np.where(lost, -1, np.cumsum(~lost) - 1), -1).astype(np.int32)
        row_of = left[row_of]
    fresh = db.execute(_PAIRS_OF_CHUNKS, (signature, as_json(sorted(changes.chunks))))
    later = db.execute(_NEW_PAIRS, (signature, newest))
    pairs = np.fromiter(chain.from_iterable(chain(fresh, later)), dtype=np.int64).reshape(-1, 2)
    row_of[where.places(pairs[:, 0])] = np.searchsorted(ids, pairs[:, 1])
    return VectorMap(ids=ids, row_of=row_of)


_NEW_IDS = (
    "SELECT group_concat(id) FROM (SELECT id FROM vectors NOT INDEXED WHERE signature = ? AND id > ? ORDER BY id)"
)
_NEW_PAIRS = (
    "SELECT p.id, v.id FROM vectors v NOT INDEXED CROSS JOIN passages p ON p.text_hash = v.text_hash"
    " WHERE v.signature = ? AND v.id > ?"
)
_PAIRS_OF_CHUNKS = (
    f"SELECT p.id, v.id FROM json_each(?2) j CROSS JOIN passages p"  # noqa: S608 - made of constants
    f" ON p.id BETWEEN j.value << {ORDINAL_BITS} AND (j.value << {ORDINAL_BITS}) + {COVER}"
    " CROSS JOIN vectors v ON v.signature = ?1 AND v.text_hash = p.text_hash"
)


#: Places -> how near each is.
Near = Callable[[Ints], Floats]


class Laid:
    """Cosines of vectors laid over the passages that hold them: 0 for every other passage."""

    def __init__(self, found: Cosines, vectors: VectorMap, held: Bools) -> None:
        self._found = found
        self._row_of = vectors.row_of
        self._held = held

    def at(self, places: Ints) -> Floats:
        """Of these places."""
        if not len(self._found):
            return np.zeros(len(places))
        codes = self._found.codes[self._row_of[places]]
        own = codes if self._found.values is None else self._found.values[codes]
        return np.where(self._held[places], own, 0.0)

    def over(self, least: float) -> Ints:
        """The held places that are as near as this or nearer."""
        if not len(self._found):
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(np.take(self._found.reach(least), self._row_of, mode="wrap") & self._held)


class Compared:
    """Exact cosines of the vectors that one question was compared with: none is read twice."""

    def __init__(self, count: int) -> None:
        # of every vector, and yet the system gives memory for what is written alone
        self._cosines = np.zeros(count)
        self._is_known = np.zeros(count, dtype=bool)

    def lacking(self, rows: Ints) -> Ints:
        """Those of `rows` that were not compared yet, ascending, none twice."""
        fresh = np.sort(rows[~self._is_known[rows]])
        return fresh[starts_of_runs(fresh)]

    def add(self, rows: Ints, cosines: Floats) -> None:
        """These were compared."""
        self._cosines[rows] = cosines
        self._is_known[rows] = True

    def of(self, rows: Ints) -> Floats:
        """The cosines of `rows`, which were all compared."""
        return self._cosines[rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One question's vector beside the vectors of the index, over the passages it may look at."""

    where: Map
    similarity: Similarity
    vectors: VectorMap
    meaning: Meaning
    weights: Weights
    compared: Compared

    def held(self, allowed: Bools) -> Bools:
        """Passages that are allowed and have a vector."""
        return (self.vectors.row_of >= 0) & allowed

    def cosines(self, held: Bools) -> Laid:
        """Of every held passage, as good as `Similarity.cosines`: for choosing."""
        return Laid(self._all(), self.vectors, held)

    def nearness(self, held: Bools) -> tuple[Laid, float]:
        """The cosines above the model's floor, and that floor: where unrelated texts lie for this question.

        Some models find any two texts alike (e5: 0.75); softened by neighbours such cosines would tell how many
        neighbours a passage has. Others have no floor to speak of, and their cosines stay as they are.
        """
        found = self._all()
        # the median itself is needed only where it lies so high: counting is ten times as quick
        is_floored = 2 * found.count_above(self.weights.floored) > len(found)
        floor = min(round(found.median(), 2), _HIGHEST_FLOOR) if is_floored else 0.0
        return Laid(found.above(floor), self.vectors, held), floor

    def _all(self) -> Cosines:
        asked = np.asarray(self.meaning.vector, dtype=np.float32)
        return self.similarity.cosines(self.meaning.signature, self.vectors.ids, asked)

    def exact(self, places: Ints) -> Floats:
        """Of these held passages, the same on every machine: float64, 9 digits."""
        rows = self.vectors.row_of[places].astype(np.int64)
        fresh = self.compared.lacking(rows)
        if len(fresh):
            vectors = self.similarity.vectors(self.vectors.ids[fresh])
            self.compared.add(fresh, np.round(vectors @ np.asarray(self.meaning.vector, np.float64), 9))
        return self.compared.of(rows)

    def soften(self, own: Near, places: Ints) -> Floats:
        """Those of `places` with their neighbours' share: an answer often stands beside what sounds like the question.

        `own`: of any places. A passage with fewer neighbours is scaled up: it is not less near for standing alone.
        """
        chunk_of, row_of = self.where.layout.chunk_of, self.vectors.row_of
        share, count = np.zeros(len(places)), np.zeros(len(places))
        for step in (-1, 1):
            beside = places + step
            inside = (beside >= 0) & (beside < len(row_of))
            beside[~inside] = 0
            there = inside & (chunk_of[beside] == chunk_of[places]) & (row_of[beside] >= 0)
            share += own(beside) * there
            count += there
        near = self.weights.near
        return (own(places) + near * share) * (1 + 2 * near) / (1 + near * count)

    def narrowed(self, places: Ints, own: Near, times: Ints, limit: int, floor: float) -> Ints:
        """Of places chosen by `own` those that stay when their own cosines are exact: fewer neighbours are read.

        Those that only seemed near go, or how many vectors there are would say what is a candidate.
        """
        exact = _above(self.exact(places), floor)
        near = exact >= self.weights.least_cosine
        places, exact = places[near], exact[near]
        few = limit + _SPARE
        if len(places) <= few:
            return places
        scores = self.soften(own, places) - own(places) + exact
        return places[np.lexsort((places, times[places], -scores))[:few]]

    def softened(self, places: Ints, held: Bools, floor: float) -> Mapping[int, float]:
        """Place -> its exact softened cosine above the floor, for those of `places` that have a vector."""
        around = np.concatenate((places, places - 1, places + 1))
        around = around[(around >= 0) & (around < len(held))]
        around = around[held[around]]
        own = np.zeros(len(held))
        own[around] = _above(self.exact(around), floor)
        there = places[held[places]]
        return dict(zip(there.tolist(), self.soften(own.__getitem__, there).tolist(), strict=True))


def _above(cosines: Floats, floor: float) -> Floats:
    """1 stays 1, the floor becomes 0."""
    return (cosines - floor) / (1.0 - floor) if floor else cosines
