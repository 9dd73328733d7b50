"""A conversation that got another name on its platform is the same conversation; two of one name are two."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.app.test_edits import NEW, OLD, discord, slack, teams, telegram
from tests.vaults import Box, raw_notes
from vaultmem.core.notes.chunknote import parse_chunk_note

EXPORTS = {
    "slack": (slack, ".zip"),
    "discord": (discord, ".json"),
    "telegram": (telegram, ".json"),
    "teams": (teams, ".json"),
}


def chunks(box: Box) -> list[tuple[str, str]]:
    found = (parse_chunk_note(path.read_text()) for path in (box.root / "wiki/raw").rglob("*.md"))
    return sorted((chunk.source_id, chunk.own_id) for chunk in found)


@pytest.mark.parametrize("platform", EXPORTS)
def test_a_new_name_makes_no_new_conversation(tmp_path: Path, platform: str) -> None:
    export, suffix = EXPORTS[platform]
    box = Box(tmp_path)
    box.write(f"one{suffix}", export(OLD, 0, name="crew"))
    box.sync()
    with box.open() as memory:
        memory.rebuild()
    before, notes = chunks(box), raw_notes(box)

    box.write(f"two{suffix}", export(OLD, 0, name="old salts"))
    [row] = box.sync()
    assert row["outcome"] == "duplicate"
    assert row["source_ids"] == [before[0][0]]
    assert raw_notes(box) == notes

    box.write(f"two{suffix}", export(NEW, 1, name="old salts"))
    box.sync()
    assert chunks(box) == before
    assert raw_notes(box).count(NEW) == 1
    assert box.digest()


def test_two_of_one_name_are_two(tmp_path: Path) -> None:
    box = Box(tmp_path)
    export: Callable[..., bytes] = telegram
    box.write("one.json", export(OLD, 0))
    box.write("two.json", export(OLD, 0).replace(b'"id": 77', b'"id": 78'))
    rows = box.sync()

    assert [row["outcome"] for row in rows] == ["imported", "imported"]
    assert chunks(box) == [("telegram:crew", "telegram:77"), ("telegram:crew (78)", "telegram:78")]
    box.write("three.json", export(OLD, 0).replace(b'"id": 77', b'"id": 78'))
    with box.open() as memory:
        memory.rebuild()
    assert [row["outcome"] for row in box.sync()] == ["duplicate"]


def test_an_id_alone_joins_no_two_conversations(tmp_path: Path) -> None:
    """Exports made by a script count their channels from 1."""
    box = Box(tmp_path)
    box.write("one.zip", slack(OLD, 0, name="crew"))
    other = slack(OLD, 0, name="garden")
    with ZipFile(io.BytesIO(other)) as packed:
        entries = {name: packed.read(name).replace(b"17723592", b"17725592") for name in packed.namelist()}
    made = io.BytesIO()
    with ZipFile(made, "w") as packed:
        for name, data in entries.items():
            packed.writestr(name, data)
    box.write("two.zip", made.getvalue())
    box.sync()

    assert [source for source, _ in chunks(box)] == ["slack:crew", "slack:garden"]
    box.write("again.zip", made.getvalue())
    assert [row["outcome"] for row in box.sync()] == ["duplicate"]
