"""Where words stand, read from the word index as cheaply as it gives it, and kept while nothing changes."""

from __future__ import annotations

from collections import OrderedDict

import apsw
import numpy as np

from vaultmem.core.recall.bm25 import Postings
from vaultmem.core.recall.scripts import FOREIGN, kin, starts
from vaultmem.store.index.layout import Map
from vaultmem.store.index.rows import COVER, ORDINAL_BITS

#: Places kept, of all words together: 16 bytes each.
_KEPT_PLACES = 1_000_000
#: Words whose number of occurrences is kept.
_KEPT_COUNTS = 50_000
_BETWEEN = "SELECT term FROM words_counts WHERE term >= ? AND term < ?"
#: One text of all numbers: read row by row, each occurrence would cost twice as much.
_PLACES = "SELECT group_concat(doc) FROM words_places WHERE term = ?"


class WordLists:
    """The words of the last questions, of one state of the index: what is asked is asked again."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._postings: OrderedDict[str, Postings] = OrderedDict()
        self._places = 0
        self._kin: dict[str, tuple[str, ...]] = {}
        self._is_mixed: bool | None = None

    def occurrences(self, db: apsw.Connection, word: str) -> int:
        """How often the word stands anywhere; SQLite walks its whole list for that."""
        if word not in self._counts:
            if len(self._counts) == _KEPT_COUNTS:
                self._counts.clear()
            row = db.execute("SELECT cnt FROM words_counts WHERE term = ?", (word,)).fetchone()
            self._counts[word] = int(row[0]) if row else 0
        return self._counts[word]

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
        if word in self._postings:
            self._postings.move_to_end(word)
            return self._postings[word]
        found = _read(db, where, word)
        self._postings[word] = found
        self._places += len(found.passages)
        while self._places > _KEPT_PLACES and len(self._postings) > 1:
            self._places -= len(self._postings.popitem(last=False)[1].passages)
        return found


def _read(db: apsw.Connection, where: Map, word: str) -> Postings:
    text: str | None = db.execute(_PLACES, (word,)).get
    docs = np.fromstring(text or "", dtype=np.int64, sep=",")
    title = (docs & COVER) == COVER
    # the list ascends: repeats stand side by side
    said = docs[~title]
    first = np.flatnonzero(np.diff(said, prepend=-1))
    places = where.places(said[first])
    order = np.argsort(places)
    times = np.diff(first, append=len(said)).astype(np.float64)
    return Postings(passages=places[order], times=times[order], titles=where.chunk_places(docs[title] >> ORDINAL_BITS))
