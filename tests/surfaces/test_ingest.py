"""`vaultmem ingest` of what a person may name by mistake: the vault, what is around it, what is memory's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.vaults import Box
from vaultmem.surfaces.cli import cli


def ingest(box: Box, *paths: object) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(box.root), "ingest", *map(str, paths)], env=dict(box.environ))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path)
    made.write("Plan.md", "# Plan\n\nThe boat is painted in May.\n")
    made.sync()
    return made


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (".", "no folder that holds this vault"),
        ("..", "no folder that holds this vault"),
        ("wiki", "nothing of memory's own"),
        ("wiki/Home.md", "nothing of memory's own"),
        ("entities", "nothing of memory's own"),
        (".vaultmem/config.yaml", "nothing of memory's own"),
    ],
)
def test_memory_is_not_fed_with_itself(box: Box, monkeypatch: pytest.MonkeyPatch, where: str, why: str) -> None:
    before = box.notes()
    (box.root / "entities").mkdir(exist_ok=True)
    monkeypatch.chdir(box.root)
    done = ingest(box, where)
    assert done.exit_code == 1
    assert why in str(done.exception)
    assert list((box.root / "inbox").iterdir()) == []
    assert box.notes() == before


def test_the_inbox_by_name_is_what_waits_in_it(box: Box) -> None:
    box.write("Trip.md", "# Trip\n\nThe train leaves at nine.\n")
    box.write("more/Tide.md", "# Tide\n\nHigh water is at six.\n")
    done = ingest(box, box.root / "inbox")
    assert done.exit_code == 0
    assert done.output.count("imported") == 2
    assert not [path for path in (box.root / "inbox").rglob("*") if path.is_file()]


def test_notes_of_ones_own_folder_are_copied(box: Box) -> None:
    (box.root / "Journal").mkdir()
    (box.root / "Journal/Day.md").write_text("# Day\n\nThe harbour was frozen over.\n")
    assert "imported" in ingest(box, box.root / "Journal").output
    assert (box.root / "Journal/Day.md").exists()


@pytest.mark.parametrize("name", ["", "~nobody-of-this-name/x", "/nowhere/x.md", "\x01"])
def test_what_is_not_there_is_one_clear_line(box: Box, name: str) -> None:
    done = ingest(box, name)
    assert done.exit_code == 1
    assert "not found in this computer" in str(done.exception)


def test_what_a_killed_run_left_in_the_inbox_is_not_copied_again(box: Box, tmp_path: Path) -> None:
    trips = tmp_path / "Trips"
    (trips / "2024").mkdir(parents=True)
    (trips / "2024/Trip.md").write_text("# Trip\n\nThe train leaves at nine.\n")
    tide = tmp_path / "Ti\u0301de.md"
    tide.write_text("# Tide\n\nHigh water is at six.\n")
    with box.open() as memory:
        for _ in range(2):  # killed once the copies stood there
            memory.drop([trips, tide])
    waiting = [path for path in (box.root / "inbox").rglob("*") if path.is_file()]
    assert len(waiting) == 2
    done = ingest(box, trips, tide)
    assert done.output.count("imported") == 2
    assert len([path for path in box.notes() if path.startswith("wiki/raw/")]) == 3
    assert not [path for path in waiting if path.exists()]


def test_another_file_of_a_waiting_ones_name_is_copied(box: Box, tmp_path: Path) -> None:
    box.write("Tide.md", "# Tide\n\nHigh water is at six.\n")
    box.write("Tide (2).md", "# Tide\n\nLow water is at two.\n")
    (tmp_path / "Tide.md").write_text("# Tide\n\nLow water is at ten.\n")
    with box.open() as memory:
        assert memory.drop([tmp_path / "Tide.md"]) == ("Tide (3).md",)
        assert memory.drop([tmp_path / "Tide.md"]) == ("Tide (3).md",)
