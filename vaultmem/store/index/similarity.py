"""Cosines of a question's vector and all vectors of one signature: by NumPy, or by sqlite-vec inside SQLite.

Both only choose; what is shown is computed again from the chosen vectors in float64, so that the two, a rebuilt index
and another processor give the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from vaultmem.core.recall.bm25 import Floats, Ints
from vaultmem.store.index.write import as_json

Vector = NDArray[np.float32]

# Processor time at 384 numbers a vector, one core:
#                    1 question   each further one
#    5,000  sqlite-vec    0.01 s       0.011 s
#           NumPy         0.05 s       0.001 s
#   50,000  sqlite-vec    0.15 s       0.153 s
#           NumPy         0.30 s       0.012 s   (and 77 MB)
#: Up to here NumPy is quick enough at once.
SMALL = 5_000
#: NumPy holds no more than these: 150 MB.
LARGE = 100_000


class Similarity(Protocol):
    """One way to compare."""

    @property
    def name(self) -> str:
        """For `status`."""
        ...

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Floats:
        """Of these vectors (all of the signature, ascending), good to 6 digits."""
        ...

    def vectors(self, ids: Ints) -> Floats:
        """Some vectors themselves, a row each."""
        ...


class NumpySimilarity:
    """All vectors in one matrix, which follows the index: only what is new is read."""

    name = "numpy"

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._ids: Ints = np.zeros(0, dtype=np.int64)
        self._matrix: Vector = np.zeros((0, 0), dtype=np.float32)

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Floats:
        """A product of matrix and vector."""
        self._follow(signature, ids, len(asked))
        return np.asarray(self._matrix @ asked, dtype=np.float64)

    def vectors(self, ids: Ints) -> Floats:
        """Rows of the matrix."""
        return self._matrix[np.searchsorted(self._ids, ids)].astype(np.float64)

    def _follow(self, signature: str, ids: Ints, size: int) -> None:
        """Ids are never used twice and only grow: what is kept stands in front of what is new."""
        if self._matrix.shape[1] != size:
            self._ids, self._matrix = np.zeros(0, dtype=np.int64), np.zeros((0, size), dtype=np.float32)
        if np.array_equal(self._ids, ids):
            return
        newest = int(self._ids[-1]) if len(self._ids) else 0
        kept = np.isin(self._ids, ids)
        rows: Iterable[Any] = self._db.execute(
            "SELECT vector FROM vectors NOT INDEXED WHERE signature = ? AND id > ? ORDER BY id", (signature, newest)
        ).fetchall()
        fresh = np.frombuffer(b"".join(row[0] for row in rows), dtype="<f4").reshape(-1, size)
        before = self._matrix if kept.all() else self._matrix[kept]
        self._matrix = np.concatenate((before, fresh)) if len(before) else fresh
        self._ids = ids


class SqliteVecSimilarity:
    """sqlite-vec's exact distance over the same rows; its own tables would hold every vector twice."""

    name = "sqlite-vec"

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def cosines(self, signature: str, ids: Ints, asked: Vector) -> Floats:
        """One scan; `ids` are what it meets."""
        rows: Iterable[Any] = self._db.execute(
            "SELECT vec_distance_cosine(vector, ?) FROM vectors NOT INDEXED WHERE signature = ? ORDER BY id",
            (asked.astype("<f4").tobytes(), signature),
        )
        return 1.0 - np.fromiter((row[0] for row in rows), dtype=np.float64, count=len(ids))

    def vectors(self, ids: Ints) -> Floats:
        """Read by id."""
        rows: Iterable[Any] = self._db.execute(
            "SELECT vector FROM vectors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (as_json(ids.tolist()),),
        ).fetchall()
        found = np.frombuffer(b"".join(row[0] for row in rows), dtype="<f4").reshape(len(ids), -1)
        return found.astype(np.float64)


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

    `first`: nothing was asked yet; `now`: what is in use. NumPy where the extension does not load.
    """
    if count > LARGE or (first and count > SMALL):
        if isinstance(now, SqliteVecSimilarity):
            return now
        if not load_sqlite_vec(db):
            return SqliteVecSimilarity(db)
    return now if isinstance(now, NumpySimilarity) else NumpySimilarity(db)
