"""Topics as they would have been, had vaultmem run then: so old chats that come at once have theirs too. Pure.

live_through(topics, past, after=…, until=…, zone=…)  -> the topics after each week that is over was decided
united(topic, other)                                   -> a topic that has the days of both

A week is decided once, as of its last day on which something was named, from what lay before the end of that day; a
week in which nothing was, as of its Sunday, and only while there is a topic that may have ended.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import accumulate

from vaultmem.core.grow.calendar import day_of, start_of
from vaultmem.core.grow.hotness import (
    LEAST_CHUNKS,
    WINDOW,
    Sighting,
    decide_topics,
    heats_of,
    most_topics,
    week_of,
    with_decision,
)
from vaultmem.core.notes.topicpage import Topic, TopicPeriod

_WEEK = timedelta(days=7)
_ONE_DAY = timedelta(days=1)
#: Chunks whose sightings are held in memory together.
AT_ONCE = 3_000
#: No week before this is decided: its window would reach beyond the calendar.
_EARLIEST = date(1, 3, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is known of the time that is decided, and of the window before it."""

    sightings: Sequence[Sighting]
    #: UTC day -> admitted chunks that end on it, from the very first
    chunks: Mapping[date, int] = field(default_factory=dict)
    #: entity id -> UTC day -> questions that named it
    hits: Mapping[str, Mapping[date, int]] = field(default_factory=dict)
    #: no topics: the owner, what a person deleted, what the whole vault is about
    excluded: Collection[str] = ()


def last_over(today: date) -> date:
    """The last day of the last week that is over."""
    return week_of(today) - _ONE_DAY


def spans(chunks: Mapping[date, int], after: date | None, last: date, at_once: int = AT_ONCE) -> Iterator[date]:
    """Sundays up to `last` at which to pause, so that little more than `at_once` chunks lie between two of them.

    `chunks`: admitted chunks by the day on which they end. Deciding span by span is deciding all at once.
    """
    held = 0
    for day in sorted(day for day in chunks if day <= last):
        held += chunks[day] if after is None or day > after else 0
        if held >= at_once and week_of(day) + _WEEK - _ONE_DAY < last:
            after, held = week_of(day) + _WEEK - _ONE_DAY, 0
            yield after
    yield last


def live_through(
    topics: Mapping[str, Topic], past: Past, *, after: date | None, until: date, zone: tzinfo
) -> dict[str, Topic]:
    """The topics, by entity id, after every week that ended past `after` (None: since the first) and by `until`."""
    known = sorted(past.sightings, key=lambda sighting: (sighting.at, sighting.entity_id, sighting.chunk_id))
    times = [sighting.at for sighting in known]
    days = sorted(past.chunks)
    chunks = [0, *accumulate(past.chunks[day] for day in days)]
    lived = dict(topics)
    for day in _deciding_days(times, lived, after, until, zone):
        now = start_of(day + _ONE_DAY, zone) - timedelta(microseconds=1)
        recent = known[bisect_right(times, now - WINDOW - _ONE_DAY) : bisect_right(times, now)]
        asked = _asked_by(past.hits, now.astimezone(UTC).date())
        active = [entity_id for entity_id, topic in lived.items() if topic.status == "active"]
        heats = heats_of(recent, asked, now=now, least=LEAST_CHUNKS, always=active)
        decisions = decide_topics(
            heats,
            [lived[entity_id] for entity_id in {*active, *heats} if entity_id in lived],
            now=now,
            excluded=past.excluded,
            most=most_topics(chunks[bisect_right(days, now.astimezone(UTC).date())]),
        )
        for decision in decisions:
            lived[decision.entity_id] = with_decision(lived.get(decision.entity_id), decision, today=day)
    return lived


def _deciding_days(
    times: Sequence[datetime], lived: Mapping[str, Topic], after: date | None, until: date, zone: tzinfo
) -> Iterator[date]:
    """The day as of which each week is decided. `lived` is looked at when a week's turn comes."""
    if after is None and not times:
        return
    monday = max(week_of(after + _ONE_DAY if after else day_of(times[0], zone)), _EARLIEST)
    while monday + _WEEK <= until + _ONE_DAY:
        end = start_of(monday + _WEEK, zone)
        first, last = bisect_left(times, start_of(monday, zone)), bisect_left(times, end)
        if first < last:
            yield max(day_of(times[last - 1], zone), monday)
        elif any(topic.status == "active" for topic in lived.values()):
            yield monday + _WEEK - _ONE_DAY
        elif last == len(times):
            return
        else:
            monday = max(week_of(day_of(times[last], zone)), monday + _WEEK)
            continue
        monday += _WEEK


def _asked_by(hits: Mapping[str, Mapping[date, int]], last: date) -> dict[str, dict[date, int]]:
    """The questions that had been asked by that day."""
    asked = {entity_id: {day: n for day, n in days.items() if day <= last} for entity_id, days in hits.items()}
    return {entity_id: days for entity_id, days in asked.items() if days}


def united(one: Topic, other: Topic) -> Topic:
    """A topic that takes the days of both: days that were once taken stay so, for summaries may hold them."""
    periods: list[TopicPeriod] = []
    for period in sorted((*one.periods, *other.periods), key=lambda period: period.first):
        before = periods[-1] if periods else None
        if before is None or (before.last is not None and before.last + _ONE_DAY < period.first):
            periods.append(period)
        elif before.last is not None:
            last = None if period.last is None else max(before.last, period.last)
            periods[-1] = replace(before, last=last)
    is_open = bool(periods) and periods[-1].last is None
    return replace(one, status="active" if is_open else "archived", periods=tuple(periods))
