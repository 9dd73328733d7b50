"""The header lines of a WhatsApp export: where messages begin, and which of day, month and year is which.

An export names no locale. The order of the date's parts is decided once for all lines of a style: by parts that fit
only one order, then by time running forward, then by the shape a locale has. It never changes between two lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from vaultmem.sources.chat.calendars import common_date
from vaultmem.sources.chat.whatsapp_words import (
    AM_WORDS,
    BETWEEN,
    CLOCK_WORDS,
    ERAS,
    NIGHT_WORDS,
    NOON_WORDS,
    PM_WORDS,
)
from vaultmem.sources.document.written import parse_written

#: Marks of writing direction: they stand anywhere in a header and mean nothing there.
MARKS = "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
_M = rf"[{MARKS}]*"
#: Without digits: in 上午10:05 the hour stands right behind the word.
_HALF = (
    r"(?:e )?[^\W\d_](?:[^\W\d_]|(?!\d)[.\u0300-\u036f\u0900-\u0dff\u0e31-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u200c-\u200f]){0,13}(?:[ \u00a0\u202f]?m\.)?"
)
_TIME = rf"\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?(?:[ \u00a0\u202f]?{_HALF})?"
_HEADER = re.compile(
    rf"{_M}(?P<open>\[?){_M}"
    rf"(?P<a>\d{{1,4}}){_M}(?P<sep>[./-]){_M}[ \u00a0]?{_M}(?P<b>\d{{1,2}}){_M}[./-]{_M}[ \u00a0]?{_M}"
    rf"(?P<c>\d{{1,4}}){_M}(?P<dot>\.?){_M}(?: ?(?:{ERAS}){_M})?"
    rf"(?P<comma>[,،、]?){_M}\s{{0,2}}{_M}(?:{BETWEEN}[,\s]\s?)?{_M}"
    rf"(?:(?P<before>{_HALF}){_M}[\s\u00a0\u202f]?)?{_M}"
    rf"(?P<hour>\d{{1,2}})[:.](?P<minute>\d{{2}})(?:[:.](?P<second>\d{{2}}))?"
    rf"(?:[ \u00a0\u202f]?{CLOCK_WORDS}(?![^\W\d_]))?"
    rf"(?:{_M}[\s\u00a0\u202f]{{0,2}}{_M}(?P<after>{_HALF}))?{_M}"
    rf"(?P<close>\]{_M}[ \u00a0]?|\s?{_M}[-–—]{_M}[ \u00a0]|:[ \u00a0]|[ \u00a0])"
)
#: What a line must begin with to be worth the grammar.
_WORTH = re.compile(rf"{_M}\[?{_M}(?:\d|R\d|令和|民國|[^\W\d_]{{3,12}}\.?[ \u00a0]\d)")
#: A date with its month, or the words for year, month and day, written out.
_SPELLED = re.compile(
    rf"(?P<open>{_M}\[?{_M})(?P<day>(?P<cjk>\d{{4}}[年년] ?\d{{1,2}}[月월] ?\d{{1,2}}[日일])"
    r"|[^\W\d_]{3,12}\.? \d{1,2},? \d{4}|\d{1,2}\.? (?:de )?[^\W\d_]{3,12}\.?,? (?:de )?\d{4})(?=[,\s])"
)
#: The time before the date, as in Vietnam.
_TIME_FIRST = re.compile(
    rf"(?P<open>{_M}\[?{_M})(?P<time>{_TIME}),? (?P<day>\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}})(?=\]|\s?{_M}[-–—] )"
)
#: The years of the Japanese emperor since 2019: `R6/03/05`, `令和6年3月5日`.
_IMPERIAL = re.compile(
    rf"(?P<open>{_M}\[?{_M})(?:R|令和)(?P<year>\d{{1,2}}|元)[/.年-](?P<month>\d{{1,2}})[/.月-](?P<day>\d{{1,2}})日?(?=[,\s])"
)
#: The comma of Korean exports before an author: `오전 9:02, Ann : hi`.
_KOREAN_COMMA = re.compile(rf"(?:[ ,]*{_HALF})? ?{_TIME}(?P<comma>, )(?=[^:\n]{{1,100}} : )")
_ORDERS = ("dmy", "mdy", "ymd")
ORDER_NAMES = {"dmy": "day/month/year", "mdy": "month/day/year", "ymd": "year/month/day"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A line that begins a message, its date not yet understood."""

    #: index of the line in the file, from 0
    line: int
    #: bracket | dash | bare
    style: str
    #: the three numbers of the date as written
    parts: tuple[int, int, int]
    #: how many digits each part was written with
    widths: tuple[int, int, int]
    sep: str
    #: a dot after the last number too, as Koreans and Hungarians write it: the year comes first
    dotted: bool
    hour: int
    minute: int
    second: int
    #: shape of the clock: comma, seconds, day half; headers of one phone share it
    shape: tuple[bool, bool, bool]
    #: its day half is AM or PM in Latin letters, its figures are Western: so American phones write, among others
    english: bool
    #: what follows: author, colon, text; or a system line
    rest: str

    @property
    def group(self) -> tuple[str, str, int]:
        """Headers that must share one date order: style, separator, place of a four-digit year (-1: none)."""
        year = next((i for i, width in enumerate(self.widths) if width == 4), -1)
        return (self.style, self.sep, year)


