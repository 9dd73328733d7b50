"""The part of a text around what was asked, within so many tokens.

excerpt("A. The lens weighs 380 kg. B.", {"len", "weigh"}, most=12, count=...)  -> "… The lens weighs 380 kg. …"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vaultmem.core.recall.words import index_words
from vaultmem.model import TokenCounter

_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?!\s|$)[^.!?。！？\n]*)*(?:[.!?。！？]+|\n+|$)")
#: Scripts without blanks between words, where a character says as much as half a word of others.
_DENSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
#: What is taken or left as one: a word, of long ones so many characters.
_PIECE = re.compile(rf"(?:[{_DENSE}]{{1,4}}|[^\s{_DENSE}]{{1,24}})\s*")
_MORE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is left of a text."""

    #: on one line
    text: str
    is_whole: bool


def excerpt(text: str, asked: frozenset[str], *, most: int, count: TokenCounter) -> Excerpt:
    """The whole text on one line if it has at most `most` tokens; else its best sentence, and neighbours that fit."""
    whole = _flat(text)
    # No tokenizer makes fewer than a token of 16 characters of prose; long pastes are not counted whole.
    if len(whole) <= most * 16 and count(whole) <= most:
        return Excerpt(text=whole, is_whole=True)
    return Excerpt(text=_cut(text, asked, most, count), is_whole=False)


def _cut(text: str, asked: frozenset[str], most: int, count: TokenCounter) -> str:
    sentences = _sentences(text)
    if not sentences:
        return _MORE
    first = last = _best(sentences, asked)
    if count(_marked(sentences, first, last)) > most:
        return _window(sentences[first], asked, most, count)
    free = most - count(_marked(sentences, first, last))
    grown: list[tuple[int, int]] = [(first, last)]
    grew = True
    while grew:  # what comes before explains more than what comes after: taken in turn
        grew = False
        for down, up in ((1, 0), (0, 1)):
            low, high = grown[-1][0] - down, grown[-1][1] + up
            if low >= 0 and high < len(sentences) and (cost := count(sentences[low if down else high])) <= free:
                grown.append((low, high))
                free, grew = free - cost, True
    # tokens of sentences do not quite add up to those of the whole, which is counted once and not at every step
    while count(_marked(sentences, *grown[-1])) > most:
        grown.pop()
    return _marked(sentences, *grown[-1])


# A line is cut anew for every length it is tried at, and a passage stands in several packs.
@lru_cache(maxsize=256)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(flat for match in _SENTENCE.finditer(text) if (flat := _flat(match.group())))


@lru_cache(maxsize=4096)
def _words(part: str) -> frozenset[str]:
    return frozenset(index_words(part))


def _best(parts: Sequence[str], asked: frozenset[str]) -> int:
    """The place of the part that holds most of the words asked for; the first of equals."""
    held = [len(asked.intersection(_words(part))) for part in parts]
    return max(range(len(parts)), key=lambda at: (held[at], -at))


def _window(sentence: str, asked: frozenset[str], most: int, count: TokenCounter) -> str:
    """A stretch of a long sentence around the first word asked for."""
    pieces = _PIECE.findall(sentence)
    at = next((n for n, piece in enumerate(pieces) if not _words(piece).isdisjoint(asked)), 0)
    # Twice as many pieces as tokens can never fit; halved until they do.
    width = most
    while width > 1:
        low = max(0, min(at - width // 3, len(pieces) - width))
        shown = _marked(pieces, low, min(len(pieces), low + width) - 1, joint="")
        if count(shown) <= most:
            return shown
        width = width * 3 // 4
    return _marked(pieces, at, at, joint="")


def _marked(parts: Sequence[str], first: int, last: int, joint: str = " ") -> str:
    before = f"{_MORE} " if first else ""
    after = f" {_MORE}" if last < len(parts) - 1 else ""
    return f"{before}{joint.join(parts[first : last + 1]).strip()}{after}"


def _flat(text: str) -> str:
    return " ".join(text.split())
