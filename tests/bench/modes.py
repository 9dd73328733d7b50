"""How fast the modes of the tree find their nodes: an index of many leaves, made straight in SQL.

    python -m tests.bench.modes                100,000 leaves, some seconds
    python -m tests.bench.modes 1000000        or as many as that

200 trees of ten children a node over five years; then the same with 5 % of the leaves up to 90 days late. What is timed
is finding the cover and choosing whom to show, not reading the notes shown: that is the same for every mode.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import apsw

from vaultmem.core.recall.cover import fair_choice
from vaultmem.forest import Asked
from vaultmem.store.index import SqliteIndex, open_index

TREES = 200
FANOUT = 10
YEARS_US = 5 * 365 * 86_400 * 1_000_000
#: How late what comes late may be.
LATE_US = 90 * 86_400 * 1_000_000
TRIES = 21


def fill(db: apsw.Connection, leaves: int, late: float) -> None:
    """Rows of leaves, nodes and what stands below each: the bench asks nothing else."""
    chance = random.Random(1)
    per_tree = leaves // TREES
    with db:
        for tree in range(TREES):
            scope = f"slack:channel-{tree:03}"
            level = _leaves(db, chance, scope, tree * per_tree, per_tree, late)
            for height in range(1, 8):
                if len(level) < FANOUT:
                    break
                level = _nodes(db, scope, height, level)


Row = tuple[str, int, int, int, int, int]  # id, first, last, end, tokens, leaves


def _leaves(db: apsw.Connection, chance: random.Random, scope: str, base: int, count: int, late: float) -> list[Row]:
    made: list[Row] = []
    for number in range(count):
        at = YEARS_US * number // count + chance.randrange(YEARS_US // count)
        if chance.random() < late:
            at = max(at - chance.randrange(LATE_US), 0)
        made.append((f"{base + number:032x}", at, at, at + 60_000_000, 400, 1))
    sealed = count - count % FANOUT
    columns = [(str(row[1]), str(row[2])) for row in db.execute("PRAGMA table_info (chunks)") if row[1] != "id"]
    query = f"INSERT INTO chunks ({', '.join(name for name, _ in columns)}) VALUES ({', '.join('?' * len(columns))})"

    def values(number: int, row: Row) -> list[object]:
        known = {
            "chunk_id": row[0], "path": f"wiki/raw/{row[0]}.md", "source_kind": "chat", "source_id": scope,
            "tree_scope": scope, "seq": number, "start_us": row[1], "end_us": row[3], "status": "admitted",
            "tokens": row[4], "listed": number < sealed,
        }  # fmt: skip
        return [known.get(name, "" if kind == "TEXT" else 0) for name, kind in columns]

    db.executemany(query, (values(number, row) for number, row in enumerate(made)))  # type: ignore[misc]
    return made


def _nodes(db: apsw.Connection, scope: str, height: int, level: list[Row]) -> list[Row]:
    made: list[Row] = []
    sealed = len(level) - len(level) % FANOUT
    for start in range(0, sealed, FANOUT):
        own = level[start : start + FANOUT]
        node_id = f"{height:x}{scope[-3:]}{start:028x}"
        made.append(
            (node_id, min(r[1] for r in own), max(r[2] for r in own), max(r[3] for r in own), sum(r[4] for r in own),
             sum(r[5] for r in own))
        )  # fmt: skip
        db.executemany("INSERT INTO node_children VALUES (?, ?, ?)", ((node_id, n, r[0]) for n, r in enumerate(own)))
        db.executemany("UPDATE chunks SET parent = ? WHERE chunk_id = ?", ((node_id, r[0]) for r in own if height == 1))
        db.execute(
            "UPDATE spans SET parent = ? WHERE node_id IN (SELECT child_id FROM node_children WHERE node_id = ?)",
            (node_id, node_id),
        )
    db.executemany(
        "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'chat', 'chat', ?, ?, 1, '')",
        ((r[0], height, scope, r[1], r[2], r[3], scope, scope, r[4], r[5]) for r in made),
    )
    return made


def windows(share: float) -> Iterator[Asked]:
    """Windows of that share of all time, at several places."""
    for place in (0.1, 0.5, 0.9):
        since = int((YEARS_US - YEARS_US * share) * place)
        yield Asked(since_us=since, until_us=since + int(YEARS_US * share))


def measure(index: SqliteIndex, share: float, limit: int = 20) -> tuple[int, float, float]:
    """Nodes of the cover; median and worst CPU milliseconds of finding it and choosing."""
    times: list[float] = []
    size = 0
    for asked in windows(share):
        for _ in range(TRIES // 3):
            started = time.thread_time()
            cover = index.forest.cover(asked)
            fair_choice(cover, limit)
            times.append(1000 * (time.thread_time() - started))
            size = max(size, len(cover))
    return size, statistics.median(times), max(times)


def main() -> None:
    leaves = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        for late in (0.0, 0.05):
            path = Path(folder) / f"{late}.db"
            open_index(path).close()
            db = apsw.Connection(str(path))
            db.pragma("synchronous", "off")
            fill(db, leaves, late)
            db.close()
            index = open_index(path)
            print(f"cover_window, {leaves:,} leaves in {TREES} trees, {late:.0%} late: nodes, median, worst")
            for share in (0.0005, 0.01, 0.2, 0.9):
                size, middle, worst = measure(index, share)
                print(f"  {share:>7.2%} of all time {size:>8,} {middle:8.1f} ms {worst:8.1f} ms", flush=True)
            index.close()


if __name__ == "__main__":
    main()
