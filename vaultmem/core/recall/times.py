"""The times a question speaks of, as spans: absolute ("5 May 2023", "in May") and relative to now ("last Friday").

time_spans("what did we eat last Friday?", now, zone) -> one span of that day
Anchored patterns alone: a free date parser takes "may", "We" and "on the sun" for dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache

#: A month or day without a year may be of any of these many years; the latest counts most.
_YEARS_BACK = 10
_OLDER_WEIGHT = 0.6
#: Longer text is a pasted page, not a question; its dates are content.
_MAX_CHARS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """[start, end) in epoch milliseconds; `weight` in (0, 1] says how surely it is meant."""

    start_ms: int
    end_ms: int
    weight: float = 1.0


_MONTHS = """january jan januar jänner janvier enero ene|february feb februar février fevrier febrero
march mar märz maerz mars marzo|april apr avril abril abr|may mai mayo|june jun juni juin junio
july jul juli juillet julio|august aug août aout agosto|september sep sept septembre septiembre
october oct oktober okt octobre octubre|november nov novembre noviembre
december dec dezember dez décembre decembre diciembre dic"""
_MONTH_NUMBER = {
    name: number for number, names in enumerate(re.split(r"[|\n]", _MONTHS), start=1) for name in names.split()
}
#: Also a verb, a name or a word of another sense: a month only beside a number or after a word of time.
_DOUBTFUL = frozenset({"may", "mai", "march", "mar", "mars", "april", "june", "august", "jan", "avril", "dec", "ene"})
_DAYS = (
    "monday montag|tuesday dienstag|wednesday mittwoch|thursday donnerstag|friday freitag|saturday samstag"
    "|sunday sonntag"
)
_WEEKDAYS = {name: day for day, names in enumerate(_DAYS.split("|")) for name in names.split()}
_NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: number for number, word in enumerate(_NUMERALS.split())}
_COUNTS |= {"a": 1, "an": 1, "couple": 2, "a couple": 2, "a couple of": 2, "a few": 3, "few": 3, "several": 4}
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}

_MONTH = "(?:" + "|".join(sorted(map(re.escape, _MONTH_NUMBER), key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?:19[7-9]\d|20\d\d)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_BEFORE_MONTH = (
    r"(?:in|of|since|during|by|until|till|before|after|from|early|mid|late|last|this|im|seit|en|de|depuis|desde)"
)

_RECENT = re.compile(
    r"\b(latest|newest|currently|nowadays|right now|as of now|now|most recent(ly)?|recently|last time|these days|lately"
    r"|up to date|aktuell|zuletzt|neueste[nrs]?|derzeit|actuellement|dernièrement|actualmente|últimamente)\b"
)


def recency_asked(text: str) -> bool:
    """True when the question asks for the latest state of something."""
    return _RECENT.search(text[:_MAX_CHARS].casefold()) is not None


def time_spans(text: str, now: datetime, zone: tzinfo) -> tuple[Span, ...]:
    """Every time the question names, in order; empty when it names none. `now` is aware."""
    rest = text[:_MAX_CHARS].casefold()
    if not _may_name_a_time(rest):
        return ()
    today = now.astimezone(zone).date()
    found: list[Span] = []
    for pattern, read in _patterns():
        for match in pattern.finditer(rest):
            found += _spans(match, read, today, zone, now)
        # what one pattern has read is not read again by a looser one ("5 May 2023" holds "May 2023" and "2023")
        rest = pattern.sub(lambda m: "\0" * len(m.group()), rest)
    return tuple(found)


def timeless(text: str) -> str:
    """What the question says beside the times it names."""
    rest = text[:_MAX_CHARS].casefold()
    if _may_name_a_time(rest):
        for pattern, _ in _patterns():
            rest = pattern.sub(" ", rest)
    return rest + text[_MAX_CHARS:]


_Days = tuple[date, date, float]
_Reader = Callable[[re.Match[str], date], Iterator[_Days]]


def _spans(match: re.Match[str], read: _Reader, today: date, zone: tzinfo, now: datetime) -> Iterator[Span]:
    since = match.groupdict().get("since")
    try:
        for first, last, weight in read(match, today):
            start = _ms(first, zone)
            end = _ms(last + timedelta(days=1), zone)
            if since:  # up to now; what begins after now ("since next week") keeps its own end
                end = max(int(now.timestamp() * 1000) + 1, end if start > now.timestamp() * 1000 else start + 1)
            yield Span(start_ms=start, end_ms=end, weight=weight)
    except (ValueError, OverflowError):
        return  # 31 February, or a year before the calendar


def _ms(day: date, zone: tzinfo) -> int:
    return int(datetime.combine(day, time(), zone).astimezone(UTC).timestamp() * 1000)


def _month_of(text: str) -> int:
    return _MONTH_NUMBER[text.strip(".")]


def _whole_day(match: re.Match[str], today: date) -> Iterator[_Days]:
    """A day with its month, with or without its year."""
    part = match.groupdict()
    month = int(part["month"]) if part["month"].isdigit() else _month_of(part["month"])
    for year, weight in _years(part.get("year"), month, int(part["day"]), today):
        day = date(year, month, int(part["day"]))
        yield day, day, weight


def _whole_month(match: re.Match[str], today: date) -> Iterator[_Days]:
    part = match.groupdict()
    month = int(part["month"]) if part["month"].isdigit() else _month_of(part["month"])
    for year, weight in _years(part.get("year"), month, 1, today):
        yield date(year, month, 1), _month_end(year, month), weight
        if part.get("since"):
            return  # an older March is inside "since March" of no reading


def _years(year: str | None, month: int, day: int, today: date) -> Iterator[tuple[int, float]]:
    """The year as written; without one the latest that has begun, then the older ones."""
    if year:
        yield int(year), 1.0
        return
    latest = today.year if (month, day) <= (today.month, today.day) else today.year - 1
    yield latest, 1.0
    for back in range(1, _YEARS_BACK):
        if day <= 28:
            yield latest - back, _OLDER_WEIGHT


def _whole_year(match: re.Match[str], _: date) -> Iterator[_Days]:
    year = int(match["year"])
    yield date(year, 1, 1), date(year, 12, 31), 1.0


def _ago(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "two weeks ago": that day, give or take half the unit."""
    number, unit = _count(match["number"]), _UNIT_DAYS[match["unit"]]
    middle = today - timedelta(days=number * unit)
    yield middle - timedelta(days=unit // 2), middle + timedelta(days=unit // 2), 1.0


def _past(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "in the last three days", "the past week"."""
    number, unit = _count(match["number"]), _UNIT_DAYS[match["unit"]]
    yield today - timedelta(days=number * unit), today, 1.0


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text]


def _period(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "last week", "this month", "next year": the calendar's own."""
    step = {"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"]]
    unit = match["unit"]
    if unit == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        yield first, first + timedelta(days=6), 1.0
    elif unit == "weekend":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=step, days=5)
        yield first, first + timedelta(days=1), 1.0
    elif unit == "month":
        index = today.year * 12 + today.month - 1 + step
        yield date(index // 12, index % 12 + 1, 1), _month_end(index // 12, index % 12 + 1), 1.0
    else:
        yield date(today.year + step, 1, 1), date(today.year + step, 12, 31), 1.0


def _weekday(match: re.Match[str], today: date) -> Iterator[_Days]:
    """The latest such day before today; "next" looks ahead."""
    wanted = _WEEKDAYS[match["weekday"]]
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    back = (today.weekday() - wanted - 1) % 7 + 1
    day = today + timedelta(days=ahead) if match["which"] == "next" else today - timedelta(days=back)
    yield day, day, 1.0


def _named_day(match: re.Match[str], today: date) -> Iterator[_Days]:
    shift = _NAMED_DAYS[match["name"]]
    day = today + timedelta(days=shift)
    yield day, day, 1.0


_NAMED_DAYS = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1,
    "vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "avant-hier": -2, "aujourd'hui": 0, "demain": 1,
    "anteayer": -2, "ayer": -1, "hoy": 0,
}  # fmt: skip


