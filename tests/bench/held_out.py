"""What the ranking's constants are worth on questions they were not set on.

    python -m tests.bench.held_out [locomo] [help] [aeslc] [scifact]

The constants of core/recall/weights.py were chosen looking at these sets. Here they are fitted anew, one after another
on a grid around their values, to every set but one, and used on that one; and to half of its questions, and used on the
other half. Where the constants in force do no better than those, they were not fitted to what they are reported on.
Of each set 150 questions are asked, with vectors; the measure is nDCG@10. Parts that are set inside the index (near,
parent, BM25's own) are not refitted.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path

from tests.bench.asking import NOW
from tests.bench.datasets import SETS, Ask, Dataset, load
from tests.bench.recall import embedded, marks
from vaultmem.answers import Filters, Meaning, PassageRow
from vaultmem.core.recall.rank import Question, rank, read_question
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import open_index

ASKED = 150
FITTED = ("vector", "time", "time_alone", "about", "speaker", "title", "asks", "when")
FACTORS = (0.0, 0.5, 0.75, 1.3, 2.0)
#: a constant moves when that gains so much; less is chance
_LEAST_GAIN = 0.0005


@dataclass(frozen=True, kw_only=True)
class Found:
    """A question and what the index found for it: ranking is all that is left to do."""

    ask: Ask
    question: Question
    rows: tuple[PassageRow, ...]
    dataset: Dataset


def collect(dataset: Dataset, folder: Path) -> list[Found]:
    """Every n-th question with its candidates."""
    asks = dataset.asks[:: max(1, len(dataset.asks) // ASKED)][:ASKED]
    index = open_index(folder / f"{dataset.name}.db")
    index.commit(dataset.entries)
    vectors = embedded(index, [ask.text for ask in asks])
    found = []
    for ask in asks:
        question, words = read_question(ask.text, NOW, UTC)
        rows, _ = index.candidates(
            words, Filters(source=ask.source), limit=WEIGHTS.ranked_for(10, by_meaning=True),
            spans_ms=[(span.start_ms, span.end_ms) for span in question.spans],
            meaning=Meaning(signature=MiniLm.signature, vector=vectors[ask.text]),
        )  # fmt: skip
        found.append(Found(ask=ask, question=question, rows=tuple(rows), dataset=dataset))
    index.close()
    return found


def earned(found: Sequence[Found], weights: Weights) -> float:
    """nDCG@10, the mean over the questions, in percent."""
    return 100 * statistics.fmean(_ndcg(item, weights) for item in found)


def _ndcg(item: Found, weights: Weights) -> float:
    ranked = rank(item.rows, item.question, weights)
    units = dict.fromkeys(item.dataset.unit_of((r.row.chunk_id, r.row.ordinal)) for r in ranked)
    return marks(item.ask, list(units)).ndcg10


def fit(parts: Sequence[Sequence[Found]]) -> Weights:
    """Each constant in its turn, twice, where the mean over the parts is best; sets count alike whatever their size."""
    best, most = WEIGHTS, _mean(parts, WEIGHTS)
    for _ in range(2):
        for name in FITTED:
            for factor in FACTORS:
                tried = replace(best, **{name: getattr(WEIGHTS, name) * factor})
                if (got := _mean(parts, tried)) > most + 100 * _LEAST_GAIN:
                    best, most = tried, got
    return best


def _mean(parts: Sequence[Sequence[Found]], weights: Weights) -> float:
    return statistics.fmean(earned(part, weights) for part in parts)


def _moved(weights: Weights) -> str:
    told = [f"{n} {getattr(WEIGHTS, n):g} -> {getattr(weights, n):g}" for n in FITTED
            if getattr(weights, n) != getattr(WEIGHTS, n)]  # fmt: skip
    return ", ".join(told) or "nothing moved"


def report(name: str, sets: dict[str, list[Found]]) -> None:
    """The lines of one set."""
    own, others = sets[name], [found for other, found in sets.items() if other != name]
    fitted, held = own[::2], own[1::2]
    half = fit([fitted])
    print(f"{own[0].dataset.name}: {len(own)} questions, nDCG@10")
    print(f"  {'constants in force, all':<44}{earned(own, WEIGHTS):6.1f}")
    if others:
        elsewhere = fit(others)
        print(f"  {'fitted to the other sets, all':<44}{earned(own, elsewhere):6.1f}  {_moved(elsewhere)}")
    print(f"  {'constants in force, second half':<44}{earned(held, WEIGHTS):6.1f}")
    print(f"  {'fitted to the first half, second half':<44}{earned(held, half):6.1f}  {_moved(half)}", flush=True)


def main() -> None:
    sets: dict[str, list[Found]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or list(SETS):
            dataset = load(name)
            if dataset is None:
                print(f"{name}: not measured, there is no {SETS[name][0]} in shared/bench")
                continue
            sets[name] = collect(dataset, Path(folder))
    for name in sets:
        report(name, sets)


if __name__ == "__main__":
    main()
