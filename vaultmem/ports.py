"""What the app asks of the world. A port exists where there are two real implementations or a fault to inject."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vaultmem.answers import Filters, Meaning, PassageRow
from vaultmem.grown import Leaf, NodeEntry, SummaryNode
from vaultmem.jobs import LEASE_MS, Claimed, DeadJob, Job, JobKind, Outcome, Settled
from vaultmem.model import (
    AliasRow,
    AuthorFact,
    Chunk,
    Claim,
    Entry,
    FileStat,
    InboxFile,
    Mention,
    NoteFile,
    RawFile,
    RegistryNote,
)

if TYPE_CHECKING:  # a command that embeds nothing does not wait for it
    import numpy as np
    from numpy.typing import NDArray


class Scan(Protocol):
    """What a look at a folder saw."""

    @property
    def files(self) -> Mapping[str, FileStat]:
        """Vault path -> what was seen, for every file below the folder."""
        ...

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Folders that could not be listed: the scan is partial, nothing may be deleted because of it."""
        ...


class Vault(Protocol):
    """The vault's files. The only writer of notes; paths are POSIX, relative to the root, NFC in what we write."""

    @property
    def root(self) -> Path:
        """The vault's folder."""
        ...

    def scan(self, folder: str, *, suffix: str = ".md") -> Scan:
        """Every file below `folder` with that suffix (any when ""), dot-parts and links left out.

        A folder that does not exist is an empty scan; the root itself missing or unreadable raises UnreadableVault.
        """
        ...

    def stat(self, path: str) -> FileStat | None:
        """What is there now; None for nothing, a folder or a link."""
        ...

    def read(self, path: str) -> bytes:
        """The file's bytes; FileNotFoundError when it is gone."""
        ...

    def write(self, notes: Sequence[NoteFile]) -> tuple[str, ...]:
        """Write a batch of notes vaultmem owns, durable on return; equal bytes are not rewritten.

        Each by a temporary dot-file in its own folder and a rename; all files are flushed together, then the folders.
        Returns the paths really written.
        """
        ...

    def edit(self, path: str, change: Callable[[bytes], bytes | None], *, now: datetime) -> bool:
        """Replace a note that a person may also edit by `change(bytes)`; None or equal bytes: no write.

        Just before the rename the file is looked at again; if it changed, the edit is redone on the new bytes. A note
        a person changed in the last 10 s is left for later: returns False, as it does when nothing was written.
        """
        ...

    def remove(self, path: str) -> None:
        """Delete a file vaultmem owns; nothing happens when it is gone already."""
        ...

    def move(self, path: str, to: str) -> str:
        """Move a file inside the vault without replacing anything; returns the path it got (` (2)` when taken)."""
        ...

    def put(self, path: str, content: bytes, *, modified_at: datetime | None = None) -> str:
        """Write a non-note file (archive, failed reason, inbox copy) durably, never over another; returns its path."""
        ...


