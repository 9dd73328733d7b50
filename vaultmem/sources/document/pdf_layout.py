"""Lines of text with their places on a page -> paragraphs in reading order.

Programs write a page's text in the order in which it is read, most of the time: that order is kept. Two things it does
not say are found by the places: columns written row by row, and what stands at the edge of every page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

#: A line's end that was a hyphen, as the library marks it.
HYPHEN = "\ufffe"
#: More pieces of text than this on a page are a map or a drawing: their order is the file's.
_MAX_LINES = 1500
#: Pages from which repetition proves a header; two may begin alike by chance.
_MIN_PAGES = 3
#: How far from its edge, in heights of the page, its header and footer stand; and how many lines they have at most.
_MARGIN, _MAX_FURNITURE = 0.12, 4
_BULLET = re.compile(r"[•◦▪‣●○■□⁃∙·–—]\s+(?=\S)")
_ITEM = re.compile(r"(?:[•◦▪‣●○■□⁃∙·]|[-–—*] |\(?(?:\d{1,3}|[a-zA-Z])[.)] )")
_ENDS = re.compile(r"[.!?:;…。！？：；][\"'”’»)\]]*$")
_PAGE_NUMBER = re.compile(
    r"(?:[^\W\d_]{1,10}\.?\s*)?[-–—(\[]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—)\]]?(?:\s*(?:/|[^\W\d_]{1,6}|\|)\s*\d{1,4})?",
    re.IGNORECASE,
)
_WORD_WITH_HYPHEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A run of text on one base line. Lengths in points, the origin at the page's lower left."""

    text: str
    left: float
    right: float
    bottom: float
    top: float

    @property
    def size(self) -> float:
        """The height of its letters' boxes."""
        return max(self.top - self.bottom, 0.1)

    @property
    def words(self) -> int:
        """How many words stand in it."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Text that is read in one go, its lines joined."""

    text: str
    #: the largest size of its lines, in points
    size: float


def body_size(pages: Iterable[Sequence[Line]]) -> float:
    """The size in which most letters are set; 0 without any."""
    letters: Counter[float] = Counter()
    for page in pages:
        for line in page:
            letters[round(line.size, 1)] += len(line.text)
    return max(letters, key=lambda size: (letters[size], -size)) if letters else 0.0


def without_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> list[list[Line]]:
    """The pages without page numbers, and with a repeated header on the first page and footer on the last one only.

    A line is furniture where every page (but a title page) has it at the same height, digits apart, as the outermost
    one and in the margin. `heights`: of the pages, in points.
    """
    left = [list(page) for page in pages]
    full = [(page, height) for page, height in zip(left, heights, strict=True) if page]
    kept: list[tuple[list[Line], Line, bool]] = []
    for top in (True, False):
        for _ in range(_MAX_FURNITURE if len(full) >= _MIN_PAGES else 0):
            edges = [_edge(page, height, top=top) for page, height in full]
            common = _common(edges)
            if common is None:
                break
            held = [n for n, edge in enumerate(edges) if edge is not None and _shape(edge) == common]
            texts = {edge.text for edge in edges if edge is not None}
            for number in held:
                edge = edges[number]
                assert edge is not None
                full[number][0].remove(edge)
                if number == held[0 if top else -1] and not _is_page_number(edge.text, texts):
                    kept.append((full[number][0], edge, top))
    for page, line, top in reversed(kept):
        page.insert(0 if top else len(page), line)
    return left


def _edge(page: Sequence[Line], height: float, *, top: bool) -> Line | None:
    """The line nearest to the page's upper (lower) edge, if it lies in the margin."""
    if not page:
        return None
    line = max(page, key=lambda one: one.bottom) if top else min(page, key=lambda one: one.bottom)
    return line if (line.bottom > (1 - _MARGIN) * height if top else line.top < _MARGIN * height) else None


def _common(edges: Sequence[Line | None]) -> tuple[str, int] | None:
    """The shape of the line at the edge of every page, one perhaps apart; None where there is none."""
    shapes = Counter(_shape(edge) for edge in edges if edge is not None)
    shape, number = shapes.most_common(1)[0] if shapes else (None, 0)
    return shape if number >= max(len(edges) - 1, _MIN_PAGES) else None


def _shape(line: Line) -> tuple[str, int]:
    return re.sub(r"\d+|\b[ivxlc]+\b", "0", " ".join(line.text.split())), round(line.bottom / 4)


def _is_page_number(text: str, all_of_them: Collection[str]) -> bool:
    """True for a number with hardly a word beside it that counts the pages."""
    return len(all_of_them) > 1 and _PAGE_NUMBER.fullmatch(" ".join(text.split())) is not None


def reading_order(lines: Sequence[Line]) -> list[Line]:
    """The page's lines as they are read: by columns of prose where there are any, else as the file has them."""
    if len(lines) > _MAX_LINES:
        return list(lines)
    return _by_columns(list(lines), depth=4)


def _by_columns(lines: list[Line], depth: int) -> list[Line]:
    gutter = _gutter(lines) if depth else None
    if gutter is None:
        return lines
    ordered: list[Line] = []
    band: list[Line] = []
    # A line across the gutter divides the page: what stands above it is read before what stands below.
    for line in sorted(lines, key=lambda line: -line.bottom):
        if line.left < gutter < line.right:
            ordered += _band(band, lines, gutter, depth)
            ordered.append(line)
            band = []
        else:
            band.append(line)
    return ordered + _band(band, lines, gutter, depth)


