"""A summary in which a person is at work is never written over, be it broken, half saved or changed in mid-pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, told
from tests.vaults import Box
from vaultmem.model import FileStat, NoteFile
from vaultmem.store.vault import DiskVault

QUIET = 1_700_000_500.0
MINE = "\nMy own precious words.\n"
BREAKS: dict[str, Callable[[str], str]] = {
    "properties": lambda text: text.replace("tree_kind:", "tree_kind: [", 1) + MINE,
    "no properties": lambda text: text.removeprefix("---") + MINE,
    "half": lambda text: text[: len(text) // 2],
    "empty": lambda _: "",
}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path, config='notes: ["**/*.md"]\n')
    write(box, "a", 1)
    told(box, "sync")
    return box


def write(box: Box, name: str, number: int) -> None:
    path = box.root / f"Work/{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"The ferry {number} of Bo costs {number} euros.\n")
    os.utime(path, (QUIET + number, QUIET + number))


def summaries(box: Box) -> list[Path]:
    """One of a tree that seals, one of a day."""
    found = [*(box.root / "wiki/summaries/source").rglob("*.md"), *(box.root / "wiki/summaries/global").rglob("*-*.md")]
    return [found[0], next(path for path in found if "daily" in path.parts)]


@pytest.mark.parametrize("index", ["kept", "made anew"])
@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_one_stays_as_it_is_until_it_is_mended(box: Box, kind: str, index: str) -> None:
    whole = {path: path.read_text() for path in summaries(box)}
    broken = {path: BREAKS[kind](text) for path, text in whole.items()}
    for path, text in broken.items():
        path.write_text(text)
    if index == "made anew":
        told(box, "rebuild")
    for number in (2, 3):
        write(box, "a", number)
        write(box, f"more {number}", number)
        done = told(box, "sync")
        assert {path: path.read_text() for path in broken} == broken
        assert {path.relative_to(box.root).as_posix() for path in broken} <= done["problems"].keys()
        assert done["jobs"] == {"ready": 0, "running": 0, "dead": 0}
    for path, text in whole.items():
        path.write_text(text + MINE)
    told(box, "sync")
    assert all(MINE.strip() in path.read_text() for path in whole)
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def test_one_that_is_saved_while_it_is_sealed_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass has read it, and a person saves it before the pass writes."""
    [note, day] = summaries(box)
    real = DiskVault.renew
    saved: dict[Path, str] = {}

    def renew(vault: DiskVault, notes: Sequence[NoteFile], seen: dict[str, FileStat]) -> tuple[str, ...]:
        for path in (note, day):
            if path not in saved and any(path == box.root / each.path for each in notes):
                saved[path] = path.read_text() + MINE
                path.write_text(saved[path])
        return real(vault, notes, seen)

    monkeypatch.setattr(DiskVault, "renew", renew)
    write(box, "a", 2)
    told(box, "sync")
    assert {path: path.read_text() for path in (note, day)} == saved
    told(box, "sync")
    assert all(MINE.strip() in path.read_text() for path in (note, day))
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def test_one_that_is_deleted_while_it_is_sealed_again_stays_away(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    [note, _] = summaries(box)
    real = DiskVault.renew

    def renew(vault: DiskVault, notes: Sequence[NoteFile], seen: dict[str, FileStat]) -> tuple[str, ...]:
        if any(note == box.root / each.path for each in notes):
            note.unlink(missing_ok=True)
        return real(vault, notes, seen)

    with monkeypatch.context() as patched:
        patched.setattr(DiskVault, "renew", renew)
        write(box, "a", 2)
        told(box, "sync")
        assert not note.exists()
    told(box, "sync", "--accept-deletions")
    assert not note.exists()
