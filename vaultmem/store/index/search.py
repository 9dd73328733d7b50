"""From words and filters to candidates: the filters and the word lists come from SQL, the arithmetic from core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw
import numpy as np

from vaultmem.answers import Filters, PassageRow
from vaultmem.core.recall.bm25 import Allowed, Bools, Floats, Ints, Lexical, allow, lexical
from vaultmem.core.recall.weights import Weights
from vaultmem.store.index.between import Between, Names
from vaultmem.store.index.filters import TAGGED, fits_source, mentioned_surfaces, tag_range
from vaultmem.store.index.layout import Map
from vaultmem.store.index.nearness import Comparison
from vaultmem.store.index.rows import COVER, ORDINAL_BITS, as_json, to_us
from vaultmem.store.index.wordlists import WordLists

#: Occurrences read per question (about 0.3 µs each). Past it the commonest words are left out, whose weight is least.
#: On LoCoMo as many as all passages lose nothing, 30 % of them 0.1 R@10, 10 % (here: of a million) 0.9, 3 % 4.8
#: (tests/bench/pruning.py).
POSTINGS_BUDGET = 100_000
#: …but never below this number of words.
WORDS_AT_LEAST = 2
#: Words that stand nowhere and are looked for in other scripts: a pasted page has many.
_MOST_KIN = 16
_ROW = (
    "SELECT p.id, c.chunk_id, p.text, p.author, p.sent_us, p.block, p.heading, p.first_line, p.last_line, c.path,"
    " c.note_hash, c.body_line, c.source_kind, c.source_id, c.tree_scope, c.source_ref, c.title, c.start_us, c.end_us"
    " FROM json_each(?) j CROSS JOIN passages p ON p.id = j.value CROSS JOIN chunks c ON c.id = p.id >> 22"
)


def find_candidates(
    db: apsw.Connection,
    where: Map,
    words: Sequence[str],
    allowed: Allowed,
    *,
    kept: WordLists,
    limit: int,
    spans_ms: Sequence[tuple[int, int]],
    entities: Sequence[str],
    weights: Weights,
    comparison: Comparison | None = None,
) -> tuple[tuple[PassageRow, ...], int]:
    """The best `limit` passages by words, times, entities asked for and meaning, and how many there were in all."""
    counts, absent = _counted(db, where, words, kept)
    postings = {word: kept.posting(db, where, word) for word in affordable(counts, POSTINGS_BUDGET)}
    scores = lexical(postings, where.layout, allowed, weights, absent=absent)
    told = scores.places[scores.told]
    wanted = np.zeros(len(where.times), dtype=bool)
    wanted[told] = True
    best = set(_best(told, scores.total[scores.told], where.times, limit).tolist())
    surfaces = {e: mentioned_surfaces(db, e) for e in entities}
    about = [_mentioning(db, where, found) for found in surfaces.values()]
    for group in [*([_in_spans(where, spans_ms)] if spans_ms else []), *about]:
        places = np.flatnonzero(group & allowed.passages)
        wanted[places] = True
        best.update(_best(places, scores.at(places)[-1], where.times, limit).tolist())
    between = Between(
        db=db, where=where, surfaces=surfaces, masks=dict(zip(surfaces, about, strict=True)), allowed=allowed.passages,
        fit=lambda places: scores.at(places)[-1], weights=weights,
    )  # fmt: skip
    is_between = len(entities) > 1 and weights.ppr > 0 and between.is_open
    if is_between:
        best.update(between.bridges())
    meant: Mapping[int, float] = {}
    if comparison is not None:
        meant = _meant(comparison, where, allowed, best, wanted, limit)
    # who said it is the speaker part's business: here it counts who is spoken of
    spoken_of = {e: _mentioning(db, where, found, said_by=False) for e, found in surfaces.items()}
    names = between.names(np.array(sorted(best), dtype=np.int64)) if is_between else {}
    return _rows(db, where, sorted(best), scores, spoken_of, meant, names), int(np.count_nonzero(wanted))


def _counted(db: apsw.Connection, where: Map, words: Sequence[str], kept: WordLists) -> tuple[dict[str, int], int]:
    """How often each word occurs, and how many occur nowhere; for one that does not, words of its sound stand in."""
    counts = {word: kept.occurrences(db, where, word) for word in words}
    missing = [word for word in words if not counts[word]]
    absent = len(missing)
    for word in missing[:_MOST_KIN]:
        others = kept.kin(db, word)
        counts |= {other: kept.occurrences(db, where, other) for other in others}
        absent -= bool(others)
    return counts, absent


def _meant(
    comparison: Comparison, where: Map, allowed: Allowed, best: set[int], wanted: Bools, limit: int
) -> Mapping[int, float]:
    """Add the `limit` nearest in meaning to `best` and all that are near to `wanted`; the cosines of `best`."""
    held = comparison.held(allowed.passages)
    cosines, floor = comparison.nearness(held)
    least, few = comparison.weights.least_cosine, limit + comparison.similarity.spare
    near = cosines.over(least)
    wanted[near] = True
    if len(near) < few:  # there is room for those that lie above it when they are compared exactly
        near = cosines.over(least - comparison.similarity.blur)
    softened = comparison.soften(cosines.at, near)
    nearest = _best(near, softened, where.times, few)
    nearest = comparison.narrowed(nearest, cosines.at, where.times, limit, floor)
    compared = comparison.softened(np.array(sorted(best.union(nearest.tolist())), np.int64), held, floor)
    best.update(_first(nearest, compared, where.times, limit))
    return {place: compared[place] for place in best if place in compared}


def find_nearest(
    db: apsw.Connection, where: Map, comparison: Comparison, allowed: Allowed, *, limit: int
) -> tuple[tuple[str, int, float], ...]:
    """(chunk_id, ordinal, cosine) of the passages nearest in meaning that pass the filters, best first."""
    held = comparison.held(allowed.passages)
    places = np.flatnonzero(held)
    near = comparison.cosines(held).at(places)
    chosen = _best(places, near, where.times, limit + comparison.similarity.spare)
    cosines = comparison.exact(chosen)
    order = np.lexsort((chosen, where.times[chosen], -cosines))[:limit]
    names = _chunk_ids(db, where.numbers(chosen[order]))
    return tuple((*name, float(c)) for name, c in zip(names, cosines[order], strict=True))


def _chunk_ids(db: apsw.Connection, numbers: Ints) -> list[tuple[str, int]]:
    """(chunk_id, ordinal) of passage numbers."""
    query = "SELECT chunk_id FROM chunks WHERE id = ?"
    return [(str(db.execute(query, (n >> ORDINAL_BITS,)).get), n & COVER) for n in numbers.tolist()]


def affordable(counts: Mapping[str, int], budget: int) -> list[str]:
    """The words that are read, in their order: the commonest are left out of a costly question."""
    spent = 0
    taken: set[str] = set()
    for word in sorted((w for w in counts if counts[w]), key=lambda w: (counts[w], w)):
        spent += counts[word]
        if spent > budget and len(taken) >= WORDS_AT_LEAST:
            break
        taken.add(word)
    return sorted(taken)


def find_allowed(db: apsw.Connection, where: Map, filters: Filters) -> Allowed:
    """Which passages pass every filter."""
    chunks = np.ones(len(where.chunks), dtype=bool)
    if filters.source or filters.within or filters.kind:
        chunks = np.array([fits_source(filters, *source) for source in where.sources], dtype=bool)[where.source_of]
    if not filters.dropped:
        chunks[_chunks(db, where, "SELECT id FROM chunks WHERE status = 'dropped'")] = False
    if filters.tag:
        tagged = np.zeros_like(chunks)
        tagged[_chunks(db, where, TAGGED, tag_range(filters.tag))] = True
        chunks &= tagged
    allowed = chunks[where.layout.chunk_of]
    if filters.since is not None:
        allowed &= where.times >= to_us(filters.since)
    if filters.until is not None:
        allowed &= where.times <= to_us(filters.until)
    if filters.entity:
        allowed &= _mentioning(db, where, mentioned_surfaces(db, filters.entity))
    return allow(where.layout, allowed)


def _chunks(db: apsw.Connection, where: Map, query: str, values: Sequence[str] = ()) -> Ints:
    """Positions of the chunks whose numbers a query gives."""
    return where.chunk_places(np.fromiter((row[0] for row in db.execute(query, values)), dtype=np.int64))


def _mentioning(db: apsw.Connection, where: Map, surfaces: frozenset[str], *, said_by: bool = True) -> Bools:
    """Passages that mention one of these surfaces, or were said by one."""
    # one text of all numbers: read row by row, each would cost twice as much
    query = (
        "SELECT group_concat(passage) FROM mentions WHERE surface IN (SELECT value FROM json_each(?)) AND origin <> ?"
    )
    told: str | None = db.execute(query, (as_json(sorted(surfaces)), "" if said_by else "author")).get
    numbers = np.fromstring(told or "", dtype=np.int64, sep=",")
    mask = np.zeros(len(where.times), dtype=bool)
    mask[where.places(numbers)] = True
    return mask


def _in_spans(where: Map, spans_ms: Sequence[tuple[int, int]]) -> Bools:
    mask = np.zeros(len(where.times), dtype=bool)
    for first, last in spans_ms:
        mask |= (where.times >= first * 1000) & (where.times < last * 1000)
    return mask


def _best(places: Ints, scores: Floats, times: Ints, limit: int) -> Ints:
    """The `limit` best of places by their scores; equals go by time and position, never by row number."""
    if len(places) <= limit:
        return places
    edge = np.partition(scores, len(places) - limit)[len(places) - limit]
    above, equal = places[scores > edge], places[scores == edge]
    order = np.lexsort((equal, times[equal]))
    return np.concatenate((above, equal[order[: limit - len(above)]]))


def _first(places: Ints, cosines: Mapping[int, float], times: Ints, limit: int) -> list[int]:
    """The `limit` best of places by their exact cosines; equals as in `_best`."""
    found = np.array([cosines[place] for place in places.tolist()])
    order = np.lexsort((places, times[places], -found))[:limit]
    return [int(place) for place in places[order]]


def _rows(
    db: apsw.Connection,
    where: Map,
    places: Sequence[int],
    scores: Lexical,
    covers: Mapping[str, Bools],
    meant: Mapping[int, float],
    names: Names,
) -> tuple[PassageRow, ...]:
    if not places:
        return ()
    at = np.array(places, dtype=np.int64)
    numbers = where.numbers(at).tolist()
    own, near, parent, held, _ = (part.tolist() for part in scores.at(at))
    told = dict(zip(numbers, zip(places, own, near, parent, held, strict=True), strict=True))
    return tuple(_row(row, told[row[0]], covers, meant, names) for row in db.execute(_ROW, (as_json(numbers),)))


_NOBODY: frozenset[str] = frozenset()


def _row(
    row: tuple[Any, ...],
    told: tuple[int, float, float, float, float],
    covers: Mapping[str, Bools],
    meant: Mapping[int, float],
    names: Names,
) -> PassageRow:
    (number, chunk_id, text, author, sent_us, block, heading, first_line, last_line, path, note_hash, body_line, kind,
     source_id, tree_scope, source_ref, title, start_us, end_us) = row  # fmt: skip
    place, own, near, parent, held = told
    return PassageRow(  # in the order of its fields: by their names it would take three times as long
        chunk_id, number & COVER, text, author, (start_us if sent_us is None else sent_us) // 1000, block, heading,
        first_line, last_line, path, body_line, kind, source_id, tree_scope, source_ref, start_us // 1000,
        end_us // 1000, sent_us, note_hash, title, own, near, parent,
        frozenset(e for e, inside in covers.items() if inside[place]) if covers else _NOBODY,
        names.get(place, ()), meant.get(place), held,
    )  # fmt: skip
