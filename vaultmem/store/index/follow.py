"""The reading order of an older state brought up to the present one: what changed is read, the rest moves along.

What comes out is what `layout.read_map` would read, but for the numbering of sources, which nobody sees.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from vaultmem.core.recall.bm25 import Ints, Layout
from vaultmem.store.index.layout import Map, slots_of, starts_of
from vaultmem.store.index.rows import as_json

_Array = TypeVar("_Array", bound=NDArray[Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How places of an older order stand in the newer one."""

    #: older places that went, ascending
    gone: Ints
    #: ascending: before which of the places that stayed something came in, as `numpy.insert` takes it
    at: Ints

    def stays(self, places: Ints) -> NDArray[np.bool_]:
        """Which of these older places did not go."""
        return ~within(places, self.gone)

    def moved(self, places: Ints) -> Ints:
        """The newer places of older ones that stay."""
        kept = places - np.searchsorted(self.gone, places)
        return np.asarray(kept + np.searchsorted(self.at, kept, side="right"), dtype=np.int64)

    def applied(self, values: _Array, fresh: _Array) -> _Array:
        """An array that goes along with the order: without what went, with what came in."""
        return np.insert(np.delete(values, self.gone), self.at, fresh)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What became of chunks and passages between two maps."""

    chunks: Shift
    passages: Shift


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fresh:
    """A chunk that came in."""

    number: int
    cover: int
    words: NDArray[np.uint32]
    times: Ints
    source: tuple[str, str]


def followed(db: apsw.Connection, old: Map, changed: Collection[int]) -> tuple[Map, Move]:
    """The map as it is now, when these chunk numbers came, went or both since `old` was read."""
    fresh = _fresh(db, changed)
    gone = _slots_held(old, changed)
    chunks = Shift(gone=gone, at=_places_for(db, old, gone, fresh))
    move = Move(chunks=chunks, passages=_of_passages(old, chunks, fresh))
    return _moved(old, move, fresh), move


def _fresh(db: apsw.Connection, changed: Collection[int]) -> list[_Fresh]:
    """Those of the changed that are there now, in the order of their ids."""
    rows = db.execute(
        "SELECT l.chunk, l.cover_words, l.word_counts, l.times_us, c.source_id, c.source_kind FROM json_each(?) j"
        " JOIN layout l ON l.chunk = j.value JOIN chunks c ON c.id = l.chunk ORDER BY c.chunk_id",
        (as_json(sorted(changed)),),
    )
    return [
        _Fresh(
            number=number, cover=cover, words=np.frombuffer(words, dtype="<u4"), times=np.frombuffer(times, "<i8"),
            source=(source, kind),
        )
        for number, cover, words, times, source, kind in rows
    ]  # fmt: skip


def _slots_held(old: Map, numbers: Collection[int]) -> Ints:
    """Where the older order has these chunks, ascending; those that it does not have are left out."""
    asked = np.array([number for number in numbers if number < len(old.slots)], dtype=np.int64)
    if not len(asked) or not len(old.chunks):
        return np.zeros(0, dtype=np.int64)
    slots = old.chunk_places(asked)
    return np.sort(slots[old.chunks[slots] == asked])


def _places_for(db: apsw.Connection, old: Map, gone: Ints, fresh: Sequence[_Fresh]) -> Ints:
    """Before which of the chunks that stay each of the fresh ones belongs, ascending."""
    after: dict[int, int] = {}
    at = len(old.chunks) - len(gone)
    for each in reversed(fresh):
        following = db.execute(_FOLLOWING, (each.number,)).get
        if following is not None and following not in after:
            slot = int(old.slots[following])
            at = slot - int(np.searchsorted(gone, slot))
        after[each.number] = at
    return np.array([after[each.number] for each in fresh], dtype=np.int64)


_FOLLOWING = (
    "SELECT id FROM chunks WHERE chunk_id > (SELECT chunk_id FROM chunks WHERE id = ?) ORDER BY chunk_id LIMIT 1"
)


def _of_passages(old: Map, chunks: Shift, fresh: Sequence[_Fresh]) -> Shift:
    """The same move, told in passages."""
    ends = _ends(old.layout)
    gone = [np.arange(first, end) for first, end in zip(old.layout.starts[chunks.gone], ends[chunks.gone], strict=True)]
    sizes = np.delete(ends - old.layout.starts, chunks.gone)
    before = np.concatenate(([0], np.cumsum(sizes)))
    return Shift(
        gone=np.concatenate(gone) if gone else np.zeros(0, dtype=np.int64),
        at=np.repeat(before[chunks.at], [len(each.words) for each in fresh]).astype(np.int64),
    )


def _moved(old: Map, move: Move, fresh: Sequence[_Fresh]) -> Map:
    names = {source: number for number, source in enumerate(old.sources)}
    source_of = [names.setdefault(each.source, len(names)) for each in fresh]
    words = _joined([each.words for each in fresh]).astype(np.float64)
    per_chunk = np.array([len(each.words) for each in fresh], dtype=np.int64)
    totals = np.array([each.cover + int(each.words.sum()) for each in fresh], dtype=np.float64)
    layout, chunks = old.layout, move.chunks
    sizes = chunks.applied(_ends(layout) - layout.starts, per_chunk)
    numbers = chunks.applied(old.chunks, np.array([each.number for each in fresh], dtype=np.int64))
    return replace(
        old,
        layout=Layout(
            starts=starts_of(sizes),
            chunk_of=np.repeat(np.arange(len(sizes), dtype=np.int64), sizes),
            lengths=move.passages.applied(layout.lengths, words),
            chunk_lengths=chunks.applied(layout.chunk_lengths, totals),
        ),
        chunks=numbers,
        slots=slots_of(numbers),
        times=move.passages.applied(old.times, _joined([each.times for each in fresh]).astype(np.int64)),
        source_of=chunks.applied(old.source_of, np.array(source_of, dtype=np.int32)),
        sources=tuple(names),
    )


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)


def _ends(layout: Layout) -> Ints:
    return np.append(layout.starts[1:], len(layout.lengths))


def within(places: Ints, some: Ints) -> NDArray[np.bool_]:
    """Which of `places` stand in `some`, which ascend."""
    if not len(some):
        return np.zeros(len(places), dtype=bool)
    found = np.minimum(np.searchsorted(some, places), len(some) - 1)
    return np.asarray(some[found] == places)
