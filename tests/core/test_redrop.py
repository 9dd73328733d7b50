"""A document dropped again: which notes stay as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.chunk import Piece
from vaultmem.core.ingest.redrop import DocumentPlan, plan_document
from vaultmem.core.notes.ids import body_sha256
from vaultmem.model import Chunk

AT = datetime(2024, 1, 1, tzinfo=UTC)


def pieces(*texts: str) -> list[Piece]:
    return [Piece(text=text, heading="", repeat="") for text in texts]


def chunk(body: str, seq: int, position: str) -> Chunk:
    return Chunk(
        chunk_id=f"{seq:032x}",
        source_kind="document",
        source_id="doc:a.md",
        tree_scope="doc:documents",
        owner="",
        time_start=AT,
        time_end=AT,
        seq=seq,
        position=position,
        token_count=1,
        body=body,
        source_ref="a.md # start",
        original="private",
        title="a",
        body_sha256=body_sha256(body),
    )


def written(texts: list[str]) -> list[Chunk]:
    plan = plan_document(pieces(*texts), [], next_seq=0)
    return [chunk(piece.body, piece.seq, piece.position) for piece in plan.new]


def after(old: list[Chunk], plan: DocumentPlan) -> list[str]:
    """The document's bodies in reading order once the plan is carried out."""
    kept = [old[index] for index in range(len(old)) if index not in plan.vanished]
    moved = dict(plan.moved)
    placed = [replace(c, position=moved.get(old.index(c), c.position)) for c in kept]
    placed += [chunk(piece.body, piece.seq, piece.position) for piece in plan.new]
    return [c.body for c in sorted(placed, key=lambda c: c.position)]


def test_the_same_document_changes_nothing() -> None:
    old = written(["a", "b", "c"])

    plan = plan_document(pieces("a", "b", "c"), old, next_seq=3)

    assert plan == DocumentPlan(kept=(0, 1, 2))


def test_a_paragraph_on_top_is_one_new_piece() -> None:
    old = written([str(n) for n in range(100)])

    plan = plan_document(pieces("new", *(str(n) for n in range(100))), old, next_seq=100)

    assert [piece.body for piece in plan.new] == ["new"]
    assert plan.moved == ()
    assert after(old, plan)[0] == "new"


def test_a_piece_that_moved_gets_a_new_place_and_nothing_else_is_touched() -> None:
    old = written(["a", "b", "c", "d"])

    plan = plan_document(pieces("d", "a", "b", "c"), old, next_seq=4)

    assert [index for index, _ in plan.moved] == [3]
    assert plan.new == ()
    assert after(old, plan) == ["d", "a", "b", "c"]


def test_what_the_document_lost_goes_unless_a_person_edited_it() -> None:
    old = written(["a", "b", "c"])
    old[1] = replace(old[1], body="b, by hand", edited=True)

    assert plan_document(pieces("a"), old, next_seq=3).vanished == (2,)


def test_a_piece_a_person_edited_stays_theirs_when_the_old_text_comes_again() -> None:
    old = written(["a", "b"])
    old[1] = replace(old[1], body="b, by hand", edited=True)

    assert plan_document(pieces("a", "b"), old, next_seq=2) == DocumentPlan(kept=(0, 1))


texts = st.lists(st.text("abcdef", min_size=1, max_size=2), max_size=12)


@given(texts, texts)
def test_after_any_change_the_notes_read_like_the_new_document(first: list[str], second: list[str]) -> None:
    old = written(first)

    plan = plan_document(pieces(*second), old, next_seq=len(old))

    assert after(old, plan) == second
    assert len({piece.seq for piece in plan.new} | {c.seq for c in old}) == len(plan.new) + len(old)
