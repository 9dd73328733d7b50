"""Transcripts as text: Google Meet's, Teams' and Otter's, and lines with a time and a name.

00:05:03                          Anna Berg   0:03            [00:00:03] Anna Berg: Good morning
Anna Berg: Good morning           Good morning
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from vaultmem.sources.chat.transcript_cues import Cue

_NAME = r"[^\W\d_][^:\[\]<>\n\t]{0,59}?"
_ALONE = re.compile(r"[ \t]*(?:(\d{1,3}):)?(\d{1,2}):(\d\d)[ \t]*$")
#: A name and a time alone on a line: the words stand below.
_OVER = re.compile(rf"[ \t]*({_NAME})[ \t]{{1,8}}\[?\(?(?:(\d{{1,3}}):)?(\d{{1,2}}):(\d\d)\)?\]?:?[ \t]*$")
_BEFORE = re.compile(
    rf"[ \t]*(?:[\[(](?:(\d{{1,3}}):)?(\d{{1,2}}):(\d\d)(?:\.\d{{1,3}})?[\])][ \t]*|(\d\d):(\d\d):(\d\d)\t)"
    rf"({_NAME})[ \t]*:[ \t]+"
)
_SAID = re.compile(rf"[ \t]*({_NAME})[ \t]*:[ \t]+(?=\S)")
_MEET_ENDS = re.compile(r"#{0,6} ?(?:Meeting|Transcription) ended after \d", re.IGNORECASE)
_MEET_TITLE = re.compile(r"[^\n]{0,200}[-–—] ?Transcript[ \t]*$|[ \t]*Transcript[ \t]*$|[#* \t]*Attendees[* \t]*$")
_MEET_HEAD = re.compile(r"[#* \t]*Transcript[* \t]*$")
_MEET_NOTICE = re.compile(r"[#_* ]{0,12}This editable transcript was computer generated", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class _Shape:
    """How the lines of a file tell time and speaker."""

    alone: int = 0
    over: int = 0
    before: int = 0
    said: int = 0
    filled: int = 0
    titled: bool = False
    ended: bool = False
    first: timedelta | None = None


def _shape(lines: Sequence[str]) -> _Shape:
    shape = _Shape()
    for line in lines:
        if not line.strip():
            continue
        shape.filled += 1
        if len(line) > 500 and not _SAID.match(line[:200]) and not _BEFORE.match(line[:200]):
            continue
        head = line[:200]
        over, before = _OVER.match(head), _BEFORE.match(head)
        shape.alone += _ALONE.match(head) is not None
        shape.over += over is not None
        shape.before += before is not None
        shape.said += _SAID.match(head) is not None
        shape.titled = shape.titled or (shape.filled <= 12 and _MEET_TITLE.match(head) is not None)
        shape.ended = shape.ended or _MEET_ENDS.match(head.strip()) is not None
        if shape.first is None and over:
            shape.first = _clock(over.groups()[1:])
        elif shape.first is None and before:
            shape.first = _clock(_before(before))
    return shape


def is_talk(text: str) -> bool:
    """True for a transcript as text; minutes that merely name people and times are none."""
    return _kind(_shape(text[:60_000].split("\n")[:800])) != ""


def _kind(shape: _Shape) -> str:
    """meet | over | before | ""."""
    early = shape.first is not None and shape.first < timedelta(minutes=10)
    if shape.said >= 2 and (shape.ended or (shape.titled and shape.said * 3 >= shape.filled)):
        return "meet"
    if early and shape.over >= 2 and shape.over * 5 >= shape.filled:
        return "over"
    return "before" if early and shape.before >= 2 and shape.before * 10 >= shape.filled * 6 else ""


def talk_of(text: str) -> tuple[Cue, ...]:
    """The turns in file order, those without a time at the time above them."""
    lines = text.split("\n")
    kind = _kind(_shape(lines[:800]))
    if kind == "meet":
        return tuple(_meet(lines))
    return tuple(_timed(lines, over=kind == "over"))


def head_of(text: str) -> str:
    """What a Meet transcript says before anybody speaks: who was there; "" for other transcripts."""
    lines = text[:20_000].split("\n")
    if _kind(_shape(lines[:800])) != "meet":
        return ""
    above: list[str] = []
    for line in lines:
        head = line[:200]
        if _ALONE.match(head) or _SAID.match(head):
            break
        if line.strip() and not _MEET_NOTICE.match(head) and not _MEET_HEAD.match(head):
            above.append(line.strip("#*_ \t"))
    return "\n".join(above)


def _meet(lines: Sequence[str]) -> Iterator[Cue]:
    """Names before colons, below times that stand alone every few minutes."""
    at, voice, said = timedelta(), "", list[str]()
    started = False
    for line in lines:
        clock = _ALONE.match(line[:100])
        name = _SAID.match(line[:200])
        if clock or name or _MEET_ENDS.match(line[:200].strip()) or _MEET_NOTICE.match(line[:200].strip()):
            if said:
                yield Cue(start=at, end=at, voice=voice, lines=tuple(said))
            said = []
            voice = " ".join(name[1].split()) if name else ""
            at = _clock(clock.groups()) if clock else at
            if name:
                started = True
                said = [" ".join(line[name.end() :].split())]
        elif line.strip() and started:
            said.append(" ".join(line.split()))
    if said:
        yield Cue(start=at, end=at, voice=voice, lines=tuple(said))


def _timed(lines: Sequence[str], *, over: bool) -> Iterator[Cue]:
    """Each turn begins with a line that holds its time and its speaker."""
    held: Cue | None = None
    said: list[str] = []
    for line in lines:
        match = (_OVER if over else _BEFORE).match(line[:200])
        if match:
            if held and said:
                yield _filled(held, said)
            groups = match.groups()
            at = _clock(groups[1:] if over else _before(match))
            held = Cue(start=at, end=at, voice=" ".join((groups[0] if over else groups[6]).split()))
            said = [] if over else [" ".join(line[match.end() :].split())]
        elif line.strip() and held:
            said.append(" ".join(line.split()))
    if held and said:
        yield _filled(held, said)


def _before(match: re.Match[str]) -> Sequence[str | None]:
    groups = match.groups()
    return groups[:3] if groups[2] else groups[3:6]


def _filled(cue: Cue, said: Sequence[str]) -> Cue:
    return Cue(start=cue.start, end=cue.end, voice=cue.voice, lines=tuple(said))


def _clock(groups: Sequence[str | None]) -> timedelta:
    hours, minutes, seconds = groups
    return timedelta(hours=int(hours or 0), minutes=int(minutes or 0), seconds=int(seconds or 0))
