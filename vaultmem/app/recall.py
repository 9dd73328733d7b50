"""Answering: a question's words, times and names -> candidates -> ranked -> hits from the notes as they are now.

The index finds, the note speaks: its bytes are looked at while asking. Where they are those that were indexed the index
knows what they say; where they are others, content, neighbours and lines are read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from vaultmem.answers import Around, Filters, PassageRow, QueryResponse, RetrievalHit
from vaultmem.app.embed import meaning_of
from vaultmem.app.hits import AsIndexed, entities_of_each, iso
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.paths import is_in_place
from vaultmem.core.notes.properties import split_note
from vaultmem.core.recall.names import name_candidates
from vaultmem.core.recall.rank import Ranked, rank, read_question
from vaultmem.core.recall.refind import refind
from vaultmem.core.recall.silence import CALIBRATED, is_silent
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.core.recall.window import read_ends as read_ends  # noqa: PLC0414 - the doors look into app alone
from vaultmem.errors import BadQuery, NotHere, VaultmemError
from vaultmem.model import Passage
from vaultmem.ports import Embedders, Index, Vault
from vaultmem.queries import check_question

#: Hits one question may ask for.
_MOST_HITS = 1000
_KINDS = ("chat", "email", "document")
#: (question, ranking) -> the ranking in another order, and in words why it is not
Reorder = Callable[[str, Sequence[Ranked]], tuple[Sequence[Ranked], str]]
#: Notes kept as they were read: 12 kB each at most, and as much again for their passages.
_KEPT_NOTES = 256
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    """A chunk note as it is now; `problem` when it cannot be read."""

    passages: tuple[Passage, ...] = ()
    body_line: int = 1
    problem: str = ""
    #: the index has the word: the note is what it was, or a cloud has taken it off this disk
    is_as_indexed: bool = False


_AS_INDEXED = _Note(is_as_indexed=True)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Looks at each note once per question."""

    vault: Vault
    filters: Filters
    as_indexed: AsIndexed
    notes: dict[str, _Note | None] = field(default_factory=dict)

    def note(self, row: PassageRow) -> _Note | None:
        """The row's note; None when it is gone, is another chunk's by now, or was dropped by hand."""
        if row.chunk_id not in self.notes:
            self.notes[row.chunk_id] = self._look(row)
        return self.notes[row.chunk_id]

    def _look(self, row: PassageRow) -> _Note | None:
        try:
            if self.as_indexed(row.source_id, row.note_path, row.note_hash):
                return _AS_INDEXED
            return (
                _read_in_place(self.vault, row) if is_in_place(row.source_id) else _read(self.vault, row, self.filters)
            )
        except FileNotFoundError:
            return None
        except (VaultmemError, UnicodeDecodeError, OSError) as error:
            problem = f"unreadable: {row.note_path} ({error})"
            return _Note(problem=problem, is_as_indexed=isinstance(error, NotHere))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Passages that answer a question as the index holds them: their notes were not looked at."""

    #: best first
    ranked: Sequence[Ranked]
    #: all that were found, exact repeats left out
    total: int
    #: in words, what was missing
    lacking: tuple[str, ...]
    no_good_answer: bool


def cited(index: Index, vault: Vault, found: Evidence, *, k: int, filters: Filters) -> QueryResponse:
    """The first k that still stand in their notes, each with its place there."""
    hits, lost, problems = _hits(
        index, found.ranked, k, _Reader(vault=vault, filters=filters, as_indexed=AsIndexed(vault))
    )
    total = found.total - lost
    return QueryResponse(
        hits=hits,
        total=total,
        truncated=total > len(hits),
        degraded="; ".join((*found.lacking, *problems)),
        no_good_answer=found.no_good_answer,
    )


def evidence(
    index: Index,
    text: str,
    *,
    k: int,
    filters: Filters,
    now: datetime,
    zone: tzinfo,
    embedders: Embedders,
    weights: Weights = WEIGHTS,
    named: Callable[[Sequence[str]], None] = lambda _: None,
    reorder: Reorder | None = None,
) -> Evidence:
    """Passages that answer `text`, of which k may be shown. `now` is aware; `named` is told the entities that the
    question names.

    `reorder` has the last word on the order, and none on `no_good_answer`. Raises BadQuery, IndexTrouble.
    """
    _check(text, k, filters)
    question, words = read_question(text, now, zone, _entities(index, text))
    named(question.entities)
    meaning, without = meaning_of(index, embedders, text)
    rows, total = index.candidates(
        words,
        filters,
        limit=weights.ranked_for(k, by_meaning=meaning is not None),
        spans_ms=[(span.start_ms, span.end_ms) for span in question.spans],
        entities=question.entities,
        meaning=meaning,
        weights=weights,
    )
    ranked = rank(rows, question, weights)
    total -= len(rows) - len(ranked)
    ordered, unordered = reorder(text, ranked) if reorder else (ranked, "")
    by_meaning = meaning is not None and meaning.signature.startswith(CALIBRATED)
    return Evidence(
        ranked=ordered,
        total=total,
        lacking=tuple(text for text in (without, unordered) if text),
        no_good_answer=is_silent(ranked, by_meaning=by_meaning, weights=weights),
    )


def _check(text: str, k: int, filters: Filters) -> None:
    if not text.strip():
        raise BadQuery("text", text[:80], "some words to look for")
    check_question("text", text)
    if not 1 <= k <= _MOST_HITS:
        raise BadQuery("k", str(k), f"a number from 1 to {_MOST_HITS}")
    if filters.kind and filters.kind not in _KINDS:
        raise BadQuery("kind", filters.kind, f"one of {', '.join(_KINDS)}")
    if filters.since and filters.until and filters.since > filters.until:
        raise BadQuery("until", filters.until.isoformat(), "a time after 'since'")


def _entities(index: Index, text: str) -> tuple[str, ...]:
    """The entities that the text names for sure."""
    candidates = name_candidates(text)
    named = index.resolve_each(candidates)
    return tuple({next(iter(ids)): None for name in candidates if len(ids := named.get(name, frozenset())) == 1})


def _hits(
    index: Index, ranked: Sequence[Ranked], k: int, reader: _Reader
) -> tuple[tuple[RetrievalHit, ...], int, list[str]]:
    """The first k passages that still stand in their notes, how many did not, and which notes cannot be read."""
    found: list[tuple[Ranked, _Note, int]] = []
    lost = 0
    problems: dict[str, None] = {}
    for item in ranked:
        if len(found) == k:
            break
        note = reader.note(item.row)
        at = _place(item.row, note)
        if note and note.problem:
            problems[note.problem] = None
        if note is None or at is None:
            lost += 1
            continue
        found.append((item, note, at))
    return _shown(index, found), lost, list(problems)


def _place(row: PassageRow, note: _Note | None) -> int | None:
    """The passage's place in its note; None when it is not there any more."""
    if note is None:
        return None
    return row.ordinal if note.is_as_indexed else refind(row, note.passages)


