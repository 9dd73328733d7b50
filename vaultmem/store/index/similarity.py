"""Cosines of a question's vector and all vectors of one signature: by NumPy, by sqlite-vec inside SQLite, or by signs.

They only choose; what is shown is computed again from the chosen vectors in float64, so that NumPy, sqlite-vec, a
rebuilt index and another processor give the same numbers. Signs choose by whole numbers, the same everywhere, and the
count of vectors alone decides whether they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from vaultmem.core.recall.bm25 import Floats, Ints

Vector = NDArray[np.float32]

# Processor time at 384 numbers a vector, one core:
#                    1 question   each further one
#    5,000  sqlite-vec    0.01 s       0.011 s
#           NumPy         0.05 s       0.001 s
#   50,000  sqlite-vec    0.15 s       0.153 s
#           NumPy         0.30 s       0.012 s   (and 77 MB)
#: Up to here NumPy is quick enough at once.
SMALL = 1_000
#: Up to here every vector is compared; above, only those whose signs fit: at 12,500 that is five times as quick.
LARGE = 5_000
#: Of vectors that were read to be compared exactly so many stay in memory: 30 MB.
_KEPT = 20_000
#: One row more than there are vectors for every so many.
_SPARE_ROOM = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Cosines:
    """Cosines of one question and many vectors. There may be few different ones: then each vector has one's number."""

    #: of each vector its cosine, or its number in `values`
    codes: NDArray[Any]
    #: the different cosines, falling; None: `codes` are cosines themselves
    values: Floats | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def count_above(self, least: float) -> int:
        """How many are greater."""
        if self.values is None:
            return int(np.count_nonzero(self.codes > least))
        return int(np.count_nonzero(self.codes < np.count_nonzero(self.values > least)))

    def reach(self, least: float) -> NDArray[np.bool_]:
        """Which are as great or greater."""
        if self.values is None:
            return np.asarray(self.codes >= least)
        return np.asarray(self.codes < np.count_nonzero(self.values >= least))

    def median(self) -> float:
        """The middle one."""
        if self.values is None:
            return float(np.median(self.codes))
        upto = np.cumsum(np.bincount(self.codes, minlength=len(self.values)))
        middle = [int(np.searchsorted(upto, place, side="right")) for place in ((len(self) - 1) // 2, len(self) // 2)]
        return float(np.mean(self.values[middle]))

    def above(self, floor: float) -> Cosines:
        """1 stays 1, the floor becomes 0."""
        if not floor:
            return self
        if self.values is None:
            return Cosines(codes=(self.codes - floor) / (1.0 - floor))
        return Cosines(codes=self.codes, values=(self.values - floor) / (1.0 - floor))


class Similarity(Protocol):
    """One way to compare."""

    @property
    def name(self) -> str:
        """For `status`."""
        ...

    @property
    def spare(self) -> int:
        """How many more than wanted have to be compared exactly, for `cosines` may order them a little otherwise."""
        ...

    @property
    def blur(self) -> float:
        """How far below a border `cosines` may tell what lies above it."""
        ...

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Cosines:
        """Of these vectors (all of the signature, ascending), good enough to choose by with `spare`."""
        ...

    def vectors(self, ids: Ints) -> Floats:
        """Some vectors themselves, a row each."""
        ...


class NumpySimilarity:
    """All vectors in one matrix, which follows the index: only what is new is read."""

    name = "numpy"
    #: cosines are good to 6 digits
    spare = 32
    blur = 0.00001

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._ids: Ints = np.zeros(0, dtype=np.int64)
        #: a row for each of `_ids`, and room for some more
        self._room: Vector = np.zeros((0, 0), dtype=np.float32)

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Cosines:
        """A product of matrix and vector, in this thread: BLAS would wake others, which cost more than they bring."""
        self._follow(signature, ids, len(asked))
        return Cosines(codes=np.asarray(np.einsum("ij,j->i", self._matrix, asked), dtype=np.float64))

    @property
    def _matrix(self) -> Vector:
        return self._room[: len(self._ids)]

    def vectors(self, ids: Ints) -> Floats:
        """Rows of the matrix."""
        return self._matrix[np.searchsorted(self._ids, ids)].astype(np.float64)

    def _follow(self, signature: str, ids: Ints, size: int) -> None:
        """Ids are never used twice and only grow: what is kept stands in front of what is new."""
        if self._room.shape[1] != size:
            self._ids, self._room = np.zeros(0, dtype=np.int64), np.zeros((0, size), dtype=np.float32)
        if self._ids is ids or np.array_equal(self._ids, ids):
            return
        newest = int(self._ids[-1]) if len(self._ids) else 0
        rows: Iterable[Any] = self._db.execute(
            "SELECT vector FROM vectors NOT INDEXED WHERE signature = ? AND id > ? ORDER BY id", (signature, newest)
        ).fetchall()
        fresh = np.frombuffer(b"".join(row[0] for row in rows), dtype="<f4").reshape(-1, size)
        if not np.array_equal(ids[: len(self._ids)], self._ids):
            kept = np.isin(self._ids, ids)
            self._ids, self._room = self._ids[kept], self._matrix[kept]
        if len(ids) > len(self._room):  # with room to spare, or the next new vector would copy all of them again
            grown = np.empty((len(ids) + len(ids) // _SPARE_ROOM, size), dtype=np.float32)
            grown[: len(self._ids)] = self._matrix
            self._room = grown
        self._room[len(self._ids) : len(ids)] = fresh
        self._ids = ids


class SqliteVecSimilarity:
    """sqlite-vec's exact distance over the same rows; its own tables would hold every vector twice."""

    name = "sqlite-vec"
    spare = 32
    blur = 0.00001

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Cosines:
        """One scan; `ids` are what it meets."""
        rows: Iterable[Any] = self._db.execute(
            "SELECT vec_distance_cosine(vector, ?) FROM vectors NOT INDEXED WHERE signature = ? ORDER BY id",
            (asked.astype("<f4").tobytes(), signature),
        )
        return Cosines(codes=1.0 - np.fromiter((row[0] for row in rows), dtype=np.float64, count=len(ids)))

    def vectors(self, ids: Ints) -> Floats:
        """Read by id."""
        return _stored(self._db, ids.tolist()).astype(np.float64)


class _Read:
    """Vectors that were read, until there are too many: an id is one vector for ever."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._room: Vector = np.zeros((0, 0), dtype=np.float32)
        self._count = 0
        #: of each id its row in `_room`, counted from 1; 0: not there. Memory is given for what is written alone
        self._row_of: NDArray[np.int32] = np.zeros(0, dtype=np.int32)

    def vectors(self, ids: Ints) -> Floats:
        """Of these ids, none twice, a row each."""
        if len(ids) > _KEPT:
            return _stored(self._db, ids.tolist()).astype(np.float64)
        self._reach(int(ids.max(initial=0)))
        lacking = ids[self._row_of[ids] == 0]
        if self._count + len(lacking) > _KEPT:
            self._forget()
            lacking = ids
        if len(lacking):
            self._keep(lacking)
        return np.take(self._room, self._row_of[ids] - 1, axis=0).astype(np.float64)

    def _reach(self, newest: int) -> None:
        """Let there be a place for this id."""
        if newest >= len(self._row_of):
            wider = np.zeros(2 * newest + 1, dtype=np.int32)
            wider[: len(self._row_of)] = self._row_of
            self._row_of = wider

    def _forget(self) -> None:
        self._count, self._row_of = 0, np.zeros(len(self._row_of), dtype=np.int32)

    def _keep(self, ids: Ints) -> None:
        """Read and keep these; there is room for them."""
        found = _stored(self._db, ids.tolist())
        if found.shape[1:] != self._room.shape[1:]:
            self._forget()
            self._room = np.empty((_KEPT, found.shape[1]), dtype=np.float32)
        self._room[self._count : self._count + len(ids)] = found
        self._row_of[ids] = np.arange(self._count, self._count + len(ids)) + 1
        self._count += len(ids)


class SignSimilarity:
    """One bit for each number of a vector: 48 bytes instead of 1,536, compared by counting bits that differ.

    Of 11,460 texts of the benches 500 by their signs hold 99.8 % of the nearest eleven, 1,000 hold 99.95 %.
    """

    name = "signs"
    #: read from the disk and compared exactly: about 4 µs each
    spare = 300
    blur = 0.05

    def __init__(self, db: apsw.Connection) -> None:
        self._read = _Read(db)
        self._db = db
        self._size = 0
        self._ids: Ints = np.zeros(0, dtype=np.int64)
        # word by word and not vector by vector: a column is one run of memory
        self._words: NDArray[np.uint64] = np.zeros((0, 0), dtype=np.uint64)

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Cosines:
        """As the share of signs that differ tells the angle: off by about 0.08."""
        self._follow(signature, ids, len(asked))
        wanted = _signs(asked[None, :])[:, 0]
        differ = np.zeros(len(ids), dtype=np.uint16)
        for start in range(0, len(ids), _BLOCK):  # what is worked on stays in the processor's own memory
            part = differ[start : start + _BLOCK]
            for word, bits in zip(self._words[:, start : start + _BLOCK], wanted, strict=True):
                part += np.bitwise_count(word ^ bits)
        return Cosines(codes=differ, values=np.cos(np.pi * np.arange(self._size + 1) / self._size))

    def vectors(self, ids: Ints) -> Floats:
        """Read by id, or from memory: what is asked is asked again."""
        return self._read.vectors(ids)

    def _follow(self, signature: str, ids: Ints, size: int) -> None:
        """As NumPy's: what is kept stands in front of what is new."""
        if self._size != size:
            self._size, self._ids = size, np.zeros(0, dtype=np.int64)
            self._words = np.zeros((-(-size // 64), 0), dtype=np.uint64)
        if self._ids is ids or np.array_equal(self._ids, ids):
            return
        newest = int(self._ids[-1]) if len(self._ids) else 0
        parts = [self._words[:, np.isin(self._ids, ids)]]
        rows: Any = self._db.execute(
            "SELECT vector FROM vectors NOT INDEXED WHERE signature = ? AND id > ? ORDER BY id", (signature, newest)
        )
        while batch := b"".join(row[0] for row in islice(rows, _AT_ONCE)):
            parts.append(_signs(np.frombuffer(batch, dtype="<f4").reshape(-1, size)))
        self._words = np.concatenate(parts, axis=1)
        self._ids = ids


#: Vectors in memory while their signs are taken.
_AT_ONCE = 4096
#: Vectors compared at once.
_BLOCK = 16_384


def _signs(vectors: Vector) -> NDArray[np.uint64]:
    """A row for every 64 numbers of the vectors, a column for each vector."""
    bits = np.packbits(vectors > 0, axis=1)
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _stored(db: apsw.Connection, ids: Sequence[int]) -> Vector:
    """The vectors of these ids, one at least, a row each: by an open blob that moves, twice as quick as a query."""
    with db.blob_open("main", "vectors", "vector", ids[0], False) as blob:
        size = blob.length()
        room = bytearray(size * len(ids))
        for number, identity in enumerate(ids):
            blob.reopen(identity)
            blob.read_into(room, size * number, size)
    return np.frombuffer(room, dtype="<f4").reshape(len(ids), -1)


def load_sqlite_vec(db: apsw.Connection) -> str:
    """Load the extension into this connection: "" or why it cannot be."""
    try:
        import sqlite_vec
    except ImportError as error:
        return str(error)
    path = Path(sqlite_vec.loadable_path())
    try:
        db.enable_load_extension(True)
        db.load_extension(str(path))
    except apsw.Error as error:  # no wheel for this machine, or a SQLite built without extensions
        return str(error)
    finally:
        db.enable_load_extension(False)
    return ""


def choose(db: apsw.Connection, count: int, *, first: bool, now: Similarity | None) -> Similarity:
    """The faster one for so many vectors: a command asks one question, a server many.

    `first`: nothing was asked yet; `now`: what is in use. NumPy where the extension does not load. Very many are
    compared by signs at the first question too: it has to answer as the next one does.
    """
    if count > LARGE:
        return now if isinstance(now, SignSimilarity) else SignSimilarity(db)
    if first and count > SMALL and not load_sqlite_vec(db):
        return SqliteVecSimilarity(db)
    return now if isinstance(now, NumpySimilarity) else NumpySimilarity(db)
