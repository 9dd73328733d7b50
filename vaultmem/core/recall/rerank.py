"""What a reranker's word does to a ranking: its order for the first, and a part of their scores that says so.

Its scores are read as an order alone. One model answers with shares of one, the next with any number below or above
zero; so the part `rerank` is the least lift that puts a passage above those the model calls worse: never below zero,
the more the better it is called, and the same for passages that it calls alike, which stay as they were ranked.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.core.recall.rank import Ranked

#: Passages that are judged anew: one that ranks lower is rarely an answer, and text-embeddings-inference takes 32.
RERANKED = 30
#: What a passage that is called better stands above the next one at least: scores are shown to six digits.
_STEP = 0.001


def reranked(ranked: Sequence[Ranked], scores: Sequence[float]) -> tuple[Ranked, ...]:
    """The first len(scores) in the order of these finite scores, higher is better; the others as they were."""
    first, rest = ranked[: len(scores)], ranked[len(scores) :]
    order = sorted(range(len(first)), key=lambda place: (-scores[place], place))
    lift = 0.0
    risen: list[Ranked] = []
    for at in range(len(order) - 1, -1, -1):
        item = first[order[at]]
        if risen and scores[order[at]] > scores[order[at + 1]]:
            lift = max(lift, risen[-1].score - item.score) + _STEP
        risen.append(_lifted(item, lift))
    return (*reversed(risen), *rest)


def _lifted(item: Ranked, lift: float) -> Ranked:
    parts = {**item.parts, "rerank": lift}
    return item._replace(score=sum(parts.values()), parts=parts)
