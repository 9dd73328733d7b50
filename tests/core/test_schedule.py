"""The heartbeat's decision: each local night once, whatever the clock, the zone or the absence did."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.schedule import TODAY_EVERY_MS, Night, night, resting_until_ms

BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def subjects(found: Night | None) -> list[str]:
    return [f"{job.kind} {job.subject}" for job in found.jobs] if found else []


def test_five_past_midnight() -> None:
    assert night(at("2026-06-02T00:04:59"), BERLIN, "2026-06-01") is None
    found = night(at("2026-06-02T00:05:00"), BERLIN, "2026-06-01")
    assert subjects(found) == ["digest_daily 2026-06-01", "flush_stale 2026-06-02"]
    assert found is not None
    assert found.marks == "2026-06-01 2026-06-02"
    assert night(at("2026-06-02T23:59:00"), BERLIN, found.marks) is None


def test_the_first_time_and_just_after_midnight() -> None:
    assert subjects(night(at("2026-06-02T12:00:00"), BERLIN, "")) == [
        "digest_daily 2026-06-01",
        "flush_stale 2026-06-02",
    ]
    assert subjects(night(at("2026-06-02T00:01:00"), BERLIN, "")) == [
        "digest_daily 2026-05-31",
        "flush_stale 2026-06-01",
    ]


def test_a_late_start_catches_up_newest_first_and_within_reason() -> None:
    found = night(at("2026-06-05T09:00:00"), BERLIN, "2026-06-01")
    assert subjects(found) == [
        "digest_daily 2026-06-04", "digest_daily 2026-06-03", "digest_daily 2026-06-02", "digest_daily 2026-06-01",
        "flush_stale 2026-06-05",
    ]  # fmt: skip
    assert len(subjects(night(at("2030-01-01T09:00:00"), BERLIN, "2026-06-01"))) == 93


def test_a_clock_that_jumps_makes_no_night_twice() -> None:
    marks, made = "", []
    for text in ("2026-06-02T12:00", "2026-06-01T12:00", "2026-06-02T13:00", "2026-06-01T23:00", "2036-01-01T12:00",
                 "2026-06-02T14:00", "2026-06-03T00:05", "2036-01-01T13:00", "2026-06-03T12:00"):  # fmt: skip
        found = night(at(text), BERLIN, marks)
        if found is not None:
            made += [s for s in subjects(found) if s.startswith("flush")]
            marks = found.marks
    assert made == [f"flush_stale {day}" for day in ("2026-06-02", "2026-06-01", "2036-01-01", "2026-06-03")]


@pytest.mark.parametrize(
    ("zone", "first", "days"),
    [
        ("Europe/Berlin", "2026-03-27", 5),  # 02:00 -> 03:00
        ("Europe/Berlin", "2026-10-23", 5),  # 03:00 -> 02:00
        ("America/Havana", "2026-03-06", 5),  # 00:00 -> 01:00: no 00:05 that day
        ("America/Havana", "2026-10-30", 5),  # 01:00 -> 00:00: 00:05 twice
        ("America/Sao_Paulo", "2018-11-02", 5),  # 00:00 -> 01:00
        ("America/Sao_Paulo", "2018-02-15", 5),  # 00:00 -> 23:00 of the day before
        ("Pacific/Apia", "2011-12-28", 5),  # 30 December was left out
        ("Australia/Lord_Howe", "2026-04-03", 5),  # half an hour
    ],
)
def test_a_beat_a_minute_over_a_change_of_the_clocks(zone: str, first: str, days: int) -> None:
    place = ZoneInfo(zone)
    start = at(f"{first}T00:30", place)
    marks, flushed, digests = "", [], []
    for minute in range(days * 24 * 60):
        found = night(start + timedelta(minutes=minute), place, marks)
        if found is not None:
            marks = found.marks
            flushed += [job.subject for job in found.jobs if job.kind == "flush_stale"]
            digests += [job.subject for job in found.jobs if job.kind == "digest_daily"]
    assert len(set(flushed)) == len(flushed)
    assert len(set(digests)) == len(digests)
    assert days <= len(flushed) <= days + 1
    assert flushed == sorted(flushed)
    assert set(flushed[:-1]) <= set(digests), "every day that is over has its digest"


@given(st.lists(st.integers(-60, 60), min_size=1, max_size=60), st.sampled_from(("UTC", "America/Havana")))
def test_any_walk_of_the_clock(steps: list[int], zone: str) -> None:
    """In hours: every night once, and never the digest of a day that is not over by this clock."""
    place, now, marks = ZoneInfo(zone), at("2026-03-01T12:00", ZoneInfo(zone)), ""
    flushed: list[str] = []
    for hours in steps:
        now += timedelta(hours=hours)
        found = night(now, place, marks)
        assert found is None or found.marks != marks
        for job in found.jobs if found else ():
            assert date.fromisoformat(job.subject) <= now.astimezone(place).date()
            flushed += [job.subject] if job.kind == "flush_stale" else []
        marks = found.marks if found else marks
    assert len(set(flushed)) == len(flushed)


def test_a_year_of_nights_leaves_no_gap() -> None:
    marks, digests, now = "", [], at("2026-01-01T12:00")
    while now < at("2027-01-02T12:00"):
        found = night(now, BERLIN, marks)
        if found:
            marks = found.marks
            digests += [job.subject for job in reversed(found.jobs) if job.kind == "digest_daily"]
        now += timedelta(hours=37)
    days = [date.fromisoformat(day) for day in digests]
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(days))
    assert len(marks.split()) <= 64


def test_todays_digest_rests_and_a_clock_put_back_does_not_hold_it_up() -> None:
    assert resting_until_ms(1_000, 1_000) == 1_000 + TODAY_EVERY_MS
    assert resting_until_ms(TODAY_EVERY_MS + 999, 1_000) == 1_000 + TODAY_EVERY_MS
    assert resting_until_ms(TODAY_EVERY_MS + 1_000, 1_000) is None
    assert resting_until_ms(999, 1_000) is None
