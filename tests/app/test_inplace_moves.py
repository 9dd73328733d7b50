"""A folder of notes that got another name while nobody watched: moved, not deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.test_inplace import ALL, note, paths
from tests.vaults import Box
from vaultmem.app import sync as passes
from vaultmem.app.inplace import FEW
from vaultmem.app.passed import Reconciled

MANY = FEW + 20


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path, config=ALL)
    for number in range(MANY):
        note(box, f"A/{number}.md", f"# N\n\nThe zeppelin word{number}x is late.\n")
    return box


def reconciled(box: Box) -> Reconciled:
    with box.open() as memory:
        return memory.sync().reconciled


def counts(done: Reconciled) -> tuple[int, int, int, str]:
    return done.added, done.changed, done.forgotten, done.held_back


def test_new_notes_are_counted_as_new_however_many(box: Box) -> None:
    assert counts(reconciled(box)) == (MANY, 0, 0, "")


def test_a_renamed_folder_is_a_move_however_large(box: Box) -> None:
    box.sync()
    (box.root / "A").rename(box.root / "B")
    assert counts(reconciled(box)) == (MANY, 0, MANY, "")
    assert paths(box, "word50x") == ["B/50.md"]
    box.digest()
    assert counts(reconciled(box)) == (0, 0, 0, "")


def test_a_folder_copied_and_then_deleted_at_its_old_place_is_a_move(box: Box) -> None:
    box.sync()
    shutil.copytree(box.root / "A", box.root / "B")
    box.sync()
    shutil.rmtree(box.root / "A")
    assert counts(reconciled(box)) == (0, 0, MANY, "")
    assert paths(box, "word50x") == ["B/50.md"]
    box.digest()


def test_what_stands_nowhere_else_is_still_asked_about(box: Box) -> None:
    box.sync()
    for number in range(25):
        note(box, f"B/{number}.md", (box.root / f"A/{number}.md").read_text())
    box.sync()
    shutil.rmtree(box.root / "A")
    done = reconciled(box)
    assert done.forgotten == 25
    assert f"{MANY - 25} of {MANY} notes are missing at once" in done.held_back


def test_what_was_told_of_a_note_is_still_told_when_its_folder_comes_back(box: Box) -> None:
    """Gone for a moment, and not believed: nothing is read again, so nothing may be forgotten of it either."""
    note(box, "A/wrong.md", "---\na: 1\na: 2\n---\nThe zeppelin is early.\n")
    box.sync()
    told = "properties not read: properties, line 2: a stands there twice"
    with box.open() as memory:
        assert memory.status().problems["A/wrong.md"] == told
    (box.root / "A").rename(box.data / "elsewhere")
    assert reconciled(box).held_back
    (box.data / "elsewhere").rename(box.root / "A")
    assert counts(reconciled(box)) == (0, 0, 0, "")
    with box.open() as memory:
        assert memory.status().problems["A/wrong.md"] == told
        assert memory.verify().drift == ()
    (box.root / "A/wrong.md").unlink()
    assert "A/wrong.md" not in reconciled(box).problems
    with box.open() as memory:
        assert "A/wrong.md" not in memory.status().problems


def test_one_of_many_equal_notes_stands_for_no_more_than_one(box: Box) -> None:
    for number in range(MANY):
        note(box, f"Same/{number}.md", "Nothing to see today.\n")
    box.sync()
    note(box, "B/same.md", "Nothing to see today.\n")
    box.sync()
    shutil.rmtree(box.root / "Same")
    assert f"{MANY - 1} of " in reconciled(box).held_back


def test_notes_that_are_moved_before_a_killed_pass_is_done_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words were taken, nothing else: these notes are new ones still."""

    def killed(*_: object) -> Reconciled:
        raise KeyboardInterrupt

    monkeypatch.setattr(passes, "reconcile", killed)
    with pytest.raises(KeyboardInterrupt):
        box.sync()
    monkeypatch.undo()
    (box.root / "A").rename(box.root / "B")
    assert counts(reconciled(box)) == (MANY, 0, MANY, "")
    assert paths(box, "word50x") == ["B/50.md"]
    box.digest()
