"""Find the chunks a document had before in its new text, so that what did not change keeps its id."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.ingest.units import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


@dataclass(frozen=True, slots=True)
class Hold:
    """An old chunk found: where, which one, and what it repeated in front."""

    start: int
    #: to the start of the next block: the blank lines behind the chunk are its own
    end: int
    #: where the old chunk's very text ends; `end` when the blank lines differ
    exact_end: int
    index: int
    repeat: str


def find_kept(layout: Layout, kept: Sequence[str]) -> list[Hold]:
    """The old chunks that are still there, in the body's order, none over another. Longest first: a short text may
    occur inside a longer one."""
    if not kept or not layout.extents:
        return []
    places = _Places(layout)
    holds: list[Hold] = []
    taken: list[tuple[int, int]] = []
    for index in sorted(range(len(kept)), key=lambda i: (-len(kept[i]), i)):
        hold = next(_candidates(layout, places, kept[index], index, taken), None)
        if hold:
            holds.append(hold)
            insort(taken, (hold.start, hold.end))
    return sorted(holds, key=lambda hold: hold.start)


class _Places:
    """Where an old chunk may start: at a block, at a line of a block over the limit, or inside such a line."""

    def __init__(self, layout: Layout) -> None:
        self._body = layout.body
        self._by_line: dict[str, list[int]] = {}
        #: text -> where to look on: equal parts of one long line are found one after the other
        self._next: dict[str, int] = {}
        for index, extent in enumerate(layout.extents):
            text = layout.body[extent.start : extent.end]
            filled = text.lstrip("\n")
            at = extent.start + len(text) - len(filled)
            for line in filled.split("\n") if layout.is_over(index) else filled.split("\n", 1)[:1]:
                self._by_line.setdefault(line, []).append(at)
                at += len(line) + 1

    def of(self, wanted: str) -> Iterator[int]:
        """Offsets at which the body holds this text."""
        for at in self._by_line.get(wanted.split("\n", 1)[0], ()):
            if self._body.startswith(wanted, at):
                yield at
        if "\n" in wanted:
            return
        while (at := self._body.find(wanted, self._next.get(wanted, 0))) >= 0:
            self._next[wanted] = at + len(wanted)
            yield at


def _candidates(layout: Layout, places: _Places, text: str, index: int, taken: list[tuple[int, int]]) -> Iterator[Hold]:
    """Where an old chunk may be: as it is, or without the lines it repeated."""
    if not layout.fits(text):
        return
    for repeat in _repeats(text):
        wanted = text[len(repeat) :].strip("\n")
        if not wanted.strip():
            continue
        for at in places.of(wanted):
            start, end = _bounds(layout, at, at + len(wanted))
            if start < 0 or not _is_free(taken, start, end):
                continue
            inner = layout.extent_at(start)
            needed = layout.repeat_of(inner) if start > layout.extents[inner].start and repeat else ""
            if needed == repeat:
                rest = text[len(repeat) :]
                exact = start + len(rest) if layout.body.startswith(rest, start) else end
                yield Hold(start, end, min(exact, end), index, repeat)


def _repeats(text: str) -> Iterator[str]:
    """What of an old chunk's text may be lines repeated in front of it: nothing, a table's head, a fence's opening."""
    yield ""
    lines = text.split("\n", 2)
    if len(lines) == 3 and "|" in lines[0] and _DELIMITER.fullmatch(lines[1]):
        yield f"{lines[0]}\n{lines[1]}\n"
    elif re.match(r" {0,3}(```|~~~|%%|\$\$)", text):
        yield f"{lines[0]}\n"


def _bounds(layout: Layout, start: int, end: int) -> tuple[int, int]:
    """The piece's true borders (blank lines behind it are its own), or (-1, -1) where a block must not be cut."""
    opening, closing = layout.extent_at(start), layout.extent_at(end - 1)
    first, last = layout.extents[opening], layout.extents[closing]
    if not layout.body[first.start : start].strip("\n"):
        start = first.start
    elif not layout.is_over(opening):
        return -1, -1
    if not layout.body[end : last.end].strip(" \t\n"):
        end = last.end
    elif not layout.is_over(closing):
        return -1, -1
    elif layout.body[end] == "\n":
        end += 1
    return start, end


def _is_free(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(taken, (start, end))
    before_ends = taken[at - 1][1] if at else 0
    next_starts = taken[at][0] if at < len(taken) else end
    return before_ends <= start and end <= next_starts
