"""What stands above the chunks of a made-up index (tests/bench/many.py): source trees, topics, digests; and its notes.

Ten children a node, as sealing makes them; of a day all its chunks. The notes of a million chunks would be a million
files: `Shelf` gives their bytes from what the index holds.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import apsw

from vaultmem.core.grow.calendar import DAY, MONTH, WEEK, YEAR, global_node_id, global_path, period_of, readable
from vaultmem.core.grow.tree import node_id
from vaultmem.core.notes.chunknote import render_chunk_note
from vaultmem.core.notes.ids import body_sha256
from vaultmem.core.notes.summarynote import render_summary_note, summary_path
from vaultmem.grown import Link, Sentence, SummaryNode, TreeKind
from vaultmem.model import FileStat
from vaultmem.store.index import tallies
from vaultmem.store.index.rows import ORDINAL_BITS, from_us, load_chunk, storable
from vaultmem.store.index.spans import BRANCH
from vaultmem.store.vault import DiskVault

FANOUT = 10
#: Sentences of a summary, and of a day.
_SENTENCES, _OF_A_DAY = 8, 24


@dataclass(frozen=True, slots=True)
class _Part:
    """A leaf or node that is to be listed."""

    id: str
    path: str
    title: str
    first: int
    last: int
    end: int
    tokens: int
    leaves: int
    least_source: str
    most_source: str
    kind: str
    said: tuple[Sentence, ...]


_LEAVES = f"""
SELECT c.chunk_id, c.path, c.title, c.start_us, c.end_us, c.tokens, c.source_id, c.source_kind, p.author, p.text,
    p.block
FROM {{chunks}} JOIN passages p ON p.id = c.id << {ORDINAL_BITS} ORDER BY c.start_us, c.seq, c.chunk_id
"""


def grow(db: apsw.Connection, topics: Sequence[str]) -> None:
    """Make all trees. The leaves' rows are there already."""
    scopes = [row[0] for row in db.execute("SELECT DISTINCT tree_scope FROM chunks ORDER BY 1")]
    with db:
        for scope in scopes:
            rows = _leaves(db, "chunks c INDEXED BY chunks_in_tree", "c.tree_scope = ?", (scope,))
            _tree(db, "source", scope, list(rows))
        for entity in topics:
            named = "(SELECT DISTINCT passage >> 22 AS id FROM mentions WHERE surface IN (SELECT surface FROM aliases"
            of = f"{named} WHERE entity_id = ?)) o JOIN chunks c ON c.id = o.id"
            _tree(db, "topic", entity, list(_leaves(db, of, "", (entity,))))
        _digests(db)


def _leaves(db: apsw.Connection, chunks: str, where: str, values: tuple[object, ...]) -> Iterator[_Part]:
    query = _LEAVES.format(chunks=chunks)
    query = query.replace("ORDER BY", f"WHERE {where} ORDER BY") if where else query
    for chunk, path, title, start, end, tokens, source, kind, author, text, block in db.execute(query, values):
        link = Link(path=path, alias=f"{from_us(start):%H:%M}", anchor=f"^{block}")
        said = (Sentence(text=text, link=link, author=author),)
        yield _Part(chunk, path, title, start, start, end, tokens, 1, source, source, kind, said)


def _tree(db: apsw.Connection, kind: TreeKind, scope: str, level: list[_Part]) -> None:
    for height in range(1, 9):
        if len(level) < FANOUT:
            break
        groups = (level[start : start + FANOUT] for start in range(0, len(level) - FANOUT + 1, FANOUT))
        made = [_node(kind, scope, height, own) for own in groups]
        _put(db, kind, scope, height, made)
        level = [part for part, _, _ in made]


_Made = tuple[_Part, SummaryNode, list[_Part]]


