"""The text as a secret's shape sees it: escapes decoded, invisible characters gone, every place mapped back.

A token survives many coats: `ghp\\_…` (Markdown), `%2B` (URL), `&#43;` (HTML), `\\n` and `\\"` (JSON in a string), a
zero-width blank pasted from a web page, `**` where half of it is bold. Rules look at this view alone; spans found in
it are mapped to the real text.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import Generic, TypeVar

#: stand for an escaped quote, so that `"a\"b"` is one value and `{\"k\": \"v\"}` still has quotes
ESCAPED_DOUBLE, ESCAPED_SINGLE = "\ue0f0", "\ue0f1"
#: a decoded line break: white space, but no end of a line of the real text
SOFT_BREAK = "\x0b"

_COATS = re.compile(
    r"[\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+"
    r"|\r(?=\n)"
    r"|(?<=[A-Za-z0-9_-])(?:\*{4}|\*\*)(?=[A-Za-z0-9_-])"
    # A string in a string in a string doubles them each time: however many stand together are one coat.
    r"|(?<!\\)\\++(?:u00[0-7][0-9a-fA-F]|\r?\n|[nrt\"'/_*.~+=#!|`%\[\](){}<>@&$^-])"
    r"|%(?:[2-6][0-9a-fA-F]|7[0-9a-eA-E]|0[9aAdD])"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});"
)
#: what every coat begins with: looked for first, for most texts have few
_COAT_START = re.compile(r"[\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\r*\\%&]")
#: characters of a word that is worth remembering, and how many are
_LONGEST_WORD = 40
_REMEMBERED = 50_000
Found = TypeVar("Found")
_LETTER_ESCAPES = {"n": SOFT_BREAK, "r": SOFT_BREAK, "t": SOFT_BREAK, '"': ESCAPED_DOUBLE, "'": ESCAPED_SINGLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The decoded text and the way back."""

    #: what rules match on
    text: str
    #: `text` in lower case, place for place
    lower: str
    #: what stands between blanks in `text`
    words: Sequence[str]
    #: where each piece starts in `text`, ascending
    starts: tuple[int, ...]
    #: where that piece starts in the original
    origins: tuple[int, ...]
    #: for a decoded character the end of its coat in the original, 0 for a plain piece
    ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that shows as `text[start:end]` (end > start)."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        begin = self.origins[first] + (start - self.starts[first])
        return begin, self.ends[last] or self.origins[last] + (end - self.starts[last])


def bare_view(text: str, words: Sequence[str]) -> View:
    """The view of a text that wears no coat, and what stands between its blanks."""
    return View(text=text, lower=lowered(text), words=words, starts=(0,), origins=(0,), ends=(0,))


def hints_at_coats(word: str) -> bool:
    """Whether a coat can begin in a word; what of one is blank is a line end behind a backslash, or CR."""
    return word.endswith("\\") or _COATS.search(word) is not None


def view_of(text: str) -> View:
    """Decode every coat of `text` in one linear pass."""
    parts: list[str] = []
    starts, origins, ends = [0], [0], [0]
    done = length = 0
    for found in _coats_in(text):
        plain = _undressed(found.group())
        if plain is None:
            continue
        parts.append(text[done : found.start()])
        length += found.start() - done
        done = found.end()
        if plain:
            parts.append(plain)
            starts.append(length)
            origins.append(found.start())
            ends.append(done)
            length += 1
        starts.append(length)
        origins.append(done)
        ends.append(0)
    parts.append(text[done:])
    decoded = "".join(parts)
    return View(
        text=decoded, lower=lowered(decoded), words=decoded.split(), starts=tuple(starts),
        origins=tuple(origins), ends=tuple(ends),
    )  # fmt: skip


class Prose(Generic[Found]):
    """What a rule found in each word so far, in most of them nothing: people use few words again and again."""

    def __init__(self, look: Callable[[str], Found], nothing: Callable[[Found], bool]) -> None:
        """`look` says what is in a word, whatever stands around it; `nothing`, whether that is nothing at all."""
        self._look = look
        self._nothing = nothing
        self._plain: set[str] = set()
        self._odd: dict[str, Found] = {}

    def odd(self, words: Iterable[str]) -> set[Found]:
        """What there is in the words of a text; only new ones are looked at."""
        found = set()
        for word in set(filterfalse(self._plain.__contains__, words)):
            seen = self._odd.get(word)
            if seen is None:
                seen = self._new(word)
            if not self._nothing(seen):
                found.add(seen)
        return found

    def _new(self, word: str) -> Found:
        seen = self._look(word)
        if len(word) <= _LONGEST_WORD and len(self._plain) + len(self._odd) < _REMEMBERED:
            if self._nothing(seen):
                self._plain.add(word)
            else:
                self._odd[word] = seen
        return seen


def _coats_in(text: str) -> Iterator[re.Match[str]]:
    """`_COATS.finditer`, at a fraction of the cost."""
    start = _COAT_START.search(text)
    while start:
        found = _COATS.match(text, start.start())
        if found:
            yield found
        start = _COAT_START.search(text, (found or start).end())


def lowered(text: str) -> str:
    """Lower case of the same length: U+0130 is the one character that would grow."""
    return text.replace("\u0130", "i").lower()


def _undressed(coat: str) -> str | None:
    """The one character below a coat, "" for an invisible one, None when it is no coat after all."""
    if coat[0] == "%":
        return _printable(int(coat[1:], 16))
    if coat[0] == "&":
        plain = html.unescape(coat)
        return _printable(ord(plain)) if len(plain) == 1 else None
    if coat[0] == "\\":
        # A backslash at the end of a line: the shell's, and Markdown's, way to go on in the next.
        kind = coat.lstrip("\\").removeprefix("\r")
        return _printable(int(kind[1:], 16)) if len(kind) > 1 else _LETTER_ESCAPES.get(kind, kind)
    return ""


def _printable(code: int) -> str:
    if code in {0xA, 0xD, 0x9}:
        return SOFT_BREAK
    return chr(code) if code >= 0x20 else " "
