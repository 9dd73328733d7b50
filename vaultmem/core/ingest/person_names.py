"""A name of a person taken apart, and how two names may mean one person.

read_name("Petrov, Dr. Jonas K.")  -> given "jonas", middle "k", surname "petrov"
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from vaultmem.core.notes.ids import fold

_TITLES_TEXT = "dr prof mr mrs ms miss mx sir dame herr frau hr fr sr sra mme mlle dipl ing mag"
_TITLES = frozenset(_TITLES_TEXT.split())
_DEGREES = frozenset(("phd", "md", "esq", "mba", "msc", "bsc"))
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[\"“”«»‹›]")
_WORD = re.compile(r"[^\s,;]+")
_LETTERS = re.compile(r"[^\W\d_]")
#: "O'Neil" and "ONeil", "Anna-Maria" and "Anna Maria"
_DROPPED = str.maketrans({"'": "", "’": "", "`": "", ".": " ", "-": " ", "_": " "})


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """A name's parts without case and accents."""

    #: all words but titles and suffixes, in the order given name first
    words: tuple[str, ...]
    #: Jr, Sr, III
    suffixes: frozenset[str]

    @property
    def full(self) -> str:
        """The words in one text."""
        return " ".join(self.words)

    @property
    def given(self) -> str:
        """The first word."""
        return self.words[0]

    @property
    def middle(self) -> str:
        """Initials between the first and the last word."""
        return "".join(word[0] for word in self.words[1:-1])

    @property
    def surname(self) -> str:
        """The last word; "" for a name of one word."""
        return self.words[-1] if len(self.words) > 1 else ""


def read_name(text: str) -> PersonName | None:
    """The parts of a name; None for an address, a number, or nothing."""
    if "@" in text or not _LETTERS.search(text):
        return None
    first, comma, rest = _ASIDE.sub(" ", text).partition(",")
    suffix_only = all(word in _SUFFIXES | _DEGREES for word in _words(rest))
    words = _words(f"{first} {rest}" if suffix_only else f"{rest} {first}") if comma else _words(first)
    # "Sr" stands behind a name, "Sr." (señor) in front of one.
    while len(words) > 1 and words[0] in _TITLES:
        words = words[1:]
    suffixes = {word for word in words[1:] if word in _SUFFIXES}
    kept = tuple(word for n, word in enumerate(words) if n == 0 or word not in _SUFFIXES | _DEGREES)
    return PersonName(words=kept, suffixes=frozenset(suffixes)) if kept else None


def name_of_address(email: str) -> PersonName | None:
    """The name that `first.last@…` spells; None for an address that spells none."""
    parts = re.split(r"[._-]", email.partition("@")[0].partition("+")[0])
    spells = len(parts) == 2 and all(len(part) > 1 and part.isalpha() for part in parts)
    return read_name(" ".join(parts)) if spells else None


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", fold(text))
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(unicodedata.normalize("NFC", bare).translate(_DROPPED))


def same_given(one: str, other: str) -> bool:
    """One first name in two forms: equal, or a nickname of the other or of a name both may stand for."""
    return not given_roots(one).isdisjoint(given_roots(other))


@cache
def given_roots(given: str) -> frozenset[str]:
    """The first name itself and the full forms it may stand for."""
    return frozenset({given, *_canonicals().get(given, ())})


@cache
def _canonicals() -> Mapping[str, frozenset[str]]:
    from nicknames import name_triplets  # a table of 70 kB: only who has two people to compare pays for it

    found: dict[str, set[str]] = {}
    for canonical, relation, nickname in name_triplets():
        if relation == "has_nickname":
            found.setdefault(nickname, set()).add(canonical)
    return {nickname: frozenset(names) for nickname, names in found.items()}
