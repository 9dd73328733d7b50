"""Facts that a person states of themselves in a turn: a key, and the value in their own words.

statements("I prefer tea over coffee. My dog is called Rex?")  -> key "prefers tea over coffee", value "tea over coffee"

Errs towards saying nothing: what is asked, supposed, quoted, code or about the talk itself is no fact. The same pattern
gives the same key, so that a later statement takes the place of an earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from vaultmem.core.ingest import statement_words as words
from vaultmem.core.notes.ids import fold

#: Longer values are stories.
MAX_VALUE = 300
_MAX_SENTENCE = 500
#: Facts one turn may give: more is a pasted page.
MOST = 20
_KEY_WORDS = 5
_NAME_WORDS = 4
_CODE = re.compile(r"(?ms)^[ \t]{0,3}(`{3,}|~{3,}).*?(?:^[ \t]{0,3}\1[ \t]*$|\Z)|`[^`\n]*`")
_SENTENCE = re.compile(r"[^\n.!?。！？]+(?:[.!?](?!\s|$)[^\n.!?。！？]*)*[.!?。！？]*")
_QUOTED = re.compile(r"[ \t]*(?:>|\||#|-{3,}|[-*+] \[)")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_EDGES = ' \t"“”„«»*_'
_QUESTION = re.compile(r"[?？؟]\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One fact as it was said."""

    key: str
    #: verbatim
    value: str


def statements(text: str) -> tuple[Statement, ...]:
    """The facts of a turn in order, the last of each key."""
    found: dict[str, Statement] = {}
    for clause in _clauses(text):
        stated = _stated(clause)
        if stated:
            found.pop(fold(stated.key), None)
            found[fold(stated.key)] = stated
        if len(found) == MOST:
            break
    return tuple(found.values())


def _clauses(text: str) -> Iterator[str]:
    """The sentences that say something of their own, cut where another statement begins."""
    for line in _CODE.sub(" ", text).split("\n"):
        if _QUOTED.match(line):
            continue
        for match in _SENTENCE.finditer(_LIST.sub("", line, count=1)):
            sentence = match.group().strip(_EDGES)
            if len(sentence) <= _MAX_SENTENCE and not _QUESTION.search(sentence) and not _supposing().match(sentence):
                yield from _divider().split(sentence)


def _stated(clause: str) -> Statement | None:
    bare = _opening().sub("", clause.strip(_EDGES)).rstrip(" .!。！,，;；…").strip(_EDGES)
    for pattern in _remembered():
        match = pattern.fullmatch(bare)
        if match:
            inner = match["v"].strip(_EDGES)
            return _plain(inner) or _made(f"remember {_head(inner)}", inner)
    return _plain(bare)


def _plain(bare: str) -> Statement | None:
    """The first pattern that the whole clause fits."""
    for name, pattern in _patterns():
        match = pattern.fullmatch(bare)
        if match:
            parts = match.groupdict()
            return _keyed(name, parts.get("k") or "", match["v"].strip(_EDGES), (parts.get("p") or "").strip())
    return None


def _keyed(name: str, owned: str, value: str, purpose: str) -> Statement | None:
    if not name:
        last = fold(owned).split()
        passing = not last or last[-1] in words.PASSING or len(last) > _KEY_WORDS or _mood().match(value)
        return None if passing else _made(owned, value)
    if name in ("prefers", "uses"):
        return _made(f"{name} {fold(purpose) if purpose else _head(value)}", value)
    return None if name == "name" and not _is_name(value) else _made(name, value)


def _is_name(value: str) -> bool:
    """`call me when it is done` names nobody."""
    return len(value.split()) <= _NAME_WORDS and value[:1].isalpha() and not value[0].islower()


def _made(key: str, value: str) -> Statement | None:
    clean = " ".join(key.replace(":", " ").split())
    if not value or len(value) > MAX_VALUE or not any(char.isalnum() for char in value) or not clean:
        return None
    return Statement(key=clean, value=value)


def _head(value: str) -> str:
    """The first words of a value, as far as a key goes."""
    return " ".join(fold(value).split()[:_KEY_WORDS])[:60]


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in words.STATEMENTS)


@lru_cache(maxsize=1)
def _remembered() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in words.REMEMBER)


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    return re.compile(rf"\A(?:(?:{words.OPENINGS})\b[,:!]?\s+)+", re.IGNORECASE)


@lru_cache(maxsize=1)
def _supposing() -> re.Pattern[str]:
    opened = rf"(?:(?:{words.OPENINGS})\b,?\s+)*"
    return re.compile(rf"{opened}(?:(?:{words.SUPPOSING})\b|{words.SUPPOSING_UNSPACED})", re.IGNORECASE)


@lru_cache(maxsize=1)
def _mood() -> re.Pattern[str]:
    return re.compile(rf"(?:{words.MOODS})\s", re.IGNORECASE)


@lru_cache(maxsize=1)
def _divider() -> re.Pattern[str]:
    return re.compile(
        rf"[;；]\s*|,?\s+(?:{words.CONJUNCTIONS})\s+(?=(?:{words.SUBJECTS}))|[,，]\s*(?=(?:{words.SUBJECTS}))",
        re.IGNORECASE,
    )
