"""Recall measured: LoCoMo's public half by words, by meaning and by both, and query times at 10,000 chunks.

    python tests/bench/recall.py            both tables
    python tests/bench/recall.py quality    or: speed

The data lies beside the repository (shared/bench) and is not part of it; without it the table is left out with a word.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.meaning import text_hash
from vaultmem.core.recall.rank import Question, rank
from vaultmem.core.recall.times import recency_asked, time_spans
from vaultmem.core.recall.words import query_words
from vaultmem.model import Chunk, Entry, Passage
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index

LOCOMO = Path(__file__).resolve().parents[2] / "../shared/bench/locomo/locomo_dev.json"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
Place = tuple[str, int]
Answer = Callable[[str, Filters], list[Place]]


@dataclass(frozen=True, kw_only=True)
class Ask:
    source: str
    text: str
    category: int
    gold: frozenset[Place]


def locomo() -> tuple[list[Entry], list[Ask]]:
    """One source per conversation, one chunk per session, one passage per turn; every question with known evidence."""
    entries: list[Entry] = []
    asks: list[Ask] = []
    for number, item in enumerate(json.loads(LOCOMO.read_text(encoding="utf-8"))):
        talk, places = item["conversation"], {}
        source = f"slack:conversation-{number}"
        for session in sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key)):
            when = datetime.strptime(talk[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            turns = [(t["speaker"], said(t), t["dia_id"]) for t in talk[f"session_{session}"]]
            name = f"{number:08x}{session:024x}"
            places |= {dia: (name, place) for place, (_, _, dia) in enumerate(turns)}
            entries.append(entry(name, source, session, when, [(who, text) for who, text, _ in turns]))
        for qa in item["qa"]:
            told = {e for part in qa["evidence"] for e in re.findall(r"D\d+:\d+", part)} & places.keys()
            if told:
                gold = frozenset(places[e] for e in told)
                asks.append(Ask(source=source, text=qa["question"], category=qa["category"], gold=gold))
    return entries, asks


def said(turn: dict[str, str]) -> str:
    """A turn's text; a shared picture is told by its caption, as an export would name it."""
    return f"{turn['text']} [image: {turn['blip_caption']}]" if turn.get("blip_caption") else turn["text"]


def entry(name: str, source: str, seq: int, when: datetime, turns: list[tuple[str, str]]) -> Entry:
    passages = tuple(
        Passage(ordinal=i, text=text, author=who, sent_at=when + timedelta(seconds=20 * i), first_line=i, last_line=i)
        for i, (who, text) in enumerate(turns)
    )
    chunk = Chunk(
        chunk_id=name, source_kind="chat", source_id=source, tree_scope=source, owner="", time_start=when,
        time_end=when + timedelta(seconds=20 * len(turns)), seq=seq, position=f"{seq:06d}", token_count=1, body="",
        source_ref="", original="private", title="", status="admitted",
    )  # fmt: skip
    return Entry(path=f"{name}.md", chunk=chunk, passages=passages, mentions=(), body_line=1)


def ours(index: SqliteIndex, vectors: dict[str, list[float]] | None = None) -> Answer:
    def answer(text: str, filters: Filters) -> list[Place]:
        spans = time_spans(text, NOW, UTC)
        times = [(s.start_ms, s.end_ms) for s in spans]
        meaning = Meaning(signature=MiniLm.signature, vector=vectors[text]) if vectors else None
        rows, _ = index.candidates(query_words(text), filters, limit=200, spans_ms=times, meaning=meaning)
        now_ms = int(NOW.timestamp() * 1000)
        question = Question(text=text, spans=spans, recent=recency_asked(text), now_ms=now_ms)
        return [(r.row.chunk_id, r.row.ordinal) for r in rank(rows, question)]

    return answer


def plain(index: SqliteIndex) -> Answer:
    """FTS5's own bm25() over the same words, best first: what the parts on top of it are worth."""
    sql = (
        "SELECT c.chunk_id, words.rowid & 4194303 FROM words JOIN chunks c ON c.id = words.rowid >> 22"
        " WHERE words MATCH ? AND (? = '' OR c.source_id = ?) ORDER BY bm25(words), c.chunk_id, words.rowid LIMIT 50"
    )

    def answer(text: str, filters: Filters) -> list[Place]:
        match = " OR ".join(f'"{word}"' for word in query_words(text))
        return list(index._db.execute(sql, (match, filters.source, filters.source))) if match else []

    return answer


def quality(index: SqliteIndex) -> None:
    entries, asks = locomo()
    index.commit(entries)
    vectors = embedded(index, [ask.text for ask in asks])
    words = {ask.text: vectors[ask.text] for ask in asks}
    print(f"LoCoMo, public half: {len(asks)} questions, turn recall inside the conversation, {index.vector_backend}")
    print(f"{'':24}{'R@5':>7}{'R@10':>7}   R@10 by category 1 2 3 4 5")
    dense, lexical = by_meaning(index, words), ours(index)
    methods = {
        "FTS5 bm25": plain(index),
        "MiniLM": dense,
        "bm25 + MiniLM, RRF 60": reciprocal(plain(index), dense),
        "vaultmem, words": lexical,
        "vaultmem, RRF 60": reciprocal(lexical, dense),
        "vaultmem": ours(index, words),
    }
    for name, answer in methods.items():
        table(name, asks, answer, everywhere=False)
    print("in all five conversations at once")
    for name in ("FTS5 bm25", "MiniLM", "vaultmem, words", "vaultmem"):
        table(name, asks, methods[name], everywhere=True)


