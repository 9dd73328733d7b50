"""Many rows by one statement: while SQLite works through them, Python's other threads run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

import apsw

Value = str | int | float | bytes | None
#: Rows of one statement, most first. Few sizes, so that statements are found prepared; and few statements, for each
#: lets another thread in, which may keep Python for 5 ms before it gives it back.
_SIZES = (256, 64, 16, 4, 1)
#: Values of one statement at most: longer ones would be prepared anew each time.
_MOST_VALUES = 1500
#: The least integer that SQLite cannot hold.
_TOO_BIG = 1 << 63


def insert(db: apsw.Connection, into: str, rows: Sequence[Sequence[Value]], *, known: str = "FAIL") -> None:
    """Insert rows `into` a table (its name, its columns in brackets where not all are given). `known`: what happens to
    a row that is there (FAIL, IGNORE). Texts are such that UTF-8 can hold.
    """
    for part in _parts(rows):
        statement = _statement(into, known, len(part), len(part[0]))
        values = tuple(chain.from_iterable(part))
        try:
            db.execute(statement, values)
        except OverflowError:  # before any of it ran: a file's time, or a number that a person wrote
            db.execute(statement, tuple(map(_storable_number, values)))


def _parts(rows: Sequence[Sequence[Value]]) -> Iterator[Sequence[Sequence[Value]]]:
    done = 0
    for size in _SIZES:
        while len(rows) - done >= size and size * len(rows[0]) <= _MOST_VALUES:
            yield rows[done : done + size]
            done += size


@lru_cache(maxsize=256)
def _statement(into: str, known: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"INSERT OR {known} INTO {into} VALUES {', '.join([row] * rows)}"  # noqa: S608 - no value stands in it


def _storable_number(value: Value) -> Value:
    """An integer beyond 64 bits as SQLite itself reads one: the nearest real number."""
    return float(value) if isinstance(value, int) and not -_TOO_BIG <= value < _TOO_BIG else value
