"""What has changed since a question last read the index: which chunks and vectors, as the triggers of the schema noted.

A reader that keeps what it read follows with little work; one that has been away for long reads all of it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw

from vaultmem.grown import REGISTRY_STAMP

#: Notes of changes that are kept.
_KEPT = 4096
#: With more than so many, reading all again is quicker, or nearly.
_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """One state of what questions read: two that are equal answer alike."""

    #: number of the last change
    change: int
    #: the registry's own stamp
    registry: str
    #: the last vector's id
    vector: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All that changed between two states."""

    #: numbers of chunks that came, went, or went and came again under the same number
    chunks: frozenset[int]
    #: ids of vectors that went
    vectors: frozenset[int]


def registry_stamp(db: apsw.Connection) -> str:
    """Another one for each registry that was given; "" while none was."""
    return str(db.execute("SELECT value FROM meta WHERE key = ?", (REGISTRY_STAMP,)).get or "")


def read_stamp(db: apsw.Connection) -> Stamp:
    """The state that this transaction sees."""
    return Stamp(
        change=int(db.execute("SELECT coalesce(max(id), 0) FROM changes").get),
        registry=registry_stamp(db),
        vector=int(db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'vectors'").get or 0),
    )


def changes_between(db: apsw.Connection, before: Stamp, now: Stamp) -> Changes | None:
    """What changed from `before` to `now`, the present state; None when that is too much, or not all of it is known:
    it was pruned, or the file holds an older state than it did.
    """
    if not 0 <= now.change - before.change <= _MOST or now.vector < before.vector:
        return None
    rows: list[Any] = db.execute("SELECT chunk, vector FROM changes WHERE id > ?", (before.change,)).fetchall()
    if len(rows) != now.change - before.change:
        return None
    return Changes(
        chunks=frozenset(chunk for chunk, _ in rows if chunk is not None),
        vectors=frozenset(vector for _, vector in rows if vector is not None),
    )


def prune_changes(db: apsw.Connection) -> None:
    """Leave the newest; the last one always stays, for the next is numbered after it."""
    db.execute("DELETE FROM changes WHERE id <= (SELECT max(id) FROM changes) - ?", (_KEPT,))
