"""From words and filters to candidates: the filters and the word lists come from SQL, the arithmetic from core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import apsw
import numpy as np

from vaultmem.answers import Filters, PassageRow
from vaultmem.core.recall.bm25 import Bools, Floats, Ints, Layout, Lexical, Postings, lexical
from vaultmem.core.recall.weights import WEIGHTS
from vaultmem.store.index.filters import chunk_condition, mentioned_surfaces
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, to_us
from vaultmem.store.index.write import as_json

#: Occurrences read per question (about 1 µs each). Past it the commonest words are left out, whose weight is least.
POSTINGS_BUDGET = 30_000
#: …but never below this number of words.
WORDS_AT_LEAST = 2
_ROW = (
    "SELECT p.id, c.chunk_id, p.text, p.author, p.sent_us, p.block, p.heading, p.first_line, p.last_line, c.path,"
    " c.body_line, c.source_kind, c.source_id, c.tree_scope, c.source_ref, c.start_us, c.end_us"
    " FROM passages p JOIN chunks c ON c.id = p.id >> 22"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """The layout of one state of the index, and how its positions and SQLite's numbers translate."""

    layout: Layout
    #: chunk number of each chunk, rising
    chunks: Ints
    #: time of each passage, microseconds
    times: Ints

    def places(self, numbers: Ints) -> Ints:
        """Position of each passage number."""
        inside = numbers & COVER
        return self.layout.starts[np.searchsorted(self.chunks, numbers >> ORDINAL_BITS)] + inside

    def numbers(self, places: Ints) -> Ints:
        """Passage number of each position."""
        chunk = self.layout.chunk_of[places]
        return (self.chunks[chunk] << ORDINAL_BITS) | (places - self.layout.starts[chunk])


