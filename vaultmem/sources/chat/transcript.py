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
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import SkippedSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage
from vaultmem.sources.chat.transcript_cues import Cue, cues_of, is_cued
from vaultmem.sources.chat.transcript_talk import is_talk, talk_of
from vaultmem.sources.chat.transcript_turns import Turn, turns_of
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_GMT = re.compile(r"GMT(\d{8})-(\d{6})(?!\d)")
_WRITTEN = re.compile(
    r"(?<!\d)(\d{4})[-_/.](\d\d)[-_/.](\d\d)[ _]{1,2}(?:at[ _])?(\d\d)[:_. h](\d\d)(?!\d)"
    r"(?:[ _](?:GMT|UTC)(?:([+-]\d{1,2})(?:[:_]?(\d\d))?)?)?"
)
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
    cues = cues_of(text) if is_cued(raw.name, text) else talk_of(text)
    if not cues:
        raise SkippedSource("a transcript in which nothing is said")
    recording = recording_of(raw, settings.zone)
    return Reading(
        format="transcript",
        kind="chat",
        tz=recording.tz,
        zone_known=True,
        items=_items(cues, recording, settings),
        counts_from=recording.start,
    )


def _items(cues: Sequence[Cue], recording: Recording, settings: Settings) -> Iterator[SourceItem]:
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


def recording_of(raw: RawFile, zone: ZoneInfo) -> Recording:
    """Name and start of the recording a file belongs to."""
    *folders, last = unicodedata.normalize("NFC", raw.name).split("/")
    stem = re.sub(r" ?\(\d{1,2}\)$", "", _SUFFIX.sub("", last))
    if _ANY_NAME.fullmatch(stem) and folders:
        stem = f"{folders[-1]}/{stem}"
    title = " ".join(re.sub(r"\.transcript$", "", stem).split()) or "transcript"
    for where, name in (("file", last), ("folder", folders[-1] if folders else "")):
        start = _start(name, raw, zone)
        if start:
            stated = start.isoformat().replace("+00:00", "Z")
            return Recording(
                source_id=f"transcript:{stem}",
                title=title,
                start=start,
                tz=f"relative; start {stated} in the {where} name",
            )
    at = raw.modified_at.astimezone(UTC)
    return Recording(
        source_id=f"transcript:{stem}", title=title, start=at, tz="relative; start assumed: the file's own time"
    )


def _start(name: str, raw: RawFile, zone: ZoneInfo) -> datetime | None:
    """When a recording began by a name, aware UTC; None where it names no day."""
    gmt = _GMT.search(name)
    written = _WRITTEN.search(name)
    try:
        if gmt:
            return datetime.strptime(f"{gmt[1]}{gmt[2]}+0000", "%Y%m%d%H%M%S%z").astimezone(UTC)
        if written and ("GMT" in written[0] or "UTC" in written[0]):
            year, month, day, hour, minute = map(int, written.groups()[:5])
            hours, minutes = int(written[6] or 0), int(written[7] or 0)
            offset = timezone(timedelta(hours=hours, minutes=-minutes if hours < 0 else minutes))
            return datetime(year, month, day, hour, minute, tzinfo=offset).astimezone(UTC)
        if written:
            year, month, day, hour, minute = map(int, written.groups()[:5])
            return datetime(year, month, day, hour, minute, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    moment = own_time({}, RawFile(name=name, data=b"", modified_at=raw.modified_at), zone)
    return moment.at if moment.source == "name" else None
