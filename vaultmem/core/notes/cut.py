"""Cut text too long for its place: at paragraphs, else lines, sentences, words, and at last between characters.

Never inside what a reader sees as one character (emoji sequences, combining marks, flags). Nothing is lost:
the fragments join to the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import regex

    from vaultmem.model import TokenCounter

_PARAGRAPH = re.compile(r"\n(?:[ \t]*\n)+")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…‽؟۔।][\"'”’»)\]*_]*\s+|[。！？．｡][”’」』）]*\s*")
_WORD = re.compile(r"\s+")
_BORDERS = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)
#: Characters counted together when a run without any blank is cut: counting each alone would overestimate fourfold.
_RUN = 48


def fragments(text: str, limit: int, count: TokenCounter) -> Iterator[tuple[str, int]]:
    """Pieces of `text` with their cost, each at most `limit` unless a single character costs more."""
    yield from _fragments(text, limit, count, 0)


def cut_text(text: str, limit: int, count: TokenCounter) -> tuple[str, ...]:
    """The text in as few parts of at most `limit` as its borders allow."""
    pairs = list(fragments(text, limit, count))
    parts: list[str] = []
    first, cost = 0, 0
    for index, (_, own) in enumerate(pairs):
        if index > first and cost + own > limit:
            parts += exact_parts([p[0] for p in pairs[first:index]], limit, count)
            first, cost = index, 0
        cost += own
    parts += exact_parts([p[0] for p in pairs[first:]], limit, count)
    return tuple(parts)


def exact_parts(pieces: Sequence[str], limit: int, count: TokenCounter) -> list[str]:
    """Join pieces whose costs were added up; where the true count is above the limit, halve until it fits."""
    joined = "".join(pieces)
    if len(pieces) < 2 or count(joined) <= limit:
        return [joined] if joined else []
    middle = len(pieces) // 2
    return exact_parts(pieces[:middle], limit, count) + exact_parts(pieces[middle:], limit, count)


def _fragments(text: str, limit: int, count: TokenCounter, level: int) -> Iterator[tuple[str, int]]:
    cost = count(text)
    if cost <= limit:
        # In its place the blank behind a word belongs to the next word's token: counted alone it would cost extra.
        bare = text.rstrip(" ") if level == len(_BORDERS) else text
        if text:
            yield text, cost if bare == text else count(bare)
        return
    if level < len(_BORDERS):
        for part in _split(_BORDERS[level], text):
            yield from _fragments(part, limit, count, level + 1)
        return
    yield from _runs(text, limit, count)


def _runs(text: str, limit: int, count: TokenCounter) -> Iterator[tuple[str, int]]:
    """A run without blanks in groups of characters, or each alone where even a group is too much."""
    characters = _characters(text)
    for first in range(0, len(characters), _RUN):
        group = characters[first : first + _RUN]
        joined = "".join(group)
        cost = count(joined)
        if cost <= limit:
            yield joined, cost
        else:
            yield from ((character, count(character)) for character in group)


def _split(border: re.Pattern[str], text: str) -> Iterator[str]:
    """Slices that end behind each border."""
    start = 0
    for match in border.finditer(text):
        if start < match.end() < len(text) and _starts_character(text, match.end()):
            yield text[start : match.end()]
            start = match.end()
    yield text[start:]


def _starts_character(text: str, at: int) -> bool:
    """False where a mark at `at` combines with the blank or stop before it."""
    return text[at].isascii() or _cluster_end(text, at - 1) == at


def _characters(text: str) -> list[str]:
    """The text as a reader's characters (extended grapheme clusters)."""
    if text.isascii() and "\r" not in text:
        return list(text)
    found: list[str] = _clusters().findall(text)
    return found


def _cluster_end(text: str, at: int) -> int:
    """End of the grapheme cluster that starts at an offset."""
    match = _clusters().match(text, at)
    return int(match.end()) if match else at + 1


@lru_cache(maxsize=1)
def _clusters() -> regex.Pattern[str]:
    import regex  # lazily: only text that must be cut inside a line needs it

    return regex.compile(r"\X")
