"""What a calendar's times and rules say, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

_UNITS = {
    "SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week",
    "MONTHLY": "month", "YEARLY": "year",
}  # fmt: skip
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_WHICH = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last", "-2": "last but one"}
_UNTIL = re.compile(r"(\d{4})(\d{2})(\d{2})")
#: Left-out days that are named; of more, the number is.
_MAX_NAMED = 30


def when_in_words(start: date, end: date | None) -> str:
    """`2024-03-25 09:00 to 09:30 (Europe/Berlin)`; whole days as `2024-04-01` or `2024-04-01 to 2024-04-03`."""
    if not isinstance(start, datetime):
        last = end.date() if isinstance(end, datetime) else end
        return f"{start.isoformat()} to {last.isoformat()}" if last and last > start else start.isoformat()
    text = _clock(start)
    zone = _zone(start)
    if isinstance(end, datetime) and end != start and bool(end.tzinfo) == bool(start.tzinfo):
        there = _zone(end)
        if there != zone:
            return f"{text} ({zone}) to {_clock(end)} ({there})"
        text += f" to {_clock(end) if end.date() != start.date() else _clock(end)[11:]}"
    return f"{text} ({zone})" if zone else text


def _clock(moment: datetime) -> str:
    return f"{moment.date().isoformat()} {moment:%H:%M}" + (f":{moment:%S}" if moment.second else "")


def _zone(moment: datetime) -> str:
    """The zone's name, or its distance from UTC where the file made it up; "" for none."""
    if moment.tzinfo is None:
        return ""
    if moment.tzinfo is UTC:
        return "UTC"
    name = getattr(moment.tzinfo, "key", None)
    if isinstance(name, str):
        return name
    try:
        offset = moment.strftime("%z")
    except (ValueError, OverflowError):
        return ""
    return f"UTC{offset[:3]}:{offset[3:5]}" if offset.strip("+-0") else "UTC"


def repeats_in_words(rule: str, left_out: Sequence[date], added: Sequence[date]) -> str:
    """`every week, on Monday, 4 times; not on 2024-04-08`; a rule of an unknown kind as it is written."""
    parts = dict(part.split("=", 1) for part in rule.upper().replace(" ", "").split(";") if "=" in part)
    texts = [_rule(parts, rule)] if rule else []
    for words, days in (("not on", left_out), ("also on", added)):
        if len(days) > _MAX_NAMED:
            texts.append(f"{words} {len(days)} other days")
        elif days:
            texts.append(f"{words} {', '.join(day.isoformat()[:10] for day in days)}")
    return "; ".join(texts)


def _rule(parts: Mapping[str, str], written: str) -> str:
    unit = _UNITS.get(parts.get("FREQ", ""))
    if unit is None:
        return written
    interval = parts.get("INTERVAL", "1")
    words = [f"every {unit}" if interval in ("1", "") else f"every {interval} {unit}s"]
    days = [_weekday(day) for day in parts.get("BYDAY", "").split(",") if day]
    if days:
        words.append(f"on {', '.join(days)}")
    if parts.get("BYMONTHDAY"):
        words.append(f"on day {parts['BYMONTHDAY'].replace(',', ', ')} of the month")
    months = [_MONTHS[int(n) - 1] for n in parts.get("BYMONTH", "").split(",") if n.isdecimal() and 0 < int(n) < 13]
    if months:
        words.append(f"in {', '.join(months)}")
    if parts.get("COUNT"):
        words.append(f"{parts['COUNT']} times")
    until = _UNTIL.match(parts.get("UNTIL", ""))
    if until:
        words.append(f"until {'-'.join(until.groups())}")
    return ", ".join(words)


def _weekday(text: str) -> str:
    """`MO` -> Monday, `-1FR` -> the last Friday."""
    which, day = text[:-2], _DAYS.get(text[-2:], text[-2:])
    return f"the {_WHICH.get(which.lstrip('+'), which + '.')} {day}" if which else day
