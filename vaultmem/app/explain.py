"""Why memory holds what it holds: one chunk or summary explained, and what the gate dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from vaultmem.answers import QueryResponse
from vaultmem.app.engine import Engine
from vaultmem.app.hits import LeafNote, iso, leaf_hits, read_leaf, summary_hit
from vaultmem.app.tree import full_id
from vaultmem.core.ingest.gate import DROP_BELOW, PRIORITY_BONUS
from vaultmem.core.ingest.signals import WEIGHTS
from vaultmem.core.notes.entry import passages_of
from vaultmem.errors import NotFound
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk

#: From here on no LLM is needed to admit (DESIGN §4).
_ADMIT_FROM = 0.85
#: Characters of a dropped chunk that are shown.
_START = 160

_REASONS: Mapping[str, str] = {
    "tiny": "a few words that name nothing and state nothing",
    "not_salient": "nobody states anything in it: greetings, acknowledgements, bare commands",
    "auto_notification": "a machine wrote the mail",
    "boilerplate": "only a footer or a signature",
    "below_threshold": f"its score is under {DROP_BELOW}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Why this chunk or summary is what it is."""

    node_id: str
    node_kind: str
    note_path: str
    title: str
    #: pending | admitted | dropped; "" for a summary
    status: str
    score: float
    #: what the score means
    band: str
    #: as the note says it, and in words; "" when not dropped
    drop_reason: str
    why: str
    #: name -> (value in [0, 1], weight); a signal without weight is a fact that counted otherwise
    signals: Mapping[str, tuple[float, float]]
    entities: tuple[str, ...]
    source_id: str
    source_ref: str
    #: wikilink into the archive, or "private"
    original: str
    time_range_start: str
    time_range_end: str
    token_count: int
    #: a person changed it since vaultmem wrote it
    edited: bool
    redacted: Mapping[str, int]
    #: the summary that lists it; "" none yet
    parent: str
    parent_path: str
    child_ids: tuple[str, ...] = ()
    #: with a query: its passages among the answer, each with rank, score, score_parts, lines
    answers: tuple[Mapping[str, object], ...] = ()
    query: str = ""
    #: with a query: how many passages were looked through
    looked_at: int = 0
    degraded: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `explain`."""
        found = asdict(self)
        found["signals"] = {name: {"value": value, "weight": weight} for name, (value, weight) in self.signals.items()}
        return found


def explain(engine: Engine, identity: str, *, query: str = "", answer: QueryResponse | None = None) -> Explained:
    """Explain a chunk or summary by its id (six digits are enough). Raises NotFound, BadQuery.

    `answer`: what recall gave for `query`, whatever its length: the chunk's passages are looked up in it.
    """
    identity = full_id(engine, identity)
    parent = engine.index.parent_of(identity)
    above = engine.index.node(parent) if parent else None
    parent_path = above[0] if above else ""
    found = engine.index.node(identity)
    if found is not None:
        return _summary(engine, found[0], found[1], parent, parent_path)
    leaf = read_leaf(engine.index, engine.vault, identity)
    if isinstance(leaf, str):
        raise NotFound(identity, f"memory ({leaf.partition(': ')[2]})")
    return _chunk(engine, leaf, parent, parent_path, query, answer)


def _chunk(
    engine: Engine, leaf: LeafNote, parent: str, parent_path: str, query: str, answer: QueryResponse | None
) -> Explained:
    chunk, (hit,) = leaf.chunk, leaf_hits(engine.index, [leaf])
    return Explained(
        node_id=chunk.chunk_id,
        node_kind="leaf",
        note_path=leaf.path,
        title=chunk.title,
        status=chunk.status,
        score=chunk.score,
        band=_band(chunk),
        drop_reason=chunk.drop_reason,
        why=_REASONS.get(chunk.drop_reason, ""),
        signals={name: (value, WEIGHTS.get(name, 0.0)) for name, value in chunk.signals.items()},
        entities=hit.entities,
        source_id=chunk.source_id,
        source_ref=chunk.source_ref,
        original=chunk.original,
        time_range_start=hit.time_range_start,
        time_range_end=hit.time_range_end,
        token_count=chunk.token_count,
        edited=chunk.edited,
        redacted=chunk.redacted,
        parent=parent,
        parent_path=parent_path,
        answers=_among(chunk.chunk_id, answer),
        query=query,
        looked_at=len(answer.hits) if answer else 0,
        degraded=answer.degraded if answer else "",
    )


def _summary(engine: Engine, path: str, node: SummaryNode, parent: str, parent_path: str) -> Explained:
    hit = summary_hit(engine.vault, path, node)
    return Explained(
        node_id=node.node_id,
        node_kind="summary",
        note_path=path,
        title=node.title,
        status="",
        score=node.score,
        band=f"a summary of level {node.tree_level}, sealed {iso(node.sealed_at)}, revision {node.rev}",
        drop_reason="",
        why=f"made by {node.summariser} of {len(node.child_ids)} below it",
        signals={},
        entities=node.entities,
        source_id=node.tree_scope,
        source_ref="",
        original="",
        time_range_start=hit.time_range_start,
        time_range_end=hit.time_range_end,
        token_count=node.token_count,
        edited=node.edited,
        redacted={},
        parent=parent,
        parent_path=parent_path,
        child_ids=node.child_ids,
    )


def _band(chunk: Chunk) -> str:
    """The rule that decided, in words."""
    bonus = f" ({PRIORITY_BONUS} of it for priority)" if "priority_high" in chunk.signals else ""
    if chunk.status == "pending":
        return "not judged yet"
    if chunk.llm_importance is not None and (chunk.status == "admitted") == (chunk.score >= DROP_BELOW):
        side = "under" if chunk.score < DROP_BELOW else "not under"
        said = f"a model's word of {chunk.llm_importance:.2f}"
        return f"{chunk.status} with {said}: {chunk.score:.2f}{bonus} is {side} {DROP_BELOW}"
    if chunk.status == "dropped":
        return f"dropped by the guard '{chunk.drop_reason}'" if chunk.drop_reason else "dropped by hand"
    if chunk.score < DROP_BELOW:
        return f"admitted by hand: {chunk.score:.2f} is under {DROP_BELOW}"
    if chunk.score >= _ADMIT_FROM:
        return f"admitted for certain: {chunk.score:.2f}{bonus} is {_ADMIT_FROM} or more"
    return f"admitted: {chunk.score:.2f}{bonus} lies between {DROP_BELOW} and {_ADMIT_FROM}"


def _among(chunk_id: str, answer: QueryResponse | None) -> tuple[Mapping[str, object], ...]:
    """The chunk's passages in an answer, with what their scores are made of."""
    return tuple(
        {
            "rank": rank,
            "score": hit.score,
            "score_parts": dict(hit.score_parts),
            "lines": list(hit.lines),
            "content": hit.content,
        }
        for rank, hit in enumerate(answer.hits if answer else (), start=1)
        if hit.node_id == chunk_id
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedChunk:
    """One chunk the gate did not keep."""

    chunk_id: str
    reason: str
    why: str
    score: float
    time_range_start: str
    source_id: str
    note_path: str
    #: how its text begins
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """What was dropped, newest first."""

    dropped: tuple[DroppedChunk, ...] = ()
    total: int = 0
    truncated: bool = False

    def to_dict(self) -> dict[str, object]:
        """The JSON of `dropped`."""
        return asdict(self)


def list_dropped(engine: Engine, limit: int) -> Dropped:
    """The newest dropped chunks, each with its reason."""
    found, total = engine.index.dropped(limit)
    rows = tuple(_dropped(path, chunk) for path, chunk in found)
    return Dropped(dropped=rows, total=total, truncated=total > len(rows))


def _dropped(path: str, chunk: Chunk) -> DroppedChunk:
    start = " ".join(" ".join(passage.text for passage in passages_of(chunk)).split())
    return DroppedChunk(
        chunk_id=chunk.chunk_id,
        reason=chunk.drop_reason or "by hand",
        why=_REASONS.get(chunk.drop_reason, ""),
        score=chunk.score,
        time_range_start=iso(chunk.time_start),
        source_id=chunk.source_id,
        note_path=path,
        text=start[:_START],
    )