def _month_end(year: int, month: int) -> date:
    after = date(year + month // 12, month % 12 + 1, 1)
    return after - timedelta(days=1)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:/-])(?P<since>(?:since|seit|depuis|desde)\s+(?:the\s+)?)?{text}(?![\w/-]|\.\d)")


_CLEAR_MONTH = "(?:" + "|".join(sorted(set(_MONTH_NUMBER) - _DOUBTFUL, key=len, reverse=True)) + r")\b\.?"
#: One of these, or a digit, stands in whatever a pattern below finds.
_SIGNS = (*_MONTH_NUMBER, *_WEEKDAYS, *_NAMED_DAYS, "ago", "last", "past", "previous", "this", "next")


def _may_name_a_time(text: str) -> bool:
    """False for most questions: these need not wait until the patterns are made."""
    return any(map(str.isdigit, text)) or any(sign in text for sign in _SIGNS)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    """What a time looks like and how it is read, the tightest first."""
    return (
        (_pattern(rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])-(?P<day>{_DAY})"), _whole_day),
        (_pattern(rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])"), _whole_month),
        (_pattern(rf"(?P<day>{_DAY})\.\s?(?P<month>0?[1-9]|1[0-2])\.\s?(?P<year>{_YEAR})?"), _whole_day),
        (_pattern(rf"(?P<year>{_YEAR})年(?P<month>0?[1-9]|1[0-2])月(?P<day>{_DAY})日"), _whole_day),
        (
            _pattern(
                rf"(?P<day>{_DAY})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH})(?:,?\s+(?:de\s+|del\s+)?(?P<year>{_YEAR}))?"
            ),
            _whole_day,
        ),
        (_pattern(rf"(?P<month>{_MONTH})\s+(?P<day>{_DAY})(?:st|nd|rd|th)?(?:,?\s+(?P<year>{_YEAR}))?"), _whole_day),
        (_pattern(rf"(?P<month>{_MONTH}),?\s+(?:of\s+|de\s+)?(?P<year>{_YEAR})"), _whole_month),
        (_pattern(rf"(?P<month>{_CLEAR_MONTH})"), _whole_month),
        (
            re.compile(rf"(?<!\w)(?:(?P<since>since|seit|depuis|desde)|{_BEFORE_MONTH})\s+(?P<month>{_MONTH})(?!\w)"),
            _whole_month,
        ),
        (_pattern(rf"(?P<number>{_NUMBER})\s+(?P<unit>day|week|fortnight|month|year)s?\s+ago"), _ago),
        (_pattern(rf"(?:last|past)\s+(?P<number>{_NUMBER})\s+(?P<unit>day|week|month|year)s?"), _past),
        (_pattern(r"(?P<which>last|previous|this|next)\s+(?P<unit>weekend|week|month|year)"), _period),
        (_pattern(rf"(?:(?P<which>last|next|this|on|letzten|am)\s+)?(?P<weekday>{'|'.join(_WEEKDAYS)})"), _weekday),
        (_pattern(rf"(?P<name>{'|'.join(map(re.escape, _NAMED_DAYS))})"), _named_day),
        (_pattern(rf"(?P<year>{_YEAR})"), _whole_year),
    )
