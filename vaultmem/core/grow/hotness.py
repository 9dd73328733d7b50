"""Which entities are topics: hotness (DESIGN §5) and the decisions that follow from it. Pure.

heats_of(sightings, hits, now=now)      -> what is known of each entity: Heat
hotness(heat, now)                      -> ln(mentions + 1) + 0.5 sources + recency + centrality + 2 query hits
plan_topics(sightings, hits, topics, …) -> create | keep | archive | revive; `decide_topics` from heats
with_decision(topic, decision, today=…) -> the topic as its page says it from now on

All five parts look at the last 30 days alone, so each decays when nothing happens: after 30 days without a mention or a
question an entity's hotness is 0.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from vaultmem.core.notes.topicpage import Topic, TopicPeriod

WINDOW = timedelta(days=30)
#: A topic is made, or revived, at this hotness. Calibrated with tests/bench/topics.py: at any time 141 chunks of chats
#: have 2.3 topics (at most 5), 178 notes of a year 5.0 (10) and of ten days 6.8 (13), 1,962 mails of a year 13.5 (20).
#: Of the mails, 4.0 would leave 4 topics and 3.0 take 25.
CREATE_AT = 3.5
#: While there are fewer than FEWEST topics this is enough: in a quiet vault three notes of a month are a lot.
CREATE_WHILE_FEW = 2.5
#: An active topic below this is archived. Far enough from CREATE_AT that no topic comes and goes with every message.
ARCHIVE_BELOW = 2.0
#: A topic that was mentioned or asked for in these days is not archived, however cool it is.
QUIET = timedelta(days=14)
#: Notes that must name it in the window, so that neither one long note nor questions alone make a topic.
LEAST_CHUNKS = 3
#: Active topics at most: each costs a tree, and nobody follows more. The hottest ones come first.
MOST_TOPICS = 64
#: Active topics that any vault may have; one of n chunks may have sqrt(n): 200 notes that were all dropped in one month
#: name a hundred things often enough.
FEWEST = 5
#: A name that stands in more of the chunks than this is no topic but the vault's subject (vaults above COMMON_ABOVE).
COMMON_SHARE = 0.2
COMMON_ABOVE = 50
#: What may have a topic: an address or a tag alone names nothing that a person would call one.
TOPIC_KINDS = ("person", "organization", "project", "topic", "location", "event")
#: A new or revived topic gathers leaves from so many days back, and from its week so far.
GATHERED = WINDOW

Action = Literal["create", "keep", "archive", "revive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One entity in one admitted chunk."""

    entity_id: str
    chunk_id: str
    #: the source tree: a conversation, a mailbox, a folder. Not the source: each mail thread would be one
    source: str
    #: when: the time of the newest of these passages, aware UTC
    at: datetime
    #: passages of the chunk that name it
    mentions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """What hotness is made of, for one entity. Days are UTC."""

    entity_id: str
    #: passages that name it, by day
    mentions: Mapping[date, int] = field(default_factory=dict)
    #: source tree -> when it last named it
    sources: Mapping[str, datetime] = field(default_factory=dict)
    #: its last mention; None: never
    last_at: datetime | None = None
    #: share of the other entities of the window that stand in a chunk with it, 0 to 1
    centrality: float = 0.0
    #: questions that named it, by day
    query_hits: Mapping[date, int] = field(default_factory=dict)
    #: chunks of the window that name it
    chunks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of an entity's topic."""

    entity_id: str
    action: Action
    hotness: float


def heats_of(
    sightings: Iterable[Sighting],
    hits: Mapping[str, Mapping[date, int]],
    *,
    now: datetime,
    least: int = 0,
    always: Collection[str] = (),
) -> dict[str, Heat]:
    """Measure every entity that was seen in the window or asked for; what lies in the future is not yet seen.

    `least`: leave out those that were seen in fewer chunks, but for those of `always`.
    """
    seen: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        if _is_recent(sighting.at, now):
            seen[sighting.entity_id].append(sighting)
    near = _neighbours(sighting for own in seen.values() for sighting in own)
    others = max(len(seen) - 1, 1)
    return {
        entity_id: _heat(
            entity_id, seen.get(entity_id, ()), len(near.get(entity_id, ())) / others, hits.get(entity_id, {})
        )
        for entity_id in sorted({*seen, *hits})
        if len(seen.get(entity_id, ())) >= least or entity_id in always
    }


