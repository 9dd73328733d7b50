"""How fast: each number stands beside what this machine itself can do in the same run, and the ratio is what counts.

    python -m tests.bench.speed                 all tables, some minutes
    python -m tests.bench.speed message bulk    or only these: message, bulk, recall, cold, vectors
    python -m tests.bench.speed recall 1000000  so many chunks instead of 10,000 and 100,000 (a million: ten minutes
                                                and 8 GB of disk)

Nothing fails here: times depend on the machine and on what else it does.
"""

from __future__ import annotations

import os
import queue
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw

from tests.bench import many
from tests.bench.chatter import sentence, slack_export, whatsapp_lines
from tests.bench.stages import Stages
from tests.vaults import REPO, Box
from vaultmem import sources
from vaultmem.app import grow, grow_digests, grow_topics, ingest, notes, sentences, sync
from vaultmem.core.ingest import compose
from vaultmem.model import NoteFile
from vaultmem.providers.minilm import MiniLm
from vaultmem.providers.minilm_tiles import are_there
from vaultmem.store.index import SqliteIndex
from vaultmem.store.vault import DiskVault

TRIES = 50
#: Chunks of the indexes that are asked.
SIZES = [10_000, 100_000]


def milliseconds(do: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    started = clock()
    do()
    return 1000 * (clock() - started)


def row(name: str, times: Sequence[float], limit: float = 0.0, of: str = "") -> float:
    """Print median and p95 in milliseconds, and how many times `limit` the median is."""
    ordered = sorted(times)
    middle = statistics.median(ordered)
    ratio = f"{middle / limit:8.1f} x {of}" if limit else ""
    print(f"  {name:<44}{middle:9.2f} ms{ordered[int(0.95 * (len(ordered) - 1))]:9.2f} ms {ratio}", flush=True)
    return middle


class Limits:
    """What a durable note and a durable row cost here, with nothing around them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._text = b"x" * 2000
        self._db = apsw.Connection(str(folder / "limit.sqlite"))
        self._db.pragma("journal_mode", "wal")
        self._db.pragma("synchronous", "normal")
        self._db.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)")

    def note(self) -> None:
        """A new file, flushed, renamed into place, its folder flushed."""
        with (self._folder / "note.tmp").open("wb") as file:
            file.write(self._text)
            file.flush()
            os.fsync(file.fileno())
        (self._folder / "note.tmp").rename(self._folder / "note.md")
        folder = os.open(self._folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def commit(self) -> None:
        """One row of the same size, in a transaction of its own, with the index's own settings."""
        with self._db:
            self._db.execute("INSERT INTO t (b) VALUES (?)", (self._text,))


def message(folder: Path) -> None:
    """A small export that has grown by one message, dropped again."""
    print(f"one message, from the drop to the answer (median and p95 of {TRIES}; settle_seconds is 0 here)")
    limits = Limits(folder)
    probes: dict[str, list[float]] = {"note": [], "commit": []}
    for name, embedder in (("words alone", "none"), ("with vectors", "builtin")):
        box = Box(folder / embedder, embedder=embedder)
        lines = whatsapp_lines(120 + 2 * TRIES)
        searchable, whole, spent = _grown(box, lines, limits, probes)
        floor = statistics.median(probes["note"]) + statistics.median(probes["commit"])
        if embedder == "none":
            row("limit: one 2 kB note, durable", probes["note"])
            row("limit: one SQLite commit", probes["commit"])
        row(f"sync, {name}: found by its words", searchable, floor, "limit")
        row(f"sync, {name}: the pass is over", whole, floor, "limit")
        row(f"sync, {name}: CPU of the pass", spent)
        row(f"watch, {name}: drop to 'imported'", _watched(box, lines), floor, "limit")


def _export(box: Box, lines: Sequence[str]) -> None:
    box.write("WhatsApp Chat with Crew.txt", "".join(lines))


def _grown(
    box: Box, lines: Sequence[str], limits: Limits, probes: dict[str, list[float]]
) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of each pass until the rows were there, until its end, and of CPU."""
    searchable, whole, spent = [], [], []
    rows_there = 0.0
    commit = SqliteIndex.commit

    def timed(index: SqliteIndex, entries: Sequence[Any], **more: Any) -> None:
        nonlocal rows_there
        commit(index, entries, **more)
        if entries:
            rows_there = time.perf_counter()

    SqliteIndex.commit = timed  # type: ignore[method-assign]
    try:
        with box.open() as memory:
            for size in range(118, 120 + TRIES):
                _export(box, lines[:size])
                started, cpu = time.perf_counter(), time.process_time()
                report = memory.sync()
                ended = time.perf_counter()
                assert report.files[0].chunks, report.files
                if size >= 120:
                    searchable.append(1000 * (rows_there - started))
                    whole.append(1000 * (ended - started))
                    spent.append(1000 * (time.process_time() - cpu))
                    probes["note"].append(milliseconds(limits.note))
                    probes["commit"].append(milliseconds(limits.commit))
    finally:
        SqliteIndex.commit = commit  # type: ignore[method-assign]
    return searchable, whole, spent


def _watched(box: Box, lines: Sequence[str]) -> list[float]:
    """The same through a running watch: until it says that it took the file."""
    said: queue.Queue[str] = queue.Queue()
    over = threading.Event()

    def watch() -> None:
        with box.open() as memory:
            memory.watch(said.put, until=over.is_set)

    runner = threading.Thread(target=watch)
    runner.start()
    said.get(timeout=60)
    time.sleep(1.0)
    times = []
    try:
        for size in range(120 + TRIES, 120 + 2 * TRIES):
            _export(box, lines[:size])
            started = time.perf_counter()
            while not said.get(timeout=60).startswith("imported"):
                pass
            times.append(1000 * (time.perf_counter() - started))
    finally:
        over.set()
        runner.join()
    return times


def bulk(folder: Path, messages: int = 5000) -> None:
    """Many messages at once, and where the CPU goes."""
    export = slack_export(messages)
    box = Box(folder)
    box.write("export.zip", export)
    with Stages() as stages, box.open() as memory:
        _watch_stages(stages)
        seals = _seals(stages)
        started, cpu = time.perf_counter(), time.process_time()
        report = memory.sync()
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    chunks = report.files[0].chunks
    raw = {p: c for p, c in box.notes().items() if p.startswith("wiki/raw/")}
    size = sum(map(len, raw.values())) >> 10
    print(f"{messages} messages of a Slack export at once: {chunks} chunks, {size} kB of notes")
    bare = milliseconds(lambda: [_put(folder / "bare" / path, content) for path, content in raw.items()]) / 1000
    files = [NoteFile(path=f"copy/{path}", content=content) for path, content in raw.items()]
    durable = milliseconds(lambda: DiskVault(box.root).write(files)) / 1000
    print(f"  {'limit: the same notes as plain files':<44}{messages / bare:9.0f} messages/s")
    print(f"  {'limit: the same notes, durable':<44}{messages / durable:9.0f} messages/s")
    print(f"  {'sync, all of it':<44}{messages / wall:9.0f} messages/s {wall / durable:8.1f} x the durable notes")
    print(f"  {'CPU of sync':<44}{1000 * cpu / messages:9.3f} ms per message, {1000 * cpu / chunks:.2f} ms per chunk")
    for stage, seconds in stages.seconds.most_common():
        print(f"    {stage:<42}{1000 * seconds / chunks:9.2f} ms per chunk{100 * seconds / cpu:6.0f} %")
    rest = cpu - stages.seconds.total()
    print(f"    {'everything else':<42}{1000 * rest / chunks:9.2f} ms per chunk{100 * rest / cpu:6.0f} %")
    if seals:
        spent, tokens = (sum(values) for values in zip(*seals, strict=True))
        per_window = 1000 * spent * 50_000 / tokens
        print(f"  {'seal: CPU per 50,000 tokens summarised':<44}{per_window:9.0f} ms ({len(seals)} seals)")


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _watch_stages(stages: Stages) -> None:
    stages.watch_items("read", sources, "read")
    stages.watch("redact", ingest, "scrub_message")
    stages.watch("known messages", ingest, "with_keys", "_fresh")
    stages.watch("chunk (count tokens, cut, render)", ingest, "message_chunks")
    stages.watch("extract", compose, "find_mentions")
    stages.watch("score", compose, "judge")
    stages.watch("write: compose the note", notes, "render_chunk_note")
    stages.watch("write: the files", DiskVault, "write")
    stages.watch("index: read the note back", notes, "read_entry")
    stages.watch("index: rows", SqliteIndex, "commit")
    stages.watch("registry", sync, "refresh_registry", "grow_registry")
    stages.watch("summaries and the rest of the jobs", sync, "work")
    stages.watch("summaries: sentences", sentences.Sentences, "_cut")
    stages.watch("summaries: choose and write", grow.Grower, "compose")
    stages.watch("digests", grow_digests.Digests, "digest_daily")
    stages.watch("topics", grow_topics.Topics, "topic_route")
    stages.watch("pages", sync, "refresh_pages")


def _seals(stages: Stages) -> list[tuple[float, int]]:
    """(CPU seconds, tokens below) of each summary of leaves made from now on."""
    found: list[tuple[float, int]] = []
    carry_out = grow.Grower._carry_out

    def timed(grower: grow.Grower, scope: str, seal: Any) -> None:
        started = time.thread_time()
        carry_out(grower, scope, seal)
        if seal.level == 1:
            below = [grower.engine.index.chunk(child) for child in seal.child_ids]
            found.append((time.thread_time() - started, sum(leaf[1].token_count for leaf in below if leaf)))

    grow.Grower._carry_out = timed  # type: ignore[method-assign]
    return found


def recall(folder: Path) -> None:
    """Recall and every mode on a warm index, beside a bare FTS5 query for the same words."""
    for chunks in SIZES:
        path = folder / f"{chunks}.db"
        many.fill(path, chunks)
        many.check(path)
        # a process of its own: memory is that of asking alone
        subprocess.run([sys.executable, "-m", "tests.bench.asked", str(path), str(chunks)], check=True, cwd=REPO)
        path.unlink()


def cold(folder: Path, tries: int = 7) -> None:
    """The real command from the shell."""
    print(f"cold, from the shell (median of {tries}: wall, then CPU)")
    boxes = {name: Box(folder / name, embedder=name) for name in ("none", "builtin")}
    for box in boxes.values():
        box.write("export.zip", slack_export(400))
        box.sync()
    python = _runs("python -c pass", ["-c", "pass"], boxes["none"], tries, 0.0)
    _runs("vaultmem --help", ["-m", "vaultmem", "--help"], boxes["none"], tries, python)
    for name, told in (("none", "vaultmem recall, words alone"), ("builtin", "vaultmem recall, with vectors")):
        question = ["-m", "vaultmem", "--vault", str(boxes[name].root), "recall", "what does the crane cost?"]
        _runs(told, question, boxes[name], tries, python)


def _runs(name: str, arguments: Sequence[str], box: Box, tries: int, python: float) -> float:
    walls, cpus = [], []
    for _ in range(tries):
        before, started = os.times(), time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments], check=True, capture_output=True, cwd=REPO, env={**os.environ, **box.environ}
        )
        after = os.times()
        walls.append(time.perf_counter() - started)
        cpus.append(after.children_user + after.children_system - before.children_user - before.children_system)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    ratio = f"{wall / python:8.1f} x python" if python else ""
    print(f"  {name:<44}{wall:9.3f} s {cpu:9.3f} s  {ratio}", flush=True)
    return wall


def vectors(folder: Path, texts: int = 256) -> None:
    """Texts of one to three sentences, embedded in one go."""
    chance = random.Random(11)
    asked = [sentence(chance) for _ in range(texts)]
    print("vectors, built-in model")
    for kind, tiles in (("float32", False), *([("bfloat16 in tiles", True)] if are_there() else [])):
        model = MiniLm(tiles=tiles)
        load = milliseconds(lambda: model.embed(["warm"]), time.process_time)  # noqa: B023 - called at once
        spent = milliseconds(lambda: model.embed(asked), time.process_time)  # noqa: B023 - called at once
        print(f"  {f'texts per CPU second, {kind}':<44}{1000 * texts / spent:9.0f}")
        print(f"  {'loading the model, first text':<44}{load:9.0f} ms CPU")


TABLES: dict[str, Callable[[Path], None]] = {
    "message": message, "bulk": bulk, "recall": recall, "cold": cold, "vectors": vectors,
}  # fmt: skip


def main(wanted: Sequence[str]) -> None:
    """Print the tables named, or all; numbers are sizes."""
    SIZES[:] = [int(word) for word in wanted if word.isdigit()] or SIZES
    wanted = [word for word in wanted if not word.isdigit()]
    unknown = set(wanted) - TABLES.keys()
    if unknown:
        sys.exit(f"no such table: {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    for name, table in TABLES.items():
        if not wanted or name in wanted:
            with tempfile.TemporaryDirectory(prefix="vaultmem-speed-") as folder:
                table(Path(folder))
            print()


if __name__ == "__main__":
    main(sys.argv[1:])
