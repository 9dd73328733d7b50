"""The times a question speaks of, as spans: absolute ("5 May 2023", "in May") and relative to now ("last Friday").

time_spans("what did we eat last Friday?", now, zone) -> one span of that day
Anchored patterns alone: a free date parser takes "may", "We" and "on the sun" for dates.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache, partial

from vaultmem.core.recall import time_words as tw
from vaultmem.core.recall.time_words import BEFORE_MONTH, DOUBTFUL_MONTHS, MONTHS, NAMED_DAYS, RECENT, SINCE, WEEKDAYS

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


_NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: number for number, word in enumerate(_NUMERALS.split())}
_COUNTS |= {"a": 1, "an": 1, "couple": 2, "a couple": 2, "a couple of": 2, "a few": 3, "few": 3, "several": 4}
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}

_MONTH = "(?:" + "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?:19[7-9]\d|20\d\d)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_RECENT = re.compile(RECENT)


def recency_asked(text: str) -> bool:
    """True when the question asks for the latest state of something."""
    return _RECENT.search(_plain(text)) is not None


def time_spans(text: str, now: datetime, zone: tzinfo) -> tuple[Span, ...]:
    """Every time the question names, in order; empty when it names none. `now` is aware."""
    rest = _plain(text)
    if not _may_name_a_time(rest):
        return ()
    today = now.astimezone(zone).date()
    found: list[Span] = []
    for pattern, read in _patterns_for(rest):
        matches = list(pattern.finditer(rest))
        if not matches:
            continue
        for match in matches:
            found += _spans(match, read, today, zone, now)
        # what one pattern has read is not read again by a looser one ("5 May 2023" holds "May 2023" and "2023")
        rest = pattern.sub(lambda m: "\0" * len(m.group()), rest)
    return tuple(found)


def timeless(text: str) -> str:
    """What the question says beside the times it names."""
    rest = _plain(text)
    if _may_name_a_time(rest):
        for pattern, read in _patterns_for(rest):
            if read is not _quarter:  # texts say "Q2" themselves
                rest = pattern.sub(" ", rest)
    return rest + text[_MAX_CHARS:]


def _plain(text: str) -> str:
    """As the tables have it: digits of any width are digits, an umlaut is one letter."""
    return unicodedata.normalize("NFKC", text[:_MAX_CHARS]).casefold()


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
    return MONTHS[text.strip(".")]


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
    yield _days_ago(_count(match["number"]), match["unit"], today)


def _days_ago(number: int, unit: str, today: date) -> _Days:
    middle, half = today - timedelta(days=number * _UNIT_DAYS[unit]), timedelta(days=_UNIT_DAYS[unit] // 2)
    return middle - half, middle + half, 1.0


def _past(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "in the last three days", "the past week"."""
    number, unit = _count(match["number"]), _UNIT_DAYS[match["unit"]]
    yield today - timedelta(days=number * unit), today, 1.0


