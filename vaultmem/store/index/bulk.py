"""Many rows by one statement: while SQLite works through them, Python's other threads run."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence

import apsw

Value = str | int | bytes | None
#: Characters given to SQLite at once.
_MOST = 4_000_000
#: What a row costs beside its texts.
_EACH = 100


def insert(
    db: apsw.Connection, into: str, rows: Iterable[Sequence[Value]], *, blobs: Collection[int] = (), known: str = "FAIL"
) -> None:
    """Insert rows `into` a table (its name, its columns in brackets where not all are given). `blobs`: places of bytes
    in a row; `known`: what happens to a row that is there (FAIL, IGNORE). Texts are such that UTF-8 can hold.
    """
    for part in _parts(rows):
        values = ", ".join(f"unhex(value->>{n})" if n in blobs else f"value->>{n}" for n in range(len(part[0])))
        told = json.dumps(part, ensure_ascii=False, default=bytes.hex)
        db.execute(f"INSERT OR {known} INTO {into} SELECT {values} FROM json_each(?)", (told,))  # noqa: S608


def _parts(rows: Iterable[Sequence[Value]]) -> Iterator[list[Sequence[Value]]]:
    """The rows, so many at a time as are no burden to the memory."""
    part: list[Sequence[Value]] = []
    size = 0
    for row in rows:
        part.append(row)
        size += _EACH + sum(len(value) for value in row if isinstance(value, str))
        if size > _MOST:
            yield part
            part, size = [], 0
    if part:
        yield part
