"""Two names that a Mac calls one and other disks call two: which note an answer names follows the disk as it is now."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, told
from tests.app.test_inplace import ALL, note
from tests.vaults import Box

NFC, NFD = "Zöë", unicodedata.normalize("NFD", "Zöë")
#: Neither is composed through and through.
HALF, OTHER_HALF = f"Z{unicodedata.normalize('NFD', 'ö')}ë", f"Zö{unicodedata.normalize('NFD', 'ë')}"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path, config=ALL)
    (box.root / NFC).touch()
    if (box.root / NFD).exists():
        pytest.skip("this disk has one file for both spellings")
    (box.root / NFC).unlink()
    return box


def settled(box: Box, *words: str) -> None:
    """Each word is found once, at a path by which it is read, and the index is the one made from nothing."""
    told(box, "sync")
    for word in words:
        [path] = paths(box, word)
        with box.open() as memory:
            vault = memory._engine.vault
            assert path in vault.scan("").files
            assert word.encode() in vault.read(path)
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def remove(path: Path) -> None:
    path.unlink()


def away(path: Path) -> None:
    path.rename(path.with_name("Elsewhere.md"))


@pytest.mark.parametrize("go", [remove, away])
@pytest.mark.parametrize("pair", [(NFC, NFD), (NFD, NFC), (HALF, OTHER_HALF), (OTHER_HALF, HALF)])
def test_one_of_two_goes(box: Box, pair: tuple[str, str], go: Callable[[Path], None]) -> None:
    note(box, f"{pair[0]}.md", "the zeppelin lands\n")
    note(box, f"{pair[1]}.md", "the dirigible lifts\n")
    settled(box, "zeppelin", "dirigible")
    go(box.root / f"{pair[0]}.md")
    settled(box, "dirigible", *(["zeppelin"] if go is away else []))
    assert paths(box, "dirigible") == [f"{NFC}.md"]
    assert go is away or paths(box, "zeppelin") == []


@pytest.mark.parametrize("pair", [(NFC, NFD), (NFD, NFC)])
def test_one_of_two_folders_goes(box: Box, pair: tuple[str, str]) -> None:
    note(box, f"{pair[0]}/deep/a.md", "the zeppelin lands\n")
    note(box, f"{pair[1]}/deep/a.md", "the dirigible lifts\n")
    settled(box, "zeppelin", "dirigible")
    (box.root / pair[0]).rename(box.root / "Elsewhere")
    settled(box, "zeppelin", "dirigible")
    assert paths(box, "dirigible") == [f"{NFC}/deep/a.md"]


def test_a_link_beside_a_note(box: Box) -> None:
    note(box, "Target.md", "the zeppelin lands\n")
    (box.root / f"{NFC}.md").symlink_to(box.root / "Target.md")
    note(box, f"{NFD}.md", "the dirigible lifts\n")
    settled(box, "zeppelin", "dirigible")
    (box.root / f"{NFC}.md").unlink()
    settled(box, "zeppelin", "dirigible")


def test_a_chunk_note_on_a_shelf(box: Box) -> None:
    """Notes of ours that a person keeps in a folder of their own follow it."""
    box.write("lease.md", "# Lease\n\nthe zeppelin is leased for a year\n")
    told(box, "sync")
    [made] = (box.root / "wiki/raw").rglob("*.md")
    (box.root / NFD).mkdir()
    made.rename(box.root / NFD / "lease.md")
    note(box, f"{NFC}/other.md", "the dirigible lifts\n")
    settled(box, "zeppelin", "dirigible")
    (box.root / NFC).rename(box.root / "Elsewhere")
    settled(box, "zeppelin", "dirigible")
    assert paths(box, "zeppelin") == [f"{NFC}/lease.md"]
    tombstones = box.root / ".vaultmem/tombstones.jsonl"
    assert not tombstones.exists() or "lease" not in tombstones.read_text()