def read_map(db: apsw.Connection) -> Map:
    """Load the layout: one narrow row per chunk."""
    rows = db.execute("SELECT chunk, cover_words, word_counts, times_us FROM layout ORDER BY chunk").fetchall()
    per_chunk = np.array([len(row[2]) // 4 for row in rows], dtype=np.int64)
    lengths = np.frombuffer(b"".join(row[2] for row in rows), dtype="<u4").astype(np.float64)
    chunk_of = np.repeat(np.arange(len(rows), dtype=np.int64), per_chunk)
    titles = np.array([row[1] for row in rows], dtype=np.float64)
    return Map(
        layout=Layout(
            starts=np.concatenate(([0], np.cumsum(per_chunk)))[: len(rows)].astype(np.int64),
            chunk_of=chunk_of,
            lengths=lengths,
            chunk_lengths=titles + np.bincount(chunk_of, weights=lengths, minlength=len(rows)),
        ),
        chunks=np.array([row[0] for row in rows], dtype=np.int64),
        times=np.frombuffer(b"".join(row[3] for row in rows), dtype="<i8").astype(np.int64),
    )


def find_candidates(
    db: apsw.Connection,
    where: Map,
    words: Sequence[str],
    filters: Filters,
    *,
    limit: int,
    spans_ms: Sequence[tuple[int, int]],
    entities: Sequence[str],
) -> tuple[tuple[PassageRow, ...], int]:
    """The best `limit` passages by words, by the times asked for and by the entities asked for; and how many there are."""
    allowed = _allowed(db, where, filters)
    scores = lexical(_postings(db, where, words), where.layout, allowed, WEIGHTS)
    covered = {e: _mentioning(db, where, mentioned_surfaces(db, e)) for e in entities}
    groups = [scores.own + scores.near > 0, _in_spans(where, spans_ms), *covered.values()]
    wanted = np.zeros(len(allowed), dtype=bool)
    best: set[int] = set()
    for group in groups:
        wanted |= group & allowed
        best.update(_best(group & allowed, scores.total, limit).tolist())
    covers = {e: frozenset(np.flatnonzero(mask).tolist()) for e, mask in covered.items()}
    return _rows(db, where, sorted(best), scores, covers), int(wanted.sum())


_PLACES = "SELECT doc FROM words_places WHERE term = ?"


def _postings(db: apsw.Connection, where: Map, words: Sequence[str]) -> Mapping[str, Postings]:
    """Word -> where it stands, in the order of the words; the commonest are left out of a costly question."""
    counts = {word: _occurrences(db, word) for word in words}
    spent = 0
    taken: set[str] = set()
    for word in sorted((w for w in counts if counts[w]), key=lambda w: (counts[w], w)):
        spent += counts[word]
        if spent > POSTINGS_BUDGET and len(taken) >= WORDS_AT_LEAST:
            break
        taken.add(word)
    return {word: _posting(db, where, word) for word in sorted(taken)}


def _occurrences(db: apsw.Connection, word: str) -> int:
    row = db.execute("SELECT cnt FROM words_counts WHERE term = ?", (word,)).fetchone()
    return int(row[0]) if row else 0


def _posting(db: apsw.Connection, where: Map, word: str) -> Postings:
    docs = np.fromiter((row[0] for row in db.execute(_PLACES, (word,))), dtype=np.int64)
    title = (docs & COVER) == COVER
    numbers, times = np.unique(docs[~title], return_counts=True)
    return Postings(
        passages=where.places(numbers),
        times=times.astype(np.float64),
        titles=np.searchsorted(where.chunks, docs[title] >> ORDINAL_BITS),
    )


def _allowed(db: apsw.Connection, where: Map, filters: Filters) -> Bools:
    """Which passages pass every filter."""
    condition, values = chunk_condition(filters)
    numbers = np.fromiter((r[0] for r in db.execute(f"SELECT c.id FROM chunks c WHERE {condition}", values)), dtype=np.int64)  # noqa: E501, S608 - condition is made of constants
    chunks = np.zeros(len(where.chunks), dtype=bool)
    chunks[np.searchsorted(where.chunks, numbers)] = True
    allowed = chunks[where.layout.chunk_of]
    if filters.since is not None:
        allowed &= where.times >= to_us(filters.since)
    if filters.until is not None:
        allowed &= where.times <= to_us(filters.until)
    if filters.entity:
        allowed &= _mentioning(db, where, mentioned_surfaces(db, filters.entity))
    return allowed


def _mentioning(db: apsw.Connection, where: Map, surfaces: frozenset[str]) -> Bools:
    """Passages that mention one of these surfaces."""
    query = "SELECT DISTINCT passage FROM mentions WHERE surface IN (SELECT value FROM json_each(?))"
    numbers = np.fromiter((row[0] for row in db.execute(query, (as_json(sorted(surfaces)),))), dtype=np.int64)
    mask = np.zeros(len(where.times), dtype=bool)
    mask[where.places(numbers)] = True
    return mask


def _in_spans(where: Map, spans_ms: Sequence[tuple[int, int]]) -> Bools:
    mask = np.zeros(len(where.times), dtype=bool)
    for first, last in spans_ms:
        mask |= (where.times >= first * 1000) & (where.times < last * 1000)
    return mask


def _best(group: Bools, total: Floats, limit: int) -> Ints:
    """The positions of the `limit` best of a group, and of all that are as good as the last: a cut among equals would
    depend on row numbers."""
    places = np.flatnonzero(group)
    if len(places) <= limit:
        return places
    edge = np.partition(total[places], len(places) - limit)[len(places) - limit]
    return places[total[places] >= edge]


def _rows(
    db: apsw.Connection, where: Map, places: Sequence[int], scores: Lexical, covers: Mapping[str, frozenset[int]]
) -> tuple[PassageRow, ...]:
    if not places:
        return ()
    numbers = where.numbers(np.array(places, dtype=np.int64)).tolist()
    place_of = dict(zip(numbers, places, strict=True))
    rows = db.execute(f"{_ROW} WHERE p.id IN (SELECT value FROM json_each(?))", (as_json(numbers),))  # noqa: S608
    return tuple(_row(row, place_of[row[0]], scores, covers) for row in rows)


def _row(
    row: tuple[object, ...], place: int, scores: Lexical, covers: Mapping[str, frozenset[int]]
) -> PassageRow:
    (number, chunk_id, text, author, sent_us, block, heading, first_line, last_line, path, body_line, kind, source_id,
     tree_scope, source_ref, start_us, end_us) = row  # fmt: skip
    return PassageRow(
        chunk_id=chunk_id, ordinal=number & COVER, text=text, author=author,
        time_ms=(start_us if sent_us is None else sent_us) // 1000, own_time=sent_us is not None,
        block=block, heading=heading, first_line=first_line, last_line=last_line, note_path=path, body_line=body_line,
        source_kind=kind, source_id=source_id, tree_scope=tree_scope, source_ref=source_ref,
        start_ms=start_us // 1000, end_ms=end_us // 1000,
        own=float(scores.own[place]), near=float(scores.near[place]), parent=float(scores.parent[place]),
        covers=frozenset(e for e, inside in covers.items() if place in inside),
    )  # type: ignore[operator, arg-type]  # fmt: skip
