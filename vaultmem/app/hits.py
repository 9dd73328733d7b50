"""Nodes as hits: whole chunks, their passages and summaries, read from the notes as they are now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.answers import RetrievalHit
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.ids import entity_id
from vaultmem.core.notes.paths import is_in_place
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.errors import BadNote, BadProperties, VaultmemError
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk, Mention, Passage
from vaultmem.ports import Index, Vault

#: What may have a note; a bare address is no entity of an answer.
_NAMED = ("person", "organization", "project", "topic", "location", "event", "handle", "hashtag")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafNote:
    """A chunk note as it stands on disk."""

    path: str
    chunk: Chunk
    passages: tuple[Passage, ...]
    #: line of the note (1-based) on which the body's line 0 stands
    body_line: int


def read_leaf(index: Index, vault: Vault, chunk_id: str) -> LeafNote | str:
    """The chunk's note as it is now, or in words why it cannot be given."""
    found = index.chunk(chunk_id)
    if found is None:
        return f"{chunk_id}: no such chunk"
    path, known = found
    if is_in_place(known.source_id):
        return _read_in_place(vault, path, known)
    try:
        text = vault.read(path).decode("utf-8")
        chunk = parse_chunk_note(text)
    except FileNotFoundError:
        return f"{chunk_id}: its note {path} is gone (run 'vaultmem sync')"
    except (BadNote, BadProperties, UnicodeDecodeError, OSError) as problem:
        return f"{chunk_id}: {path} cannot be read ({problem})"
    if chunk.chunk_id != chunk_id:
        return f"{chunk_id}: {path} holds another chunk by now (run 'vaultmem sync')"
    return LeafNote(path=path, chunk=chunk, passages=passages_of(chunk), body_line=split_note(text).body_line)


def _read_in_place(vault: Vault, path: str, known: Chunk) -> LeafNote | str:
    from vaultmem.app.asked_in_place import chunk_in_place  # only where there are such notes

    try:
        found = chunk_in_place(vault, path, known.chunk_id)
    except (VaultmemError, OSError) as problem:
        return f"{known.chunk_id}: {path} cannot be read ({problem})"
    if found is None:
        return f"{known.chunk_id}: {path} no longer says this (run 'vaultmem sync')"
    return LeafNote(path=path, chunk=known, passages=found.passages, body_line=found.body_line)


def leaf_hit(index: Index, note: LeafNote) -> RetrievalHit:
    """A whole chunk: its body, verbatim."""
    authors = {passage.author for passage in note.passages}
    entities = entities_of(index, index.mentions_of(note.chunk.chunk_id))
    lines = note.chunk.body.rstrip("\n").count("\n")
    return _of_chunk(
        note,
        content=note.chunk.body,
        entities=entities,
        span=(note.chunk.time_start, note.chunk.time_end),
        heading=note.chunk.heading or note.chunk.title,
        lines=(note.body_line, note.body_line + lines),
        author=next(iter(authors)) if len(authors) == 1 else "",
    )


def passage_hits(index: Index, note: LeafNote) -> list[RetrievalHit]:
    """Each passage of a chunk, in its order."""
    mentions = index.mentions_of(note.chunk.chunk_id)
    texts = ["", *(passage.text for passage in note.passages), ""]
    return [
        _of_chunk(
            note,
            content=passage.text,
            before=texts[at],
            after=texts[at + 2],
            entities=entities_of(index, (m for m in mentions if m.passage == passage.ordinal)),
            span=(passage.sent_at or note.chunk.time_start, passage.sent_at or note.chunk.time_end),
            heading=passage.heading,
            block=passage.block,
            lines=(note.body_line + passage.first_line, note.body_line + passage.last_line),
            author=passage.author,
        )
        for at, passage in enumerate(note.passages)
    ]


