"""BM25 of passages, their neighbours and their chunks over one layout of the index, as arrays.

Every sum runs in the order of the words, never of the rows: two indexes of the same notes give the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vaultmem.core.recall.weights import Weights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All passages in one row, chunk after chunk, in the reading order of each chunk."""

    #: index of the first passage of each chunk
    starts: Ints
    #: chunk (index into `starts`) of each passage
    chunk_of: Ints
    #: number of words of each passage
    lengths: Floats
    #: number of words of each chunk, its title's included
    chunk_lengths: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """Where one word stands; each array item is one occurrence or a place with its number of occurrences."""

    #: passages, without repeats, and how often the word stands in each
    passages: Ints
    times: Floats
    #: chunks whose title or tags hold the word
    titles: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """The three parts of the lexical score of every passage, already weighted; `total` is their sum."""

    own: Floats
    near: Floats
    parent: Floats
    #: share of the question's words, by their rarity, that stand in the passage itself: in [0, 1], whatever the others
    held: Floats

    @property
    def total(self) -> Floats:
        """own + near + parent."""
        return self.own + self.near + self.parent


def lexical(
    words: Mapping[str, Postings], layout: Layout, allowed: Bools, weights: Weights, *, absent: int = 0
) -> Lexical:
    """Score every allowed passage; passages that are not allowed count nowhere, as if they were not there.

    `absent`: how many of the question's words stand nowhere.
    """
    own = np.zeros(len(layout.lengths))
    held = np.zeros(len(layout.lengths))
    asked = absent * _rarity(0, int(allowed.sum()))
    parent = np.zeros(len(layout.starts))
    chunks_allowed = np.zeros(len(layout.starts), dtype=bool)
    chunks_allowed[layout.chunk_of[allowed]] = True
    passage_norm = _length_norm(layout.lengths, allowed, weights)
    chunk_norm = _length_norm(layout.chunk_lengths, chunks_allowed, weights)
    for posting in words.values():
        inside = allowed[posting.passages]
        places, times = posting.passages[inside], posting.times[inside]
        rarity = _rarity(len(places), int(allowed.sum()))
        asked += rarity
        held[places] += rarity
        own[places] += _term(times, len(places), int(allowed.sum()), passage_norm[places], weights)
        chunk_times = np.zeros(len(layout.starts))
        np.add.at(chunk_times, layout.chunk_of[places], times)
        np.add.at(chunk_times, posting.titles[chunks_allowed[posting.titles]], 1.0)
        chunks = np.flatnonzero(chunk_times)
        parent[chunks] += _term(
            chunk_times[chunks], len(chunks), int(chunks_allowed.sum()), chunk_norm[chunks], weights
        )
    return _combine(own, parent, held / (asked or 1.0), layout, allowed, weights)


def _combine(own: Floats, parent: Floats, held: Floats, layout: Layout, allowed: Bools, weights: Weights) -> Lexical:
    """mm(own + near) + w * mm(parent). The least a passage can have is 0, so scaling is by the largest alone."""
    near = weights.near * neighbours(own, layout) * allowed
    scale = _largest(own + near)
    spread = parent[layout.chunk_of] * allowed
    return Lexical(own=own / scale, near=near / scale, parent=weights.parent * spread / _largest(parent), held=held)


def _term(times: Floats, holders: int, everything: int, norm: Floats, weights: Weights) -> Floats:
    """One word's share of BM25."""
    return _rarity(holders, everything) * times * (weights.k1 + 1) / (times + weights.k1 * norm)


def _rarity(holders: int, everything: int) -> float:
    """Inverse document frequency, never negative."""
    return float(np.log1p((everything - holders + 0.5) / (holders + 0.5)))


def _length_norm(lengths: Floats, counted: Bools, weights: Weights) -> Floats:
    mean = float(lengths[counted].mean()) if counted.any() else 1.0
    return 1 - weights.b + weights.b * lengths / max(mean, 1.0)


def neighbours(own: Floats, layout: Layout) -> Floats:
    """The sum of the passage before and the passage after, inside the chunk."""
    both = np.zeros_like(own)
    if len(own) > 1:
        together = layout.chunk_of[1:] == layout.chunk_of[:-1]
        both[1:] += own[:-1] * together
        both[:-1] += own[1:] * together
    return both


def _largest(values: Floats) -> float:
    largest = float(values.max()) if len(values) else 0.0
    return largest if largest > 0 else 1.0
