"""An index of many chunks, made straight in SQL: what notes would give, without the notes.

`python -m tests.bench.speed recall 100000` makes one and asks it (tests/bench/asked.py).

    python -m tests.bench.many FILE CHUNKS      makes one to be kept

Three of four chunks hold one passage, the fourth two. Nine of ten are chats of 180 channels, the rest mails in threads
of three, of 20 mailboxes. Words, speakers and names are spread as natural ones are: few stand everywhere, most are
rare.
Source trees, topics and digests stand above (tests/bench/many_trees.py).
"""

from __future__ import annotations

import itertools
import json
import random
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import apsw
import numpy as np

from tests.bench import many_trees
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.chunknote import render_chunk_note
from vaultmem.core.notes.entry import read_entry
from vaultmem.core.notes.ids import entity_id, fold, note_hash
from vaultmem.core.notes.properties import split_note
from vaultmem.core.recall.words import index_words
from vaultmem.model import AliasRow, Chunk, Entity, FileStat, RegistryNote
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import open_index, tallies
from vaultmem.store.index.changes import prune_changes
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, dump_chunk, from_us, load_chunk
from vaultmem.store.index.write import put_registry

#: Numbers of a vector.
SIZE = 384
END_US = 1_767_225_600_000_000  # 2026-01-01, tests.bench.asking.NOW
SPAN_US = 5 * 365 * 86_400_000_000
CHANNELS, MAILBOXES = 180, 20
#: Chunks written at once.
_BATCH = 10_000
_KINDS = ("person", "person", "organization", "project", "topic")
_SPEAKERS = 60
#: Of a note, below its properties.
_BODY_LINE = 27
_NOTES = many_trees.Notes()


def vocabulary() -> list[str]:
    """Invented words as the index holds them, the commonest first: they end as no name does."""
    made = [f"{_name(n)}{'k' if n % 2 else 'rt'}".lower() for n in range(30_000)]
    random.Random(7).shuffle(made)
    return [index_words(word)[0] for word in made]


def texts() -> Iterator[list[str]]:
    """Words of passages without end, 12 to 40 each, spread as natural words are."""
    chance = np.random.default_rng(5)
    words = np.array(vocabulary(), dtype=object)
    edges = _edges(len(words), 8)
    while True:
        sizes = chance.integers(12, 41, _BATCH)
        drawn = words[np.minimum(np.searchsorted(edges, chance.random(int(sizes.sum()))), len(words) - 1)]
        ends = np.cumsum(sizes).tolist()
        yield from (drawn[first:last].tolist() for first, last in zip([0, *ends], ends, strict=False))


def _edges(count: int, flat: int) -> np.ndarray:
    shares = 1 / (np.arange(count) + flat)
    edges: np.ndarray = np.cumsum(shares / shares.sum())
    return edges


def questions(count: int = 200) -> list[str]:
    """The first words of some passages: 4 to 8."""
    found = itertools.islice(texts(), 2, None, 5)
    return [" ".join(words[: 4 + n % 5]) for n, words in enumerate(itertools.islice(found, count))]


