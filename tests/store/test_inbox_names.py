"""Names that only a disk takes: at its limit, twins in two normal forms, a file where our folder should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vaults import Box

#: nothing that any reader knows
NOTHING_KNOWN = b"\x93NOPE\r\n\x1a\n" + bytes(100)


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_name_of_255_bytes_is_set_aside_with_its_reason(tmp_path: Path) -> None:
    box = Box(tmp_path)
    long = "é" * 125 + ".jpeg"
    for _ in range(2):
        box.write(long, NOTHING_KNOWN)
        box.write("zzz.md", "# Last\n\nThe boat floats.")
        outcomes = {str(row["file"]): row["outcome"] for row in box.sync()}
        assert outcomes[long] == "failed"
        assert outcomes["zzz.md"] in ("imported", "duplicate")
    found = below(box.root / "inbox/_failed")
    assert len(found) == 4
    assert sorted(f"{name}.reason.md" for name in found if name.endswith(".jpeg")) == sorted(
        name for name in found if name.endswith(".reason.md")
    )


def test_two_spellings_of_one_name_are_two_files(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("\u00e9.md", "# One\n\nThe first boat floats.")
    box.write("e\u0301.md", "# Two\n\nThe second boat sank.")
    if len(below(box.root / "inbox")) < 2:
        pytest.skip("this disk holds one of them only")
    box.write("\u00e9.png", NOTHING_KNOWN)
    box.write("e\u0301.png", NOTHING_KNOWN + b"2")
    assert sorted(str(row["outcome"]) for row in box.sync()) == ["failed", "failed", "imported", "imported"]
    kept = [path.read_bytes() for path in (box.root / "inbox/_failed").iterdir() if path.suffix == ".png"]
    assert sorted(kept) == sorted([NOTHING_KNOWN, NOTHING_KNOWN + b"2"])
    again = box.sync()
    assert [row["outcome"] for row in again] == ["skipped"] * 2
    assert not [row for row in again if str(row["file"]).endswith(".reason.md")]


def test_a_reason_is_no_file_of_its_own_and_a_file_called_so_is_one(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("a.reason.md", NOTHING_KNOWN)
    assert [row["outcome"] for row in box.sync()] == ["failed"]
    assert below(box.root / "inbox/_failed") == ["a.reason.md", "a.reason.md.reason.md"]
    assert [row["file"] for row in box.sync()] == ["_failed/a.reason.md"]
    with box.open() as memory:
        assert memory.status().failed == ("_failed/a.reason.md",)


def test_a_file_called_as_the_folder_for_failed_ones_gives_way(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("_failed", NOTHING_KNOWN)
    box.write("a.png", NOTHING_KNOWN)
    rows = box.sync()
    assert [(row["file"], row["outcome"]) for row in rows] == [("_failed (2)", "failed"), ("a.png", "failed")]
    assert (box.root / "inbox/_failed/_failed (2)").read_bytes() == NOTHING_KNOWN
