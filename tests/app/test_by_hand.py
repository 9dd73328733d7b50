"""The user's hand: what is edited, dropped, deleted, put back in the notes reaches the summaries and stays."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.app.test_edits import tree
from tests.papers import packed
from tests.vaults import Box
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.grown import SummaryNode

QUIET = 1_700_000_500.0


THINGS = (
    "mast oak harbour Lisbon", "anchor iron quay Bergen", "sail linen loft Genoa", "rudder brass dock Cork",
    "keel lead yard Gdansk", "compass glass shop Malmo", "lantern copper tower Brest", "rope hemp shed Riga",
    "pump steel cellar Turku", "bell bronze church Porto", "ladder ash barn Hobart",
)  # fmt: skip


def crew(days: int) -> bytes:
    """A channel with a long gap between its messages, so that each is a note of its own."""
    posts = []
    for day in range(days):
        thing, stuff, place, town = THINGS[day].split()
        said = (
            f"On day {day} the {thing} was made new of {stuff} in the {place} of {town}. Whoever wants to see the old"
            f" {thing} asks the watchman of that {place} before noon. It cost {day * 70 + 300} euros, and {town} sends"
            f" the paper for the {thing} by letter; nobody has to go there for it. "
        )
        said += f"The {stuff} lasts for {day + 5} winters if it is kept dry, says who sold it to the {place}."
        posts.append({"type": "message", "user": "U1", "text": said, "ts": f"{1704103200 + day * 86400}.0001"})
    return packed({
        "users.json": json.dumps([{"id": "U1", "name": "ann"}]),
        "channels.json": json.dumps([{"id": "C1", "name": "crew"}]),
        "crew/2024-01-01.json": json.dumps(posts),
    })  # fmt: skip


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path, config="chat_gap_hours: 1\n")
    made.write("crew.zip", crew(11))
    made.sync()
    return made


def change(path: Path, old: str, new: str) -> None:
    """What a person does in an editor that was closed a while ago."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, (QUIET, QUIET))


def first(box: Box) -> tuple[Path, SummaryNode]:
    path, node = next(item for item in tree(box).items() if len(item[1].child_ids) == 10)
    return box.root / path, node


def everywhere(box: Box) -> str:
    return "\n".join(data.decode() for data in box.notes().values())


def everywhere_but(box: Box, note: Path) -> str:
    own = note.relative_to(box.root).as_posix()
    return "\n".join(data.decode() for path, data in box.notes().items() if path != own)


def settled(box: Box) -> None:
    """Another pass does nothing, and a rebuilt index is the same."""
    digest, notes = box.digest(), box.notes()
    assert box.sync() == []
    assert box.notes() == notes
    with box.open() as memory:
        memory.rebuild()
    assert box.digest() == digest
    box.sync()
    assert box.notes() == notes


def test_an_edited_note_is_judged_again_and_its_summary_sealed_again(box: Box) -> None:
    before = first(box)[1]
    old = before.sentences[0]
    note = box.root / old.link.path
    change(note, old.text, "On that day Ines paid 4471 euros for a broken window.")
    box.sync()

    after = first(box)[1]
    assert after.rev == before.rev + 1
    assert (after.node_id, after.child_ids) == (before.node_id, before.child_ids)
    assert old.text not in everywhere(box)
    chunk = parse_chunk_note(note.read_text())
    assert chunk.edited
    assert chunk.signals["entity_density"] > 0
    settled(box)


def test_an_edit_that_leaves_nothing_worth_keeping_drops_the_note(box: Box) -> None:
    before = first(box)[1]
    note = box.root / before.sentences[0].link.path
    change(note, re.search(r"On day .*", note.read_text())[0], "ok")  # type: ignore[index]
    box.sync()

    chunk = parse_chunk_note(note.read_text())
    assert (chunk.status, bool(chunk.drop_reason)) == ("dropped", True)
    after = first_of(box, before.node_id)
    assert chunk.chunk_id not in after.child_ids
    assert len(after.child_ids) == 9
    settled(box)


def first_of(box: Box, node_id: str) -> SummaryNode:
    return next(node for node in tree(box).values() if node.node_id == node_id)


def test_a_status_by_hand_is_obeyed_for_good(box: Box) -> None:
    before = first(box)[1]
    note = box.root / before.sentences[0].link.path
    chunk_id = parse_chunk_note(note.read_text()).chunk_id
    change(note, "memory_status: admitted", "memory_status: dropped")
    box.sync()
    after = first_of(box, before.node_id)
    assert chunk_id not in after.child_ids
    assert before.sentences[0].text not in everywhere_but(box, note)
    assert after.rev == before.rev + 1
    change(note, "kept dry", "kept very dry")
    box.sync()
    assert parse_chunk_note(note.read_text()).status == "dropped"
    settled(box)

    change(note, "memory_status: dropped", "memory_status: admitted")
    box.sync()
    listed = [child for node in tree(box).values() for child in node.child_ids]
    assert listed.count(chunk_id) == 1
    settled(box)


def test_a_deleted_note_leaves_its_summary_and_a_persons_text_but_for_its_lines(box: Box) -> None:
    path, before = first(box)
    gone = before.sentences[0]
    kept = next(sentence for sentence in before.sentences if sentence.link.path != gone.link.path)
    change(path, f"# {before.title}", "# My own title\n\nMy own words.")
    box.sync()
    (box.root / gone.link.path).unlink()
    box.sync()

    text = path.read_text()
    assert "My own words." in text
    assert "# My own title" in text
    assert gone.text not in everywhere(box)
    assert kept.text in text
    assert len(first_of(box, before.node_id).child_ids) == 9
    settled(box)


def test_a_moved_note_is_linked_where_it_stands(box: Box) -> None:
    before = first(box)[1]
    note = box.root / before.sentences[0].link.path
    (box.root / "wiki/raw/mine").mkdir()
    note.rename(box.root / "wiki/raw/mine/boats.md")
    box.sync()

    links = {link.path for link in first_of(box, before.node_id).children}
    assert "wiki/raw/mine/boats.md" in links
    assert note.relative_to(box.root).as_posix() not in links
    settled(box)
