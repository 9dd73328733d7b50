"""The user's hand: what is edited, dropped, deleted, put back in the notes reaches the summaries and stays."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.acceptance.doors import run
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


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("crew"), config="chat_gap_hours: 1\n")
    made.write("crew.zip", crew(11))
    made.sync()
    return made


@pytest.fixture
def box(made: Box, tmp_path: Path) -> Box:
    return made.copy(tmp_path)


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


def but_topics(notes: dict[str, bytes]) -> dict[str, bytes]:
    """A topic of long ago is looked at anew after a rebuild, and archived again when it has taken what is there."""
    return {path: data for path, data in notes.items() if "/topic" not in path}


def settled(box: Box) -> None:
    """Another pass does nothing, and a rebuilt index is the same."""
    digest, notes = box.digest(), box.notes()
    assert box.sync() == []
    assert box.notes() == notes
    with box.open() as memory:
        memory.rebuild()
    assert box.digest() == digest
    # with the index goes which living notes are as vaultmem left them: those just saved would wait for a later pass
    for note in (path for folder in ("wiki", "entities") for path in (box.root / folder).rglob("*.md")):
        os.utime(note, (QUIET - 100, QUIET - 100))
    box.sync()
    assert but_topics(box.notes()) == but_topics(notes)


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


def test_a_deleted_summary_stays_away_until_its_children_change(box: Box) -> None:
    path, before = first(box)
    kept = path.read_bytes()
    path.unlink()
    box.sync()
    settled(box)
    assert not path.exists()
    with box.open() as memory:
        memory.rebuild()
    box.sync()
    assert not path.exists()

    change(box.root / before.sentences[0].link.path, before.sentences[0].text, "The window broke at noon.")
    box.sync()
    assert first_of(box, before.node_id).child_ids == before.child_ids
    settled(box)

    path = first(box)[0]
    path.unlink()
    box.sync()
    assert not path.exists()
    path.write_bytes(kept)  # from the trash
    box.sync()
    assert first_of(box, before.node_id).rev == before.rev + 1
    settled(box)


def test_a_deleted_digest_stays_away_until_its_day_changes(box: Box) -> None:
    path = min((box.root / "wiki/summaries/global/daily").glob("*.md"))
    day = path.read_text()
    path.unlink()
    box.sync()
    settled(box)
    assert not path.exists()
    note = box.root / re.search(r"\[\[(wiki/raw/[^#|]+)", day)[1]  # type: ignore[index]
    change(note.with_suffix(".md"), "kept dry", "kept very dry")
    box.sync()
    assert path.exists()


def test_a_note_put_back_stays(box: Box) -> None:
    note = box.root / first(box)[1].sentences[0].link.path
    kept = note.read_bytes()
    note.unlink()
    box.sync()
    tombstones = box.root / ".vaultmem/tombstones.jsonl"
    assert "key" in tombstones.read_text()
    note.write_bytes(kept)
    box.sync()
    assert "key" not in tombstones.read_text()
    settled(box)
    box.write("crew.zip", crew(11), at=QUIET)
    [row] = box.sync()
    assert row["outcome"] == "duplicate"
    assert note.read_bytes() == kept


def test_entity_notes_that_are_all_missing_wait_for_a_yes(box: Box) -> None:
    for name in ("bo", "cy"):
        (box.root / f"entities/person/{name}.md").write_text(
            f"---\nid: person:{name}\nkind: person\ndisplay_name: {name}\n---\n"
        )
    box.sync()
    notes = [path for path in (box.root / "entities").rglob("*.md") if path.name != "Review.md"]
    kept = {path: path.read_bytes() for path in notes}
    assert len(kept) > 1
    tombstones = box.root / ".vaultmem/tombstones.jsonl"
    for path in notes:
        path.unlink()
    with box.open() as memory:
        report = memory.sync()
    assert "--accept-deletions" in report.entity_problems["entities/"]
    assert not tombstones.exists()
    for path, data in kept.items():
        path.write_bytes(data)
    with box.open() as memory:
        assert memory.sync().entity_problems == {}
    for path in notes:
        path.unlink()
    with box.open() as memory:
        report = memory.sync(accept_deletions=True)
    assert report.entity_problems == {}
    assert "person:bo" in tombstones.read_text()


def test_a_mass_deletion_is_believed_when_a_person_says_so(box: Box) -> None:
    for path in (box.root / "wiki/raw").rglob("*.md"):
        path.unlink()
    with box.open() as memory:
        assert "--accept-deletions" in memory.sync().reconciled.held_back
        assert memory.status().counts["notes"] == 11
    with box.open() as memory:
        assert memory.sync(accept_deletions=True).reconciled.held_back == ""
        assert memory.status().counts["notes"] == 0
    box.write("crew.zip", crew(11), at=QUIET)
    box.sync()
    assert list((box.root / "wiki/raw").rglob("*.md")) == []
    assert list((box.root / "wiki/summaries").rglob("*.md")) == []


def test_summaries_that_are_all_missing_wait_for_a_yes_that_status_and_doctor_name(box: Box) -> None:
    away = box.root.parent / "away"
    (box.root / "wiki/summaries").rename(away)
    with box.open() as memory:
        assert "wiki/summaries: " in memory.sync().reconciled.held_back
    for text in (run(box, "status").output, run(box, "doctor").output):
        assert "wiki/summaries: " in text
        assert "vaultmem sync --accept-deletions" in text
    away.rename(box.root / "wiki/summaries")
    with box.open() as memory:
        assert memory.sync().reconciled.held_back == ""
        assert "(vault)" not in memory.status().problems


def test_a_summary_put_back_shares_no_note_with_the_one_made_meanwhile(tmp_path: Path) -> None:
    """Both list the same note by ids that it had at different times, and it has a third by now."""
    box = Box(tmp_path, config='notes: ["**/*.md"]\n')

    def write(number: int) -> None:
        (box.root / "Work").mkdir(exist_ok=True)
        for name, text in {"a": f"The ferry {number} of Bo costs {number} euros.\n", "b": "It is lit.\n"}.items():
            path = box.root / f"Work/{name}.md"
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
                os.utime(path, (QUIET + number, QUIET + number))
        box.sync()

    write(1)
    [first] = (box.root / "wiki/summaries/source").rglob("*.md")
    kept = first.read_bytes()
    first.unlink()
    box.sync()
    write(2)
    assert len(list((box.root / "wiki/summaries/source").rglob("*.md"))) == 1
    first.write_bytes(kept)
    write(3)
    with box.open() as memory:
        assert memory._index.held.shared_children() == ()
    before = box.notes()
    (box.root / "Elsewhere.txt").write_text("a pass has to look again")
    box.sync()
    assert box.notes() == before
