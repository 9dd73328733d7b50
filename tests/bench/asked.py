"""How fast a made-up index (tests/bench/many.py) answers: recall and every mode in one table, beside bare FTS5.

    python -m tests.bench.asked FILE CHUNKS            all rows
    python -m tests.bench.asked FILE CHUNKS walk graph  those whose name holds one of these words

All questions go through the functions that answer a user's, in one process whose peak memory is told. Notes are files
(`Shelf`; making one is not counted), and a question's vector is there already: embedding it is a row of the table
`vectors`.
"""

from __future__ import annotations

import gc
import itertools
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench import many
from tests.bench.asking import NOW
from tests.bench.many_trees import Shelf
from vaultmem.answers import Embedded, Filters, Meaning, QueryResponse
from vaultmem.app.asker import Asker
from vaultmem.app.context import context
from vaultmem.app.embed import vector_state
from vaultmem.app.engine import Engine
from vaultmem.app.graph import entity_graph
from vaultmem.app.recall import Evidence, cited, evidence
from vaultmem.app.tree import tree
from vaultmem.config import Settings
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.chunknote import render_chunk_note
from vaultmem.core.notes.entry import read_entry
from vaultmem.core.recall.words import query_words
from vaultmem.model import Entry, FileStat
from vaultmem.ports import Embedders
from vaultmem.providers.minilm import MiniLm
from vaultmem.providers.tokens import count_tokens
from vaultmem.store.index import SqliteIndex, open_index, similarity

TRIES = 200
#: A row ends after so many seconds, when it has had a few tries.
SECONDS, LEAST = 8.0, 21
_BARE = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 50"

Ask = Callable[[], object]


class _Vectors:
    """An embedder that knows the questions already."""

    name, signature, trouble = MiniLm.signature, MiniLm.signature, ""

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}
        self._spare = list(many.asked_vectors([str(n) for n in range(500)]).values())

    def embed(self, texts: Sequence[str]) -> Embedded:
        raise NotImplementedError

    def embed_question(self, text: str) -> Embedded:
        known = self._known.setdefault(text, self._spare[len(self._known) % len(self._spare)])
        return Embedded(signature=self.signature, rows=np.array([known], dtype=np.float32))


