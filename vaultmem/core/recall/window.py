"""The time window of a question: two moments, epoch milliseconds, or a look back like `7d`. Pure.

read_window({"window": "7d"}, now, zone) -> Window(since=now - 7 days, until=None)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from vaultmem.errors import BadQuery
from vaultmem.queries import NO_TIME, Value

_BACK = re.compile(r"(\d{1,5})\s*([hdwmy])")
_UNITS = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "y": timedelta(days=365),
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Both ends inclusive, aware UTC; None: open."""

    since: datetime | None = None
    until: datetime | None = None

    @property
    def since_us(self) -> int:
        """The first moment, in microseconds since 1970."""
        return ((self.since or _FIRST) - _EPOCH) // _MICROSECOND

    @property
    def until_us(self) -> int:
        """The last moment, in microseconds since 1970."""
        return ((self.until or _LAST) - _EPOCH) // _MICROSECOND

    @property
    def is_open(self) -> bool:
        """Whether it leaves nothing out."""
        return self.since is None and self.until is None

    def holds(self, start: datetime) -> bool:
        """Whether what starts then lies in it."""
        return (self.since or _FIRST) <= start <= (self.until or _LAST)


def read_moment(name: str, text: str, zone: tzinfo, *, is_end: bool = False) -> datetime | None:
    """A day or time, in `zone` unless it says another; None for "". A day given as the end counts whole.

    Raises BadQuery, which names the argument.
    """
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise BadQuery(name, text, "a day like 2026-04-21 or an ISO time") from None
    if is_end and len(text) == len("2026-04-21"):
        at = datetime.combine(at, time.max).replace(fold=1)  # a clock put back at midnight ends the day twice
    try:
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:  # the calendar's first or last day, in a zone that is a day further
        return _LAST if at.year > 1 else _FIRST


def read_ends(since: str, until: str, zone: tzinfo) -> Window:
    """The window between two days or times as they were typed. Raises BadQuery, which names the argument."""
    found = Window(since=read_moment("since", since, zone), until=read_moment("until", until, zone, is_end=True))
    return _in_order(found, since, until)


def _in_order(window: Window, since: str, until: str) -> Window:
    """The window. Raises BadQuery, which repeats what was typed, for one that ends before it begins."""
    if window.since and window.until and window.since > window.until:
        raise BadQuery("until", until, f"a time after 'since' ({since})")
    return window


def read_window(values: Mapping[str, Value], now: datetime, zone: tzinfo) -> Window:
    """The window that these arguments mean. Raises BadQuery."""
    since = _of_ms(values, "since") or read_moment("since", str(values["since"]), zone)
    until = _of_ms(values, "until") or read_moment("until", str(values["until"]), zone, is_end=True)
    back = str(values["window"]).casefold()
    if back:
        found = _BACK.fullmatch(back)
        if found is None or since is not None:
            expected = "a look back like 24h, 7d, 2w, 3m or 1y" if found is None else "either 'window' or 'since'"
            raise BadQuery("window", back, expected)
        length = int(found[1]) * _UNITS[found[2]]
        end = until or now
        since = end - length if end - _FIRST > length else _FIRST
    return _in_order(Window(since=since, until=until), _typed(values, "since"), _typed(values, "until"))


def _typed(values: Mapping[str, Value], name: str) -> str:
    return str(values[name] or values[f"{name}_ms"])


def _of_ms(values: Mapping[str, Value], name: str) -> datetime | None:
    value = values[f"{name}_ms"]
    if value == NO_TIME or not isinstance(value, int):
        return None
    if values[name]:
        raise BadQuery(f"{name}_ms", str(value), f"either '{name}' or '{name}_ms'")
    return _EPOCH + timedelta(milliseconds=value) + (timedelta(microseconds=999) if name == "until" else timedelta(0))
