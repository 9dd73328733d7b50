"""Where in a passage the words of a question stand, so that a person sees at once why it was found."""

from __future__ import annotations

import re

from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.core.recall.words import index_words, query_words

_WORD = re.compile(r"\w+")


def marked(query: str, content: str) -> tuple[tuple[int, int], ...]:
    """Spans (start, end) of `content` that hold a word of `query`, in whatever inflection; in order, apart."""
    wanted = set(query_words(query))
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(content):
        for start, end in _held(match, wanted):
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
    return tuple(spans)


def _held(match: re.Match[str], wanted: set[str]) -> list[tuple[int, int]]:
    """The whole word, or of a script without blanks the pairs of signs that are wanted."""
    word = match.group()
    if word.casefold() in STOP_WORDS and word.casefold() not in wanted:
        return []
    found = index_words(word)
    if len(found) > 1 and not word.isascii():
        pairs = [(at, at + 2) for at in range(len(word) - 1) if word[at : at + 2] in wanted]
        return [(match.start() + start, match.start() + end) for start, end in pairs]
    return [match.span()] if wanted.intersection(found) else []
