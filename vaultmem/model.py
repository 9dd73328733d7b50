"""The nouns. Frozen values that every room may use; no behaviour beyond what a value can say of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

SourceKind = Literal["chat", "email", "document"]
MemoryStatus = Literal["pending", "admitted", "dropped"]
EntityKind = Literal[
    "person", "organization", "project", "topic", "location", "event", "email", "url", "handle", "hashtag"
]
Outcome = Literal["imported", "duplicate", "skipped", "failed"]

TokenCounter = Callable[[str], int]


class Bytes(Protocol):
    """Random access to a file's bytes: `bytes` or a memory map, so that a 2 GB mailbox need not fit in memory."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: slice, /) -> bytes: ...
    def find(self, sub: bytes, start: int = ..., end: int = ..., /) -> int:
        """Where `sub` starts, or -1, like `bytes.find`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A dropped file as a source reader sees it."""

    #: path below the inbox, POSIX, as found on disk
    name: str
    #: the content
    data: Bytes
    #: the file's own modification time, aware UTC
    modified_at: datetime
    #: files that lie beside it in the same dropped folder (name -> content), for formats that need them
    siblings: Mapping[str, Bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One chat message or mail as its note holds it: parse(render(m)) == m for any text."""

    #: 12 hex digits that name this message for good (`^m-<key>` in the note); "" before identity is set
    key: str = ""
    #: aware UTC; None only for mail without a usable date
    sent_at: datetime | None
    #: chat: display name, "" for a system line; mail: the From line, decoded ("Ann <ann@example.com>")
    author: str
    #: canonical Markdown
    text: str
    #: mail only: decoded header lines
    to: str = ""
    cc: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMessage:
    """What a reader of a chat export or a mailbox yields for each message, in file order."""

    message: Message
    #: one per conversation: `whatsapp:<chat>`, `slack:<channel>`, `mail:<thread root>`
    source_id: str
    #: one source tree each: the conversation (chat), the mailbox (mail)
    tree_scope: str
    #: the conversation's readable name
    title: str
    #: key of the source-weight table: whatsapp, slack, discord, gmail, other_email, …
    provider: str
    #: the platform's own message id or Message-ID; "" where there is none
    native_id: str = ""
    #: native_id of the message this one answers
    reply_to: str = ""
    #: when the platform says its text was last changed, aware UTC; None: never, or it does not say
    edited_at: datetime | None = None
    #: the conversation's own id on the platform (`slack:C1`), which outlives its name; "" where there is none
    own_id: str = ""
    #: joins, calls, pins, deletions: kept in the body, never counted as messages
    system: bool = False
    #: names of attached files
    attachments: tuple[str, ...] = ()
    #: interaction facts from headers, threads, channel type: sent reply dm mention priority_high edited bot auto list
    cues: frozenset[str] = frozenset()
    #: mail: addresses of the From/To/Cc lines as (display name, address), roles "from" | "to" | "cc"
    parties: tuple[tuple[str, str, str], ...] = ()
    #: how many of the file's own entries were put together here (cues of a recording); the report counts those
    parts: int = 1
    #: when the last of these began, aware UTC; None: as the message
    last_part_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a reader of a document yields: one per document of the file."""

    #: one per document: `doc:<path or own id>`; final identity is decided in core.ingest.identity
    source_id: str
    #: the document's folder, for its source tree
    tree_scope: str
    title: str
    #: canonical Markdown without frontmatter, starting with the title as H1
    body: str
    provider: str
    #: the document's own time, aware UTC
    created_at: datetime
    #: where that time comes from: "frontmatter:<key>" | "name" | "metadata" | "file"
    time_from: str
    #: the document's own id or URL, for identity across names; "" where there is none
    own_id: str = ""
    #: properties as YAML 1.2 core reads them, dates as text
    properties: Mapping[str, object] = field(default_factory=dict)
    #: without #, in order of appearance
    tags: tuple[str, ...] = ()
    #: link targets without heading and alias
    links: tuple[str, ...] = ()
    author: str = ""
    attachments: tuple[str, ...] = ()
    cues: frozenset[str] = frozenset()
    #: time of the newest entry of a document that grows (clippings, calendars); None: `created_at`
    last_at: datetime | None = None
    #: keys of the report row this document sets: counts (`events`, `pages`) add up over a file's documents, and
    #: `notes_count` (1 where absent) too; any other value stands when the file holds this document alone
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file inside a file that becomes a document of its own (text attachments of mails)."""

    name: str
    data: bytes
    #: native_id of the message that carried it
    parent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """Something a person should know about a file that was read all the same."""

    text: str


SourceItem = SourceMessage | Document | Attachment | Warn


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A recognised file: what it is, and its content as a stream in file order (read once)."""

    format: str
    kind: SourceKind
    #: "none in file, assumed Europe/Berlin" | "UTC" | … ; "" where it does not apply
    tz: str
    #: False: times carry no zone and are reported as local time, without Z
    zone_known: bool
    items: Stream
    #: recordings: the moment the file counts its times from, aware UTC; the report shows times as the file does
    counts_from: datetime | None = None
    #: False: the file tells times of day and no date, and so does the report
    dated: bool = True


class Stream(Protocol):
    """An iterator of source items; a broken item in the middle raises UnreadableSource."""

    def __iter__(self) -> Stream: ...
    def __next__(self) -> SourceItem: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """Text without secrets, and what was removed (never the secret)."""

    text: str
    #: family -> count
    removed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The unit of recall: one message, or one paragraph of a document, verbatim."""

    #: index within its chunk, from 0
    ordinal: int
    text: str
    #: chat and mail: who said it; documents: ""
    author: str = ""
    #: aware UTC
    sent_at: datetime | None = None
    #: `m-<key>`, or a document's own block id; "" where there is none
    block: str = ""
    #: the heading path above it, joined by " > " (documents), the mail's subject, or ""
    heading: str = ""
    #: mail: the To and Cc lines, joined by ", "; "" elsewhere
    addressed: str = ""
    #: first and last line in the body, 0-based, inclusive
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name found in a chunk: the surface as written, resolved to an entity only when asked."""

    #: NFKC, case-folded, without leading @ or #
    surface: str
    #: as written
    text: str
    kind: EntityKind
    #: passage it stands in
    passage: int
    #: author | header | link | tag | name (capitalised) | alias (registry) | address | url | handle
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A registry note read, or a note of the user's own that carries the name."""

    id: str
    kind: EntityKind
    display_name: str
    aliases: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    note_path: str = ""
    same_as: tuple[str, ...] = ()
    not_same_as: tuple[str, ...] = ()
    #: ISO text as it stands in the note
    created_at: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The gate's decision on one chunk. `reason` is empty when admitted."""

    status: MemoryStatus
    score: float
    signals: Mapping[str, float]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One note of `wiki/raw`: everything its frontmatter and body hold."""

    chunk_id: str
    source_kind: SourceKind
    source_id: str
    tree_scope: str
    owner: str
    #: aware UTC; the chunk's time is its first message's or the document's own
    time_start: datetime
    time_end: datetime
    seq: int
    #: fractional order key: lexicographic order is reading order
    position: str
    token_count: int
    body: str
    source_ref: str
    #: wikilink into the archive, or "private"
    original: str
    title: str
    status: MemoryStatus = "pending"
    score: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict)
    drop_reason: str = ""
    entities: tuple[str, ...] = ()
    llm_entities: tuple[str, ...] = ()
    llm_importance: float | None = None
    body_sha256: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    #: True when a person changed the body since vaultmem wrote it
    edited: bool = False
    #: {family: count} of secrets removed, shown as text properties
    redacted: Mapping[str, int] = field(default_factory=dict)
    #: the document's own id or URL, the conversation's id on its platform: identity
    own_id: str = ""
    #: documents: the headings above the body's first line, joined by " > "
    heading: str = ""
    #: key of a message -> when its platform says that the text as it stands here was written, aware UTC
    revised: Mapping[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note to be written: vault path (POSIX, with .md) and its bytes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStat:
    """What a scan sees of a file."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """All that the index holds of one chunk note: a pure function of the note's bytes and the registry.

    Ingest, reconcile and rebuild index a note through this one value, so that they cannot disagree.
    """

    #: vault path of the note, with .md
    path: str
    chunk: Chunk
    passages: tuple[Passage, ...]
    mentions: tuple[Mention, ...]
    #: line of the note (1-based) on which the body's line 0 stands
    body_line: int
    #: what the scan saw of the file these rows were read from, and its hash (core.notes.ids) where that is known
    size: int = 0
    mtime_ns: int = 0
    note_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasRow:
    """One surface that means one entity."""

    #: normalised like Mention.surface
    surface: str
    entity_id: str
    #: title | alias | email | handle | id (that of a merged entity)
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryNote:
    """An entity note as the index holds it."""

    entity: Entity
    size: int = 0
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorFact:
    """What the index knows of one surface that speaks or is written to: the ground of the entity-note rule."""

    surface: str
    text: str
    kind: EntityKind
    messages: int
    days: int
    #: they wrote to the owner and the owner wrote to them
    two_way: bool
    #: some document links to it
    linked: bool
    #: addresses that stood in one From, To or Cc line with this name (kind person): name and address are one entity
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxFile:
    """One file of the inbox as a look at the folder saw it, hidden ones and links included."""

    #: inbox-relative, POSIX, as found on disk
    name: str
    size: int
    mtime_ns: int
    #: a symbolic link: never followed
    is_link: bool = False
    #: disk blocks in use; 0 with a size: offloaded to a cloud. None where the platform does not say
    blocks: int | None = None
    #: the same path in the disk's own spelling (`name` is NFC)
    disk_name: str = ""
    #: the later of content and metadata change, epoch ns: a copied old file is new here
    changed_ns: int = 0
    #: why it cannot be read at all (a folder that cannot be listed, a pipe); "" for a file
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An ingest under way: written before its first note, removed after the original is put away."""

    #: SHA-256 of the dropped file
    sha256: str
    #: inbox-relative name
    file: str
    #: notes the current batch writes: overwritten when the ingest is done again, never adopted before
    planned: tuple[str, ...] = ()
    #: notes that go away with this batch (pieces that a document no longer has)
    removing: tuple[str, ...] = ()
    #: vault path its original gets in the archive, as its notes say; "": it is kept privately
    original: str = ""
    #: what is wrong with the claim's file; "" when it is whole. A broken one names no file and no note
    problem: str = ""
