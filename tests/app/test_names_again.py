"""A name that comes is looked for in the notes that hold it: in all of them, and only for the name's sake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, told
from tests.vaults import Box
from vaultmem.app import registry

CHAT = "\n".join(f"01/03/2026, 09:0{n} - Ann: The ferry w{n}q of Zeppelin costs {n} euros." for n in range(1, 4))


def name_comes(box: Box) -> None:
    entity = box.root / "entities/project/zeppelin.md"
    entity.parent.mkdir(parents=True)
    entity.write_text("---\nid: project:zeppelin\nkind: project\ndisplay_name: Zeppelin\naliases: []\n---\n")
    told(box, "sync")


@pytest.mark.parametrize("kind", ["in place", "chunk"])
def test_a_note_that_is_away_while_a_name_comes_gets_it_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Renamed and renamed back, its size and time are those that were indexed."""
    box = Box(tmp_path, config='notes: ["*.md"]\n')
    if kind == "chunk":
        box.write("Lease.md", "# Lease\n\nThe ferry of Zeppelin costs 5 euros a year, and nobody pays it.\n")
    else:
        (box.root / "Lease.md").write_text("The ferry of Zeppelin costs 5 euros.\n")
    told(box, "sync")
    [note] = [*(box.root / "wiki/raw").rglob("*.md")] if kind == "chunk" else [box.root / "Lease.md"]
    mention_again = registry._mention_again

    def away(*arguments: object) -> object:
        note.rename(note.with_name("aside"))
        try:
            return mention_again(*arguments)  # type: ignore[arg-type]
        finally:
            note.with_name("aside").rename(note)

    with monkeypatch.context() as moving:
        moving.setattr(registry, "_mention_again", away)
        name_comes(box)
    told(box, "sync")
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def test_an_edit_beside_a_new_name_is_still_an_edit(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    told(box, "sync")
    [note] = (box.root / "wiki/raw").rglob("*.md")
    parts = re.split(r"(?m)^(?=## )", note.read_text())
    note.write_text("".join(part for part in parts if "w2q" not in part))
    name_comes(box)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    told(box, "sync")
    assert not paths(box, "w2q"), "what a person took out stays out"
    assert paths(box, "w3q")
