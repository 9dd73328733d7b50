"""How well "no good answer" is told: questions asked of the conversation they are about, and of another one.

    python -m tests.bench.silence

The thresholds in core/recall/weights.py are compared with ones fitted on two conversations alone and used on the rest.
"""

from __future__ import annotations

import tempfile
from datetime import UTC
from pathlib import Path

import numpy as np

from tests.bench.asking import NOW
from tests.bench.datasets import Ask, load
from tests.bench.recall import embedded
from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.rank import Ranked, rank, read_question
from vaultmem.core.recall.silence import is_silent
from vaultmem.core.recall.weights import WEIGHTS
from vaultmem.providers.minilm import MiniLm
from vaultmem.store.index import SqliteIndex, open_index


def ranked(index: SqliteIndex, ask: Ask, source: str, vector: list[float] | None) -> tuple[Ranked, ...]:
    question, words = read_question(ask.text, NOW, UTC)
    meaning = Meaning(signature=MiniLm.signature, vector=vector) if vector else None
    rows, _ = index.candidates(
        words, Filters(source=source), limit=WEIGHTS.ranked_for(10, by_meaning=meaning is not None),
        spans_ms=[(s.start_ms, s.end_ms) for s in question.spans], meaning=meaning,
    )  # fmt: skip
    return rank(rows, question)


def together(found: tuple[Ranked, ...]) -> float:
    looked_at = found[: WEIGHTS.silent_looked_at]
    held = max((item.row.held for item in looked_at), default=0.0)
    return held + WEIGHTS.silent_cosine * max((item.row.cosine or 0.0 for item in looked_at), default=0.0)


def main() -> None:
    dataset = load("locomo")
    if dataset is None:
        print("not measured: there is no LoCoMo in shared/bench")
        return
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(Path(folder) / "bench.db")
        index.commit(dataset.entries)
        vectors = embedded(index, [ask.text for ask in dataset.asks])
        sources = sorted({ask.source for ask in dataset.asks})
        other = {source: sources[(n + 1) % len(sources)] for n, source in enumerate(sources)}

        def asked(ask: Ask, source: str, by_meaning: bool) -> tuple[Ask, tuple[Ranked, ...]]:
            return ask, ranked(index, ask, source, vectors[ask.text] if by_meaning else None)

        for name, by_meaning in (("words", False), ("words and vectors", True)):
            own = [asked(a, a.source, by_meaning) for a in dataset.asks]
            foreign = [asked(a, other[a.source], by_meaning) for a in dataset.asks]
            right = np.mean([is_silent(found, by_meaning=by_meaning) for _, found in foreign])
            wrong = np.mean([is_silent(found, by_meaning=by_meaning) for _, found in own])
            print(f"{name:20} silent without an answer {100 * right:.1f} %, with one {100 * wrong:.1f} %")
        fitted = np.quantile([together(found) for a, found in own if a.source in sources[:2]], 0.05)
        rest = [together(found) for a, found in foreign if a.source not in sources[:2]]
        kept = [together(found) for a, found in own if a.source not in sources[:2]]
        print(
            f"fitted on two conversations (5 % wrong: {fitted:.2f}), on the other three: "
            f"{100 * np.mean(np.array(rest) < fitted):.1f} % and {100 * np.mean(np.array(kept) < fitted):.1f} %"
        )


if __name__ == "__main__":
    main()
