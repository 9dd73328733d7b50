"""What Zoom saves as text: the chat of a meeting and its captions. Both tell the time of day and no date.

09:01:10 TAB From Anna Berg to Everyone:          [Anna Berg] 09:01:10
TAB https://example.org/agenda                    Good morning
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage
from vaultmem.sources.chat.transcript import Recording, placed_id, recording_of
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_FROM = r"From|Von|De|Da|Van|Från|Fra|Od|От|来自|發件人|差出人"
_TO = r"to|To|an|à|a|para|aan|till|til|do|к|到|至|宛先"
_HEAD = re.compile(
    r"(?:(\d{4})-(\d\d)-(\d\d)[ \t]+)?(\d{1,2}):(\d\d):(\d\d)(?:[ \u202f]?([AP])M)?[ \t]+"
    rf"(?:(?:{_FROM})[ \t]+([^\n:]{{1,300}}?)[ \t]*:(?:[ \t]+|$)|(?:(?<=\t)|(?<=\t ))([^\W\d_][^\t\n:]{{0,100}}):\t)",
)
_RECEIVER = re.compile(rf"(?:[ \t]{{2,}}|[ \t])(?:{_TO})[ \t]+")
_WIDE_RECEIVER = re.compile(rf"[ \t]{{2,}}(?:{_TO})[ \t]{{1,}}")
_CAPTION = re.compile(r"\[([^\]\n]{1,100})\][ \t]+(\d{1,2}):(\d\d):(\d\d)[ \t]*$")
_PRIVATE = re.compile(
    r"[ ]?\(?(?:Direct Message|Privately|Privat\w*|Direktnachricht|Message direct|Mensaje directo)\)?$"
)
_REPLY = re.compile(r"(?:Replying to|Antwort auf|En réponse à|En respuesta a) [\"“„«]")


@dataclass(slots=True, kw_only=True)
class _Post:
    """A head and the lines below it."""

    at: time
    on: date | None
    author: str
    #: who a private message is for; "" for everyone
    to: str
    lines: list[str] = field(default_factory=list)


def is_zoom_chat(text: str) -> bool:
    """True for text whose first line is the head of a chat message or caption that Zoom saved."""
    head = text[:2000].lstrip("\ufeff \t\n").partition("\n")[0]
    return _HEAD.match(head) is not None or _CAPTION.match(head) is not None


def read_zoom_chat(raw: RawFile, settings: Settings) -> Reading:
    """The messages of one meeting. Raises UnreadableSource where no line begins one."""
    posts = list(_posts(decode(raw.data[:]).split("\n")))
    if not posts:
        raise UnreadableSource("no line of this file begins a Zoom message")
    recording = recording_of(raw, settings.zone)
    dated = all(post.on for post in posts)
    return Reading(
        format="zoom-chat",
        kind="chat",
        tz=f"none in file, assumed {settings.timezone}",
        zone_known=False,
        items=_items(posts, recording, settings),
        dated=dated,
    )


def _posts(lines: Sequence[str]) -> Iterator[_Post]:
    post: _Post | None = None
    for line in lines:
        found = _head(line.lstrip("\ufeff"))
        if found:
            if post:
                yield post
            post = found
        elif post:
            post.lines.append(line.removeprefix("\t"))
    if post:
        yield post


def _head(line: str) -> _Post | None:
    caption = _CAPTION.match(line)
    head = None if caption else _HEAD.match(line)
    try:
        if caption:
            at = time(int(caption[2]), int(caption[3]), int(caption[4]))
            return _Post(at=at, on=None, author=" ".join(caption[1].split()), to="")
        if head:
            return _chat_head(head, line[head.end() :])
    except ValueError:
        return None
    return None


def _chat_head(head: re.Match[str], rest: str) -> _Post:
    year, month, day, hour, minute, second, half = head.groups()[:7]
    clock = int(hour) % 12 + (12 if half == "P" else 0) if half else int(hour)
    said_by = head[8] or head[9]
    people = (_WIDE_RECEIVER if _WIDE_RECEIVER.search(said_by) else _RECEIVER).split(said_by, maxsplit=1)
    receiver = people[1].strip() if len(people) > 1 else ""
    return _Post(
        at=time(clock, int(minute), int(second)),
        on=date(int(year), int(month), int(day)) if year and 1970 <= int(year) < 2100 else None,
        author=" ".join(people[0].split()),
        to=" ".join(_PRIVATE.sub("", receiver).split()) if _PRIVATE.search(receiver) else "",
        lines=[rest] if rest.strip() else [],
    )


def _items(posts: Sequence[_Post], recording: Recording, settings: Settings) -> Iterator[SourceItem]:
    own = frozenset(fold(name) for name in settings.me)
    twins: Counter[str] = Counter()
    day = recording.start.astimezone(settings.zone).date()
    above = posts[0].at
    turned = 0
    for post in posts:
        if post.on is None and post.at < above and _hours(above) - _hours(post.at) > 2:
            turned += 1
        above = post.at
        local = datetime.combine(post.on or day + timedelta(days=turned), post.at, settings.zone)
        yield _message(post, local.astimezone(UTC), turned, recording, own, twins)


def _hours(at: time) -> float:
    return at.hour + at.minute / 60


def _message(
    post: _Post, at: datetime, turned: int, recording: Recording, own: frozenset[str], twins: Counter[str]
) -> SourceMessage:
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(post.lines)).strip("\n").rstrip()
    mine = fold(post.author) in own
    facts = {
        "sent": mine,
        "dm": bool(post.to),
        "mention": fold(post.to) in own and bool(post.to),
        "reply": _REPLY.match(text) is not None,
    }
    shown = f"(privately to {post.to})\n\n{text}" if post.to else text
    return SourceMessage(
        message=Message(sent_at=at, author=post.author, text=as_markdown(shown)),
        source_id=recording.source_id,
        tree_scope=recording.source_id,
        title=recording.title,
        provider="meeting_notes",
        native_id="" if post.on else placed_id((str(turned), str(post.at), post.author, text), twins),
        cues=frozenset(cue for cue, holds in facts.items() if holds),
    )