def _of_chunk(
    note: LeafNote,
    *,
    content: str,
    entities: tuple[str, ...],
    span: tuple[datetime, datetime],
    heading: str,
    lines: tuple[int, int],
    author: str,
    before: str = "",
    after: str = "",
    block: str = "",
) -> RetrievalHit:
    """What hits of one chunk share. Nothing was asked, so nothing is scored."""
    return RetrievalHit(
        node_id=note.chunk.chunk_id,
        node_kind="leaf",
        tree_id=f"source:{note.chunk.tree_scope}",
        tree_kind="source",
        tree_scope=note.chunk.tree_scope,
        level=0,
        content=content,
        before=before,
        after=after,
        entities=entities,
        topics=_topics(entities),
        time_range_start=iso(span[0]),
        time_range_end=iso(span[1]),
        score=0.0,
        score_parts={},
        child_ids=(),
        source_ref=note.chunk.source_ref,
        note_path=note.path,
        heading=heading,
        block=block,
        lines=lines,
        trust="user" if is_in_place(note.chunk.source_id) else "imported",
        author=author,
    )


def summary_hit(vault: Vault, path: str, known: SummaryNode) -> RetrievalHit:
    """A summary: its sentences, each with who said it; as a person left them when they edited it."""
    node, lines = as_it_is(vault, path, known)
    said = "\n".join(f"{s.author}: {s.text}" if s.author else s.text for s in node.sentences)
    return RetrievalHit(
        node_id=node.node_id,
        node_kind="summary",
        tree_id=f"{node.tree_kind}:{node.tree_scope}",
        tree_kind=node.tree_kind,
        tree_scope=node.tree_scope,
        level=node.tree_level,
        content=node.body if node.edited or not said else said,
        before="",
        after="",
        entities=node.entities,
        topics=node.topics,
        time_range_start=iso(node.time_start),
        time_range_end=iso(node.time_end),
        score=0.0,
        score_parts={},
        child_ids=node.child_ids,
        source_ref="",
        note_path=path,
        heading=node.title,
        block="",
        lines=lines,
        trust="user" if node.edited else "generated",
    )


def as_it_is(vault: Vault, path: str, known: SummaryNode) -> tuple[SummaryNode, tuple[int, int]]:
    """The summary on disk and the lines of its body; as it was indexed when the note is gone or broken."""
    try:
        text = vault.read(path).decode("utf-8")
        node = parse_summary_note(text)
    except (OSError, UnicodeDecodeError, BadNote, BadProperties):
        return known, (1, 1)
    if node.node_id != known.node_id:
        return known, (1, 1)
    first = split_note(text).body_line
    return node, (first, first + node.body.rstrip("\n").count("\n"))


def node_hits(index: Index, vault: Vault, identities: Iterable[str]) -> tuple[list[RetrievalHit], list[str]]:
    """The nodes of these ids in order, and in words what is missing."""
    hits: list[RetrievalHit] = []
    missing: list[str] = []
    for identity in identities:
        if found := index.node(identity):
            hits.append(summary_hit(vault, *found))
            continue
        leaf = read_leaf(index, vault, identity)
        if isinstance(leaf, LeafNote):
            hits.append(leaf_hit(index, leaf))
        else:
            missing.append(leaf)
    return hits, missing


def entities_of(index: Index, mentions: Iterable[Mention]) -> tuple[str, ...]:
    """What these mean: the registry's entity where one fits, `kind:slug` where none does, nothing where several do."""
    return entities_of_each(index, [mentions])[0]


def entities_of_each(index: Index, groups: Sequence[Iterable[Mention]]) -> list[tuple[str, ...]]:
    """The same of several, asked at once."""
    named = [[(mention.surface, mention.kind) for mention in group] for group in groups]
    every = {each for group in named for each in group}
    meant = index.resolve_each({surface for surface, _ in every})
    loose = {
        (surface, kind): entity_id(kind, surface) for surface, kind in every if surface not in meant and kind in _NAMED
    }
    merged = index.resolve_each(set(loose.values())) if loose else {}
    means = {each: ids for each in every if len(ids := meant.get(each[0], frozenset())) == 1}
    means |= {each: merged.get(name, frozenset()) or frozenset({name}) for each, name in loose.items()}
    return [tuple(dict.fromkeys(min(means[each]) for each in group if each in means)) for group in named]


def _topics(entities: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(entity for entity in entities if entity.startswith("topic:"))


def iso(moment: datetime) -> str:
    """UTC, with a Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
