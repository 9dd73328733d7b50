"""The reading order of one state of the index, as arrays."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from vaultmem.core.recall.bm25 import Floats, Ints, Layout
from vaultmem.store.index.rows import COVER, ORDINAL_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """The layout of one state of the index, and how its positions and SQLite's numbers translate."""

    layout: Layout
    #: chunk number of each chunk; the chunks stand in the order of their ids, which no rebuild changes
    chunks: Ints
    #: place of each chunk number in `chunks`, for those that there are
    slots: NDArray[np.int32]
    #: time of each passage, microseconds
    times: Ints
    #: number in `sources` of each chunk's source and kind
    source_of: NDArray[np.int32]
    #: (source_id, source_kind)
    sources: tuple[tuple[str, str], ...]

    def places(self, numbers: Ints) -> Ints:
        """Position of each passage number."""
        return self.layout.starts[self.chunk_places(numbers >> ORDINAL_BITS)] + (numbers & COVER)

    def chunk_places(self, chunks: Ints) -> Ints:
        """Position of each chunk number."""
        return np.asarray(self.slots[chunks], dtype=np.int64)

    def numbers(self, places: Ints) -> Ints:
        """Passage number of each position."""
        chunk = self.layout.chunk_of[places]
        return (self.chunks[chunk] << ORDINAL_BITS) | (places - self.layout.starts[chunk])


#: By number, as they stand in the file: read in the order of ids, every row would be a seek.
_LAYOUT = (
    "SELECT l.chunk, l.cover_words, l.word_counts, l.times_us, c.source_id, c.source_kind"
    " FROM layout l JOIN chunks c ON c.id = l.chunk ORDER BY l.chunk"
)
_ORDER = "SELECT group_concat(id) FROM (SELECT id FROM chunks ORDER BY chunk_id)"


def read_map(db: apsw.Connection) -> Map:
    """Load the layout: one narrow row per chunk."""
    read = _read(db)
    chunks = np.fromstring(str(db.execute(_ORDER).get or ""), dtype=np.int64, sep=",")
    order = np.searchsorted(read.numbers, chunks)
    per_chunk = read.sizes[order]
    starts, first = starts_of(per_chunk), starts_of(read.sizes)
    chunk_of = np.repeat(np.arange(len(chunks), dtype=np.int64), per_chunk)
    # of each passage in the order of ids, where it stands in the order of numbers
    at = np.arange(len(chunk_of)) + (first[order] - starts)[chunk_of]
    lengths = np.frombuffer(read.word_counts, dtype="<u4")[at].astype(np.float64)
    return Map(
        layout=Layout(
            starts=starts,
            chunk_of=chunk_of,
            lengths=lengths,
            chunk_lengths=read.titles[order] + np.bincount(chunk_of, weights=lengths, minlength=len(chunks)),
        ),
        chunks=chunks,
        slots=slots_of(chunks),
        times=np.frombuffer(read.times_us, dtype="<i8")[at].astype(np.int64),
        source_of=read.source_of[order],
        sources=read.sources,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The rows in the order of their numbers."""

    numbers: Ints
    #: passages of each chunk
    sizes: Ints
    titles: Floats
    source_of: NDArray[np.int32]
    sources: tuple[tuple[str, str], ...]
    word_counts: bytes
    times_us: bytes


def _read(db: apsw.Connection) -> _Read:
    """A part at a time: rows as Python has them take ten times the room."""
    numbers, sizes, titles, source_of = array("q"), array("q"), array("d"), array("i")
    word_counts, times_us = bytearray(), bytearray()
    names: dict[tuple[str, str], int] = {}
    for number, cover, words, times, source, kind in db.execute(_LAYOUT):
        numbers.append(number)
        sizes.append(len(words) // 4)
        titles.append(cover)
        source_of.append(names.setdefault((source, kind), len(names)))
        word_counts += words
        times_us += times
    return _Read(
        numbers=np.frombuffer(numbers, dtype=np.int64),
        sizes=np.frombuffer(sizes, dtype=np.int64),
        titles=np.frombuffer(titles, dtype=np.float64),
        source_of=np.frombuffer(source_of, dtype=np.int32),
        sources=tuple(names),
        word_counts=bytes(word_counts),
        times_us=bytes(times_us),
    )


def starts_of(sizes: Ints) -> Ints:
    """Where each of parts of these sizes begins."""
    return np.asarray(np.cumsum(sizes) - sizes, dtype=np.int64)


def slots_of(chunks: Ints) -> NDArray[np.int32]:
    """Place of each chunk number in `chunks`; anything for those that are not there."""
    slots = np.zeros(int(chunks.max()) + 1 if len(chunks) else 1, dtype=np.int32)
    slots[chunks] = np.arange(len(chunks), dtype=np.int32)
    return slots
