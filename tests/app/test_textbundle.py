"""A text bundle dropped as a folder: nothing of it stays behind, nothing vanishes."""

from __future__ import annotations

from pathlib import Path

from tests.vaults import Box, raw_notes


def test_a_bundle_goes_as_a_whole(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("trips/Vis.textbundle/text.md", "# Vis\n\nThe house ![](assets/house.png) is white.\n")
    box.write("trips/Vis.textbundle/info.json", '{"version": 2, "type": "net.daringfireball.markdown"}')
    box.write("trips/Vis.textbundle/assets/house.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0")
    rows = {str(row["file"]).rpartition("/")[2]: row for row in box.sync()}
    assert {name: row["outcome"] for name, row in rows.items()} == dict.fromkeys(rows, "imported")
    assert rows["text.md"]["title"] == "Vis"
    assert rows["house.png"]["format"] == "image"
    assert not list((box.root / "inbox").iterdir())
    assert "is white" in raw_notes(box)
    assert any(b"daringfireball" in path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
