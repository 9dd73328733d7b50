"""The lexical score over arrays is that of plain BM25, counted passage by passage and word by word."""

from __future__ import annotations

from math import log1p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.core.recall.bm25 import Layout, Postings, allow, lexical
from vaultmem.core.recall.weights import WEIGHTS

WORDS = ("anchor", "boiler", "crate")
Passage = tuple[list[str], bool]
#: (title, passages with whether they are allowed): some chunks have no passage, some words stand in titles alone
CHUNKS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=2),
        st.lists(st.tuples(st.lists(st.sampled_from((*WORDS, "other")), max_size=5), st.booleans()), max_size=4),
    ),
    max_size=6,
)


@settings(max_examples=200, deadline=None)
@given(CHUNKS, st.integers(0, 2), st.booleans())
def test_it_is_bm25_of_passages_and_their_chunks(
    chunks: list[tuple[list[str], list[Passage]]], absent: int, is_all: bool
) -> None:
    if is_all:
        chunks = [(title, [(said, True) for said, _ in passages]) for title, passages in chunks]
    layout, postings, passages = _laid_out(chunks)
    found = lexical(postings, layout, allow(layout, passages), WEIGHTS, absent=absent)
    own, near, parent, held, total = found.at(np.arange(len(passages)))
    for place, expected in enumerate(_by_hand(chunks, absent)):
        assert (own[place], near[place], parent[place], held[place]) == pytest.approx(expected)
        assert total[place] == pytest.approx(sum(expected[:3]))


def _laid_out(chunks: list[tuple[list[str], list[Passage]]]) -> tuple[Layout, dict[str, Postings], np.ndarray]:
    sizes = [len(passages) for _, passages in chunks]
    said = [words for _, passages in chunks for words, _ in passages]
    layout = Layout(
        starts=np.cumsum([0, *sizes])[:-1],
        chunk_of=np.repeat(np.arange(len(chunks)), sizes),
        lengths=np.array([len(words) for words in said], dtype=float),
        chunk_lengths=np.array(
            [len(title) + sum(len(words) for words, _ in passages) for title, passages in chunks], dtype=float
        ),
    )
    postings = {}
    for word in WORDS:
        holders = [place for place, words in enumerate(said) if word in words]
        titles = [chunk for chunk, (title, _) in enumerate(chunks) for each in title if each == word]
        if holders or titles:
            times = np.array([said[place].count(word) for place in holders], dtype=float)
            postings[word] = Postings(
                passages=np.array(holders, dtype=np.int64), times=times, titles=np.array(titles, dtype=np.int64)
            )
    return layout, postings, np.array([is_in for _, passages in chunks for _, is_in in passages], dtype=bool)


def _by_hand(chunks: list[tuple[list[str], list[Passage]]], absent: int) -> list[tuple[float, float, float, float]]:
    """own, near, parent and held of each passage; those that are not allowed count nowhere."""
    seen = [
        (title, [words for words, is_in in passages if is_in], sum(len(words) for words, _ in passages) + len(title))
        for title, passages in chunks
    ]
    everything = [words for _, passages, _ in seen for words in passages]
    whole = [
        (title + [word for words in passages for word in words], size) for title, passages, size in seen if passages
    ]
    asked = [word for word in WORDS if any(word in title or any(word in w for w, _ in p) for title, p in chunks)]
    rarity = {word: _rarity(sum(word in words for words in everything), len(everything)) for word in asked}
    weighed = sum(rarity.values()) + absent * _rarity(0, len(everything))
    mean = sum(map(len, everything)) / len(everything) if everything else 1.0
    scores = [
        [_bm25(words, len(words), mean, rarity) if is_in else 0.0 for words, is_in in passages]
        for _, passages in chunks
    ]
    beside = [
        [
            WEIGHTS.near * (sum(row[max(at - 1, 0) : at]) + sum(row[at + 1 : at + 2])) * passages[at][1]
            for at in range(len(row))
        ]
        for row, (_, passages) in zip(scores, chunks, strict=True)
    ]
    chunk_mean = sum(size for _, size in whole) / len(whole) if whole else 1.0
    common = {word: _rarity(sum(word in words for words, _ in whole), len(whole)) for word in asked}
    above = [
        _bm25(title + [word for words in passages for word in words], size, chunk_mean, common) if passages else 0.0
        for title, passages, size in seen
    ]
    most = max(
        (a + b for one, two in zip(scores, beside, strict=True) for a, b in zip(one, two, strict=True)), default=0
    )
    most, tallest = most or 1.0, max(above, default=0.0) or 1.0
    return [
        (
            scores[chunk][at] / most,
            beside[chunk][at] / most,
            WEIGHTS.parent * above[chunk] / tallest * is_in,
            sum(rarity[word] for word in asked if word in words) / (weighed or 1.0) * is_in,
        )
        for chunk, (_, passages) in enumerate(chunks)
        for at, (words, is_in) in enumerate(passages)
    ]


def _rarity(holders: int, everything: int) -> float:
    return log1p((everything - holders + 0.5) / (holders + 0.5))


def _bm25(words: list[str], size: int, mean: float, rarity: dict[str, float]) -> float:
    norm = 1 - WEIGHTS.b + WEIGHTS.b * size / max(mean, 1.0)
    return sum(
        weight * words.count(word) * (WEIGHTS.k1 + 1) / (words.count(word) + WEIGHTS.k1 * norm)
        for word, weight in rarity.items()
    )
