"""Candidates -> ranked passages: the formula, every part of it reported, the order the same on every run."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from vaultmem.answers import PassageRow
from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.asking import asks_back, asks_when, is_frame, is_question, subject_words, tells_when
from vaultmem.core.recall.identifiers import exact_shares
from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.core.recall.times import Span, recency_asked, time_spans, timeless
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.core.recall.words import index_words, query_words

_MS = timedelta(milliseconds=1)
_NAME_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What ranking knows of the question beyond its words."""

    text: str
    spans: tuple[Span, ...] = ()
    #: names of the entities it speaks of, as given to the index
    entities: tuple[str, ...] = ()
    #: it asks for the latest
    recent: bool = False
    #: half of its words or more tell a time; where words have no blanks between: nothing else is asked
    by_time: bool = False
    now_ms: int = 0


def read_question(
    text: str, now: datetime, zone: tzinfo, entities: Sequence[str] = ()
) -> tuple[Question, tuple[str, ...]]:
    """What a text asks, and the words to look for. `now` is aware.

    The words that tell a time are not looked for when they are most of the question, and not all of it: "what happened
    on 14 February" asks for no passage that says 14. Elsewhere they stay, for titles and headings hold dates.
    """
    words, spans = query_words(text), time_spans(text, now, zone)
    rest = timeless(text) if spans else text
    beside = query_words(rest) if spans else words
    framed = is_frame(rest) if spans else None
    by_time = 2 * len(beside) <= len(words) if framed is None else framed
    question = Question(
        text=text,
        spans=spans,
        entities=tuple(entities),
        recent=recency_asked(text),
        by_time=by_time,
        now_ms=int(now.timestamp() * 1000),
    )
    return question, beside if by_time and beside else words


class Ranked(NamedTuple):
    """A passage with its score; the parts sum up to it. A tuple, as its row is one."""

    row: PassageRow
    score: float
    parts: Mapping[str, float]


def rank(rows: Sequence[PassageRow], question: Question, weights: Weights = WEIGHTS) -> tuple[Ranked, ...]:
    """Best first, exact repeats left out. Ties go by time and place, never by a row's number."""
    speakers = _speakers_named(question.text, {row.author for row in rows if row.author}, weights.least_name)
    words = frozenset(subject_words(question.text))
    asked = _Asked(
        speakers=speakers,
        about=words if any(words <= set(query_words(name)) for name in speakers) else frozenset(),
        exact=_exact(question.text, rows, weights.exact_few),
        titled=_titled(question.text, {row.title for row in rows}),
        when=asks_when(question.text),
        back=asks_back(question.text),
    )
    scale = _scale_of(rows, weights)
    scored = [_score(row, question, asked, scale, weights) for row in rows]
    if weights.ppr and any(row.names for row in rows):
        scored = _with_bridges(scored, question, weights)
    scored.sort(key=lambda r: (-r.score, r.row.time_ms, r.row.chunk_id, r.row.ordinal))
    return _without_repeats(scored, weights.copies)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the question's wording asks of a passage."""

    #: spellings of the one person it names
    speakers: frozenset[str]
    #: its words, when they are that person's name and nothing else
    about: frozenset[str]
    #: title -> share of its words that stand in the question
    titled: Mapping[str, float]
    #: passage -> share of its identifiers that stand there
    exact: Mapping[tuple[str, int], float]
    #: it asks for a time
    when: bool
    #: it asks what somebody asked
    back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """What the candidates' words and meanings are measured by, so that both lie in [0, 1]."""

    most_words: float
    #: from where unrelated texts end to the nearest, so that nothing follows from how many candidates there are
    spread: float
    #: False: no candidate has a vector, words are all there is
    by_meaning: bool


def _scale_of(rows: Sequence[PassageRow], weights: Weights) -> _Scale:
    cosines = [row.cosine for row in rows if row.cosine is not None]
    return _Scale(
        most_words=max(map(_words, rows), default=0.0) or 1.0,
        spread=max([0.0, *cosines]) - weights.unrelated,
        by_meaning=bool(cosines),
    )


def _words(row: PassageRow) -> float:
    return row.own + row.near + row.parent


def _lexical_parts(row: PassageRow, scale: _Scale, weights: Weights) -> dict[str, float]:
    """Words and meaning. Without a vector of its own a passage counts as near as its words say."""
    if not scale.by_meaning:
        return {"words": row.own, "near": row.near, "parent": row.parent}
    share = (1 - weights.vector) / scale.most_words
    parts = {"words": share * row.own, "near": share * row.near, "parent": share * row.parent}
    if row.cosine is None:
        parts["vector"] = weights.vector * _words(row) / scale.most_words
    else:
        parts["vector"] = weights.vector * max(row.cosine - weights.unrelated, 0.0) / scale.spread
    return parts


