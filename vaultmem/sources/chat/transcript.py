"""Transcripts of meetings and captions of films -> the paragraphs of those who speak.

The file counts its times from the start of the recording; so does the report. When that was stands in the file's or
its folder's name, else the file's own time is taken for it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import SkippedSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage
from vaultmem.sources.chat.transcript_cues import Cue, cues_of, is_cued
from vaultmem.sources.chat.transcript_talk import head_of, is_talk, talk_of
from vaultmem.sources.chat.transcript_turns import Turn, turns_of
from vaultmem.sources.document.dates import own_time, parse_moment
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_GMT = re.compile(r"GMT(\d{8})-(\d{6})(?!\d)")
_WRITTEN = re.compile(
    r"(?<!\d)(\d{4})[-_/.](\d\d)[-_/.](\d\d)[ _]{1,2}(?:at[ _])?(\d\d)[:_. h](\d\d)(?:[:_.](\d\d))?(?!\d)"
    r"(?:[ _](?:GMT|UTC)(?:([+-]\d{1,2})(?:[:_]?(\d\d))?)?)?"
)
#: Years in which a meeting can have been recorded; other numbers are something else.
_YEARS = range(1970, 2100)
_SUFFIX = re.compile(r"\.(?:vtt|srt|sbv|txt|text|md|docx)$", re.IGNORECASE)
#: Names that recorders give to every file: the folder says which meeting it was.
_ANY_NAME = re.compile(
    r"(?:meeting_)?saved(?:_new)?_(?:chat|closed_caption)|chat|closed_caption|transcript|captions?|audio_transcript"
    r"|subtitles?|recording|audio|video",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What the name of a file says of the meeting in it."""

    source_id: str
    title: str
    #: when its time 0 was, aware UTC
    start: datetime
    #: how that is known, as the report shows it
    tz: str


def is_transcript(name: str, text: str) -> bool:
    """True for subtitles, and for text that tells who spoke when."""
    return is_cued(name, text) or is_talk(text)


def read_transcript(raw: RawFile, settings: Settings) -> Reading:
    """The paragraphs of one recording. Raises SkippedSource where nothing is said in it."""
    text = decode(raw.data[:])
    cued = is_cued(raw.name, text)
    cues = cues_of(text) if cued else talk_of(text)
    if not cues:
        raise SkippedSource("a transcript in which nothing is said")
    above = "" if cued else head_of(text)
    recording = recording_of(raw, settings.zone, above)
    return Reading(
        format="transcript",
        kind="chat",
        tz=recording.tz,
        zone_known=True,
        items=_items(cues, above, recording, settings),
        counts_from=recording.start,
    )


def _items(cues: Sequence[Cue], above: str, recording: Recording, settings: Settings) -> Iterator[SourceItem]:
    if above:
        head = Turn(start=timedelta(), last=timedelta(), parts=1, voice="", text=above)
        yield replace(_message(head, recording, frozenset(), Counter()), system=True)
    own = frozenset(fold(name) for name in settings.me)
    twins: Counter[str] = Counter()
    for turn in turns_of(cues):
        yield _message(turn, recording, own, twins)


def _message(turn: Turn, recording: Recording, own: frozenset[str], twins: Counter[str]) -> SourceMessage:
    return SourceMessage(
        message=Message(sent_at=_after(recording.start, turn.start), author=turn.voice, text=as_markdown(turn.text)),
        source_id=recording.source_id,
        tree_scope=recording.source_id,
        title=recording.title,
        provider="meeting_notes",
        native_id=placed_id((str(turn.start), turn.voice, turn.text), twins),
        cues=frozenset({"sent"}) if turn.voice and fold(turn.voice) in own else frozenset(),
        parts=turn.parts,
        last_part_at=_after(recording.start, turn.last),
    )


def placed_id(parts: tuple[str, ...], twins: Counter[str]) -> str:
    """A message's name by its place in the recording: the time that is counted from may be the file's, and change."""
    joined = "\0".join(parts)
    twins[joined] += 1
    return hashlib.sha256(f"{joined}\0{twins[joined]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _after(start: datetime, offset: timedelta) -> datetime:
    try:
        return start + offset
    except OverflowError:
        return start


def recording_of(raw: RawFile, zone: ZoneInfo, head: str = "") -> Recording:
    """Name and start of the recording a file belongs to; `head` holds its first lines, where those may name the day."""
    *folders, last = unicodedata.normalize("NFC", raw.name).split("/")
    stem = re.sub(r" ?\(\d{1,2}\)$", "", _SUFFIX.sub("", last))
    if _ANY_NAME.fullmatch(stem) and folders:
        stem = f"{folders[-1]}/{stem}"
    title = " ".join(re.sub(r"\.transcript$", "", stem).split()) or "transcript"
    start, told = _told_start([("file name", last), ("folder name", "".join(folders[-1:])), ("text", head)], raw, zone)
    return Recording(source_id=f"transcript:{stem}", title=title, start=start, tz=f"relative; {told}")


def _told_start(places: Sequence[tuple[str, str]], raw: RawFile, zone: ZoneInfo) -> tuple[datetime, str]:
    """When time 0 was, and how that is known."""
    for where, text in places:
        for line in text.split("\n"):
            start = _start(line[:300], raw, zone)
            if start and start.year not in _YEARS:
                continue
            if start and start.astimezone(zone).time() == time():
                return start, f"day {start.astimezone(zone):%Y-%m-%d} in the {where}"
            if start:
                return start, f"start {start.isoformat().replace('+00:00', 'Z')} in the {where}"
    return raw.modified_at.astimezone(UTC), "start assumed: the file's own time"


def _start(name: str, raw: RawFile, zone: ZoneInfo) -> datetime | None:
    """When a recording began by a name or line, aware UTC; None where it names no day."""
    gmt, written = _GMT.search(name), _WRITTEN.search(name)
    try:
        if gmt:
            return datetime.strptime(f"{gmt[1]}{gmt[2]}+0000", "%Y%m%d%H%M%S%z").astimezone(UTC)
        if written:
            year, month, day, hour, minute = map(int, written.groups()[:5])
            local = datetime(year, month, day, hour, minute, int(written[6] or 0), tzinfo=_offset(written) or zone)
            return local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    moment = own_time({}, RawFile(name=name, data=b"", modified_at=raw.modified_at), zone)
    if moment.source == "name":
        return moment.at
    found = parse_moment(name, zone) if re.search(r"\d{4}", name) and not name.strip().isdigit() else None
    return found[0] if found else None


def _offset(written: re.Match[str]) -> timezone | None:
    if "GMT" not in written[0] and "UTC" not in written[0]:
        return None
    hours, minutes = int(written[7] or 0), int(written[8] or 0)
    return timezone(timedelta(hours=hours, minutes=-minutes if hours < 0 else minutes))
