"""A model's rewrite of a summary, believed only as far as it can be checked. Pure.

check("The boat moves on Friday [1].", sources)  -> the sentence, with the link of source 1
check("Zoe moves the boat [1].", sources)        -> Rejected("names 'Zoe', who is not in its sources")

Every sentence cites its sources as [n]; every name, number and date of it stands in those. What looks like a name and
is not is rejected too: the extract that stands instead says nothing wrong. One fault rejects the whole text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import sentencex

from vaultmem.core.grow.calendar_words import NUMBER_WORDS, dates
from vaultmem.core.grow.opening_words import OPENING_WORDS
from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.summarynote import one_line
from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.core.recall.words import index_words
from vaultmem.grown import Link, Sentence
from vaultmem.model import TokenCounter

#: A rewrite that leaves out more of its sources than this share says too little.
_LEFT_OUT = 2 / 3
#: Characters of a token and the citations around it at most: a longer reply is not even looked at.
_LONGEST_TOKEN = 20
_CITATION = r"[ \t]{0,3}\[ ?\d{1,4}(?: ?[,;–-] ?\d{1,4}){0,20} ?\]"
_CITED = re.compile(rf"((?:{_CITATION})+)([ \t]{{0,3}}[.!?…。！？]*)")
_SPAN = re.compile(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?")
_MARKER = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+")
_ADDRESS = re.compile(r"\S*(?:@|://|www\.)\S+")
_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:/'\u202f\u00a0-]\d+)*")
_GROUP = re.compile(r"(?<=\d)[.,'\u202f\u00a0](?=\d{3}(?!\d))")
_SIGNS = "$€£¥₹₽%‰°"
_POSSESSIVE = re.compile(r"['’]s?$")
#: Number words of one language that are everyday words of another.
_EVERYDAY = frozenset({"due", "sei", "mil", "cent", "sept", "dos", "six", "elf", "dix", "once"})
#: Words without capitals may be names all the same: of these letters every neighbouring pair has to be found.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Why the text is not believed."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class _Ground:
    """What a sentence may speak of: the sources it cites and who said them."""

    text: str

    @cached_property
    def folded(self) -> str:
        """As `fold` has it."""
        return fold(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word, whole and in its parts."""
        return frozenset(part for word in _WORD.findall(self.folded) for part in (word, *_parts(word)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Every word without its inflection."""
        return frozenset(index_words(self.text))

    @cached_property
    def capital(self) -> frozenset[str]:
        """Words that have a capital there, whole and without their inflection."""
        found = [word for word in _WORD.findall(self.text) if word != word.lower()]
        return frozenset((*map(fold, found), *index_words(" ".join(found))))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number, in one spelling."""
        return frozenset(_numbers(self.text))


def check(
    reply: str, sources: Sequence[Sentence], *, most_tokens: int, count: TokenCounter
) -> tuple[Sentence, ...] | Rejected:
    """The reply's sentences in the order of their sources, each with its links; or why it is rejected.

    `sources`: what was numbered from 1.
    """
    if len(reply) > most_tokens * _LONGEST_TOKEN:
        return Rejected(reason="is longer than half of what it sums up")
    found: list[tuple[int, Sentence]] = []
    used: set[int] = set()
    for text, cited in _cited(reply):
        if not cited or not all(1 <= number <= len(sources) for number in cited):
            return Rejected(reason="cites a source that is not there" if cited else "a sentence cites no source")
        own = [sources[number - 1] for number in cited]
        ground = _Ground(text="\n".join(part for source in own for part in (source.author, source.text)))
        fault = unfounded(text, ground.text)
        if fault:
            return Rejected(reason=fault)
        used.update(cited)
        links = tuple(dict.fromkeys(source.link for source in own))
        found.append((cited[0], _sentence(text, links, own[0].section)))
    if len(used) < (1 - _LEFT_OUT) * len(sources):
        return Rejected(reason="leaves out most of its sources")
    if sum(count(sentence.text) for _, sentence in found) > most_tokens:
        return Rejected(reason="is longer than half of what it sums up")
    return tuple(sentence for _, sentence in sorted(found, key=lambda item: item[0]))


def _sentence(text: str, links: tuple[Link, ...], section: str) -> Sentence:
    return Sentence(text=text, link=links[0], also=links[1:], section=section)


def _cited(reply: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each sentence without its citations, and the numbers cited in order."""
    for line in reply.splitlines():
        end = marker.end() if (marker := _MARKER.match(line)) else 0
        for match in _CITED.finditer(line, end):
            text, stop = " ".join(line[end : match.start()].split()), match[2].strip()
            end = match.end()
            if stop and not text.endswith(stop):
                text += stop
            parts = [part for part in sentencex.segment("en", text) if _WORD.search(part)]
            for part in parts[:-1]:
                yield part, ()
            if parts:
                yield one_line(text), tuple(dict.fromkeys(_spans(match[1])))
        if _WORD.search(line[end:]):
            yield line[end:], ()


def _spans(cited: str) -> Iterator[int]:
    for first, last in _SPAN.findall(cited):
        yield from range(int(first), min(int(last or first), int(first) + 50) + 1)


def unfounded(text: str, ground_text: str) -> str:
    """What of a sentence does not stand in its ground, in words; "" when all of it does."""
    return next(_faults(_plain(text), _Ground(text=_plain(ground_text))), "")


def _plain(text: str) -> str:
    """Without marks that are not seen and spellings that only look different."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def _faults(text: str, ground: _Ground) -> Iterator[str]:
    for address in _ADDRESS.findall(text):
        if fold(address.strip("<>()[].,;:!?\"'")) not in ground.folded:
            yield "names an address that is not in its sources"
    if any(sign in text and sign not in ground.text for sign in _SIGNS):
        yield "has a sign of amount that is not in its sources"
    yield from (
        f"has the number {number}, which is not in its sources"
        for number in _numbers(text)
        if number not in ground.numbers
    )
    words = [match[0] for match in _WORD.finditer(text)]
    for date in dates(text, words):
        borders = (r"(?<!\w)", r"(?!\w)") if date.isascii() else ("", "")  # some scripts have no blanks between words
        if not re.search(f"{borders[0]}{re.escape(fold(date))}{borders[1]}", ground.folded):
            yield f"has the date {date!r}, which is not in its sources"
    if (set(index_words(text)) & NUMBER_WORDS) - _EVERYDAY - ground.stems:
        yield "has a number word that is not in its sources"
    for position, word in enumerate(words):
        if not _is_founded(word, ground, opens=position == 0):
            yield f"names {word!r}, which is not in its sources"


def _is_founded(word: str, ground: _Ground, *, opens: bool) -> bool:
    """Whether a word is no name, or one that the ground has."""
    if runs := _DENSE.findall(word):
        pairs = (run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1)))
        return all(unicodedata.normalize("NFKC", pair).casefold() in ground.folded for pair in pairs)
    folded = fold(_POSSESSIVE.sub("", word))
    if not any(char.isupper() or char.istitle() for char in word):
        known = folded in ground.words or folded in STOP_WORDS or not any(map(str.isalpha, folded))
        return known or any(char.islower() for char in word) or _is_near(folded, ground)
    if folded in STOP_WORDS:  # "will" is none, "Will" may be one
        return opens or len(folded) == 1 or folded in ground.capital or word.isupper()
    if folded in ground.words or folded.removesuffix("s") in ground.words or (opens and folded in OPENING_WORDS):
        return True
    if set(index_words(word)) <= (ground.stems if opens else ground.capital):
        return True
    parts = _parts(folded)
    return len(parts) > 1 and all(part in ground.words for part in parts)


def _is_near(folded: str, ground: _Ground) -> bool:
    """A word of letters without case: with or without what such languages put in front of or behind it."""
    return any(len(known) > 2 and (known in folded or folded in known) for known in ground.words)


def _parts(word: str) -> list[str]:
    return [part for part in re.split(r"[-'’.&]", word) if part]


def _numbers(text: str) -> Iterator[str]:
    """Numbers in one spelling: Western digits, no marks between thousands, a point before decimals."""
    plain = "".join(str(unicodedata.digit(c)) if c.isdigit() and not c.isascii() else c for c in text)
    for match in _NUMBER.finditer(plain):
        number = _GROUP.sub("", match[0])
        yield number.replace(",", ".") if number.count(",") == 1 else number
