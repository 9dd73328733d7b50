"""A name that comes is looked for in the notes that hold it: in all of them, and only for the name's sake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, told
from tests.app.test_pages_killed import everything_gone, killed_after
from tests.vaults import Box
from vaultmem.app import registry

CHAT = "\n".join(f"01/03/2026, 09:0{n} - Ann: The ferry w{n}q of Zeppelin costs {n} euros." for n in range(1, 4))


ZEPPELIN = "---\nid: project:zeppelin\nkind: project\ndisplay_name: Zeppelin\naliases: []\n---\n"


def entity_of(box: Box) -> Path:
    return box.root / "entities/project/zeppelin.md"


def name_comes(box: Box) -> None:
    entity_of(box).parent.mkdir(parents=True)
    entity_of(box).write_text(ZEPPELIN)
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


@pytest.mark.parametrize("comes", [True, False], ids=["comes", "goes"])
def test_a_kill_while_a_name_is_looked_for_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comes: bool
) -> None:
    """The next pass finds the vault as it was before: what came has gone again, or the other way round."""
    box = Box(tmp_path, config='notes: ["*.md"]\n')
    for number in range(4):
        (box.root / f"{number}.md").write_text(f"The ferry of Zeppelin costs {number} euros.\n")
    name_comes(box)
    if comes:
        entity_of(box).unlink()
        everything_gone(box)
    before = digest(box)
    monkeypatch.setattr(registry, "_BATCH", 1)
    turn(box, comes)
    with monkeypatch.context() as killing:
        killing.setattr(registry, "entries_again", killed_after(2, registry.entries_again))
        with pytest.raises(KeyboardInterrupt):
            everything_gone(box)
    turn(box, not comes)
    everything_gone(box)
    assert digest(box) == before
    told(box, "rebuild")
    assert digest(box) == before


def turn(box: Box, comes: bool) -> None:
    entity_of(box).write_text(ZEPPELIN) if comes else entity_of(box).unlink()
