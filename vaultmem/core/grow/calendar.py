"""The owner's calendar: which local day a moment belongs to, and the weeks, months and years that days stand in. Pure.

day_of(at, zone)               -> date(2026, 4, 21)
period_of(WEEK, day)           -> Period(level=1, name="2026-W17")
parent_of(period)              -> the month of its Thursday: every period has one parent
range_of(period, zone)         -> [start, end) in UTC

A month here is the ISO weeks whose Thursday lies in it, a year the months of its name: so a week is never cut in two.
Days have 23 or 25 hours where the clocks change, and one that a zone left out (Samoa, 30 December 2011) has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from vaultmem.core.grow.tree import node_id
from vaultmem.core.notes.summarynote import SUMMARIES
from vaultmem.errors import BadQuery
from vaultmem.grown import DigestRow

#: Levels of the global tree.
DAY, WEEK, MONTH, YEAR = 0, 1, 2, 3
#: The one tree of this kind.
GLOBAL_SCOPE = "global"
_FOLDERS = ("daily", "weekly", "monthly", "yearly")
_NAMES = tuple(
    re.compile(pattern) for pattern in (r"(\d{4})-(\d\d)-(\d\d)", r"(\d{4})-W(\d\d)", r"(\d{4})-(\d\d)", r"(\d{4})")
)
_ONE_DAY = timedelta(days=1)
#: Periods whose place in the calendar is remembered: those of twenty years.
_KEPT = 8192
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Period:
    """A day, week, month or year of the global tree."""

    #: DAY, WEEK, MONTH or YEAR
    level: int
    #: `2026-04-21`, `2026-W17`, `2026-04`, `2026`: sorted by name, periods of one level stand in time order
    name: str


def day_of(at: datetime, zone: tzinfo) -> date:
    """The local day of an aware moment: the one whose range it lies in."""
    local = _local_date(at, zone)
    # Where the clock is put back over midnight, the first minutes of a day come twice: it begins the second time.
    return local - _ONE_DAY if local > date.min and at < start_of(local, zone) else local


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment, in UTC, when the day begins; the day before ends there."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return max(_utc(midnight), _utc(midnight.replace(fold=1)))


@lru_cache(maxsize=_KEPT)
def period_of(level: int, day: date) -> Period:
    """The period of this level that holds the day."""
    if level == DAY:
        return Period(level=DAY, name=day.isoformat())
    year, week, _ = day.isocalendar()
    if level == WEEK:
        return Period(level=WEEK, name=f"{year:04d}-W{week:02d}")
    thursday = day.fromordinal(min(day.toordinal() - day.weekday() + 3, date.max.toordinal()))
    return Period(level=level, name=thursday.isoformat()[: 7 if level == MONTH else 4])


@lru_cache(maxsize=_KEPT)
def parent_of(period: Period) -> Period | None:
    """The period above; None for a year."""
    return None if period.level == YEAR else period_of(period.level + 1, _first_day(period))


def chain_of(day: date) -> tuple[Period, ...]:
    """The day, its week, its month and its year."""
    return tuple(period_of(level, day) for level in (DAY, WEEK, MONTH, YEAR))


def first_and_last(period: Period) -> tuple[date, date]:
    """The days of the period, both inclusive."""
    first = _first_day(period)
    if period.level == DAY:
        return first, first
    days = {WEEK: 7, MONTH: 7 * 4, YEAR: 7 * 52}[period.level]
    after = _shifted(first, days)
    if period.level != WEEK and period_of(period.level, after) == period:
        after = _shifted(after, 7)
    return first, _shifted(after, -1) if after < date.max else after


@lru_cache(maxsize=_KEPT)
def range_of(period: Period, zone: tzinfo) -> tuple[datetime, datetime]:
    """[start, end) of the period's days in UTC."""
    first, last = first_and_last(period)
    end = start_of(last + _ONE_DAY, zone) if last < date.max else datetime.max.replace(tzinfo=UTC)
    return start_of(first, zone), end


def days_of(moments: Iterable[datetime | None], zone: tzinfo) -> tuple[date, ...]:
    """The local days on which any of these moments lies, in order; None is a message without a time, and no day."""
    return tuple(sorted({day_of(at, zone) for at in moments if at is not None}))


@lru_cache(maxsize=_KEPT)
def global_node_id(period: Period) -> str:
    """The id of the period's node: the same whenever and wherever it is made."""
    return node_id("global", GLOBAL_SCOPE, period.level, period.name)


def global_path(period: Period) -> str:
    """`wiki/summaries/global/weekly/2026-W17.md`."""
    return f"{SUMMARIES}/global/{_FOLDERS[period.level]}/{period.name}.md"


def readable(period: Period) -> str:
    """`Tuesday, 21 April 2026`, `Week 17 of 2026`, `April 2026`, `2026`."""
    numbers = [int(part) for part in re.findall(r"\d+", period.name)]
    if period.level == DAY:
        day = _first_day(period)
        return f"{_DAYS[day.weekday()]}, {day.day} {_MONTHS[day.month - 1]} {day.year}"
    if period.level == WEEK:
        return f"Week {numbers[1]} of {numbers[0]}"
    return f"{_MONTHS[numbers[1] - 1]} {numbers[0]}" if period.level == MONTH else period.name


@lru_cache(maxsize=_KEPT)
def parse_period(name: str) -> Period:
    """The period of this name. Raises BadQuery."""
    for level, pattern in enumerate(_NAMES):
        if pattern.fullmatch(name):
            period = Period(level=level, name=name)
            try:
                _first_day(period)
            except ValueError:
                break
            return period
    raise BadQuery("date", name, "a day, week, month or year: 2026-04-21, 2026-W17, 2026-04 or 2026")


def period_at(row: DigestRow) -> Period | None:
    """The period of a digest: its file's name; None for one that a person renamed."""
    try:
        period = parse_period(row.path.rpartition("/")[2].removesuffix(".md"))
    except BadQuery:
        return None
    return period if (period.level, global_node_id(period)) == (row.level, row.node_id) else None


def _first_day(period: Period) -> date:
    """The period's first day. Raises ValueError for a name that names none."""
    if period.level == DAY:
        return date.fromisoformat(period.name)
    if period.level == WEEK:
        return date.fromisocalendar(int(period.name[:4]), int(period.name[6:]), 1)
    month = int(period.name[5:]) if period.level == MONTH else 1
    first = date(int(period.name[:4]), month, 1)
    # The first Thursday of the month, and the Monday in front of it.
    return _shifted(first, (3 - first.weekday()) % 7 - 3)


def _shifted(day: date, days: int) -> date:
    """So many days later, within the calendar."""
    return date.fromordinal(max(date.min.toordinal(), min(day.toordinal() + days, date.max.toordinal())))


def _local_date(at: datetime, zone: tzinfo) -> date:
    try:
        return at.astimezone(zone).date()
    except OverflowError:  # the first and last hours of the calendar
        return at.date()


def _utc(local: datetime) -> datetime:
    try:
        return local.astimezone(UTC)
    except OverflowError:
        return local.replace(tzinfo=UTC, fold=0)
