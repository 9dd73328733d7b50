"""Hotness: five parts that decay; topics come and go with hysteresis."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.hotness import (
    CREATE_AT,
    CREATE_WHILE_FEW,
    FEWEST,
    GATHERED,
    LEAST_CHUNKS,
    MOST_TOPICS,
    QUIET,
    WINDOW,
    Decision,
    Heat,
    Sighting,
    common_entities,
    decide_topics,
    heats_of,
    hotness,
    most_topics,
    plan_topics,
    with_decision,
)
from vaultmem.core.notes.topicpage import Topic, TopicPeriod

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ANN, BOB = "person:ann", "person:bob"


def seen(entity: str, *days_ago: float, source: str = "slack:eng", mentions: int = 1) -> list[Sighting]:
    return [
        Sighting(
            entity_id=entity,
            chunk_id=f"{entity} {source} {ago}",
            source=source,
            at=NOW - timedelta(days=ago),
            mentions=mentions,
        )
        for ago in days_ago
    ]


def value(sightings: list[Sighting], hits: dict[date, int] | None = None, *, after: float = 0) -> float:
    now = NOW + timedelta(days=after)
    return hotness(heats_of(sightings, {ANN: hits or {}}, now=now)[ANN], now)


@pytest.mark.parametrize(("age", "recency"), [(0, 1), (1, 1), (4, 0.75), (7, 0.5), (18.5, 0.25), (29.4, 0.0130)])
def test_the_formula(age: float, recency: float) -> None:
    assert value(seen(ANN, age, mentions=4)) == pytest.approx(math.log(5) + 0.5 + recency, abs=1e-3)


def test_sources_centrality_and_questions_count() -> None:
    one = seen(ANN, 0, mentions=4)
    two = [*one, *seen(ANN, 0, source="mail:inbox")]
    assert value(two) == pytest.approx(math.log(6) + 1.0 + 1.0)
    beside = [replace(one[0], entity_id=BOB), *one, *seen("person:carol", 0)]
    assert value(beside) == pytest.approx(value(one) + 0.5)
    assert value(one, {NOW.date(): 3}) == pytest.approx(value(one) + 6)


def test_all_five_parts_are_gone_after_thirty_days() -> None:
    own = [*seen(ANN, 0, 0.5, 1, mentions=9), *seen(ANN, 0, source="b"), *seen(BOB, 0)]
    hits = {NOW.date(): 5}
    assert value(own, hits) > 10
    assert value(own, hits, after=WINDOW.days + 1) == 0


def test_what_lies_ahead_is_not_yet_seen() -> None:
    assert heats_of(seen(ANN, -1), {}, now=NOW) == {}


@given(st.lists(st.floats(0, 40), max_size=8), st.floats(0, 60), st.integers(0, 5))
def test_hotness_only_falls_while_nothing_happens(days: list[float], later: float, asked: int) -> None:
    own, hits = seen(ANN, *days), {NOW.date(): asked}
    assert value(own, hits, after=later) <= value(own, hits) + 1e-9


@given(st.lists(st.floats(0, 29), min_size=1, max_size=8), st.integers(1, 30), st.integers(1, 30))
def test_more_mentions_never_make_a_topic_cooler_or_undo_it(days: list[float], few: int, more: int) -> None:
    few, more = sorted((few, more))
    less, full = (heats_of(seen(ANN, *days, mentions=count), {}, now=NOW) for count in (few, more))
    assert hotness(less[ANN], NOW) <= hotness(full[ANN], NOW)
    for topics in ((), (topic("active"),), (topic("archived"),)):
        rank = {"archive": 0, "keep": 1, "create": 2, "revive": 2, None: 1}
        assert rank[action(less, topics)] <= rank[action(full, topics)]


def action(heats: dict[str, Heat], topics: tuple[Topic, ...], now: datetime = NOW, most: int = 20) -> str | None:
    return next((d.action for d in decide_topics(heats, topics, now=now, most=most) if d.entity_id == ANN), None)


def topic(status: str, entity: str = ANN) -> Topic:
    last = None if status == "active" else date(2026, 3, 1)
    period = TopicPeriod(first=date(2026, 2, 1), last=last)
    return Topic(entity_id=entity, status="active" if status == "active" else "archived", periods=(period,))


def test_a_topic_is_made_kept_archived_and_revived() -> None:
    busy = seen(ANN, 0, 1, 2, mentions=9)
    assert action(heats_of(busy, {}, now=NOW), ()) == "create"
    assert action(heats_of(busy, {}, now=NOW), (topic("active"),)) == "keep"
    assert action(heats_of(busy, {}, now=NOW), (topic("archived"),)) == "revive"
    later = NOW + WINDOW + timedelta(days=1)
    assert action(heats_of(busy, {}, now=later), (topic("active"),), later) == "archive"
    assert action({}, (topic("archived"),)) == "keep"


def test_one_mention_makes_and_revives_nothing() -> None:
    alone = [*seen(ANN, 0, mentions=1), *[replace(s, chunk_id=seen(ANN, 0)[0].chunk_id) for s in seen(BOB, 0)]]
    heats = heats_of(alone, {}, now=NOW)
    assert hotness(heats[ANN], NOW) < CREATE_AT
    assert action(heats, ()) is None
    assert action(heats, (topic("archived"),)) == "keep"
    asked = heats_of(alone, {ANN: {NOW.date(): 9}}, now=NOW)
    assert action(asked, (topic("archived"),)) == "keep"


def test_between_the_thresholds_nothing_changes() -> None:
    others = tuple(topic("active", f"topic:t{n}") for n in range(FEWEST))
    busy = [s for other in others for s in seen(other.entity_id, 0, 1, 2, mentions=9)]
    heats = heats_of([*busy, *seen(ANN, 15, 16, 17, mentions=2)], {}, now=NOW)
    assert CREATE_WHILE_FEW < hotness(heats[ANN], NOW) < CREATE_AT
    assert action(heats, others) is None
    assert action(heats, (*others, topic("active"))) == "keep"
    assert action(heats, (*others, topic("archived"))) == "keep"


def test_in_a_quiet_vault_less_is_enough() -> None:
    three = heats_of(seen(ANN, 4, 12, 20), {}, now=NOW)
    assert CREATE_WHILE_FEW < hotness(three[ANN], NOW) < CREATE_AT
    assert action(three, ()) == "create"
    assert action(heats_of(seen(ANN, 4, 12), {}, now=NOW), ()) is None


def test_a_cool_topic_that_was_used_lately_stays() -> None:
    edge = QUIET.days
    assert action(heats_of(seen(ANN, edge - 1), {}, now=NOW), (topic("active"),)) == "keep"
    assert action(heats_of(seen(ANN, edge + 1), {}, now=NOW), (topic("active"),)) == "archive"
    asked = {ANN: {NOW.date() - timedelta(days=edge - 1): 1}}
    assert action(heats_of(seen(ANN, edge + 1), asked, now=NOW), (topic("active"),)) == "keep"


def planned(sightings: list[Sighting], *topics: Topic, chunks: int, own: Collection[str] = ()) -> tuple[Decision, ...]:
    naming = Counter(sighting.entity_id for sighting in sightings)
    return plan_topics(sightings, {}, topics, own=own, naming=naming, chunks=chunks, now=NOW)


def test_the_owner_addresses_and_the_vaults_subject_are_no_topics() -> None:
    busy = [s for name in (ANN, BOB, "email:a@example.com") for s in seen(name, 0, 1, 2, mentions=9)]
    decided = planned(busy, own=[BOB], chunks=20)
    assert [(d.entity_id, d.action) for d in decided] == [(ANN, "create")]
    assert planned(busy, own=[ANN, BOB], chunks=20) == ()
    everywhere = seen(ANN, *range(12), mentions=3)
    assert planned(everywhere, chunks=59) == ()
    assert [d.action for d in planned(everywhere, topic("active"), chunks=59)] == ["archive"]
    assert [d.action for d in planned(everywhere, chunks=60)] == ["create"]
    assert common_entities({ANN: 50}, 50) == frozenset()


def test_there_is_a_cap_and_the_hottest_come_first() -> None:
    many = [s for n in range(99) for s in seen(f"topic:t{n:02d}", 0, 1, 2, mentions=3 + n)]
    made = [d for d in planned(many, chunks=200) if d.action == "create"]
    assert sorted(d.entity_id for d in made) == [f"topic:t{n}" for n in range(99 - most_topics(200), 99)]
    kept = tuple(topic("active", f"topic:t{n:02d}") for n in range(most_topics(200)))
    assert {d.action for d in planned(many, *kept, chunks=200)} == {"keep"}


def test_the_cap_grows_with_the_vault() -> None:
    assert [most_topics(n) for n in (0, 10, 200, 2_000, 1_000_000)] == [FEWEST, FEWEST, 14, 44, MOST_TOPICS]


def test_periods_begin_with_a_week_thirty_days_back_end_with_one_that_is_over_and_never_overlap() -> None:
    today = NOW.date()
    assert today.weekday() == 0
    create, archive, revive = (
        Decision(entity_id=ANN, action=wanted, hotness=4) for wanted in ("create", "archive", "revive")
    )
    for day in range(7):
        made = with_decision(None, create, today=today + timedelta(days=day))
        assert made.periods == (TopicPeriod(first=today - GATHERED),)
        gone = with_decision(made, archive, today=today + timedelta(days=35 + day))
        assert (gone.status, gone.periods[0].last) == ("archived", today + timedelta(days=34))
    assert made.takes(today)
    assert not made.takes(today - GATHERED - timedelta(days=1))
    assert gone.takes(today + timedelta(days=34))
    assert not gone.takes(today + timedelta(days=35))
    soon = with_decision(gone, revive, today=today + timedelta(days=50))
    assert soon.periods == (TopicPeriod(first=today - GATHERED),)
    late = with_decision(gone, revive, today=today + timedelta(days=84))
    assert late.periods == (gone.periods[0], TopicPeriod(first=today + timedelta(days=54)))
    assert with_decision(late, Decision(entity_id=ANN, action="keep", hotness=3), today=today) is late


@given(st.lists(st.sampled_from(["archive", "revive", "keep"]), max_size=9), st.lists(st.integers(0, 50), max_size=9))
def test_whatever_is_decided_periods_stand_apart_and_in_order(actions: list[str], gaps: list[int]) -> None:
    today = NOW.date()
    found = with_decision(None, Decision(entity_id=ANN, action="create", hotness=4), today=today)
    for wanted, gap in zip(actions, gaps, strict=False):
        today += timedelta(days=gap)
        if wanted == ("archive" if found.status == "active" else "revive"):
            found = with_decision(found, Decision(entity_id=ANN, action=wanted, hotness=1), today=today)  # type: ignore[arg-type]
        assert (found.periods[-1].last is None) == (found.status == "active")
        for before, after in zip(found.periods, found.periods[1:], strict=False):
            assert before.last is not None
            assert before.last < after.first


def test_at_least_three_chunks() -> None:
    assert LEAST_CHUNKS == 3
    assert action(heats_of(seen(ANN, 0, 1, mentions=99), {}, now=NOW), ()) is None