def _node(kind: TreeKind, scope: str, height: int, own: list[_Part]) -> _Made:
    identity = node_id(kind, scope, height, own[0].id)
    first, last, end = min(p.first for p in own), max(p.last for p in own), max(p.end for p in own)
    title = f"{own[0].title.partition(' (')[0]} ({from_us(first):%Y-%m-%d} to {from_us(last):%Y-%m-%d})"
    path = summary_path(kind, scope, height, from_us(first), from_us(end), identity)
    said = tuple(sentence for part in own for sentence in part.said[:1])[:_SENTENCES]
    node = SummaryNode(
        node_id=identity, tree_kind=kind, tree_scope=scope, tree_level=height,
        children=tuple(Link(path=part.path, alias=part.title) for part in own),
        child_ids=tuple(part.id for part in own), time_start=from_us(first), time_end=from_us(end), token_count=400,
        sealed_at=from_us(end), rev=1, summariser="facet-2", title=title, sentences=said, score=0.6,
    )  # fmt: skip
    part = _Part(
        identity, path, title, first, last, end, sum(p.tokens for p in own), sum(p.leaves for p in own),
        min(p.least_source for p in own), max(p.most_source for p in own), own[0].kind, said,
    )  # fmt: skip
    return part, node, own


def _put(db: apsw.Connection, kind: TreeKind, scope: str, height: int, made: Sequence[_Made]) -> None:
    """The nodes of a level of a tree, and whom they list."""
    db.executemany(
        f"INSERT INTO nodes VALUES ({', '.join('?' * 16)})", (_node_row(part, node) for part, node, _ in made)
    )
    tallies.add(db, "summaries", len(made))
    listed = [(part.id, place, child.id) for part, _, own in made for place, child in enumerate(own)]
    db.executemany("INSERT INTO node_children VALUES (?, ?, ?)", listed)
    parents = [(part.id, child.id) for part, _, own in made for child in own]
    if height > 1 or kind == "global":
        db.executemany("UPDATE nodes SET listed = 1 WHERE node_id = ?", ((child,) for _, child in parents))
    if kind != "source":
        return
    if height == 1:
        db.executemany("UPDATE chunks SET parent = ?, listed = 1 WHERE chunk_id = ?", parents)
    else:
        db.executemany("UPDATE spans SET parent = ? WHERE node_id = ?", parents)
    spans = (
        (p.id, height, scope, p.first, p.last, p.end, p.least_source, p.most_source, p.kind, p.kind, p.tokens, p.leaves,
         1, "")
        for p, _, _ in made
    )  # fmt: skip
    db.executemany(f"INSERT INTO spans ({BRANCH}, parent) VALUES ({', '.join('?' * 14)})", spans)


def _node_row(part: _Part, node: SummaryNode) -> tuple[object, ...]:
    text = render_summary_note(node)
    body = text.partition("\n---\n")[2]
    return (
        part.id, part.path, node.tree_kind, storable(node.tree_scope), node.tree_level, part.first, part.end,
        part.title, body_sha256(body), len(text), 0, 0, 0, part.id, node.inputs, text,
    )  # fmt: skip


