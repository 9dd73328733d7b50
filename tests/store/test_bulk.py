"""Many rows by few statements: all of them, in order, as they are."""

from __future__ import annotations

import apsw
import pytest

from vaultmem.store.index.bulk import Value, insert


@pytest.fixture
def db() -> apsw.Connection:
    found = apsw.Connection(":memory:")
    found.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB, d INTEGER NOT NULL)")
    return found


@pytest.mark.parametrize("count", [0, 1, 3, 16, 63, 64, 65, 85, 300])
def test_every_row_is_there(db: apsw.Connection, count: int) -> None:
    rows: list[tuple[Value, ...]] = [(n, f"w{n}\0ß", None if n % 2 else bytes([n % 256]), 2 * n) for n in range(count)]
    insert(db, "t", rows)
    assert db.execute("SELECT * FROM t ORDER BY rowid").fetchall() == rows


def test_what_is_there_fails_or_stays(db: apsw.Connection) -> None:
    insert(db, "t (a, d)", [(n, 1) for n in range(20)])
    insert(db, "t (a, d)", [(n, 2) for n in range(30)], known="IGNORE")
    assert db.execute("SELECT count(*), sum(d) FROM t").fetchall() == [(30, 40)]
    with pytest.raises(apsw.ConstraintError):
        insert(db, "t (a, d)", [(n, 3) for n in range(29, 40)])


def test_a_number_of_more_than_64_bits_is_the_nearest_real_one(db: apsw.Connection) -> None:
    numbers = [2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64]
    insert(db, "t (a, d)", list(enumerate(numbers)))
    found = [row[0] for row in db.execute("SELECT d FROM t ORDER BY a")]
    assert found == [2**63 - 1, 2.0**63, -(2**63), -(2.0**63), 2.0**64]
    assert [type(number) for number in found] == [int, float, int, float, float]
