"""The user's own note -> the chunks that memory holds of it, where it stands. Nothing is written, nothing copied.

A pure function of the note's text, its time and the registry, so that reconcile, rebuild and a question's second look
agree. What is taken out as a secret leaves its line ends behind: line n here is line n of the user's note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from vaultmem.core.ingest.chunk import Piece, chunk_document
from vaultmem.core.ingest.identity import initial_positions
from vaultmem.core.ingest.redact import secrets_in
from vaultmem.core.notes.ids import body_sha256, fold, sha256_hex
from vaultmem.core.notes.links import property_links
from vaultmem.core.notes.markdown import document_passages, tags, unique_tags
from vaultmem.core.notes.paths import IN_PLACE, note_scope
from vaultmem.core.notes.properties import NoteParts, load_properties, split_note
from vaultmem.core.notes.region import BEGIN, END, region_of
from vaultmem.errors import BadProperties
from vaultmem.model import Chunk, Entry, FileStat, MemoryStatus, Mention, Passage, SourceKind

if TYPE_CHECKING:
    from vaultmem.core.ingest.entities import Registry
    from vaultmem.model import TokenCounter

#: Looks for secrets that an earlier mark uncovered.
_TURNS = 8
#: A heading that no note has: what stands above the body.
PROPERTIES = "properties"
#: Properties by which notes that vaultmem made are known wherever somebody moved them.
_MARKERS = ({"chunk_id", "body_sha256"}, {"node_id", "tree_kind"}, {"id", "display_name", "kind"},
            {"entity_id", "periods"}, {"tree_scope", "source_kind"})  # fmt: skip
#: A name in which a secret could stand; most names are words.
_DOUBTFUL = re.compile(r"(?=\S{8})\S*(?:\d\S*[^\W\d]|[^\W\d]\S*\d)|[:=@]|.{80}", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """A note of the user's, decoded, and what its file says of it."""

    path: str
    #: without secrets, line for line
    text: str
    #: its own time, aware UTC
    at: datetime
    properties: Mapping[str, object] = field(default_factory=dict)
    #: why its properties cannot be read; "" when they can
    warning: str = ""
    #: False: the text was made from something else (a canvas), so that it has no lines of its own
    has_lines: bool = True
    #: core.notes.ids.note_hash of its file
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChunk:
    """A chunk of a note in place, before anybody looks for names in it."""

    chunk: Chunk
    passages: tuple[Passage, ...]
    #: line of the note (1-based) on which the chunk's line 0 stands
    body_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is the same for every note: settings and a way to count."""

    owner: str
    pii: tuple[str, ...]
    #: tokens of a chunk at most
    limit: int
    count: TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How closely a note's Markdown is looked at."""

    #: body and the headings above it -> passages
    passages: Callable[[str, str], tuple[Passage, ...]] = document_passages
    #: body -> tags without #
    tags: Callable[[str], tuple[str, ...]] = tags


_IN_FULL = Look()


def is_ours(properties: Mapping[str, object], text: str) -> bool:
    """Whether a note that stands among the user's own was made by vaultmem: its output is never its input."""
    return (bool(properties) and any(marker <= properties.keys() for marker in _MARKERS)) or _is_generated(text)


def _is_generated(text: str) -> bool:
    """Whether the note's body is vaultmem's, between its marks, and headings."""
    found = region_of(split_note(text).body) if BEGIN in text else None
    if found is None:
        return False
    outside = found[1].split("\n")
    return all(not line.strip() or line.startswith("#") or line.rstrip() in (BEGIN, END) for line in outside)


def read_properties(text: str) -> tuple[dict[str, object], str]:
    """A note's properties and what is wrong with the note."""
    frontmatter = split_note(text).frontmatter or ""
    warning = _unsettled(text)
    try:
        return load_properties(frontmatter, strict=True), warning
    except BadProperties as problem:
        warning = f"properties not read: {problem}{'; ' if warning else ''}{warning}"
    try:  # keys that stand there twice are Obsidian's trouble
        return load_properties(frontmatter), warning
    except BadProperties:
        return {}, warning


