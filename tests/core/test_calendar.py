"""The owner's calendar: midnight, changes of the clock, ISO weeks; each period has one parent, no gap to the next."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.calendar import (
    DAY,
    MONTH,
    WEEK,
    YEAR,
    Period,
    chain_of,
    day_of,
    days_of,
    first_and_last,
    global_node_id,
    global_path,
    parent_of,
    parse_period,
    period_of,
    range_of,
    readable,
    start_of,
)
from vaultmem.errors import BadQuery

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Africa/Casablanca",
    "America/Havana",
    "Asia/Beirut",
)
DAYS = st.dates(date(1970, 1, 2), date(2100, 1, 1))
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1), timezones=st.just(UTC))
ANY_ZONE = st.sampled_from(ZONES).map(ZoneInfo)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "zone", "day"),
    [
        ("2026-04-21T21:59:59", "Europe/Berlin", "2026-04-21"),
        ("2026-04-21T22:00:00", "Europe/Berlin", "2026-04-22"),
        # 29 March 2026 has 23 hours in Berlin, 25 October 25.
        ("2026-03-28T23:00:00", "Europe/Berlin", "2026-03-29"),
        ("2026-03-29T21:59:59", "Europe/Berlin", "2026-03-29"),
        ("2026-03-29T22:00:00", "Europe/Berlin", "2026-03-30"),
        ("2026-10-24T22:00:00", "Europe/Berlin", "2026-10-25"),
        ("2026-10-25T22:59:59", "Europe/Berlin", "2026-10-25"),
        ("2026-10-25T23:00:00", "Europe/Berlin", "2026-10-26"),
        # There the clock jumped from midnight to one.
        ("2018-11-04T02:59:59", "America/Sao_Paulo", "2018-11-03"),
        ("2018-11-04T03:00:00", "America/Sao_Paulo", "2018-11-04"),
        # There 00:01 became 23:01: the first minute of the day came twice, and counts the second time.
        ("2010-11-07T02:30:30", "America/St_Johns", "2010-11-06"),
        ("2010-11-07T03:30:00", "America/St_Johns", "2010-11-07"),
        # Samoa had no 30 December 2011.
        ("2011-12-30T09:59:59", "Pacific/Apia", "2011-12-29"),
        ("2011-12-30T10:00:00", "Pacific/Apia", "2011-12-31"),
    ],
)
def test_a_moment_belongs_to_its_local_day(moment: str, zone: str, day: str) -> None:
    assert day_of(at(moment), ZoneInfo(zone)).isoformat() == day


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-04-21", 24)])
def test_days_are_as_long_as_they_were(day: str, hours: int) -> None:
    start, end = range_of(parse_period(day), BERLIN)
    assert end - start == timedelta(hours=hours)


def test_a_day_that_was_left_out_is_empty() -> None:
    start, end = range_of(parse_period("2011-12-30"), ZoneInfo("Pacific/Apia"))
    assert start == end


@given(MOMENTS, ANY_ZONE)
def test_a_moment_lies_in_the_range_of_its_day_and_of_all_above(moment: datetime, zone: ZoneInfo) -> None:
    for period in chain_of(day_of(moment, zone)):
        start, end = range_of(period, zone)
        assert start <= moment < end


@given(MOMENTS, st.integers(0, 90_000), ANY_ZONE)
def test_days_never_go_back(moment: datetime, seconds: int, zone: ZoneInfo) -> None:
    assert day_of(moment, zone) <= day_of(moment + timedelta(seconds=seconds), zone)


@given(DAYS, st.sampled_from((DAY, WEEK, MONTH, YEAR)), ANY_ZONE)
def test_periods_of_a_level_leave_no_gap(day: date, level: int, zone: ZoneInfo) -> None:
    period = period_of(level, day)
    first, last = first_and_last(period)
    assert first <= day <= last
    assert period_of(level, first) == period_of(level, last) == period
    following = period_of(level, last + timedelta(days=1))
    assert following > period
    assert range_of(following, zone)[0] == range_of(period, zone)[1]


@given(DAYS)
def test_every_day_of_a_period_has_the_same_chain_above(day: date) -> None:
    chain = chain_of(day)
    assert [period.level for period in chain] == [DAY, WEEK, MONTH, YEAR]
    assert [parent_of(period) for period in chain] == [*chain[1:], None]
    for below, above in pairwise(chain):
        first, last = first_and_last(below)
        assert first_and_last(above)[0] <= first <= last <= first_and_last(above)[1]


@given(DAYS)
def test_names_read_back(day: date) -> None:
    for period in chain_of(day):
        assert parse_period(period.name) == period
    assert chain_of(day)[1].name == day.strftime("%G-W%V")


@pytest.mark.parametrize(
    "name", ["", "2026-13", "2026-00", "2026-02-30", "2026-W54", "2025-W53", "0000", "today", "26-1-1"]
)
def test_what_names_no_period_is_refused(name: str) -> None:
    with pytest.raises(BadQuery):
        parse_period(name)


@pytest.mark.parametrize(
    ("day", "week", "month", "year"),
    [
        ("2026-04-21", "2026-W17", "2026-04", "2026"),
        # Wednesday; the Thursday of its week is 1 January 2026.
        ("2025-12-31", "2026-W01", "2026-01", "2026"),
        ("2027-01-03", "2026-W53", "2026-12", "2026"),
        ("2026-05-01", "2026-W18", "2026-04", "2026"),
    ],
)
def test_a_week_belongs_to_the_month_and_year_of_its_thursday(day: str, week: str, month: str, year: str) -> None:
    assert [period.name for period in chain_of(date.fromisoformat(day))] == [day, week, month, year]


def test_names_paths_and_ids() -> None:
    chain = chain_of(date(2026, 4, 21))
    assert [global_path(period) for period in chain] == [
        "wiki/summaries/global/daily/2026-04-21.md",
        "wiki/summaries/global/weekly/2026-W17.md",
        "wiki/summaries/global/monthly/2026-04.md",
        "wiki/summaries/global/yearly/2026.md",
    ]
    assert [readable(period) for period in chain] == ["Tuesday, 21 April 2026", "Week 17 of 2026", "April 2026", "2026"]
    assert len({global_node_id(period) for period in chain}) == len(chain)


def test_days_of_messages_stand_in_order_and_once() -> None:
    moments = [at("2026-04-21T22:30:00"), None, at("2026-04-20T08:00:00"), at("2026-04-21T21:30:00")]
    assert days_of(moments, BERLIN) == (date(2026, 4, 20), date(2026, 4, 21), date(2026, 4, 22))


@pytest.mark.parametrize("zone", ZONES)
def test_the_ends_of_the_calendar_are_no_trap(zone: str) -> None:
    for moment in (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)):
        day = day_of(moment, ZoneInfo(zone))
        for period in chain_of(day):
            assert readable(period)
            start, end = range_of(period, ZoneInfo(zone))
            assert start <= end
    assert start_of(date.max, ZoneInfo(zone)) <= datetime.max.replace(tzinfo=UTC)
    assert Period(level=DAY, name="9999-12-31") == period_of(DAY, date.max)