@dataclass
class Bench:
    """An index of so many chunks, and all that asks it."""

    path: Path
    chunks: int

    def __post_init__(self) -> None:
        self.index: SqliteIndex = open_index(self.path)
        shelf: Any = Shelf(self.path)
        self.shelf = shelf
        self.cast = many.Cast(self.chunks)
        self.chance = random.Random(3)
        self.asked = many.questions()
        self.embedders = Embedders(current=_Vectors())
        nothing: Any = None
        self.engine = Engine(
            vault=self.shelf, index=self.index, intake=nothing, settings=Settings(), count=count_tokens,
            now=lambda: NOW, wall=time.time, sleep=time.sleep, embedder=lambda: None,
        )  # fmt: skip
        self.asker = Asker(engine=self.engine, recall=self.recall, evidence=self.evidence)

    def recall(self, text: str, k: int, filters: Filters, *, words_only: bool = False) -> QueryResponse:
        found = self.evidence(text, k, filters, words_only=words_only)
        return cited(self.index, self.shelf, found, k=k, filters=filters)

    def evidence(self, text: str, k: int, filters: Filters, *, words_only: bool = False) -> Evidence:
        embedders = Embedders(cause="none") if words_only else self.embedders
        return evidence(self.index, text, k=k, filters=filters, now=NOW, zone=UTC, embedders=embedders)

    def mode(self, name: str, **arguments: object) -> Ask:
        return lambda: tree(self.asker, name, arguments)

    def rows(self) -> Iterator[tuple[str, Iterator[Ask]]]:
        """Name of a row, and its questions without end."""
        yield "bare FTS5 OR, best 50", (self._bare(text) for text in itertools.cycle(self.asked))
        for name, words_only in (("recall, words", True), ("recall, words and vectors", False)):
            yield name, (self._recall(text, Filters(), words_only) for text in itertools.cycle(self.asked))
        yield (
            "recall, in a time of its own",
            (self._recall(text, self._times()) for text in itertools.cycle(self.asked)),
        )
        yield (
            "recall, of one who is named",
            (self._recall(f"{self._who()} {text}") for text in itertools.cycle(self.asked)),
        )
        yield from self._of_entities()
        yield from self._of_time()
        yield from self._of_nodes()
        yield from self._of_walks()
        yield "memory_context", (self._context(text) for text in itertools.cycle(self.asked))
        yield "sync_status_list", self._each("sync_status_list", [{}, {"source": "slack:"}, {"kind": "email"}])
        yield "status (what the index counts)", itertools.repeat(self._status)

    def _each(self, mode: str, arguments: Sequence[dict[str, object]]) -> Iterator[Ask]:
        return (self.mode(mode, **given) for given in itertools.cycle(arguments))

    def _of_entities(self) -> Iterator[tuple[str, Iterator[Ask]]]:
        parts = [self._who() for _ in range(40)]
        parts += [name.partition(" ")[0] for name in parts[:20]] + [name[:4] for name in parts[:20]]
        yield "search_entities", self._each("search_entities", [{"query": part} for part in parts])
        yield "search_entities, most named", self._each("search_entities", [{"query": ""}])
        wrong = [f"{name[:2]}x{name[3:]}" for name in parts[:40]]
        yield "search_entities, misspelt", self._each("search_entities", [{"query": part} for part in wrong])
        yield "query_topic", self._each("query_topic", [{"entity": self._who()} for _ in range(100)])
        # the one who speaks most is in too many chunks to be a topic (above a fifth)
        yield "query_topic, hub with a tree", self._each("query_topic", [{"entity": self.cast.identity(3)}])
        weeks = [{"entity": self.cast.identity(n), "since": "2025-12-01"} for n in (1, 3)]
        yield "query_topic, hub, a month", self._each("query_topic", weeks)
        yield "graph", (self._graph(self._who()) for _ in itertools.count())
        yield "graph, two hops from a hub", (self._graph(self.cast.identity(0), hops=2) for _ in itertools.count())

    def _of_time(self) -> Iterator[tuple[str, Iterator[Ask]]]:
        windows = [self._window(share) for share in (0.0005, 0.01, 0.2, 0.9) for _ in range(25)]
        self.chance.shuffle(windows)
        yield "cover_window", self._each("cover_window", windows)
        sources: list[dict[str, object]] = [{"source": f"slack:channel-{n:03}"} for n in range(many.CHANNELS)]
        mixed = [{**source, **window} for source, window in zip(sources, [{}, *windows], strict=False)]
        yield "query_source", self._each("query_source", mixed)
        ranked = [{**given, "query": text} for given, text in zip(mixed, self.asked, strict=False)]
        yield "query_source, ranked", self._each("query_source", ranked)
        looks: list[dict[str, object]] = [{"window": back, "until": f"{2021 + n}-12-01"}
                 for back in ("7d", "30d", "120d", "2y") for n in range(1, 5)]  # fmt: skip
        yield "query_global", self._each("query_global", looks)

    def _of_nodes(self) -> Iterator[tuple[str, Iterator[Ask]]]:
        nodes = [row[0] for row in self.index._db.execute(
            "SELECT node_id FROM nodes WHERE tree_kind = 'source' ORDER BY substr(node_id, 9) LIMIT 200")]  # fmt: skip
        yield "drill_down", self._each("drill_down", [{"node_id": node, "max_depth": 2} for node in nodes])
        asked = [{"node_id": node, "query": text} for node, text in zip(nodes, self.asked, strict=False)]
        yield "drill_down, ranked", self._each("drill_down", asked)
        yield "fetch_leaves", self._each("fetch_leaves", [{"chunk_ids": self._leaves(20)} for _ in range(50)])

    def _of_walks(self) -> Iterator[tuple[str, Iterator[Ask]]]:
        text = itertools.cycle(self.asked)
        yield "smart_walk, no entity", (self.mode("smart_walk", query=next(text)) for _ in itertools.count())
        yield "walk, no entity", (self.mode("walk", query=next(text)) for _ in itertools.count())
        one = (f"what did {self._who()} say of {next(text)}?" for _ in itertools.count())
        yield "smart_walk, one entity", (self.mode("smart_walk", query=asked) for asked in one)
        two = (f"what did {self._who()} tell {self._who()} of {next(text)}?" for _ in itertools.count())
        yield "smart_walk, two entities", (self.mode("smart_walk", query=asked) for asked in two)
        hubs = [self.cast.names[n] for n in (0, 1, 3, 4)]
        both = (f"{a} and {b}: {next(text)}" for a, b in itertools.cycle(itertools.permutations(hubs, 2)))
        yield "smart_walk, two hubs", (self.mode("smart_walk", query=asked) for asked in both)

    def _who(self) -> str:
        """Somebody or something, as often as it is named."""
        return self.cast.names[self.cast.draw(np.random.default_rng(self.chance.randrange(1 << 30)), 1)[0]]

    def _leaves(self, count: int) -> list[str]:
        return [many.name_of(self.chance.randrange(1, self.chunks + 1)) for _ in range(count)]

    def _window(self, share: float) -> dict[str, object]:
        length = many.SPAN_US * share
        since = many.END_US - many.SPAN_US + int((many.SPAN_US - length) * self.chance.random())
        return {"since_ms": since // 1000, "until_ms": int(since + length) // 1000}

    def _times(self) -> Filters:
        since = NOW - timedelta(seconds=self.chance.randrange(10**8))
        return Filters(since=since, until=since + timedelta(days=200))

    def _bare(self, text: str) -> Ask:
        match = " OR ".join(f'"{word}"' for word in query_words(text))
        return lambda: list(self.index._db.execute(_BARE, (match,)))

    def _recall(self, text: str, filters: Filters | None = None, words_only: bool = False) -> Ask:
        return lambda: self.recall(text, 10, filters or Filters(), words_only=words_only)

    def _context(self, text: str) -> Ask:
        return lambda: context(self.asker, text, budget=2000, session="")

    def _graph(self, name: str, hops: int = 1) -> Ask:
        return lambda: entity_graph(self.engine, name, hops=hops, limit=30)

    def _status(self) -> object:
        counts = self.index.counts(), self.index.queue.counts(), self.index.queue.backlog()
        return counts, vector_state(self.index, self.embedders)

    def entries(self, count: int) -> list[Entry]:
        """Chunks that are new: as the last ones, an hour later."""
        registry = build_registry([note.entity for note in self.index.registry()])
        told = many.texts()
        found = []
        for n in range(count):
            chunk, words = many._chunk(self.chunks + 1 + n, self.chunks), next(told)
            text = " ".join([*words, self._who(), self._who()])
            body, _ = many._body(
                chunk, self.chunks + 1 + n, [(self._who(), text, [])] * many.size_of(self.chunks + 1 + n)
            )
            note = render_chunk_note(many._with_body(chunk, body))
            stat = FileStat(path=many.path_of(self.chunks + 1 + n), size=len(note), mtime_ns=0)
            found.append(read_entry(note, registry, stat))
        return found


def measure(path: Path, chunks: int, only: Sequence[str] = ()) -> None:
    """Print the table."""
    bench = Bench(path, chunks)
    passages = bench.index.counts()["passages"]
    print(f"{chunks:,} chunks, {passages:,} passages: milliseconds of wall and of CPU; peak memory so far")
    print(f"  {'':<34}{'first':>9}{'p50':>9}{'p99':>9}{'CPU p50':>9}{'CPU p99':>9}{'MB':>6}{'tries':>7}{'x FTS5':>8}")
    bare = 0.0
    for name, asks in bench.rows():
        if not only or any(word in name for word in only):
            bare = _row(name, asks, bare, bench.shelf)
    if not only or "commit" in only:
        _commits(bench, bare)
    if not only or "vectors" in only:
        _lost(bench)
    print(flush=True)


def _row(name: str, asks: Iterator[Ask], bare: float, shelf: Shelf) -> float:
    """One row; the median of the bare query."""
    walls, cpus = [], []
    gc.collect()
    began = time.perf_counter()
    for ask in itertools.islice(asks, TRIES + 1):
        made = shelf.wall, shelf.cpu
        wall, cpu = time.perf_counter(), time.process_time()
        ask()
        cpus.append(1000 * (time.process_time() - cpu - shelf.cpu + made[1]))
        walls.append(1000 * (time.perf_counter() - wall - shelf.wall + made[0]))
        if time.perf_counter() - began > SECONDS and len(walls) > LEAST:
            break
    ordered = sorted(walls[1:])
    bare = bare or statistics.median(ordered)
    _print(name, walls[0], ordered, sorted(cpus[1:]), bare)
    return bare


def _print(name: str, first: float, walls: list[float], cpus: list[float], bare: float) -> None:
    told = [first, statistics.median(walls), _p99(walls), statistics.median(cpus), _p99(cpus)]
    numbers = "".join(f"{number:9.1f}" for number in told)
    ratio = f"{told[1] / bare:8.2f}" if bare else ""
    print(f"  {name:<34}{numbers}{_peak_mb():6}{len(walls):7}{ratio}", flush=True)


def _p99(ordered: list[float]) -> float:
    return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]


