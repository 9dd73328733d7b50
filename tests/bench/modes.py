"""How fast `tree cover_window` answers, by the width of its window: an index of many leaves, made straight in SQL.

    python -m tests.bench.modes                100,000 leaves, half a minute
    python -m tests.bench.modes 1000000        or as many as that, five minutes

200 trees of ten children a node over five years; then the same with 5 % of the leaves up to 90 days late, sealed in the
order in which they came. Told are CPU milliseconds of the whole question as a user asks it, which shows twenty nodes
and reads their notes, and of what of it grows with the index: finding the cover and choosing whom to show.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from tests.bench import many, many_trees
from tests.bench.asking import NOW
from vaultmem.app.asker import Asker
from vaultmem.app.engine import Engine
from vaultmem.app.tree import tree
from vaultmem.config import Settings
from vaultmem.core.grow.tree import node_id
from vaultmem.core.notes.ids import note_hash
from vaultmem.forest import Asked, Branch
from vaultmem.grown import Link, Sentence
from vaultmem.model import Chunk
from vaultmem.providers.tokens import count_tokens
from vaultmem.store.index import SqliteIndex, open_index
from vaultmem.store.index.rows import dump_chunk, from_us

TREES = 200
FANOUT = 10
#: Of a leaf.
TOKENS, LASTS_US = 400, 60_000_000
YEARS_US = 5 * 365 * 86_400 * 1_000_000
#: How late what comes late may be.
LATE_US = 90 * 86_400 * 1_000_000
TRIES = 21
#: How many nodes a question shows when it does not say.
LIMIT = 20


def fill(db: apsw.Connection, leaves: int, late: float) -> None:
    """Rows of leaves, of nodes and of what stands below each: a cover is found in no others."""
    chance = random.Random(1)
    per_tree = leaves // TREES
    with db:
        for number in range(TREES):
            scope = f"slack:channel-{number:03}"
            level = _leaves(db, list(_times(chance, per_tree, late)), scope, number * per_tree + 1)
            for height in range(1, 8):
                if len(level) < FANOUT:
                    break
                level = _nodes(db, scope, height, level)


def _times(chance: random.Random, count: int, late: float) -> Iterator[int]:
    """In the order in which they come; whole seconds, as notes have them."""
    for number in range(count):
        at = YEARS_US * number // count + chance.randrange(YEARS_US // count)
        if chance.random() < late:
            at = max(at - chance.randrange(LATE_US), 0)
        yield at - at % 1_000_000


Row = tuple[str, int, int, int, int, int]  # id, first, last, end, tokens, leaves


def _leaves(db: apsw.Connection, times: Sequence[int], scope: str, first: int) -> list[Row]:
    sealed = len(times) - len(times) % FANOUT
    columns = [(str(row[1]), str(row[2])) for row in db.execute("PRAGMA table_info (chunks)")]

    def values(at: int, number: int) -> list[object]:
        known = {
            "id": number, "chunk_id": many.name_of(number), "path": many.path_of(number), "source_kind": "chat",
            "source_id": scope, "tree_scope": scope, "seq": number, "start_us": at, "end_us": at + LASTS_US,
            "status": "admitted", "tokens": TOKENS, "listed": number - first < sealed,
        }  # fmt: skip
        return [known.get(name, "" if kind == "TEXT" else 0) for name, kind in columns]

    query = f"INSERT INTO chunks VALUES ({', '.join('?' * len(columns))})"
    db.executemany(query, (values(at, number) for number, at in enumerate(times, first)))  # type: ignore[misc]
    return [(many.name_of(number), at, at, at + LASTS_US, TOKENS, 1) for number, at in enumerate(times, first)]


def _nodes(db: apsw.Connection, scope: str, height: int, level: list[Row]) -> list[Row]:
    made: list[Row] = []
    for start in range(0, len(level) - FANOUT + 1, FANOUT):
        own = level[start : start + FANOUT]
        identity = node_id("source", scope, height, own[0][0])
        made.append(
            (identity, min(r[1] for r in own), max(r[2] for r in own), max(r[3] for r in own), sum(r[4] for r in own),
             sum(r[5] for r in own))
        )  # fmt: skip
        db.executemany("INSERT INTO node_children VALUES (?, ?, ?)", ((identity, n, r[0]) for n, r in enumerate(own)))
        table, name = ("chunks", "chunk_id") if height == 1 else ("spans", "node_id")
        db.executemany(f"UPDATE {table} SET parent = ? WHERE {name} = ?", ((identity, r[0]) for r in own))
    db.executemany(
        "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'chat', 'chat', ?, ?, 1, '')",
        ((r[0], height, scope, r[1], r[2], r[3], scope, scope, r[4], r[5]) for r in made),
    )
    return made


def write_notes(db: apsw.Connection, shown: Iterable[Branch]) -> None:
    """What the notes of these nodes say: those of a million others nobody reads."""
    with db:
        for branch in shown:
            if branch.level:
                _write_summary(db, branch)
            else:
                _write_chunk(db, branch)


def _write_chunk(db: apsw.Connection, leaf: Branch) -> None:
    number = int(str(db.execute("SELECT id FROM chunks WHERE chunk_id = ?", (leaf.node_id,)).get))
    start = from_us(leaf.first_us)
    chunk = Chunk(
        chunk_id=leaf.node_id, source_kind="chat", source_id=leaf.scope, tree_scope=leaf.scope, owner="",
        time_start=start, time_end=from_us(leaf.end_us), seq=number, position=f"{number:08x}", token_count=TOKENS,
        body="", source_ref="", original="private", title="Channel", status="admitted", aliases=(f"Channel {start}",),
    )  # fmt: skip
    body = f"## {start:%Y-%m-%dT%H:%M:%S}Z — Ann\n\nNumber {number}.\n\n^m-{number:012x}\n"
    value = dump_chunk(many._with_body(chunk, body))
    db.execute("INSERT OR REPLACE INTO chunk_values VALUES (?, ?)", (number, value))
    db.execute("UPDATE chunks SET note_hash = ? WHERE id = ?", (note_hash(many._NOTES.note(value)), number))


def _write_summary(db: apsw.Connection, branch: Branch) -> None:
    ids = db.execute("SELECT child_id FROM node_children WHERE node_id = ? ORDER BY place", (branch.node_id,))
    link = Link(path="wiki/raw/1.md", alias="10:00", anchor="^m-1")
    said = (Sentence(text="What was said, in as many words as a sentence has.", link=link, author="Ann"),)
    own = [
        many_trees._Part(i, f"{i}.md", "Channel", *branch[3:6], TOKENS, 1, branch.scope, branch.scope, "chat", said)
        for (i,) in ids
    ]  # fmt: skip
    part, node, _ = many_trees._node("source", branch.scope, branch.level, own)
    values = many_trees._node_row(part, node)
    db.execute(f"INSERT OR REPLACE INTO nodes VALUES ({', '.join('?' * len(values))})", values)


def asker(path: Path, index: SqliteIndex) -> Asker:
    """The same index as it stands open for a user."""
    nothing: Any = None
    shelf: Any = many_trees.Shelf(path)
    engine = Engine(
        vault=shelf, index=index, intake=nothing, settings=Settings(), count=count_tokens, now=lambda: NOW,
        wall=time.time, sleep=time.sleep, embedder=lambda: None,
    )  # fmt: skip
    return Asker(engine=engine, recall=nothing, evidence=nothing)


def windows(share: float) -> Iterator[Asked]:
    """Windows of that share of all time, at several places."""
    for place in (0.1, 0.5, 0.9):
        since = int((YEARS_US - YEARS_US * share) * place)
        yield Asked(since_us=since, until_us=since + int(YEARS_US * share))


def measure(path: Path) -> None:
    """Print the rows of one table."""
    index = open_index(path)
    user = asker(path, index)
    for share in (0.0005, 0.01, 0.2, 0.9):
        whole, found = [], []
        size = 0
        for asked in windows(share):
            named = {"since_ms": asked.since_us // 1000, "until_ms": asked.until_us // 1000, "limit": LIMIT}
            write_notes(index._db, index.forest.fair_cover(asked, LIMIT)[0])
            assert not tree(user, "cover_window", named).degraded
            for _ in range(TRIES // 3):
                whole.append(_cpu_ms(lambda named=named: tree(user, "cover_window", named)))
                found.append(_cpu_ms(lambda asked=asked: index.forest.fair_cover(asked, LIMIT)))
            size = max(size, len(index.forest.cover(asked)))
        numbers = "".join(
            f"{number:9.1f}" for times in (whole, found) for number in (statistics.median(times), max(times))
        )
        print(f"  {share:>7.2%} of all time {size:>8,}{numbers}", flush=True)
    index.close()


def _cpu_ms(ask: Callable[[], object]) -> float:
    started = time.thread_time()
    ask()
    return 1000 * (time.thread_time() - started)


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
            print(f"cover_window, {leaves:,} leaves in {TREES} trees, {late:.0%} late: CPU milliseconds")
            print(f"  {'':<20}{'nodes':>9}{'question':>9}{'worst':>9}{'to find':>9}{'worst':>9}")
            measure(path)
            path.unlink()


if __name__ == "__main__":
    main()
