"""A part of a name -> the entities it may mean: without accents, words in any order; close spellings come last."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

from vaultmem.core.notes.ids import fold

#: How alike a misspelt name must be (difflib's ratio).
_ALIKE = 0.75
#: Combining marks of Europe's alphabets; in other scripts a mark is a letter of its own.
_ACCENTS = re.compile("[\u0300-\u036f]")
_WORDS = re.compile(r"[^\W_]+")


class Named(NamedTuple):
    """An entity with all its names and how many passages name it; a tuple, for a vault has thousands."""

    id: str
    kind: str
    display_name: str
    aliases: tuple[str, ...]
    mentions: int
    note_path: str
    #: names that count but are no aliases to be shown: addresses, handles, spellings merged into it
    also: tuple[str, ...] = ()
    #: what `spelt` makes of all this once, so that a question need not
    folded: str = ""
    plain: tuple[str, ...] = ()
    text: str = ""


def spelt(item: Named) -> Named:
    """The same with its names as questions are compared with them."""
    plain = tuple(_plain(name) for name in (item.display_name, *item.aliases, *item.also))
    return item._replace(folded=fold(item.id), plain=plain, text="\n".join(plain))


def look_up(query: str, named: Sequence[Named], kinds: Collection[str]) -> tuple[tuple[Named, ...], bool]:
    """Those of `named` (as `spelt` gives them) that fit, best first; whether only misspellings of the query were found.

    A name fits when it holds every word of the query. Names that hold them as words stand before those in which they
    begin a word, and these before those that hold them in the middle ("Ann" means Ann before Anna before Hannah); then
    the most mentioned comes first. Of misspellings the nearest comes first.
    """
    allowed = [item for item in named if not kinds or item.kind in kinds]
    if found := _look_up_id(query, allowed):
        return found, False
    words = _plain(query.lstrip("@#")).split()
    if not words:  # every name holds them
        return tuple(sorted(allowed, key=_rank)), False
    fits = [(place, item) for item in allowed if (place := _fit(words, item)) is not None]
    if fits:
        return tuple(item for _, item in sorted(fits, key=lambda fit: (fit[0], *_rank(fit[1])))), False
    near = [(_nearness(" ".join(words), item.plain), item) for item in allowed]
    close = sorted((each for each in near if each[0] >= _ALIKE), key=lambda each: (-each[0], *_rank(each[1])))
    return tuple(item for _, item in close), bool(close)


def _look_up_id(query: str, named: Sequence[Named]) -> tuple[Named, ...]:
    wanted = fold(query)
    return tuple(item for item in named if item.folded == wanted)


def _rank(item: Named) -> tuple[int, str, str]:
    return (-item.mentions, item.display_name, item.id)


def _fit(words: Sequence[str], item: Named) -> int | None:
    """0: the words are words of a name; 1: they begin some; 2: they stand in the middle; None: no name holds them."""
    for word in words:  # nearly all names end here
        if word not in item.text:
            return None
    places = [_place(words, name) for name in item.plain if all(word in name for word in words)]
    return min(places, default=None)


def _place(words: Sequence[str], name: str) -> int:
    spellings = (f" {_parted(name)} ", f" {name} ")
    if all(any(f" {word} " in spelling for spelling in spellings) for word in words):
        return 0
    return 1 if all(any(f" {word}" in spelling for spelling in spellings) for word in words) else 2


def _parted(name: str) -> str:
    """`ann.lee@example.com` begins with `lee` too."""
    return " ".join(_WORDS.findall(name))


def _nearness(query: str, names: Sequence[str]) -> float:
    """How alike the query and the nearest name, or part of a name, are; 0 for what is not worth comparing."""
    best = 0.0
    compared = difflib.SequenceMatcher(b=query)
    for part in dict.fromkeys(part for name in names for part in (name, *_WORDS.findall(name))):
        compared.set_seq1(part)
        if compared.real_quick_ratio() >= _ALIKE and compared.quick_ratio() >= _ALIKE:
            best = max(best, round(compared.ratio(), 3))
    return best


def _plain(text: str) -> str:
    """Folded and, for Latin, Greek and Cyrillic letters, without accents, so that `Ines` finds `Inês`."""
    parted = unicodedata.normalize("NFD", fold(text))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parted))
