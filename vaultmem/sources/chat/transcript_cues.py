"""WebVTT, SubRip and YouTube's SBV -> cues. Broken files are read as far as they say something.

A library for these formats stops at the first cue that lost its time; here its words are kept.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

_CLOCK = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"[ \t]*{_CLOCK}[ \t]*-{{1,2}}>[ \t]*{_CLOCK}(?=[ \t]|$)")
#: As Whisper prints them: the time in brackets, the words behind it.
_INLINE = re.compile(r"^\[([\d:.,]{4,14} --> [\d:.,]{4,14})\][ \t]*", re.MULTILINE)
_SBV = re.compile(r"(\d{1,3}):(\d\d):(\d\d)\.(\d{3}),(\d{1,3}):(\d\d):(\d\d)\.(\d{3})[ \t]*$")
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_NUMBER = re.compile(r"[ \t]*\d{1,6}[ \t]*$")
#: Zoom names who speaks in the cue's own name: `12 "Anna Berg" (1234567)`.
_NAMED_CUE = re.compile(r'\d{1,6} "([^"\n]{1,100})"(?: \(\d{1,20}\))?[ \t]*$')
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,100})?[ \t]+([^<>\n]{1,100})>")
_TAG = re.compile(
    r"</?(?:c|i|b|u|s|v|ruby|rt|lang|font|em|strong)(?:[.\s][^<>\n]{0,200})?>|<\d{1,4}:[\d:.]{2,20}>|\{\\an?\d\}",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"</([A-Za-z]\w{0,20})>")
_WORD_TIME = re.compile(r"<\d{1,4}:\d\d[\d:.]{0,12}>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What was said between two moments of a recording."""

    #: from the start of the recording
    start: timedelta
    end: timedelta
    #: who speaks; "" where the file does not say
    voice: str = ""
    #: lines as shown, without markup
    lines: tuple[str, ...] = ()
    #: words carry their own times: captions that roll over the screen
    rolling: bool = False


@dataclass(slots=True, kw_only=True)
class _Open:
    """The cue that is being read."""

    start: timedelta
    end: timedelta
    voice: str = ""
    lines: list[str] = field(default_factory=list)


def is_cued(name: str, text: str) -> bool:
    """True for subtitles by their beginning; by their name too, where a cue comes later."""
    head = text[:20_000].lstrip("\ufeff \t\n")
    if re.match(r"WEBVTT(?:[ \t\n]|$)", head):
        return True
    if _INLINE.match(head):
        return True
    first = re.sub(r"^[ \t]*\d{1,6}[ \t]*\n", "", head, count=1).partition("\n")[0]
    if timing(first):
        return True
    named = name.lower().endswith((".vtt", ".srt", ".sbv"))
    return named and any(timing(line) for line in head.split("\n"))


def timing(line: str) -> tuple[timedelta, timedelta] | None:
    """Start and end of the cue whose time line this is, or None for any other line."""
    match = _TIMING.match(line) if "->" in line else _SBV.match(line)
    if not match:
        return None
    numbers = match.groups()
    return _clock(numbers[:4]), _clock(numbers[4:])


def _clock(numbers: Sequence[str | None]) -> timedelta:
    hours, minutes, seconds, part = numbers
    return timedelta(
        hours=int(hours or 0),
        minutes=int(minutes or 0),
        seconds=int(seconds or 0),
        milliseconds=int((part or "0").ljust(3, "0")),
    )


def cues_of(text: str) -> tuple[Cue, ...]:
    """The cues in file order. A cue without a time takes the end of the one before it."""
    text = _INLINE.sub(r"\n\1\n", text) if _INLINE.search(text[:2000]) else text
    lines = text.lstrip("\ufeff \t\n").split("\n")
    webvtt = lines[0].startswith("WEBVTT")
    return tuple(
        piece for cue in _opened(lines[_header(lines) if webvtt else 0 :], webvtt=webvtt) for piece in _voices(cue)
    )


def _header(lines: Sequence[str]) -> int:
    """Lines of a WebVTT file before its first block."""
    for number, line in enumerate(lines):
        if not line.strip() or timing(line):
            return number
    return len(lines)


def _opened(lines: Sequence[str], *, webvtt: bool) -> Iterator[_Open]:
    cue: _Open | None = None
    #: lines of a block that has no time so far; None while a cue's own lines are read
    block: list[str] | None = []
    skipped = False
    for line in [*lines, ""]:
        times = timing(line)
        if times:
            name = _cue_name(
                block if block is not None else cue.lines if cue else [], webvtt=webvtt, above=block is None
            )
            yield from _closed(cue, block)
            cue, block, skipped = _Open(start=times[0], end=max(times), voice=name), None, False
        elif not line.strip():
            if block:
                untimed = _untimed(cue, block)
                if untimed:
                    yield from _closed(cue, None)
                    cue = untimed
            block, skipped = [], False
        elif block is None:
            assert cue is not None
            cue.lines.append(line)
        elif not skipped:
            skipped = webvtt and not block and _ASIDE.match(line) is not None
            if not skipped:
                block.append(line)
    yield from _closed(cue, None)


def _cue_name(lines: list[str], *, webvtt: bool, above: bool) -> str:
    """Take the name that stands over a cue off the lines above it; "" or who speaks, where it says so.

    `above` = these lines are the words of the cue before: only a number is a name there.
    """
    if not lines or not (_NUMBER.match(lines[-1]) or (webvtt and not above) or _NAMED_CUE.match(lines[-1])):
        return ""
    named = _NAMED_CUE.match(lines.pop())
    return named[1].strip() if named else ""


def _closed(cue: _Open | None, block: list[str] | None) -> Iterator[_Open]:
    if cue:
        cue.lines += block or []
        yield cue


def _untimed(cue: _Open | None, block: list[str]) -> _Open | None:
    """A numbered block that lost its time is a cue; other words belong to the cue above, or to none."""
    if _NUMBER.match(block[0]):
        at = cue.end if cue else timedelta()
        return _Open(start=at, end=at, lines=block[1:]) if block[1:] else None
    if cue:
        cue.lines += block
    return None


def _voices(cue: _Open) -> Iterator[Cue]:
    """One cue for each voice in it; one without words is none."""
    text = "\n".join(cue.lines)
    parts = _VOICE.split(text) if "<v" in text else [text]
    whole = Cue(start=cue.start, end=cue.end, voice=cue.voice, rolling=_WORD_TIME.search(text) is not None)
    for voice, said in zip(["", *parts[1::2]], parts[::2], strict=True):
        lines = tuple(shown for line in said.split("\n") if (shown := _shown(line)))
        if lines:
            yield replace(whole, voice=" ".join(html.unescape(voice).split()) or cue.voice, lines=lines)


def _shown(line: str) -> str:
    text = _TAG.sub("", line) if "<" in line or "{" in line else line
    # A tag of no meaning is one by its end alone: `<laughs>` is what somebody wrote.
    for name in dict.fromkeys(_CLOSING.findall(text)[:5]):
        text = re.sub(rf"</?{name}>", "", text)
    text = html.unescape(text) if "&" in text else text
    return " ".join(text.replace("\u200b", "").split())
