"""What the index tells of messages, conversations and summaries it holds, for exports that come again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from vaultmem.grown import MadeOf
from vaultmem.model import Chunk


class Held(Protocol):
    """A part of the Index port, in the same snapshots."""

    def holders(self, source_id: str, keys: Collection[str]) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of the notes that hold one of these messages, in reading order."""
        ...

    def positions(self, source_id: str) -> tuple[str, ...]:
        """The order keys of a source's chunks, in reading order."""
        ...

    def filed_as(self, own_id: str) -> tuple[str, str] | None:
        """(source_id, tree_scope) under which the conversation of this id was filed first; None for an unknown one."""
        ...

    def own_ids(self, source_id: str) -> frozenset[str]:
        """The platform's ids of the conversations filed under this source."""
        ...

    def lost_children(self) -> tuple[tuple[str, str], ...]:
        """(node_id, child_id) of every summary that lists a chunk or summary that is not there."""
        ...

    def shared_children(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(child, its parents by node_id) of what several summaries of one tree that seals list."""
        ...

    def made_of(self) -> Mapping[str, tuple[str, tuple[MadeOf, ...]]]:
        """node_id -> the hash its note has of what it was made of, and its children as they are now; lowest first, of
        the trees that seal.
        """
        ...

    def children(self, ids: Sequence[str]) -> tuple[MadeOf, ...]:
        """These chunks and summaries as they are now, in this order."""
        ...

    def holding(self, keys: Collection[str]) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of the notes, of whatever source, that hold one of these messages."""
        ...

    def chunk_at(self, path: str) -> Chunk | None:
        """The chunk whose note stands there; None for none."""
        ...

    def hashes_in_place(self) -> Mapping[str, str]:
        """Notes of the user's own: path -> `Entry.note_hash`, "" for one of which only the words were taken."""
        ...

    def documents_from(self) -> Mapping[str, tuple[str, ...]]:
        """Link to an original in the vault -> source_ids of the documents made of it. Reads every document's note."""
        ...