def _count(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return next(table[text] for table in (_COUNTS, tw.NUMBERS, tw.DENSE_NUMBERS) if text in table)


def _period(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "last week", "this month", "next year": the calendar's own."""
    yield _calendar({"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"]], match["unit"], today)


def _calendar(step: int, unit: str, today: date) -> _Days:
    if unit == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return first, first + timedelta(days=6), 1.0
    if unit == "weekend":
        first = today - timedelta(days=today.weekday()) + timedelta(weeks=step, days=5)
        return first, first + timedelta(days=1), 1.0
    if unit == "month":
        index = today.year * 12 + today.month - 1 + step
        return date(index // 12, index % 12 + 1, 1), _month_end(index // 12, index % 12 + 1), 1.0
    if unit == "quarter":
        index = today.year * 4 + (today.month - 1) // 3 + step
        return *_quarter_days(index // 4, index % 4 + 1), 1.0
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31), 1.0


def _quarter(match: re.Match[str], today: date) -> Iterator[_Days]:
    """ "Q2", "the second quarter of 2025"; without a year the latest that has begun."""
    number = _numeral(match["quarter"], tw.ORDINALS)
    for year, weight in _years(match.groupdict().get("year"), 3 * number - 2, 1, today):
        yield *_quarter_days(year, number), weight


def _quarter_days(year: int, number: int) -> tuple[date, date]:
    return date(year, 3 * number - 2, 1), _month_end(year, 3 * number)


def _numeral(text: str, names: Mapping[str, int]) -> int:
    return int(text.strip(".")) if text[0].isdecimal() and text not in names else names[text]


def _either_way(match: re.Match[str], _: date) -> Iterator[_Days]:
    """ "5/3/2026": of the third month or of the fifth, as far as there is such a day."""
    first, second, year = int(match["one"]), int(match["other"]), int(match["year"])
    for day, month in dict.fromkeys(((first, second), (second, first))):
        if month <= 12 and day <= _month_end(year, month).day:
            yield date(year, month, day), date(year, month, day), 1.0


def _dense_day(match: re.Match[str], today: date) -> Iterator[_Days]:
    month, day = _dense_number(match["month"]), _dense_number(match["day"])
    for year, weight in _years(match["year"], month, day, today):
        found = date(year, month, day)
        yield found, found, weight


def _dense_month(match: re.Match[str], today: date) -> Iterator[_Days]:
    month = _dense_number(match["month"])
    for year, weight in _years(match["year"], month, 1, today):
        yield date(year, month, 1), _month_end(year, month), weight
        if match["since"]:
            return


def _dense_number(text: str) -> int:
    """Up to 39, as dates have it: 7, 七, 二十三. Raises ValueError for what is none."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    found = [tw.DENSE_NUMBERS.get(sign, 0) for sign in (tens or "一" if ten else "", ones) if sign]
    return found[0] * 10 + (found[1] if len(found) > 1 else 0) if ten else found[0]


def _weekday(match: re.Match[str], today: date) -> Iterator[_Days]:
    """The latest such day before today; "next" looks ahead."""
    wanted = WEEKDAYS[match["weekday"]]
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    back = (today.weekday() - wanted - 1) % 7 + 1
    day = today + timedelta(days=ahead) if match["which"] == "next" else today - timedelta(days=back)
    yield day, day, 1.0


def _named_day(match: re.Match[str], today: date) -> Iterator[_Days]:
    name = match["name"]
    day = today + timedelta(days=NAMED_DAYS.get(name, tw.DENSE_NAMED_DAYS.get(name, 0)))
    yield day, day, 1.0


def _dense_weekday(match: re.Match[str], today: date) -> Iterator[_Days]:
    """The latest such day before today."""
    wanted = tw.DENSE_DAYS[re.sub("曜日?|요일|星期|周|週", "", match["weekday"])]
    day = today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    yield day, day, 1.0


def _dense_period(match: re.Match[str], today: date) -> Iterator[_Days]:
    yield _calendar(*tw.DENSE_PERIODS[match["period"]], today)


def _dense_ago(match: re.Match[str], today: date) -> Iterator[_Days]:
    yield _days_ago(_count(match["number"]), tw.DENSE_UNITS[match["unit"]], today)


def _month_end(year: int, month: int) -> date:
    after = date(year + month // 12, month % 12 + 1, 1)
    return after - timedelta(days=1)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:/-])(?P<since>{SINCE}\s+(?:the\s+)?)?{text}(?![\w/-]|\.\d)")


def _phrased(step: int, unit: str, _: re.Match[str], today: date) -> Iterator[_Days]:
    yield _calendar(step, unit, today)


def _ago_in(unit: str, match: re.Match[str], today: date) -> Iterator[_Days]:
    number = re.search(rf"(?<!\w){tw.NUMBER}(?!\w)", match.group())
    if number:
        yield _days_ago(_count(number.group()), unit, today)


_QUARTER = r"[1-4]\.|" + "|".join(sorted(tw.ORDINALS, key=len, reverse=True))
_CLEAR_MONTH = "(?:" + "|".join(sorted(set(MONTHS) - DOUBTFUL_MONTHS, key=len, reverse=True)) + r")\b\.?"
#: One of these, or a digit, stands in whatever a pattern below finds.
_SIGNS = (
    *MONTHS,
    *WEEKDAYS,
    *NAMED_DAYS,
    "ago",
    "last",
    "past",
    "previous",
    "this",
    "next",
    "quart",
    "trimest",
    "кварт",
)
#: Whether there is a sign of scripts without blanks.
_IS_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _may_name_a_time(text: str) -> bool:
    """False for most questions: these need not wait until the patterns are made."""
    return _is_told(text) or any(sign in text for sign in _SIGNS) or any(sign in text for sign in tw.SIGNS)


def _is_told(text: str) -> bool:
    return any(map(str.isdigit, text)) or _IS_DENSE.search(text) is not None


_Patterns = tuple[tuple[re.Pattern[str], _Reader], ...]


def _patterns_for(text: str) -> _Patterns:
    """What a time may look like in this text: what is not in it is not made and not looked for."""
    found = _patterns()
    if any(sign in text for sign in tw.SIGNS):
        found += _foreign_patterns()
    return found + _dense_patterns() if _IS_DENSE.search(text) else found


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    """What a time looks like and how it is read, the tightest first."""
    return (
        (_pattern(rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])-(?P<day>{_DAY})"), _whole_day),
        (_pattern(rf"(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])"), _whole_month),
        (_pattern(rf"(?P<day>{_DAY})\.\s?(?P<month>0?[1-9]|1[0-2])\.\s?(?P<year>{_YEAR})?"), _whole_day),
        (_pattern(rf"(?P<one>{_DAY})/(?P<other>{_DAY})/(?P<year>{_YEAR})"), _either_way),
        (_pattern(rf"(?P<year>{_YEAR})[\s/-]*q(?P<quarter>[1-4])"), _quarter),
        (_pattern(rf"q(?P<quarter>[1-4])(?:[\s/,-]*(?:of\s+)?(?P<year>{_YEAR}))?"), _quarter),
        (_pattern(rf"(?P<quarter>{_QUARTER})\s*{tw.QUARTER_WORD}(?:\s+(?:of\s+|de\s+)?(?P<year>{_YEAR}))?"), _quarter),
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
            re.compile(rf"(?<!\w)(?:(?P<since>{SINCE})|{BEFORE_MONTH})\s+(?P<month>{_MONTH})(?!\w)"),
            _whole_month,
        ),
        (_pattern(rf"(?P<number>{_NUMBER})\s+(?P<unit>day|week|fortnight|month|year)s?\s+ago"), _ago),
        (_pattern(rf"(?:last|past)\s+(?P<number>{_NUMBER})\s+(?P<unit>day|week|month|year)s?"), _past),
        (_pattern(r"(?P<which>last|previous|this|next)\s+(?P<unit>weekend|week|month|quarter|year)"), _period),
        (_pattern(rf"(?:(?P<which>{tw.WHICH_DAY})\s+)?(?P<weekday>{'|'.join(WEEKDAYS)})"), _weekday),
        (_pattern(rf"(?P<name>{'|'.join(map(re.escape, NAMED_DAYS))})"), _named_day),
        (_pattern(rf"(?P<year>{_YEAR})"), _whole_year),
    )


@lru_cache(maxsize=1)
def _foreign_patterns() -> _Patterns:
    """Phrases of other languages that are more than a name in a pattern above."""
    return (
        *((_pattern(phrase), partial(_phrased, step, unit)) for (step, unit), phrase in tw.period_phrases().items()),
        *((_pattern(phrase), partial(_ago_in, unit)) for unit, phrase in tw.ago_phrases().items()),
    )


@lru_cache(maxsize=1)
def _dense_patterns() -> _Patterns:
    """Times in scripts without blanks, where no border of a word can be asked for."""
    year = rf"(?<!\d)(?:(?P<year>{_YEAR})\s*[年년]\s*)?"
    number = "(?:[0-3]?[0-9]|[一二三]?十?[一二三四五六七八九十])"
    count = r"(?P<number>\d{1,3}|[一二两兩三四五六七八九十])"
    return (
        (re.compile(rf"{year}(?P<month>{number})\s*[月월]\s*(?P<day>{number})\s*[日号號일]"), _dense_day),
        (
            re.compile(rf"{year}(?P<month>{number})[月월](?!曜)\s?(?P<since>以降|以来|以后|以後|から|부터)?"),
            _dense_month,
        ),
        (re.compile(rf"{count}\s*[个個]?(?P<unit>{'|'.join(tw.DENSE_UNITS)})\s*(?:前|전)"), _dense_ago),
        (re.compile(rf"(?P<period>{'|'.join(tw.DENSE_PERIODS)})"), _dense_period),
        (re.compile(rf"(?P<name>{'|'.join(tw.DENSE_NAMED_DAYS)})"), _named_day),
        (re.compile(rf"(?P<weekday>{tw.DENSE_WEEKDAY})"), _dense_weekday),
        (re.compile(rf"(?<!\d)(?P<year>{_YEAR})\s*[年년]"), _whole_year),
    )
