"""BM25 of passages, their neighbours and their chunks over one layout of the index, as arrays.

Every sum runs in the order of the words, never of the rows: two indexes of the same notes give the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
class Allowed:
    """What the filters let through, and what the word weights need to know of all of it."""

    #: of every passage
    passages: Bools
    #: chunks of which at least one passage is allowed
    chunks: Bools
    #: how many of each
    passage_count: int
    chunk_count: int
    #: mean number of words of each
    passage_words: float
    chunk_words: float

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self.passage_count == len(self.passages)


def allow(layout: Layout, passages: Bools) -> Allowed:
    """Count what is allowed: costs as much as the whole index is long, so it is kept where it can be."""
    chunks = np.zeros(len(layout.starts), dtype=bool)
    chunks[layout.chunk_of[passages]] = True
    return Allowed(
        passages=passages,
        chunks=chunks,
        passage_count=int(passages.sum()),
        chunk_count=int(chunks.sum()),
        passage_words=float(layout.lengths[passages].mean()) if passages.any() else 1.0,
        chunk_words=float(layout.chunk_lengths[chunks].mean()) if chunks.any() else 1.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """The three parts of the lexical score, already weighted, of the passages of every chunk that holds a word."""

    #: which passages, ascending; the arrays below go along with it, and every other passage has 0
    places: Ints
    own: Floats
    near: Floats
    parent: Floats
    #: share of the question's words, by their rarity, that stand in the passage itself: in [0, 1], whatever the others
    held: Floats
    #: the passage or a neighbour holds a word
    told: Bools
    #: own + near + parent
    total: Floats

    def at(self, places: Ints) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """own, near, parent, held and total of some passages."""
        if not len(self.places):
            nothing = np.zeros(len(places))
            return nothing, nothing, nothing, nothing, nothing
        found = np.minimum(np.searchsorted(self.places, places), len(self.places) - 1)
        there = self.places[found] == places
        own, near, parent = self.own[found] * there, self.near[found] * there, self.parent[found] * there
        return own, near, parent, self.held[found] * there, self.total[found] * there


def lexical(
    words: Mapping[str, Postings], layout: Layout, allowed: Allowed, weights: Weights, *, absent: int = 0
) -> Lexical:
    """Score the allowed passages; passages that are not allowed count nowhere, as if they were not there.

    `absent`: how many of the question's words stand nowhere. Nothing here is as long as the index, but for one mark
    per chunk: a question costs what its words occur.
    """
    chunks = _touched(words, layout, allowed)
    places, chunk_of = _spread(chunks, layout)
    said = _occurring(words, allowed)
    found = _numbered(places, len(layout.lengths))[said.passages]
    rarity = [_rarity(count, allowed.passage_count) for count in said.counts]
    each = np.repeat(np.array(rarity), said.counts)
    norm = _length_norm(layout.lengths[places], allowed.passage_words, weights)
    held = _summed(found, each, len(places))
    own = _summed(found, each * _term(said.times, norm[found], weights), len(places))
    parent = _parents(said, chunk_of[found], chunks, layout, allowed, weights)
    asked = sum(rarity, absent * _rarity(0, allowed.passage_count))
    counted = None if allowed.is_all else allowed.passages[places]
    return _combine(own, parent, held / (asked or 1.0), places, chunk_of, counted, weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Occurring:
    """The allowed places of all words, word after word: a dozen arrays for each word took longer than their sums."""

    passages: Ints
    times: Floats
    #: how many of `passages` are each word's
    counts: list[int]
    #: chunks whose titles hold the words, and how many of them are each word's
    titles: Ints
    title_counts: list[int]


def _occurring(words: Mapping[str, Postings], allowed: Allowed) -> _Occurring:
    passages = [posting.passages for posting in words.values()]
    times = [posting.times for posting in words.values()]
    titles = [posting.titles for posting in words.values()]
    if not allowed.is_all:
        inside = [allowed.passages[each] for each in passages]
        passages, times = _those(passages, inside), _those(times, inside)
    titles = _those(titles, [allowed.chunks[each] for each in titles])  # a chunk may have no passage at all
    return _Occurring(
        passages=np.concatenate([*passages, _NONE]), times=np.concatenate([*times, np.zeros(0)]),
        counts=[len(each) for each in passages],
        titles=np.concatenate([*titles, _NONE]), title_counts=[len(each) for each in titles],
    )  # fmt: skip


_NONE: Ints = np.zeros(0, dtype=np.int64)


def _those(arrays: Sequence[NDArray[Any]], chosen: Sequence[Bools]) -> list[NDArray[Any]]:
    return [array[inside] for array, inside in zip(arrays, chosen, strict=True)]


def _parents(
    said: _Occurring, chunk_of: Ints, chunks: Ints, layout: Layout, allowed: Allowed, weights: Weights
) -> Floats:
    """What each of `chunks` has as a whole, its title included. `chunk_of`: place of the chunk of each occurrence."""
    titled = _numbered(chunks, len(layout.starts))[said.titles]
    holders, words, times = _together(said, chunk_of, titled, len(chunks))
    rarity = [_rarity(count, allowed.chunk_count) for count in np.bincount(words, None, len(said.counts)).tolist()]
    norm = _length_norm(layout.chunk_lengths[chunks], allowed.chunk_words, weights)
    told = np.array(rarity)[words] * _term(times, norm[holders], weights)
    return _summed(holders, told, len(chunks))


def _summed(places: Ints, values: Floats, size: int) -> Floats:
    """For each of so many places the sum of its values, added up in their order."""
    return np.asarray(np.bincount(places, values, size), dtype=np.float64)


def _together(said: _Occurring, chunk_of: Ints, titled: Ints, size: int) -> tuple[Ints, Ints, Floats]:
    """Chunk (of `size`), word and how often, of each chunk that holds a word: in its passages and in its title.

    They go by word and then by chunk, as the occurrences do.
    """
    numbers = np.arange(len(said.counts)) * size
    keys, times = np.repeat(numbers, said.counts) + chunk_of, said.times
    if len(titled):
        keys = np.concatenate((keys, np.repeat(numbers, said.title_counts) + titled))
        times = np.append(times, np.ones(len(titled)))
        order = np.argsort(keys, kind="stable")
        keys, times = keys[order], times[order]
    first = starts_of_runs(keys)
    if len(first):
        times = np.add.reduceat(times, first)
    words, holders = np.divmod(keys[first], max(size, 1))
    return holders, words, times


def starts_of_runs(values: Ints) -> Ints:
    """Where a value stands that is not the one before it: of ascending ones the first of each."""
    is_first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def _numbered(places: Ints, size: int) -> Ints:
    """For each of `places` its place among them; anything elsewhere."""
    numbers = np.empty(size, dtype=np.int64)
    numbers[places] = np.arange(len(places))
    return numbers


def _touched(words: Mapping[str, Postings], layout: Layout, allowed: Allowed) -> Ints:
    """The chunks that hold a word, ascending."""
    marks = np.zeros(len(layout.starts), dtype=bool)
    for posting in words.values():
        marks[layout.chunk_of[posting.passages]] = True
        marks[posting.titles] = True
    return np.flatnonzero(marks & allowed.chunks)


def _spread(chunks: Ints, layout: Layout) -> tuple[Ints, Ints]:
    """All passages of these chunks, ascending, and for each the place of its chunk among `chunks`."""
    ends = np.append(layout.starts[1:], len(layout.lengths))
    sizes = ends[chunks] - layout.starts[chunks]
    chunk_of = np.repeat(np.arange(len(chunks)), sizes)
    shift = layout.starts[chunks] - np.concatenate(([0], np.cumsum(sizes)[:-1]))[: len(chunks)]
    return np.arange(len(chunk_of)) + shift[chunk_of], chunk_of


def _combine(
    own: Floats, parent: Floats, held: Floats, places: Ints, chunk_of: Ints, counted: Bools | None, weights: Weights
) -> Lexical:
    """mm(own + near) + w * mm(parent). The least a passage can have is 0, so scaling is by the largest alone.

    `parent` is of each chunk; a chunk counts as far as a passage of it does. `counted`: None for all.
    """
    near = neighbours(own, chunk_of)
    near *= weights.near
    if counted is not None:
        near *= counted
    told = own + near
    scale = _largest(told)
    parent = (parent * (weights.parent / _largest(parent)))[chunk_of]
    if counted is not None:
        parent *= counted
    told /= scale
    return Lexical(
        places=places, own=own / scale, near=near / scale, parent=parent, held=held, told=told > 0, total=told + parent
    )


def _term(times: Floats, norm: Floats, weights: Weights) -> Floats:
    """What one word's occurrences count in BM25, beside its rarity."""
    return times * (weights.k1 + 1) / (times + weights.k1 * norm)


def _rarity(holders: int, everything: int) -> float:
    """Inverse document frequency, never negative."""
    return float(np.log1p((everything - holders + 0.5) / (holders + 0.5)))


def _length_norm(lengths: Floats, mean: float, weights: Weights) -> Floats:
    return 1 - weights.b + weights.b * lengths / max(mean, 1.0)


def neighbours(own: Floats, chunk_of: Ints) -> Floats:
    """The sum of the passage before and the passage after, inside the chunk."""
    both = np.zeros_like(own)
    if len(own) > 1:
        together = chunk_of[1:] == chunk_of[:-1]
        both[1:] += own[:-1] * together
        both[:-1] += own[1:] * together
    return both


def _largest(values: Floats) -> float:
    largest = float(values.max()) if len(values) else 0.0
    return largest if largest > 0 else 1.0