def _score(row: PassageRow, question: Question, asked: _Asked, scale: _Scale, weights: Weights) -> Ranked:
    parts = _lexical_parts(row, scale, weights)
    if titled := asked.titled[row.title]:
        parts["title"] = weights.title * titled
    if row.source_kind == "chat" and not asked.back and is_question(row.text):
        parts["asks"] = weights.asks
    if asked.when and tells_when(row.text):
        parts["when"] = weights.when
    if question.spans:
        weight = weights.time_alone if question.by_time else weights.time
        parts["time"] = weight * max(_closeness(row.time_ms, s, weights) * s.weight for s in question.spans)
    if row.author in asked.speakers:
        parts["speaker"] = weights.speaker
    if asked.about and asked.about.issubset(index_words(row.text)):
        parts["about"] = weights.about
    if exact := asked.exact.get((row.chunk_id, row.ordinal)):
        parts["exact"] = weights.exact * exact
    if question.entities:
        parts["entities"] = weights.entities * len(row.covers) / len(question.entities)
    if question.recent:
        age = max(question.now_ms - row.time_ms, 0) * _MS
        parts["recency"] = weights.recency * 2.0 ** -(age / weights.recency_half_life)
    return Ranked(row, sum(parts.values()), parts)


def _with_bridges(scored: Sequence[Ranked], question: Question, weights: Weights) -> list[Ranked]:
    """The same with the part of those that stand between the question's entities."""
    from vaultmem.core.recall.bridges import bridging  # it brings numpy, which few questions need here

    found = bridging([item.row for item in scored], question.entities, weights)
    parts = [{**item.parts, "ppr": weights.ppr * share} for item, share in zip(scored, found, strict=True)]
    return [Ranked(row=i.row, score=sum(p.values()), parts=p) for i, p in zip(scored, parts, strict=True)]


def _exact(text: str, rows: Sequence[PassageRow], few: int) -> Mapping[tuple[str, int], float]:
    """Passage -> share of the question's identifiers that stand in it or its heading; without those that hold none."""
    shares = exact_shares(text, (f"{row.heading}\n{row.text}" for row in rows), few)
    return {(row.chunk_id, row.ordinal): share for row, share in zip(rows, shares, strict=bool(shares)) if share}


def _closeness(time_ms: int, span: Span, weights: Weights) -> float:
    """1 inside the span, a little less in the window around it, then falling to 0."""
    if span.start_ms <= time_ms < span.end_ms:
        return 1.0
    before = span.start_ms - weights.time_before / _MS - time_ms
    after = time_ms - span.end_ms - weights.time_after / _MS
    outside = max(before, after, 0.0)
    return weights.time_around * max(0.0, 1.0 - outside / (weights.time_fade / _MS))


def _titled(text: str, titles: set[str]) -> Mapping[str, float]:
    """Share of each title's words that the question holds: a note whose whole title is named is what is meant."""
    words = frozenset(query_words(text))
    return {title: _share(_words_of(title), words) for title in titles}


def _share(told: frozenset[str], asked: frozenset[str]) -> float:
    return len(told & asked) / len(told) if told else 0.0


@lru_cache(maxsize=4096)
def _words_of(title: str) -> frozenset[str]:
    """A title's words: the same rooms and subjects come with every question."""
    return frozenset(query_words(title))


def _speakers_named(text: str, authors: set[str], least_name: int) -> frozenset[str]:
    """Spellings of the one person whom the question names; none when it names two or nobody."""
    asked = f" {' '.join(_NAME_WORDS.findall(fold(text)))} "
    names = {author: _name_of(author) for author in authors}
    named = {author: name for author, name in names.items() if name and f" {name} " in asked}
    # a first name that stands there with its last name is no other person of that first name
    taken = {name.partition(" ")[0] for name in named.values() if " " in name}
    named |= {
        a: n for a, n in names.items() if _first_name_in(n, asked, least_name) and n.partition(" ")[0] not in taken
    }
    people = set(named.values())
    longest = max(people, key=lambda name: (len(name), name), default="")
    # "Alice" of a chat and "Alice Smith" of a mail are one person, "Alice Smith" and "Alice Jones" are two
    return frozenset(named) if all(f"{longest} ".startswith(f"{name} ") for name in people) else frozenset()


@lru_cache(maxsize=4096)
def _name_of(author: str) -> str:
    """The words of an author's name, without an address: the same people come with every question."""
    return " ".join(_NAME_WORDS.findall(fold(author.partition("<")[0])))


def _first_name_in(name: str, asked: str, least: int) -> bool:
    first = name.partition(" ")[0]
    return len(first) >= least and first not in STOP_WORDS and f" {first} " in asked


def _same(text: str) -> str:
    """`fold` without its look at each character, which would cost more than all the rest of ranking."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(plain.casefold().split())


def _ends(text: str) -> tuple[str, str]:
    """First and last word of `_same`, without making all of it: texts that differ there are no repeats."""
    first, last = text.split(None, 1), text.rsplit(None, 1)
    return (_same(first[0]).partition(" ")[0], _same(last[-1]).rpartition(" ")[2]) if first else ("", "")


def _without_repeats(ranked: Sequence[Ranked], copies: int) -> tuple[Ranked, ...]:
    """The best of passages that say the same, by the same author, in the same folded words: one of each source, for
    they answer with another context, and of no more than `copies` sources."""
    seen: dict[tuple[str, str], set[str]] = {}
    kept: list[Ranked] = []
    ends = [(item.row.author, _ends(item.row.text)) for item in ranked]
    often = Counter(ends)
    for item, its_ends in zip(ranked, ends, strict=True):
        if often[its_ends] == 1:
            kept.append(item)
            continue
        sources = seen.setdefault((item.row.author, _same(item.row.text)), set())
        if item.row.source_id not in sources and len(sources) < copies:
            sources.add(item.row.source_id)
            kept.append(item)
    return tuple(kept)
