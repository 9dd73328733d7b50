"""Vaults in cloud folders, under git and with links: what is a copy, what is away, and what is only half merged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.test_inplace import ALL, note, paths
from tests.vaults import Box
from vaultmem.store import away

AWAY = "not on this disk"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, config=ALL)


def problems(box: Box) -> dict[str, str]:
    with box.open() as memory:
        return dict(memory.status().problems)


def advice(box: Box) -> set[str]:
    """What `doctor` says is to be done about notes."""
    with box.open() as memory:
        found = memory.doctor().findings
    return {finding.fix for finding in found if (finding.area, finding.level) == ("notes", "problem")}


def take_away(path: Path, size: int, at: float) -> None:
    """A cloud takes a file's content off the disk: its name, size and time stay."""
    with path.open("wb") as file:
        file.truncate(size)
    os.utime(path, (at, at))


@pytest.mark.parametrize(
    "copy",
    [
        "Plan (Conflicted copy laptop 202605011200).md", "Plan (Conflicted copy).md",
        "Plan (Ann's conflicted copy 2026-05-01).md", "Plan (conflicted copy 2026-05-01 120000).md",
        "Plan.sync-conflict-20260501-120000-ABCDEF7.md",
        "Plan_conflict-20260501-120000.md", "Plan-DESKTOP-AB12CD3.md",
        "Plan (SFConflict ann@example.org 2026-05-01-12-00-00).md",
        "Plan [conflict].md", "Plan.conflict.md", "Plan (Kopie in Konflikt von Ann 2026-05-01).md",
        "Plan_LOCAL_4711.md", "Plan_REMOTE_4711.md", "Plan_BASE_4711.md", "Plan_BACKUP_4711.md",
    ],
)  # fmt: skip
def test_a_conflicting_copy_is_named_and_read_once_it_stands_alone(box: Box, copy: str) -> None:
    note(box, "Work/Plan.md", "The heron costs 40.\n")
    note(box, f"Work/{copy}", "The heron costs 41.\n")
    box.sync()
    assert paths(box, "heron") == ["Work/Plan.md"]
    assert "Work/Plan.md" in problems(box)[f"Work/{copy}"]
    (box.root / "Work/Plan.md").unlink()
    box.sync()
    assert paths(box, "heron") == [f"Work/{copy}"]


def test_a_note_without_content_on_this_disk_is_neither_opened_nor_forgotten(box: Box) -> None:
    text = "The heron costs 40.\n" + "Reeds. " * 400
    known, new = note(box, "Known.md", text), note(box, "Other.md", "The egret.\n").with_name("New.md")
    box.sync()
    take_away(known, len(text) + 100, 1_770_000_000)  # changed elsewhere, not fetched yet
    take_away(new, 5000, 1_770_000_000)
    box.sync()
    assert paths(box, "heron") == ["Known.md"]
    found = problems(box)
    assert AWAY in found["Known.md"]
    assert AWAY in found["New.md"]
    assert "open it once, so that the cloud brings it back" in advice(box)
    with box.open() as memory:
        assert memory.sync().reconciled.changed == 0
    note(box, "New.md", ("The stork. " * 600)[:5000], at=1_770_000_000)  # fetched: the size and time it had
    note(box, "Known.md", text.replace("heron", "crane"), at=1_770_000_000)
    box.sync()
    assert paths(box, "stork") == ["New.md"]
    assert paths(box, "crane") == ["Known.md"]
    assert not problems(box)


def test_a_chunk_note_without_content_is_kept(box: Box) -> None:
    box.write("paper.md", "# Paper\n\n" + "The heron stands in the reeds. " * 100)
    box.sync()
    (path,) = (box.root / "wiki/raw").rglob("*.md")
    before = path.read_bytes()
    take_away(path, len(before) + 10, 1_770_000_000)
    with box.open() as memory:
        done = memory.sync().reconciled
    assert (done.changed, done.forgotten) == (0, 0)
    assert paths(box, "heron"), "what the index holds of it is still found"
    with box.open() as memory:
        assert AWAY in memory.recall("heron").degraded
    path.write_bytes(before.replace(b"heron", b"crane"))
    box.sync()
    assert paths(box, "crane")


def test_a_disk_that_counts_no_blocks_is_believed_in_nothing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(away, "blocks_of", lambda _: 0)
    note(box, "Plan.md", "The heron costs 40.\n" + "Reeds. " * 400)
    box.sync()
    assert paths(box, "heron") == ["Plan.md"]


def test_a_half_merged_note_is_read_and_said(box: Box) -> None:
    note(box, "Merge.md", "# M\n<<<<<<< HEAD\nThe heron costs 40.\n=======\nThe heron costs 41.\n>>>>>>> theirs\n")
    box.sync()
    assert paths(box, "heron") == ["Merge.md"]
    assert "git" in problems(box)["Merge.md"]
    note(box, "Merge.md", "# M\nThe heron costs 41.\n", at=1_770_000_000)
    box.sync()
    assert not problems(box)


def test_links_to_notes_and_to_folders_are_said_and_not_followed(box: Box, tmp_path: Path) -> None:
    note(box, "Work/Plan.md", "The heron costs 40.\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_text("The heron outside.\n")
    for name, target in (
        ("out", tmp_path / "outside"),
        ("again", box.root / "Work"),
        ("loop", box.root),
        ("no.md", "x"),
    ):
        (box.root / name).symlink_to(target)
    (box.root / "picture.png").symlink_to(tmp_path / "picture.png")
    box.sync()
    assert paths(box, "heron") == ["Work/Plan.md"]
    assert problems(box).keys() == {"out/", "again/", "loop/", "no.md"}
    assert advice(box) == {"move what it leads to into the vault, or name it in 'notes_exclude'"}
    config = box.root / ".vaultmem/config.yaml"
    config.write_text(config.read_text() + 'notes_exclude: ["out/**", "again/**", "loop/**", "no.md"]\n')
    assert not problems(box)
    assert not advice(box)
