"""A document's body as units to pack: whole blocks, and the parts of those blocks that alone are over the limit."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from vaultmem.core.notes.blocks import Block, blocks, line_starts
from vaultmem.core.notes.cut import fragments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.model import TokenCounter

#: Ranks of a cut in front of a unit, best first: a heading has its level (1 to 6).
BETWEEN_BLOCKS, BETWEEN_LINES, INSIDE_LINE = 7, 8, 9
#: A cut that would leave a heading alone at the end of a piece is worse than any of these.
_BEHIND_HEADING = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """A slice of the body that is not cut."""

    start: int
    end: int
    cost: int
    #: how good a cut in front of it is; less is better
    rank: int
    #: what a piece that starts here repeats in front (table header, opening of a fence)
    repeat: str = ""
    #: True when a piece must start here
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """A block with its place in the body: to the start of the next block, blank lines included."""

    block: Block
    start: int
    end: int


class Layout:
    """The body's blocks with offsets, and what they cost; costs are counted only where they are asked for."""

    def __init__(self, body: str, count: TokenCounter, limit: int) -> None:
        self.body = body
        self.count = count
        self.limit = max(limit, 1)
        self._lines = line_starts(body)
        self._over: dict[int, bool] = {}

    @cached_property
    def extents(self) -> tuple[Extent, ...]:
        """All blocks; the first starts at 0 and the last ends with the body."""
        found = blocks(self.body)
        starts = [0, *(self._lines[block.first_line] for block in found[1:]), len(self.body)]
        return tuple(Extent(block, starts[i], starts[i + 1]) for i, block in enumerate(found))

    @cached_property
    def _starts(self) -> list[int]:
        return [extent.start for extent in self.extents]

    def extent_at(self, offset: int) -> int:
        """Index of the block an offset lies in."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def heading_at(self, offset: int) -> str:
        """The path of headings above an offset."""
        if not self.extents:
            return ""
        block = self.extents[self.extent_at(offset)].block
        return " > ".join(block.path)

    def is_over(self, index: int) -> bool:
        """True for a block that alone is over the limit and may be cut inside."""
        if index not in self._over:
            extent = self.extents[index]
            text = self.body[extent.start : extent.end]
            self._over[index] = not self.fits(text)
        return self._over[index]

    def fits(self, text: str) -> bool:
        """True when the text is within the limit. No token is shorter than a byte: short text need not be counted."""
        return len(text) * 4 <= self.limit or self.count(text) <= self.limit

    def units(self, start: int, end: int) -> list[Unit]:
        """The units between two offsets. Both are block borders or lie in a block that is over the limit."""
        if start >= end:
            return []
        if not self.extents:
            return [Unit(start, end, self.count(self.body[start:end]), BETWEEN_BLOCKS)]
        found: list[Unit] = []
        fresh = False
        for index in range(self.extent_at(start), len(self.extents)):
            extent = self.extents[index]
            first, last = max(start, extent.start), min(end, extent.end)
            if first >= last:
                break
            units = list(self._units_of(index, first, last, fresh=fresh))
            fresh = len(units) > 1 and extent.block.kind not in {"table", "fence", "math", "comment"}
            found += units
        return found

    def _units_of(self, index: int, first: int, last: int, *, fresh: bool) -> Iterator[Unit]:
        extent = self.extents[index]
        rank = extent.block.level or BETWEEN_BLOCKS
        cost = self.count(self.body[first:last])
        if cost <= self.limit and first == extent.start:
            yield Unit(first, last, cost, rank, fresh=fresh)
            return
        repeat = self.repeat_of(index)
        # No piece that starts inside the lines that are themselves repeated needs them in front.
        body_of_it = extent.start + len(repeat)
        for number, (start, end, own, inner) in enumerate(self._parts(extent, first, last, repeat)):
            whole = number == 0 and first == extent.start
            yield Unit(
                start,
                end,
                own,
                rank if whole else inner,
                "" if whole or inner == INSIDE_LINE or start < body_of_it else repeat,
                fresh=fresh and number == 0,
            )

    def repeat_of(self, index: int) -> str:
        """The lines that a later piece of this block needs in front; "" when they take more than half a piece."""
        extent = self.extents[index]
        lines = extent.block.text.split("\n", 2)
        count = {"table": 2, "fence": 1, "math": 1, "comment": 1}.get(extent.block.kind, 0)
        if extent.block.kind == "fence" and not re.match(r" {0,3}(```|~~~)", lines[0]):
            return ""
        head = "".join(f"{line}\n" for line in lines[:count])
        return head if len(lines) > count and self.count(head) * 2 <= self.limit else ""

    def _parts(self, extent: Extent, first: int, last: int, repeat: str) -> Iterator[tuple[int, int, int, int]]:
        """(start, end, cost, rank) of the lines or items of a block, and of parts of those over the limit."""
        room = max(self.limit - (self.count(repeat) if repeat else 0), 1)
        head = len(repeat) if extent.block.kind == "table" and first <= extent.start else 0
        for start, end in self._slices(extent, first, last, head):
            cost = self.count(self.body[start:end])
            if cost <= room:
                yield start, end, cost, BETWEEN_LINES
                continue
            for text, own in fragments(self.body[start:end], room, self.count):
                whole_line = self.body[start - 1 : start] == "\n" or start == 0
                yield start, start + len(text), own, BETWEEN_LINES if whole_line else INSIDE_LINE
                start += len(text)  # noqa: PLW2901 - the fragments follow one another

    def _slices(self, extent: Extent, first: int, last: int, head: int) -> Iterator[tuple[int, int]]:
        """Items of a list, a paragraph as one, lines of anything else. A table's header stays with its first row."""
        block = extent.block
        if block.kind == "paragraph":
            borders = []
        elif block.kind == "list":
            borders = [self._lines[line] for line in block.items]
        else:
            borders = self._lines[block.first_line + 1 : block.last_line + 1]
        begin = first + head
        inner = borders[bisect_right(borders, begin if head else first) : bisect_left(borders, last)]
        cuts = [first, *inner, last]
        yield from pairwise(cuts)