def _unsettled(text: str) -> str:
    """What is wrong with a note in which git left both sides of a change; "" with any other."""
    marks = ("<<<<<<< ", "\n=======\n", "\n>>>>>>> ")
    return "git left both sides of a change in it (<<<<<<<): keep one" if all(mark in text for mark in marks) else ""


def estimate(text: str) -> int:
    """No fewer tokens than a counter of sub-words would find in almost any text: enough to cut by, and free."""
    size = len(text)
    more = 0 if text.isascii() else len(text.encode("utf-8", "replace")) - size
    return int(0.4 * size + 0.8 * more) + 1


def chunks_of_note(note: NoteText, by: Reading, look: Look = _IN_FULL) -> tuple[NoteChunk, ...]:
    """The note's chunks in order; none for a note without a word."""
    parts = split_note(note.text)
    if not parts.body.strip() and not (parts.frontmatter or "").strip():
        return ()
    found = list(_cut(note, parts, by, look))
    if parts.frontmatter:
        found[0] = _with_properties(found[0], parts.frontmatter)
    return tuple(found)


def entries_of_note(note: NoteText, by: Reading, registry: Registry, stat: FileStat) -> tuple[Entry, ...]:
    """Everything the index holds of the note."""
    from vaultmem.core.ingest.compose import entity_ids  # a question needs passages alone
    from vaultmem.core.ingest.extract import find_mentions

    entries: list[Entry] = []
    for found in chunks_of_note(note, by):
        prose = [passage for passage in found.passages if passage.first_line >= 0]
        mentions = find_mentions(prose, kind="document", registry=registry)
        if len(prose) < len(found.passages):
            mentions += _property_mentions(note, found.passages[-1], registry)
        chunk = replace(found.chunk, entities=entity_ids(mentions, registry))
        entries.append(
            Entry(
                path=note.path, chunk=chunk, passages=found.passages, mentions=mentions,
                body_line=found.body_line, size=stat.size, mtime_ns=stat.mtime_ns, note_hash=note.hash,
            )
        )  # fmt: skip
    return tuple(entries)


def _cut(note: NoteText, parts: NoteParts, by: Reading, look: Look) -> Iterator[NoteChunk]:
    pieces = _pieces(parts.body.replace("\r\n", "\n"), by.limit)
    shared = _shared(note, look.tags(parts.body) if "#" in parts.body else (), by)
    positions = initial_positions(len(pieces))
    seen: Counter[str] = Counter()
    line = parts.body_line
    for seq, piece in enumerate(pieces):
        text = piece.repeat + piece.text
        chunk = Chunk(
            **shared, chunk_id=note_chunk_id(note.path, seen[text], text), seq=seq, position=positions[seq], body=text,
            token_count=by.count(text), body_sha256=body_sha256(text), redacted=_marks(text), heading=piece.heading,
        )  # fmt: skip
        seen[text] += 1
        held = look.passages(text, piece.heading)
        if not note.has_lines:
            held = tuple(replace(passage, first_line=0, last_line=0) for passage in held)
        at = line - piece.repeat.count("\n") if note.has_lines else 1
        yield NoteChunk(chunk=chunk, passages=held, body_line=at)
        line += piece.text.count("\n")


class _Shared(TypedDict):
    """What all chunks of a note share: fields of Chunk."""

    source_kind: SourceKind
    source_id: str
    tree_scope: str
    owner: str
    time_start: datetime
    time_end: datetime
    source_ref: str
    original: str
    title: str
    status: MemoryStatus
    score: float
    aliases: tuple[str, ...]
    tags: tuple[str, ...]


