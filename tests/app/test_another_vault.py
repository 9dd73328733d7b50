"""A vault that was removed and another that takes its path: the index of the first is not believed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.vaults import Box

CHAT = "12/03/2026, 10:00 - Ann: The ferry leaves at noon on Friday.\n12/03/2026, 10:01 - Bo: I booked two seats.\n"


def filed(box: Box) -> list[object]:
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    return [row["outcome"] for row in box.sync()]


def test_a_new_vault_at_the_path_of_an_old_one_starts_anew(tmp_path: Path) -> None:
    box = Box(tmp_path)
    shutil.copytree(box.root, tmp_path / "template")
    assert filed(box) == ["imported"]
    shutil.rmtree(box.root)
    shutil.copytree(tmp_path / "template", box.root)

    assert filed(box) == ["imported"]
    with box.open() as memory:
        assert memory.recall("when does the ferry leave").hits
        assert not memory.status().degraded or "wiki" not in str(memory.status().degraded)
    assert box.digest()


def test_notes_that_are_away_are_still_not_believed_to_be_deleted(tmp_path: Path) -> None:
    box = Box(tmp_path)
    filed(box)
    digest = box.digest()
    (box.root / "wiki").rename(tmp_path / "away")
    with box.open() as memory:
        assert memory.sync().reconciled.held_back
    (tmp_path / "away").rename(box.root / "away")
    shutil.rmtree(box.root / "wiki", ignore_errors=True)
    (box.root / "away").rename(box.root / "wiki")
    box.sync()
    assert box.digest() == digest


def test_an_id_that_was_lost_empties_nothing_that_stands(tmp_path: Path) -> None:
    box = Box(tmp_path)
    filed(box)
    (box.root / ".vaultmem/vault-id").unlink()
    notes = box.notes()
    assert box.sync() == []
    assert box.notes() == notes
    assert (box.root / ".vaultmem/vault-id").is_file()
