"""The lines of an IRC log, whatever client wrote them: who says what, what the server says, which day it is.

12:34 <@nick> text            irssi            2024-03-05 12:34:10 TAB @nick TAB text    weechat
[12:34:10] <nick> text        ZNC, mIRC        Mar 05 12:34:10 <nick> TAB text           HexChat
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, time, timedelta, timezone, tzinfo
from typing import Literal

from vaultmem.core.notes.ids import fold

LineKind = Literal["said", "action", "system", "day", "session", "more"]

#: Colours and styles of mIRC.
_STYLE = re.compile(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04[0-9a-fA-F]{0,6}|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
_STAMP = re.compile(
    r"(?P<open>\[?)"
    r"(?:(?P<dday>\d\d)\.(?P<dmonth>\d\d)\.(?P<dyear>\d{4})[ ]"
    r"|(?P<year>\d{4})[-/.](?P<month>\d\d)[-/.](?P<day>\d\d)[T ]|(?P<word>[^\W\d_]{3,4})\.? (?P<wday>\d{1,2})[ ])?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d{1,6}))?)?"
    r"(?:[ ]?(?P<half>[ap]m))?(?P<zone>Z|[+-]\d\d:?\d\d)?"
    r"(?P<close>\]?)(?=[ \t])",
    re.IGNORECASE,
)
_SAID = re.compile(r"<[ ~&@%+!]{0,3}([^<>\t\n]{1,64}?) ?>(?:[ \t]|$)")
_NOTICE = re.compile(r"-([^\s:-][^\s:]{0,63}?)(?:\([^\s()]{1,200}\))?(?::[#&!+][^\s-]*)?-[ \t]")
_NICK = r"[^\s<>\[\]():,]{1,64}|[^\s<>()]{1,64}"
_ACTION = re.compile(rf"({_NICK})(?:[ ]|$)")
#: What the server says of a person, after the nick: clients write it with the star of an action.
_EVENT = re.compile(
    r"(?:(?:[(\[]\S{1,200}[)\]] )?(?:has )?(?:joined|left|quit|parted)\b"
    r"|is now known as\b|sets? mode|was kicked by|has been kicked|has kicked"
    r"|changes? (?:the )?topic|has changed the topic"
    r"|has set the topic|sets? the channel"
    r"|gives? (?:channel|voice)|removes? (?:channel|voice)|is (?:now )?away|is back\b)",
    re.IGNORECASE,
)
_SERVER = re.compile(
    r"(?:Now talking (?:in|on)\b|Topic (?:for|is|set)|Set by\b|You (?:are|have|were)\b|Disconnected|Rejoined|Attempting"
    r"|Joins?:|Parts?:|Quits?:|Users on\b|Mode\b|Channel\b|Retrieving|Loaded log)",
    re.IGNORECASE,
)
_SERVER_MARKS = ("-!-", "***", "-->", "<--", "=!=", "--", "!!!", "•", "==")
_SESSION = re.compile(
    r"(?:--- (?P<a>Log (?:opened|closed))|--- (?P<day>Day changed)|(?P<b>Session (?:Start|Time|Close)):"
    r"|\*{3,4} (?P<c>(?:BEGIN|ENDING) LOGGING AT))[ ](?P<when>[^\n]{1,80})$"
)
_IDENT = re.compile(r"Session Ident: (?P<channel>\S{1,200})")
_MASK = re.compile(r" [(\[][^\s()\[\]]{0,100}[@!][^\s()\[\]]{1,200}[)\]]")
_LEVELS = frozenset(("trace", "debug", "info", "notice", "warn", "warning", "error", "critical", "fatal"))

#: Years in which a log can have been written; a clock without a battery says 1970.
_YEARS = range(1970, 2100)
#: First letters of the months in the languages clients are run in, folded; the first that fits is the month.
_MONTHS: tuple[tuple[str, ...], ...] = (
    ("jan", "ene", "gen", "sty", "янв"),
    ("feb", "fev", "fév", "lut", "фев"),
    ("mar", "mär", "mrz", "mrt", "maa", "мар"),
    ("apr", "avr", "abr", "kwi", "апр"),
    ("may", "mai", "mei", "maj", "mag", "мая", "май"),
    ("jun", "juin", "giu", "cze", "июн"),
    ("jul", "juil", "lug", "lip", "июл"),
    ("aug", "aoû", "aou", "ago", "sie", "авг"),
    ("sep", "set", "wrz", "сен"),
    ("oct", "okt", "out", "ott", "paź", "окт"),
    ("nov", "lis", "ноя"),
    ("dec", "dez", "déc", "dic", "gru", "дек"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a log, understood."""

    kind: LineKind
    #: "" where nobody speaks
    nick: str = ""
    text: str = ""
    #: clock of the line; None for lines without one
    at: time | None = None
    #: the date that stands in the line
    on: date | None = None
    #: month and day of a line whose client leaves the year out
    month_day: tuple[int, int] | None = None
    zone: tzinfo | None = None


def read_line(line: str) -> Line:
    """What a line is; one without a clock continues the line above it (kind "more")."""
    line = _STYLE.sub("", line) if any(c < " " for c in line) else line
    session = _session(line)
    if session:
        return session
    stamp = _STAMP.match(line)
    clock = _clock(stamp) if stamp else None
    if stamp is None or clock is None or bool(stamp["open"]) != bool(stamp["close"]):
        return Line(kind="more", text=line)
    rest = line[stamp.end() :]
    kind, nick, text = _tabbed(rest) if stamp["year"] and rest.startswith("\t") else _rest(rest.lstrip(" "))
    if kind == "day":
        return Line(kind="day", on=written_date(text))
    on, month_day = _date(stamp)
    return Line(kind=kind, nick=nick, text=text, at=clock, on=on, month_day=month_day, zone=_zone(stamp["zone"]))


