"""What comes again never writes over a person's hand: added properties, broken notes, a note saved in that moment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, told
from tests.app.test_edits import NEW, OLD, slack
from tests.vaults import Box
from vaultmem.model import FileStat, NoteFile
from vaultmem.store.vault import DiskVault

MINE = "\nMy own precious words.\n"
PARTS = [
    f"## {head}\n\n"
    + " ".join(f"The {thing} {n} of the yard costs {n * 3} euros and {thing}{n} stays." for n in range(12))
    for head, thing in (("Alpha", "boat"), ("Beta", "ferry"), ("Gamma", "lamp"), ("Delta", "mast"))
]


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path, config="chunk_tokens: 200\n")
    drop(box, 0, 1, 2, 3)
    return box


def drop(box: Box, *parts: int) -> None:
    box.write("Lease.md", "# Lease\n\n" + "\n\n".join(PARTS[part] for part in parts) + "\n")
    told(box, "sync")


def notes(box: Box) -> list[Path]:
    return sorted((box.root / "wiki/raw").rglob("*.md"))


def settled(box: Box) -> None:
    told(box, "sync")
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def test_properties_that_a_person_added_stay_where_pieces_change_places(box: Box) -> None:
    for note in notes(box):
        note.write_text(note.read_text().replace("---\n", "---\nmine: precious # why\n", 1))
    told(box, "sync")
    before = notes(box)
    drop(box, 3, 2, 1, 0)
    kept = [note for note in before if note.exists()]
    assert len(kept) > len(before) // 2
    assert all("mine: precious # why\n" in note.read_text() for note in kept)
    settled(box)


@pytest.mark.parametrize("index", ["kept", "made anew"])
def test_a_note_that_a_person_broke_is_neither_moved_nor_removed_nor_written_over(box: Box, index: str) -> None:
    whole = {note: note.read_text() for note in notes(box)}
    broken = {note: text.replace("chunk_id:", "chunk_id: [", 1) + MINE for note, text in whole.items()}
    for note, text in broken.items():
        note.write_text(text)
    told(box, "sync")
    if index == "made anew":
        told(box, "rebuild")
    drop(box, 2, 0, 1)
    assert {note: note.read_text() for note in broken if note.exists()} == broken
    for note, text in whole.items():
        note.write_text(text + MINE)
    told(box, "sync")
    assert all(MINE.strip() in note.read_text() for note in whole)
    settled(box)


def test_a_note_that_a_person_saves_while_its_message_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(tmp_path)
    box.write("one.zip", slack(OLD, 0, name="crew"))
    told(box, "sync")
    [note] = notes(box)
    real = DiskVault.renew

    def renew(vault: DiskVault, files: Sequence[NoteFile], seen: dict[str, FileStat]) -> tuple[str, ...]:
        if any(box.root / file.path == note for file in files):
            note.write_text(note.read_text() + MINE)
        return real(vault, files, seen)

    with monkeypatch.context() as patched:
        patched.setattr(DiskVault, "renew", renew)
        box.write("two.zip", slack(NEW, 1, name="crew"))
        told(box, "sync")
    assert MINE.strip() in note.read_text()
    settled(box)
    assert MINE.strip() in note.read_text()
