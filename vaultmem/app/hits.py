"""Nodes as hits: whole chunks, their passages and summaries, read from the notes as they are now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.answers import IndexedChunk, RetrievalHit
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.ids import entity_id, note_hash
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
    #: whom and what the index knows it to name
    mentions: tuple[Mention, ...]


def read_leaf(index: Index, vault: Vault, chunk_id: str) -> LeafNote | str:
    """The chunk's note as it is now, or in words why it cannot be given."""
    return read_leaves(index, vault, [chunk_id])[chunk_id]


def read_leaves(index: Index, vault: Vault, chunk_ids: Collection[str]) -> dict[str, LeafNote | str]:
    """Of each of these chunks its note as it is now, or in words why it cannot be given.

    A note that has the bytes it was indexed with says what the index holds of it, and is not parsed.
    """
    found = index.chunks_named(chunk_ids)
    as_indexed = AsIndexed(vault)
    leaves: dict[str, LeafNote | str] = {}
    for chunk_id in chunk_ids:
        if known := found.get(chunk_id):
            read = _in_place_leaf if is_in_place(known.chunk.source_id) else _leaf
            leaves[chunk_id] = read(vault, known, as_indexed)
        else:
            leaves[chunk_id] = f"{chunk_id}: no such chunk"
    return leaves


class AsIndexed:
    """Whether notes have the bytes they were indexed with; of one answer, which looks at each note once."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._looked: dict[str, bool] = {}
        self._in_place: Callable[[str, str], bool] | None = None

    def __call__(self, source_id: str, path: str, known: str) -> bool:
        """`known`: `Entry.note_hash` of a chunk of this source. Raises FileNotFoundError, UnreadableVault, OSError."""
        if path not in self._looked:
            self._looked[path] = self._look(source_id, path, known)
        return self._looked[path]

    def _look(self, source_id: str, path: str, known: str) -> bool:
        if not is_in_place(source_id):
            return bool(known) and note_hash(self._vault.read(path)) == known
        from vaultmem.app.asked_in_place import unchanged  # only where there are such notes

        self._in_place = self._in_place or unchanged(self._vault)
        return self._in_place(path, known)


def _leaf(vault: Vault, known: IndexedChunk, as_indexed: AsIndexed) -> LeafNote | str:
    chunk_id, path = known.chunk.chunk_id, known.path
    try:
        if as_indexed(known.chunk.source_id, path, known.note_hash):
            return _as_indexed(known)
        text = vault.read(path).decode("utf-8")
        chunk = parse_chunk_note(text)
    except FileNotFoundError:
        return f"{chunk_id}: its note {path} is gone (run 'vaultmem sync')"
    except (BadNote, BadProperties, UnicodeDecodeError, OSError) as problem:
        return f"{chunk_id}: {path} cannot be read ({problem})"
    if chunk.chunk_id != chunk_id:
        return f"{chunk_id}: {path} holds another chunk by now (run 'vaultmem sync')"
    return LeafNote(
        path=path, chunk=chunk, passages=passages_of(chunk), body_line=split_note(text).body_line,
        mentions=known.mentions,
    )  # fmt: skip


def _as_indexed(known: IndexedChunk) -> LeafNote:
    return LeafNote(
        path=known.path, chunk=known.chunk, passages=known.passages, body_line=known.body_line, mentions=known.mentions
    )


def _in_place_leaf(vault: Vault, known: IndexedChunk, as_indexed: AsIndexed) -> LeafNote | str:
    """A chunk of the user's own note."""
    from vaultmem.app.asked_in_place import chunk_in_place  # only where there are such notes

    chunk_id, path = known.chunk.chunk_id, known.path
    try:
        if as_indexed(known.chunk.source_id, path, known.note_hash):
            return _as_indexed(known)
        found = chunk_in_place(vault, path, chunk_id)
    except FileNotFoundError:
        found = None
    except (VaultmemError, OSError) as problem:
        return f"{chunk_id}: {path} cannot be read ({problem})"
    if found is None:
        return f"{chunk_id}: {path} no longer says this (run 'vaultmem sync')"
    return LeafNote(
        path=path, chunk=known.chunk, passages=found.passages, body_line=found.body_line, mentions=known.mentions
    )


def leaf_hits(index: Index, notes: Sequence[LeafNote]) -> list[RetrievalHit]:
    """Whole chunks: each body, verbatim."""
    named = entities_of_each(index, [note.mentions for note in notes])
    return [_leaf_hit(note, entities) for note, entities in zip(notes, named, strict=True)]


def _leaf_hit(note: LeafNote, entities: tuple[str, ...]) -> RetrievalHit:
    authors = {passage.author for passage in note.passages}
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
    return some_passages(index, [(note, at) for at in range(len(note.passages))])


def some_passages(index: Index, chosen: Sequence[tuple[LeafNote, int]]) -> list[RetrievalHit]:
    """These passages, each by its note and its place in there."""
    groups = [[m for m in note.mentions if m.passage == note.passages[at].ordinal] for note, at in chosen]
    named = entities_of_each(index, groups)
    return [_passage_hit(note, at, entities) for (note, at), entities in zip(chosen, named, strict=True)]


def _passage_hit(note: LeafNote, at: int, entities: tuple[str, ...]) -> RetrievalHit:
    passage = note.passages[at]
    return _of_chunk(
        note,
        content=passage.text,
        before=note.passages[at - 1].text if at else "",
        after=note.passages[at + 1].text if at + 1 < len(note.passages) else "",
        entities=entities,
        span=(passage.sent_at or note.chunk.time_start, passage.sent_at or note.chunk.time_end),
        heading=passage.heading,
        block=passage.block,
        lines=(note.body_line + passage.first_line, note.body_line + passage.last_line),
        author=passage.author,
    )


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


def node_hits(index: Index, vault: Vault, identities: Sequence[str]) -> tuple[list[RetrievalHit], list[str]]:
    """The nodes of these ids in order, and in words what is missing."""
    nodes = index.nodes_named(identities)
    leaves = read_leaves(index, vault, [each for each in identities if each not in nodes])
    there = {each: leaf for each, leaf in leaves.items() if isinstance(leaf, LeafNote)}
    hits = dict(zip(there, leaf_hits(index, list(there.values())), strict=True))
    hits |= {each: summary_hit(vault, *node) for each, node in nodes.items()}
    missing = [leaf for leaf in leaves.values() if isinstance(leaf, str)]
    return [hits[each] for each in identities if each in hits], missing


def entities_of_each(index: Index, groups: Sequence[Iterable[Mention]]) -> list[tuple[str, ...]]:
    """What each of a group means: the registry's entity where one fits, `kind:slug` where none does, nothing where
    several do. All are asked for at once.
    """
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
