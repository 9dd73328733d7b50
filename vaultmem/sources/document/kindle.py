"""Kindle's `My Clippings.txt` in any language: one document per book, its highlights with their notes."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import SkippedSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.note_html import document_body
from vaultmem.sources.document.place import document_id, scope_of
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.document.recognise import CLIPPING_META, clipping_blocks
from vaultmem.sources.document.written import parse_written
from vaultmem.sources.text import decode

_NUMBERS = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
#: What the kinds are called, as beginnings of words.
_KINDS = (
    ("bookmark", re.compile(
        r"bookmark|lesezeichen|marcador\b|signet|segnalibro|bladwijzer|закладк|zakładk|yer imi"
        r"|ブックマーク|书签|書籤|책갈피",
        re.IGNORECASE)),
    ("note", re.compile(
        r"\bnotes?\b|notiz|\bnotas?\b|notitie|\baantekening|заметк|メモ|笔记|筆記|메모|notatk|\bnotun|poznámk|märkning",
        re.IGNORECASE)),
    ("highlight", re.compile(
        r"highlight|markierung|subrayado|surlign|evidenziazion|destaque|markering|выдел|ハイライト|标注|標註|하이라이트"
        r"|zaznaczeni|vurgu|clip|article",
        re.IGNORECASE)),
)  # fmt: skip
_PAGE = re.compile(
    r"\b(?:page|seite|página|pagina|pág|strona|stronie|sayfa|страниц|sida|side)|ページ|页|頁|페이지", re.IGNORECASE
)
#: Clippings of a stretch that a new one is compared with: drawings of one highlight follow each other.
_NEAR = 200
#: Locations that are looked through together.
_STRETCH = 64
_ADDRESS = re.compile(r"\S+@\S+\.\S+|\d{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clipping:
    """One block of the file."""

    book: str
    #: highlight | note | bookmark | limit (the book gave no text)
    kind: str
    text: str
    #: as written: "12", "180-182"; "" where there is none
    page: str
    location: str
    #: local, without zone
    at: datetime | None
    #: first and last location, or page where there is no location; (-1, -1) without either
    span: tuple[int, int]
    #: the text's words alone: quotes and blanks at the edges come and go with each drawing
    words: str
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Book:
    """What one book gathers: the first clipping names it in every later export of the device."""

    title: str
    author: str
    first: _Clipping
    held: list[_Clipping] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    #: stretch of the book -> what was clipped there, as indexes into `held`
    places: dict[int, list[int]] = field(default_factory=dict)
    limited: bool = False


def read_kindle(raw: RawFile, settings: Settings) -> Reading:
    """All books of the file. Raises SkippedSource when it holds no clipping."""
    books: dict[str, _Book] = {}
    for lines in clipping_blocks(decode(raw.data[:])):
        clipping = _clipping(lines)
        if clipping:
            title, author = _named(clipping.book)
            book = books.setdefault(fold(clipping.book), _Book(title, author, clipping))
            _keep(book, clipping)
    if not books:
        raise SkippedSource("a file of Kindle clippings without any: nothing to import")
    return Reading(
        format="kindle",
        kind="document",
        tz=f"none in file, assumed {settings.timezone}",
        zone_known=False,
        items=_items(raw, list(books.values()), settings.zone),
    )


def _items(raw: RawFile, books: Sequence[_Book], zone: ZoneInfo) -> Iterator[SourceItem]:
    seen: Counter[str] = Counter()
    for book in books:
        seen[book.title] += 1
        number = f" #{seen[book.title]}" if seen[book.title] > 1 else ""
        yield _document(raw, book, number, zone)
        if book.limited:
            yield Warn(text=f"{book.title}: the book's limit for clippings was reached; some have no text")


def _document(raw: RawFile, book: _Book, number: str, zone: ZoneInfo) -> Document:
    times = [at.replace(tzinfo=zone).astimezone(UTC) for at in book.times]
    parts = [f"*{as_markdown(book.author)}*" if book.author else "", *map(_shown, _with_notes(book))]
    return Document(
        source_id=document_id(f"{raw.name}/{book.title}{number}"),
        tree_scope=f"{scope_of(raw.name)}/Kindle",
        title=book.title,
        body=document_body(book.title, *parts),
        provider="document",
        created_at=min(times, default=raw.modified_at.astimezone(UTC)),
        time_from="metadata" if times else "file",
        own_id=_own_id(book),
        properties={"title": book.title} | ({"author": book.author} if book.author else {}),
        author="; ".join(name.strip() for name in book.author.split(";") if name.strip()),
        last_at=max(times, default=None),
    )


def _own_id(book: _Book) -> str:
    """The book on this device: its first clipping stays where it is while the file grows."""
    first = book.first
    if first.at is None:
        return ""
    told = f"{fold(first.book)}\0{first.kind}\0{first.location or first.page}"
    return f"kindle:{first.at:%Y%m%dT%H%M%S}-{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _clipping(block: Sequence[str]) -> _Clipping | None:
    lines = [line.rstrip() for line in block]
    if not lines or not lines[0].strip():
        return None
    meta = lines[1] if len(lines) > 1 and CLIPPING_META.match(lines[1]) else ""
    text = "\n".join(lines[2 if meta else 1 :]).strip("\n")
    *places, added = [part.strip() for part in meta.split("|")] if "|" in meta else [meta, ""]
    if parse_written(added) is None and places:
        places.append(added)
    page, location = _places(places)
    return _Clipping(
        book=" ".join(lines[0].split()),
        kind=_kind(places[0] if places else "", text, location or page),
        text=text,
        page=page,
        location=location,
        at=parse_written(added),
        span=_span(location or page),
        words=re.sub(r"\W+", " ", fold(text)).strip(),
    )


def _span(place: str) -> tuple[int, int]:
    match = _NUMBERS.search(place)
    # A number of a thousand digits is no place, and no int either.
    return (int(match[1][:9]), max(int((match[2] or match[1])[:9]), int(match[1][:9]))) if match else (-1, -1)


def _kind(words: str, text: str, place: str) -> str:
    """What the line says it is; in a language we do not know, what it looks like."""
    for kind, pattern in _KINDS:
        if pattern.search(words):
            return kind
    if not text.strip():
        return "bookmark"
    return "note" if re.fullmatch(r"\d+", place) else "highlight"


def _places(parts: Sequence[str]) -> tuple[str, str]:
    """(page, location) of what stands before the date."""
    page = location = ""
    for part in parts:
        numbers = [f"{m[1]}-{m[2]}" if m[2] else m[1] for m in _NUMBERS.finditer(part)]
        if numbers and _PAGE.search(part):
            page, location = numbers[0], next(iter(numbers[1:]), location)
        elif numbers:
            location = numbers[0]
    return page, location


def _named(book: str) -> tuple[str, str]:
    """(title, author): the last brackets name the author, unless an address or a year stands there."""
    if not book.endswith(")"):
        return book, ""
    depth, at = 0, len(book)
    for at in range(len(book) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(book[at], 0)
        if depth == 0:
            break
    title, inside = book[:at].strip(), book[at + 1 : -1].strip()
    if depth or not title or not inside:
        return book, ""
    if _ADDRESS.fullmatch(inside):
        return (title if "@" in inside else book), ""
    return title, inside


def _keep(book: _Book, new: _Clipping) -> None:
    """Add a clipping, or let it take the place of the one it extends: a highlight drawn again replaces the first."""
    if new.at:
        book.times.append(new.at)
    text = new.text.strip()
    if new.kind == "bookmark" and not text:
        return
    if new.kind != "note" and text.startswith("<") and text.endswith(">") and "\n" not in text:
        book.limited = True
        new = replace(new, kind="limit", text="")
    stretches = _stretches(new.span)
    for at in sorted({at for stretch in stretches for at in book.places.get(stretch, ())[-_NEAR:]}):
        longer = _longer(book.held[at], new)
        if longer:
            book.held[at] = longer
            break
    else:
        at = len(book.held)
        book.held.append(new)
    for stretch in stretches:
        book.places.setdefault(stretch, []).append(at)


def _stretches(span: tuple[int, int]) -> range:
    """The stretches of the book a clipping lies in: whatever touches it lies in one of them too."""
    return range(span[0] // _STRETCH, min(span[1] // _STRETCH, span[0] // _STRETCH + 100) + 1)


def _longer(old: _Clipping, new: _Clipping) -> _Clipping | None:
    """The longer of two clippings of the same words at the same place; None where they are two."""
    if old.kind != new.kind or not _touch(old.span, new.span):
        return None
    one, other = old.words, new.words
    if old.kind == "note":
        # A note edited on the device is written once more, with the later time.
        return new if one == other or (old.span == new.span and other.startswith(one)) else None
    if one in other:
        return new if len(new.text) > len(old.text) else old
    return old if other in one else None


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _with_notes(book: _Book) -> list[_Clipping]:
    """The highlights with the notes that belong to them; a note without a highlight stands alone."""
    held = list(book.held)
    homeless = set()
    for note_at, note in enumerate(held):
        if note.kind != "note":
            continue
        near = {at for stretch in _stretches(note.span) for at in book.places.get(stretch, ())}
        homes = [at for at in near if held[at].kind == "highlight" and _touch(held[at].span, note.span)]
        if note.span[0] < 0 or not homes:
            homeless.add(note_at)
            continue
        best = min((abs(held[at].span[1] - note.span[1]), _apart(held[at], note), at) for at in homes)[2]
        held[best] = replace(held[best], notes=(*held[best].notes, note.text.strip()))
    return [clipping for at, clipping in enumerate(held) if clipping.kind != "note" or at in homeless]


def _apart(one: _Clipping, other: _Clipping) -> float:
    return abs((one.at - other.at).total_seconds()) if one.at and other.at else 0.0


def _shown(clipping: _Clipping) -> str:
    """A highlight as a quotation with its place below, notes behind it."""
    place = ", ".join(
        part
        for part in (
            f"page {clipping.page}" if clipping.page else "",
            f"location {clipping.location}" if clipping.location else "",
            f"{clipping.at:%Y-%m-%d %H:%M}" if clipping.at else "",
        )
        if part
    )
    if clipping.kind == "limit":
        return f"No text: the book's limit for clippings was reached ({place})."
    text = as_markdown(clipping.text.strip())
    if clipping.kind == "note":
        return f"Note: {text}\n({place})" if place else f"Note: {text}"
    quote = "\n".join(f"> {line}".rstrip() for line in [*text.split("\n"), *(["", f"({place})"] if place else [])])
    return "\n\n".join([quote, *(f"Note: {as_markdown(note)}" for note in clipping.notes)])