def table(name: str, asks: list[Ask], answer: Answer, *, everywhere: bool) -> None:
    found = [(a, answer(a.text, Filters(source="" if everywhere else a.source))) for a in asks]
    by_kind = [share([f for f in found if f[0].category == c], 10) for c in range(1, 6)]
    line = " ".join(f"{value:5.1f}" for value in by_kind)
    print(f"{name:24}{share(found, 5):7.1f}{share(found, 10):7.1f}   {line}", flush=True)


def embedded(index: SqliteIndex, questions: list[str]) -> dict[str, list[float]]:
    """Give the index its vectors and return the questions'; what was embedded once is kept in the temporary folder."""
    model = MiniLm()
    kept = Path(tempfile.gettempdir()) / f"vaultmem-bench-{model.signature.replace('/', '-')}.npz"
    known: dict[str, np.ndarray] = {}
    if kept.exists():
        with np.load(kept) as file:
            known = dict(zip(file["keys"].tolist(), file["vectors"], strict=True))
    wanted = dict(index.passages_without_vector(model.signature, 1_000_000))
    texts = {text_hash(text).hex(): text for text in [*wanted.values(), *questions]}
    new = [key for key in texts if key not in known]
    for key in new:
        known[key] = model.embed([texts[key]])[0]
    if new:
        np.savez(kept, keys=np.array(list(known)), vectors=np.array(list(known.values())))
    index.put_vectors(model.signature, {key: known[key.hex()].tolist() for key in wanted})
    index.nearest(Meaning(signature=model.signature, vector=known[new[0] if new else next(iter(known))].tolist()),
                  Filters(), limit=1)  # fmt: skip
    return {text: known[text_hash(text).hex()].tolist() for text in questions}


def by_meaning(index: SqliteIndex, vectors: dict[str, list[float]]) -> Answer:
    """The nearest vectors and nothing else."""

    def answer(text: str, filters: Filters) -> list[Place]:
        meaning = Meaning(signature=MiniLm.signature, vector=vectors[text])
        return [(chunk, ordinal) for chunk, ordinal, _ in index.nearest(meaning, filters, limit=50)]

    return answer


def reciprocal(first: Answer, second: Answer) -> Answer:
    """Reciprocal rank fusion of the first 50 of each, with k = 60."""

    def answer(text: str, filters: Filters) -> list[Place]:
        scores: dict[Place, float] = {}
        for found in (first(text, filters)[:50], second(text, filters)[:50]):
            for place, item in enumerate(found):
                scores[item] = scores.get(item, 0.0) + 1 / (61 + place)
        return sorted(scores, key=lambda item: (-scores[item], item))

    return answer


def share(found: list[tuple[Ask, list[Place]]], k: int) -> float:
    """Mean share of the evidence among the first k, in percent."""
    return 100 * statistics.fmean(len(ask.gold & set(places[:k])) / len(ask.gold) for ask, places in found)


def zipf_entries(chunks: int, passages: int) -> Iterator[Entry]:
    """Filler text of invented words with a natural spread: 12 to 40 words a passage."""
    chance = random.Random(7)
    words = [f"{chance.choice('bdfgklmnprst')}{chance.choice('aeiou')}{n:x}" for n in range(30_000)]
    weights = list(itertools.accumulate(1 / (n + 8) for n in range(len(words))))
    for number in range(chunks):
        turns = [
            (who, " ".join(chance.choices(words, cum_weights=weights, k=chance.randint(12, 40))))
            for who, _ in zip(itertools.cycle(("Ann", "Bob")), range(passages), strict=False)
        ]
        yield entry(f"{number:032x}", f"slack:{number % 50}", number, NOW - timedelta(hours=number), turns)


def speed(index: SqliteIndex, chunks: int = 10_000) -> None:
    started = time.perf_counter()
    source = zipf_entries(chunks, 5)
    while batch := list(itertools.islice(source, 500)):
        index.commit(batch)
    counts = index.counts()
    print(f"{counts['notes']} chunks, {counts['passages']} passages, written in {time.perf_counter() - started:.0f} s")
    texts = [e.passages[2].text.split() for e in itertools.islice(zipf_entries(200, 5), 200)]
    asked = [" ".join(words[: 4 + n % 5]) for n, words in enumerate(texts)]
    for name, answer in (("FTS5 bm25, best 50", plain(index)), ("candidates + rank", ours(index))):
        answer(asked[0], Filters())
        times = []
        for text in asked:
            start = time.process_time()
            answer(text, Filters())
            times.append((time.process_time() - start) * 1000)
        times.sort()
        print(f"{name:24} p50 {times[100]:6.1f} ms  p95 {times[190]:6.1f} ms  (processor time, 200 queries)")


def main(wanted: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if wanted in ("", "quality") and not LOCOMO.exists():
            print(f"LoCoMo: not measured, there is no {LOCOMO.name} in shared/bench")
        elif wanted in ("", "quality"):
            quality(open_index(Path(folder) / "locomo.db"))
        if wanted in ("", "speed"):
            speed(open_index(Path(folder) / "speed.db"))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