def _neighbours(sightings: Iterable[Sighting]) -> dict[str, set[str]]:
    """Entity -> those that stand in a chunk with it."""
    together: dict[str, set[str]] = defaultdict(set)
    for sighting in sightings:
        together[sighting.chunk_id].add(sighting.entity_id)
    near: dict[str, set[str]] = defaultdict(set)
    for group in together.values():
        for entity_id in group:
            near[entity_id] |= group - {entity_id}
    return near


def _heat(entity_id: str, own: Sequence[Sighting], centrality: float, hits: Mapping[date, int]) -> Heat:
    mentions: Counter[date] = Counter()
    sources: dict[str, datetime] = {}
    for sighting in own:
        mentions[sighting.at.astimezone(UTC).date()] += sighting.mentions
        sources[sighting.source] = max(sources.get(sighting.source, sighting.at), sighting.at)
    return Heat(
        entity_id=entity_id,
        mentions=mentions,
        sources=sources,
        last_at=max(sources.values(), default=None),
        centrality=centrality,
        query_hits=hits,
        chunks=len({sighting.chunk_id for sighting in own}),
    )


def hotness(heat: Heat, now: datetime) -> float:
    """The formula of DESIGN §5. 0 for what neither a note nor a question has named for 30 days."""
    return sum(heat_parts(heat, now).values())


def heat_parts(heat: Heat, now: datetime) -> dict[str, float]:
    """What hotness is the sum of."""
    mentions = _in_window(heat.mentions, now)
    return {
        "mentions": math.log(mentions + 1),
        "sources": 0.5 * sum(_is_recent(at, now) for at in heat.sources.values()),
        "recency": _recency(heat.last_at, now),
        "centrality": heat.centrality if mentions else 0.0,
        "query_hits": 2.0 * _in_window(heat.query_hits, now),
    }


def _is_recent(at: datetime, now: datetime) -> bool:
    """In the window, by whole days: a mention counts as long as its day does."""
    return at <= now and at.astimezone(UTC).date() > now.astimezone(UTC).date() - WINDOW


def _in_window(days: Mapping[date, int], now: datetime) -> int:
    """Sum of the days of the window; the day that it begins in counts no more, today does."""
    today = now.astimezone(UTC).date()
    return sum(count for day, count in days.items() if today - WINDOW < day <= today)


def _recency(last_at: datetime | None, now: datetime) -> float:
    """1 to one day, 0.5 at seven, 0 at thirty, linear between."""
    if last_at is None:
        return 0.0
    age = (now - last_at) / timedelta(days=1)
    if age <= 1:
        return 1.0
    return 1.0 - 0.5 * (age - 1) / 6 if age <= 7 else max(0.5 - 0.5 * (age - 7) / 23, 0.0)


def common_entities(chunks_naming: Mapping[str, int], chunks: int) -> frozenset[str]:
    """Entities in more than a fifth of all admitted chunks of a vault that is not small."""
    if chunks <= COMMON_ABOVE:
        return frozenset()
    return frozenset(entity_id for entity_id, own in chunks_naming.items() if own > COMMON_SHARE * chunks)


def most_topics(chunks: int) -> int:
    """How many topics a vault of so many admitted chunks may have."""
    return min(max(math.isqrt(chunks), FEWEST), MOST_TOPICS)


