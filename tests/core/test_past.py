"""The past decided after the fact: as it would have been had vaultmem run then, whatever the order things came in."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.hotness import Sighting
from vaultmem.core.grow.past import Past, last_over, live_through, spans, united
from vaultmem.core.notes.topicpage import Topic, TopicPeriod

ZONE = ZoneInfo("Europe/Berlin")
MONDAY = date(2024, 1, 1)
TODAY = date(2026, 6, 3)
OVER = last_over(TODAY)
ANN = "person:ann"


def said(day: int, entity: str = ANN, mentions: int = 2) -> Sighting:
    """A chunk of so many days after the first Monday."""
    at = datetime(2024, 1, 1, 11, tzinfo=UTC) + timedelta(days=day)
    return Sighting(entity_id=entity, chunk_id=f"{entity} {day}", source="chat", at=at, mentions=mentions)


def past(seen: list[Sighting], **more: object) -> Past:
    return Past(sightings=seen, chunks=Counter(sighting.at.date() for sighting in seen), **more)  # type: ignore[arg-type]


def lived(seen: list[Sighting], until: date = OVER, **more: object) -> dict[str, Topic]:
    return live_through({}, past(seen, **more), after=None, until=until, zone=ZONE)


def test_a_topic_of_two_years_ago_was_made_archived_and_revived() -> None:
    topic = lived([said(day) for day in (7, 8, 9, 10, 200, 201, 202, 203)])[ANN]
    assert topic.status == "archived"
    first, second = topic.periods
    assert first.first == MONDAY + timedelta(days=7 - 30)
    assert first.last is not None
    assert MONDAY + timedelta(days=10) < first.last <= MONDAY + timedelta(days=10 + 30)
    assert second.first == MONDAY + timedelta(days=196 - 30)
    assert not topic.takes(MONDAY + timedelta(days=100))


def test_one_mention_long_after_revives_nothing() -> None:
    busy = [said(day) for day in (7, 8, 9, 10)]
    assert lived([*busy, said(200)]) == lived(busy)


def test_what_is_not_over_is_not_decided() -> None:
    recent = [said((TODAY - MONDAY).days - ago) for ago in (0, 1, 2)]
    assert lived(recent) == {}
    assert lived(recent, until=last_over(TODAY + timedelta(days=7)))[ANN].status == "active"


def test_whoever_is_excluded_has_no_topic() -> None:
    assert lived([said(day) for day in (7, 8, 9, 10)], excluded={ANN}) == {}


def test_questions_count_from_the_day_they_were_asked() -> None:
    cool = [said(day, mentions=1) for day in (1, 12, 24)]
    others = [said(day, f"topic:t{n}", 9) for n in range(5) for day in range(30)]
    assert ANN not in lived([*cool, *others])
    for day, found in ((25, True), (60, False)):
        assert (ANN in lived([*cool, *others], hits={ANN: {MONDAY + timedelta(days=day): 2}})) == found


def test_the_ends_of_the_calendar() -> None:
    for year in (1, 9999):
        seen = [
            Sighting(entity_id=ANN, chunk_id=str(n), source="chat", at=datetime(year, 1, 1, n, tzinfo=UTC))
            for n in range(9)
        ]
        assert set(lived(seen)) <= {ANN}
    assert lived([]) == {}


_SEEN = st.lists(
    st.builds(said, st.integers(0, 300), st.sampled_from([ANN, "topic:oak", "topic:elm"]), st.integers(1, 4)),
    max_size=40,
    unique_by=lambda sighting: sighting.chunk_id,
)


@given(_SEEN, st.randoms(use_true_random=False), st.integers(0, 400))
def test_the_order_does_not_matter_nor_on_which_day_somebody_looked(
    seen: list[Sighting], chance: Random, look: int
) -> None:
    whole = lived(seen)
    shuffled = list(seen)
    chance.shuffle(shuffled)
    assert lived(shuffled) == whole
    middle = last_over(MONDAY + timedelta(days=look))
    halfway = live_through({}, past(seen), after=None, until=middle, zone=ZONE)
    assert live_through(halfway, past(seen), after=middle, until=OVER, zone=ZONE) == whole


@given(_SEEN, st.integers(1, 12))
def test_span_by_span_is_all_at_once_though_each_sees_its_own_time_alone(seen: list[Sighting], at_once: int) -> None:
    whole = past(seen)
    found: dict[str, Topic] = {}
    after: date | None = None
    for end in spans(whole.chunks, None, OVER, at_once):
        since = datetime.min if after is None else datetime(after.year, after.month, after.day) - timedelta(days=32)
        until = end + timedelta(days=1)
        near = [s for s in seen if since <= s.at.replace(tzinfo=None) and s.at.date() <= until]
        found = live_through(found, Past(sightings=near, chunks=whole.chunks), after=after, until=end, zone=ZONE)
        after = end
    assert after == OVER
    assert found == lived(seen)


@given(_SEEN)
def test_what_was_decided_stands_when_it_is_decided_again(seen: list[Sighting]) -> None:
    whole = lived(seen)
    assert {entity: united(topic, lived(seen)[entity]) for entity, topic in whole.items()} == whole


_PERIODS = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 20)), min_size=1, max_size=4)


@given(_PERIODS, _PERIODS, st.booleans(), st.booleans())
def test_united_topics_take_the_days_of_both(
    one: list[tuple[int, int]], two: list[tuple[int, int]], a: bool, b: bool
) -> None:
    first, second = made(one, is_open=a), made(two, is_open=b)
    both = united(first, second)
    for day in range(130):
        at = MONDAY + timedelta(days=day)
        assert both.takes(at) == (first.takes(at) or second.takes(at))
    assert united(both, second) == both == united(second, first)
    assert (both.status == "active") == (both.periods[-1].last is None)
    assert all(p.last and p.last < q.first for p, q in zip(both.periods, both.periods[1:], strict=False))


def made(spans: list[tuple[int, int]], *, is_open: bool) -> Topic:
    topic = Topic(entity_id=ANN, status="archived", periods=())
    for start, length in spans:
        first = MONDAY + timedelta(days=start)
        period = TopicPeriod(first=first, last=first + timedelta(days=length))
        topic = united(topic, Topic(entity_id=ANN, status="archived", periods=(period,)))
    if is_open:
        period = TopicPeriod(first=MONDAY + timedelta(days=max(start for start, _ in spans)))
        topic = united(topic, Topic(entity_id=ANN, status="active", periods=(period,)))
    return topic
