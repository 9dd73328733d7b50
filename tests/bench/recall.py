"""Recall measured: LoCoMo's public half by words, by meaning and by both.

    python -m tests.bench.recall

The data lies beside the repository (shared/bench) and is not part of it; without it the table is left out with a word.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from tests.bench.asking import Answer, Place, entry, ours, plain
from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.meaning import text_hash
from vaultmem.model import Entry
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index

LOCOMO = Path(__file__).resolve().parents[2] / "../shared/bench/locomo/locomo_dev.json"


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


def main() -> None:
    if not LOCOMO.exists():
        print(f"LoCoMo: not measured, there is no {LOCOMO.name} in shared/bench")
        return
    with tempfile.TemporaryDirectory() as folder:
        quality(open_index(Path(folder) / "locomo.db"))


if __name__ == "__main__":
    main()
