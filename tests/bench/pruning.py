"""What leaving out the commonest words of a question loses, on LoCoMo, where every word can be read.

    python -m tests.bench.pruning

A budget is a share of all passages: 100,000 occurrences are 10 % of a million.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.bench.asking import ours
from tests.bench.datasets import load
from tests.bench.recall import Marks, embedded, marks, units_of
from vaultmem.answers import Filters, Meaning
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import open_index, search, similarity


def main() -> None:
    dataset = load("locomo")
    if dataset is None:
        sys.exit("there is no locomo in shared/bench")
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(Path(folder) / "bench.db")
        index.commit(dataset.entries)
        passages = index.counts()["passages"]
        print(f"LoCoMo, {passages} passages, {len(dataset.asks)} questions, words alone: R@5, R@10")
        for share in (None, 1.0, 0.3, 0.1, 0.03, 0.01):
            search.POSTINGS_BUDGET = 10**9 if share is None else int(share * passages)
            earned = [marks(ask, units_of(dataset, ours(index), ask)) for ask in dataset.asks]
            name = "every word" if share is None else f"budget {share:.0%} of all passages"
            print(f"  {name:<32}{_mean(earned, 'r5'):7.2f}{_mean(earned, 'r10'):7.2f}", flush=True)
        asked = embedded(index, [ask.text for ask in dataset.asks])
        meanings = [Meaning(signature=MiniLm.signature, vector=vector) for vector in list(asked.values())[:200]]
        found = {}
        for way in (similarity.NumpySimilarity, similarity.SignSimilarity):
            similarity.choose = lambda db, *_, way=way, now, **__: now if isinstance(now, way) else way(db)
            found[way] = [{hit[:2] for hit in index.nearest(m, Filters(), limit=10)} for m in meanings]
        same = np.mean([len(a & b) / 10 for a, b in zip(*found.values(), strict=True)])
        print(f"the 10 nearest vectors, chosen by signs: {100 * same:.2f} % of the exact ones")


def _mean(earned: list[Marks], key: str) -> float:
    return 100 * float(np.mean([getattr(mark, key) for mark in earned]))


if __name__ == "__main__":
    main()
