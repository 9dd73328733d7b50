"""The nouns of growing, beside model.py: what a summary note and the pages say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from vaultmem.model import MemoryStatus

TreeKind = Literal["source", "topic", "global"]
#: Under this the index remembers a text that no other state of the registry has.
REGISTRY_STAMP = "registry_stamp"
#: Headings of a digest, in their order; below each, sentences stand in time order.
SECTIONS = ("Decisions", "To do", "Changed", "Also")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A wikilink to a note that exists."""

    #: vault path of the note, with .md
    path: str
    #: what a reader sees
    alias: str
    #: `^m-<key>`, `^id` or a heading; "" for the note itself
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a summary: verbatim, line breaks shown as blanks; or a model's, where it was found to be true."""

    text: str
    #: the very message or paragraph it came from
    link: Link
    #: who said it; "" for documents
    author: str = ""
    #: digests: the heading it stands below, one of SECTIONS; "" elsewhere
    section: str = ""
    #: where else it came from, when it was made of several
    also: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """Where a summary's links lead to: only to notes that exist."""

    #: parent, elder and younger sibling; None where there is none
    up: Link | None = None
    previous: Link | None = None
    following: Link | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A passage that names an entity, as its note shows it."""

    #: vault path of the chunk note, with .md
    path: str
    #: of the chunk
    title: str
    #: block id of the passage, without ^; "" when it has none
    block: str
    #: the passage's own time, else the chunk's; aware UTC
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryNode:
    """One note of `wiki/summaries`: everything its frontmatter and body hold."""

    #: 32 hex digits, fixed at the first seal
    node_id: str
    tree_kind: TreeKind
    tree_scope: str
    #: 1 is the one above leaves
    tree_level: int
    #: the children's notes, in time order
    children: tuple[Link, ...]
    #: ids of all children, those included whose note is not there
    child_ids: tuple[str, ...]
    #: aware UTC
    time_start: datetime
    time_end: datetime
    #: of the body
    token_count: int
    sealed_at: datetime
    #: from 1; each seal after the first raises it
    rev: int
    #: what made the text, with its version: `facet-2`
    summariser: str
    title: str
    #: in time order; a digest's in the order of SECTIONS, and in time order in each
    sentences: tuple[Sentence, ...]
    #: ids, as plain text
    entities: tuple[str, ...] = ()
    #: the concepts that weigh most, for search
    topics: tuple[str, ...] = ()
    score: float = 0.0
    aliases: tuple[str, ...] = ()
    #: parent, elder and younger sibling; None where there is none
    up: Link | None = None
    previous: Link | None = None
    following: Link | None = None
    #: hash of all it was made of: where that has changed, it is sealed again; "" in notes of an older vaultmem
    inputs: str = ""
    #: a person changed the body: it is kept as they left it
    edited: bool = False
    #: the body as it stands in the note; "" for a node that was not read from one
    body: str = ""
    #: hash of the body as vaultmem wrote it; "" for a node that was not read from a note
    body_sha256: str = ""


class Listing(NamedTuple):
    """A summary by its place in its tree: of a large one thousands are looked at."""

    node_id: str
    #: 1 is the one above leaves
    level: int
    #: in time order, each once
    child_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEntry:
    """All that the index holds of one summary note."""

    #: vault path of the note, with .md
    path: str
    node: SummaryNode
    #: the whole note
    text: str
    #: hash of the body as it stands
    body_sha256: str
    size: int = 0
    mtime_ns: int = 0


#: Where a leaf stands in its tree: start, seq in its source, chunk_id.
Position = tuple[datetime, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A summary as the planning of its tree sees it."""

    node_id: str
    #: from 1: the one above leaves
    level: int
    #: chunks (level 1) or nodes of the level below; may be left out for a node that comes without its children
    child_ids: tuple[str, ...] = ()
    #: from the first child's start to the latest end
    start: datetime
    end: datetime
    #: of its first leaf; None when it is to be looked up among the leaves and nodes given
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A chunk as its tree sees it."""

    chunk_id: str
    #: of its first and last message
    start: datetime
    end: datetime
    #: seq in its source: order of leaves of one time
    seq: int
    tokens: int
    status: MemoryStatus
    #: hash of its note's body as it stands; "" where nobody asks for it
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLeaf:
    """A chunk of which something was said on a day."""

    chunk_id: str
    path: str
    body_sha256: str
    #: of its first and last message, on whatever day
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafFacts:
    """What a digest says of a chunk, and chooses by, before anybody reads it."""

    tree_scope: str
    #: its readable title
    alias: str
    #: of the whole body
    tokens: int
    entities: tuple[str, ...]
    score: float
    #: how much the owner took part in it, 0 to 1
    interaction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRow:
    """A digest in a few words: enough to see whether what stands above it is still right."""

    node_id: str
    path: str
    #: 0 to 3: day, week, month, year
    level: int
    #: hash of its sentences, or of the body that a person wrote
    says: str
    #: hash of what it was made of
    inputs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeOf:
    """A chunk or summary as the summary that lists it sees it."""

    id: str
    #: of its note; "" when it is gone
    path: str
    #: hash of what it says now; "" when it is gone
    says: str
    #: False: it is gone, or memory dropped it since
    is_there: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLine:
    """A summary as a page lists it."""

    node_id: str
    path: str
    level: int
    title: str
    #: of what it sums up, aware UTC
    end: datetime
    body_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStand:
    """What a source tree's leaves look like together, the dropped ones left out."""

    #: of the first and the last message, aware UTC
    first: datetime
    last: datetime
    #: another when a leaf comes, goes, moves, is edited or is taken into a summary
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLeaf:
    """A chunk that names an entity."""

    path: str
    body_sha256: str
    #: a summary of the entity's topic lists it
    is_listed: bool
    leaf: Leaf
