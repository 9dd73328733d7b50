"""Where words stand, read from the word index as cheaply as it gives it, and kept while nothing changes."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Mapping, Sequence
from itertools import islice

import apsw
import numpy as np

from vaultmem.core.recall.bm25 import Floats, Ints, Postings, starts_of_runs
from vaultmem.core.recall.scripts import FOREIGN, kin, starts
from vaultmem.store.index.follow import Move
from vaultmem.store.index.layout import Map
from vaultmem.store.index.rows import COVER, ORDINAL_BITS
from vaultmem.store.index.said import Words

#: Places kept, of all words together: 16 bytes each.
_KEPT_PLACES = 2_000_000
#: Occurrences of a word that are read to count them: of a commoner one SQLite walks the whole list for its count alone.
_READ_AT_ONCE = 25_000
#: Changes of the index that a word's places are moved through: after more they are read again.
_KEPT_MOVES = 64
#: Words whose number of occurrences is kept.
_KEPT_COUNTS = 50_000
#: Of so many passages one that holds the word is too few to lay them out.
_SORTED_BELOW = 64
_BETWEEN = "SELECT term FROM words_counts WHERE term >= ? AND term < ?"
#: One text of all numbers: read row by row, each occurrence would cost twice as much.
_PLACES = "SELECT group_concat(doc) FROM (SELECT doc FROM words_places WHERE term = ? LIMIT ?)"


class WordLists:
    """The words of the last questions, of one state of the index: what is asked is asked again."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        #: word -> where it stood, and after how many moves that was
        self._postings: OrderedDict[str, tuple[Postings, int]] = OrderedDict()
        self._places = 0
        #: the last moves, and how many there were before them
        self._moves: deque[tuple[Move, _Came]] = deque(maxlen=_KEPT_MOVES)
        self._moved_before = 0
        self._kin: dict[str, tuple[str, ...]] = {}
        self._is_mixed: bool | None = None

    def occurrences(self, db: apsw.Connection, where: Map, word: str) -> int:
        """How often the word stands anywhere. Where one that is not too common stands is known then, too."""
        if posting := self._kept(word):
            return int(posting.times.sum()) + len(posting.titles)
        if word not in self._counts:
            if len(self._counts) == _KEPT_COUNTS:
                self._counts.clear()
            self._counts[word] = self._count(db, where, word)
        return self._counts[word]

    def _count(self, db: apsw.Connection, where: Map, word: str) -> int:
        docs = _docs(db, word, _READ_AT_ONCE + 1)
        if len(docs) > _READ_AT_ONCE:
            return int(db.execute("SELECT cnt FROM words_counts WHERE term = ?", (word,)).get)
        if len(docs):
            self._keep(word, _postings(where, docs))
        return len(docs)

    def follow(self, where: Map, move: Move, fresh: Mapping[int, Words]) -> None:
        """Chunks went and these came in (number -> its words); what is kept moves along when it is asked for."""
        self._counts, self._kin, self._is_mixed = {}, {}, None
        self._moved_before += len(self._moves) == _KEPT_MOVES
        self._moves.append((move, _occurrences(where, fresh)))

    def _kept(self, word: str) -> Postings | None:
        """Where the word stands, as it was read once and moved since; None when it was not, or too long ago."""
        if word not in self._postings:
            return None
        posting, seen = self._postings.pop(word)
        if seen < self._moved_before:
            self._places -= len(posting.passages)
            return None
        before = len(posting.passages)
        for move, came in islice(self._moves, seen - self._moved_before, None):
            posting = _moved(posting, move, came.get(word, _NOWHERE))
        self._places += len(posting.passages) - before
        self._postings[word] = (posting, self._now())
        return posting

    def _now(self) -> int:
        return self._moved_before + len(self._moves)

    def kin(self, db: apsw.Connection, word: str) -> tuple[str, ...]:
        """Words in other scripts that sound like one that stands nowhere."""
        if word not in self._kin:
            if len(self._kin) == _KEPT_COUNTS:
                self._kin.clear()
            self._kin[word] = self._look_for_kin(db, word)
        return self._kin[word]

    def _look_for_kin(self, db: apsw.Connection, word: str) -> tuple[str, ...]:
        if self._is_mixed is None:
            self._is_mixed = db.execute(f"{_BETWEEN} LIMIT 1", FOREIGN).fetchone() is not None
        if word.isascii() and not self._is_mixed:
            return ()
        spans = ((start, start[0] + chr(ord(start[1]) + 1)) for start in starts(word))
        return kin(word, [row[0] for span in spans for row in db.execute(_BETWEEN, span)])

    def posting(self, db: apsw.Connection, where: Map, word: str) -> Postings:
        """Where the word stands."""
        if kept := self._kept(word):
            return kept
        found = _postings(where, _docs(db, word, _ALL))
        self._keep(word, found)
        return found

    def _keep(self, word: str, posting: Postings) -> None:
        self._postings[word] = (posting, self._now())
        self._places += len(posting.passages)
        while self._places > _KEPT_PLACES and len(self._postings) > 1:
            self._places -= len(self._postings.popitem(last=False)[1][0].passages)


