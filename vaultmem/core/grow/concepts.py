"""What a sentence speaks of: its concepts with the weight of their kind (algorithms of FACET, step 2).

concepts_of('Ann paid 40 EUR for "Blue Note"')  -> {"n:40": 2.0, 'q:blue note': 2.5, "w:paid": 1.0, ...}

Keys carry their kind, so that the number 5 and a word are never one concept.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from vaultmem.core.grow.calendar_words import NUMBER, NUMBER_WORDS, dates, is_calendar_word
from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.core.recall.words import index_words

IDENTIFIER, QUOTE, NAME, NUMBER_KIND, DATE_KIND, STEM, NUMBER_WORD, BIGRAM = 3.0, 2.5, 2.0, 2.0, 1.5, 1.0, 0.8, 0.5

#: First letter of a concept's key -> weight of its kind.
WEIGHTS = {
    "i": IDENTIFIER, "q": QUOTE, "p": NAME, "n": NUMBER_KIND, "d": DATE_KIND, "w": STEM, "o": NUMBER_WORD, "b": BIGRAM,
}  # fmt: skip

_IDENTIFIER = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w/&])[@#][^\W\d][\w-]*|`[^`\n]{1,80}`"
    r"|(?<![\w-])[A-Z]{2,10}-\d{1,8}(?!\w)"
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{3,80})[\"”“»]|「([^」\n]{2,40})」")
_WORD = re.compile(r"[^\W\d_][\w'’]*(?:-\w+)*")


@lru_cache(maxsize=1)
def _stop_stems() -> frozenset[str]:
    return frozenset(index_words(" ".join(sorted(STOP_WORDS))))


def concepts_of(text: str) -> Mapping[str, float]:
    """Concept -> weight of its kind, in order of appearance."""
    return {concept: WEIGHTS[concept[0]] for concept in concept_keys(text)}


@lru_cache(maxsize=16384)
def concept_keys(text: str) -> tuple[str, ...]:
    """The concepts alone. Remembered, for a seal asks for each sentence more than once: names and not weights, each
    name once in memory however many sentences hold it, so that a sentence takes half a kilobyte.
    """
    return tuple(map(sys.intern, _found_in(text)))


def _found_in(text: str) -> Iterator[str]:
    found: dict[str, None] = {}
    for match in _IDENTIFIER.finditer(text):
        found[f"i:{match[0].casefold().rstrip('.,;:!?)')}"] = None
    for match in _QUOTED.finditer(text):
        found[f"q:{(match[1] or match[2]).strip().casefold()}"] = None
    words = list(_WORD.finditer(text))
    for name in _names(text, words):
        found[f"p:{name.casefold()}"] = None
    for match in NUMBER.finditer(text):
        found[f"n:{match[0]}"] = None
    for date in dates(text, [match[0] for match in words]):
        found[f"d:{date.casefold()}"] = None
    before = ""
    for stem in stems_of(text):
        if stem in NUMBER_WORDS:
            found[f"o:{stem}"] = None
        found[f"w:{stem}"] = None
        if before:
            found[f"b:{before} {stem}"] = None
        before = stem
    return iter(found)


def stems_of(text: str) -> list[str]:
    """Content words without inflection, in order: no stop words, no digits; of dense scripts the bigrams."""
    stop = _stop_stems()
    return [word for word in index_words(text) if word not in stop and not _is_bare(word)]


def _is_bare(word: str) -> bool:
    return word.isdigit() or (len(word) == 1 and not word.isascii())


def _names(text: str, words: Sequence[re.Match[str]]) -> Iterator[str]:
    """Runs of capitalised words; the first word of the sentence only when the run goes on."""
    run: list[str] = []
    opens, last = False, -1
    for position, match in enumerate(words):
        named = _is_name(match[0])
        if run and (not named or text[last : match.start()] != " "):
            yield from _named(run, opens=opens)
            run = []
        if named:
            opens = opens if run else position == 0
            run.append(match[0])
        last = match.end()
    yield from _named(run, opens=opens)


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word.casefold() not in STOP_WORDS and not is_calendar_word(word)


def _named(run: Sequence[str], *, opens: bool) -> Iterator[str]:
    if run and (len(run) > 1 or not opens):
        yield " ".join(run)
