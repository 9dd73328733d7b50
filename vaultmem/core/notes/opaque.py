"""Where Markdown marks mean nothing: code, math, comments, escapes. Found once, so that links and tags agree."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from vaultmem.core.notes.blocks import Region, line_starts, regions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

SpanKind = Literal["code", "math", "comment", "escape", "raw"]
ALL: frozenset[SpanKind] = frozenset({"code", "math", "comment", "escape", "raw"})

#: Neither blank nor letter nor mark: `` `x`#y `` has no tag, because no blank stands before the #.
FILLER = "\0"
FILL_PATTERN = re.compile(r"[^\n]")

_OPENER = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\$\$?|%%|<!--")
_TICKS = re.compile(r"`+")
#: Inline math closes before a mark that follows no blank and precedes no digit: "$5 and $10" is money.
_MATH_END = re.compile(r"(?<![\s\\$])\$(?![\d$])")
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_HTML = re.compile(r"\s*<(?:script|style|pre|textarea)\b", re.IGNORECASE)
#: One of these stands in every text with such a stretch; four blanks make code. Most passages are plain prose, and
#: reading its blocks to find nothing was a tenth of what a note costs.
_MARKS = ("`", "\\", "$", "%%", "<", "~~~", "    ", "\t", "\r")
_BLOCK_KINDS: dict[str, SpanKind] = {
    "fence": "code",
    "code_block": "code",
    "math_block": "math",
    "comment_block": "comment",
}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of characters, end exclusive. `raw` is HTML whose inside is no Markdown (script, style, pre)."""

    kind: SpanKind
    start: int
    end: int


def opaque_spans(body: str) -> tuple[Span, ...]:
    """All stretches in which `[[`, `#` and `![` are plain characters, in order, not overlapping."""
    return _spans(body) if any(mark in body for mark in _MARKS) else ()


@lru_cache(maxsize=4)
def _spans(body: str) -> tuple[Span, ...]:
    starts = line_starts(body)
    found: list[Span] = []
    for region in regions(body):
        begin, end = starts[region.first_line], starts[region.last_line + 1]
        # A nested list paragraph can repeat lines of the item before it only in theory: keep the order strict.
        if found and begin < found[-1].end:
            continue
        found.extend(_spans_of(region, body, begin, end))
    return tuple(found)


def mask(body: str, kinds: Collection[SpanKind] = ALL) -> str:
    """The text with these stretches filled by FILLER, length and lines kept, so that offsets stay true.

    `\\|` is left: it separates a link's alias inside a table.
    """
    parts: list[str] = []
    done = 0
    for span in opaque_spans(body):
        if span.kind in kinds and body[span.start : span.end] != "\\|":
            parts += [body[done : span.start], FILL_PATTERN.sub(FILLER, body[span.start : span.end])]
            done = span.end
    return "".join([*parts, body[done:]])


def _spans_of(region: Region, body: str, begin: int, end: int) -> Iterator[Span]:
    if region.kind in _BLOCK_KINDS:
        yield Span(_BLOCK_KINDS[region.kind], begin, end)
    elif region.kind == "inline":
        yield from _Inline(body[begin:end], begin).spans()
    elif _RAW_HTML.match(body, begin, end):
        yield Span("raw", begin, end)
    else:
        for match in _HTML_COMMENT.finditer(body, begin, end):
            yield Span("comment", match.start(), match.end())


class _Inline:
    """One left-to-right pass over a paragraph: the first opener that closes wins. Linear: a mark without an end is
    looked for once."""

    def __init__(self, text: str, offset: int) -> None:
        self._text = text
        self._offset = offset
        self._endless: set[str] = set()
        self._runs: dict[int, list[int]] = {}
        for match in _TICKS.finditer(text):
            self._runs.setdefault(len(match.group()), []).append(match.start())

    def spans(self) -> Iterator[Span]:
        """The paragraph's stretches."""
        at = 0
        while match := _OPENER.search(self._text, at):
            mark = match.group()
            end, kind = self._end_of(mark, match.end())
            at = end if end > 0 else match.end()
            if end > 0:
                yield Span(kind, self._offset + match.start(), self._offset + end)

    def _end_of(self, mark: str, inside: int) -> tuple[int, SpanKind]:
        """End of the stretch that `mark` opens, or -1."""
        if mark[0] == "\\":
            return inside, "escape"
        if mark[0] == "`":
            # Behind an escaped tick a run is shorter than any that was counted.
            runs = self._runs.get(len(mark), [])
            following = bisect_right(runs, inside - len(mark))
            return (runs[following] + len(mark) if following < len(runs) else -1), "code"
        kind: SpanKind = "math" if mark[0] == "$" else "comment"
        if mark in self._endless or (mark == "$" and self._text[inside : inside + 1].isspace()):
            return -1, kind
        end = self._search(mark, inside)
        if end < 0:
            self._endless.add(mark)
        return end, kind

    def _search(self, mark: str, inside: int) -> int:
        if mark == "$":
            match = _MATH_END.search(self._text, inside + 1)
            return match.end() if match else -1
        closing = "-->" if mark == "<!--" else mark
        at = self._text.find(closing, inside)
        return at + len(closing) if at >= 0 else -1
