"""The window of a question: what was typed is what is said of it, and the calendar's ends are days like others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest

from vaultmem.core.recall.window import read_ends, read_window
from vaultmem.errors import BadQuery
from vaultmem.queries import NO_TIME

BERLIN = ZoneInfo("Europe/Berlin")
WEST, EAST = timezone(timedelta(hours=-11)), timezone(timedelta(hours=14))


@pytest.mark.parametrize("zone", [UTC, BERLIN, WEST, EAST])
def test_the_first_and_the_last_day_of_the_calendar(zone: tzinfo) -> None:
    everything = read_ends("0001-01-01", "9999-12-31", zone)
    assert everything.holds(datetime(1, 1, 2, tzinfo=UTC))
    assert everything.holds(datetime(9999, 12, 30, tzinfo=UTC))
    assert read_ends("9999-12-31", "9999-12-31", zone).since is not None
    assert read_ends("", "9999-12-31T23:59:59-05:00", zone).until == datetime.max.replace(tzinfo=UTC)


def test_a_day_counts_whole_though_the_clock_is_put_back_on_it() -> None:
    day = read_ends("2026-10-25", "2026-10-25", BERLIN)
    assert day.since
    assert day.until
    assert day.until - day.since == timedelta(hours=25) - timedelta(microseconds=1)


def test_what_was_typed_is_repeated() -> None:
    with pytest.raises(BadQuery, match=r"^until = '2026-04-01': expected a time after 'since' \(2026-05-01\)$"):
        read_ends("2026-05-01", "2026-04-01", BERLIN)
    values = {"since": "2026-05-01", "until": "", "since_ms": NO_TIME, "until_ms": 1_000, "window": ""}
    with pytest.raises(BadQuery, match=r"^until = '1000': expected a time after 'since' \(2026-05-01\)$"):
        read_window(values, datetime(2026, 6, 1, tzinfo=UTC), BERLIN)
