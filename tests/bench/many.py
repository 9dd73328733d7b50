"""An index of many passages, made straight in SQL (what notes would give, without the notes), and how it is asked.

`python -m tests.bench.speed recall 100000` makes one and asks it; `python -m tests.bench.many FILE PASSAGES` asks one
that is there. Milliseconds are of the processor: this machine does other things.
"""

from __future__ import annotations

import itertools
import random
import resource
import statistics
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np

from tests.bench.asking import Answer, ours, plain
from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.words import index_words
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index, similarity
from vaultmem.store.index.rows import ORDINAL_BITS

#: Passages of a chunk, and numbers of a vector.
EACH = 5
SIZE = 384
_START_US = 1_500_000_000_000_000


def vocabulary() -> list[str]:
    """Invented words as the index holds them, the commonest first."""
    chance = random.Random(7)
    made = (f"{chance.choice('bdfgklmnprst')}{chance.choice('aeiou')}{n:x}" for n in range(30_000))
    return [index_words(word)[0] for word in made]


def texts(passages: int) -> Iterator[list[str]]:
    """Words of each passage, 12 to 40, spread as natural words are."""
    chance = np.random.default_rng(5)
    words = np.array(vocabulary(), dtype=object)
    shares = 1 / (np.arange(len(words)) + 8)
    edges = np.cumsum(shares / shares.sum())
    for start in range(0, passages, 10_000):
        sizes = chance.integers(12, 41, min(10_000, passages - start))
        drawn = words[np.minimum(np.searchsorted(edges, chance.random(int(sizes.sum()))), len(words) - 1)]
        ends = np.cumsum(sizes).tolist()
        yield from (drawn[first:last].tolist() for first, last in zip([0, *ends], ends, strict=False))


def questions(passages: int, count: int = 200) -> list[str]:
    """The first words of some passages: 4 to 8."""
    found = itertools.islice(texts(passages), 2, None, EACH)
    return [" ".join(words[: 4 + n % 5]) for n, words in enumerate(itertools.islice(found, count))]


