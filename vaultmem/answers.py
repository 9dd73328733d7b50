"""What recall takes and gives: filters, ranked rows, hits. The nouns of answering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vaultmem.model import Chunk, Mention, Passage  # a command that embeds nothing does not wait for it

Trust = Literal["user", "imported", "generated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What recall may look at; applied before ranking on every path."""

    #: exact source_id, or a prefix that ends in ":" or "*"
    source: str = ""
    #: the only sources that may be looked at at all, each like `source`; none: all
    within: tuple[str, ...] = ()
    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None
    #: canonical id, name or alias
    entity: str = ""
    tag: str = ""
    dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalHit:
    """One passage (or summary) that answers, with its way back to the line it stands in."""

    node_id: str
    node_kind: Literal["leaf", "summary"]
    tree_id: str
    tree_kind: str
    tree_scope: str
    level: int
    content: str
    before: str
    after: str
    entities: tuple[str, ...]
    topics: tuple[str, ...]
    time_range_start: str
    time_range_end: str
    score: float
    score_parts: Mapping[str, float]
    child_ids: tuple[str, ...]
    source_ref: str
    note_path: str
    heading: str
    block: str
    #: first and last line of the note as it is now, 1-based, inclusive
    lines: tuple[int, int]
    trust: Trust
    #: who said it; "" for documents, summaries and chunks of several people
    author: str = ""
    #: it began in the window asked for and goes on after it
    clipped: bool = False


_OF_HIT = tuple(each.name for each in fields(RetrievalHit))


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityHit:
    """What a name means."""

    #: canonical id, like `person:alice-smith`
    id: str
    kind: str
    display_name: str
    aliases: tuple[str, ...]
    #: passages that name it, dropped ones left out
    mentions: int
    #: vault path of its note; "" while it has none
    note_path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityResponse:
    """Entities, most mentioned first; shaped like QueryResponse."""

    hits: tuple[EntityHit, ...]
    total: int
    truncated: bool
    degraded: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `tree search_entities`."""
        rows = [{**asdict(hit), "aliases": list(hit.aliases)} for hit in self.hits]
        return {"hits": rows, "total": self.total, "truncated": self.truncated, "degraded": self.degraded}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResponse:
    """Hits, best first; `total` counts before the cut; `degraded` names what was missing, "" when nothing was."""

    hits: tuple[RetrievalHit, ...]
    total: int
    truncated: bool
    degraded: str = ""
    #: recall: nothing that was found holds enough of the question to be an answer; the hits are what comes nearest
    no_good_answer: bool = False
    #: walks: which way was taken
    route: str = ""
    #: covers: source tree -> nodes that the limit left out; None where nothing is shared out
    omitted: Mapping[str, int] | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON of `recall`: lists for tuples, nothing left out; a key that does not apply is absent."""
        # `asdict` copies each item of each tuple: of ten hits that took longer than to find their words
        rows = [
            {name: getattr(hit, name) for name in _OF_HIT}
            | {"lines": list(hit.lines), "score_parts": dict(hit.score_parts)}
            for hit in self.hits
        ]
        told: dict[str, object] = {"no_good_answer": True} if self.no_good_answer else {}
        told |= {"route": self.route} if self.route else {}
        told |= {} if self.omitted is None else {"omitted": dict(self.omitted)}
        return {"hits": rows, "total": self.total, "truncated": self.truncated, "degraded": self.degraded, **told}


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHit:
    """A source, and how fresh it is."""

    source_id: str
    source_kind: str
    tree_scope: str
    title: str
    #: chunks, dropped ones included
    chunks: int
    dropped: int
    #: ISO, UTC: of its first and last message
    first: str
    last: str
    #: by the time of its last message: less than a day, less than seven days ago, older
    state: Literal["active", "recent", "idle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResponse:
    """Sources, those heard of last first; shaped like QueryResponse."""

    hits: tuple[SourceHit, ...]
    total: int
    truncated: bool
    #: sources of each state, before the cut
    states: Mapping[str, int]
    degraded: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `tree sync_status_list`."""
        rows = [asdict(hit) for hit in self.hits]
        cut = {"total": self.total, "truncated": self.truncated}
        return {"hits": rows, **cut, "states": dict(self.states), "degraded": self.degraded}


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What an embedder made of some texts."""

    #: model, dimensions and whatever else makes vectors comparable: those of different signatures are never compared
    signature: str
    #: a unit vector per text, a row each; what a refused text has there means nothing
    rows: NDArray[np.float32]
    #: places of texts this model can make nothing of, though it answers for others
    refused: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A question as a vector."""

    #: of the embedder that made it: compared with vectors of the same signature only
    signature: str
    #: of length 1
    vector: Sequence[float]


class PassageRow(NamedTuple):
    """A passage as the index gives it back for ranking, with the facts of the chunk it stands in.

    A tuple, for a question makes hundreds of them: a frozen dataclass of so many fields takes ten times as long.
    """

    chunk_id: str
    ordinal: int
    text: str
    author: str
    #: the passage's own time, else its chunk's
    time_ms: int
    block: str
    heading: str
    #: first and last line in the body, 0-based, inclusive
    first_line: int
    last_line: int
    note_path: str
    body_line: int
    source_kind: str
    source_id: str
    tree_scope: str
    source_ref: str
    #: the chunk's time range
    start_ms: int
    end_ms: int
    #: the passage's own time to the microsecond; None: it has none
    sent_us: int | None = None
    #: of the note when it was indexed (`Entry.note_hash`)
    note_hash: str = ""
    #: the chunk's: a note's title, a room's name, a mail's subject
    title: str = ""
    #: weighted parts of the lexical score (core.recall.bm25): its own words, its neighbours', its chunk's
    own: float = 0.0
    near: float = 0.0
    parent: float = 0.0
    #: the question's entities that this passage mentions
    covers: frozenset[str] = frozenset()
    #: (entity, how rare it is) of all whom it names and who said it, but for those who stand everywhere; only when the
    #: question names several entities and no passage all of them
    names: tuple[tuple[str, float], ...] = ()
    #: cosine of its vector and the question's, softened by its neighbours'; None without a vector
    cosine: float | None = None
    #: share of the question's words, by rarity, that stand in it: comparable between questions
    held: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedChunk:
    """All that the index holds of a chunk: what its note said when it was indexed."""

    path: str
    chunk: Chunk
    passages: tuple[Passage, ...]
    #: in passage order
    mentions: tuple[Mention, ...]
    #: line of the note (1-based) on which the body's line 0 stands
    body_line: int
    #: `Entry.note_hash`
    note_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the index holds beside a passage."""

    #: the passages before and after it in its chunk; "" where there is none
    before: str
    after: str
    #: whom and what it mentions
    mentions: tuple[Mention, ...]
