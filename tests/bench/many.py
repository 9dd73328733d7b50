"""An index of many passages, made straight in SQL: what notes would give, without the notes."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np

from vaultmem.core.recall.words import index_words
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index
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


def add_vectors(index: SqliteIndex) -> None:
    """Vectors as a model's are: most of what tells two apart lies in a few directions."""
    chance = np.random.default_rng(3)
    directions = _directions()
    while keys := [key for key, _ in index.passages_without_vector(MiniLm.signature, 10_000)]:
        index.put_vectors(MiniLm.signature, dict(zip(keys, _drawn(chance, directions, len(keys)), strict=True)))


def asked_vectors(wanted: list[str]) -> dict[str, list[float]]:
    """A vector for each question, of the same kind."""
    return dict(zip(wanted, _drawn(np.random.default_rng(4), _directions(), len(wanted)), strict=True))


def _directions() -> np.ndarray:
    """2,000 subjects that texts are about, in 384 numbers."""
    return np.random.default_rng(2).normal(size=(2000, SIZE)) * (np.arange(1, SIZE + 1) ** -0.25)


def _drawn(chance: np.random.Generator, directions: np.ndarray, count: int) -> list[list[float]]:
    near = directions[chance.integers(0, len(directions), count)]
    drawn = near + directions[chance.integers(0, len(directions), count)] * 0.5 + chance.normal(size=near.shape) * 0.3
    found: list[list[float]] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()
    return found
