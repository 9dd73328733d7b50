"""The sentences of chunks, and in how many sentences of a tree's last leaves each word stands: what seals share."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock

from vaultmem.app.engine import Engine
from vaultmem.core.grow.facet import Frequencies, frequencies
from vaultmem.core.grow.units import Unit, units_of
from vaultmem.core.notes.entry import passages_of
from vaultmem.model import Chunk

#: Leaves whose sentences weigh a summary's words: those of two levels. A window and not the whole tree, so that a seal
#: costs the same whatever stands before it.
WINDOW = 100
#: Sentences kept at hand: those of the leaves below two seals of the second level, however long these are; of short
#: ones, which a day, its week, month and year look at in turn, many more leaves' are.
_UNITS_KEPT = 30_000
#: Windows kept at hand: one for each worker, and one more.
_WINDOWS_KEPT = 4


@dataclass(slots=True, kw_only=True)
class _Window:
    """Chunks that follow each other in a tree, and what they hold together."""

    chunks: OrderedDict[str, Frequencies] = field(default_factory=OrderedDict)
    sentences: int = 0
    #: word -> sentences
    holders: Counter[str] = field(default_factory=Counter)

    def add(self, chunk_id: str, found: Frequencies) -> None:
        """The next chunk."""
        self.chunks[chunk_id] = found
        self.sentences += found.sentences
        self.holders.update(found.holders)

    def drop(self, chunk_id: str) -> None:
        """One that is no longer wanted."""
        found = self.chunks.pop(chunk_id)
        self.sentences -= found.sentences
        for word, count in found.holders.items():
            self.holders[word] -= count
            if not self.holders[word]:
                del self.holders[word]


@dataclass(slots=True, kw_only=True)
class Sentences:
    """Cut once, looked at often. Trees may ask side by side, each about itself by one at a time."""

    engine: Engine
    _lock: RLock = field(default_factory=RLock)
    #: chunk_id -> its sentences, the latest looked at last; a mailbox has more of them than fit in memory
    _units: OrderedDict[str, tuple[Unit, ...]] = field(default_factory=OrderedDict)
    _kept: int = 0
    _windows: OrderedDict[str, _Window] = field(default_factory=OrderedDict)

    def of(self, chunk_id: str) -> tuple[Unit, ...]:
        """The sentences of a chunk; none when it is gone."""
        with self._lock:
            if chunk_id in self._units:
                self._units.move_to_end(chunk_id)
                return self._units[chunk_id]
            found = self.engine.index.chunk(chunk_id)
            units = () if found is None else self._cut(found[1])
            self._units[chunk_id] = units
            self._kept += len(units) + 1
            while self._kept > _UNITS_KEPT and len(self._units) > 1:
                self._kept -= len(self._units.popitem(last=False)[1]) + 1
            return units

    def all_of(self, chunk_ids: Sequence[str]) -> list[Unit]:
        """The sentences of these chunks, one after the other."""
        return [unit for chunk_id in chunk_ids for unit in self.of(chunk_id)]

    def frequencies(self, tree: str, chunk_ids: Sequence[str]) -> Frequencies:
        """Word weights of these leaves, and of nothing else. Good until the same tree asks again."""
        with self._lock:
            window = self._windows.setdefault(tree, _Window())
            self._windows.move_to_end(tree)
            if len(self._windows) > _WINDOWS_KEPT:
                self._windows.popitem(last=False)
            wanted = dict.fromkeys(chunk_ids)
            for chunk_id in [chunk_id for chunk_id in window.chunks if chunk_id not in wanted]:
                window.drop(chunk_id)
            for chunk_id in wanted:
                if chunk_id not in window.chunks:
                    window.add(chunk_id, frequencies(self.of(chunk_id)))
            holders: Mapping[str, int] = window.holders
            return Frequencies(sentences=window.sentences, holders=holders)

    def _cut(self, chunk: Chunk) -> tuple[Unit, ...]:
        return units_of(chunk, passages_of(chunk), self.engine.count)
