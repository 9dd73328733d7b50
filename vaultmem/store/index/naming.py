"""Which chunks a name that came or went may concern: told by the word index, without reading a body."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import apsw

from vaultmem.core.recall.words import index_words
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json

_HOLDERS = "SELECT DISTINCT doc >> 22 FROM words_places WHERE term = ?"
#: In how many passages a word stands.
_SPREAD = "SELECT doc FROM words_counts WHERE term = ?"
#: Chunk numbers kept of the words looked up last, 60 bytes each; a word that stands in more passages is looked for in
#: each chunk by itself.
_KEPT = 150_000
_STANDS = "SELECT 1 FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1"


def chunks_mentioning(db: apsw.Connection, names: Collection[str]) -> frozenset[str]:
    """chunk_ids whose words hold all words of one of the names, or that mention it. A superset of what is meant."""
    numbers: set[int] = set()
    holders = _Holders(db=db)
    for name in sorted(names):
        words = index_words(name)
        if not words:  # nothing to look up: any chunk may hold it
            return frozenset(row[0] for row in db.execute("SELECT chunk_id FROM chunks"))
        numbers |= holders.of_all(words)
        numbers |= {row[0] for row in db.execute("SELECT passage >> 22 FROM mentions WHERE surface = ?", (name,))}
    rows = db.execute("SELECT chunk_id FROM chunks WHERE id IN (SELECT value FROM json_each(?))", (as_json(numbers),))
    return frozenset(row[0] for row in rows)


@dataclass(slots=True, kw_only=True)
class _Holders:
    """Which chunks hold a word, for as long as many names are asked after: in a vault of "Note 1" to "Note 5000" each
    of 5,000 names has the word that stands everywhere.
    """

    db: apsw.Connection
    #: word -> passages it stands in
    _spread: dict[str, int] = field(default_factory=dict)
    #: word -> its chunks; the latest asked for last
    _chunks: OrderedDict[str, frozenset[int]] = field(default_factory=OrderedDict)
    _kept: int = 0

    def of_all(self, words: Sequence[str]) -> frozenset[int]:
        """Numbers of the chunks that hold every one of these words, somewhere. The rarest is looked up first."""
        for word in words:
            if word not in self._spread:
                self._spread[word] = int(self.db.execute(_SPREAD, (word,)).get or 0)
        found: frozenset[int] | None = None
        for word in sorted(dict.fromkeys(words), key=lambda word: (self._spread[word], word)):
            if found is None:
                found = self._of(word)
            elif self._spread[word] <= _KEPT:
                found &= self._of(word)
            else:
                found = frozenset(number for number in found if self._stands(word, number))
            if not found:
                break
        return found or frozenset()

    def _of(self, word: str) -> frozenset[int]:
        if word in self._chunks:
            self._chunks.move_to_end(word)
            return self._chunks[word]
        found = self._chunks[word] = frozenset(row[0] for row in self.db.execute(_HOLDERS, (word,)))
        self._kept += len(found)
        while self._kept > _KEPT:
            self._kept -= len(self._chunks.popitem(last=False)[1])
        return found

    def _stands(self, word: str, number: int) -> bool:
        """Whether the word stands in any passage of the chunk, or in its title."""
        first = number << ORDINAL_BITS
        quoted = word.replace('"', '""')
        return self.db.execute(_STANDS, (f'"{quoted}"', first, first + COVER)).get is not None
