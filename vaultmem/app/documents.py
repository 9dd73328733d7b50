"""A document dropped for the first time or again: identity, pieces, and only the notes that really change."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from vaultmem.app.engine import Engine
from vaultmem.app.notes import free_path, stands, write_notes
from vaultmem.core.ingest.chunk import chunk_document
from vaultmem.core.ingest.compose import Composer, document_chunk
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.forget import without_paragraphs
from vaultmem.core.ingest.identity import paragraph_hashes, same_document
from vaultmem.core.ingest.redrop import NewPiece, plan_document
from vaultmem.core.notes.broken import Broken
from vaultmem.core.notes.tombstones import Tombstones, piece_key
from vaultmem.model import Chunk, Claim, Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of a document."""

    source_id: str
    chunks: int
    notes: tuple[str, ...]
    #: the earlier name of the very same file, when memory holds it under that; "" else
    same_as: str = ""


@dataclass(slots=True)
class Copies:
    """Which documents were made of which original: looked up once in a pass, for the first file that comes again."""

    engine: Engine
    _found: dict[str, tuple[str, ...]] | None = None

    def made_of(self, original: str) -> tuple[str, ...]:
        """source_ids of the documents made of this original."""
        if self._found is None:
            self._found = dict(self.engine.index.held.documents_from())
        return self._found.get(original, ())

    def add(self, original: str, source_id: str) -> None:
        """Another one was made of it."""
        if self._found is not None and source_id not in self.made_of(original):
            self._found[original] = (*self.made_of(original), source_id)


def take_document(
    engine: Engine,
    registry: Registry,
    document: Document,
    *,
    buried: Tombstones,
    broken: Broken,
    copies: Copies,
    by: Composer,
    claim: Claim,
) -> Taken:
    """Bring the document in, or bring its notes up to date: unchanged pieces keep their notes byte for byte.

    `broken`: what stands in notes that cannot be read.
    """
    source_id, old = _identify(engine, document)
    if not old and (twin := _twin(engine, document, copies.made_of(by.original) if _is_there(engine, claim) else ())):
        return twin
    if claim.original:
        copies.add(by.original, source_id)
    body = without_paragraphs(document.body, buried.of_source(source_id))
    document = replace(document, source_id=source_id, body=body)
    chunks = [chunk for _, chunk in old]
    pieces = chunk_document(
        document.body,
        count=engine.count,
        max_tokens=engine.settings.chunk_tokens,
        kept=[chunk.body for chunk in chunks],
    )
    plan = plan_document(pieces, chunks, next_seq=engine.index.next_seq(source_id))
    unread = broken.known(source_id, [piece_key(piece.body) for piece in plan.new])
    wanted = [piece for piece in _not_buried(plan.new, source_id, buried) if piece_key(piece.body) not in unread]
    fresh = [
        document_chunk(document, piece.body, seq=piece.seq, position=piece.position, heading=piece.heading, by=by)
        for piece in wanted
    ]
    # A note that a person broke is theirs until it is mended: it is neither moved nor removed.
    whole = {index for index in (*dict(plan.moved), *plan.vanished) if stands(engine, *old[index])}
    moved = [(old[index][0], replace(chunks[index], position=at)) for index, at in plan.moved if index in whole]
    placed = [(free_path(engine, chunk), chunk) for chunk in fresh]
    gone = [old[index][0] for index in plan.vanished if index in whole]
    if placed or moved or gone:
        write_notes(engine, registry, placed, claim=claim, rewritten=moved, removing=gone)
    kept = [old[index][0] for index in plan.kept]
    notes = (*kept, *unread.values(), *(path for path, _ in placed))
    return Taken(source_id=source_id, chunks=len(fresh), notes=notes)


def _not_buried(pieces: tuple[NewPiece, ...], source_id: str, buried: Tombstones) -> list[NewPiece]:
    """Pieces that nobody deleted before."""
    gone = buried.buried(source_id, [piece_key(piece.body) for piece in pieces])
    return [piece for piece in pieces if piece_key(piece.body) not in gone]


def _identify(engine: Engine, document: Document) -> tuple[str, tuple[tuple[str, Chunk], ...]]:
    """The document's final source_id, and the notes it has already.

    The same document: the same own id; or the same URL or inbox path, and at least 30 % shared paragraphs (both the
    same: a page that was written anew). Otherwise it is another one of that name and gets an id of its own.
    """
    paragraphs = paragraph_hashes(document.body)
    for source_id in engine.index.documents_with(document.own_id) if document.own_id else ():
        notes = engine.index.chunks_of(source_id)
        sure = not _is_address(document.own_id) or source_id == document.source_id
        if sure or _shares(notes, paragraphs):
            return source_id, notes
    namesakes = engine.index.documents_named(document.source_id)
    for source_id, own_id in namesakes:
        if own_id and document.own_id:
            continue
        notes = engine.index.chunks_of(source_id)
        if _shares(notes, paragraphs):
            return source_id, notes
    return _free_id(document.source_id, {source_id for source_id, _ in namesakes}), ()


def _is_there(engine: Engine, claim: Claim) -> bool:
    """Whether the vault shows this file's original already: under whatever name, it came before."""
    return bool(claim.original) and engine.vault.stat(claim.original) is not None


def _twin(engine: Engine, document: Document, made: Collection[str]) -> Taken | None:
    """The document that was made of this very file under another name, as long as it says all that this one says.

    `made`: all that were made of it.
    """
    if not made:
        return None
    pieces = chunk_document(document.body, count=engine.count, max_tokens=engine.settings.chunk_tokens)
    plan = plan_document(pieces, (), next_seq=0)
    said = frozenset().union(*(paragraph_hashes(piece.body) for piece in plan.new))
    for source_id in made:
        notes = engine.index.chunks_of(source_id)
        if said and said <= _held(notes):
            name = notes[0][1].source_ref.partition(" # ")[0]
            return Taken(source_id=source_id, chunks=0, notes=tuple(path for path, _ in notes), same_as=name)
    return None


def _is_address(own_id: str) -> bool:
    """True for the address of a page, which several notes may be about; an id names one note."""
    return "://" in own_id


def _shares(notes: Iterable[tuple[str, Chunk]], paragraphs: frozenset[str]) -> bool:
    return same_document(_held(notes), paragraphs)


def _held(notes: Iterable[tuple[str, Chunk]]) -> frozenset[str]:
    return frozenset().union(*(paragraph_hashes(chunk.body) for _, chunk in notes))


def _free_id(wanted: str, taken: set[str]) -> str:
    """The wanted id, or with the next number behind it."""
    number = 1
    candidate = wanted
    while candidate in taken:
        number += 1
        candidate = f"{wanted} ({number})"
    return candidate
