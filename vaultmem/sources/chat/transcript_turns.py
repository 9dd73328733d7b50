"""Cues -> what a person reads: who speaks, nothing twice, paragraphs instead of lines on a screen."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from vaultmem.sources.chat.transcript_cues import Cue

#: Silence after which a new paragraph begins.
_PAUSE = timedelta(seconds=5)
#: Time a paragraph may span: its time must still lead to the words.
_SPAN = timedelta(seconds=60)
#: Characters after which a paragraph ends with the sentence, and those it never passes.
_FULL, _MOST = 400, 1000
#: Share of cues that repeat the one before, from which captions are taken to roll.
_ROLLING = 0.3
_NAME = re.compile(r"(?:[-–—]|>>)?[ ]?\[?([^\W\d_][^:<>\[\]\n]{0,59})\]?[ ]?[:：](?:[ ]+|(?<=：))(?=\S)")
_SENTENCE = re.compile(r"[.?!…。！？][\"'”’)»]?$")
_IN_NAME = re.compile(r"[?!;…。]|[^\W\d_]{4,}\.|,.*,|https?$")
_DASHES = ("-", "–", "—", "♪", ">>")
_PARTICLES = frozenset((
    "van", "von", "der", "den", "de", "la", "le", "da", "di", "du", "del", "al", "bin", "ibn", "und", "and", "y", "e",
    "of", "the",
))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A paragraph of one voice."""

    start: timedelta
    #: start of the last cue in it
    last: timedelta
    #: how many cues it is made of
    parts: int
    #: "" where the file does not say who speaks
    voice: str
    text: str


def turns_of(cues: Sequence[Cue]) -> Iterator[Turn]:
    """The paragraphs of a recording in file order."""
    return _paragraphs(_spoken(unrolled(cues)))


def unrolled(cues: Sequence[Cue]) -> tuple[Cue, ...]:
    """Captions that roll over the screen, each line once; any others as they are."""
    repeated = sum(1 for above, cue in pairwise(cues) if _overlap(above.lines, cue.lines))
    if not any(cue.rolling for cue in cues) and not (len(cues) >= 10 and repeated >= _ROLLING * len(cues)):
        return tuple(cues)
    found: list[Cue] = []
    above: tuple[str, ...] = ()
    for cue in cues:
        fresh = cue.lines[_overlap(above, cue.lines) :]
        above = cue.lines
        if fresh:
            found.append(replace(cue, lines=fresh))
    return tuple(found)


def _overlap(above: Sequence[str], lines: Sequence[str]) -> int:
    """How many lines at the end of one screen stand at the beginning of the next."""
    most = min(len(above), len(lines), 4)
    return next((n for n in range(most, 0, -1) if tuple(above[-n:]) == tuple(lines[:n])), 0)


def _spoken(cues: Sequence[Cue]) -> Iterator[Cue]:
    """Cues with the names that stand before a colon as voices, where the file names its speakers so."""
    candidates = [_candidate(cue) for cue in cues]
    names = Counter(name for name in candidates if name)
    total = sum(names.values())
    named = total * 3 >= len(cues) and (total < 5 or len(names) * 2 <= total)
    # A single such line is a sentence with a colon, unless its cue is the first or the only one.
    named = named and (total > 1 or len(cues) == 1 or bool(candidates[0]))
    for cue, name in zip(cues, candidates, strict=True):
        if named and name and (names[name] > 1 or _is_name(name)):
            match = _NAME.match(cue.lines[0])
            rest = cue.lines[0][match.end() :] if match else cue.lines[0]
            yield replace(cue, voice=name, lines=(rest, *cue.lines[1:]))
        else:
            yield cue


def _candidate(cue: Cue) -> str:
    match = None if cue.voice or not cue.lines else _NAME.match(cue.lines[0])
    name = match[1].strip() if match else ""
    return "" if _IN_NAME.search(name) or len(name.split()) > 6 else name


def _is_name(name: str) -> bool:
    """True for words written like a person's: each begins large, or its script knows no size."""
    words = [word for word in re.sub(r"\([^)]*\)", " ", name).split() if word.lower() not in _PARTICLES]
    return bool(words) and all(word[0].upper() == word[0] for word in words)


def _paragraphs(cues: Iterable[Cue]) -> Iterator[Turn]:
    held: list[Cue] = []
    size = 0
    for cue in cues:
        if held and not _joins(held, size, cue):
            yield _turn(held)
            held, size = [], 0
        held.append(cue)
        size += sum(map(len, cue.lines))
    if held:
        yield _turn(held)


def _joins(held: Sequence[Cue], size: int, cue: Cue) -> bool:
    last = held[-1]
    if cue.voice != last.voice or not timedelta() <= cue.start - held[0].start <= _SPAN:
        return False
    if cue.start - last.end > _PAUSE or size > _MOST:
        return False
    return size < _FULL or not _SENTENCE.search(last.lines[-1])


def _turn(cues: Sequence[Cue]) -> Turn:
    text = ""
    for cue in cues:
        for line in cue.lines:
            text += _between(text, line) + line
        # The words after a dash are one speaker's: the next cue need not be theirs.
        text += "\n" if cue.lines[-1].startswith(_DASHES) else ""
    text = text.rstrip("\n")
    return Turn(start=cues[0].start, last=cues[-1].start, parts=len(cues), voice=cues[0].voice, text=text)


def _between(text: str, line: str) -> str:
    """What stands between two lines of a paragraph: a speaker's dash keeps its line, wide scripts need no blank."""
    if not text or text.endswith("\n"):
        return ""
    if line.startswith(_DASHES):
        return "\n"
    return "" if _is_wide(text[-1]) and _is_wide(line[0]) else " "


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF" and not "\uac00" <= char <= "\ud7a3"