def _session(line: str) -> Line | None:
    if not line.startswith(("-", "S", "*")):
        return None
    ident = _IDENT.match(line)
    if ident:
        return Line(kind="session", text=ident["channel"])
    match = _SESSION.match(line)
    if not match:
        return None
    return Line(kind="day", on=written_date(match["when"]), text=match["when"])


def _clock(stamp: re.Match[str]) -> time | None:
    hour = int(stamp["hour"])
    if stamp["half"]:
        hour = hour % 12 + (12 if stamp["half"].lower() == "pm" else 0)
    try:
        return time(hour, int(stamp["minute"]), int(stamp["second"] or 0), int((stamp["part"] or "0").ljust(6, "0")))
    except ValueError:
        return None


def _date(stamp: re.Match[str]) -> tuple[date | None, tuple[int, int] | None]:
    if stamp["year"]:
        return _day(int(stamp["year"]), int(stamp["month"]), int(stamp["day"])), None
    if stamp["dyear"]:
        return _day(int(stamp["dyear"]), int(stamp["dmonth"]), int(stamp["dday"])), None
    month = month_of(stamp["word"]) if stamp["word"] else None
    return None, (month, int(stamp["wday"])) if month else None


def _zone(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text in "Zz":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes)) if minutes < 24 * 60 else None


def _tabbed(rest: str) -> tuple[LineKind, str, str]:
    """weechat: two fields after the time, who and what."""
    who, _, text = rest[1:].partition("\t")
    mark = who.strip()
    if mark == "*":
        return _starred(text)
    if not mark or mark in _SERVER_MARKS:
        return "system", "", text
    return "said", mark.lstrip("~&@%+"), text


def _rest(rest: str) -> tuple[LineKind, str, str]:
    said = _SAID.match(rest)
    if said and said[1].strip():
        return "said", said[1].strip(), rest[said.end() :]
    if rest.startswith("--- "):
        return ("day", "", rest[4:]) if written_date(rest[4:]) else ("system", "", rest[4:])
    mark = rest.split(" ", 1)[0]
    if mark in _SERVER_MARKS:
        return "system", "", rest[len(mark) :].strip()
    if rest.startswith(("* ", "*\t", "— ", "Action: ")):
        return _starred(rest.partition(" ")[2] if rest[1] != "\t" else rest[2:])
    notice = _NOTICE.match(rest)
    if notice:
        return "said", notice[1], rest[notice.end() :]
    return "system", "", rest


def _starred(text: str) -> tuple[LineKind, str, str]:
    """`nick waves`, or what a client writes with the same star: joins, modes, topics."""
    who = _ACTION.match(text)
    if not who or _SERVER.match(text) or _EVENT.match(text, who.end()):
        return "system", "", text
    return "action", who[1].lstrip("~&@%+"), text.lstrip("~&@%+")


def without_mask(text: str) -> str:
    """A server's line without the user@host of whom it names: that is no mail address."""
    return _MASK.sub("", text, count=1)


def month_of(word: str) -> int | None:
    """1 to 12 by the first letters of a month's name, in many languages; None for any other word."""
    folded = fold(word)
    for number, beginnings in enumerate(_MONTHS, 1):
        if len(folded) >= 3 and folded.startswith(beginnings):
            return number
    return None


def written_date(text: str) -> date | None:
    """`Sat Mar 30 23:58:00 2024`, `So 31. Mär 2024`, `2024-03-31`; None where no date stands."""
    iso = re.search(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)", text[:80])
    if iso:
        return _day(int(iso[1]), int(iso[2]), int(iso[3]))
    words = [word.strip(".,") for word in re.sub(r"\d{1,2}:\d\d(?::\d\d)?", " ", text[:80]).split()]
    years = [int(word) for word in words if re.fullmatch(r"(?:19|20)\d\d", word)]
    days = [int(word) for word in words if re.fullmatch(r"\d{1,2}", word)]
    # The weekday stands first: `Mar` is Tuesday in Spanish, and March after it.
    months = [month for word in words if (month := month_of(word))]
    return _day(years[-1], months[-1], days[0]) if years and days and months else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year in _YEARS else None
    except ValueError:
        return None


def is_log(lines: Iterable[str], *, named: bool = False) -> bool:
    """True for lines of which the first and nearly all are a log's, with people or a session's mark among them.

    `named` = the file's name says it is one: then its people need not say much.
    """
    seen, good, marks, said = 0, 0, 0, 0
    for raw in lines:
        if not raw.strip():
            continue
        line = read_line(raw)
        if seen == 0 and line.kind == "more":
            return False
        seen += 1
        good += line.kind != "more"
        talk = _talks(raw, line) or int(named and line.kind == "said")
        said += talk
        marks += line.kind in ("day", "session") or (talk == 0 and _is_event(raw, line))
        if seen == 400:
            break
    return good * 10 >= seen * 7 and ((said > 0 and said * 5 >= seen) or (marks > 0 and (said + marks) * 2 >= seen))


def _talks(raw: str, line: Line) -> int:
    """1 for a line in which a person speaks; a level of a program's log and a table's cell are no person."""
    if line.kind not in ("said", "action") or fold(line.nick) in _LEVELS:
        return 0
    return int(" " in line.text.strip() or not raw[10:40].count("\t"))


def _is_event(raw: str, line: Line) -> bool:
    """True for a line that only an IRC client writes."""
    body = raw[_stamp_end(raw) :].lstrip(" \t")
    return line.kind == "system" and body.startswith(("-!- ", "-->\t", "<--\t", "--\t", "*** ", "* "))


def _stamp_end(raw: str) -> int:
    stamp = _STAMP.match(raw)
    return stamp.end() if stamp else 0
