"""AT-1: one note saved ten ways is one note throughout; its last text is found within 2 s, and nothing is deleted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.acceptance.doors import at_rest, digest, until, watching
from tests.app.test_inplace import ALL, note
from tests.vaults import Box
from vaultmem.core.notes.chunknote import parse_chunk_note

Save = Callable[[Path, bytes], None]


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def in_pieces(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        for start in range(0, len(data), 7):
            file.write(data[start : start + 7])
            file.flush()


def temporary_and_rename(path: Path, data: bytes) -> None:
    fresh = path.with_name(f".{path.name}.tmp123")
    fresh.write_bytes(data)
    fresh.replace(path)


def visible_temporary_and_rename(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.write_bytes(data)
    fresh.replace(path)


def rename_away_write_delete(path: Path, data: bytes) -> None:
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_bytes(data)
    backup.unlink()


def rename_away_move_in(path: Path, data: bytes) -> None:
    fresh, backup = path.with_name(".fresh"), path.with_name(f"{path.name}.bak")
    fresh.write_bytes(data)
    path.rename(backup)
    fresh.rename(path)
    backup.unlink()


def move_in_from_elsewhere(path: Path, data: bytes) -> None:
    outside = path.parents[2] / "outside.md"
    outside.write_bytes(data)
    outside.replace(path)


def delete_and_recreate(path: Path, data: bytes) -> None:
    path.unlink()
    time.sleep(0.05)
    path.write_bytes(data)


def truncate_then_write(path: Path, data: bytes) -> None:
    path.write_bytes(b"")
    time.sleep(0.05)
    path.write_bytes(data)


def link_and_unlink(path: Path, data: bytes) -> None:
    fresh = path.with_name(".linked")
    fresh.write_bytes(data)
    path.unlink()
    os.link(fresh, path)
    fresh.unlink()


SAVES: tuple[Save, ...] = (
    in_place, in_pieces, temporary_and_rename, visible_temporary_and_rename, rename_away_write_delete,
    rename_away_move_in, move_in_from_elsewhere, delete_and_recreate, truncate_then_write, link_and_unlink,
)  # fmt: skip


def found(box: Box, text: str, path: str) -> bool:
    with box.open() as memory:
        return {hit.note_path for hit in memory.recall(text, k=5).hits} == {path}


def is_held(box: Box, path: str) -> bool:
    with box.open() as memory:
        return path in memory._index.in_place_stats() or path in memory._index.note_stats()


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path, config=ALL)
    note(made, "Work/plan.md", "# Plan\n\nThe zeppelin is rented in May.\n")
    made.write("ferry.md", "# Ferry\n\nThe ferry leaves at nine from pier four.\n")
    made.sync()
    return made


def test_a_note_of_the_users_own(box: Box) -> None:
    path, took = box.root / "Work/plan.md", []
    with watching(box):
        for number, save in enumerate(SAVES):
            save(path, f"# Plan\n\nThe zeppelin is rented in May.\n\nchange{number}x by {save.__name__}\n".encode())
            took.append(until(lambda n=number: found(box, f"change{n}x", "Work/plan.md"), seconds=15))  # type: ignore[misc]
            assert is_held(box, "Work/plan.md"), save.__name__
        until(lambda: at_rest(box), seconds=30)  # a note that was just saved is left alone for ten
        assert found(box, "change9x zeppelin", "Work/plan.md")
    assert median(took) <= 2, took
    assert not (box.root / ".vaultmem/tombstones.jsonl").exists()
    assert not any("change" in data.decode() for name, data in box.notes().items() if name.startswith("wiki/raw"))
    digest(box)


def test_a_chunk_note(box: Box) -> None:
    [path] = (box.root / "wiki/raw").rglob("*.md")
    text, took = path.read_text(), []
    name, chunk_id = path.relative_to(box.root).as_posix(), parse_chunk_note(text).chunk_id
    with watching(box):
        for number, save in enumerate(SAVES):
            save(path, text.replace("pier four", f"pier change{number}y").encode())
            took.append(until(lambda n=number: found(box, f"change{n}y", name), seconds=15))  # type: ignore[misc]
            assert is_held(box, name), save.__name__
        until(lambda: at_rest(box), seconds=30)  # a note that was just saved is left alone for ten
    assert median(took) <= 2, took
    assert not (box.root / ".vaultmem/tombstones.jsonl").exists()
    assert [path] == list((box.root / "wiki/raw").rglob("*.md"))
    assert parse_chunk_note(path.read_text()).chunk_id == chunk_id
    digest(box)
