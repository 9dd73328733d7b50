"""A chunk note's text -> the rows of the index. The one way in: ingest, reconcile and rebuild all come through here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.codec import message_passages
from vaultmem.core.notes.ids import note_hash
from vaultmem.core.notes.markdown import document_passages
from vaultmem.core.notes.properties import split_note
from vaultmem.model import Chunk, Entry, FileStat, Passage, SourceKind

if TYPE_CHECKING:
    from vaultmem.core.ingest.entities import Registry

#: Bodies that stay read: one chunk is asked for by its tree, its topics and each of its days.
_KEPT = 200


def read_entry(text: str, registry: Registry, stat: FileStat) -> Entry:
    """Everything the index holds of this note. Raises BadNote or BadProperties when it is no chunk note."""
    from vaultmem.core.ingest.extract import find_mentions  # a question needs passages alone
    from vaultmem.core.ingest.importance import named_by_model

    chunk = parse_chunk_note(text)
    passages = passages_of(chunk)
    mentions = find_mentions(passages, kind=chunk.source_kind, registry=registry)
    return Entry(
        path=stat.path,
        chunk=chunk,
        passages=passages,
        mentions=(*mentions, *named_by_model(chunk.llm_entities, passages, mentions)),
        body_line=split_note(text).body_line,
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        note_hash=note_hash(text.encode()),
    )


def passages_of(chunk: Chunk) -> tuple[Passage, ...]:
    """The units of recall in a chunk's body: its messages, or its paragraphs."""
    return _passages(chunk.source_kind, chunk.body, chunk.heading)


@lru_cache(maxsize=_KEPT)
def _passages(kind: SourceKind, body: str, heading: str) -> tuple[Passage, ...]:
    if kind == "document":
        return document_passages(body, heading)
    return message_passages(kind, body)


def times_of(chunk: Chunk, passages: Sequence[Passage]) -> tuple[datetime, ...]:
    """When each passage was said: one without a time of its own at that of the one above, or of the chunk."""
    found: list[datetime] = []
    for passage in passages:
        found.append(passage.sent_at or (found[-1] if found else chunk.time_start))
    return tuple(found) or (chunk.time_start,)