def _commits(bench: Bench, bare: float) -> None:
    """One more chunk, and the question after it; they are taken out again."""
    entries = bench.entries(31)
    _row("commit of one more chunk", (lambda e=e: bench.index.commit([e]) for e in entries), bare, bench.shelf)  # type: ignore[misc]
    again = iter(zip(bench.entries(31), bench.asked, strict=False))

    def after() -> Iterator[Ask]:
        for entry, text in again:
            bench.index.commit([entry])
            yield bench._recall(text)

    _row("recall, after a commit", after(), bare, bench.shelf)
    bench.index.commit([], removed=[entry.path for entry in entries])


def _lost(bench: Bench) -> None:
    """What choosing by signs loses."""
    if similarity.load_sqlite_vec(bench.index._db):
        return
    asked = list(many.asked_vectors(bench.asked).values())[: 20 if bench.chunks < 10**6 else 6]
    some = [Meaning(signature=MiniLm.signature, vector=vector) for vector in asked]
    found = [bench.index.nearest(meaning, Filters(), limit=10) for meaning in some]
    way, choose = bench.index.vector_backend, similarity.choose
    similarity.choose = lambda db, *_, **__: similarity.SqliteVecSimilarity(db)
    exact = [bench.index.nearest(meaning, Filters(), limit=10) for meaning in some]
    similarity.choose = choose
    same = statistics.fmean(len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True))
    print(f"  of the 10 nearest vectors {way} finds {100 * same:.1f} % (of {len(some)} questions)", flush=True)


def _peak_mb() -> int:
    """Of this program: what `getrusage` tells holds what its parent had when it began, so it serves only elsewhere."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    measure(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
