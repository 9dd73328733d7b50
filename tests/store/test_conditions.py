"""What SQL says of a row is what `Asked` says of a node: what is counted or passed over there is what would be here."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.forest import Asked, Branch
from vaultmem.store.index import open_index
from vaultmem.store.index.conditions import conditions, values
from vaultmem.store.index.spans import BRANCH

NAMES = st.text("ab:%_\0é\uffff\U0010ffff", max_size=3)
TIMES = st.integers(-3, 3)


@st.composite
def branches(draw: st.DrawFn) -> Branch:
    first, last = sorted((draw(TIMES), draw(TIMES)))
    sources, kinds = sorted((draw(NAMES), draw(NAMES))), sorted((draw(NAMES), draw(NAMES)))
    return Branch(
        "n", draw(st.integers(0, 2)), draw(NAMES), first, last, last, *sources, *kinds, 1, draw(st.integers(0, 2)),
        draw(st.booleans()),
    )  # fmt: skip


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    first, last = sorted((draw(TIMES), draw(TIMES)))
    source, kind, scope = (draw(st.one_of(st.just(""), NAMES)) for _ in range(3))
    return Asked(
        since_us=first, until_us=last, source=source, is_prefix=draw(st.booleans()), scope=scope, kind=kind
    )  # fmt: skip


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> apsw.Connection:
    path = tmp_path_factory.mktemp("clumps") / "x.db"
    open_index(path).close()
    found = apsw.Connection(str(path))
    found.pragma("synchronous", "off")
    return found


def says(db: apsw.Connection, table: str, condition: str, asked: Asked) -> bool:
    found = db.execute(f"SELECT 1 FROM {table} WHERE {conditions(asked)[condition]}", values(asked))
    return found.get is not None


@given(branches(), questions())
def test_spans_are_judged_alike(db: apsw.Connection, branch: Branch, asked: Asked) -> None:
    with db:
        db.execute("DELETE FROM spans")
        db.execute(f"INSERT INTO spans ({BRANCH}, parent) VALUES ({', '.join('?' * 13)}, '')", branch)
    assert says(db, "spans", "held", asked) == asked.holds(branch)
    assert says(db, "spans", "touched", asked) == asked.touches(branch)


@given(TIMES, NAMES, NAMES, NAMES, st.sampled_from(["admitted", "pending", "dropped"]), questions())
def test_leaves_are_judged_alike(
    db: apsw.Connection, at: int, source: str, kind: str, scope: str, status: str, asked: Asked
) -> None:
    columns = [(str(row[1]), str(row[2])) for row in db.execute("PRAGMA table_info (chunks)")]
    known = {"source_id": source, "source_kind": kind, "tree_scope": scope, "start_us": at, "status": status}
    row = [known.get(name, "" if affinity == "TEXT" else 0) for name, affinity in columns]
    with db:
        db.execute("DELETE FROM chunks")
        db.execute(f"INSERT INTO chunks VALUES ({', '.join('?' * len(columns))})", row)
    leaf = Branch("n", 0, scope, at, at, at, source, source, kind, kind, 1, 1, True)
    assert says(db, "chunks", "leaf", asked) == (status != "dropped" and asked.holds(leaf))