def pack_units(units: Sequence[Unit], layout: Layout) -> Iterator[tuple[Unit, Unit, str]]:
    """(first unit, last unit, repeat) of each piece: the fewest pieces, and the best cuts that allow so few."""
    ends = _farthest(units, layout)
    pieces_from = [0] * (len(units) + 1)
    for index in reversed(range(len(units))):
        pieces_from[index] = 1 + pieces_from[ends[index]]
    first = 0
    while first < len(units):
        end = _best_cut(units, first, ends[first], pieces_from)
        end = _fitting(units, first, end, layout)
        yield units[first], units[end - 1], units[first].repeat
        first = end


def _farthest(units: Sequence[Unit], layout: Layout) -> list[int]:
    """For a piece that starts at each unit: where it must end at the latest (exclusive)."""
    total = [0, *accumulate(unit.cost for unit in units)]
    repeats = {text: layout.count(text) if text else 0 for text in {unit.repeat for unit in units}}
    ends = [0] * len(units)
    barrier = len(units)
    for index in reversed(range(len(units))):
        room = layout.limit - repeats[units[index].repeat]
        reach = bisect_right(total, total[index] + room) - 1
        ends[index] = min(max(reach, index + 1), barrier)
        if units[index].fresh:
            barrier = index
    return ends


def _best_cut(units: Sequence[Unit], first: int, end: int, pieces_from: Sequence[int]) -> int:
    """The best place for the end of a piece among those that do not make one more piece."""
    if end == len(units):
        return end
    best, best_rank = end, _rank(units, end)
    for cut in range(end - 1, first, -1):
        if pieces_from[cut] != pieces_from[end]:
            break
        rank = _rank(units, cut)
        if rank < best_rank:
            best, best_rank = cut, rank
    return best


def _rank(units: Sequence[Unit], cut: int) -> int:
    behind_heading = units[cut - 1].rank < BETWEEN_BLOCKS and units[cut].rank >= BETWEEN_BLOCKS
    return _BEHIND_HEADING if behind_heading else units[cut].rank


def _fitting(units: Sequence[Unit], first: int, end: int, layout: Layout) -> int:
    """`end`, or the farthest end before it at which the piece's true count is within the limit."""
    low, high = first + 1, end
    if high <= low or layout.fits(_text(units, first, high, layout)):
        return high
    while low < high:
        middle = (low + high) // 2 + (low + high) % 2
        if layout.fits(_text(units, first, middle, layout)):
            low = middle
        else:
            high = middle - 1
    return low


def _text(units: Sequence[Unit], first: int, end: int, layout: Layout) -> str:
    return units[first].repeat + layout.body[units[first].start : units[end - 1].end]
