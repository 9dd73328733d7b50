"""Recall measured on public data, beside what its users could pick instead, in one run.

    python -m tests.bench.recall [locomo] [help] [aeslc] [scifact]

For each set: recall at 1, 5 and 10, MRR, nDCG at 5 and 10, by class, of plain FTS5 BM25, MiniLM alone, both by
reciprocal rank, a replica of the graph-routed `fast_retrieve` (shared/reference/algorithms.md §1.2), and vaultmem with
and without vectors. The data lies beside the repository; a set that is not there is left out with a word. The constants
were tuned on these very sets (LoCoMo's and the help vault's public halves): other halves are for others to check.
"""

from __future__ import annotations

import math
import re
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.bench.asking import Answer, Place, ours, plain
from tests.bench.datasets import SETS, Ask, Dataset, load
from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.meaning import text_hash
from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.model import Entry
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index

_HEAD = f"{'':30}{'R@1':>6}{'R@5':>6}{'R@10':>6}{'MRR':>6}{'nDCG5':>7}{'nDCG10':>7}"


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What one answer earned, each in [0, 1]."""

    kind: str
    r1: float
    r5: float
    r10: float
    mrr: float
    ndcg5: float
    ndcg10: float
    #: LoCoMo: a session that holds evidence is among the first five
    session5: float


def marks(ask: Ask, units: Sequence[str]) -> Marks:
    """A unit counts once, where it first stands; what is only partly relevant (0.5) counts for nDCG alone."""
    full = {unit for unit, grade in ask.gold.items() if grade >= 1}
    first = next((place for place, unit in enumerate(units, start=1) if unit in full), 0)
    sessions = list(dict.fromkeys(unit.rpartition("/")[0] for unit in units))
    return Marks(
        kind=ask.kind,
        r1=len(full & set(units[:1])) / len(full),
        r5=len(full & set(units[:5])) / len(full),
        r10=len(full & set(units[:10])) / len(full),
        mrr=1 / first if first else 0.0,
        ndcg5=_ndcg(units, ask.gold, 5),
        ndcg10=_ndcg(units, ask.gold, 10),
        session5=float(bool({unit.rpartition("/")[0] for unit in full} & set(sessions[:5]))),
    )


def _ndcg(units: Sequence[str], gold: Mapping[str, float], k: int) -> float:
    gained = sum(gold.get(unit, 0.0) / math.log2(place + 2) for place, unit in enumerate(units[:k]))
    best = sum(grade / math.log2(place + 2) for place, grade in enumerate(sorted(gold.values(), reverse=True)[:k]))
    return gained / best if best else 0.0


def measure(dataset: Dataset, index: SqliteIndex) -> None:
    """Print the set's table."""
    index.commit(dataset.entries)
    vectors = embedded(index, [ask.text for ask in dataset.asks])
    dense = by_meaning(index, vectors)
    methods = {
        "FTS5 bm25": plain(index),
        "MiniLM alone": dense,
        "bm25 + MiniLM, RRF 60": reciprocal(plain(index), dense),
        "fast_retrieve replica": graph_routed(dataset.entries, dense),
        "vaultmem, words": ours(index),
        "vaultmem, words and vectors": ours(index, vectors),
    }
    print(
        f"{dataset.name}: {len(dataset.asks)} questions, {len(dataset.entries)} chunks, vectors by MiniLM", flush=True
    )
    print(_HEAD)
    for name, answer in methods.items():
        earned = [marks(ask, units_of(dataset, answer, ask)) for ask in dataset.asks]
        print(_line(name, earned), flush=True)
        if name.startswith(("vaultmem, words and", "FTS5")):
            _by_class(earned)


def units_of(dataset: Dataset, answer: Answer, ask: Ask) -> list[str]:
    found = answer(ask.text, Filters(source=ask.source))
    return list(dict.fromkeys(dataset.unit_of(place) for place in found))


def _by_class(earned: Sequence[Marks]) -> None:
    kinds = sorted({mark.kind for mark in earned})
    for kind in kinds if len(kinds) > 1 else ():
        print(_line(f"    {kind}", [mark for mark in earned if mark.kind == kind]), flush=True)


def _line(name: str, earned: Sequence[Marks]) -> str:
    def mean(key: str) -> float:
        return 100 * statistics.fmean(getattr(mark, key) for mark in earned)

    keys = ("r1", "r5", "r10", "mrr", "ndcg5", "ndcg10")
    told = "".join(f"{mean(key):{7 if key.startswith('ndcg') else 6}.1f}" for key in keys)
    session = (
        f"   session Hit@5 {mean('session5'):.1f}" if any("/" in mark.kind or mark.session5 for mark in earned) else ""
    )
    return f"{name:30}{told}{session if earned[0].kind.isdigit() else ''}   ({len(earned)})"


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
    for number, key in enumerate(new, start=1):
        known[key] = model.embed([texts[key]])[0]
        if number % 500 == 0 or number == len(new):  # a run that is stopped goes on from here
            np.savez(kept, keys=np.array(list(known)), vectors=np.array(list(known.values())))
    index.put_vectors(model.signature, {key: known[key.hex()].tolist() for key in wanted})
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


_NAME = re.compile(r"[A-Z][\w'’]+")


def graph_routed(entries: Sequence[Entry], dense: Answer) -> Answer:
    """Pairs of the question's names that stand in one passage, newest first within coverage; else the nearest vectors
    ranked by how many of the names they hold. Names are capitalised words, as spaCy's are not at hand."""
    holders: dict[str, set[Place]] = defaultdict(set)
    when: dict[Place, float] = {}
    source: dict[Place, str] = {}
    for entry in entries:
        for passage in entry.passages:
            place = (entry.chunk.chunk_id, passage.ordinal)
            when[place] = (passage.sent_at or entry.chunk.time_start).timestamp()
            source[place] = entry.chunk.source_id
            for name in _NAME.findall(f"{passage.author} {passage.text}"):
                holders[name.casefold()].add(place)

    def answer(text: str, filters: Filters) -> list[Place]:
        names = [
            n for n in dict.fromkeys(w.casefold() for w in _NAME.findall(text)) if n in holders and n not in STOP_WORDS
        ]
        allowed = {n: {p for p in holders[n] if not filters.source or source[p] == filters.source} for n in names}
        local = {p for i, a in enumerate(names) for b in names[i + 1 :] for p in allowed[a] & allowed[b]}
        covers = Counter(p for n in names for p in allowed[n])
        if local:
            return sorted(local, key=lambda p: (-covers[p], -when[p], p))[:100]
        found = dense(text, filters)
        return sorted(found, key=lambda p: -covers[p]) if names else found

    return answer


def main() -> None:
    for name in sys.argv[1:] or list(SETS):
        dataset = load(name)
        if dataset is None:
            print(f"{name}: not measured, there is no {SETS[name][0]} in shared/bench")
            continue
        with tempfile.TemporaryDirectory() as folder:
            measure(dataset, open_index(Path(folder) / "bench.db"))


if __name__ == "__main__":
    main()