def _digests(db: apsw.Connection) -> None:
    """A digest for every day, week, month and year."""
    level: list[tuple[datetime, _Part]] = []
    leaves = _leaves(db, "chunks c", "", ())
    for day, own in groupby(leaves, key=lambda part: from_us(part.first).date()):
        parts = list(own)
        said = tuple(sentence for part in parts[:: len(parts) // _OF_A_DAY + 1] for sentence in part.said)
        level.append((datetime.combine(day, datetime.min.time(), UTC), _digest(db, DAY, day, parts, said)))
    for height in (WEEK, MONTH, YEAR):
        above: list[tuple[datetime, _Part]] = []
        for _, group in groupby(level, key=lambda each, h=height: period_of(h, each[0].date())):  # type: ignore[misc]
            found = list(group)
            said = tuple(sentence for _, part in found for sentence in part.said[:3])[:_OF_A_DAY]
            above.append((found[0][0], _digest(db, height, found[0][0].date(), [part for _, part in found], said)))
        level = above


def _digest(db: apsw.Connection, level: int, day: object, own: list[_Part], said: tuple[Sentence, ...]) -> _Part:
    period = period_of(level, day)  # type: ignore[arg-type]
    part, node, _ = _node("global", "global", level, own)
    identity, path = global_node_id(period), global_path(period)
    told = tuple(Sentence(text=s.text, link=s.link, author=s.author, section="Also") for s in said)
    aliases = (readable(period),)
    node = replace(node, node_id=identity, title=period.name, aliases=aliases, sentences=told, inputs="made")
    part = _Part(
        identity, path, period.name, part.first, part.last, part.end, part.tokens, part.leaves, "", "", "", told
    )
    _put(db, "global", "global", level, [(part, node, own)])
    return part


@dataclass
class Shelf:
    """A vault whose notes are made of what the index holds when they are first asked for, and then read as any file.

    A vault has its notes already: what their making took is told, so that it can be left out.
    """

    path: Path
    #: what is no note of chunk or summary
    other: Mapping[str, bytes] = field(default_factory=dict)
    #: seconds of wall and of processor that went into making notes
    wall: float = 0.0
    cpu: float = 0.0

    def __post_init__(self) -> None:
        self._db = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)
        self._notes = Notes()
        self._folder = tempfile.TemporaryDirectory(prefix="vaultmem-shelf-")
        self._disk = DiskVault(Path(self._folder.name))
        self._there: set[str] = set()

    @property
    def root(self) -> Path:
        return self.path.parent

    def read(self, path: str) -> bytes:
        if path in self.other:
            return self.other[path]
        if path not in self._there:
            wall, cpu = time.perf_counter(), time.process_time()
            target = Path(self._folder.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self._made(path))
            self._there.add(path)
            self.wall += time.perf_counter() - wall
            self.cpu += time.process_time() - cpu
        return self._disk.read(path)

    def _made(self, path: str) -> bytes:
        if path.startswith("wiki/raw/"):
            row = self._db.execute("SELECT value FROM chunk_values WHERE chunk = ?", (int(path[9:-3], 16),)).fetchone()
            if row:
                return self._notes.note(row[0])
        row = self._db.execute("SELECT text FROM nodes WHERE path = ?", (path,)).fetchone()
        if row is None:
            raise FileNotFoundError(path)
        return str(row[0]).encode()

    def stat(self, path: str) -> FileStat | None:
        return None


#: Lines of a chunk's note that are not the same in all of them.
_TOLD = {
    "chunk_id": '"%(chunk_id)s"', "source_kind": "%(source_kind)s", "source_id": '"%(source_id)s"',
    "tree_scope": '"%(tree_scope)s"', "timestamp_ms": "%(ms)s", "time_range_start": '"%(start)s"',
    "time_range_end": '"%(end)s"', "seq_in_source": "%(seq)s", "position": '"%(position)s"',
    "token_count": "%(token_count)s", "body_sha256": '"%(body_sha256)s"',
}  # fmt: skip


def _frame(value: str) -> str:
    chunk = load_chunk(value)
    lines = render_chunk_note(chunk).removesuffix(chunk.body).splitlines()
    made = [f"{key}: {_TOLD[key]}" if (key := line.partition(":")[0]) in _TOLD else line for line in lines]
    return "\n".join(made).replace(chunk.aliases[0], "%(alias)s") + "\n%(body)s"


class Notes:
    """Chunk notes: all of them look like the first."""

    def __init__(self) -> None:
        self._frame = ""

    def note(self, value: str) -> bytes:
        found = json.loads(value)
        start, end = (datetime.fromisoformat(found[key]) for key in ("time_start", "time_end"))
        times = {"start": f"{start:%Y-%m-%dT%H:%M:%S}", "end": f"{end:%Y-%m-%dT%H:%M:%S}"}
        told = {**found, **times, "alias": found["aliases"][0], "ms": int(start.timestamp()) * 1000}
        is_first = not self._frame
        self._frame = self._frame or _frame(value)
        text = self._frame % told
        if is_first and text != render_chunk_note(load_chunk(value)):
            raise AssertionError(text)
        return text.encode()