def scan_headers(lines: Sequence[str]) -> list[Header]:
    """Every line that reads as a header and whose date fits some order."""
    found = [h for i, line in enumerate(lines) if (h := read_header(i, line)) is not None]
    return _without_strays(found)


def read_header(index: int, line: str) -> Header | None:
    """The header at the start of a line, or None."""
    if not _WORTH.match(line):
        return None
    match = _HEADER.match(line)
    if match is None:
        line = _in_digits(line)
        match = _HEADER.match(line)
    if match is None or bool(match["open"]) != match["close"].startswith("]"):
        return None
    hour = _hour(int(match["hour"]), match["before"], match["after"])
    minute, second = int(match["minute"]), int(match["second"] or 0)
    if hour is None or minute > 59 or second > 59:
        return None
    texts = (match["a"], match["b"], match["c"])
    header = Header(
        line=index,
        style=_style(match["close"]),
        parts=(int(texts[0]), int(texts[1]), int(texts[2])),
        widths=(len(texts[0]), len(texts[1]), len(texts[2])),
        sep=match["sep"],
        dotted=bool(match["dot"]),
        hour=hour,
        minute=minute,
        second=second,
        shape=(bool(match["comma"]), match["second"] is not None, bool(match["before"] or match["after"])),
        english=(match["before"] or match["after"] or "").strip(" \u200e\u200f").lower() in ("am", "pm")
        and texts[0].isascii(),
        rest=line[match.end() :],
    )
    return header if any(day_of(header, order) for order in _ORDERS) else None


def _in_digits(line: str) -> str:
    """The line with a date in figures in front of the time, whatever the order and words it was written in."""
    first = _TIME_FIRST.match(line)
    if first:
        return f"{first['open']}{first['day']}, {first['time']}{line[first.end() :]}"
    imperial = _IMPERIAL.match(line)
    if imperial:
        year = 2018 + (1 if imperial["year"] == "元" else int(imperial["year"]))
        return f"{imperial['open']}{year}/{imperial['month']}/{imperial['day']}{line[imperial.end() :]}"
    spelled = _SPELLED.match(line)
    day = _written_day(spelled["day"]) if spelled else None
    if spelled is None or day is None:
        return line
    rest = line[spelled.end() :]
    comma = _KOREAN_COMMA.match(rest) if spelled["cjk"] else None
    if comma:
        rest = f"{rest[: comma.start('comma')]} - {rest[comma.end('comma') :]}"
    return f"{spelled['open']}{day:%Y/%m/%d}{rest}"


@lru_cache(maxsize=2048)
def _written_day(text: str) -> date | None:
    found = parse_written(text)
    return found.date() if found else None


def _style(close: str) -> str:
    if close.startswith("]"):
        return "bracket"
    return "dash" if re.search(r"[-–—]", close) else "bare"


def _hour(hour: int, before: str | None, after: str | None) -> int | None:
    """The hour of 24, or None when the number or the word beside it is no time."""
    if before is None and after is None:
        return hour if hour <= 23 else None
    if before is not None and after is not None:
        return None
    word = before or after or ""
    half = _half(word)
    if half is None or hour > 23:
        return None
    if half == "night":
        half = "pm" if 5 <= hour < 12 else "am"
    if hour > 12 or (hour == 11 and word in NOON_WORDS):
        return hour
    return hour % 12 + (12 if half == "pm" else 0)


