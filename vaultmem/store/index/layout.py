"""The reading order of one state of the index, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np

from vaultmem.core.recall.bm25 import Ints, Layout
from vaultmem.store.index.rows import COVER, ORDINAL_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """The layout of one state of the index, and how its positions and SQLite's numbers translate."""

    layout: Layout
    #: chunk number of each chunk; the chunks stand in the order of their ids, which no rebuild changes
    chunks: Ints
    #: the order that sorts `chunks`
    by_number: Ints
    #: time of each passage, microseconds
    times: Ints

    def places(self, numbers: Ints) -> Ints:
        """Position of each passage number."""
        return self.layout.starts[self.chunk_places(numbers >> ORDINAL_BITS)] + (numbers & COVER)

    def chunk_places(self, chunks: Ints) -> Ints:
        """Position of each chunk number."""
        return self.by_number[np.searchsorted(self.chunks, chunks, sorter=self.by_number)]

    def numbers(self, places: Ints) -> Ints:
        """Passage number of each position."""
        chunk = self.layout.chunk_of[places]
        return (self.chunks[chunk] << ORDINAL_BITS) | (places - self.layout.starts[chunk])


_LAYOUT = (
    "SELECT l.chunk, l.cover_words, l.word_counts, l.times_us FROM layout l JOIN chunks c ON c.id = l.chunk"
    " ORDER BY c.chunk_id"
)


def read_map(db: apsw.Connection) -> Map:
    """Load the layout: one narrow row per chunk."""
    rows: list[Any] = db.execute(_LAYOUT).fetchall()
    chunks = np.array([row[0] for row in rows], dtype=np.int64)
    per_chunk = np.array([len(row[2]) // 4 for row in rows], dtype=np.int64)
    lengths = np.frombuffer(b"".join(row[2] for row in rows), dtype="<u4").astype(np.float64)
    chunk_of = np.repeat(np.arange(len(rows), dtype=np.int64), per_chunk)
    titles = np.array([row[1] for row in rows], dtype=np.float64)
    return Map(
        layout=Layout(
            starts=np.concatenate(([0], np.cumsum(per_chunk)))[: len(rows)].astype(np.int64),
            chunk_of=chunk_of,
            lengths=lengths,
            chunk_lengths=titles + np.bincount(chunk_of, weights=lengths, minlength=len(rows)),
        ),
        chunks=chunks,
        by_number=np.argsort(chunks),
        times=np.frombuffer(b"".join(row[3] for row in rows), dtype="<i8").astype(np.int64),
    )