def _shared(note: NoteText, inline: Sequence[str], by: Reading) -> _Shared:
    title = _clean_name(note.path.rpartition("/")[2].rpartition(".")[0], by.pii)
    found = unique_tags([*_property_tags(note.properties), *inline])
    at = note.at.astimezone(UTC)
    return _Shared(
        source_kind="document", source_id=f"{IN_PLACE}{note.path}", tree_scope=note_scope(note.path), owner=by.owner,
        time_start=at, time_end=at, source_ref=note.path, original="", title=title, status="admitted", score=1.0,
        aliases=(title, *names_in(note.properties.get("aliases"))), tags=found,
    )  # fmt: skip


def _pieces(body: str, limit: int) -> tuple[Piece, ...]:
    if estimate(body) <= limit:
        return (Piece(text=body, heading=""),)
    return chunk_document(body, count=estimate, max_tokens=limit)


def note_chunk_id(path: str, nth: int, content: str) -> str:
    """32 hex digits of path, content, and which of the note's equal contents this is."""
    data = b"\0".join([b"note", path.encode("utf-8", "replace"), str(nth).encode(), content.encode("utf-8", "replace")])
    return sha256_hex(data)[:32]


def without_secrets(text: str, pii: Collection[str] = ()) -> str:
    """The text with a mark for each secret, and a line end for each that stood in it: no line moves."""
    for _ in range(_TURNS):
        spans = secrets_in(text, pii)
        if not spans:
            break
        parts, done = [], 0
        for start, end, family in spans:
            parts += [text[done:start], f"[redacted:{family}]", "\n" * text.count("\n", start, end)]
            done = end
        text = "".join([*parts, text[done:]])
    return text


def _marks(text: str) -> dict[str, int]:
    if "[redacted:" not in text:
        return {}
    return dict(sorted(Counter(re.findall(r"\[redacted:([a-z0-9/_-]+)\]", text)).items()))


def _clean_name(name: str, pii: Collection[str]) -> str:
    return without_secrets(name, pii) if _DOUBTFUL.search(name) else name


def names_in(value: object) -> list[str]:
    """A property of names: a list, or text with commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [str(item) for item in value] if isinstance(value, list) else []


def _property_tags(properties: Mapping[str, object]) -> Iterator[str]:
    for key in ("tags", "tag"):
        value = properties.get(key)
        if isinstance(value, str):
            yield from re.split(r"[,\s]+", value)
        elif isinstance(value, list):
            yield from (str(item) for item in value)


# --- what stands above the body -----------------------------------------------------------------------------------


def _with_properties(found: NoteChunk, written: str) -> NoteChunk:
    """The properties as written, behind the passages: found by their words, shown with their lines.

    They stand above line 0 of the body, so that no vector is made of them: a tag costs nothing.
    """
    text = written.replace("\r\n", "\n").rstrip("\n")
    if not text.strip():
        return found
    first = 2 - found.body_line
    last = Passage(
        ordinal=len(found.passages), text=text, heading=PROPERTIES, first_line=first,
        last_line=first + text.count("\n"),
    )  # fmt: skip
    return replace(found, passages=(*found.passages, last))


def _property_mentions(note: NoteText, passage: Passage, registry: Registry) -> tuple[Mention, ...]:
    """Links and tags that stand in properties."""
    found: dict[tuple[str, str], Mention] = {}
    for link in property_links(passage.text):
        name = link.target.rpartition("/")[2].removesuffix(".md").strip()
        if name:
            kind = registry.kind_of(registry.resolve(name)) or "topic"
            mention = Mention(surface=fold(name), text=name, kind=kind, passage=passage.ordinal, origin="link")
            found.setdefault((mention.surface, mention.kind), mention)
    for tag in unique_tags(_property_tags(note.properties)):
        surface = fold(tag)
        mention = Mention(surface=surface, text=f"#{tag}", kind="hashtag", passage=passage.ordinal, origin="tag")
        found.setdefault((surface, "hashtag"), mention)
    return tuple(sorted(found.values(), key=lambda m: (m.surface, m.kind)))