def _shown(index: Index, found: Sequence[tuple[Ranked, _Note, int]]) -> tuple[RetrievalHit, ...]:
    """The hits, with what they name: ids of the registry where one fits, `kind:slug` where none does, else nothing."""
    names = [(item.row.chunk_id, item.row.ordinal) for item, _, _ in found]
    beside = index.around(names)
    around = [beside.get(name, _ALONE) for name in names]
    entities = entities_of_each(index, [each.mentions for each in around])
    return tuple(
        _hit(item, _told(item.row, note, at, each), named)
        for (item, note, at), each, named in zip(found, around, entities, strict=True)
    )


#: Of a passage that went from the index while the question was answered.
_ALONE = Around(before="", after="", mentions=())


def _read(vault: Vault, row: PassageRow, filters: Filters) -> _Note | None:
    chunk_id, is_dropped, note = _parsed(vault.read(row.note_path))
    return None if chunk_id != row.chunk_id or (is_dropped and not filters.dropped) else note


@lru_cache(maxsize=_KEPT_NOTES)
def _parsed(content: bytes) -> tuple[str, bool, _Note]:
    """A note's chunk, whether it was dropped, and what it says: remembered by its bytes, for a server meets them again.

    Raises BadNote, BadProperties, UnicodeDecodeError.
    """
    text = content.decode("utf-8")
    chunk = parse_chunk_note(text)
    note = _Note(passages=passages_of(chunk), body_line=split_note(text).body_line)
    return chunk.chunk_id, chunk.status == "dropped", note


def _read_in_place(vault: Vault, row: PassageRow) -> _Note | None:
    from vaultmem.app.asked_in_place import chunk_in_place  # only where there are such notes

    found = chunk_in_place(vault, row.note_path, row.chunk_id)
    return _Note(passages=found.passages, body_line=found.body_line) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a hit shows of its note."""

    passage: Passage
    before: str
    after: str
    body_line: int


def _told(row: PassageRow, note: _Note, at: int, around: Around) -> _Told:
    if note.is_as_indexed:
        return _Told(passage=_indexed(row), before=around.before, after=around.after, body_line=row.body_line)
    passages = note.passages
    return _Told(
        passage=passages[at],
        before=passages[at - 1].text if at else "",
        after=passages[at + 1].text if at + 1 < len(passages) else "",
        body_line=note.body_line,
    )


def _indexed(row: PassageRow) -> Passage:
    """The passage as the index holds it."""
    return Passage(
        ordinal=row.ordinal, text=row.text, author=row.author, block=row.block, heading=row.heading,
        first_line=row.first_line, last_line=row.last_line,
        sent_at=None if row.sent_us is None else _EPOCH + timedelta(microseconds=row.sent_us),
    )  # fmt: skip


def _hit(item: Ranked, told: _Told, entities: tuple[str, ...]) -> RetrievalHit:
    row, passage = item.row, told.passage
    start, end = (passage.sent_at, passage.sent_at) if passage.sent_at else (_moment(row.start_ms), _moment(row.end_ms))
    return RetrievalHit(
        node_id=row.chunk_id,
        node_kind="leaf",
        tree_id=f"source:{row.tree_scope}",
        tree_kind="source",
        tree_scope=row.tree_scope,
        level=0,
        content=passage.text,
        before=told.before,
        after=told.after,
        entities=entities,
        topics=tuple(e for e in entities if e.startswith("topic:")),
        time_range_start=iso(start),
        time_range_end=iso(end),
        score=rounded(item.score),
        score_parts=rounded_parts(item),
        child_ids=(),
        source_ref=row.source_ref,
        note_path=row.note_path,
        heading=passage.heading,
        block=passage.block,
        lines=(told.body_line + passage.first_line, told.body_line + passage.last_line),
        trust="user" if is_in_place(row.source_id) else "imported",
        author=passage.author,
    )


def rounded(score: float) -> float:
    """As hits tell it."""
    return round(score, 6)


def rounded_parts(item: Ranked) -> dict[str, float]:
    """What the score is made of, as hits tell it."""
    return {name: rounded(value) for name, value in item.parts.items()}


def _moment(epoch_ms: int) -> datetime:
    return datetime.fromtimestamp(epoch_ms / 1000, UTC)
