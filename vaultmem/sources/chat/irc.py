"""IRC logs of irssi, weechat, ZNC, mIRC, HexChat and their kin -> messages of one channel.

Most name no zone, many no date: the day comes from the lines that name one, the file's name, or the file's own time,
and turns where the clock jumps back. Joins, topics and modes are system lines.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.chat.irc_lines import Line, is_log, read_line, without_mask
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

#: A clock that jumps back further than this has passed midnight; less is a clock put right.
_BACK = timedelta(hours=2)
_DAY = timedelta(days=1)
_NAME_DATE = re.compile(r"[\s._-]*(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)[\s._-]*")
_NAME_MONTH = re.compile(r"[\s._-]+(?:19|20)\d\d(?:[-_.]?(?:0[1-9]|1[0-2]))?$")
_SUFFIX = re.compile(r"(?:\.(?:log|txt|weechatlog|irclog|irc|text))+$", re.IGNORECASE)
_CLIENT_NAMES = re.compile(
    r"(?:irssi|mirc|weechat|hexchat|xchat|znc|irc|textual|quassel|eggdrop|chat|logs?|channel|messages)?[\s_-]*\d{0,3}",
    re.IGNORECASE,
)
_IN_CHANNEL = re.compile(
    r"(?:joined|Now talking (?:in|on)|Topic for|has left|left|Joins:|mode/)[ ]?:?([#&][^\s,:\]]{1,100})"
)
_MARKED = ("#", "&", "!", "+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the talk went on."""

    #: server or folder; "" where neither is known
    network: str
    channel: str
    #: a talk of two
    direct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spoken:
    """A line with its moment and what belongs to it."""

    line: Line
    #: local time as written
    local: datetime
    text: str


def is_irc(name: str, text: str) -> bool:
    """True for the text of an IRC log; a note that quotes a few lines of one is none."""
    lines = islice((match[0] for match in re.finditer(r"[^\n]+", text[:200_000])), 1000)
    return is_log(lines, named=name.lower().endswith(".weechatlog"))


def read_irc(raw: RawFile, settings: Settings) -> Reading:
    """The messages of one log. Raises UnreadableSource for no log at all, SkippedSource for an empty session."""
    lines = [read_line(line) for line in decode(raw.data[:]).split("\n")]
    if not any(line.at for line in lines):
        if any(line.on for line in lines):
            raise SkippedSource("an IRC log in which nothing is said")
        raise UnreadableSource("no line of this file is a line of an IRC log")
    zoned = any(line.zone for line in lines)
    return Reading(
        format="irc",
        kind="chat",
        tz="UTC" if zoned else f"none in file, assumed {settings.timezone}",
        zone_known=zoned,
        items=_items(raw, lines, settings),
    )


def _items(raw: RawFile, lines: Sequence[Line], settings: Settings) -> Iterator[SourceItem]:
    place = _place(raw.name, lines)
    start = _first_day(raw, lines)
    dated = start is not None
    if start is None:
        start = _counted_back(lines, raw.modified_at.astimezone(settings.zone))
        yield Warn(text="the log names no day: its last line is taken to be of the file's own day")
    me = [pattern for own in settings.me if (pattern := _called(own))]
    own = frozenset(fold(name) for name in settings.me)
    twins: Counter[str] = Counter()
    last: datetime | None = None
    for spoken in _spoken(lines, start):
        last = _utc(spoken.local, spoken.line.zone or settings.zone, last)
        item = _message(spoken, last, place, me=me, own=own)
        yield item if dated else replace(item, native_id=_undated_id(spoken, start, twins))


def _message(
    spoken: _Spoken, at: datetime, place: _Place, *, me: Sequence[re.Pattern[str]], own: frozenset[str]
) -> SourceMessage:
    line = spoken.line
    system = line.kind == "system"
    source = f"irc:{place.network}/{place.channel}" if place.network else f"irc:{place.channel}"
    text = without_mask(spoken.text) if system else spoken.text
    facts = {
        "sent": fold(line.nick) in own,
        "dm": place.direct,
        "mention": not system and fold(line.nick) not in own and any(called.search(text) for called in me),
    }
    return SourceMessage(
        message=Message(sent_at=at, author=line.nick, text=as_markdown(text)),
        source_id=source,
        tree_scope=source,
        title=place.channel,
        provider="irc",
        system=system,
        cues=frozenset(cue for cue, holds in facts.items() if holds and not system),
    )


def _called(name: str) -> re.Pattern[str] | None:
    bare = name.strip().lstrip("@")
    return re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)", re.IGNORECASE) if bare else None


