"""What a deleted row leaves in the file: overwritten, so that a search over its bytes finds nothing."""

from __future__ import annotations

from collections.abc import Collection

import apsw


def drop_traces(db: apsw.Connection, words: Collection[str]) -> None:
    """What is remembered of these beside the rows: values and jobs that name them. Inside a transaction."""
    for word in words:
        db.execute("DELETE FROM meta WHERE instr(key, ?1) OR instr(value, ?1)", (word,))
        db.execute("DELETE FROM jobs WHERE instr(reason, ?1)", (word,))


def compact(db: apsw.Connection) -> bool:
    """Write the file anew from its rows, and empty its log; False when a reader keeps the log from being emptied."""
    db.execute("INSERT INTO words (words) VALUES ('optimize')")
    db.execute("VACUUM")
    busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1,)
    return not busy