@dataclass(frozen=True)
class Cast:
    """Who and what is named: one name in 50 chunks, of three two with a note of their own and a second name."""

    chunks: int

    @cached_property
    def names(self) -> list[str]:
        """The most named first."""
        return [f"{_name(n)} {_name(n * 31 + 7)}" for n in range(max(150, min(20_000, self.chunks // 50)))]

    def kind(self, n: int) -> str:
        return _KINDS[n % len(_KINDS)]

    def is_registered(self, n: int) -> bool:
        return n % 3 != 2

    def alias(self, n: int) -> str:
        return f"{self.names[n].partition(' ')[0]}{n}"

    def identity(self, n: int) -> str:
        return entity_id(self.kind(n), self.names[n])

    @cached_property
    def speakers(self) -> list[int]:
        return [n for n in range(len(self.names)) if self.kind(n) == "person"][:_SPEAKERS]

    @cached_property
    def words(self) -> list[tuple[list[str], list[str]]]:
        """As the index holds the name, and the second name."""
        return [(index_words(name), index_words(self.alias(n))) for n, name in enumerate(self.names)]

    def draw(self, chance: np.random.Generator, count: int) -> list[int]:
        """Names, the first ones far more often."""
        edges = _edges(len(self.names), 3)
        found: list[int] = np.minimum(np.searchsorted(edges, chance.random(count)), len(edges) - 1).tolist()
        return found

    def registry(self) -> tuple[list[RegistryNote], list[AliasRow]]:
        notes, rows = [], []
        for n, name in enumerate(self.names):
            if self.is_registered(n):
                identity, kind = self.identity(n), self.kind(n)
                path = f"entities/{kind}/{name}.md"
                entity = Entity(id=identity, kind=kind, display_name=name, aliases=(self.alias(n),), note_path=path)  # type: ignore[arg-type]
                notes.append(RegistryNote(entity=entity))
                rows.append(AliasRow(surface=fold(name), entity_id=identity, origin="title"))
                rows.append(AliasRow(surface=fold(self.alias(n)), entity_id=identity, origin="alias"))
        return notes, rows


def _name(n: int) -> str:
    syllables = [c + v for c in "bdfgklmnprtvz" for v in "aiou"]
    size = len(syllables)
    return (syllables[n % size] + syllables[n // size % size] + syllables[(n // size**2 + n * 3) % size]).capitalize()


@dataclass(slots=True)
class _Rows:
    """What is written together."""

    chunks: list[list[object]]
    values: list[tuple[int, str]]
    layout: list[tuple[int, int, bytes, bytes]]
    moments: list[tuple[int, int]]
    words: list[tuple[int, str]]
    passages: list[tuple[object, ...]]
    mentions: list[tuple[str, int, str, str, str]]


def start_of(number: int, chunks: int) -> int:
    """When the chunk of this number (from 1) begins: microseconds, whole seconds."""
    return (END_US - SPAN_US + SPAN_US * (number - 1) // chunks) // 1_000_000 * 1_000_000


def name_of(number: int) -> str:
    """Its chunk_id: in no order of time."""
    return f"{number * 2654435761 % (1 << 32):08x}{number:024x}"


def size_of(number: int) -> int:
    """Passages of a chunk."""
    return 2 if number % 4 == 3 else 1


def fill(path: Path, chunks: int) -> None:
    """Make the index: leaves, names, vectors, then what stands above."""
    open_index(path).close()
    db = apsw.Connection(str(path))
    db.pragma("synchronous", "off")
    db.pragma("cache_size", -400_000)
    later = _without_indexes(db)
    columns = [(str(row[1]), str(row[2])) for row in db.execute("PRAGMA table_info (chunks)")]
    cast, told = Cast(chunks), texts()
    with db:
        put_registry(db, *cast.registry())
        for first in range(1, chunks + 1, _BATCH):
            numbers = range(first, min(first + _BATCH, chunks + 1))
            _write(db, columns, _rows(columns, cast, told, numbers))
    _add_vectors(db)
    for sql in later:
        db.execute(sql)
    with db:
        tally(db, chunks)
    many_trees.grow(db, [cast.identity(n) for n in (1, 3, 10, 30, 100)])
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def tally(db: apsw.Connection, chunks: int) -> None:
    """The counts that are kept beside the rows; those of sources keep themselves."""
    for first in range(1, chunks + 1, 5 * _BATCH):
        tallies.count_in(db, range(first, min(first + 5 * _BATCH, chunks + 1)))
    db.execute("UPDATE embedded SET texts = (SELECT count(*) FROM vectors v WHERE v.signature = embedded.signature)")
    for name, table in (("passages", "passages"), ("with vectors", "passages"), ("mentions", "mentions")):
        tallies.add(db, name, int(db.execute(f"SELECT count(*) FROM {table}").get))


def _without_indexes(db: apsw.Connection) -> list[str]:
    """Drop the indexes of the big tables: made at the end they are made at once."""
    found = list(
        db.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
            " AND tbl_name IN ('chunks', 'passages', 'mentions', 'moments', 'vectors')"
        )
    )
    for name, _ in found:
        db.execute(f"DROP INDEX {name}")
    return [str(sql) for _, sql in found]


def _rows(columns: Sequence[tuple[str, str]], cast: Cast, told: Iterator[list[str]], numbers: range) -> _Rows:
    """The rows of chunks one after the other."""
    found = _Rows([], [], [], [], [], [], [])
    chance = np.random.default_rng(numbers[0])
    drawn = iter(cast.draw(chance, 4 * len(numbers)))
    how_many = iter(chance.choice([0, 1, 2, 3], 2 * len(numbers), p=[0.3, 0.4, 0.2, 0.1]).tolist())
    aliased = iter((chance.random(4 * len(numbers)) < 0.2).tolist())
    spoken = (np.searchsorted(_edges(len(cast.speakers), 1), chance.random(2 * len(numbers)))).tolist()
    speaking = iter(cast.speakers[min(n, len(cast.speakers) - 1)] for n in spoken)
    for number in numbers:
        chunk, turns = _chunk(number, cast.chunks), []
        for ordinal in range(size_of(number)):
            words, said = list(next(told)), []
            key, who = (number << ORDINAL_BITS) | ordinal, next(speaking)
            name = cast.names[who]
            found.mentions.append((fold(name), key, cast.kind(who), "author", name))
            indexed = [*cast.words[who][0], *words]
            for _ in range(min(next(how_many), 2 if ordinal else 3)):
                n = next(drawn, 0)
                second = next(aliased, False) and cast.is_registered(n)
                named = cast.alias(n) if second else cast.names[n]
                said.append(named)
                indexed += cast.words[n][second]
                found.mentions.append((fold(named), key, cast.kind(n), "text", named))
            turns.append((name, " ".join([*words, *said]), indexed))
        _put(found, columns, chunk, number, turns)
    return found


def _chunk(number: int, chunks: int) -> Chunk:
    at, is_mail = start_of(number, chunks), number % 10 == 7
    place = number // 10 % MAILBOXES if is_mail else number % CHANNELS
    thread = number // (10 * MAILBOXES * 3)
    scope = f"email:box-{place:02}" if is_mail else f"slack:channel-{place:03}"
    source = f"email:box-{place:02}/{thread:06x}" if is_mail else scope
    title = f"About {_name(place + 20 * thread)}" if is_mail else f"Channel {_name(place)}"
    return Chunk(
        chunk_id=name_of(number), source_kind="email" if is_mail else "chat", source_id=source, tree_scope=scope,
        owner="", time_start=from_us(at), time_end=from_us(at + 20_000_000 * (size_of(number) - 1)), seq=number,
        position=f"{number:08x}", token_count=60 * size_of(number), body="", source_ref="", original="private",
        title=title, status="admitted", score=0.6, aliases=(f"{title} ({from_us(at):%Y-%m-%d %H:%M})",),
    )  # fmt: skip


def _put(
    found: _Rows,
    columns: Sequence[tuple[str, str]],
    chunk: Chunk,
    number: int,
    turns: Sequence[tuple[str, str, list[str]]],
) -> None:
    start = start_us = int(chunk.time_start.timestamp()) * 1_000_000
    times = [start + 20_000_000 * n for n in range(len(turns))]
    body, places = _body(chunk, number, turns)
    whole = _with_body(chunk, body)
    path = path_of(number)
    known = {
        "id": number, "chunk_id": chunk.chunk_id, "path": path, "source_kind": chunk.source_kind,
        "source_id": chunk.source_id, "tree_scope": chunk.tree_scope, "seq": number, "position": chunk.position,
        "start_us": start_us, "end_us": times[-1], "status": "admitted", "tokens": chunk.token_count,
        "title": chunk.title, "body_line": _BODY_LINE, "says": whole.body_sha256,
    }  # fmt: skip
    found.values.append((number, dump_chunk(whole)))
    known["note_hash"] = note_hash(_NOTES.note(found.values[-1][1]))
    found.chunks.append([known.get(column, "" if kind == "TEXT" else 0) for column, kind in columns])
    cover = index_words(chunk.title)
    counts = [len(words) for _, _, words in turns]
    packed = struct.pack(f"<{len(turns)}I", *counts), struct.pack(f"<{len(turns)}q", *times)
    found.layout.append((number, len(cover), *packed))
    found.words.append(((number << ORDINAL_BITS) | COVER, " ".join(cover)))
    for ordinal, ((name, text, words), when, (first, last)) in enumerate(zip(turns, times, places, strict=True)):
        key = (number << ORDINAL_BITS) | ordinal
        heading = chunk.title if chunk.source_kind == "email" else ""
        found.words.append((key, " ".join(words)))
        row = (key, text, name, "", when, f"m-{key:012x}", heading, first, last, struct.pack("<qqqq", key, 0, 0, 0))
        found.passages.append(row)
        found.moments.append((when, number))


def path_of(number: int) -> str:
    return f"wiki/raw/{number:08x}.md"


def _body(chunk: Chunk, number: int, turns: Sequence[tuple[str, str, list[str]]]) -> tuple[str, list[tuple[int, int]]]:
    """The body as notes have it, and the lines of each passage."""
    parts, places, line = [], [], 0
    for ordinal, (name, text, _) in enumerate(turns):
        at = f"{chunk.time_start.timestamp() + 20 * ordinal:.0f}"
        when = f"{from_us(int(at) * 1_000_000):%Y-%m-%dT%H:%M:%S}Z"
        mail = f"---\nFrom: {name}\nSubject: {chunk.title}\nDate: {when}"
        head = mail if chunk.source_kind == "email" else f"## {when} — {name}"
        parts.append(f"{head}\n\n{text}\n\n^m-{(number << ORDINAL_BITS) | ordinal:012x}\n")
        lines = parts[-1].count("\n")
        places.append((line, line + lines - 1))
        line += lines + 1
    return "\n".join(parts), places


def _with_body(chunk: Chunk, body: str) -> Chunk:
    object.__setattr__(chunk, "body", body)  # nobody else has seen it yet
    object.__setattr__(chunk, "body_sha256", sha256(body.encode()).hexdigest())
    return chunk


def _write(db: apsw.Connection, columns: Sequence[tuple[str, str]], rows: _Rows) -> None:
    db.executemany(f"INSERT INTO chunks VALUES ({', '.join('?' * len(columns))})", rows.chunks)
    db.executemany("INSERT INTO chunk_values VALUES (?, ?)", rows.values)
    db.executemany("INSERT INTO layout VALUES (?, ?, ?, ?)", rows.layout)
    db.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", sorted(rows.words))
    db.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows.passages)
    db.executemany("INSERT OR IGNORE INTO moments VALUES (?, ?)", rows.moments)
    db.executemany("INSERT OR IGNORE INTO mentions VALUES (?, ?, ?, ?, ?)", sorted(rows.mentions))
    named = {(entity_id(kind, surface), surface) for surface, _, kind, _, _ in rows.mentions}
    db.executemany("INSERT OR IGNORE INTO surfaces VALUES (?, ?)", sorted(named))
    prune_changes(db)


def check(path: Path, numbers: Sequence[int] = (1, 3, 7, 27)) -> None:
    """The rows are those that the notes would give. Raises AssertionError."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    for number in numbers:
        ((value,),) = db.execute("SELECT value FROM chunk_values WHERE chunk = ?", (number,))
        text = render_chunk_note(load_chunk(value))
        assert split_note(text).body_line == _BODY_LINE
        entry = read_entry(text, build_registry([]), FileStat(path="", size=0, mtime_ns=0))
        assert not entry.chunk.edited
        assert db.execute("SELECT note_hash FROM chunks WHERE id = ?", (number,)).fetchall() == [(entry.note_hash,)]
        rows = db.execute(
            "SELECT text, author, block, heading, first_line, last_line FROM passages WHERE id >> ? = ? ORDER BY id",
            (ORDINAL_BITS, number),
        )
        told = [(p.text, p.author, p.block, p.heading, p.first_line, p.last_line) for p in entry.passages]
        assert told == list(rows), (told, number)
        assert json.loads(value)["title"] == entry.chunk.title
    db.close()


def _add_vectors(db: apsw.Connection) -> None:
    """Vectors as a model's are: most of what tells two apart lies in a few directions."""
    chance, directions = np.random.default_rng(3), _directions()
    put = "INSERT INTO vectors (signature, text_hash, vector) VALUES (?, ?, ?)"
    last = 0
    with db:
        while keys := [
            (int(row[0]), row[1])
            for row in db.execute("SELECT id, text_hash FROM passages WHERE id > ? ORDER BY id LIMIT 10000", (last,))
        ]:
            last = keys[-1][0]
            drawn = _drawn(chance, directions, len(keys)).astype("<f4")
            rows = [(MiniLm.signature, key, row.tobytes()) for (_, key), row in zip(keys, drawn, strict=True)]
            db.executemany(put, rows)


def asked_vectors(wanted: Sequence[str]) -> dict[str, list[float]]:
    """A vector for each question, of the same kind."""
    return dict(zip(wanted, _drawn(np.random.default_rng(4), _directions(), len(wanted)).tolist(), strict=True))


def _directions() -> np.ndarray:
    """2,000 subjects that texts are about, in 384 numbers."""
    chance = np.random.default_rng(2)
    return (chance.normal(size=(2000, SIZE)) * (np.arange(1, SIZE + 1) ** -0.25)).astype(np.float32)


def _drawn(chance: np.random.Generator, directions: np.ndarray, count: int) -> np.ndarray:
    near = directions[chance.integers(0, len(directions), count)]
    noise = chance.standard_normal(size=near.shape, dtype=np.float32)
    drawn = near + directions[chance.integers(0, len(directions), count)] * np.float32(0.5) + noise * np.float32(0.3)
    found: np.ndarray = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return found


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]))
    check(Path(sys.argv[1]))
