"""Names without a model: capitalised words where a sentence gives them no other reason to be capitalised.

- A run of two or three capitalised words inside a sentence is a name. At the start of a sentence (a line, a heading)
  the first capital says nothing, so the run counts only if it also stands inside a sentence of the same chunk.
- A single capitalised word counts when it stands inside sentences at least twice, or with an honorific ("Dr. Bose") or
  a company's ending ("Acme GmbH"), which count anywhere.
- Kinds: an organization by its ending or its word (University), a location by its word (Street, Lake), a project
  ("Project Falcon"), a person by an honorific or as a run of two or three words, else a topic.

Scripts without capitals give no names here; the registry's names are found by `Registry.find`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from vaultmem.core.ingest import name_words as words
from vaultmem.model import EntityKind

_WORD = re.compile(r"[^\W_]+(?:['’&\-][^\W_]+)*\.?")
#: What ends a sentence when it stands between two words; also brackets, quotes and bullets open one.
_BREAK = re.compile(r"[.!?…:;。！？|\n•*>\"“”„«»(\[]|^\s*[-–—]\s|\s[-–—]\s")
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,6}[ \t].*$")
_MAX_RUN = 5
_MAX_NAME = 3
_MIN_SEEN = 2
#: Texts whose runs are remembered: most messages.
_SHORT = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A capitalised name as written."""

    text: str
    kind: EntityKind


class _Word(NamedTuple):
    """One word and how it stands."""

    #: without a full stop behind it and without a genitive
    text: str
    #: first character
    at: int
    #: capitalised, and no word of the stop lists
    named: bool
    #: the first word after a sentence's end
    opens: bool
    #: white space alone between it and the word before
    joined: bool