def _undated_id(spoken: _Spoken, start: date, twins: Counter[str]) -> str:
    """The name of a message by its place in time from the log's start: the file's own time changes when it grows."""
    since = spoken.local - datetime.combine(start, time())
    parts = "\0".join((str(since), spoken.line.nick, spoken.text))
    twins[parts] += 1
    return hashlib.sha256(f"{parts}\0{twins[parts]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _utc(local: datetime, zone: tzinfo, last: datetime | None) -> datetime:
    """Local time -> UTC. An hour that comes twice is the second one where the log has already passed the first."""
    try:
        first = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
        second = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    except OverflowError:
        return local.replace(tzinfo=UTC)
    return second if last is not None and first < last <= second else first


def _spoken(lines: Sequence[Line], start: date) -> Iterator[_Spoken]:
    """Lines with a clock, each with the lines without one below it, on the day the log has come to."""
    day = start
    before: time | None = None
    held: _Spoken | None = None
    more: list[str] = []
    for line in lines:
        if line.kind == "more":
            more.append(line.text)
            continue
        if held:
            yield _with(held, more)
            held, more = None, []
        if line.kind in ("day", "session"):
            if line.on:
                day, before = line.on, None
            elif line.kind == "day":
                day, before = _next(day), None
        elif line.at:
            day = _day_of(line, day, before)
            before = line.at
            above = [text for text in more if text.strip()]
            more = []
            held = _Spoken(line=line, local=datetime.combine(day, line.at), text="\n".join([*above, line.text]))
    if held:
        yield _with(held, more)


def _with(spoken: _Spoken, more: Sequence[str]) -> _Spoken:
    return replace(spoken, text="\n".join([spoken.text, *more]).rstrip()) if more else spoken


def _day_of(line: Line, day: date, before: time | None) -> date:
    """The day of a line: its own, or the one before it, or the next where the clock jumps far back."""
    if line.on:
        return line.on
    if line.month_day:
        return _nearest(line.month_day, day)
    assert line.at is not None
    if before and datetime.combine(day, line.at) + _BACK < datetime.combine(day, before):
        return _next(day)
    return day


def _next(day: date) -> date:
    return day + _DAY if day < date.max else day


def _nearest(month_day: tuple[int, int], day: date) -> date:
    """The day of that month which is nearest to the day the log has come to: the year turns by itself."""
    found = []
    for year in (day.year - 1, day.year, day.year + 1):
        try:
            found.append(date(year, *month_day))
        except ValueError:
            continue
    return min(found, key=lambda other: abs(other - day), default=day)


def _first_day(raw: RawFile, lines: Sequence[Line]) -> date | None:
    """The day on which the log begins; None where nothing names one."""
    for line in lines:
        if line.on:
            return line.on
        if line.at:
            break
    named = _NAME_DATE.search(raw.name.rsplit("/", 1)[-1]) or _NAME_DATE.search(raw.name)
    if named:
        try:
            return date(int(named[1]), int(named[3]), int(named[4]))
        except ValueError:
            return None
    if any(line.month_day for line in lines):
        return raw.modified_at.date()
    return _day_before(lines)


def _day_before(lines: Sequence[Line]) -> date | None:
    """The first day of a log that names a later one where its day changes; None where it names none at all."""
    later = next((place for place, line in enumerate(lines) if line.on), None)
    if later is None:
        return None
    start = last = date(2000, 1, 1)
    for spoken in _spoken(lines[:later], start):
        last = spoken.local.date()
    on = lines[later].on
    assert on is not None
    return on - _DAY - (last - start)


def _counted_back(lines: Sequence[Line], modified: datetime) -> date:
    """The first day of a log that names none, so that its last line is not after the file's own time."""
    start = date(2000, 1, 1)
    last = start
    final = time()
    for spoken in _spoken(lines, start):
        last, final = spoken.local.date(), spoken.local.time()
    end = modified.date() if final <= modified.time() else modified.date() - _DAY
    try:
        return end - (last - start)
    except OverflowError:
        return end


def _place(name: str, lines: Sequence[Line]) -> _Place:
    """Network and channel by the file's path, as the clients lay their logs out; else by what the log says."""
    *folders, last = name.split("/")
    stem = re.sub(r" ?\(\d{1,2}\)$", "", _SUFFIX.sub("", last))
    stem = _NAME_MONTH.sub("", _NAME_DATE.sub("", stem)).strip()
    by_day = not stem and bool(folders)
    if by_day:
        stem = folders.pop()
    network = folders[-1] if folders else ""
    weechat = re.fullmatch(r"(?:irc\.)?([^#&]+?)\.([#&!+].*|[^.#&]+)", stem)
    if weechat and (stem.startswith("irc.") or weechat[2][0] in "#&"):
        return _Place(network=weechat[1], channel=weechat[2], direct=weechat[2][0] not in _MARKED)
    mark = re.search(r"[#&]", stem)
    if mark:
        return _Place(network=stem[: mark.start()].strip(" ._-") or network, channel=stem[mark.start() :], direct=False)
    if _CLIENT_NAMES.fullmatch(stem):
        said = _channel_said(lines)
        return _Place(network=network, channel=said or stem or "irc", direct=False)
    return _Place(network=network, channel=stem, direct=by_day)


def _channel_said(lines: Sequence[Line]) -> str:
    """The channel the log names when somebody joins; "" where none does."""
    for line in lines:
        if line.kind == "session" and line.text:
            return line.text
        found = _IN_CHANNEL.search(line.text[:600]) if line.kind == "system" else None
        if found:
            return found[1]
    return ""