def _band(band: Collection[Line], order: Sequence[Line], gutter: float, depth: int) -> list[Line]:
    """Left column, then right column, each in the file's order where that goes down, else from top to bottom."""
    members = {id(line) for line in band}
    inside = [line for line in order if id(line) in members]
    found: list[Line] = []
    for side in ([line for line in inside if line.right <= gutter], [line for line in inside if line.right > gutter]):
        falls = all(a.bottom >= b.bottom - a.size for a, b in pairwise(side))
        found += _by_columns(side if falls else sorted(side, key=lambda line: -line.bottom), depth - 1)
    return found


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where two columns of prose part; None where there is one column, or a table."""
    if len(lines) < 4:
        return None
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    best: tuple[int, float, float] | None = None
    for at in sorted({line.right for line in lines}):
        if not left + 0.15 * (right - left) < at < left + 0.85 * (right - left):
            continue
        beyond = min((line.left for line in lines if line.left > at), default=at)
        middle = (at + beyond) / 2
        crossing = sum(1 for line in lines if line.left < middle < line.right)
        if beyond - at > 0 and (best is None or (crossing, at - beyond) < best[:2]):
            best = (crossing, at - beyond, middle)
    if best is None or best[0] * 3 > len(lines):
        return None
    return best[2] if _are_columns(lines, best[2]) else None


def _are_columns(lines: Sequence[Line], gutter: float) -> bool:
    """True for two sides of at least two lines that stand beside each other and read like prose, not like cells."""
    sides = ([line for line in lines if line.right <= gutter], [line for line in lines if line.left >= gutter])
    if min(map(len, sides)) < 2:
        return False
    low = max(min(line.bottom for line in side) for side in sides)
    high = min(max(line.top for line in side) for side in sides)
    heights = [max(line.top for line in side) - min(line.bottom for line in side) for side in sides]
    if high - low < 0.4 * min(heights):
        return False
    return all(sum(line.words for line in side) >= 3 * len(side) for side in sides)


def paragraphs(lines: Sequence[Line], compounds: Collection[str]) -> list[Paragraph]:
    """Lines in reading order, joined. `compounds`: words the text writes with a hyphen within a line."""
    found: list[Paragraph] = []
    group: list[Line] = []
    for line in lines:
        if group and not _goes_on(group, line):
            found.append(_joined(group, compounds))
            group = []
        group.append(line)
    return [*found, _joined(group, compounds)] if group else found


def _goes_on(group: Sequence[Line], line: Line) -> bool:
    """True when the line belongs to the paragraph: close below its last line, of its size, and no new item."""
    last = group[-1]
    if _beside(last, line):
        return True
    if not _below(last, line) or (_ITEM.match(line.text) and not last.text.endswith(HYPHEN)):
        return False
    width = max(one.right for one in [*group, line]) - min(one.left for one in [*group, line])
    ended = _ENDS.search(last.text) is not None
    if ended and last.right < max(line.right, *(one.right for one in group)) - 0.25 * width:
        return False
    return not (ended and line.left > last.left + 0.8 * last.size and not _ITEM.match(group[0].text))


def _below(last: Line, line: Line) -> bool:
    """True for the next line of a column, in the same size."""
    near = 0 < last.bottom - line.bottom <= 1.75 * last.size
    return (
        near and abs(line.size - last.size) <= 0.15 * last.size and last.left <= line.right and line.left <= last.right
    )


def _beside(last: Line, line: Line) -> bool:
    """True for a piece of the same row, to the right."""
    return abs(last.bottom - line.bottom) < 0.4 * last.size and line.left >= last.right - 1


def _joined(group: Sequence[Line], compounds: Collection[str]) -> Paragraph:
    left, right = min(line.left for line in group), max(line.right for line in group)
    text = group[0].text
    for last, line in pairwise(group):
        if _beside(last, line):
            text = f"{text}  {line.text}"
        else:
            short = last.right - left < 0.6 * (right - left) and not text.endswith((HYPHEN, "-"))
            text = f"{text}\n{line.text}" if short else join_lines(text, line.text, compounds)
    if _BULLET.match(text):
        text = _BULLET.sub("- ", text, count=1)
    return Paragraph(text=text.replace(HYPHEN, "-"), size=max(line.size for line in group))


def join_lines(first: str, second: str, compounds: Collection[str]) -> str:
    """Two lines of a paragraph as one; a word divided between them becomes whole again.

    The hyphen stays where the word is written with it elsewhere, and before anything but a small letter.
    """
    if not first.endswith((HYPHEN, "-", "\u2010", "\u00ad")):
        return f"{first.rstrip()} {second.lstrip()}"
    head, tail = first[:-1], second.lstrip()
    before = re.search(r"[^\W\d_]+$", head)
    after = re.match(r"[^\W\d_]+", tail)
    if not before or not after:
        return f"{head}-{tail}" if before or head[-1:].isdigit() else f"{head}- {tail}"
    if after[0][0].islower() and f"{before[0]}-{after[0]}".casefold() not in compounds:
        return f"{head}{tail}"
    return f"{head}-{tail}"


def compounds_of(texts: Iterable[str]) -> frozenset[str]:
    """Words with a hyphen inside a line, folded."""
    return frozenset(word.casefold() for text in texts for word in _WORD_WITH_HYPHEN.findall(text))


def goes_on_overleaf(text: str, following: str) -> bool:
    """True when a page ends in the middle of a sentence that the next page goes on with."""
    return bool(text) and not _ENDS.search(text) and following[:1].islower()