#: Any word in small letters: it ends a run.
_PLAIN = _Word(text="", at=0, named=False, opens=False, joined=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Neighbouring capitalised words."""

    text: str
    size: int
    opens: bool
    #: kind that its own words show, "" for none
    shown: EntityKind | None


def find_names(texts: Sequence[str]) -> tuple[tuple[Name, ...], ...]:
    """Names of each text; what stands inside a sentence in one text of the chunk vouches for the others."""
    runs = [_short_runs(text) if len(text) <= _SHORT else (*_runs(text),) for text in texts]
    inside = _inside(run for found in runs for run in found if not run.opens)
    singles = sum(_german(text) for text in texts) * 2 <= len(texts)
    return tuple(tuple(_names(found, inside, singles=singles)) for found in runs)


def _inside(runs: Iterable[_Run]) -> dict[str, list[EntityKind | None]]:
    """Folded text of the runs that stand inside sentences -> the kinds their words show there."""
    found: dict[str, list[EntityKind | None]] = {}
    for run in runs:
        found.setdefault(run.text.casefold(), []).append(run.shown)
    return found


def _names(runs: Sequence[_Run], inside: dict[str, list[EntityKind | None]], *, singles: bool) -> Iterator[Name]:
    for run in runs:
        seen = inside.get(run.text.casefold(), [])
        shown = run.shown or next((kind for kind in seen if kind), None)
        if shown is not None:
            yield Name(text=run.text, kind=shown)
        elif 1 < run.size <= _MAX_NAME and (not run.opens or seen):
            yield Name(text=run.text, kind="person")
        elif run.size == 1 and singles and len(seen) >= _MIN_SEEN and len(run.text) > 1:
            yield Name(text=run.text, kind="topic")


def _words(text: str) -> Iterator[_Word]:
    """The words in order. Headings are titles: every word of theirs opens a sentence."""
    titles = [match.span() for match in _HEADING.finditer(text)]
    last, title = 0, 0
    dotted = False
    for match in _WORD.finditer(text):
        while title < len(titles) and titles[title][1] <= match.start():
            title += 1
        in_title = title < len(titles) and titles[title][0] <= match.start()
        written = match.group()
        if written[0].islower() and written not in words.JOINING and written.casefold() not in words.ENDINGS:
            last, dotted = match.end(), written[-1] == "."
            yield _PLAIN
            continue
        between = text[last : match.start()]
        word, ends = _bare(written)
        opens = last == 0 or dotted or in_title or _BREAK.search(between) is not None
        yield _Word(
            text=word,
            at=match.start(),
            named=word[0].isupper() and word.casefold() not in words.NEVER and not _shouted(word),
            opens=opens,
            joined=last > 0 and not dotted and between.isspace() and "\n" not in between,
        )
        last, dotted = match.end(), ends


def _bare(word: str) -> tuple[str, bool]:
    """The word without a full stop, and whether that stop ends a sentence: not behind "Dr." or an initial."""
    if not word.endswith("."):
        return word.removesuffix("'s").removesuffix("’s"), False
    stem = word[:-1]
    short = (
        stem.casefold() in words.HONORIFICS or (len(stem) == 1 and stem.isupper()) or stem.casefold() in words.ENDINGS
    )
    return stem, not short


def _shouted(word: str) -> bool:
    """Long words in capitals are emphasis; short ones are acronyms."""
    return len(word) > 6 and word.isupper()


def _runs(text: str) -> Iterator[_Run]:
    """Maximal runs of capitalised words, with the small words that join names ("van", "of") between them."""
    run: list[_Word] = []
    links: list[_Word] = []
    for word in _words(text):
        if run and word.joined and (word.named or word.text.casefold() in words.ENDINGS):
            run += [*links, word]
            links = []
        elif run and word.joined and len(links) < 2 and _links(run[-1], word):
            links.append(word)
        else:
            yield from _closed(text, run)
            run, links = ([word] if word.named else []), []
    yield from _closed(text, run)


@lru_cache(maxsize=4096)
def _short_runs(text: str) -> tuple[_Run, ...]:
    """`_runs`, remembered: a chunk is looked through when it is judged, when it is indexed, and for a new registry."""
    return (*_runs(text),)


def _links(before: _Word, word: _Word) -> bool:
    """True for "van" in a name, and for "of" behind what can be of something: "Bank of", "University of"."""
    if word.text in ("of", "the"):
        return before.text.casefold() in words.ORGANIZATIONS
    return word.text in words.JOINING


def _closed(source: str, run: list[_Word]) -> Iterator[_Run]:
    """The run as a name: an honorific in front goes, so does a first word that only opens its sentence."""
    if not run or len(run) > _MAX_RUN:
        return
    opens, honoured = run[0].opens, False
    while run and run[0].text.casefold() in words.HONORIFICS:
        run, honoured = run[1:], True
    if run and opens and not honoured and run[0].text.casefold() in words.OPENERS:
        run, opens = run[1:], False
    if not run:
        return
    size = sum(word.text not in words.JOINING for word in run)
    text = " ".join(source[run[0].at : run[-1].at + len(run[-1].text)].split())
    yield _Run(
        text=text, size=size, opens=opens and not honoured, shown=_shown(run, size, honoured=honoured, opens=opens)
    )


def _shown(run: Sequence[_Word], size: int, *, honoured: bool, opens: bool) -> EntityKind | None:
    """The kind that the words themselves show, or None."""
    if honoured and size <= _MAX_NAME:
        return "person"
    first, last = run[0].text.casefold(), run[-1].text.casefold()
    if size > 1 and last in words.ENDINGS:
        return "organization"
    if size < 2 or opens:
        return None
    return _shown_inside(first, last, {word.text.casefold() for word in run})


def _shown_inside(first: str, last: str, parts: set[str]) -> EntityKind | None:
    """The kind of a run inside a sentence by its first, last or any word."""
    if first in words.PROJECTS:
        return "project"
    if parts & words.ORGANIZATIONS:
        return "organization"
    if first in words.PLACE_FIRST or last in words.PLACE_LAST:
        return "location"
    return "topic" if last in words.THINGS or "of" in parts else None


def _german(text: str) -> bool:
    """True for text whose nouns are capitalised anyway, so that a single capital says nothing."""
    low = {word.casefold() for word in re.findall(r"\w+", text[:2000])}
    return len(low & words.GERMAN) >= 2
