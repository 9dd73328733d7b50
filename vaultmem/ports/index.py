"""The rebuildable index, as the app sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from vaultmem.answers import Around, Filters, IndexedChunk, Meaning, PassageRow
from vaultmem.core.recall.weights import WEIGHTS, Weights
from vaultmem.grown import Named
from vaultmem.jobs import Job
from vaultmem.model import AliasRow, AuthorFact, Chunk, Entry, FileStat, RegistryNote
from vaultmem.ports.company import Company
from vaultmem.ports.forest import Forest
from vaultmem.ports.held import Held
from vaultmem.ports.trees import Trees
from vaultmem.ports.work import Queue


class Index(Trees, Protocol):
    """The rebuildable index. Every write is one transaction."""

    @property
    def queue(self) -> Queue:
        """The work that follows from this index's rows, in the same file and the same transactions."""
        ...

    @property
    def held(self) -> Held:
        """What exports that come again are asked against."""
        ...

    @property
    def forest(self) -> Forest:
        """What questions of time ask of the source trees."""
        ...

    @property
    def company(self) -> Company:
        """What questions ask of entities: where each stands, and beside whom."""
        ...

    def commit(self, entries: Sequence[Entry], *, removed: Collection[str] = (), jobs: Sequence[Job] = ()) -> None:
        """Replace the rows of these notes (by chunk_id and by path), drop those of the removed paths, enqueue."""
        ...

    def note_stats(self) -> Mapping[str, tuple[FileStat, str]]:
        """Chunk notes the index knows: path -> (stat at indexing, chunk_id). Notes in place are none."""
        ...

    def in_place_stats(self) -> Mapping[str, FileStat]:
        """Notes of the user's own that the index holds: path -> stat at indexing (size -1: words alone so far)."""
        ...

    def chunks_at(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of the note that stands there, in its order."""
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
        """One row per source, by id: source_id, source_kind, tree_scope, chunks, dropped, first_ms, last_ms."""
        ...

    def source_titles(self, source_ids: Collection[str]) -> Mapping[str, str]:
        """Of each of these sources the title of its newest chunk."""
        ...

    def documents_with(self, own_id: str) -> tuple[str, ...]:
        """source_ids of the documents that have this id of their own: several notes may be about one web page."""
        ...

    def documents_named(self, source_id: str) -> tuple[tuple[str, str], ...]:
        """(source_id, own_id) of the document sources of this id and of those numbered like `<id> (2)`."""
        ...

    def chunk(self, chunk_id: str) -> tuple[str, Chunk] | None:
        """(path, chunk) or None."""
        ...

    def replace_registry(
        self, notes: Sequence[RegistryNote], aliases: Sequence[AliasRow], *, unread: Collection[str] = ()
    ) -> None:
        """The whole registry as the notes say it now, and the notes that are to be read again because of it."""
        ...

    def registry(self) -> tuple[RegistryNote, ...]:
        """The registry as last given."""
        ...

    def resolve_each(self, surfaces: Collection[str]) -> Mapping[str, frozenset[str]]:
        """Folded surface -> entity ids it means (several: ambiguous); those that mean nothing are left out."""
        ...

    def chunks_mentioning(self, words: Collection[str]) -> frozenset[str]:
        """chunk_ids whose text may contain one of these folded names (a superset is fine)."""
        ...

    def around(self, passages: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Around]:
        """(chunk_id, ordinal) -> what stands beside it, of those of these that there are."""
        ...

    def chunks_named(self, chunk_ids: Collection[str]) -> Mapping[str, IndexedChunk]:
        """chunk_id -> all that is held of it, of those of these that there are."""
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
        weights: Weights = WEIGHTS,
    ) -> tuple[tuple[PassageRow, ...], int]:
        """Passages that pass all filters, in no order, and how many there were before the cut.

        A passage is a candidate when it or a neighbour holds one of the normalised words, when its time lies in one of
        the spans ([first, end) in epoch ms), when it mentions one of the entities (canonical id, name or alias), or
        when its vector is near the question's. Of each of these groups the best `limit` are given: the nearest of the
        last, the lexically best of the others. Of very many vectors the count before the cut is an estimate: most of
        them are compared by their signs alone. A passage's time is its own, else its chunk's; `since` and `until` are
        both inclusive.
        """
        ...

    def nearest(self, meaning: Meaning, filters: Filters, *, limit: int) -> tuple[tuple[str, int, float], ...]:
        """(chunk_id, ordinal, cosine) of the passages nearest in meaning that pass all filters, best first."""
        ...

    @property
    def vector_backend(self) -> str:
        """What compares vectors: numpy | sqlite-vec | signs; "" before the first question by meaning."""
        ...

    def passages_without_vector(self, signature: str, limit: int) -> tuple[tuple[bytes, str], ...]:
        """(hash, text to embed) of passages that have no vector of this signature, the newest notes first.

        A text that stands twice is given once; dropped chunks and passages without a word get no vector.
        """
        ...

    def put_vectors(
        self, signature: str, vectors: Mapping[bytes, Sequence[float]], *, refused: Collection[bytes] = ()
    ) -> None:
        """Store vectors by the hash of their text; a text that went away meanwhile is left out. Raises BadVector.

        `refused`: texts this model makes nothing of; they are not given again as passages without a vector.
        """
        ...

    def vector_counts(self, signature: str) -> tuple[int, int]:
        """How many passages have a vector of this signature, and how many should; refused ones are neither."""
        ...

    def vector_signatures(self) -> Mapping[str, int]:
        """Vectors kept of each signature."""
        ...

    def refused_texts(self, signature: str) -> int:
        """How many texts this signature's model makes nothing of."""
        ...

    def retry_refused(self) -> int:
        """Forget which texts were refused, by any model; how many."""
        ...

    def likely_backend(self, count: int) -> str:
        """What compares so many vectors at a question now: numpy | sqlite-vec | signs; "" when there are none."""
        ...

    def drop_stale_vectors(self, signature: str) -> int:
        """Drop vectors of other signatures and of texts that stand nowhere; how many went."""
        ...

    def entity_counts(self) -> Mapping[str, int]:
        """Entity id -> passages of chunks not dropped that name it."""
        ...

    def appearances(self, ids: Collection[str]) -> tuple[tuple[str, str, bool], ...]:
        """(entity id, source that names it, whether it speaks, writes or is written to there)."""
        ...

    def newest_named(self, each: int) -> tuple[tuple[str, Named], ...]:
        """(entity id, passage that names it): the `each` newest of every entity, newest first."""
        ...

    def named_beside(self, each: int) -> tuple[tuple[str, str], ...]:
        """(entity id, another that stands in the same passages): the `each` most frequent of every entity."""
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

    def drop_traces(self, words: Collection[str]) -> None:
        """Forget what is remembered of these words beside the rows: values, and jobs that name them."""
        ...

    def compact(self) -> bool:
        """Overwrite what deleted rows left in the file; False when a reader keeps its log from being emptied."""
        ...

    def close(self) -> None:
        """Give the file back."""
        ...
