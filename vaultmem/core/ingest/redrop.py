"""A document dropped again: which pieces stay, which come, which go (DESIGN §3, document identity)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from vaultmem.core.ingest.chunk import Piece
from vaultmem.core.ingest.identity import initial_positions, position_between
from vaultmem.core.notes.ids import body_sha256
from vaultmem.model import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPiece:
    """A piece that needs a note."""

    body: str
    heading: str
    seq: int
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPlan:
    """What writing the document again means for its notes. Indexes point into the old chunks."""

    new: tuple[NewPiece, ...] = ()
    #: (index, position): unchanged pieces that stand elsewhere in the document now
    moved: tuple[tuple[int, str], ...] = ()
    #: unchanged pieces
    kept: tuple[int, ...] = ()
    #: pieces the document no longer has, and that no person edited
    vanished: tuple[int, ...] = ()


def plan_document(pieces: Sequence[Piece], old: Sequence[Chunk], *, next_seq: int) -> DocumentPlan:
    """Match pieces with the old chunks, in the order in which the chunker was given them; place the rest between."""
    slots = _matches(pieces, old)
    steady = _steady(slots, old)
    positions = _positions(slots, steady, old)
    new: list[NewPiece] = []
    moved: list[tuple[int, str]] = []
    for piece, slot, position in zip(pieces, slots, positions, strict=True):
        if slot is None:
            seq = next_seq + len(new)
            new.append(NewPiece(body=piece.repeat + piece.text, heading=piece.heading, seq=seq, position=position))
        elif slot not in steady:
            moved.append((slot, position))
    kept = {slot for slot in slots if slot is not None}
    vanished = tuple(i for i, chunk in enumerate(old) if i not in kept and not chunk.edited)
    return DocumentPlan(new=tuple(new), moved=tuple(moved), kept=tuple(sorted(kept)), vanished=vanished)


def _matches(pieces: Sequence[Piece], old: Sequence[Chunk]) -> list[int | None]:
    """For each piece the old chunk that holds it: as the chunker found it, or by the hash of the text it once had
    (a chunk that a person edited counts by that)."""
    taken = {piece.kept for piece in pieces if piece.kept is not None}
    free: dict[str, list[int]] = {}
    for index in reversed(range(len(old))):
        if index not in taken:
            free.setdefault(old[index].body_sha256, []).append(index)
    slots: list[int | None] = []
    for piece in pieces:
        waiting = free.get(body_sha256(piece.repeat + piece.text)) if piece.kept is None else None
        slots.append(waiting.pop() if waiting else piece.kept)
    return slots


def _steady(slots: Sequence[int | None], old: Sequence[Chunk]) -> frozenset[int]:
    """The most kept chunks whose positions already stand in order: only the others need a new one."""
    tails: list[str] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for slot in slots:
        if slot is None:
            continue
        at = bisect_left(tails, old[slot].position)
        before[slot] = ends[at - 1] if at else None
        tails[at : at + 1] = [old[slot].position]
        ends[at : at + 1] = [slot]
    chain: set[int] = set()
    step = ends[-1] if ends else None
    while step is not None:
        chain.add(step)
        step = before[step]
    return frozenset(chain)


def _positions(slots: Sequence[int | None], steady: frozenset[int], old: Sequence[Chunk]) -> list[str]:
    """Order keys for all pieces: those of steady chunks as they are, the others between their neighbours."""
    if not steady:
        return list(initial_positions(len(slots)))
    fixed = [old[slot].position if slot is not None and slot in steady else "" for slot in slots]
    rights = list(accumulate(reversed(fixed), _nearest))[::-1]
    positions: list[str] = []
    for here, right in zip(fixed, rights, strict=True):
        positions.append(here or position_between(positions[-1] if positions else "", right))
    return positions


def _nearest(right: str, here: str) -> str:
    """The closest steady position to the right, seen from the end."""
    return here or right