def plan_topics(
    sightings: Iterable[Sighting],
    hits: Mapping[str, Mapping[date, int]],
    topics: Iterable[Topic],
    *,
    own: Collection[str],
    naming: Mapping[str, int],
    chunks: int,
    now: datetime,
) -> tuple[Decision, ...]:
    """The decisions of a vault with so many admitted chunks. `sightings`: those of the window suffice; `own`: the
    owner's ids; `naming`: entity id -> admitted chunks that name it.
    """
    common = common_entities(naming, chunks)
    heats = heats_of(sightings, hits, now=now)
    return decide_topics(heats, topics, now=now, excluded=common | frozenset(own), most=most_topics(chunks))


def decide_topics(
    heats: Mapping[str, Heat],
    topics: Iterable[Topic],
    *,
    now: datetime,
    excluded: Collection[str] = (),
    most: int = MOST_TOPICS,
) -> tuple[Decision, ...]:
    """One decision for each topic that exists and each that is to be made, by entity id.

    `excluded`: the owner's own entities and `common_entities`; a topic that has become one of them is archived. Nothing
    is revived that would not be created. Beyond `most` active topics (`most_topics`) only what is archived makes room.
    """
    existing = {topic.entity_id: topic.status for topic in topics}
    measured = {
        entity_id: hotness(heat, now) for entity_id, heat in heats.items() if entity_id in existing or _is_ripe(heat)
    }
    actions: dict[str, Action] = {}
    for entity_id, status in existing.items():
        cold = entity_id in excluded or (
            measured.get(entity_id, 0.0) < ARCHIVE_BELOW and not _used(heats.get(entity_id), now)
        )
        actions[entity_id] = "archive" if status == "active" and cold else "keep"
    active = sum(status == "active" and actions[topic] == "keep" for topic, status in existing.items())
    ripe = [
        entity_id
        for entity_id in sorted(measured, key=lambda entity_id: (-measured[entity_id], entity_id))
        if entity_id not in excluded and existing.get(entity_id) != "active" and _is_ripe(heats[entity_id])
    ]
    for place, entity_id in enumerate(ripe[: max(most - active, 0)], start=active):
        if measured[entity_id] >= (CREATE_WHILE_FEW if place < FEWEST else CREATE_AT):
            actions[entity_id] = "revive" if entity_id in existing else "create"
    return tuple(
        Decision(entity_id=entity_id, action=action, hotness=measured.get(entity_id, 0.0))
        for entity_id, action in sorted(actions.items())
    )


def _is_ripe(heat: Heat) -> bool:
    return heat.entity_id.partition(":")[0] in TOPIC_KINDS and heat.chunks >= LEAST_CHUNKS


def _used(heat: Heat | None, now: datetime) -> bool:
    """Whether a note or a question named it lately."""
    if heat is None:
        return False
    first = (now - QUIET).astimezone(UTC).date()
    asked = any(count for day, count in heat.query_hits.items() if day > first)
    return asked or (heat.last_at is not None and heat.last_at > now - QUIET)


def week_of(day: date) -> date:
    """The Monday of the day's week."""
    return day - timedelta(days=day.weekday())


def with_decision(topic: Topic | None, decision: Decision, *, today: date) -> Topic:
    """The topic as its page says it from now on; `today` is the owner's day.

    Periods begin with a week and end with one that is over, so that it does not matter on which day of its week
    something was decided. What ends was not named for longer than that, or should never have been a topic.
    """
    if topic is not None and decision.action == "keep":
        return topic
    if decision.action == "archive" and topic is not None:
        open_ones = [_ended(period, week_of(today) - timedelta(days=1)) for period in topic.periods]
        return replace(topic, status="archived", periods=tuple(open_ones))
    before = topic.periods if topic else ()
    first = week_of(today) - GATHERED
    # A period that ended less than 30 days ago is taken up again: periods never overlap.
    if before and before[-1].last is not None and before[-1].last >= first:
        first, before = before[-1].first, before[:-1]
    return Topic(entity_id=decision.entity_id, status="active", periods=(*before, TopicPeriod(first=first)))


def _ended(period: TopicPeriod, last: date) -> TopicPeriod:
    return period if period.last is not None else replace(period, last=max(last, period.first))