def fill(path: Path, passages: int) -> None:
    """Chunks of five passages in 50 sources, an hour apart; their ids are in no order of time."""
    open_index(path).close()
    db = apsw.Connection(str(path))
    db.pragma("synchronous", "off")
    db.pragma("cache_size", -200_000)
    columns = [(str(row[1]), str(row[2])) for row in db.execute("PRAGMA table_info (chunks)")]
    chunk = f"INSERT INTO chunks VALUES ({', '.join('?' * len(columns))})"
    told = texts(passages)
    with db:
        for number in range(1, passages // EACH + 1):
            turns = list(itertools.islice(told, EACH))
            at = _START_US + number * 3_600_000_000
            db.execute(chunk, _chunk(columns, number, at))
            counts, times = [len(words) for words in turns], [at + 20_000_000 * n for n in range(EACH)]
            packed = (struct.pack(f"<{EACH}I", *counts), struct.pack(f"<{EACH}q", *times))
            db.execute("INSERT INTO layout VALUES (?, 0, ?, ?)", (number, *packed))
            keys = [(number << ORDINAL_BITS) | n for n in range(EACH)]
            said = [" ".join(words) for words in turns]
            db.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", zip(keys, said, strict=True))
            db.executemany(
                "INSERT INTO passages VALUES (?, ?, ?, '', ?, '', '', ?, ?, ?)",
                [(key, text, "Ann" if n % 2 else "Bob", when, n, n, struct.pack("<qqqq", key, 0, 0, 0))
                 for n, (key, text, when) in enumerate(zip(keys, said, times, strict=True))],
            )  # fmt: skip
    db.close()


def _chunk(columns: list[tuple[str, str]], number: int, at: int) -> list[object]:
    name = f"{number * 2654435761 % (1 << 32):08x}{number:024x}"
    source = f"slack:{number % 50}"
    known: dict[str, object] = {
        "id": number, "chunk_id": name, "path": f"wiki/raw/{name}.md", "source_kind": "chat", "source_id": source,
        "tree_scope": source, "seq": number, "start_us": at, "end_us": at + 100_000_000, "status": "admitted",
        "tokens": 200,
    }  # fmt: skip
    return [known.get(column, "" if kind == "TEXT" else 0) for column, kind in columns]


def add_vectors(path: Path) -> None:
    """Vectors as a model's are: most of what tells two apart lies in a few directions."""
    chance, directions = np.random.default_rng(3), _directions()
    db = apsw.Connection(str(path))
    db.pragma("synchronous", "off")
    put = "INSERT INTO vectors (signature, text_hash, vector) VALUES (?, ?, ?)"
    keys = [row[0] for row in db.execute("SELECT text_hash FROM passages ORDER BY id")]
    with db:
        for start in range(0, len(keys), 10_000):
            some = keys[start : start + 10_000]
            drawn = _drawn(chance, directions, len(some)).astype("<f4")
            db.executemany(put, [(MiniLm.signature, key, row.tobytes()) for key, row in zip(some, drawn, strict=True)])
    db.close()


def asked_vectors(wanted: list[str]) -> dict[str, list[float]]:
    """A vector for each question, of the same kind."""
    return dict(zip(wanted, _drawn(np.random.default_rng(4), _directions(), len(wanted)).tolist(), strict=True))


def _directions() -> np.ndarray:
    """2,000 subjects that texts are about, in 384 numbers."""
    return np.random.default_rng(2).normal(size=(2000, SIZE)) * (np.arange(1, SIZE + 1) ** -0.25)


def _drawn(chance: np.random.Generator, directions: np.ndarray, count: int) -> np.ndarray:
    near = directions[chance.integers(0, len(directions), count)]
    drawn = near + directions[chance.integers(0, len(directions), count)] * 0.5 + chance.normal(size=near.shape) * 0.3
    found: np.ndarray = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return found


def measure(path: Path, passages: int) -> None:
    """p50 and p99 of both ways to ask, beside FTS5's own; memory; plans; what signs lose."""
    index = open_index(path)
    asked = questions(passages)
    vectors = asked_vectors(asked)
    print(f"a question, warm: {passages:,} passages of {passages // EACH:,} chunks (CPU: first, p50, p99; peak RSS)")
    _row("vaultmem, words", ours(index), asked)
    _row("vaultmem, words and vectors", ours(index, vectors), asked)
    _row("limit: FTS5 bm25 OR, best 50", plain(index), asked)
    for step in _scans(index, ours(index, vectors), asked[0]):
        print(f"  read from end to end: {step}")
    some = [
        Meaning(signature=MiniLm.signature, vector=vectors[text]) for text in asked[: 20 if passages < 10**6 else 4]
    ]
    found = [index.nearest(meaning, Filters(), limit=10) for meaning in some]
    way, similarity.choose = index.vector_backend, lambda db, *_, **__: similarity.SqliteVecSimilarity(db)
    exact = [index.nearest(meaning, Filters(), limit=10) for meaning in some] if not _no_extension(index) else found
    same = statistics.fmean(len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True))
    print(f"  of the 10 nearest vectors {way} finds {100 * same:.1f} % (of {len(some)} questions)\n", flush=True)


def _no_extension(index: SqliteIndex) -> str:
    return similarity.load_sqlite_vec(index._db)


def _row(name: str, answer: Answer, asked: list[str]) -> None:
    times = []
    for text in [asked[0], *asked]:
        started = time.process_time()
        answer(text, Filters())
        times.append(1000 * (time.process_time() - started))
    first, warm = times[0], sorted(times[1:])
    memory = _peak_mb()
    p99 = warm[int(0.99 * (len(warm) - 1))]
    print(f"  {name:<32}{first:9.1f} ms{statistics.median(warm):9.1f} ms{p99:9.1f} ms{memory:6} MB", flush=True)


def _peak_mb() -> int:
    """Of this program: what `getrusage` tells holds what its parent had when it began, so it serves only elsewhere."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _scans(index: SqliteIndex, answer: Answer, text: str) -> list[str]:
    """Steps of a warm question's statements that no index serves: FTS5's and json_each's own lists are none."""
    asked: set[str] = set()

    def note(_: object, sql: str, __: object) -> bool:
        asked.add(sql)
        return True

    index._db.exec_trace = note
    answer(text, Filters())
    index._db.exec_trace = None
    plans = [str(row[3]) for sql in sorted(asked) if sql.startswith("SELECT")
             for row in index._db.execute(f"EXPLAIN QUERY PLAN {sql}", (None,) * sql.count("?"))]  # fmt: skip
    return sorted({step for step in plans if step.startswith("SCAN") and "VIRTUAL TABLE" not in step})


if __name__ == "__main__":
    measure(Path(sys.argv[1]), int(sys.argv[2]))