class Intake(Protocol):
    """The inbox, the originals and the claims: a dropped file's way outside the notes."""

    def files(self) -> tuple[InboxFile, ...]:
        """Every file below the inbox, sorted by name; hidden ones and links too."""
        ...

    def load(self, name: str) -> AbstractContextManager[RawFile]:
        """The file's content (a memory map when large). Raises UnreadableSource when it cannot be opened."""
        ...

    def copy_in(self, path: Path) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Copy a file or a folder into the inbox, keeping modification times.

        Returns the names they got there, and (name, reason) of what was left out: links are never followed.
        """
        ...

    def plan_original(self, name: str, sha256: str) -> str:
        """The vault path this file gets in `wiki/archive`: where its content is already, or what an open claim of it
        says, else the first name that is free there and in all open claims.
        """
        ...

    def keep(self, name: str, sha256: str, *, archived: str) -> None:
        """Put the original away for good, then take it out of the inbox: to the planned path, or, for "", privately.

        The same content is kept once. Durable before the inbox file goes; one that changed meanwhile stays there.
        """
        ...

    def fail(self, name: str, reason: str) -> str:
        """Set a file aside in `_failed/` with its reason beside it; returns the new inbox-relative name."""
        ...

    def open_claim(self, claim: Claim) -> None:
        """Write or replace the claim of this file, durable on return."""
        ...

    def claims(self) -> tuple[Claim, ...]:
        """Claims of ingests that did not come to their end."""
        ...

    def close_claim(self, sha256: str) -> None:
        """The ingest is complete."""
        ...


class Queue(Protocol):
    """Durable background work. Every call is one transaction; nothing in it is part of the digest.

    A job has one living row, ready or running. It runs at least once; while its lease holds, neither it nor another
    job with its subject is begun.
    """

    def enqueue(self, jobs: Sequence[Job]) -> None:
        """Make these jobs ready. One that is ready already stays as it is; one that runs is made ready once more
        when it is settled; one that was laid aside gets a new row with fresh attempts.
        """
        ...

    def claim(self, kinds: Collection[JobKind], *, lease: str, now_ms: int, lease_ms: int = LEASE_MS) -> Claimed | None:
        """Take the first ready job of these kinds, counting an attempt; None when there is none.

        By kind (CLAIM_ORDER), then by the time it became due, then by age. `lease`: a token nobody else uses.
        """
        ...

    def settle(self, claimed: Claimed, outcome: Outcome, *, now_ms: int) -> Settled:
        """Write down how a claimed job ended, together with what follows from it.

        Done: the job and its old dead letters go, follow-ups come. Defer: the attempt is given back. Fail: tried
        again after a growing delay, or laid aside (core.grow.retry). "lost": the lease is somebody else's, nothing
        was changed.
        """
        ...

    def release(self, leases: Collection[str]) -> int:
        """Make the jobs under these leases ready as if never claimed; returns how many were still held."""
        ...

    def recover(self, *, now_ms: int, alone: bool) -> int:
        """Make jobs ready whose lease ran out, or any that runs when the caller knows that it is `alone`.

        The attempt is given back and a loss is counted; too many losses lay the job aside. Returns how many.
        """
        ...

    def counts(self) -> Mapping[str, int]:
        """ready (those that wait for their time too), running, dead."""
        ...

    def dead(self) -> tuple[DeadJob, ...]:
        """Jobs laid aside, oldest first."""
        ...

    def retry_dead(self) -> int:
        """Enqueue every job laid aside anew; returns how many."""
        ...


class Index(Protocol):
    """The rebuildable index. Every write is one transaction."""

    @property
    def queue(self) -> Queue:
        """The work that follows from this index's rows, in the same file and the same transactions."""
        ...

    def commit(self, entries: Sequence[Entry], *, removed: Collection[str] = (), jobs: Sequence[Job] = ()) -> None:
        """Replace the rows of these notes (by chunk_id and by path), drop those of the removed paths, enqueue."""
        ...

    def note_stats(self) -> Mapping[str, tuple[FileStat, str]]:
        """Chunk notes the index knows: path -> (stat at indexing, chunk_id)."""
        ...

    def known_keys(self, source_id: str, keys: Collection[str]) -> Mapping[str, str]:
        """Which of these message keys the source already holds: key -> path of the note it stands in."""
        ...

    def next_seq(self, source_id: str) -> int:
        """One more than the highest seq among the source's notes; 0 for a new one. The same after a rebuild."""
        ...

    def chunks_of(self, source_id: str) -> tuple[tuple[str, Chunk], ...]:
        """(path, chunk) of a source in reading order."""
        ...

    def sources(self) -> tuple[Mapping[str, object], ...]:
        """One row per source: source_id, source_kind, tree_scope, title, chunks, dropped, first_ms, last_ms."""
        ...

    def documents(self) -> tuple[tuple[str, str, str], ...]:
        """(source_id, own_id, source_ref) of every document source."""
        ...

    def chunk(self, chunk_id: str) -> tuple[str, Chunk] | None:
        """(path, chunk) or None."""
        ...

    def replace_registry(self, notes: Sequence[RegistryNote], aliases: Sequence[AliasRow]) -> None:
        """The whole registry as the notes say it now."""
        ...

    def registry(self) -> tuple[RegistryNote, ...]:
        """The registry as last given."""
        ...

    def resolve(self, surface: str) -> frozenset[str]:
        """Entity ids a folded surface means (several: ambiguous)."""
        ...

    def chunks_mentioning(self, words: Collection[str]) -> frozenset[str]:
        """chunk_ids whose text may contain one of these folded names (a superset is fine)."""
        ...

    def mentions_of(self, chunk_id: str) -> tuple[Mention, ...]:
        """The mentions of a chunk, in passage order."""
        ...

    def author_facts(self, own: Collection[str]) -> tuple[AuthorFact, ...]:
        """Every surface that speaks, is written to or is linked to, with its counts; `own` are the owner's names."""
        ...

    def candidates(
        self,
        words: Sequence[str],
        filters: Filters,
        *,
        limit: int,
        spans_ms: Sequence[tuple[int, int]] = (),
        entities: Sequence[str] = (),
        meaning: Meaning | None = None,
    ) -> tuple[tuple[PassageRow, ...], int]:
        """Passages that pass all filters, in no order, and how many there were before the cut.

        A passage is a candidate when it or a neighbour holds one of the normalised words, when its time lies in one of
        the spans ([first, end) in epoch ms), when it mentions one of the entities (canonical id, name or alias), or
        when its vector is near the question's. Of each of these groups the best `limit` are given: the nearest of the
        last, the lexically best of the others. A passage's time is its own, else its chunk's; `since` and `until` are
        both inclusive.
        """
        ...

    def commit_nodes(self, entries: Sequence[NodeEntry], *, removed: Collection[str] = ()) -> None:
        """Replace the rows of these summary notes (by node_id and by path) and drop those of the removed paths."""
        ...

    def node_stats(self) -> Mapping[str, FileStat]:
        """Summary notes the index knows: path -> stat at indexing."""
        ...

    def nodes(self, tree_scope: str) -> tuple[tuple[str, SummaryNode], ...]:
        """(path, node) of a source tree, lowest level first."""
        ...

    def node(self, node_id: str) -> tuple[str, SummaryNode] | None:
        """(path, node) or None."""
        ...

    def parent_of(self, child_id: str) -> str:
        """The node that lists this leaf or node; "" for none."""
        ...

    def leaves(self, tree_scope: str) -> tuple[tuple[str, Leaf], ...]:
        """(path, leaf) of every chunk of a source tree, dropped ones too."""
        ...

    def scopes(self) -> tuple[tuple[str, str], ...]:
        """(tree_scope, source_kind) of every source tree."""
        ...

    def nearest(self, meaning: Meaning, filters: Filters, *, limit: int) -> tuple[tuple[str, int, float], ...]:
        """(chunk_id, ordinal, cosine) of the passages nearest in meaning that pass all filters, best first."""
        ...

    @property
    def vector_backend(self) -> str:
        """What compares vectors: numpy | sqlite-vec; "" before the first question by meaning."""
        ...

    def passages_without_vector(self, signature: str, limit: int) -> tuple[tuple[bytes, str], ...]:
        """(hash, text to embed) of passages that have no vector of this signature, the newest notes first.

        A text that stands twice is given once; dropped chunks and passages without a word get no vector.
        """
        ...

    def put_vectors(self, signature: str, vectors: Mapping[bytes, Sequence[float]]) -> None:
        """Store vectors by the hash of their text; a text that went away meanwhile is left out. Raises BadVector."""
        ...

    def vector_counts(self, signature: str) -> tuple[int, int]:
        """How many passages have a vector of this signature, and how many should."""
        ...

    def drop_stale_vectors(self, signature: str) -> int:
        """Drop vectors of other signatures and of texts that stand nowhere; how many went."""
        ...

    def entity_counts(self) -> Mapping[str, int]:
        """Entity id -> passages of chunks not dropped that name it."""
        ...

    def unregistered(self) -> tuple[tuple[str, str, str, int], ...]:
        """(kind, surface, text as written, passages) of every surface that no entity note claims."""
        ...

    def dropped(self, limit: int) -> tuple[tuple[tuple[str, Chunk], ...], int]:
        """The newest dropped chunks with their paths, and how many there are."""
        ...

    def ids_beginning(self, beginning: str) -> tuple[str, ...]:
        """The first two ids of chunks and summaries that begin so."""
        ...

    def counts(self) -> Mapping[str, int]:
        """notes, admitted, dropped, pending, passages, sources, entities, mentions."""
        ...

    def digest(self) -> str:
        """SHA-256 of the logical content: the same for any two indexes of the same vault."""
        ...

    def get_meta(self, key: str) -> str:
        """A remembered value; "" when unset."""
        ...

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value (clock fields, inbox facts): never part of the digest."""
        ...

    def clear(self) -> None:
        """Forget everything (rebuild)."""
        ...

    def close(self) -> None:
        """Give the file back."""
        ...


class Embedder(Protocol):
    """Text -> vectors."""

    @property
    def signature(self) -> str:
        """Model, dimensions, pooling, weights: vectors of different signatures are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, a row each. Raises NoEmbedder when the model cannot be loaded."""
        ...