@lru_cache(maxsize=256)
def _half(word: str) -> str | None:
    bare = re.sub(rf"[\s.\u00a0\u202f{MARKS}]", "", word).casefold()
    if bare in AM_WORDS:
        return "am"
    return "pm" if bare in PM_WORDS else "night" if bare in NIGHT_WORDS else None


def _without_strays(headers: list[Header]) -> list[Header]:
    """Bare headers (no bracket, no dash) count only in the shape that this file's other headers have.

    A sentence in a message may well begin with a date and a time.
    """
    firm = {(h.shape, h.sep) for h in headers if h.style != "bare"}
    return [h for h in headers if h.style != "bare" or ((not firm or (h.shape, h.sep) in firm) and ": " in h.rest)]


def day_of(header: Header, order: str) -> date | None:
    """The date read in an order (dmy, mdy, ymd), or None where it does not fit."""
    return _day(header.parts, header.widths, order)


@lru_cache(maxsize=16_384)
def _day(parts: tuple[int, int, int], widths: tuple[int, int, int], order: str) -> date | None:
    year_at = order.index("y")
    if any(w > 2 for i, w in enumerate(widths) if i != year_at):
        return None
    year, month, day = parts[year_at], parts[order.index("m")], parts[order.index("d")]
    return common_date(year, month, day, digits=widths[year_at])


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The date order of one group of headers, and whether the file proves it."""

    order: str
    #: another order fits every line as well; "" where the file decides
    instead: str = ""


def decide_orders(headers: Sequence[Header]) -> dict[tuple[str, str, int], Order]:
    """One order per group of headers; groups that cannot decide follow one that can."""
    groups: dict[tuple[str, str, int], list[Header]] = {}
    for header in headers:
        groups.setdefault(header.group, []).append(header)
    decided: dict[tuple[str, str, int], Order] = {}
    open_groups: list[tuple[str, str, int]] = []
    for group, members in groups.items():
        fits = _fitting(members)
        if len(fits) == 1:
            decided[group] = Order(order=fits[0])
        else:
            open_groups.append(group)
    for group in open_groups:
        decided[group] = _closest(headers, group, groups[group], decided)
    return decided


def _fitting(members: Sequence[Header]) -> list[str]:
    """The orders that read the most lines of a group, most likely shape first."""
    orders = ("ymd",) if all(h.dotted and day_of(h, "ymd") for h in members) else _preference(members)
    counts = {order: sum(1 for h in members if day_of(h, order)) for order in orders}
    most = max(counts.values())
    return [order for order, count in counts.items() if count == most]


def _preference(members: Sequence[Header]) -> tuple[str, ...]:
    """American phones write 3/5/24 with AM and PM, without leading zeros."""
    american = all(h.sep == "/" and h.english and h.widths[2] == 2 for h in members)
    unpadded = any(h.parts[i] < 10 and h.widths[i] == 1 for h in members for i in (0, 1))
    return ("mdy", "dmy", "ymd") if american and unpadded else _ORDERS


def _closest(
    headers: Sequence[Header],
    group: tuple[str, str, int],
    members: Sequence[Header],
    decided: dict[tuple[str, str, int], Order],
) -> Order:
    """The order in which time runs backwards least often; on a tie that of a kindred group, then the likeliest."""
    fits = _fitting(members)
    steps = {order: _backward_steps(headers, {**decided, group: Order(order=order)}) for order in fits}
    least = min(steps.values())
    best = [order for order in fits if steps[order] == least]
    if len(best) == 1:
        return Order(order=best[0])
    kindred = [o.order for g, o in decided.items() if g[1:] == group[1:] and o.order in best]
    if kindred:
        return Order(order=kindred[0])
    differs = next((o for o in best[1:] if any(day_of(h, o) != day_of(h, best[0]) for h in members)), "")
    return Order(order=best[0], instead=differs)


def _backward_steps(headers: Iterable[Header], orders: dict[tuple[str, str, int], Order]) -> int:
    steps, last = 0, date.min
    for header in headers:
        order = orders.get(header.group)
        day = day_of(header, order.order) if order else None
        if day is not None:
            steps += day < last
            last = day
    return steps


def local_time(header: Header, orders: dict[tuple[str, str, int], Order]) -> datetime | None:
    """The header's time as written, without zone; None when its date does not fit the order of its group."""
    day = day_of(header, orders[header.group].order)
    if day is None:
        return None
    return datetime(day.year, day.month, day.day, header.hour, header.minute, header.second)  # noqa: DTZ001  (as written)