#: (passage, chunk) of occurrences: the one or the other is -1
_Places = Sequence[tuple[int, int]]
_NOWHERE: _Places = ()
#: word -> where it stands in chunks that came in
_Came = Mapping[str, _Places]


def _occurrences(where: Map, fresh: Mapping[int, Words]) -> _Came:
    """Where the words of these chunks stand."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, (cover, *passages) in fresh.items():
        slot = int(where.slots[number])
        for word in cover:
            found[word].append((-1, slot))
        for place, said in enumerate(passages, start=int(where.layout.starts[slot])):
            for word in said:
                found[word].append((place, -1))
    return found


def _moved(posting: Postings, move: Move, came: _Places) -> Postings:
    stays = move.passages.stays(posting.passages)
    passages, times = move.passages.moved(posting.passages[stays]), posting.times[stays]
    titles = move.chunks.moved(posting.titles[move.chunks.stays(posting.titles)])
    if came:
        told = np.array(came, dtype=np.int64)
        new, often = np.unique(told[told[:, 0] >= 0, 0], return_counts=True)
        at = np.searchsorted(passages, new)
        passages, times = np.insert(passages, at, new), np.insert(times, at, often.astype(np.float64))
        titles = np.concatenate((titles, told[told[:, 1] >= 0, 1]))
    return Postings(passages=passages, times=times, titles=titles)


#: No limit.
_ALL = -1


def _docs(db: apsw.Connection, word: str, limit: int) -> Ints:
    """The number of the passage, or of the chunk's cover, of each of the first so many occurrences; they ascend."""
    text: str | None = db.execute(_PLACES, (word, limit)).get
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def _postings(where: Map, docs: Ints) -> Postings:
    """Where a word stands that occurs in these."""
    title = (docs & COVER) == COVER
    # the list ascends: repeats stand side by side
    said = docs[~title]
    first = starts_of_runs(said)
    times = np.diff(np.append(first, len(said)))
    passages, often = _ascending(where.places(said[first]), times, len(where.times))
    return Postings(passages=passages, times=often, titles=where.chunk_places(docs[title] >> ORDINAL_BITS))


def _ascending(places: Ints, times: Ints, size: int) -> tuple[Ints, Floats]:
    """Places of so many, in their order, and what belongs to each; none twice, and every one of `times` is at least 1.

    Many are laid out over all there are, which is quicker than to sort them.
    """
    if len(places) * _SORTED_BELOW < size:
        order = np.argsort(places)
        return places[order], times[order].astype(np.float64)
    laid = np.zeros(size)
    laid[places] = times
    found = np.flatnonzero(laid)
    return found, laid[found]
